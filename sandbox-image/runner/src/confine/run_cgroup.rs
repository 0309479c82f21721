//! A separate cgroup for a run, below the sandbox's cgroup.
//!
//! A memory cgroup counts, for a process tree, anonymous memory, shared mappings, files in scratch,
//! page tables and other memory of the kernel. A memory probe runs in the run's cgroup, which
//! counts nothing else. If there is no such cgroup, the growth of the sandbox's cgroup counts.
//!
//! If a process can begin in the run's cgroup, repetitions run there too. That costs 1.2 % of a
//! bare spawn, and requires version 2, Linux 5.7 and x86-64. Elsewhere timed runs stay outside,
//! because moving a process takes 0.3 ms, or milliseconds in version 2.
//!
//! The runner opens the cgroup's files while it is still the host's root, or the caller's user. So
//! no file of the cgroup file system has to be writable in the sandbox.

use crate::sys::clone_into::clone_into;
use crate::sys::facts::text_of;
use crate::sys::fault::{Fault, Result, Stage};
use nix::errno::Errno;
use nix::sched::CloneFlags;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use runner_protocol::{Enter, HELD_SLACK_BYTES, Limits, RUN_CGROUP, RUNNER_CGROUP};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, chown};
use std::path::Path;
use std::rc::Rc;

/// The file with the number of bytes that the sandbox's cgroup holds, in version 2 and in version
/// 1.
const HELD: [&str; 2] =
    ["/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes"];
/// The file that lists the processes of a cgroup.
const MEMBERS: &str = "cgroup.procs";
/// The file of version 1 that lists the threads of a cgroup. A process with one thread that enters
/// through it is spared a lock on all processes of the host, which takes 7 to 12 ms.
const THREADS_V1: &str = "tasks";
/// Stands for the writer in [`MEMBERS`] and [`THREADS_V1`].
const SELF: &str = "0";

/// The file with a cgroup's peak, in version 2 and in version 1.
const PEAK: &str = "memory.peak";
const PEAK_V1: &str = "memory.max_usage_in_bytes";
/// The file with the peak of the sandbox's cgroup, in version 2 and in version 1.
const SANDBOX_PEAK: [&str; 2] =
    ["/sys/fs/cgroup/memory.peak", "/sys/fs/cgroup/memory/memory.max_usage_in_bytes"];
/// The permissions to write a file.
const WRITABLE: u32 = 0o222;
/// Number of output files: stdout and stderr.
const OUTPUTS: u64 = 2;
/// The unit of `st_blocks`, in bytes.
const BLOCK_BYTES: u64 = 512;
/// Longest number in a cgroup's file, in bytes.
const MAX_NUMBER_BYTES: usize = 32;
/// Errors of clone3(2) if no process can begin in a cgroup: an older kernel, a filter, or a lack of
/// rights.
const REFUSALS: [Errno; 6] =
    [Errno::ENOSYS, Errno::EPERM, Errno::EACCES, Errno::EINVAL, Errno::EBADF, Errno::E2BIG];
/// Stack size of the child that tests whether a process can begin in the cgroup, in bytes.
const TRIAL_STACK_BYTES: usize = 16 << 10;

/// A cgroup for one run at a time.
pub(crate) struct RunCgroup {
    processes: File,
    /// The file with the peak, if the peak can be reset.
    peak: Option<Rc<File>>,
    /// The file with the peak of the sandbox's cgroup, if the peak can be reset.
    sandbox_peak: Option<Rc<File>>,
    /// Additional files of version 2. In version 1, the sandbox's limit applies to the run.
    v2: Option<V2>,
}

/// Additional files of a run's cgroup in version 2.
struct V2 {
    /// File with the number of bytes that the cgroup holds.
    held: Rc<File>,
    limit: File,
    /// The folder, if a process can begin in the cgroup.
    folder: Option<File>,
}

/// The cgroup of runs, if there is to be one, or the reason why the sandbox's cgroup could not be
/// divided.
pub(crate) type Divided = std::result::Result<Option<RunCgroup>, String>;

