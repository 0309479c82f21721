//! Memory of the host that sandboxes share: what a program in one sandbox writes, a program in
//! another one reads. `neighbours.cpp` writes and reads. Native sandboxes share no files.

use super::{Seen, seen, stop};
use crate::subject::{Flavour, Subject};
use runner_protocol::ask::Repeat;
use runner_protocol::{MAX_STDOUT_HEAD_BYTES, Run};
use std::time::Duration;

/// Time limit of every run.
const TIMEOUT: Duration = Duration::from_secs(8);
/// The host's counters. Linux before 6.9 does not count process descriptors, and a kernel may have
/// no autogroups.
const COUNTERS: [&str; 3] = ["pipe", "process", "autogroup"];
/// Number by which a program moves each counter, as in `neighbours.cpp`.
const MOVES: u64 = 100;
/// A name is remembered if it is looked up this many times as fast as a new one. In a folder of the
/// host it is three times as fast.
const REMEMBERED: u64 = 2;

/// Compares two sandboxes that exist at the same time.
pub(crate) async fn hold(subject: &mut Subject, flavour: Flavour) {
    let mut other = Subject::start(flavour, None).await.expect("a second sandbox starts");
    for sandbox in [&mut *subject, &mut other] {
        sandbox.compile("surroundings/neighbours").await;
    }
    let (before, after) = (said(subject, "counters").await, said(&mut other, "counters").await);
    for counter in COUNTERS {
        let [before, after] = [&before, &after].map(|seen| number(seen, counter));
        if let (Some(before), Some(after)) = (before, after)
            && (counter == COUNTERS[0] || before != after)
        {
            assert!(after >= before + MOVES, "{counter}: {before}, then {after}");
        }
    }
    let [ours, theirs] = [said(subject, "files").await, said(&mut other, "files").await];
    let key = format!("names {}", std::process::id());
    said(subject, &key).await;
    let times = said(&mut other, &key.replace("names", "times")).await;
    other.end().await;
    if matches!(flavour, Flavour::Docker) {
        return;
    }
    assert!(ours.contains_key("/usr") && ours.keys().eq(theirs.keys()), "{ours:?}, {theirs:?}");
    for (path, device) in &ours {
        assert_ne!(Some(device), theirs.get(path), "both sandboxes have {path}");
    }
    let [known, new] = ["known", "new"].map(|key| number(&times, key).expect("a time"));
    assert!(known * REMEMBERED > new, "{known} ns for a name that another sandbox knows, {new} ns");
}

/// Returns the figures that the program prints when it does `what`.
async fn said(subject: &mut Subject, what: &str) -> Seen {
    let run = subject.run(what, TIMEOUT).await;
    let run = Run { stdout_head: MAX_STDOUT_HEAD_BYTES, stop: stop(1), ..run };
    let batch = subject.ask(Repeat(run)).await;
    assert!(batch.repetitions.iter().all(|run| run.ending.is_success()), "{batch:?}");
    seen(&batch.written.stdout_head)
}

fn number(seen: &Seen, key: &str) -> Option<u64> {
    seen.get(key)?.first()?.parse().ok()
}
