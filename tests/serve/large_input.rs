//! An input of a hundred megabytes costs the server no memory, because the sandbox generates it.

use profiler_client::spec::{Spec, array};
use profiler_proto::v1::Job;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;

/// Ten million numbers of at most nine digits and a space.
const MANY: u64 = 10_000_000;
/// The least length of that input, in bytes.
const LONG_BYTES: u64 = 90_000_000;
/// The most that the server may have resident, in KiB: far less than the input. A debug build takes
/// up to 50 MiB by itself, most of it code.
const LITTLE_KB: u64 = 64 << 10;

pub(crate) async fn a_large_input_is_not_in_the_server(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
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
    let peak_kb = served.peak_kb();
    println!("{backend}: the server's peak: {peak_kb} KiB, of an input of {length:?} bytes");
    assert!(peak_kb < LITTLE_KB, "{peak_kb} KiB");
    assert!(served.stop().await.success());
}