impl RunCgroup {
    /// Opens the run's cgroup of version 1 below the sandbox's cgroup, if the host could make one.
    pub(crate) fn open_v1(sandboxes: &Path) -> Option<Self> {
        let folder = sandboxes.join(RUN_CGROUP);
        let open = |name| File::options().read(true).write(true).open(folder.join(name)).ok();
        let [processes, peak] = [THREADS_V1, PEAK_V1].map(open);
        let sandbox_peak = File::options().read(true).write(true).open(sandboxes.join(PEAK_V1));
        let [peak, sandbox_peak] = [peak, sandbox_peak.ok()].map(|file| file.map(Rc::new));
        Some(Self { processes: processes?, peak, sandbox_peak, v2: None })
    }

    /// Opens the run's cgroup of version 2 below the sandbox's divided cgroup. `sandbox_peak` comes
    /// from [`open_sandbox_peak`].
    pub(crate) fn open(sandboxes: &Path, sandbox_peak: Option<File>) -> Result<Self> {
        let folder = sandboxes.join(RUN_CGROUP);
        let open = |name, writes| File::options().read(true).write(writes).open(folder.join(name));
        let opened = || -> io::Result<Self> {
            let mut listed = OpenOptions::new();
            listed.read(true).custom_flags(libc::O_DIRECTORY);
            let v2 = V2 {
                held: open("memory.current", false)?.into(),
                limit: open("memory.max", true)?,
                folder: Some(listed.open(&folder)?),
            };
            let [peak, sandbox_peak] =
                [open_peak(&folder)?, sandbox_peak].map(|it| it.map(Rc::new));
            Ok(Self { processes: open(MEMBERS, true)?, peak, sandbox_peak, v2: Some(v2) })
        };
        opened().stage("open the run's cgroup")
    }

    /// Tests whether a process can begin in the cgroup. Returns the reason if the host or the
    /// kernel refuses that.
    pub(crate) fn try_out(&mut self) -> Result<Option<String>> {
        let Some(folder) = self.folder() else {
            return Ok(None);
        };
        let mut stack = vec![0; TRIAL_STACK_BYTES];
        // SAFETY: `_exit` does not return. The child has a copy of the memory.
        let child = Box::new(|| unsafe { libc::_exit(0) });
        // SAFETY: as above, and this process has one thread.
        let tried = unsafe { clone_into(folder.as_fd(), CloneFlags::empty(), &mut stack, child) };
        match tried {
            Ok(pid) => match waitpid(pid, None).stage("begin in the run's cgroup")? {
                WaitStatus::Exited(_, 0) => Ok(None),
                ended => Err(Fault::new("begin in the run's cgroup", format!("{ended:?}"))),
            },
            Err(errno) if REFUSALS.contains(&errno) => {
                if let Some(v2) = &mut self.v2 {
                    v2.folder = None;
                }
                Ok(Some(format!("clone3: {errno}")))
            }
            Err(errno) => Err(Fault::new("begin in the run's cgroup", errno)),
        }
    }

    /// Limits the memory of the following runs. The cgroup also counts output files, which are not
    /// the program's memory, so the limit leaves room for them.
    pub(crate) fn limit(&self, limits: &Limits) -> Result<()> {
        let outputs = limits.file_bytes.saturating_mul(OUTPUTS);
        let bytes = limits.resident_bytes.saturating_add(HELD_SLACK_BYTES).saturating_add(outputs);
        let set = |file: &File| file.write_all_at(bytes.to_string().as_bytes(), 0);
        let limit = self.v2.as_ref().map(|v2| &v2.limit);
        limit.map_or(Ok(()), set).stage("limit the run's cgroup")
    }

    /// The cgroup's folder, if a process can begin in it.
    pub(crate) fn folder(&self) -> Option<&File> {
        self.v2.as_ref()?.folder.as_ref()
    }

    /// Moves this process into the cgroup, unless it has begun there.
    pub(crate) fn enter(&self) -> Result<()> {
        match self.folder() {
            Some(_) => Ok(()),
            None => self.processes.write_all_at(SELF.as_bytes(), 0).stage("enter the run's cgroup"),
        }
    }
}

/// Moves this process into the sandbox's cgroup of version 1. In version 2, the host moves it.
pub(crate) fn enter_v1(enter: &Enter) -> Result<()> {
    match &enter.cgroup {
        Some((1, path)) => {
            fs::write(Path::new(path).join(THREADS_V1), SELF).stage("enter the sandbox's cgroup")
        }
        _ => Ok(()),
    }
}

