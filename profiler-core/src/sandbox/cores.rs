//! Which processors measure, which do the rest, and who measures now.
//!
//! A measured program has a processor of its own: no other program is measured there, and neither
//! this process nor a compiler runs there. That a processor is taken is known host-wide, so two
//! processes that measure do so one after the other: whoever measures holds an abstract socket
//! address with the processor's number in it, which the kernel frees when its owner dies. (The
//! kernel keeps these addresses by network namespace, so processes in different ones do not see
//! each other.)

use crate::limits::CORE_RETRY;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use runner_protocol::Hello;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use tokio::time::sleep;

/// What the addresses of this host's processors begin with; the processor's number follows.
const ADDRESS: &str = "org.swiftsolve.profiler/measured-core/";
/// Where the kernel describes processors.
const PROCESSORS: &str = "/sys/devices/system/cpu";
/// The kernel's release, as a runner on this host says it, too.
const RELEASE: &str = "/proc/sys/kernel/osrelease";

/// The division of a host's processors.
#[derive(Debug, Clone)]
pub struct Cores {
    /// Processors that a program may be measured on, those that are tried first in front.
    slots: Vec<u32>,
    /// Those of other processes that use more slots than this one included.
    measured: Vec<u32>,
    /// Everything else runs here.
    rest: Vec<u32>,
    address: String,
    /// Kernel release of the host, where another one is another host.
    kernel: Option<String>,
}

impl Cores {
    /// The division of the processors that this thread may run on now, with so many slots; `None`
    /// where the kernel does not name them.
    pub fn of_this_host(slots: usize) -> Option<Self> {
        let allowed = sched_getaffinity(Pid::from_raw(0)).ok()?;
        let of_set = |cpu: &usize| allowed.is_set(*cpu).unwrap_or(false);
        let allowed: Vec<u32> =
            (0..CpuSet::count()).filter(of_set).filter_map(|cpu| u32::try_from(cpu).ok()).collect();
        let siblings = |cpu| {
            let path = format!("{PROCESSORS}/cpu{cpu}/topology/thread_siblings_list");
            fs::read_to_string(path).map(|text| listed(&text)).unwrap_or_default()
        };
        let kernel = fs::read_to_string(RELEASE).ok().map(|text| text.trim().to_owned());
        Some(Self { kernel, ..Self::of(&physical(&allowed, siblings), slots) })
    }

    /// The division of these physical cores, each a list of its processors. Measured are, with
    /// their first processor, all but the first core; slot i is the i-th of them from the last. A
    /// sibling of a slot is used by nobody; the rest runs on the processors that are left. Where
    /// there is one core alone nothing can be kept apart: it is the only slot, and nothing is
    /// pinned.
    pub fn of(physical: &[Vec<u32>], slots: usize) -> Self {
        let first = |cores: &[Vec<u32>]| -> Vec<u32> {
            cores.iter().rev().filter_map(|core| core.first().copied()).collect()
        };
        let apart = physical.get(1..).unwrap_or_default();
        let measured = first(if apart.is_empty() { physical } else { apart });
        let slots = measured.get(..slots).unwrap_or(&measured).to_vec();
        let left = |core: &&Vec<u32>| core.first().is_some_and(|cpu| !slots.contains(cpu));
        let rest = physical.iter().filter(left).flatten().copied().collect();
        Self { slots, measured, rest, address: ADDRESS.into(), kernel: None }
    }

    /// The same division under other addresses: those who use these alone do not wait for others.
    #[must_use]
    pub fn at(self, address: impl Into<String>) -> Self {
        Self { address: address.into(), ..self }
    }

    /// Keeps the calling thread, and what it starts from now on, off the measured processors. Where
    /// nothing can be kept apart, and where the kernel refuses, it stays where it is.
    pub fn keep_off(&self) {
        let mut set = CpuSet::new();
        let known = self.rest.iter().all(|&cpu| set.set(cpu as usize).is_ok());
        if known && !self.rest.is_empty() {
            // Measured programs are pinned all the same.
            let _: Result<(), Errno> = sched_setaffinity(Pid::from_raw(0), &set);
        }
    }

    /// The processors of everything that is not measured; empty where nothing can be kept apart.
    pub fn rest(&self) -> &[u32] {
        &self.rest
    }

    /// Whether a runner is on this host: a Docker daemon may be on another one, or in a machine of
    /// its own.
    pub(crate) fn are_of(&self, hello: &Hello) -> bool {
        self.kernel.as_ref().is_none_or(|kernel| *kernel == hello.kernel)
    }

    /// Waits until a slot is free, and takes it.
    pub async fn take(&self) -> CoreReservation {
        loop {
            if let Some(permit) = self.slots.iter().find_map(|&cpu| self.try_take(cpu)) {
                return permit;
            }
            sleep(CORE_RETRY).await;
        }
    }

    /// The permit to measure on `cpu`, unless it is taken. A host that gives no address gives a
    /// permit that keeps nobody out.
    fn try_take(&self, cpu: u32) -> Option<CoreReservation> {
        let bound = self.address_of(cpu).and_then(|address| UnixDatagram::bind_addr(&address));
        let taken = match bound {
            Ok(socket) => Some(socket),
            Err(error) if error.kind() == ErrorKind::AddrInUse => return None,
            Err(_) => None,
        };
        let core = (!self.rest.is_empty()).then_some(cpu);
        let others = self.measured.iter().copied().filter(|&other| other != cpu);
        let others = others.filter_map(|other| self.address_of(other).ok()).collect();
        Some(CoreReservation { core, others, _taken: taken })
    }

    fn address_of(&self, cpu: u32) -> std::io::Result<SocketAddr> {
        SocketAddr::from_abstract_name(format!("{}{cpu}", self.address))
    }
}

/// The permit to measure a program. Dropping it lets the next one in.
#[derive(Debug)]
pub struct CoreReservation {
    core: Option<u32>,
    others: Vec<SocketAddr>,
    _taken: Option<UnixDatagram>,
}

impl CoreReservation {
    /// The processor to pin the program to; `None` where nothing can be kept apart.
    pub fn core(&self) -> Option<u32> {
        self.core
    }

    /// How many other programs are being measured on this host.
    pub fn neighbours(&self) -> u32 {
        let Ok(caller) = UnixDatagram::unbound() else {
            return 0;
        };
        let taken = self.others.iter().filter(|address| caller.connect_addr(address).is_ok());
        u32::try_from(taken.count()).unwrap_or(u32::MAX)
    }
}

/// The physical cores of `allowed` processors, rising, each a list of its processors among them.
fn physical(allowed: &[u32], siblings: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    let mut left: BTreeSet<u32> = allowed.iter().copied().collect();
    let mut cores = Vec::new();
    while let Some(cpu) = left.pop_first() {
        let siblings = siblings(cpu).into_iter().filter(|sibling| left.remove(sibling));
        cores.push([cpu].into_iter().chain(siblings).collect());
    }
    cores
}

/// The numbers of one of the kernel's lists: `0,4` or `0-1`.
fn listed(text: &str) -> Vec<u32> {
    let ranges = text.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    });
    ranges.flatten().collect()
}

#[cfg(test)]
mod tests;
