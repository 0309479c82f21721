//! The Python package with the program in it, built by hatch.

use super::content::Content;
use super::target::{Target, VERSION};
use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, run};
use std::path::Path;

/// The Python package.
const PACKAGE: &str = "profiler-client/python";

/// Writes the wheel to a folder; returns its name.
pub(crate) fn write(content: &Content, target: &Target, folder: &Path) -> Result<String, Failure> {
    let architecture = target.triple.split('-').next().unwrap_or_default();
    // Static, so it runs with every libc. pip looks for one of these two names.
    let tag = format!("py3-none-manylinux2014_{architecture}.musllinux_1_1_{architecture}");
    let mut build = command(tools::hatchling()?, ["-m", "hatchling", "build", "-t", "wheel"]);
    build.arg("-d").arg(folder).current_dir(root().join(PACKAGE));
    build.env("SWIFTPROF_CARRIED", &content.program).env("SWIFTPROF_CARRIED_TAG", &tag);
    run(build.env("SOURCE_DATE_EPOCH", &content.seconds))?;
    Ok(format!("swiftsolve_profiler-{VERSION}-{tag}.whl"))
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::stand_in;
    use super::super::target::named;
    use super::write;
    use crate::steps::shell::{command, output};
    use std::fs;

    #[test]
    fn same_content_gives_the_same_wheel_and_it_carries_the_program() {
        let wheels = [0o700, 0o755].map(|mode| {
            let folder = tempfile::tempdir().unwrap();
            let content = stand_in(folder.path(), mode);
            let target = named("x86_64-unknown-linux-musl").unwrap();
            let wheel = folder.path().join(write(&content, target, folder.path()).unwrap());
            let listed = output(command("python3", ["-m", "zipfile", "-l"]).arg(&wheel)).unwrap();
            assert!(listed.contains("swiftsolve_profiler/bin/swiftprof"), "{listed}");
            fs::read(wheel).unwrap()
        });
        assert!(wheels[0] == wheels[1]);
    }
}