/// Opens the peak of the sandbox's cgroup of version 2, if it can be reset. It must be opened
/// before the sandbox's namespaces are made. If the hierarchy is mounted with `nsdelegate`, as
/// systemd does, the kernel refuses writes to files of the cgroup that is the root of the opener's
/// cgroup namespace.
pub(crate) fn open_sandbox_peak(enter: &Enter) -> Result<Option<File>> {
    match &enter.cgroup {
        Some((2, path)) => open_peak(Path::new(path)).stage("open the cgroup's peak"),
        _ => Ok(None),
    }
}

/// Opens the peak of a cgroup of version 2, if it can be reset. Linux before 5.19 has no such file.
/// Before 6.12 it is read-only, although root can open it for writing.
fn open_peak(folder: &Path) -> io::Result<Option<File>> {
    match fs::metadata(folder.join(PEAK)) {
        Ok(metadata) if metadata.mode() & WRITABLE == 0 => Ok(None),
        Ok(_) => File::options().read(true).write(true).open(folder.join(PEAK)).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// In version 2, moves the launcher and the sandbox's pid 1 out of the sandbox's cgroup, because a
/// cgroup with processes cannot pass controllers to its children. The new cgroup namespace must
/// have begun in the sandbox's cgroup before: its processes may move only below its root. If a
/// program runs out of memory, all its processes end together.
pub(crate) fn divide(enter: &Enter, child: Pid) -> Result<()> {
    let Some((2, path)) = &enter.cgroup else {
        return Ok(());
    };
    let folder = Path::new(path);
    let run = folder.join(RUN_CGROUP);
    let divided = || -> io::Result<()> {
        let members = folder.join(RUNNER_CGROUP).join(MEMBERS);
        fs::write(&members, child.to_string())?;
        fs::write(&members, SELF)?;
        fs::write(folder.join("cgroup.subtree_control"), "+memory")?;
        fs::write(run.join("memory.oom.group"), "1")?;
        // Allow the runner to move processes into the run's cgroup.
        for folder in [folder, &run] {
            chown(folder.join(MEMBERS), enter.first_id, enter.first_id)?;
        }
        Ok(())
    };
    divided().stage("divide the cgroup")
}

/// The kernel's files about the memory of the sandbox's cgroup, if there is one.
pub(crate) struct Counted {
    held: Option<Rc<File>>,
    /// With version 2, Linux before 5.19 keeps no peak.
    peak: Option<Rc<File>>,
}

impl Counted {
    pub(crate) fn find() -> Self {
        Self { held: opened(HELD), peak: opened(SANDBOX_PEAK) }
    }
}

/// The account of the memory that one run holds.
pub(crate) struct Account {
    /// The file with the bytes that the counting cgroup holds, or with its peak if that has been
    /// reset.
    held: Rc<File>,
    /// The bytes that the cgroup held before the run.
    before: u64,
    /// The peak of the sandbox's cgroup before the run, and the file with the current one, if it
    /// cannot be reset. Only a higher peak belongs to the run, so `held` is read too.
    peak: Option<(u64, Rc<File>)>,
    /// The files of the run's output, which does not count as its memory.
    outputs: &'static [File; 2],
    /// The largest memory of the run so far, in bytes.
    most: u64,
}

impl Account {
    /// Opens the account of a run that has not begun; `None` without a memory cgroup. If the run's
    /// cgroup has a peak, the peak begins at what the last run has left in caches.
    pub(crate) fn open(
        own: Option<&RunCgroup>,
        outputs: &'static [File; 2],
    ) -> Result<Option<Self>> {
        if let Some(held) = reset(own.and_then(|own| own.peak.as_ref()))? {
            return Ok(Some(Self { held, before: 0, peak: None, outputs, most: 0 }));
        }
        let held = match own.and_then(|own| own.v2.as_ref()) {
            Some(v2) => Some(v2.held.clone()),
            None => opened(HELD),
        };
        Ok(Self::of_growth(held, None, outputs))
    }

    /// Opens the account of a run that is not in a cgroup of its own: the growth of the sandbox's
    /// cgroup. In a container the peak of that cgroup cannot be reset. There the peak counts only
    /// if it is higher than in all earlier runs and in the compiler's; otherwise the largest
    /// reading counts.
    pub(crate) fn open_beside(
        own: Option<&RunCgroup>,
        counted: &Counted,
        outputs: &'static [File; 2],
    ) -> Result<Option<Self>> {
        // Since its reset, a peak is never lower than what the cgroup holds.
        if let Some(peak) = reset(own.and_then(|own| own.sandbox_peak.as_ref()))? {
            return Ok(Self::of_growth(Some(peak), None, outputs));
        }
        Ok(Self::of_growth(counted.held.clone(), counted.peak.clone(), outputs))
    }

    fn of_growth(
        held: Option<Rc<File>>,
        peak: Option<Rc<File>>,
        outputs: &'static [File; 2],
    ) -> Option<Self> {
        let (held, peak) = (held?, peak.and_then(|peak| Some((number(&peak)?, peak))));
        Some(Self { before: number(&held)?, held, peak, outputs, most: 0 })
    }

    /// Reads the account. Returns the largest memory of the run so far, in bytes.
    pub(crate) fn peak(&mut self) -> Option<u64> {
        let peak = self.peak.as_ref();
        let higher = peak.and_then(|(earlier, peak)| number(peak).filter(|now| now > earlier));
        let counted = higher.max(number(&self.held))?.saturating_sub(self.before);
        // Output that was written after the peak is subtracted from it too, so the account is also
        // read during the run. Output that the program has truncated counts as its memory.
        let written: u64 = self.outputs.iter().map(memory_of).sum();
        self.most = counted.saturating_sub(written).max(self.most);
        Some(self.most)
    }
}

/// Resets a peak, and returns its file.
fn reset(peak: Option<&Rc<File>>) -> Result<Option<Rc<File>>> {
    let Some(peak) = peak else { return Ok(None) };
    peak.write_all_at(b"0", 0).stage("reset the cgroup's peak")?;
    Ok(Some(peak.clone()))
}

fn opened(paths: [&str; 2]) -> Option<Rc<File>> {
    paths.iter().find_map(|path| File::open(path).ok()).map(Rc::new)
}

/// The memory that a file on a tmpfs takes, in bytes.
fn memory_of(file: &File) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.blocks() * BLOCK_BYTES)
}

