//! Two servers on one host: one sweeps what a killed server left, and never what the other owns.

use crate::scene::works;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;

/// The living server measures. The killed one's sandboxes only wait, because a small host has one
/// measured core.
pub(crate) async fn a_sweep_spares_the_living_server(backend: &'static str) {
    let (killed, living) = tokio::join!(Served::start(backend, &[]), Served::start(backend, &[]));
    killed.until_warm().await;
    let (job, name) = jobs::endless();
    let run = living.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let kept = living.sandboxes().await;
    let orphans = killed.kill().await;
    let next = Served::start(backend, &[]).await;
    assert_eq!(orphans.left().await, Vec::<String>::new(), "not swept");
    assert_eq!(living.sandboxes().await, kept, "a living server's");
    assert!(program.is_running(), "a living server's");
    drop(run);
    program.gone().await;
    for served in [next, living] {
        works(&served).await;
        assert!(served.stop().await.success());
    }
}
