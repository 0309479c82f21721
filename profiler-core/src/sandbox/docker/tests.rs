mod fake_engine;

use super::daemon::{shortened, unreached};
use super::image::{BuildOptions, build, build_on};
use super::*;
use crate::sandbox::Choice;
use bollard::query_parameters::{RemoveImageOptions, TagImageOptionsBuilder};
use fake_engine::FakeEngine;
use profiler_test_support::require::or_skip;
use runner_protocol::SOURCES;
use sandbox_image::{DEFAULT_BASE, DEFAULT_TAG, SECCOMP};

/// A registry that nobody serves.
const NO_BASE: &str = "127.0.0.1:1/none:none";

/// The daemon, if it has the base of the default image.
async fn daemon() -> Option<bollard::Docker> {
    let found = async {
        let daemon = connect(&host()).await?;
        daemon.inspect_image(DEFAULT_BASE).await.map_err(failed("look for the base"))?;
        Ok::<_, SandboxFault>(daemon)
    };
    or_skip("docker", found.await)
}

/// An image with a tag of its own; [`Made::remove`] removes it.
struct Made {
    daemon: bollard::Docker,
    tag: String,
}

impl Made {
    fn of(daemon: &bollard::Docker, test: &str) -> Self {
        let tag = format!("swiftsolve/test-{test}:{}", std::process::id());
        Self { daemon: daemon.clone(), tag }
    }

    async fn remove(self) {
        let removed = self.daemon.remove_image(&self.tag, None::<RemoveImageOptions>, None).await;
        removed.expect("the tag is ours");
    }
}

#[tokio::test]
async fn image_is_made_from_its_base_and_serves() {
    let Some(daemon) = daemon().await else { return };
    let made = Made::of(&daemon, "made");
    assert!(
        matches!(Docker::connect(&made.tag, Instance::fresh()).await, Err(SandboxFault::NoImage(tag)) if tag == made.tag)
    );
    let options = BuildOptions { tag: made.tag.clone(), ..BuildOptions::default() };
    let mut said = Vec::new();
    build(&options, |line| said.push(line.to_owned())).await.expect("built");
    assert!(said.iter().any(|line| line.contains(DEFAULT_BASE)), "{said:#?}");
    assert!(said.iter().all(|line| !line.trim().is_empty()));

    let docker =
        Docker::connect(&made.tag, Instance::fresh()).await.expect("it is there, with this runner");
    assert_eq!(docker.image, made.tag);
    let sandbox = docker.start().await.expect("it starts");
    assert_eq!(sandbox.hello.sources, SOURCES);
    assert!(sandbox.toolchain.is_some());
    assert_eq!(sandbox.toolchain, docker.toolchain().await);
    sandbox.end().await;

    for (choice, why) in [
        (Choice::Docker, None),
        (Choice::Auto, Some(format!("a Docker daemon answers and has {}", made.tag))),
    ] {
        let selected =
            choice.select(&made.tag, Instance::fresh(), |_| {}).await.expect("it is there");
        assert_eq!((selected.backend.name(), selected.reason), ("docker", why));
    }
    made.remove().await;
}

/// The default image can be built without a registry, because its base is there.
#[tokio::test]
async fn base_of_the_default_image_is_found() {
    let Some(_) = daemon().await else { return };
    assert!(image::has_default_base().await);
}

#[tokio::test]
async fn missing_base_is_reported() {
    let Some(daemon) = daemon().await else { return };
    let made = Made::of(&daemon, "no-base");
    let options =
        BuildOptions { base_image: NO_BASE.into(), tag: made.tag, ..BuildOptions::default() };
    let fault = build(&options, |_| {}).await.expect_err("nobody serves it");
    assert!(matches!(fault, SandboxFault::Failed { stage: "build the image", .. }), "{fault}");
    assert!(daemon.inspect_image(&options.tag).await.is_err(), "half an image");
}

/// The base image has no runner.
#[tokio::test]
async fn image_with_another_runner_is_refused_with_the_remedy() {
    let Some(daemon) = daemon().await else { return };
    let made = Made::of(&daemon, "other");
    let (repo, tag) = made.tag.split_once(':').expect("a tag");
    let options = TagImageOptionsBuilder::default().repo(repo).tag(tag).build();
    daemon.tag_image(DEFAULT_BASE, Some(options)).await.expect("tagged");
    match Docker::connect(&made.tag, Instance::fresh()).await.map(|docker| docker.image) {
        Err(SandboxFault::OtherRunner { place, mend }) => {
            assert_eq!((place, mend.contains("swiftprof image build")), (made.tag.clone(), true));
        }
        other => panic!("{other:?}"),
    }
    made.remove().await;
}

#[tokio::test]
async fn container_is_limited_and_gone_with_its_lease() {
    let Some(daemon) = daemon().await else { return };
    let made = Made::of(&daemon, "leased");
    let options = BuildOptions { tag: made.tag.clone(), ..BuildOptions::default() };
    build(&options, |_| {}).await.expect("built");
    let docker = Docker::connect(&made.tag, Instance::fresh()).await.expect("it is there");
    let mut lease = docker.create().await.expect("created");
    let id = lease.name().to_owned();
    lease.limit_memory(64 << 20).await.expect("limited");
    let inspected = daemon.inspect_container(&id, None).await.expect("it is there");
    let limits = inspected.host_config.expect("it has limits");
    assert_eq!((limits.memory, limits.memory_swap), (Some(64 << 20), Some(64 << 20)));
    assert_eq!(limits.network_mode.as_deref(), Some("none"));
    lease.end().await;
    assert!(daemon.inspect_container(&id, None).await.is_err(), "it is left");
    made.remove().await;
}

