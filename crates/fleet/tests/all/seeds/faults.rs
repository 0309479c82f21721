//! The faults of a fleet.

use crate::seeds::fleet::Members;
use profiler_fleet::simulated::{Faults, Random, SimulatedEngine};
use tokio::time::{Duration, Instant, sleep};

/// Time in which faults begin.
const TROUBLED: Duration = Duration::from_secs(90);
/// Times between faults, in milliseconds.
const BETWEEN_MS: (u64, u64) = (500, 8000);
/// Durations of faults, in milliseconds.
const LASTS_MS: (u64, u64) = (200, 40_000);

/// A fault that begins or ends.
#[derive(Debug, Clone, Copy)]
enum Change {
    EngineDies,
    EngineForgets,
    EngineStarts,
    DiskIs { full: bool },
    Cut(usize, bool),
    Frozen(usize, bool),
    Unreliable(usize, bool),
    Killed(usize),
    Begun(usize),
}

/// Chooses a fault, and returns its begin and its end.
fn choose(random: &mut Random, members: usize) -> (Change, Change) {
    let member = random.below(members);
    match random.below(10) {
        0 => (Change::EngineDies, Change::EngineStarts),
        1 if random.percent(50) => (Change::EngineForgets, Change::EngineStarts),
        1 | 2 => (Change::DiskIs { full: true }, Change::DiskIs { full: false }),
        3 | 4 => (Change::Cut(member, true), Change::Cut(member, false)),
        5 | 6 => (Change::Frozen(member, true), Change::Frozen(member, false)),
        7 | 8 => (Change::Unreliable(member, true), Change::Unreliable(member, false)),
        _ => (Change::Killed(member), Change::Begun(member)),
    }
}

/// Lets things fail for a while, and mends them.
pub(crate) async fn trouble(engine: &SimulatedEngine, members: &mut Members, mut random: Random) {
    let begin = Instant::now();
    let mut plan: Vec<(Duration, Change)> = Vec::new();
    let mut at = random.millis(BETWEEN_MS.0, BETWEEN_MS.1);
    while at < TROUBLED {
        let (fault, end) = choose(&mut random, members.len());
        plan.push((at, fault));
        plan.push((at + random.millis(LASTS_MS.0, LASTS_MS.1), end));
        at += random.millis(BETWEEN_MS.0, BETWEEN_MS.1);
    }
    plan.sort_by_key(|(at, _)| *at);
    for (at, change) in plan {
        sleep((begin + at).saturating_duration_since(Instant::now())).await;
        members.history.get().say(&format!("{change:?}"));
        members.history.get().figures.faults += 1;
        apply(engine, members, change, &mut random);
    }
    engine.restart();
    engine.fill(false);
    members.mend();
    members.history.get().figures.faults /= 2;
    members.history.get().say("everything is whole again");
}

fn apply(engine: &SimulatedEngine, members: &mut Members, change: Change, random: &mut Random) {
    match change {
        Change::EngineDies => engine.kill(),
        Change::EngineForgets => {
            members.history.get().is_amnesiac = true;
            engine.kill();
            engine.forget_jobs();
        }
        Change::EngineStarts => engine.restart(),
        Change::DiskIs { full } => engine.fill(full),
        Change::Cut(member, is_cut) => members.with(member, |it| it.link.cut(is_cut)),
        Change::Frozen(member, is_frozen) => members.with(member, |it| it.freeze(is_frozen)),
        Change::Unreliable(member, true) => {
            let faults = Faults {
                lost: random.below(30),
                unanswered: random.below(30),
                twice: random.below(30),
                slow_ms: random.below(3000) as u64,
            };
            members.with(member, |it| it.link.set_faults(faults));
        }
        Change::Unreliable(member, false) => {
            members.with(member, |it| it.link.set_faults(Faults::default()));
        }
        Change::Killed(member) => members.kill(member),
        Change::Begun(member) => members.begin(member),
    }
}
