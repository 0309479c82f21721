//! Sends descriptors over a socket. Nothing here allocates.

use nix::errno::Errno;
use std::os::fd::{AsRawFd, RawFd};
use std::ptr;

/// A control message with descriptors, see cmsg(3), padded as the kernel requires.
#[repr(C)]
pub(crate) struct Control<const N: usize> {
    header: libc::cmsghdr,
    pub(crate) files: [RawFd; N],
}

impl<const N: usize> Control<N> {
    pub(crate) fn with(files: [RawFd; N]) -> Self {
        let cmsg_len = size_of::<libc::cmsghdr>() + size_of::<[RawFd; N]>();
        let (cmsg_level, cmsg_type) = (libc::SOL_SOCKET, libc::SCM_RIGHTS);
        Self { header: libc::cmsghdr { cmsg_len, cmsg_level, cmsg_type }, files }
    }

    /// Sends the descriptors. `MSG_NOSIGNAL` is for a socket whose other end is closed.
    pub(crate) fn send(&mut self, to: &impl AsRawFd) -> nix::Result<()> {
        let (to, flags) = (to.as_raw_fd(), libc::MSG_NOSIGNAL);
        // SAFETY: the message points to live values, as long as it says.
        self.over(|message| unsafe { libc::sendmsg(to, message, flags) })
    }

    /// Calls `transfer` with a message of this control data and one byte, because a message must
    /// not be empty.
    pub(crate) fn over(
        &mut self,
        transfer: impl FnOnce(&mut libc::msghdr) -> isize,
    ) -> nix::Result<()> {
        let mut letter = [0_u8];
        let mut part = libc::iovec { iov_base: (&raw mut letter).cast(), iov_len: letter.len() };
        // SAFETY: `msghdr` is integers and pointers, for which all zeroes is a value.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = ptr::from_mut(self).cast();
        message.msg_controllen = size_of::<Self>();
        Errno::result(transfer(&mut message)).map(drop)
    }
}