async fn connect_to(engine: &FakeEngine) -> Result<Docker, SandboxFault> {
    Docker::connect_to(&engine.host, DEFAULT_TAG, Instance::fresh()).await
}

/// Docker takes the profile itself, and all options of a tmpfs.
#[tokio::test]
async fn podman_gets_a_path_and_no_option_that_it_refuses() {
    let engine = FakeEngine::local();
    let podman = connect_to(&engine).await.expect("it answers");
    let said = podman.not_enforced();
    let [files, interactor] = &said[..] else { panic!("{said:?}") };
    assert!(files.starts_with("the number of files in scratch is not limited"), "{files}");
    assert!(interactor.starts_with("an interactor can write to"), "{interactor}");
    podman.create().await.expect("Podman takes it").end().await;
}

#[test]
fn each_engine_masks_the_hosts_files_and_what_dev_remembers() {
    let host = |engine| {
        let body = container::config(DEFAULT_TAG, HashMap::new(), engine, "profile");
        body.host_config.expect("it has one")
    };
    let listed = host(Engine::Docker).masked_paths.expect("Docker takes a list");
    assert!(listed.contains(&"/proc/stat".into()), "{listed:?}");
    let dev = |engine| host(engine).tmpfs.expect("it has some").remove("/dev");
    let options = dev(Engine::Docker).expect("its /dev keeps no access times");
    assert!(options.contains("noatime") && dev(Engine::Podman).is_none(), "{options}");
    let podman = host(Engine::Podman);
    let options = podman.security_opt.expect("it has some");
    let mask = format!("mask={}", listed.join(":"));
    assert!(options.contains(&mask) && podman.masked_paths.is_none(), "{options:?}");
}

#[tokio::test]
async fn podman_of_another_host_is_refused() {
    let engine = FakeEngine::remote().await;
    match connect_to(&engine).await.map(drop) {
        Err(SandboxFault::Unsupported(why)) => {
            assert!(why.starts_with(&format!("Podman at {}: it reads", engine.host)), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn address_of_another_kind_is_refused() {
    match connect("ssh://user@host/run/podman.sock").await.map(drop) {
        Err(SandboxFault::Unsupported(why)) => assert_eq!(
            why,
            "ssh://user@host/run/podman.sock: DOCKER_HOST must begin with unix://, tcp:// or http://"
        ),
        other => panic!("{other:?}"),
    }
}

/// Podman answers in this way if it is given the profile itself.
#[tokio::test]
async fn answer_that_repeats_the_profile_is_shortened() {
    let engine = FakeEngine::local();
    let podman = connect_to(&engine).await.expect("it answers");
    let fault = Docker { engine: Engine::Docker, ..podman }.create().await.map(drop);
    let said = fault.expect_err("refused").to_string();
    let start = "cannot create the container: Docker responded with status code 500: container create: \
                 opening seccomp profile failed: open { ";
    assert!(said.starts_with(start), "{said}");
    assert!(said.ends_with(": File name too long (os error 36)"), "{said}");
    assert!(said.len() < 500 && !said.contains('\n'), "{said}");
}

#[test]
fn short_message_stays() {
    assert_eq!(shortened("no such image:\n  base"), "no such image: base");
    assert!(shortened(SECCOMP).chars().count() < 410);
}

#[tokio::test]
async fn another_base_is_named_without_the_default_one() {
    let engine = FakeEngine::local();
    let daemon = connect(&engine.host).await.expect("it answers");
    let fault = build_on(&daemon, &BuildOptions::default(), |_| {}).await.expect_err("no base");
    assert_eq!(
        fault.to_string(),
        "there is no base image swiftsolve/base:bookworm: name another one, such as `--base-image \
         debian:bookworm-slim`"
    );
}

#[test]
fn socket_that_may_not_be_used_is_told_from_one_that_is_not_there() {
    let failed = |kind: io::ErrorKind| unreached(&io::Error::from(kind));
    let denied = failed(io::ErrorKind::PermissionDenied).to_string();
    let start = "you do not have permission to use the Docker daemon at ";
    let end =
        ": join the group docker (which gives root access to this host), or use a rootless engine";
    assert!(denied.starts_with(start) && denied.ends_with(end), "{denied}");
    let refused = failed(io::ErrorKind::ConnectionRefused).to_string();
    assert!(refused.ends_with("; start one, or set DOCKER_HOST"), "{refused}");
}

#[test]
fn container_without_a_memory_cgroup_is_told_so() {
    let hello = |cgroup, landlock| Hello {
        sources: SOURCES.into(),
        own_user: true,
        cgroup,
        no_run_cgroup: None,
        schedstat: true,
        landlock,
        missing_tools: Vec::new(),
        kernel: String::new(),
        cpu_model: String::new(),
        cpu_flags: String::new(),
        cpus: 1,
    };
    assert!(lacking(&hello(Some(2), true)).is_empty());
    assert_eq!(lacking(&hello(None, true)), [no_memory_cgroup(NO_LIMIT)]);
    assert_eq!(lacking(&hello(None, false)), [NO_LANDLOCK, &no_memory_cgroup(NO_LIMIT)]);
}
