//! The listing of gprof, and the output of addr2line for the addresses of a histogram.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_decode::addr2line::OwnFiles;
use profiler_decode::hot_lines::{HotLine, MAX_HOT_LINES, hot_lines};
use runner_protocol::Profile;

/// A sample in the input: the low bytes of its address, and its count.
const SAMPLE_BYTES: usize = 4;

fuzz_target!(|bytes: &[u8]| {
    check(&Profile::Listing(bytes.into()));
    let Some((&count, rest)) = bytes.split_first() else {
        return;
    };
    let (samples, lines) = rest.split_at(rest.len().min(usize::from(count) * SAMPLE_BYTES));
    let samples = samples.chunks_exact(SAMPLE_BYTES).map(|sample| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| sample[at]);
        (u64::from(u16::from_le_bytes([a, b])), u16::from_le_bytes([c, d]))
    });
    check(&Profile::Addresses { samples: samples.collect(), lines: lines.into() });
});

fn check(profile: &Profile) {
    let found = hot_lines(profile, &OwnFiles::default()).expect("there is a profile");
    assert!(found.len() <= MAX_HOT_LINES);
    let ranked = |pair: &[HotLine]| pair[0].self_share >= pair[1].self_share;
    assert!(found.windows(2).all(ranked));
    for line in &found {
        assert!(line.line > 0);
        assert!(line.self_share > 0.0 && line.cumulative_share <= 1.0 + 1e-9, "{found:?}");
    }
}
