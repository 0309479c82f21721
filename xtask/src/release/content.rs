//! Content of every package of a target.

use super::sbom;
use super::target::PROGRAM;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, run};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder of an archive that holds shell completions and man pages.
const GENERATED: &str = "completions-and-man-pages";

/// Built files, and the time that all packed files get.
#[derive(Debug)]
pub(crate) struct Content {
    /// Folder of all these files.
    pub(crate) folder: PathBuf,
    pub(crate) program: PathBuf,
    /// Completions and man pages.
    pub(crate) generated: PathBuf,
    /// The list of libraries.
    pub(crate) sbom: PathBuf,
    /// Time of the commit, in seconds after the epoch.
    pub(crate) seconds: String,
}

impl Content {
    /// Copies the files of a release into a folder. `runnable` is a build of the program for this
    /// machine. It writes its completions and man pages itself, so they fit.
    pub(crate) fn gather(
        folder: PathBuf,
        program: &Path,
        runnable: &Path,
        documents: &[PathBuf],
        seconds: &str,
    ) -> Result<Self, Failure> {
        let [own, generated, sbom] =
            [PROGRAM, GENERATED, "sbom.cdx.json"].map(|name| folder.join(name));
        place(program, &own, 0o755)?;
        for from in documents {
            place(from, &folder.join(from.file_name().unwrap_or_default()), 0o644)?;
        }
        run(command(runnable, ["generate"]).arg(&generated))?;
        fs::write(&sbom, sbom::write()?).map_err(Failure::file("write the list of libraries"))?;
        Ok(Self { folder, program: own, generated, sbom, seconds: seconds.into() })
    }

    /// The names of the man pages, in order.
    pub(crate) fn man_pages(&self) -> Result<Vec<String>, Failure> {
        let entries = fs::read_dir(&self.generated).map_err(Failure::file("list man pages"))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut pages: Vec<_> = names.filter(|name| name.ends_with(".1")).collect();
        pages.sort();
        Ok(pages)
    }

    /// The time of the commit as Debian writes it.
    pub(crate) fn date(&self) -> Result<String, Failure> {
        let at = format!("--date=@{}", self.seconds);
        let date = output(&mut command("date", ["--utc", "--rfc-email", &at]))?;
        Ok(date.trim().into())
    }
}

/// Copies a file to a place with a mode, whatever the umask is.
pub(crate) fn place(from: &Path, to: &Path, mode: u32) -> Result<(), Failure> {
    let copied = fs::create_dir_all(to.parent().unwrap_or(to))
        .and_then(|()| fs::copy(from, to))
        .and_then(|_| fs::set_permissions(to, Permissions::from_mode(mode)));
    copied.map_err(Failure::file(format!("copy {} to {}", from.display(), to.display())))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Content, place};
    use std::fs;
    use std::path::Path;

    /// Content with a script in place of the program, whose mode is that of another umask.
    pub(crate) fn stand_in(folder: &Path, mode: u32) -> Content {
        let folder = folder.join("content");
        let generated = folder.join("completions-and-man-pages");
        fs::create_dir_all(&generated).unwrap();
        for name in ["swiftprof.1", "swiftprof-run.1", "swiftprof.bash", "_swiftprof"] {
            fs::write(generated.join(name), name).unwrap();
        }
        fs::write(generated.join("swiftprof.fish"), "complete").unwrap();
        let [source, program, sbom] =
            ["source", "swiftprof", "sbom.cdx.json"].map(|name| folder.join(name));
        fs::write(&source, "#!/bin/sh\necho \"$@\"\n").unwrap();
        place(&source, &program, mode).unwrap();
        fs::write(&sbom, "{}").unwrap();
        Content { folder, program, generated, sbom, seconds: "1000000000".into() }
    }

    #[test]
    fn debians_date_is_that_of_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let content = stand_in(folder.path(), 0o755);
        assert_eq!(content.date().unwrap(), "Sun, 09 Sep 2001 01:46:40 +0000");
        assert_eq!(content.man_pages().unwrap(), ["swiftprof-run.1", "swiftprof.1"]);
    }
}
