//! Settings of a host that forbid a sandbox's namespaces, and ways to allow them.

use std::fs;
use std::path::Path;

/// Parts of the runner's message when the kernel does not let it make a sandbox. When the limit of
/// namespaces is reached, the kernel reports a lack of space.
const DENIALS: [&str; 4] =
    ["Operation not permitted", "Permission denied", "make namespaces: ENOSPC", "Landlock"];
/// Files that container engines put into their containers.
const CONTAINER_MARKS: [&str; 2] = [".dockerenv", "run/.containerenv"];
/// Options that a container must be started with.
const IN_CONTAINER: &str = "this is a container: start it with `--privileged`, or with `--cap-add SYS_ADMIN \
     --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt \
     systempaths=unconfined`";

/// A setting of the kernel that can forbid user namespaces.
struct Setting {
    name: &'static str,
    forbids: &'static str,
    allows: &'static str,
    /// Other ways to allow user namespaces, as the end of a sentence.
    or: &'static str,
    /// Whether the setting forbids user namespaces to root too.
    root: bool,
}

const SETTINGS: [Setting; 3] = [
    Setting { name: "user.max_user_namespaces", forbids: "0", allows: "15000", or: "", root: true },
    Setting {
        name: "kernel.unprivileged_userns_clone",
        forbids: "0",
        allows: "1",
        or: "",
        root: false,
    },
    Setting {
        name: "kernel.apparmor_restrict_unprivileged_userns",
        forbids: "1",
        allows: "0",
        or: " for every program, and the AppArmor profile of docs/hosts.md for swiftprof alone",
        root: false,
    },
];

impl Setting {
    fn forbids(&self, host: &Path, is_root: bool) -> bool {
        let file = host.join("proc/sys").join(self.name.replace('.', "/"));
        let is_set = fs::read_to_string(file).is_ok_and(|text| text.trim() == self.forbids);
        is_set && (self.root || !is_root)
    }
}

/// Returns a runner's last error message. If the kernel denied the runner something, adds what
/// forbids this on the host whose root folder is `host`, and ways to allow it.
pub(super) fn explain(words: &str, host: &Path, is_root: bool) -> String {
    // The launcher's line follows, and says only that the sandbox has ended.
    let cause = words.lines().next().unwrap_or_default();
    if !DENIALS.iter().any(|denial| cause.contains(denial)) {
        return words.into();
    }
    let forbidding = || SETTINGS.iter().filter(|setting| setting.forbids(host, is_root));
    let settings = forbidding().map(|Setting { name, forbids, allows, or, .. }| {
        format!(
            "{name} is {forbids}, which forbids it; `sudo sysctl -w {name}={allows}` allows it{or}"
        )
    });
    let in_container = CONTAINER_MARKS.iter().any(|mark| host.join(mark).exists());
    let container = in_container.then(|| IN_CONTAINER.to_owned());
    let as_root = !is_root && !in_container && forbidding().all(|setting| !setting.root);
    let elsewhere = if as_root { "as root or with" } else { "with" };
    let elsewhere = format!("{elsewhere} `--backend docker` it may work");
    let advice = settings.chain(container).chain([elsewhere]);
    [cause.to_owned()].into_iter().chain(advice).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const EPERM: &str = "swiftprof-runner: make namespaces: EPERM: Operation not permitted";
    const ENOSPC: &str = "swiftprof-runner: make namespaces: ENOSPC: No space left on device";
    /// AppArmor lets the namespaces be made, and then denies what a sandbox does in them.
    const MAPS: &str =
        "swiftprof-runner: map the sandbox's ids: Operation not permitted (os error 1)";

    const PROC: &str = "swiftprof-runner: mount /proc: EPERM: Operation not permitted\n\
                        swiftprof-runner: sandbox: Exited(Pid(7), 1)";

    /// A host on which nothing forbids namespaces, changed by `changes`.
    fn host(changes: &[(&str, &str)]) -> TempDir {
        let allowing = [
            ("proc/sys/user/max_user_namespaces", "15000\n"),
            ("proc/sys/kernel/unprivileged_userns_clone", "1\n"),
            ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0\n"),
        ];
        let root = tempfile::tempdir().unwrap();
        for (path, text) in allowing.iter().chain(changes) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    /// Returns the text that follows the runner's first line.
    fn advice(words: &str, changes: &[(&str, &str)], is_root: bool) -> String {
        let said = explain(words, host(changes).path(), is_root);
        said.strip_prefix(words.lines().next().unwrap()).unwrap().into()
    }

    #[test]
    fn setting_that_forbids_is_named_with_the_command_that_allows() {
        let clone = ("proc/sys/kernel/unprivileged_userns_clone", "0\n");
        assert_eq!(
            advice(EPERM, &[clone], false),
            "; kernel.unprivileged_userns_clone is 0, which forbids it; `sudo sysctl -w \
             kernel.unprivileged_userns_clone=1` allows it; as root or with `--backend \
             docker` it may work"
        );
        let apparmor = ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
        assert_eq!(
            advice(MAPS, &[apparmor], false),
            "; kernel.apparmor_restrict_unprivileged_userns is 1, which forbids it; `sudo sysctl \
             -w kernel.apparmor_restrict_unprivileged_userns=0` allows it for every program, and the \
             AppArmor profile of docs/hosts.md for swiftprof alone; as root or with `--backend docker` it may work"
        );
    }

    #[test]
    fn limit_of_namespaces_holds_for_root_too() {
        let none = ("proc/sys/user/max_user_namespaces", "0\n");
        for is_root in [false, true] {
            assert_eq!(
                advice(ENOSPC, &[none], is_root),
                "; user.max_user_namespaces is 0, which forbids it; `sudo sysctl -w \
                 user.max_user_namespaces=15000` allows it; with `--backend docker` it may work"
            );
        }
    }

    #[test]
    fn settings_for_ordinary_users_do_not_forbid_root_anything() {
        let clone = ("proc/sys/kernel/unprivileged_userns_clone", "0\n");
        assert_eq!(advice(EPERM, &[clone], true), "; with `--backend docker` it may work");
    }

    #[test]
    fn container_needs_flags() {
        for mark in CONTAINER_MARKS {
            assert_eq!(
                advice(PROC, &[(mark, "")], true),
                format!("; {IN_CONTAINER}; with `--backend docker` it may work")
            );
        }
    }

    #[test]
    fn kernel_without_landlock_may_do_for_root() {
        let said = "swiftprof-runner: restrict the program's files: this kernel does not use \
                    Landlock";
        assert_eq!(advice(said, &[], false), "; as root or with `--backend docker` it may work");
    }

    #[test]
    fn other_failures_are_not_explained() {
        let none = ("proc/sys/user/max_user_namespaces", "0\n");
        assert_eq!(
            advice("swiftprof-runner: pipe: EMFILE: Too many open files", &[none], false),
            ""
        );
    }
}
