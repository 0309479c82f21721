//! Folders for the files of swiftprof: root uses the system's, other users have them in their home.
//! `None` for a user without a home.

use nix::unistd::geteuid;
use std::env;
use std::path::PathBuf;

/// The folder for files that are expensive to make, and can be made again.
pub fn cache() -> Option<PathBuf> {
    user_folder("/var/cache", "XDG_CACHE_HOME", ".cache")
}

/// The folder for files that cannot be made again.
pub fn state() -> Option<PathBuf> {
    user_folder("/var/lib", "XDG_STATE_HOME", ".local/state")
}

fn user_folder(root_folder: &str, variable: &str, in_home: &str) -> Option<PathBuf> {
    let own = || {
        let named = env::var_os(variable).map(PathBuf::from);
        let home = || Some(PathBuf::from(env::var_os("HOME")?).join(in_home));
        named.filter(|path| path.is_absolute()).or_else(home)
    };
    let all = if geteuid().is_root() { Some(root_folder.into()) } else { own() };
    Some(all?.join("swiftprof"))
}
