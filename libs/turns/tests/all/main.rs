//! Guarantees on which callers can rely, whatever the others do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod share;

use profiler_turns::{MAX_ABSENT, Turns};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A service in which some callers always have runs that wait.
struct Service {
    turns: Turns,
    slots: usize,
    clock: Duration,
    /// The callers of the waiting runs, in the order in which they came.
    waiting: Vec<&'static str>,
    /// End, caller and duration of each run.
    running: Vec<(Duration, &'static str, Duration)>,
    given: BTreeMap<&'static str, Duration>,
    starts: Vec<&'static str>,
}

impl Service {
    fn new(slots: usize) -> Self {
        Self {
            turns: Turns::default(),
            slots,
            clock: Duration::ZERO,
            waiting: Vec::new(),
            running: Vec::new(),
            given: BTreeMap::new(),
            starts: Vec::new(),
        }
    }

    fn submit(&mut self, caller: &'static str) {
        self.turns.wait(caller);
        self.waiting.push(caller);
    }

    /// Starts runs while a slot is free. `length` gives the duration of a run of a caller.
    fn fill(&mut self, length: &mut impl FnMut(&str) -> Duration) {
        while self.running.len() < self.slots && !self.waiting.is_empty() {
            let first = self.turns.order(&self.waiting)[0];
            let caller = self.waiting.remove(first);
            self.turns.start(caller);
            self.starts.push(caller);
            let took = length(caller);
            self.running.push((self.clock + took, caller, took));
        }
    }

    /// Ends the run that ends first.
    fn end_next(&mut self) -> &'static str {
        self.running.sort_unstable();
        let (clock, caller, took) = self.running.remove(0);
        self.clock = clock;
        self.turns.end(caller, took);
        *self.given.entry(caller).or_default() += took;
        caller
    }
}

proptest! {
    /// The bound of the papers: if two callers always have waiting runs, their shares differ by at
    /// most the sum of their longest runs, times the number of slots plus one.
    #[test]
    fn shares_converge(
        callers in 2..=5_usize,
        slots in 1..=3_usize,
        lengths in vec(1..1000_u64, 5),
        jitter in vec(1..=100_u64, 40..200),
    ) {
        let mut service = Service::new(slots);
        let names = &NAMES[..callers];
        // Two more than there are slots, so that each always waits.
        for _ in 0..slots + 2 {
            for name in names {
                service.submit(name);
            }
        }
        let mut longest = BTreeMap::<&str, Duration>::new();
        for percent in &jitter {
            let mut length = |caller: &str| {
                let at = NAMES.iter().position(|name| *name == caller).unwrap();
                let took = Duration::from_millis(lengths[at] * percent);
                let most = longest.entry(NAMES[at]).or_default();
                *most = took.max(*most);
                took
            };
            service.fill(&mut length);
            let ended = service.end_next();
            service.submit(ended);
        }
        // A run that has not ended counts with the time that it has used.
        for (end, caller, took) in service.running.clone() {
            let left = end.saturating_sub(service.clock);
            *service.given.entry(caller).or_default() += took.saturating_sub(left);
        }
        let most = names.iter().filter_map(|name| longest.get(name)).max().unwrap();
        let factor = u32::try_from(2 * (slots + 1)).unwrap();
        for one in names {
            for other in names {
                let given = |name: &str| service.given.get(name).copied().unwrap_or_default();
                let ahead = given(one).saturating_sub(given(other));
                prop_assert!(ahead <= *most * factor, "{one} {other}: {ahead:?} of {:?}", service.given);
            }
        }
    }

    /// A newcomer's run starts soon, however many runs the other callers submit.
    #[test]
    fn waiting_run_never_starves(
        lengths in vec(1..100_u64, 4),
        waits in 1..20_usize,
    ) {
        let mut service = Service::new(1);
        for name in &NAMES[..4] {
            (0..waits).for_each(|_| service.submit(name));
        }
        let mut length = |caller: &str| {
            let at = NAMES.iter().position(|name| *name == caller).unwrap();
            Duration::from_millis(lengths.get(at).copied().unwrap_or(1))
        };
        for _ in 0..waits {
            service.fill(&mut length);
            let ended = service.end_next();
            service.submit(ended);
        }
        service.submit("e");
        let before = service.starts.len();
        let clock = service.clock;
        loop {
            service.fill(&mut length);
            if service.starts[before..].contains(&"e") {
                break;
            }
            let ended = service.end_next();
            service.submit(ended);
        }
        // Until then, each of the four others has had at most two more runs.
        let most = Duration::from_millis(*lengths.iter().max().unwrap());
        let waited = service.clock.saturating_sub(clock);
        prop_assert!(waited <= most * 8, "{waited:?}");
    }

    /// The order is a permutation that keeps the order of each caller's own runs.
    #[test]
    fn order_has_every_run_once(callers in vec(0..5_usize, 0..50)) {
        let mut turns = Turns::default();
        let waiting: Vec<&str> = callers.iter().map(|at| NAMES[*at]).collect();
        for name in &waiting {
            turns.wait(name);
        }
        let order = turns.order(&waiting);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..waiting.len()).collect::<Vec<_>>());
        for name in NAMES {
            let own: Vec<_> = order.iter().filter(|at| waiting[**at] == name).collect();
            prop_assert!(own.is_sorted());
        }
    }
}

#[test]
fn caller_with_long_runs_gets_fewer_turns() {
    let mut service = Service::new(1);
    for _ in 0..30 {
        for name in ["long", "short"] {
            service.submit(name);
        }
    }
    let mut length = |caller: &str| Duration::from_secs(if caller == "long" { 9 } else { 1 });
    for _ in 0..20 {
        service.fill(&mut length);
        service.end_next();
    }
    let long = service.starts.iter().filter(|name| **name == "long").count();
    assert_eq!((long, service.starts.len() - long), (2, 18));
}

#[test]
fn turns_are_not_saved_up_while_away() {
    let mut service = Service::new(1);
    service.submit("away");
    let mut length = |_: &str| Duration::from_secs(1);
    service.fill(&mut length);
    for _ in 0..60 {
        service.submit("there");
    }
    for _ in 0..30 {
        service.end_next();
        service.fill(&mut length);
    }
    for _ in 0..10 {
        service.submit("away");
    }
    let before = service.starts.len();
    for _ in 0..10 {
        service.end_next();
        service.fill(&mut length);
    }
    let away = service.starts[before..].iter().filter(|name| **name == "away").count();
    assert!((4..=6).contains(&away), "{:?}", &service.starts[before..]);
}

/// Names are free, so a caller can have as many as it likes.
#[test]
fn memory_is_bounded() {
    let mut turns = Turns::default();
    turns.wait("always");
    for at in 0..MAX_ABSENT + 20 {
        let name = at.to_string();
        turns.wait(&name);
        turns.start(&name);
        turns.end(&name, Duration::from_secs(1));
    }
    assert_eq!(turns.remembered(), MAX_ABSENT + 1);
    turns.leave("always");
    assert_eq!(turns.remembered(), 0, "nobody waits, so nobody is ahead");
}
