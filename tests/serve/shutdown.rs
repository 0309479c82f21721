//! Shutdown by SIGTERM and SIGKILL. [`Served::ended`] checks each time that no container and no
//! cgroup of the server is left.

use profiler_client::{Error, Run};
use profiler_tests::jobs;
use profiler_tests::server::PATIENCE;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;
use std::time::{Duration, Instant};
use tokio::net::UnixDatagram;
use tokio::time::timeout;

/// Maximum time from SIGTERM to the end of live runs.
const DRAIN: Duration = Duration::from_secs(1);
/// Maximum further time until the server ends. Both together are less than the default drain limit
/// of 10 s, so a server that ignores [`DRAIN`] fails.
const MARGIN: Duration = Duration::from_secs(8);
/// A running run that ends within any drain limit, but not at once.
const RUNNING_MS: u32 = 100;

/// A server with the drain limit [`DRAIN`].
async fn start_with_drain_limit(backend: &str) -> Served {
    let seconds = DRAIN.as_secs().to_string();
    Served::start(backend, &[("PROFILER_DRAIN_SEC", &seconds)]).await
}

/// Watchdog timeout of systemd for the server, in microseconds.
const WATCHDOG_US: &str = "200000";

/// The status that ends the stream.
async fn status(mut run: Run) -> Error {
    loop {
        match run.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the status is OK"),
            Err(error) => return error,
        }
    }
}

pub(crate) async fn a_running_run_is_finished(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::computing_ms(RUNNING_MS);
    let run = served.client().await.submit(job).await.expect("accepted");
    Program::started(&name).await;
    served.terminate();
    let report = run.wait().await.expect("a report");
    assert_eq!(report.input_sizes, [1]);
    assert!(served.ended().await.success());
}

pub(crate) async fn a_run_that_does_not_end_is_interrupted(backend: &'static str) {
    let served = start_with_drain_limit(backend).await;
    let (job, name) = jobs::endless();
    let run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let asked = Instant::now();
    served.terminate();
    let told = status(run).await;
    assert!(matches!(told, Error::Unavailable { .. }), "{told:?}");
    program.gone().await;
    assert!(served.ended().await.success());
    let took = asked.elapsed();
    println!("{backend}: SIGTERM to exit: {} ms, of which {DRAIN:?} drain", took.as_millis());
    assert!(took < DRAIN + MARGIN, "{took:?}");
}

pub(crate) async fn an_idle_server_leaves_nothing(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    served.until_warm().await;
    assert!(served.stop().await.success());
}

/// SIGTERM arrives before the first sandbox has started.
pub(crate) async fn a_server_asked_at_once_leaves_nothing(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    assert!(served.stop().await.success());
}

/// After SIGKILL only the next server can remove sandboxes, but no program runs until then.
pub(crate) async fn a_server_that_is_killed_leaves_no_program(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let _run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let orphans = served.kill().await;
    program.gone().await;
    let next = Served::start(backend, &[]).await;
    assert_eq!(orphans.left().await, Vec::<String>::new(), "not swept");
    assert!(next.stop().await.success());
}

/// A service of `Type=notify` is ready when callers can connect, and says that it ends.
pub(crate) async fn systemd_is_told(backend: &'static str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify").display().to_string();
    let socket = UnixDatagram::bind(&path).expect("a socket");
    let told = async || {
        let mut message = [0; 256];
        let length = timeout(PATIENCE, socket.recv(&mut message)).await.expect("in time");
        String::from_utf8_lossy(&message[..length.expect("a message")]).trim().to_owned()
    };
    // systemd names the process that it watches.
    let watched = ["sh", "-c", "WATCHDOG_PID=$$ exec \"$@\"", "sh"];
    let settings = [("NOTIFY_SOCKET", path.as_str()), ("WATCHDOG_USEC", WATCHDOG_US)];
    let served = Served::behind(&watched, backend, &settings).await;
    let until = async |expected: &str| {
        loop {
            match told().await.as_str() {
                found if found == expected => return,
                "WATCHDOG=1" => {}
                other => panic!("{other} instead of {expected}"),
            }
        }
    };
    until("READY=1\nSTATUS=serving").await;
    served.client().await.capabilities().await.expect("it serves");
    until("WATCHDOG=1").await;
    served.hang_up();
    let reloading = loop {
        let message = told().await;
        if message != "WATCHDOG=1" {
            break message;
        }
    };
    let time = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").expect("it reloads");
    assert!(time.parse::<u64>().is_ok_and(|micros| micros > 0), "{time}");
    until("READY=1\nSTATUS=serving").await;
    served.terminate();
    until("STOPPING=1").await;
    until("STATUS=draining: 0 runs, at most 10 s").await;
    until("STATUS=closing the connections").await;
    assert!(served.ended().await.success());
}

/// A changed file of settings, and one that cannot be used.
pub(crate) async fn hanging_up_reads_the_settings_again(backend: &'static str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("serve.toml");
    let write = |text: &str| std::fs::write(&file, text).expect("it can be written");
    write("log_level = 'error'");
    let configured = format!("exec \"$@\" --config '{}'", file.display());
    let served = Served::behind(&["sh", "-c", &configured, "sh"], backend, &[]).await;
    write("log_level = 'loud'");
    served.hang_up();
    served.until_logged("the settings stay as they were: cannot read the settings in ").await;
    // This line is below the old level.
    write("log_level = 'info'\nmax_queued = 3");
    served.hang_up();
    served.until_logged("max_queued changes at the next start of the server").await;
    served.until_logged("the settings were read again").await;
    let can = served.client().await.capabilities().await.expect("it serves");
    assert_ne!(can.max_queued, 3);
    assert!(served.stop().await.success());
}

pub(crate) async fn each_step_is_logged_and_a_second_signal_ends_at_once(backend: &'static str) {
    let settings = [("PROFILER_DRAIN_GRACE_SEC", "0.1"), ("PROFILER_DRAIN_SEC", "3600")];
    let served = Served::start(backend, &settings).await;
    let (job, name) = jobs::endless();
    let _run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    served.terminate();
    served
        .until_logged("SIGTERM: health is NOT_SERVING, and runs are accepted for 0.1 s more")
        .await;
    served.until_logged("draining: 1 run, at most 3600 s").await;
    served.terminate();
    served.until_logged("SIGTERM again: ending at once").await;
    program.gone().await;
    assert_eq!(served.exited().await.code(), Some(143));
}
