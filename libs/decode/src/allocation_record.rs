//! The file that `hook/allocations.cpp` writes: a header, sites, events, snapshots and the sites'
//! unreachable blocks, all in little-endian words of 8 bytes. The program may have overwritten any
//! of them, so every count and index is checked against the file's size.

use runner_protocol::{
    Blocks, Event, Function, Left, LeftKind, MAX_EVENTS, MAX_FRAMES, MAX_SITES, Record, Site,
    Snapshot, Sums, add_left,
};
use std::cmp::Reverse;

/// The first word of the file. The hook writes to descriptor 3 only if it finds this word there.
pub const MAGIC: u64 = 0x3143_4f4c_4c41_5753;
const WORD_BYTES: usize = 8;
/// The length of the header in words: the sites follow it.
const SITES_AT: usize = 32;
/// Number of sites in the file, which is more than a [`Record`] has.
const FILE_SITES: usize = 4096;
const SITE_WORDS: usize = 8 + MAX_FRAMES;
const EVENT_WORDS: usize = 4;
const FILE_SNAPSHOTS: usize = 196;
const SNAPSHOT_WORDS: usize = 3;
const EVENTS_AT: usize = SITES_AT + FILE_SITES * SITE_WORDS;
const SNAPSHOTS_AT: usize = EVENTS_AT + MAX_EVENTS * EVENT_WORDS;
const LEFT_AT: usize = SNAPSHOTS_AT + FILE_SNAPSHOTS * SNAPSHOT_WORDS;
/// The kinds of a site's unreachable blocks, in the order of the file.
const UNREACHABLE: [LeftKind; 3] =
    [LeftKind::Lost, LeftKind::IndirectlyLost, LeftKind::PossiblyLost];
/// Words for one site's unreachable blocks: the number of blocks of each kind, then their bytes.
const LEFT_WORDS: usize = 2 * UNREACHABLE.len();
/// The length of the file, in bytes.
pub const FILE_BYTES: usize = (LEFT_AT + FILE_SITES * LEFT_WORDS) * WORD_BYTES;

/// Reads the file; `None` if the hook never began to record.
pub fn read(file: &[u8]) -> Option<Record> {
    if file.len() != FILE_BYTES {
        return None;
    }
    let (words, _) = file.as_chunks::<WORD_BYTES>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let [magic, _, begun, rest @ ..] = words.first_chunk::<SITES_AT>()?;
    if (*magic, *begun) != (MAGIC, 1) {
        return None;
    }
    let [allocations, frees, allocated_bytes, rest @ ..] = rest;
    let [left_blocks, left_bytes, peak_bytes, peak_blocks, rest @ ..] = rest;
    let [peak_ns, epoch, untracked, calls, sites, snapshots, _, last_ns, told_apart, ..] = *rest;
    let sums = Sums {
        allocations: *allocations,
        frees: *frees,
        allocated_bytes: *allocated_bytes,
        peak_bytes: *peak_bytes,
        peak_blocks: *peak_blocks,
        peak_ns,
        left_blocks: *left_blocks,
        left_bytes: *left_bytes,
        untracked,
    };
    let mut record = Record { sums, last_ns, ..Record::default() };
    let sites = within(sites, FILE_SITES);
    let unreachable = (told_apart == 1).then(|| &words[LEFT_AT..][..sites * LEFT_WORDS]);
    let sites = &words[SITES_AT..][..sites * SITE_WORDS];
    let places = read_sites(sites, unreachable, epoch, &mut record);
    let kept = within(calls, MAX_EVENTS);
    let events = words[EVENTS_AT..][..kept * EVENT_WORDS].chunks_exact(EVENT_WORDS);
    record.events = events.filter_map(|words| event(words, &places)).collect();
    record.events_dropped = calls.saturating_sub(kept as u64);
    let kept = within(snapshots, FILE_SNAPSHOTS);
    let snapshots = words[SNAPSHOTS_AT..][..kept * SNAPSHOT_WORDS].chunks_exact(SNAPSHOT_WORDS);
    record.snapshots = snapshots.filter_map(snapshot).collect();
    Some(record)
}

fn within(count: u64, most: usize) -> usize {
    usize::try_from(count).map_or(most, |count| count.min(most))
}

