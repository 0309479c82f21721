//! Bits that a run passes on to a later one. `channels.cpp` moves a counter in one run, and reads
//! it in a later run, in the same sandbox and in others. What comes through is compared with what
//! the security model says.

use super::{Cells, listed, number, said};
use crate::subject::{Flavour, Subject};
use std::collections::BTreeSet;

/// The program.
const PROGRAM: &str = "surroundings/channels";
/// Number of other sandboxes that read.
const SANDBOXES: usize = 3;
/// Number by which the runner moves the counter of inode numbers at most, as in its
/// `inode_counter.rs`.
const ADVANCE: u64 = 1 << 11;
/// Maximum distance of a counter in the first run of a sandbox from the run before in another one,
/// if the runner does not move it. That it moves it by less than that in each of [`SANDBOXES`] has
/// a probability of one in 32,000.
const NEAR: u64 = 64;
/// Bits that a faster host adds. It moves a counter four times as far as the host on which the
/// page's numbers were measured.
const FASTER_BITS: u32 = 2;
/// The counter that the runner moves.
const PIPE: &str = "pipe";
/// The counter that is a time.
const RUNNER: &str = "runner";

/// A row of the page, and its counter.
struct Channel {
    row: &'static str,
    /// Its key in `channels.cpp`.
    counter: &'static str,
    /// Whether all sandboxes of the host share it.
    is_shared: bool,
    /// Whether some kernels lack the counter or do not move it.
    may_rest: bool,
}

const fn own(row: &'static str, counter: &'static str) -> Channel {
    Channel { row, counter, is_shared: false, may_rest: false }
}

const CHANNELS: [Channel; 7] = [
    // Comes first, because the runner moves the counter before the first run of a sandbox.
    Channel { is_shared: true, ..own("inode numbers of pipes", PIPE) },
    // Since Linux 6.9.
    Channel {
        is_shared: true,
        may_rest: true,
        ..own("inode numbers of process descriptors", "process")
    },
    Channel { is_shared: true, may_rest: true, ..own("the number of its autogroup", "autogroup") },
    own("inode numbers of new files", "file"),
    // Since Linux 6.6.
    Channel { may_rest: true, ..own("places of new files in their folder", "place") },
    own("the runner's processor time", RUNNER),
    own("process ids", "pid"),
];

/// Rows whose bits no test can read back, each with the reason.
const UNREAD: [(&str, &str); 3] = [
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
    let page = listed();
    for channel in &CHANNELS {
        let cells = cells(&page, channel.row);
        if !cells[1].contains("Docker") || matches!(flavour, Flavour::Docker) {
            carries(subject, &mut others, channel, &cells[2]).await;
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

async fn carries(subject: &mut Subject, others: &mut [Subject], channel: &Channel, cause: &str) {
    let (counter, row) = (channel.counter, channel.row);
    let (page_bits, bits_elsewhere) = bits(cause).expect("the row has bits");
    let grain = if counter == PIPE { ADVANCE } else { 1 };
    let Some(before) = read(subject, counter).await else {
        assert!(channel.may_rest, "{row}: there is no {counter}");
        return;
    };
    let written = said(subject, &format!("write {counter} {}", 2 * grain)).await;
    let after = read(subject, counter).await.expect("it was there before");
    if channel.may_rest && before == after {
        return;
    }
    let [in_time, moves] = ["in_time", "moves"].map(|key| number(&written, key).expect("a number"));
    if counter == RUNNER {
        read(subject, counter).await;
        let idle = read(subject, counter).await.expect("it was there before") - after;
        let came = ((after - before) / idle).checked_ilog2().unwrap_or_default();
        assert!((1..=page_bits).contains(&came), "{row}: {came} bits, {before}, {after}, {idle}");
        return;
    }
    assert!(after >= before + moves, "{row}: {before} and {moves} moves, then {after}");
    let most = |grain: u64| (in_time / grain).checked_ilog2().unwrap_or_default();
    assert!(most(1) <= page_bits + FASTER_BITS, "{row}: {in_time} moves in time, {cause}");
    if !channel.is_shared {
        return;
    }
    let (mut last, mut farthest) = (after, 0);
    for other in others {
        let now = read(other, counter).await.expect("every sandbox has it");
        assert!(now >= last, "{row}: {last}, then {now} in another sandbox");
        farthest = farthest.max(now - last);
        last = now;
    }
    assert!(most(grain) <= bits_elsewhere + FASTER_BITS, "{row}: {in_time} moves, {cause}");
    assert!(grain == 1 || farthest >= NEAR, "{row}: no sandbox is more than {farthest} away");
}

async fn read(subject: &mut Subject, counter: &str) -> Option<u64> {
    number(&said(subject, "read").await, counter)
}

fn cells<'a>(page: &'a [Cells], row: &str) -> &'a Cells {
    page.iter().find(|cells| cells[0] == row).unwrap_or_else(|| panic!("the page lacks {row}"))
}

/// Returns the bits that a row carries to a later run, and to another sandbox: "14 bits, 3 of them
/// to another sandbox".
fn bits(cause: &str) -> Option<(u32, u32)> {
    let words: Vec<&str> = cause.split([' ', ',', ':']).filter(|word| !word.is_empty()).collect();
    let before = |next: &str| {
        let found = words.windows(2).find(|pair| pair[1] == next && pair[0].parse::<u32>().is_ok());
        found.and_then(|pair| pair[0].parse().ok())
    };
    let all = before("bits")?;
    Some((all, before("of").unwrap_or(all)))
}
