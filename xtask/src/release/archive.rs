//! Archives that depend on nothing but what is in them: names are sorted, and times, owners and
//! modes are fixed.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, run};
use std::path::Path;

/// Modes of files: everybody can execute programs, and only the owner can write.
const MODE: &str = "--mode=u=rwX,go=rX";
/// `-n` leaves out the name and the time of the file that is compressed.
const COMPRESS: &str = "--use-compress-program=gzip -9n";

/// Writes `FOLDER.tar.gz` next to a folder; returns its name. Every file in it has the time
/// `seconds` after the epoch.
pub(crate) fn write(folder: &Path, seconds: &str) -> Result<String, Failure> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let archive = format!("{name}.tar.gz");
    let mut tar = command("tar", ["--create", "--format=gnu", "--sort=name", MODE, COMPRESS]);
    tar.args(["--owner=0", "--group=0", "--numeric-owner"]).arg(format!("--mtime=@{seconds}"));
    tar.args(["--file", &archive, &*name]).current_dir(folder.parent().unwrap_or(folder));
    run(&mut tar)?;
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::write;
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::time::SystemTime;

    #[test]
    fn same_content_gives_the_same_archive() {
        let archives = [["a", "b"], ["b", "a"]].map(|names| {
            let folder = tempfile::tempdir().unwrap();
            let content = folder.path().join("swiftprof-1-target");
            fs::create_dir(&content).unwrap();
            for (at, name) in names.iter().enumerate() {
                let file = content.join(name);
                fs::write(&file, name).unwrap();
                // As another umask and a later build would have it.
                let mode = if at == 0 { 0o700 } else { 0o755 };
                fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
                let built = File::options().append(true).open(&file).unwrap();
                built.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }
            let archive = write(&content, "1000000000").unwrap();
            fs::read(folder.path().join(archive)).unwrap()
        });
        assert!(archives[0].len() > 20 && archives[0] == archives[1]);
    }
}
