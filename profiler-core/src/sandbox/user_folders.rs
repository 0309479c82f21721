//! Where the user's files lie: root's, else the user's own. `None` for a user without a home.

use nix::unistd::geteuid;
use std::env;
use std::path::PathBuf;

/// Of what is expensive to make and can be made again.
pub fn cache() -> Option<PathBuf> {
    of_user("/var/cache", "XDG_CACHE_HOME", ".cache")
}

/// Of what cannot be made again.
pub fn state() -> Option<PathBuf> {
    of_user("/var/lib", "XDG_STATE_HOME", ".local/state")
}

fn of_user(of_root: &str, variable: &str, in_home: &str) -> Option<PathBuf> {
    let own = || {
        let named = env::var_os(variable).map(PathBuf::from);
        let home = || Some(PathBuf::from(env::var_os("HOME")?).join(in_home));
        named.filter(|path| path.is_absolute()).or_else(home)
    };
    let all = if geteuid().is_root() { Some(of_root.into()) } else { own() };
    Some(all?.join("swiftprof"))
}