/// Reads the sites, and sorts them by their part of the peak, then by lost bytes, then by allocated
/// bytes, the largest first. Returns the index in the record for each site of the file.
fn read_sites(
    words: &[u64],
    unreachable: Option<&[u64]>,
    epoch: u64,
    record: &mut Record,
) -> Vec<u32> {
    let read = |(at, words): (usize, &[u64])| {
        let unreachable = unreachable.map(|all| &all[at * LEFT_WORDS..][..LEFT_WORDS]);
        (at, site(words, unreachable, epoch))
    };
    let mut sites: Vec<(usize, Site)> =
        words.chunks_exact(SITE_WORDS).enumerate().map(read).collect();
    // The file's first site holds the calls without a site of their own: it goes last, together
    // with all sites for which there is no room.
    sites.sort_by_key(|(at, site)| {
        let lost = site.left.get(&LeftKind::Lost).copied().unwrap_or_default();
        (*at == 0, Reverse((site.peak_bytes, lost.bytes, site.allocated_bytes)))
    });
    let mut places = vec![0; sites.len()];
    let mut rest = Site::default();
    for (at, site) in sites {
        if at > 0 && record.sites.len() < MAX_SITES - 1 {
            places[at] = number(record.sites.len());
            record.sites.push(site);
        } else {
            places[at] = u32::MAX;
            add(&mut rest, &site);
        }
    }
    let last = number(record.sites.len());
    places.iter_mut().filter(|place| **place == u32::MAX).for_each(|place| *place = last);
    if rest != Site::default() {
        record.sites.push(rest);
    }
    places
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn add(sum: &mut Site, site: &Site) {
    for (sum, part) in [
        (&mut sum.allocations, site.allocations),
        (&mut sum.allocated_bytes, site.allocated_bytes),
        (&mut sum.peak_bytes, site.peak_bytes),
    ] {
        *sum = sum.saturating_add(part);
    }
    add_left(&mut sum.left, &site.left);
}

/// Reads a site of the file. Its `peak_bytes` is up to date only if the site changed since the last
/// peak.
fn site(words: &[u64], unreachable: Option<&[u64]>, last_epoch: u64) -> Site {
    let [allocations, allocated_bytes, blocks, bytes, peak_bytes, epoch, depth, stream, ..] =
        *words
    else {
        return Site::default();
    };
    let peak_bytes = if epoch == last_epoch { peak_bytes } else { bytes };
    let left = left(Blocks { blocks, bytes }, stream != 0, unreachable);
    // A return address follows the call, which may be the last instruction of its line.
    let frames = words[SITE_WORDS - MAX_FRAMES..].iter().take(within(depth, MAX_FRAMES));
    let trace = Some(frames.map(|address| address.saturating_sub(1)).collect());
    Site { trace, allocations, allocated_bytes, peak_bytes, left }
}

/// Returns a site's blocks that are left, by kind. `unreachable` is absent if the blocks were not
/// classified.
fn left(all: Blocks, for_stream: bool, unreachable: Option<&[u64]>) -> Left {
    let mut left = Left::new();
    let mut rest = all;
    let rest_kind = match unreachable {
        _ if for_stream => LeftKind::StreamBuffer,
        None => LeftKind::Unknown,
        Some(words) => {
            let (blocks, bytes) = words.split_at(UNREACHABLE.len());
            for (kind, (blocks, bytes)) in UNREACHABLE.into_iter().zip(blocks.iter().zip(bytes)) {
                let part =
                    Blocks { blocks: rest.blocks.min(*blocks), bytes: rest.bytes.min(*bytes) };
                rest = Blocks { blocks: rest.blocks - part.blocks, bytes: rest.bytes - part.bytes };
                left.insert(kind, part);
            }
            LeftKind::Reachable
        }
    };
    left.insert(rest_kind, rest);
    left.retain(|_, part| part.blocks > 0);
    left
}

fn event(words: &[u64], places: &[u32]) -> Option<Event> {
    let [time_ns, address, bytes, what] = *words.first_chunk()?;
    let (function, _) = *Function::NAMES.get(usize::try_from(what >> 32).ok()?)?;
    let site = *places.get(usize::try_from(what & u64::from(u32::MAX)).ok()?)?;
    Some(Event { time_ns, function, address, bytes, site })
}

fn snapshot(words: &[u64]) -> Option<Snapshot> {
    let [time_ns, live_bytes, live_blocks] = *words.first_chunk()?;
    Some(Snapshot { time_ns, live_bytes, live_blocks })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full record with these words set.
    fn file(words: &[(usize, u64)]) -> Vec<u8> {
        let mut file = vec![0; FILE_BYTES];
        for &(at, word) in [(0, MAGIC), (2, 1)].iter().chain(words) {
            file[at * WORD_BYTES..][..WORD_BYTES].copy_from_slice(&word.to_le_bytes());
        }
        file
    }

    const CALLS: usize = 13;
    const SITES: usize = 14;

    #[test]
    fn file_that_was_not_begun_is_no_record() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&file(&[])[..FILE_BYTES - 1]), None);
        assert_eq!(read(&file(&[(0, 7)])), None);
        assert_eq!(read(&file(&[(2, 0)])), None);
    }

    #[test]
    fn sums_are_in_the_header() {
        let file = file(&[(3, 5), (4, 4), (5, 100), (6, 1), (7, 20), (8, 60), (12, 2)]);
        let sums = Sums {
            allocations: 5,
            frees: 4,
            allocated_bytes: 100,
            peak_bytes: 60,
            left_blocks: 1,
            left_bytes: 20,
            untracked: 2,
            ..Sums::default()
        };
        assert_eq!(read(&file), Some(Record { sums, ..Record::default() }));
    }

    /// If a site has not changed since the peak, its part of the peak is its live bytes.
    #[test]
    fn largest_part_of_the_peak_comes_first() {
        let second = SITES_AT + SITE_WORDS;
        let third = second + SITE_WORDS;
        let file = file(&[
            (11, 9),
            (SITES, 3),
            (second, 1),
            (second + 3, 50),
            (second + 4, 7),
            (second + 5, 9),
            (second + 6, 1),
            (second + 8, 0x1001),
            (third, 1),
            (third + 3, 8),
            (third + 4, 999),
            (third + 5, 8),
            (CALLS, 1),
            (EVENTS_AT + 3, 1 | 8 << 32),
        ]);
        let record = read(&file).unwrap();
        let sites: Vec<_> = record.sites.iter().map(|s| (s.peak_bytes, s.trace.clone())).collect();
        assert_eq!(sites, [(8, Some(vec![])), (7, Some(vec![0x1000]))]);
        assert_eq!((record.events[0].site, record.events[0].function), (1, Function::New));
    }

    #[test]
    fn blocks_that_are_left_are_of_a_kind() {
        const TOLD_APART: usize = 18;
        let of = SITES_AT + SITE_WORDS;
        let unreachable = LEFT_AT + LEFT_WORDS;
        let blocks = |blocks, bytes| Blocks { blocks, bytes };
        let left = |words: &[(usize, u64)]| {
            let live = [(SITES, 2), (of + 2, 9), (of + 3, 90)];
            let record = read(&file(&[&live[..], words].concat())).unwrap();
            record.sites[0].left.clone().into_iter().collect::<Vec<_>>()
        };
        let lost =
            [(unreachable, 2), (unreachable + 2, 3), (unreachable + 3, 20), (unreachable + 5, 30)];
        assert_eq!(left(&lost), [(LeftKind::Unknown, blocks(9, 90))]);
        let told = [lost.as_slice(), &[(TOLD_APART, 1)]].concat();
        let kinds = [
            (LeftKind::Lost, blocks(2, 20)),
            (LeftKind::PossiblyLost, blocks(3, 30)),
            (LeftKind::Reachable, blocks(4, 40)),
        ];
        assert_eq!(left(&told), kinds);
        let stream = [told.as_slice(), &[(of + 7, 1)]].concat();
        assert_eq!(left(&stream), [(LeftKind::StreamBuffer, blocks(9, 90))]);
        let more = [told.as_slice(), &[(unreachable, 99), (unreachable + 3, 999)]].concat();
        assert_eq!(left(&more), [(LeftKind::Lost, blocks(9, 90))], "never more than are live");
    }

    #[test]
    fn sites_without_room_are_added_up_in_the_last_one() {
        let sites = (0..FILE_SITES).map(|at| (SITES_AT + at * SITE_WORDS, 2));
        let words: Vec<_> = sites.chain([(SITES, FILE_SITES as u64)]).collect();
        let record = read(&file(&words)).unwrap();
        assert_eq!(record.sites.len(), MAX_SITES);
        let calls: u64 = record.sites.iter().map(|site| site.allocations).sum();
        assert_eq!((calls, &record.sites[MAX_SITES - 1].trace), (2 * FILE_SITES as u64, &None));
    }

    #[test]
    fn no_count_leads_out_of_the_file() {
        let file = vec![0xff; FILE_BYTES];
        assert_eq!(read(&file), None);
        let mut file = file;
        file[..WORD_BYTES].copy_from_slice(&MAGIC.to_le_bytes());
        file[2 * WORD_BYTES..][..WORD_BYTES].copy_from_slice(&1_u64.to_le_bytes());
        let record = read(&file).unwrap();
        assert_eq!((record.events.len(), record.snapshots.len()), (0, FILE_SNAPSHOTS));
        assert!(record.sites.len() <= MAX_SITES);
    }
}
