//! Allocations of the sample.

use profiler_proto::v1;

const ELEMENTS: u64 = 3000;

pub(super) fn allocations() -> v1::AllocationReport {
    let frame = |function: &str, line| v1::AllocationFrame {
        function: function.into(),
        file: "main.cpp".into(),
        line,
    };
    let library = |function: &str| v1::AllocationFrame {
        function: function.into(),
        file: "/usr/include/c++/12/bits/stl_vector.h".into(),
        line: 1281,
    };
    let lost = |bytes: u64| {
        let kind = v1::LeftKind::Lost.into();
        let lost = (bytes > 0).then_some(v1::LeftBlocks { kind, blocks: 2, bytes });
        lost.into_iter().collect()
    };
    let site = |trace: Vec<v1::AllocationFrame>, allocations, allocated, peak, lost_bytes| {
        v1::AllocationSite {
            trace,
            allocations,
            allocated_bytes: allocated,
            peak_bytes: peak,
            left: lost(lost_bytes),
        }
    };
    let mut heap = Heap::default();
    let mut size = 4;
    let mut numbers = heap.take(0, size, "new");
    for _ in 0..ELEMENTS.ilog2() {
        size *= 2;
        let larger = heap.take(0, size, "new");
        heap.give(numbers);
        numbers = larger;
    }
    let mut buckets = heap.take(2, 104, "new");
    let mut nodes = Vec::new();
    for at in 0..ELEMENTS {
        nodes.push(heap.take(1, 24, "new"));
        if at.is_power_of_two() && at > 16 {
            let larger = heap.take(2, at * 16, "new");
            heap.give(buckets);
            buckets = larger;
        }
    }
    for node in nodes {
        heap.give(node);
    }
    heap.give(buckets);
    heap.take(3, 24, "new");
    heap.take(3, ELEMENTS * 4, "new");
    heap.now_ns += 900_000;
    heap.give(numbers);
    let peak = heap.snapshots.iter().max_by_key(|snapshot| snapshot.live_bytes).copied().unwrap();
    v1::AllocationReport {
        size: 200_000,
        candidate: 1,
        allocations: heap.events.iter().filter(|event| event.bytes > 0).count() as u64,
        frees: heap.events.iter().filter(|event| event.bytes == 0).count() as u64,
        allocated_bytes: heap.events.iter().map(|event| event.bytes).sum(),
        peak_bytes: peak.live_bytes,
        peak_ms: peak.time_ms,
        left: lost(24 + ELEMENTS * 4),
        sites: vec![
            site(
                vec![
                    library("operator new(unsigned long)"),
                    library("std::vector<unsigned int>::_M_realloc_insert"),
                    frame("read(unsigned long)", 16),
                    frame("main", 53),
                ],
                12,
                32_760,
                16_384,
                0,
            ),
            site(
                vec![
                    library("operator new(unsigned long)"),
                    library("std::_Hashtable::try_emplace"),
                    frame("pairs(Numbers const&, unsigned long)", 42),
                    frame("main", 54),
                ],
                ELEMENTS,
                ELEMENTS * 24,
                ELEMENTS * 24,
                0,
            ),
            site(
                vec![
                    library("operator new(unsigned long)"),
                    library("std::_Hashtable::_M_rehash"),
                    frame("pairs(Numbers const&, unsigned long)", 42),
                    frame("main", 54),
                ],
                9,
                65_000,
                32_768,
                0,
            ),
            site(
                vec![library("operator new(unsigned long)"), frame("main", 55)],
                2,
                24 + ELEMENTS * 4,
                0,
                24 + ELEMENTS * 4,
            ),
        ],
        snapshots: heap.snapshots,
        events: heap.events,
        events_dropped: 0,
        method: "every call of malloc and its kin, in a run of its own".into(),
    }
}

/// A bump allocator that writes down what it is asked.
#[derive(Default)]
struct Heap {
    now_ns: u64,
    top: u64,
    live: u64,
    events: Vec<v1::AllocationEvent>,
    snapshots: Vec<v1::AllocationSnapshot>,
}

impl Heap {
    fn take(&mut self, site: u32, bytes: u64, function: &str) -> (u64, u64, u32) {
        let address = 0x5555_5555_0000 + self.top;
        self.top += (bytes + 24) / 16 * 16;
        self.live += bytes;
        self.note(v1::AllocationEvent {
            time_ns: 0,
            function: function.into(),
            address,
            bytes,
            site,
        });
        (address, bytes, site)
    }

    fn give(&mut self, (address, bytes, site): (u64, u64, u32)) {
        self.live -= bytes;
        self.note(v1::AllocationEvent {
            time_ns: 0,
            function: "free".into(),
            address,
            bytes: 0,
            site,
        });
    }

    fn note(&mut self, event: v1::AllocationEvent) {
        self.now_ns += 310;
        self.events.push(v1::AllocationEvent { time_ns: self.now_ns, ..event });
        let time_ms = self.now_ns as f64 / 1e6;
        self.snapshots.push(v1::AllocationSnapshot {
            time_ms,
            live_bytes: self.live,
            live_blocks: 0,
        });
    }
}
