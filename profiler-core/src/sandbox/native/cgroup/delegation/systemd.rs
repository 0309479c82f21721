//! Asks systemd whether it has delegated a group, and has systemd move this process into a new
//! scope.
//!
//! The scope is like one that `systemd-run --scope -p Delegate=yes` makes. A login session is a
//! scope that systemd does not delegate. It sets no limit, so swiftprof evades nothing by leaving
//! it. swiftprof does not leave a service, because whoever configured the service wants its limits
//! to hold, and its processes to end with it.

use super::host::Host;
use crate::limits::seconds;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::{sleep, timeout};

/// Maximum time that systemd may take to answer.
const ANSWER_WITHIN: Duration = seconds(2);
/// Suffixes of the names of systemd's units that have processes.
const UNITS: [&str; 2] = [SCOPE, ".service"];
/// Prefix of the name of a user's own systemd.
const USERS_SYSTEMD: &str = "user@";
/// Suffix of the name of a scope.
const SCOPE: &str = ".scope";
/// Suffix of the name of a slice, in which systemd makes units.
const SLICE: &str = ".slice";
/// File with the memory limit of a group, and its content if there is no limit.
const LIMIT: &str = "memory.max";
const UNLIMITED: &str = "max";
/// systemd's method that makes a unit, and the types of its arguments.
const MAKE: [&str; 6] = [
    "call",
    "org.freedesktop.systemd1",
    "/org/freedesktop/systemd1",
    "org.freedesktop.systemd1.Manager",
    "StartTransientUnit",
    "ssa(sv)a(sa(sv))",
];
/// Mode of the request: systemd refuses it if the unit exists or has a pending job.
const UNLESS_THERE: &str = "fail";
/// Interval between checks of whether systemd has moved this process.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Whether systemd, when asked, says that it has delegated the group. A group outside of all units
/// is not systemd's, and counts as delegated.
pub(super) async fn delegates(group: &Path) -> bool {
    let Some(question) = question(group) else {
        return true;
    };
    let asked = Command::new("systemctl").args(question).kill_on_drop(true).output();
    match timeout(ANSWER_WITHIN, asked).await {
        Ok(Ok(answer)) => is_yes(&String::from_utf8_lossy(&answer.stdout)),
        Ok(Err(_)) | Err(_) => false,
    }
}

/// Builds the arguments with which `systemctl` is asked about the unit that the group is in. `None`
/// outside of all units.
fn question(group: &Path) -> Option<Vec<&str>> {
    let names: Vec<&str> = group.iter().filter_map(OsStr::to_str).collect();
    let is_unit = |name: &&str| UNITS.iter().any(|end| name.ends_with(end));
    let at = names.iter().rposition(is_unit)?;
    let is_users = names[..at].iter().any(|name| name.starts_with(USERS_SYSTEMD));
    let whose = if is_users { "--user" } else { "--system" };
    Some(vec![whose, "show", "--property=LoadState", "--property=Delegate", "--", names[at]])
}

/// Whether systemd knows the unit and has delegated it.
fn is_yes(answer: &str) -> bool {
    ["LoadState=loaded", "Delegate=yes"].iter().all(|line| answer.lines().any(|said| said == *line))
}

/// Whether this process may leave the group for a scope of its own: the group is a scope without a
/// memory limit.
pub(super) fn may_leave(group: &Path) -> bool {
    let limit = fs::read_to_string(group.join(LIMIT)).unwrap_or_default();
    group.to_string_lossy().ends_with(SCOPE) && limit.trim() == UNLIMITED
}

/// Has systemd make a delegated scope and move this process from `group` into it. Nothing else
/// changes in `group`. The error says why systemd makes no scope.
pub(super) async fn enter_scope(host: &Host, group: &Path) -> Result<(), String> {
    let name = format!("swiftprof-{}{SCOPE}", std::process::id());
    let asked = Command::new("busctl")
        .args(request(&name, group, host.is_root))
        .kill_on_drop(true)
        .output();
    let entered = async {
        let answer = asked.await?;
        if !answer.status.success() {
            let said = String::from_utf8_lossy(&answer.stderr);
            return Err(io::Error::other(said.trim().to_owned()));
        }
        // systemd answers as soon as it has queued the request.
        while !host.own_group().is_ok_and(|own| own.ends_with(&name)) {
            sleep(LOOK_EVERY).await;
        }
        Ok(())
    };
    let entered = timeout(ANSWER_WITHIN, entered).await.unwrap_or_else(|late| Err(late.into()));
    entered.map_err(|error| format!("systemd makes no scope (busctl: {error})"))
}

