use super::*;
use runner_protocol::{Function, Sums};

/// Three addresses, as `addr2line -a -i -f -C` of binutils 2.40 prints them.
const LINES: &str = "\
0x0000000000401000
std::__new_allocator<int>::allocate(unsigned long, void const*)
/usr/include/c++/12/bits/new_allocator.h:137
std::vector<int, std::allocator<int> >::push_back(int&&)
/usr/include/c++/12/bits/stl_vector.h:1287
fill(int)
/tmp/main.cpp:6 (discriminator 2)
0x0000000000401100
main.cold
/tmp/main.cpp:12
0x0000000000401200
??
??:?
";

fn site(trace: Option<Vec<u64>>, peak_bytes: u64) -> Site {
    Site { trace, allocations: 1, peak_bytes, ..Site::default() }
}

fn allocations(sites: Vec<Site>, events: Vec<Event>) -> AllocationReport {
    let record = Record { sites, events, lines: LINES.into(), ..Record::default() };
    published(Point { size: 5, candidate: 0 }, &record, &OwnFiles::default())
}

#[test]
fn copies_of_one_line_are_one_site_and_events_follow() {
    let sites =
        vec![site(Some(vec![]), 5), site(Some(vec![0x40_1100]), 4), site(Some(vec![0x40_1100]), 3)];
    let event = |site| Event { time_ns: 0, function: Function::New, address: 16, bytes: 1, site };
    let told = allocations(sites, vec![event(0), event(2), event(3)]);
    let peaks: Vec<_> = told.sites.iter().map(|s| (s.peak_bytes, s.allocations)).collect();
    assert_eq!(peaks, [(7, 2), (5, 1)]);
    let placed: Vec<_> = told.events.iter().map(|event| event.site).collect();
    assert_eq!(placed, [1, 0], "an event of no site is left out");
}

#[test]
fn peak_is_among_the_snapshots_in_its_place() {
    let snapshot =
        |time_ns, live_bytes| runner_protocol::Snapshot { time_ns, live_bytes, live_blocks: 1 };
    let sums = Sums { peak_bytes: 9, peak_blocks: 1, peak_ns: 2, ..Sums::default() };
    let snapshots = vec![snapshot(1, 3), snapshot(4, 5)];
    let record = Record { sums, snapshots, last_ns: 6, ..Record::default() };
    let told = published(Point { size: 1, candidate: 0 }, &record, &OwnFiles::default());
    let live: Vec<_> = told.snapshots.iter().map(|s| s.live_bytes).collect();
    assert_eq!(live, [3, 9, 5, 0]);
}

#[test]
fn forged_record_is_told_without_harm() {
    let huge = site(Some(vec![u64::MAX; 40]), u64::MAX);
    let sums = Sums { peak_ns: u64::MAX, ..Sums::default() };
    let lines = "0xzz\nf\n0x1\n\n\n0x1\n??".into();
    let record = Record { sums, sites: vec![huge.clone(), huge], lines, ..Record::default() };
    let told = published(Point { size: 1, candidate: 0 }, &record, &OwnFiles::default());
    assert_eq!(told.sites[0].peak_bytes, u64::MAX);
    assert!(told.peak_ms.is_finite());
}
