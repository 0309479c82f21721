//! `perun store`: stores a profile where a repository's Perun finds it.
//!
//! Perun lists the files in `.perun/jobs` with the extension `.perf`. They are plain JSON, with the
//! profile's commit as `origin`. `perun add` takes them from there.

use super::profile::{in_file, open, text};
use crate::exit::Failure;
use crate::stderr::tell;
use profiler_perun::Profile;
use std::env;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use time::OffsetDateTime;

/// The folder of a repository that Perun manages.
const PERUN: &str = ".perun";
/// Maximum length of a part of a file name, in characters.
const MAX_PART_LETTERS: usize = 48;
/// Maximum number of profiles with the same name.
const MAX_COPIES: usize = 1_000;
/// The length of a commit hash: SHA-1 to SHA-256.
const COMMIT_LETTERS: std::ops::RangeInclusive<usize> = 40..=64;
/// The file mode before the umask.
const MODE: u32 = 0o666;

/// Stores the profile and returns the path of the file.
pub(super) fn store(path: &Path) -> Result<Vec<u8>, Failure> {
    let profile = open(path)?;
    let root = repository()?;
    let head = head(&root)?;
    let mut profile = profile.expanded().map_err(in_file(path))?;
    profile.check_listable().map_err(in_file(path))?;
    let origin = profile.document().get("origin").and_then(|origin| origin.as_str()).unwrap_or("");
    if origin != head && is_commit(&root, origin) {
        tell(format_args!("swiftprof: the profile keeps its own commit, {origin}"));
    } else {
        if !origin.is_empty() && origin != head {
            tell(format_args!(
                "swiftprof: this repository has no commit {origin:?}; the profile now belongs to {head}"
            ));
        }
        profile.set_origin(&head);
    }
    let path = write(&root.join(PERUN).join("jobs"), &profile)?;
    Ok([path.as_os_str().as_bytes(), b"\n"].concat())
}

/// The nearest folder with a .perun folder, from the current folder upwards.
fn repository() -> Result<PathBuf, Failure> {
    let here = env::current_dir().map_err(Failure::broken("find the current folder"))?;
    let found = here.ancestors().find(|folder| folder.join(PERUN).is_dir());
    found.map(Path::to_owned).ok_or_else(|| {
        let problem = "there is no .perun folder here or above; `perun init` creates one";
        Failure::argument(here.display().to_string(), problem)
    })
}

/// The commit that is checked out.
fn head(root: &Path) -> Result<String, Failure> {
    let output = git(root, &["rev-parse", "--verify", "HEAD^{commit}"])
        .map_err(|cause| Failure::argument("git", format!("cannot be started: {cause}")))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let place = root.display().to_string();
        return Err(Failure::argument(place, format!("git finds no commit here: {why}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn is_commit(root: &Path, name: &str) -> bool {
    let plausible = COMMIT_LETTERS.contains(&name.len())
        && name.chars().all(|letter| letter.is_ascii_hexdigit());
    plausible
        && git(root, &["cat-file", "-e", &format!("{name}^{{commit}}")])
            .is_ok_and(|output| output.status.success())
}

fn git(root: &Path, args: &[&str]) -> std::io::Result<std::process::Output> {
    Command::new("git").arg("-C").arg(root).args(args).output()
}

/// Writes the profile under an unused name. The file appears only when it is complete.
fn write(jobs: &Path, profile: &Profile) -> Result<PathBuf, Failure> {
    let broken = |cause| Failure::broken("write into .perun/jobs")(cause);
    fs::create_dir_all(jobs).map_err(broken)?;
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(jobs)
        .map_err(broken)?;
    file.write_all(&text(profile)?).map_err(broken)?;
    let stem = stem(profile, OffsetDateTime::now_utc());
    for copy in 0..MAX_COPIES {
        let copy = if copy == 0 { String::new() } else { format!("({copy})") };
        let path = jobs.join(format!("{stem}{copy}.perf"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => file = refused.file,
            Err(refused) => return Err(broken(refused.error)),
        }
    }
    Err(broken(ErrorKind::AlreadyExists.into()))
}

/// Perun's default name: collector, command, workload, time.
fn stem(profile: &Profile, now: OffsetDateTime) -> String {
    let part = |region: &str, key: &str| {
        let value = profile.document().get(region).and_then(|region| region.get(key));
        let text = value.and_then(|value| value.as_str()).unwrap_or_default();
        let name = text.rsplit('/').next().unwrap_or_default();
        let letter = |letter: char| match letter {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '.' | '-' | '_' => letter,
            _ => '_',
        };
        name.chars().map(letter).take(MAX_PART_LETTERS).collect::<String>()
    };
    format!(
        "{}-[{}]-[{}]-{:04}-{:02}-{:02}-{:02}-{:02}-{:02}",
        part("collector_info", "name"),
        part("header", "cmd"),
        part("header", "workload"),
        now.year(),
        u8::from(now.month()),
        now.day(),
        now.hour(),
        now.minute(),
        now.second(),
    )
}