fn number(file: &File) -> Option<u64> {
    text_of(file, &mut [0; MAX_NUMBER_BYTES])?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    /// Imitates Linux before 6.12: the kernel keeps no peak, or none that can be reset, so the
    /// growth of the run's own cgroup is its account. A file that every version 2 has must be
    /// there.
    #[test]
    fn older_kernel_has_an_account_of_the_run() {
        let sandboxes = std::env::temp_dir().join(format!("runs-{}", std::process::id()));
        let run = sandboxes.join(RUN_CGROUP);
        fs::create_dir_all(&run).unwrap();
        for (file, text) in [(MEMBERS, ""), ("memory.max", ""), ("memory.current", "4096\n")] {
            fs::write(run.join(file), text).unwrap();
        }
        let without_peak = RunCgroup::open(&sandboxes, None).unwrap();
        let peak = run.join(PEAK);
        fs::write(&peak, "9000\n").unwrap();
        fs::set_permissions(&peak, Permissions::from_mode(0o444)).unwrap();
        let own = RunCgroup::open(&sandboxes, None).unwrap();
        let outputs = ["/dev/null", "/dev/null"].map(|path| File::open(path).unwrap());
        let outputs = Box::leak(Box::new(outputs));
        let mut account = Account::open(Some(&own), outputs).unwrap().unwrap();
        fs::write(run.join("memory.current"), "12288\n").unwrap();
        let held = account.peak();
        fs::remove_file(run.join("memory.max")).unwrap();
        let fault = RunCgroup::open(&sandboxes, None).err().map(|fault| fault.to_string());
        fs::remove_dir_all(&sandboxes).unwrap();
        assert!(without_peak.peak.is_none() && own.peak.is_none());
        assert_eq!(held, Some(8192));
        assert!(fault.is_some_and(|said| said.starts_with("open the run's cgroup: ")));
    }
}
