//! The fence around the program's files, by Landlock: it writes in scratch and nowhere else, and it
//! reads what a toolchain and a program need. What else a sandbox has to show, such as a
//! container's `/etc/resolv.conf` or the figures of its cgroup, is nobody's business. A compiler
//! quotes in its diagnostics what it is told to include, and what `#line` says that an error
//! stands in: it reads nothing of `/proc` and of the runner's either.
//!
//! A program that is the runner's own user is kept from the runner's files by this alone, so there
//! it must stand. For another user it is a second wall: it also closes `/proc/self/oom_score_adj`,
//! by which a program that holds memory elsewhere than in its own pages could make the runner the
//! first victim. There a kernel without Landlock will do.

use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, INSIDE, WorkFile};
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use runner_protocol::{SCRATCH_DIR, WORK_DIR};
use std::path::Path;

/// What may be read by everybody: the toolchain and the libraries, and devices.
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
/// What programs may read beside it: what the kernel says of them, the runner as the piece of work
/// that processors are compared by, and its folder, whose files lie behind their stdin, stdout and
/// stderr. In that folder the files' modes decide.
const READABLE_TO_PROGRAMS: [&str; 3] = ["/proc", INSIDE, WORK_DIR];
/// What a program may read that talks: not the runner's files, for its input is one of them.
const READABLE_TO_INTERACTIVE: [&str; 2] = ["/proc", files::BINARIES];

/// Who is fenced in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Program,
    /// It quotes what it reads.
    Compiler,
    /// A program whose input an interactor has.
    InteractiveProgram,
    /// It has no scratch: that is the program's.
    Interactor,
}

impl Role {
    /// In the order of their numbers.
    pub(crate) const ALL: [Self; 4] =
        [Self::Program, Self::Compiler, Self::InteractiveProgram, Self::Interactor];

    fn readable(self) -> &'static [&'static str] {
        match self {
            Self::Program | Self::Interactor => &READABLE_TO_PROGRAMS,
            Self::Compiler => &[],
            Self::InteractiveProgram => &READABLE_TO_INTERACTIVE,
        }
    }

    /// What lies behind its stdout and stderr, which it may open again by `/dev/stdout` and
    /// `/dev/stderr`.
    fn outputs(self) -> &'static [WorkFile] {
        match self {
            Self::Program | Self::Compiler => &[WorkFile::Stdout, WorkFile::Stderr],
            Self::InteractiveProgram => &[WorkFile::Stderr],
            Self::Interactor => &[WorkFile::InteractorStderr],
        }
    }

    fn scratch(self) -> Option<&'static str> {
        (self != Self::Interactor).then_some(SCRATCH_DIR)
    }
}

/// What a fence must keep a program of the runner's own user from: everything since Linux 5.13.
const LEAST: ABI = ABI::V1;
/// What it keeps a program from where the kernel can: moving files out of a folder, truncating, and
/// sending signals to what started it.
const MOST: ABI = ABI::V6;

/// The fence, put together and not yet raised.
pub(crate) struct FileRules(RulesetCreated);

impl FileRules {
    /// Whether this kernel has what fences are made of.
    pub(crate) fn is_possible() -> bool {
        let least = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        least.handle_access(AccessFs::from_write(LEAST)).is_ok()
    }

    /// The fence around everyone of a kind: their outputs are the same files in every run.
    pub(crate) fn prepare(own_user: bool, who: Role) -> Result<Self> {
        let least = if own_user { CompatLevel::BestEffort } else { CompatLevel::HardRequirement };
        let open = |path| PathFd::new(path).stage("open what a program may write");
        let scratch = who.scratch().map(|path| open(path.into())).transpose()?;
        let devices = open("/dev".into())?;
        let outputs = who.outputs().iter().map(|own| open(own.path()));
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        let readable = READABLE.iter().chain(who.readable()).copied().chain(who.scratch());
        let there = readable.filter(|path| Path::new(path).exists());
        let readable = there.map(|path| open(path.into())).collect::<Result<Vec<_>>>()?;
        let rules = rules(least, scratch.as_ref(), &devices, &outputs).and_then(|rules| {
            readable.iter().try_fold(rules, |rules, path| {
                rules.add_rule(PathBeneath::new(path, AccessFs::ReadFile | AccessFs::ReadDir))
            })
        });
        rules.map(Self).stage("fence the program's files")
    }

    /// Raises the fence around this process.
    pub(crate) fn restrict_self(&self) -> Result<()> {
        let fence = self.0.try_clone().stage("fence the program's files")?;
        fence.restrict_self().map(drop).stage("fence the program's files")
    }
}

fn rules(
    least: CompatLevel,
    scratch: Option<&PathFd>,
    devices: &PathFd,
    outputs: &[PathFd],
) -> std::result::Result<RulesetCreated, RulesetError> {
    let writing = AccessFs::from_write(MOST);
    let rules = Ruleset::default()
        .set_compatibility(least)
        .handle_access(AccessFs::from_write(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writing | AccessFs::ReadFile | AccessFs::ReadDir)?
        .scope(Scope::from_all(MOST))?
        .create()?
        .set_compatibility(CompatLevel::BestEffort)
        .add_rule(PathBeneath::new(devices, AccessFs::WriteFile))?;
    let rules = scratch
        .into_iter()
        .try_fold(rules, |rules, scratch| rules.add_rule(PathBeneath::new(scratch, writing)))?;
    let again: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    outputs.iter().try_fold(rules, |rules, output| rules.add_rule(PathBeneath::new(output, again)))
}
