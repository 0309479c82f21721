//! Folders that cannot be written, such as full ones, in the server's own mount namespace.

use crate::scene::{report, works};
use profiler_client::Error;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Served, file};

/// Runs its arguments with full folders for caches and temporary files.
const FULL: &str = r#"
for folder in /var/cache /var/tmp; do
    mount -t tmpfs -o size=64k full "$folder" || exit
    while head -c 4096 /dev/zero; do :; done 2>/dev/null >"$folder/all"
done
export TMPDIR=/var/tmp
exec "$@""#;
/// Runs its arguments where control groups can be seen but not created.
const NO_CONTROL_GROUPS: &str = r#"
folder=/sys/fs/cgroup/memory
[ -d "$folder" ] || folder=/sys/fs/cgroup
mount --bind "$folder" "$folder" && mount -o remount,bind,ro "$folder" && exec "$@""#;
/// A program that exceeds the memory limit.
const EATER: &str = "tests/programs/eats_memory.cpp";
/// Part of the report's sentence about it.
const SAMPLED: &str = "memory is sampled";

async fn served(backend: &str, script: &str) -> Served {
    Served::behind(&["unshare", "--mount", "sh", "-c", script, "sh"], backend, &[]).await
}

pub(crate) async fn is_full(backend: &'static str) {
    let served = served(backend, FULL).await;
    let (job, _) = jobs::computing_ms(10);
    for _ in 0..2 {
        let step = report(&served, job.clone()).await.compile.expect("it was compiled");
        assert!(!step.cached, "where was it kept?");
    }
    assert!(served.stop().await.success());
}

pub(crate) async fn control_groups_cannot_be_made() {
    let served = served("native", NO_CONTROL_GROUPS).await;
    let found = report(&served, jobs::computing_ms(10).0).await;
    let lacking = found.host.expect("a host").not_enforced;
    assert!(lacking.iter().any(|said| said.starts_with(SAMPLED)), "{lacking:?}");
    let mut eater = jobs::job(&std::fs::read_to_string(file(EATER)).expect("a program"));
    eater.input_sizes = vec![1];
    let run = served.client().await.submit(eater).await.expect("accepted");
    let ended = run.wait().await;
    let Err(Error::Sandbox(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.code, "memory", "{}", error.message);
    works(&served).await;
    assert!(served.stop().await.success());
}
