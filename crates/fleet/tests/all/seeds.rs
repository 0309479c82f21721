//! Fleets that fail by seed: gateways, workers and callers over a simulated engine, under tokio's
//! paused clock. The same seed has the same faults; what two members do in the
//! same millisecond can differ. `cargo xtask seeds` runs
//! many seeds, or one again.

mod faults;
mod fleet;
mod gateway;
mod history;
mod process;
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

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// Lets a fleet live in a runtime of its own.
fn try_seed(seed: u64) -> Result<Figures, String> {
    let lived = catch_unwind(AssertUnwindSafe(|| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(live(seed))
    }));
    lived.unwrap_or_else(|_| Err("it panicked".into()))
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
                        Ok(figures) => total.lock().expect("no panic").add(&figures),
                        Err(why) => failed.lock().expect("no panic").push((seed, why)),
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("no panic");
    println!("{count} seeds from {first} in {:.1} s: {total}", begin.elapsed().as_secs_f64());
    let mut failed = failed.into_inner().expect("no panic");
    failed.sort_unstable();
    for (seed, why) in failed.iter().take(3) {
        println!("seed {seed}: {why}\n  replay: cargo xtask seeds --count 1 --seed {seed}");
    }
    assert!(failed.is_empty(), "{} of {count} seeds failed", failed.len());
}
