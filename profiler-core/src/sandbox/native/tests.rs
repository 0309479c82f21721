use super::*;
use crate::limits::START_TIMEOUT;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};
use profiler_test_support::require::or_skip;

/// The conventional id of the user nobody.
const ORDINARY_USER: u32 = 65_534;

/// Native sandboxes; `None` if this host cannot make them.
async fn native(made: Result<Native, SandboxFault>) -> Option<(Native, Sandbox)> {
    let started = async {
        let native = made?;
        let sandbox = native.start().await?;
        Ok::<_, SandboxFault>((native, sandbox))
    };
    or_skip("native", started.await)
}

#[tokio::test]
async fn first_sandbox_knows_the_toolchain_of_this_host() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh()).await).await else {
        return;
    };
    assert_eq!(sandbox.hello.sources, runner_protocol::SOURCES);
    assert!(sandbox.toolchain.is_some());
    assert_eq!(sandbox.toolchain, native.toolchain().await);
    sandbox.end().await;
}

/// An upgrade of g++ while a server is running has this effect.
#[tokio::test]
async fn sandbox_has_the_toolchain_of_now() {
    let Some((native, first)) = native(Native::new(Instance::fresh()).await).await else { return };
    let old = Toolchain { identity: "sha256:upgraded".into(), header: None };
    native.toolchain.send_replace(Some(old));
    let second = native.start().await.expect("it starts");
    assert_eq!(second.toolchain, first.toolchain);
    let known = native.toolchain.borrow().clone();
    assert_eq!(known.map(|known| known.identity), first.toolchain);
    first.end().await;
    second.end().await;
}

#[tokio::test]
async fn toolchain_is_known_from_the_first_sandbox_on() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh()).await).await else {
        return;
    };
    assert_eq!(native.toolchain.borrow().clone().map(|now| now.identity), sandbox.toolchain);
    sandbox.end().await;
}

#[tokio::test]
async fn ordinary_user_learns_what_is_not_enforced() {
    let user = geteuid().is_root().then_some(ORDINARY_USER);
    let made = Native::with_user(user, Instance::fresh(), None, Settling::MayMove).await;
    let Some((native, sandbox)) = native(made).await else { return };
    assert_eq!(native.not_enforced(), [ONE_USER, &no_memory_cgroup(&no_root().to_string())]);
    assert!(!sandbox.hello.own_user);
    sandbox.end().await;
}

#[tokio::test]
async fn root_with_cgroups_enforces_everything() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh()).await).await else {
        return;
    };
    let root = geteuid().is_root();
    let unbound = native.cgroups.as_ref().and_then(Hierarchy::not_enforced);
    let all = root && sandbox.hello.cgroup.is_some() && unbound.is_none();
    assert_eq!((native.not_enforced().is_empty(), sandbox.hello.own_user), (all, root));
    sandbox.end().await;
}

/// A host with a folder like a hierarchy of version 2, at the root of whose tree root has cgroups.
fn host_of_v2() -> (tempfile::TempDir, Host) {
    let mounted = tempfile::tempdir().expect("a folder");
    for file in ["cgroup.controllers", "cgroup.subtree_control"] {
        std::fs::write(mounted.path().join(file), "memory\n").expect("written");
    }
    let host = Host { mounted: mounted.path().into(), is_root: true, ..Host::this() };
    (mounted, host)
}

/// The hierarchy is writable but hands on no controller, as in a privileged container.
#[tokio::test]
async fn root_without_a_memory_cgroup_learns_why() {
    let (mounted, host) = host_of_v2();
    let refuses = mounted.path().join("cgroup.subtree_control");
    std::fs::remove_file(&refuses).and_then(|()| std::fs::create_dir(&refuses)).expect("made");
    let made = Native::with_user(None, Instance::fresh(), Some(host), Settling::MayMove).await;
    let Some((native, sandbox)) = native(made).await else { return };
    let said = native.not_enforced().join("\n");
    let why = native.memory_cgroup().expect_err("there is none");
    assert!(said.contains(&format!("no memory cgroup here ({why})")), "{said}");
    assert!(why.cause.contains(&format!("{}: ", refuses.display())), "{why}");
    assert_eq!(sandbox.hello.cgroup, None);
    sandbox.end().await;
}

