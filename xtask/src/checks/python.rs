//! The Python client's checks, on the newest supported interpreter of this machine and on the
//! oldest. On the oldest, tests that need a server are left out.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, output, run, target};
use crate::test::PROFILE;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Script that checks the package on the interpreter that runs it.
const CHECK: &str = "profiler-client/python/check.py";
/// Options of that script for the newest interpreter, and for the oldest.
const OPTIONS: [&str; 2] = ["--tests", "--units"];
/// The oldest minor version of Python 3 that the package supports, as its pyproject.toml says.
const OLDEST: u32 = 10;
/// Newest minor version that is looked for.
const NEWEST: u32 = 30;
/// Folder of the interpreters of pyenv, relative to the home directory.
const PYENV: &str = ".pyenv/versions";
/// Prints the minor version of the interpreter that runs it.
const VERSION: &str = "import sys; print(sys.version_info.minor)";

/// Lints the package. That also makes the environments for [`test`].
pub(crate) fn lint() -> Result<(), Failure> {
    chosen()?.iter().try_for_each(|python| run(command(python, [CHECK]).arg("--lints")))
}

/// Tests the package with the server that was built before, and hands each file of results to
/// `read`.
pub(crate) fn test(mut read: impl FnMut(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
    for (at, (python, option)) in chosen()?.iter().zip(OPTIONS).enumerate() {
        let results = target("python")?.join(format!("junit-{at}.xml"));
        let mut check = command(python, [CHECK]);
        check.arg(option).env("SWIFTPROF", target(PROFILE)?.join("swiftprof"));
        check.env("PYTEST_ADDOPTS", format!("--junitxml={}", results.display()));
        // An earlier run's results must not count if this one ends before its tests.
        let _ = fs::remove_file(&results);
        let checked = run(&mut check);
        if results.exists() {
            read(&results)?;
        }
        checked?;
    }
    Ok(())
}

/// Returns the newest interpreter, and the oldest if it is a different one.
fn chosen() -> Result<Vec<PathBuf>, Failure> {
    let here = interpreters();
    let ends = [here.last_key_value(), here.first_key_value()];
    let mut chosen: Vec<_> = ends.into_iter().flatten().map(|(_, path)| path.clone()).collect();
    chosen.dedup();
    if chosen.is_empty() {
        return Err(Failure::Missing(format!("there is no Python of 3.{OLDEST} or later")));
    }
    Ok(chosen)
}

/// Supported interpreters, by their minor version: those on the PATH, and pyenv's.
fn interpreters() -> BTreeMap<u32, PathBuf> {
    let named = (OLDEST..=NEWEST).filter_map(|minor| find(&format!("python3.{minor}")));
    let home = env::var_os("HOME").map(PathBuf::from);
    let versions = home.and_then(|home| fs::read_dir(home.join(PYENV)).ok());
    let pyenv = versions.into_iter().flatten().flatten();
    let pyenv = pyenv.map(|version| version.path().join("bin/python3"));
    let all = find("python3").into_iter().chain(named).chain(pyenv);
    let known = all.filter_map(|path| Some((minor(&path)?, path)));
    known.filter(|(minor, _)| *minor >= OLDEST).collect()
}

/// Returns the minor version of an interpreter. `None` if it does not run, as some of pyenv's on
/// the PATH.
fn minor(path: &Path) -> Option<u32> {
    output(&mut command(path, ["-c", VERSION])).ok()?.trim().parse().ok()
}