/// The arguments of `busctl`. Root's scope stays in the slice of the group that root leaves, so the
/// limits of that slice still hold. A user's own systemd runs in the user's slice, with slices of
/// its own.
fn request(name: &str, group: &Path, is_root: bool) -> Vec<String> {
    let this = std::process::id().to_string();
    let mut properties = vec![vec!["PIDs", "au", "1", &this], vec!["Delegate", "b", "true"]];
    let of_system = group.iter().filter_map(OsStr::to_str);
    let of_system = of_system.take_while(|name| !name.starts_with(USERS_SYSTEMD));
    let slice = of_system.filter(|name| name.ends_with(SLICE)).last();
    if let Some(slice) = slice.filter(|_| is_root) {
        properties.push(vec!["Slice", "s", slice]);
    }
    let count = properties.len().to_string();
    let whose = if is_root { "--system" } else { "--user" };
    let words = [whose].into_iter().chain(MAKE).chain([name, UNLESS_THERE, &count]);
    // There are no auxiliary units.
    words.chain(properties.concat()).chain(["0"]).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_left_has_no_limit() {
        let tree = tempfile::tempdir().unwrap();
        let group = |name: &str, limit: &str| {
            let group = tree.path().join(name);
            fs::create_dir_all(&group).unwrap();
            fs::write(group.join(LIMIT), limit).unwrap();
            group
        };
        assert!(may_leave(&group("session-1.scope", "max\n")));
        assert!(!may_leave(&group("run-1.scope", "419430400\n")));
        assert!(!may_leave(&group("ssh.service", "max\n")));
        assert!(!may_leave(&tree.path().join("unknown.scope")));
    }

    #[test]
    fn systemd_that_made_the_unit_is_asked() {
        let asked =
            |group: &'static str| question(Path::new(group)).map(|words| (words[0], words[5]));
        let slice = "/t/user.slice/user-7.slice/user@7.service";
        assert_eq!(asked("/t/system.slice/one.service/inner"), Some(("--system", "one.service")));
        assert_eq!(question(Path::new(slice)).map(|words| words[0]), Some("--system"));
        assert_eq!(
            asked("/t/user.slice/user-7.slice/user@7.service/app.slice/run-1.scope"),
            Some(("--user", "run-1.scope"))
        );
        assert_eq!(asked("/t/docker/0123"), None);
    }

    #[test]
    fn delegated_unit_is_known() {
        assert!(is_yes("LoadState=loaded\nDelegate=yes\n"));
        for answer in ["", "LoadState=loaded\nDelegate=no\n", "LoadState=not-found\nDelegate=yes\n"]
        {
            assert!(!is_yes(answer), "{answer}");
        }
    }

    fn requested(group: &str, is_root: bool) -> String {
        let words = request("a.scope", Path::new(group), is_root).join(" ");
        words.replace(&std::process::id().to_string(), "PID")
    }

    #[test]
    fn roots_scope_is_in_the_slice_of_the_group_that_it_leaves() {
        let slice = "/t/user.slice/user-7.slice";
        let properties = "a.scope fail 3 PIDs au 1 PID Delegate b true Slice s user-7.slice 0";
        for group in ["session-3.scope", "user@7.service/app.slice/run-1.scope"] {
            let said = requested(&format!("{slice}/{group}"), true);
            assert!(said.starts_with("--system call ") && said.ends_with(properties), "{said}");
        }
    }

    #[test]
    fn user_asks_the_users_own_systemd() {
        let said = requested("/t/user.slice/user-7.slice/session-3.scope", false);
        let properties = "a.scope fail 2 PIDs au 1 PID Delegate b true 0";
        assert!(said.starts_with("--user call ") && said.ends_with(properties), "{said}");
    }
}