#[tokio::test]
async fn sandbox_that_gets_no_cgroup_says_why() {
    let (mounted, host) = host_of_v2();
    let made = Native::with_user(None, Instance::fresh(), Some(host), Settling::MayMove).await;
    let native = made.expect("the runner is placed");
    let family = native.memory_cgroup().expect("there is one");
    assert!(family.contains("at the root of the tree"), "{family}");
    std::fs::remove_dir_all(mounted.path()).expect("removed");
    assert!(native.create_cgroup().is_none());
    let said = native.not_enforced().concat();
    assert!(said.contains("no memory cgroup here ("), "{said}");
}

#[tokio::test]
async fn limits_a_host_lacks_are_not_enforced() {
    let (_mounted, host) = host_of_v2();
    let made = Native::with_user(None, Instance::fresh(), Some(host), Settling::MayMove).await;
    let native = made.expect("the runner is placed");
    native.no_run_cgroup.send_replace(Some("clone3: EPERM".into()));
    native.no_landlock.store(true, Ordering::Relaxed);
    let said = native.not_enforced().join("\n");
    let unit = "limits of swiftprof's own unit do not bind sandboxes";
    for part in [unit, "Delegate=yes", "EPERM", NO_LANDLOCK] {
        assert!(said.contains(part), "{said}");
    }
}

/// A group that must be emptied first: `doctor` leaves it as it is.
#[tokio::test]
async fn look_at_the_host_moves_no_process() {
    let (mounted, host) = host_of_v2();
    for (file, text) in [("cgroup.type", "domain\n"), ("cgroup.procs", "7\n")] {
        std::fs::write(mounted.path().join(file), text).expect("written");
    }
    let membership = mounted.path().join("membership");
    std::fs::write(&membership, "0::/\n").expect("written");
    let host = Host { membership, ..host };
    let made = Native::with_user(None, Instance::fresh(), Some(host), Settling::LookOnly).await;
    let native = made.expect("the runner is placed");
    assert!(native.create_cgroup().is_none() && !mounted.path().join("supervisor").exists());
    let said = native.memory_cgroup().expect("others get one");
    assert!(said.contains("in the delegated "), "{said}");
}

/// The runner says nothing, and its launcher, to which it is not yet bound, does not end.
#[tokio::test]
async fn runner_that_is_stopped_while_it_starts_is_lost() {
    let mut native = Native::new(Instance::fresh()).await.expect("the runner is placed");
    let folder = tempfile::tempdir().expect("a folder");
    let launcher = folder.path().join("launcher");
    let script = "#!/bin/sh\nsleep 600 &\nkill -STOP $!\necho $! >&2\nwait\n";
    std::fs::write(&launcher, script).expect("written");
    native.runner = File::open(&launcher).expect("opened");
    // The shell opens the script by its descriptor's number, after exec.
    fcntl(&native.runner, FcntlArg::F_SETFD(FdFlag::empty())).expect("kept");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&launcher, mode).expect("made executable");
    let started = timeout(START_TIMEOUT, native.start_with(None)).await.expect("it ends");
    let Err(SandboxFault::Unsupported(said)) = started else { panic!("it started") };
    let number = said.lines().find_map(|line| line.parse().ok()).expect("the runner's number");
    // Without a cgroup, nothing else kills the process.
    let _ = kill(Pid::from_raw(number), Signal::SIGKILL);
}

/// The memory limit belongs to the cgroup, and both are gone with the sandbox.
#[tokio::test]
async fn sandbox_leaves_nothing() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh()).await).await else {
        return;
    };
    let range = native.next_range.load(Ordering::Relaxed);
    let mut lease = native.start_with(None).await.expect("it starts").lease;
    assert_eq!(native.next_range.load(Ordering::Relaxed), range.wrapping_add(1));
    lease.limit_memory(64 << 20).await.expect("limited");
    lease.end().await;
    // Ending the lease a second time does nothing.
    lease.end().await;
    lease.limit_memory(32 << 20).await.expect("no cgroup is left to be limited");
    sandbox.end().await;
}
