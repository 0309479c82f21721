//! What a child notes between its set-up and exec: where its interval begins, or why it cannot begin.
//!
//! The page is shared by the runner and its child until exec takes it from the child, so what a
//! program does cannot reach it. The child itself reads the clocks: nothing lies between that and
//! exec, neither a wake-up nor a message.

use crate::facts::Reading;
use crate::fault::{At, Result};
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
use std::num::NonZero;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Longest reason that is kept, in bytes.
const MAX_REASON_BYTES: usize = 256;

/// A page that this process shares with its next child.
#[repr(C)]
pub(crate) struct Note {
    /// [`Reading`] in nanoseconds, one more, so that 0 means that there is none.
    clock: AtomicU64,
    cpu: AtomicU64,
    delay: AtomicU64,
    /// User and system time of the set-up, in nanoseconds.
    used: [AtomicU64; 2],
    length: AtomicUsize,
    reason: [AtomicU8; MAX_REASON_BYTES],
}

/// What a child had used, and what the clocks showed, when it went into exec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begin {
    pub(crate) reading: Reading,
    pub(crate) used_ns: [u64; 2],
}

impl Note {
    /// Maps a page for as long as this process lives.
    pub(crate) fn map() -> Result<&'static Self> {
        let size = NonZero::<usize>::MIN.saturating_add(size_of::<Self>());
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping, which overlaps nothing.
        let page = unsafe { mmap_anonymous(None, size, access, MapFlags::MAP_SHARED) };
        // SAFETY: the mapping is large enough, aligned to a page, never unmapped, and zeroed, which is
        // a value of these atomics; all access to it is atomic.
        page.map(|page| unsafe { page.cast::<Self>().as_ref() }).at("map a shared page")
    }

    /// Empties the page for the next child.
    pub(crate) fn clear(&self) {
        self.clock.store(0, Ordering::SeqCst);
        self.length.store(0, Ordering::SeqCst);
    }

    /// The child: what the clocks show now, and what the set-up has used.
    pub(crate) fn begin(&self, begin: &Begin) {
        for (place, used) in self.used.iter().zip(begin.used_ns) {
            place.store(used, Ordering::SeqCst);
        }
        let Reading { clock_ns, cpu_ns, delay_ns } = begin.reading;
        self.cpu.store(cpu_ns.map_or(0, |ns| ns + 1), Ordering::SeqCst);
        self.delay.store(delay_ns.map_or(0, |ns| ns + 1), Ordering::SeqCst);
        self.clock.store(clock_ns + 1, Ordering::SeqCst);
    }

    /// The child: why it does not begin.
    pub(crate) fn fail(&self, reason: &str) {
        for (place, byte) in self.reason.iter().zip(reason.bytes()) {
            place.store(byte, Ordering::SeqCst);
        }
        self.length.store(reason.len().min(MAX_REASON_BYTES), Ordering::SeqCst);
    }

    /// Where the child's interval began; `None` while it sets itself up.
    pub(crate) fn begun(&self) -> Option<Begin> {
        let read = |place: &AtomicU64| place.load(Ordering::SeqCst).checked_sub(1);
        let clock_ns = read(&self.clock)?;
        let reading = Reading { clock_ns, cpu_ns: read(&self.cpu), delay_ns: read(&self.delay) };
        let used_ns = [0, 1].map(|at| self.used[at].load(Ordering::SeqCst));
        Some(Begin { reading, used_ns })
    }

    /// Why the child could not begin, or not be executed for want of something of ours.
    pub(crate) fn failure(&self) -> Option<String> {
        let length = self.length.load(Ordering::SeqCst);
        let bytes: Vec<u8> =
            self.reason[..length].iter().map(|byte| byte.load(Ordering::SeqCst)).collect();
        (length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}
