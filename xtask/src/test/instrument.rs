//! Builds with counters of executed lines in the members of the workspace.

use crate::steps::failure::Failure;
use crate::steps::shell::target;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// What every workspace member is compiled by.
const WRAPPER: &str = "#!/bin/sh\nexec \"$@\" -Cinstrument-coverage\n";

/// Makes a build instrument the members of the workspace.
pub(crate) fn members(cargo: &mut Command) -> Result<(), Failure> {
    let wrapper = target("xtask")?.join("instrument");
    let failed = || Failure::file(format!("write {}", wrapper.display()));
    fs::write(&wrapper, WRAPPER).map_err(failed())?;
    fs::set_permissions(&wrapper, Permissions::from_mode(0o755)).map_err(failed())?;
    // Build scripts are instrumented too; what they count is not looked at.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", &wrapper);
    cargo.env("LLVM_PROFILE_FILE", target("coverage/build")?.join("%p-%m.profraw"));
    Ok(())
}
