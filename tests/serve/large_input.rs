//! An input of a hundred megabytes costs the server no memory, because the sandbox generates it.

use profiler_client::spec::{Spec, array};
use profiler_proto::v1::Job;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;

/// Ten million numbers of at most nine digits and a space.
const MANY: u64 = 10_000_000;
/// The least length of that input, in bytes.
const LONG_BYTES: u64 = 90_000_000;
/// By how much the server's resident set may grow, in KiB: far less than the input. The pages of its
/// code that the job needs are in it.
const LITTLE_KB: u64 = 32 << 10;

pub(crate) async fn a_large_input_is_not_in_the_server(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let idle_kb = served.peak_kb();
    let numbers = Spec::new("numbers").var("a", array("n").between(0, "10^9 - 1"));
    let job = Job {
        input_sizes: vec![MANY],
        input_specs: vec![numbers.line(["n"]).line(["a"]).into()],
        ..jobs::job(include_str!("../programs/reads_numbers.cpp"))
    };
    let run = served.client().await.submit(job).await.expect("accepted");
    let report = run.wait().await.expect("the program ends well");
    let length = report.sizes[0].input_bytes;
    assert!(length > Some(LONG_BYTES), "{length:?}");
    let grown_kb = served.peak_kb() - idle_kb;
    println!("{backend}: the server grew by {grown_kb} KiB, of an input of {length:?} bytes");
    assert!(grown_kb < LITTLE_KB, "{grown_kb} KiB");
    assert!(served.stop().await.success());
}
