//! Fleets that fail by seed: gateways, workers and callers over a simulated engine, under tokio's
//! paused clock. The same seed has the same history. `cargo xtask seeds` runs many seeds, or one
//! again.

mod faults;
mod fleet;
mod gateway;
mod history;
mod presence;
pub(crate) mod process;
mod worker;

use fleet::live;
use history::Figures;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

/// Environment variables of `cargo xtask seeds`: the number of seeds, and the first one.
const COUNT: &str = "PROFILER_SEEDS";
const FIRST: &str = "PROFILER_SEED";
/// Number of seeds without the variable.
const FEW: u64 = 200;
/// Number of failures that are told.
const MAX_TOLD: usize = 20;
/// Number of seeds that live twice.
const REPLAYED: u64 = 12;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// Lets a fleet live in a runtime of its own, and returns its history too.
fn try_seed(seed: u64) -> (Result<Figures, String>, Vec<String>) {
    let lived = catch_unwind(AssertUnwindSafe(|| {
        // The pauses of a process that waits for the engine come from this generator.
        fastrand::seed(seed);
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(live(seed))
    }));
    lived.unwrap_or_else(|_| (Err("it panicked".into()), Vec::new()))
}

#[test]
fn fleet_keeps_its_promises() {
    let (first, count) = (number(FIRST).unwrap_or(1), number(COUNT).unwrap_or(FEW));
    let (next, total) = (AtomicU64::new(first), Mutex::new(Figures::default()));
    let (failed, begin) = (Mutex::new(Vec::new()), Instant::now());
    scope(|threads| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            threads.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first.saturating_add(count) {
                        return;
                    }
                    match try_seed(seed) {
                        (Ok(figures), _) => total.lock().expect("no panic").add(&figures),
                        (Err(why), lines) => {
                            let lines = if count == 1 { lines } else { Vec::new() };
                            failed.lock().expect("no panic").push((seed, why, lines));
                        }
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("no panic");
    println!("{count} seeds from {first} in {:.1} s: {total}", begin.elapsed().as_secs_f64());
    let mut failed = failed.into_inner().expect("no panic");
    failed.sort_unstable();
    for (seed, why, lines) in failed.iter().take(MAX_TOLD) {
        for line in lines {
            println!("{line}");
        }
        println!("seed {seed}: {why}\n  replay: cargo xtask seeds --count 1 --seed {seed}");
    }
    assert!(failed.is_empty(), "{} of {count} seeds failed", failed.len());
}

/// The second life has a thread of its own, beside the first ones of other seeds.
#[test]
fn seed_has_the_same_history_again() {
    scope(|threads| {
        for seed in 1..=REPLAYED {
            let again = threads.spawn(move || try_seed(seed).1);
            let (first, again) = (try_seed(seed).1, again.join().expect("no panic"));
            let same = first.iter().zip(&again).take_while(|(first, again)| first == again).count();
            assert!(same > 0, "seed {seed} has a history");
            let differs = (first.get(same), again.get(same));
            assert_eq!(differs, (None, None), "seed {seed}, line {same} of its history");
        }
    });
}
