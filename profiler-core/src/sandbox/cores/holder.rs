//! Name of the process that holds a processor, for jobs that wait for it.
//!
//! The process that holds a processor listens at a second address. The kernel tells each caller
//! which process listens there, so the holder need not accept connections. When the listener's
//! queue is full, a caller learns nothing. Another local user could listen first, so a caller names
//! only processes of root and of its own user.

use nix::unistd::Uid;
use std::fs;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process;
use tokio::net::UnixStream;
use tokio::net::unix::UCred;

/// Suffix that turns the first address into the second one.
const HOLDER: &str = "/holder";

/// Lets others see that this process holds the processor at this address, until the returned value
/// is dropped. `None` if the address cannot be bound.
pub(super) fn tell(address: &str) -> Option<UnixListener> {
    let second = SocketAddr::from_abstract_name(format!("{address}{HOLDER}")).ok()?;
    UnixListener::bind_addr(&second).ok()
}

/// Names the holder of the processor at this address.
pub(super) async fn name(address: &str) -> String {
    match process_of(address).await {
        Some(id) if id == process::id() => "another job of this swiftprof".into(),
        Some(id) => match fs::read_to_string(format!("/proc/{id}/comm")) {
            Ok(command) => {
                let command = command.trim_end().replace(char::is_control, "?");
                format!("{command}, process {id}")
            }
            Err(_) => format!("process {id}"),
        },
        None => "another process".into(),
    }
}

/// Whether a process of root or of this user holds the processor at this address.
pub(super) async fn is_trusted(address: &str) -> bool {
    trusted(address).await.is_some()
}

/// Returns the process that listens. `None` if there is none, as with older versions, if it is not
/// trusted, or if the kernel reports it as 0, because it is in a container whose processes this one
/// cannot see.
async fn process_of(address: &str) -> Option<u32> {
    u32::try_from(trusted(address).await?.pid()?).ok().filter(|id| *id > 0)
}

/// Returns the process that listens, if it is one of root or of this user.
async fn trusted(address: &str) -> Option<UCred> {
    // The null byte makes the path an abstract name.
    let caller = UnixStream::connect(format!("\0{address}{HOLDER}")).await.ok()?;
    let holder = caller.peer_cred().ok()?;
    (holder.uid() == 0 || holder.uid() == Uid::effective().as_raw()).then_some(holder)
}
