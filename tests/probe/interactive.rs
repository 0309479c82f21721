//! An interactive run, requested over the frames.

use crate::subject::Subject;
use profiler_core::build::CompileLimits;
use profiler_core::job::DEFAULT_FLAGS;
use runner_protocol::ask::Repeat;
use runner_protocol::{Budget, Compile, File, Run, Stop, Variant};
use std::time::{Duration, Instant};

/// Long before any limit.
const SHORT: Duration = Duration::from_millis(200);
/// Longer than a test takes.
const LONG: Duration = Duration::from_secs(30);
/// A program that waits for ever.
const WAITS: &str = "#include <unistd.h>\nint main() { for (;;) pause(); }\n";

/// A second request ends an interactive run under way, and the runner too.
pub(crate) async fn stops(subject: &mut Subject) {
    for (file, variant) in [(File::Source, Variant::Plain), (File::Interactor, Variant::Interactor)]
    {
        subject.put(file, WAITS.as_bytes()).await;
        let flags = DEFAULT_FLAGS.map(String::from).into();
        let limits = CompileLimits::default().for_runner();
        let request = Compile { variant, flags, limits, may_use_header: true };
        let compiled = subject.ask(request).await;
        assert!(compiled.binary.is_some(), "{compiled:?}");
    }
    let run = subject.run("", LONG).await;
    let stop = Stop { least: 1, most: 1, precision_ppm: 0, budget: Budget::Whole(0) };
    let request = Repeat(Run { interactor: Some(run.limits), stop, ..run });
    let begun = Instant::now();
    assert!(subject.is_stopped(request, SHORT).await);
    assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
}
