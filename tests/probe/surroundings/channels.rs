//! Bits that a run passes on to a later one. `channels.cpp` moves a counter in one run, and reads
//! it in a later run, in the same sandbox and in others. What comes through is compared with what
//! the security model says.

use super::{Cells, Seen, listed, number, said};
use crate::subject::{Flavour, Subject};
use std::collections::BTreeSet;

/// The program.
const PROGRAM: &str = "surroundings/channels";
/// Number of other sandboxes that read.
const SANDBOXES: usize = 3;
/// Bits that a faster host adds. It moves a counter four times as far as the host on which the
/// page's numbers were measured.
const FASTER_BITS: u32 = 2;
/// Makes the program print where the counters are.
const READ: &str = "read";

/// A row of the page, and its counter.
struct Channel {
    row: &'static str,
    /// Its key in `channels.cpp`.
    counter: &'static str,
    /// Present if all sandboxes of the host share the counter.
    shared: Option<Shared>,
    /// Whether some kernels lack the counter or do not move it.
    may_rest: bool,
}

/// The number by which the runner moves a shared counter before the first run of a sandbox.
struct Shared {
    /// The least number that it never is, as in the runner's `host_counters.rs`.
    below: u64,
    /// The least distance from the run before, in one of [`SANDBOXES`]. Without the runner's
    /// number, each is nearer. With it, all are nearer in one of 10,000 tests.
    far: u64,
}

const fn own(row: &'static str, counter: &'static str) -> Channel {
    Channel { row, counter, shared: None, may_rest: false }
}

const fn shared(row: &'static str, counter: &'static str, below: u64, far: u64) -> Channel {
    Channel { shared: Some(Shared { below, far }), ..own(row, counter) }
}

const CHANNELS: [Channel; 7] = [
    // Without a cgroup, such mappings are refused.
    Channel { may_rest: true, ..own("inode numbers of shared mappings", "mapping") },
    shared("inode numbers of pipes", "pipe", 1 << 10, 32),
    // Since Linux 6.9.
    Channel {
        may_rest: true,
        ..shared("inode numbers of process descriptors", "process", 1 << 6, 5)
    },
    Channel { may_rest: true, ..shared("the number of its autogroup", "autogroup", 1 << 6, 5) },
    own("inode numbers of new files", "file"),
    // Since Linux 6.6.
    Channel { may_rest: true, ..own("places of new files in their folder", "place") },
    own("process ids", "pid"),
];

/// Rows whose bits no test can read back, each with the reason.
const UNREAD: [(&str, &str); 4] = [
    ("the runner's processor time", "on a busy host, every clean-up takes another time"),
    ("figures of the machine", "every process of a busy host changes load and free memory"),
    ("its own use of memory and processors", "each kernel marks pages by rules of its own"),
    ("the runner and the host", "the host's processes are in it, and the counters above"),
];

/// Writes and reads each counter.
pub(crate) async fn hold(subject: &mut Subject, flavour: Flavour) {
    subject.compile(PROGRAM).await;
    let mut others = Vec::new();
    for _ in 0..SANDBOXES {
        others.push(subject.another(flavour).await);
    }
    let mut firsts = vec![said(subject, READ).await];
    for other in &mut others {
        firsts.push(said(other, READ).await);
    }
    are_far(&firsts);
    let page = listed();
    for channel in &CHANNELS {
        let cells = cells(&page, channel.row);
        if !cells[1].contains("Docker") || matches!(flavour, Flavour::Docker) {
            carries(subject, &mut others[0], channel, &cells[2]).await;
        }
    }
    for other in others {
        other.end().await;
    }
}

/// The security model has each row, and no other row has bits.
pub(crate) fn are_documented() {
    let page = listed();
    let with_bits = page.iter().filter(|cells| cells[2].contains(" bit"));
    let with_bits: BTreeSet<&str> = with_bits.map(|cells| cells[0].as_str()).collect();
    let unread = UNREAD.iter().map(|(row, _)| *row);
    let named: BTreeSet<&str> = CHANNELS.iter().map(|it| it.row).chain(unread).collect();
    assert_eq!(with_bits, named);
    for channel in &CHANNELS {
        assert!(bits(&cells(&page, channel.row)[2]).is_some(), "{}", channel.row);
    }
}

/// Checks that the runner moves the shared counters before the first run of a sandbox.
fn are_far(firsts: &[Seen]) {
    for Channel { row, counter, shared, may_rest } in &CHANNELS {
        let Some(Shared { far, .. }) = shared else { continue };
        let at: Vec<u64> = firsts.iter().filter_map(|seen| number(seen, counter)).collect();
        let farthest = at.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).max();
        let rests = *may_rest && farthest.is_none_or(|farthest| farthest == 0);
        assert!(rests || farthest >= Some(*far), "{row}: {at:?}");
    }
}

/// Writes a counter, and reads it in both sandboxes. `cause` is what the page says of it.
async fn carries(subject: &mut Subject, other: &mut Subject, channel: &Channel, cause: &str) {
    let Channel { row, counter, shared, may_rest } = channel;
    let (page_bits, bits_elsewhere) = bits(cause).expect("the row has bits");
    let Some(before) = read(subject, counter).await else {
        assert!(may_rest, "{row}: there is no {counter}");
        return;
    };
    let below = shared.as_ref().map_or(1, |shared| shared.below);
    // Twice as many as the runner hides, so that a bit comes through.
    let written = said(subject, &format!("write {counter} {}", 2 * below)).await;
    let after = read(subject, counter).await.expect("it was there before");
    if *may_rest && before == after {
        return;
    }
    let [in_time, moves] = ["in_time", "moves"].map(|key| number(&written, key).expect("a number"));
    let most_bits = |below: u64| (in_time / below).checked_ilog2().unwrap_or_default();
    assert!(after >= before + moves, "{row}: {before} and {moves} moves, then {after}");
    assert!(most_bits(1) <= page_bits + FASTER_BITS, "{row}: {in_time} moves, not {cause}");
    if shared.is_some() {
        let elsewhere = read(other, counter).await.expect("every sandbox has it");
        assert!(elsewhere >= after, "{row}: {after}, then {elsewhere} in another sandbox");
        let most = bits_elsewhere + FASTER_BITS;
        assert!(most_bits(below) <= most, "{row}: {in_time} moves, not {cause}");
    }
}

async fn read(subject: &mut Subject, counter: &str) -> Option<u64> {
    number(&said(subject, READ).await, counter)
}

fn cells<'a>(page: &'a [Cells], row: &str) -> &'a Cells {
    page.iter().find(|cells| cells[0] == row).unwrap_or_else(|| panic!("the page lacks {row}"))
}

/// Returns the bits that a row carries to a later run, and to another sandbox: "14 bits, 3 to
/// another sandbox".
fn bits(cause: &str) -> Option<(u32, u32)> {
    let words: Vec<&str> = cause.split([' ', ',', ':']).filter(|word| !word.is_empty()).collect();
    let before = |next: &str| {
        let found = words.windows(2).find(|pair| pair[1] == next && pair[0].parse::<u32>().is_ok());
        found.and_then(|pair| pair[0].parse().ok())
    };
    let all = before("bits")?;
    Some((all, before("to").unwrap_or(all)))
}
