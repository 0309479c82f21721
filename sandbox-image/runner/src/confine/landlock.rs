//! Landlock: a program writes only in scratch, and reads only what a toolchain and a program need.
//! Other files of a sandbox, such as a container's `/etc/resolv.conf` or its cgroup's figures, are
//! out of reach. A compiler's diagnostics quote any file that the source includes or that `#line`
//! names. So the compiler reads neither `/proc` nor the runner's files.
//!
//! If a program runs as the runner's own user, only Landlock keeps it from the runner's files, so
//! Landlock is required. If a program has its own user, Landlock is a second wall, and a kernel
//! without it will do. Landlock also protects `/proc/self/oom_score_adj`: a program that holds
//! memory outside of its own pages could use that file to make the runner the OOM killer's first
//! victim.

use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::{self, INSIDE, WorkFile};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use nix::errno::Errno;
use runner_protocol::SCRATCH_DIR;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

/// Readable for every role, in its own root: the toolchain, the libraries and the devices.
const READABLE: [&str; 11] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/dev",
];
/// Paths that programs may read in addition: `/proc`, the runner (it is also the calibration
/// program), the binaries, and the runner's folder with the files of their stdin. In that folder,
/// file modes restrict access further. No program may read the folder of outputs.
const READABLE_TO_PROGRAMS: [&str; 4] = ["/proc", INSIDE, files::BINARIES, files::OWN_FILES];
/// Paths that an interactive program may read in addition: not the runner's folder, because the
/// interactor's input is in it.
const READABLE_TO_INTERACTIVE: [&str; 2] = ["/proc", files::BINARIES];

/// The devices that programs may write. `/dev/zero` is not among them: a shared mapping of it is
/// memory without a file, which the system call filter cannot tell from a mapping of a file.
const WRITABLE_DEVICES: [&str; 2] = ["/dev/null", "/dev/full"];

/// The kinds of confined processes; each kind has its own file rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Program,
    /// The compiler, whose diagnostics quote files that it reads.
    Compiler,
    /// A tool of binutils, which reads the program's binary.
    Tool,
    /// A program whose input comes from an interactor.
    InteractiveProgram,
    /// An interactor. It has no scratch, because scratch belongs to the program.
    Interactor,
}

impl Role {
    /// All roles, in the order of their numbers.
    pub(crate) const ALL: [Self; 5] =
        [Self::Program, Self::Compiler, Self::Tool, Self::InteractiveProgram, Self::Interactor];

    /// Whether the process is a part of the toolchain, and so is not in the root of programs.
    pub(crate) fn is_of_toolchain(self) -> bool {
        matches!(self, Self::Compiler | Self::Tool)
    }

    fn readable(self) -> &'static [&'static str] {
        match self {
            Self::Program | Self::Tool | Self::Interactor => &READABLE_TO_PROGRAMS,
            Self::Compiler => &[],
            Self::InteractiveProgram => &READABLE_TO_INTERACTIVE,
        }
    }

    /// The files of the role's stdout and stderr. The process may open them again as `/dev/stdout`
    /// and `/dev/stderr`, for writing alone.
    fn outputs(self) -> &'static [WorkFile] {
        match self {
            Self::Program | Self::Compiler | Self::Tool => &[WorkFile::STDOUT, WorkFile::STDERR],
            Self::InteractiveProgram => &[WorkFile::STDERR],
            Self::Interactor => &[WorkFile::INTERACTOR_STDERR],
        }
    }

    fn scratch(self) -> Option<&'static str> {
        (self != Self::Interactor).then_some(SCRATCH_DIR)
    }
}

/// The oldest Landlock version (Linux 5.13) that will do for a program of the runner's own user.
const LEAST: ABI = ABI::V1;
/// The newest Landlock version whose restrictions apply if the kernel has them. Those after
/// [`LEAST`] are on moving files out of a folder, truncation, and signals to the runner.
const MOST: ABI = ABI::V6;

/// Reason why the files cannot be protected if the runner is an ordinary user.
const NO_LANDLOCK: &str = "this kernel does not use Landlock, which takes Linux 5.13 and `landlock` \
    among the names in its option `lsm=`";

/// The Landlock rules, not yet applied; `None` if this kernel has no Landlock.
pub(crate) struct FileRules(Option<OwnedFd>);

impl FileRules {
    /// Whether this kernel has Landlock.
    pub(crate) fn is_possible() -> bool {
        let least = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        least.handle_access(AccessFs::from_write(LEAST)).is_ok()
    }

    /// Prepares the rules for a role. The outputs are the same files in every run, so the rules can
    /// name them. Programs may have a root of their own.
    pub(crate) fn prepare(own_user: bool, who: Role, programs: Option<&str>) -> Result<Self> {
        if !own_user && !Self::is_possible() {
            return Err(Fault::new("restrict the program's files", NO_LANDLOCK));
        }
        let writing = AccessFs::from_write(MOST);
        let reading = AccessFs::ReadFile | AccessFs::ReadDir;
        let again = AccessFs::WriteFile | AccessFs::Truncate;
        let devices = WRITABLE_DEVICES.map(|path| (path.into(), AccessFs::WriteFile.into()));
        let scratch = who.scratch().map(|path| (path.into(), writing));
        let outputs = who.outputs().iter().map(|own| (own.path(), again));
        let root = programs.filter(|_| !who.is_of_toolchain()).unwrap_or_default();
        let readable = READABLE.iter().map(|path| PathBuf::from(format!("{root}{path}")));
        let own = who.readable().iter().copied().chain(who.scratch()).map(PathBuf::from);
        let readable = readable.chain(own).filter(|path| path.exists());
        let readable = readable.map(|path| (path, reading));
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(writing | reading)
            .and_then(|rules| rules.scope(Scope::from_all(MOST))?.create())
            .stage("restrict the program's files")?;
        let mut allowed = devices.into_iter().chain(scratch).chain(outputs).chain(readable);
        let rules = allowed.try_fold(rules, |rules, (path, access)| {
            let place = PathFd::new(path).stage("open what a program may write")?;
            rules.add_rule(PathBeneath::new(place, access)).stage("restrict the program's files")
        });
        Ok(Self(rules?.into()))
    }

    /// Applies the rules to this process. It cannot gain privileges, which the kernel requires,
    /// because the runner cannot (`seccomp.rs`).
    pub(crate) fn restrict_self(&self) -> Result<()> {
        let Some(rules) = &self.0 else { return Ok(()) };
        // SAFETY: takes plain integers and touches no memory.
        let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
        Errno::result(done).map(drop).stage("restrict the program's files")
    }
}
