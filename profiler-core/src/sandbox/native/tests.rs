use super::*;
use nix::unistd::geteuid;
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
async fn the_first_sandbox_knows_the_toolchain_of_this_host() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh())).await else { return };
    assert_eq!(sandbox.hello.sources, runner_protocol::SOURCES);
    assert!(sandbox.toolchain.is_some());
    assert_eq!(sandbox.toolchain, native.toolchain().await);
    sandbox.end().await;
}

/// As after an upgrade of g++ while a server is running.
#[tokio::test]
async fn a_sandbox_for_another_toolchain_is_replaced() {
    let Some((native, first)) = native(Native::new(Instance::fresh())).await else { return };
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
async fn precompiling_looks_at_the_toolchain_before_the_first_sandbox() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh())).await else { return };
    native.toolchain.send_replace(None);
    native.precompile(|_| {}).await;
    assert_eq!(native.toolchain.borrow().clone().map(|now| now.identity), sandbox.toolchain);
    sandbox.end().await;
}

#[tokio::test]
async fn an_ordinary_user_learns_what_is_not_enforced() {
    let ordinary = native(Native::as_ordinary_user(ORDINARY_USER, Instance::fresh())).await;
    let Some((native, sandbox)) = ordinary else { return };
    assert_eq!(native.not_enforced(), [ONE_USER, &no_memory_cgroup(NO_ROOT)]);
    assert!(!sandbox.hello.own_user);
    sandbox.end().await;
}

#[tokio::test]
async fn root_with_cgroups_enforces_everything() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh())).await else { return };
    let root = geteuid().is_root();
    let all = root && sandbox.hello.cgroup.is_some();
    assert_eq!((native.not_enforced().is_empty(), sandbox.hello.own_user), (all, root));
    sandbox.end().await;
}

/// As in a privileged container: the hierarchy can be written, and hands no controller on.
#[tokio::test]
async fn root_without_a_memory_cgroup_learns_why() {
    let mounted = tempfile::tempdir().expect("a folder");
    std::fs::write(mounted.path().join("cgroup.controllers"), "memory\n").expect("written");
    let refuses = mounted.path().join("cgroup.subtree_control");
    std::fs::create_dir(&refuses).expect("made");
    let host = Host { mounted: mounted.path().into(), ..Host::this() };
    let made = Native::with_user(None, Instance::fresh(), Some(host));
    let Some((native, sandbox)) = native(made).await else { return };
    if geteuid().is_root() {
        let said = native.not_enforced().join("\n");
        let cause = format!("no memory cgroup here ({}: ", refuses.display());
        assert!(said.contains(&cause) && said.lines().count() == 1, "{said}");
        assert_eq!(sandbox.hello.cgroup, None);
    }
    sandbox.end().await;
    // A sandbox that starts later says what it found then.
    std::fs::remove_file(mounted.path().join("cgroup.controllers")).expect("removed");
    let sandbox = native.start().await.expect("it starts");
    if geteuid().is_root() {
        let said = native.not_enforced().concat();
        assert!(said.contains("no memory cgroup here (no memory controller at "), "{said}");
    }
    sandbox.end().await;
}

/// The memory limit belongs to the cgroup, and both are gone with the sandbox.
#[tokio::test]
async fn a_sandbox_leaves_nothing() {
    let Some((native, sandbox)) = native(Native::new(Instance::fresh())).await else { return };
    let range = native.next_range.load(Ordering::Relaxed);
    let mut lease = native.start_with(None).await.expect("it starts").lease;
    assert_eq!(native.next_range.load(Ordering::Relaxed), range.wrapping_add(1));
    lease.limit_memory(64 << 20).await.expect("limited");
    lease.end().await;
    // Ending it a second time does nothing.
    lease.end().await;
    lease.limit_memory(32 << 20).await.expect("no cgroup is left to be limited");
    sandbox.end().await;
}
