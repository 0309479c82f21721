//! The fence around the program's files, by Landlock: it writes in scratch and nowhere else.
//!
//! A program that is the runner's own user is kept from the runner's files by this alone, so there it
//! must stand. For another user it is a second wall: it also closes `/proc/self/oom_score_adj`, by
//! which a program that holds memory elsewhere than in its own pages could make the runner the first
//! victim. There a kernel without Landlock will do.

use crate::fault::{At, Result};
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use runner_protocol::SCRATCH_DIR;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// What a fence must keep a program of the runner's own user from: everything since Linux 5.13.
const LEAST: ABI = ABI::V1;
/// What it keeps a program from where the kernel can: moving files out of a folder, truncating, and
/// sending signals to what started it.
const MOST: ABI = ABI::V6;

/// Whether this kernel has what a program of the runner's own user must be fenced with.
pub(crate) fn check() -> Result<()> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(LEAST))
        .and_then(Ruleset::create)
        .map(drop)
        .at("look for Landlock")
}

/// Raises the fence around this process.
pub(crate) fn raise(own_user: bool) -> Result<()> {
    let least = if own_user { CompatLevel::BestEffort } else { CompatLevel::HardRequirement };
    let scratch = PathFd::new(SCRATCH_DIR).at("open scratch")?;
    let devices = PathFd::new("/dev").at("open /dev")?;
    rules(least, &scratch, &devices).at("fence the program's files")
}

fn rules(
    least: CompatLevel,
    scratch: &PathFd,
    devices: &PathFd,
) -> std::result::Result<(), RulesetError> {
    let writing = AccessFs::from_write(MOST);
    let rules = Ruleset::default()
        .set_compatibility(least)
        .handle_access(AccessFs::from_write(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(writing)?
        .scope(Scope::from_all(MOST))?
        .create()?
        .set_compatibility(CompatLevel::BestEffort);
    let rules = rules
        .add_rule(PathBeneath::new(scratch.as_fd(), writing))?
        .add_rule(PathBeneath::new(devices.as_fd(), AccessFs::WriteFile))?;
    let rules = again(rules, io::stdout().as_fd())?;
    again(rules, io::stderr().as_fd())?.restrict_self().map(drop)
}

/// A program may open its outputs again, by `/dev/stdout` and `/dev/stderr`.
fn again(
    rules: RulesetCreated,
    output: BorrowedFd<'_>,
) -> std::result::Result<RulesetCreated, RulesetError> {
    let writing: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    rules.add_rule(PathBeneath::new(output, writing))
}
