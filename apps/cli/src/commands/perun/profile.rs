//! Reads and writes profiles.

use crate::exit::Failure;
use profiler_perun::{Error, Profile};
use std::fs::File;
use std::path::Path;

/// Reads a profile.
pub(super) fn open(path: &Path) -> Result<Profile, Failure> {
    let file =
        File::open(path).map_err(|cause| Failure::Unreadable { path: path.to_owned(), cause })?;
    Profile::read(file).map_err(in_file(path))
}

/// The failure for a problem of the profile in a file.
pub(super) fn in_file(path: &Path) -> impl Fn(Error) -> Failure {
    |cause| Failure::Profile { path: path.to_owned(), cause }
}

/// The profile as JSON.
pub(super) fn text(profile: &Profile) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    profile.write(&mut text).map_err(Failure::broken("write the profile"))?;
    Ok(text)
}
