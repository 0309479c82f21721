//! Disturbances caused by activity on this host between two observations.

use super::disturbance::Disturbance;
use crate::commands::doctor::host::{Interrupts, Root, Ticks};
use std::time::{Duration, Instant};

/// Minimum time between two observations. Over a shorter time, a single tick of 10 ms would be a
/// finding.
pub(in crate::commands::doctor) const INTERVAL: Duration = Duration::from_secs(1);
/// Share of stolen time. Above it, the hypervisor disturbs measurements.
const NOTABLE_STEAL: f64 = 0.001;
/// Device interrupts per second on the measured core. Above this rate they disturb measurements:
/// each takes some microseconds and displaces cache lines.
const NOTABLE_INTERRUPTS: f64 = 100.0;

/// Looks for one disturbance between two observations.
type Check = fn(&Observation, &Observation) -> Option<Disturbance>;

/// Every check of activity.
pub(super) const CHECKS: [Check; 2] = [steal, interrupts];

/// The counters of a host at one moment.
#[derive(Debug)]
pub(in crate::commands::doctor) struct Observation {
    at: Instant,
    ticks: Option<Ticks>,
    /// The measured core and its device interrupts.
    interrupts: Option<(u32, Vec<Interrupts>)>,
}

impl Observation {
    /// Reads the counters now.
    pub(in crate::commands::doctor) fn now(host: &Root) -> Self {
        let core = host.measured_core();
        Self {
            at: Instant::now(),
            ticks: host.ticks(),
            interrupts: core.and_then(|core| Some((core, host.interrupts(core)?))),
        }
    }
}

/// Finds stolen time, since boot or since the first observation.
fn steal(before: &Observation, now: &Observation) -> Option<Disturbance> {
    let (then, now) = (before.ticks?, now.ticks?);
    let since = Ticks {
        all: now.all.saturating_sub(then.all),
        stolen: now.stolen.saturating_sub(then.stolen),
    };
    let [ever, lately] = [now, since].map(|t| t.stolen as f64 / t.all.max(1) as f64);
    (ever > NOTABLE_STEAL || lately > NOTABLE_STEAL).then(|| Disturbance {
        code: "steal",
        found: format!(
            "{:.1} % of the time since boot, {:.1} % just now",
            ever * 100.0,
            lately * 100.0
        ),
        effect: "the hypervisor takes the processor away, which no clock of this machine shows",
        mend: "use a machine or an instance type with dedicated processors".into(),
    })
}

/// Finds device interrupts on the measured core since the first observation.
fn interrupts(before: &Observation, now: &Observation) -> Option<Disturbance> {
    let (_, then) = before.interrupts.as_ref()?;
    let (core, lately) = now.interrupts.as_ref()?;
    let earlier = |line: &Interrupts| {
        then.iter().find(|other| other.number == line.number).map_or(0, |other| other.count)
    };
    let rise = |line: &Interrupts| line.count.saturating_sub(earlier(line));
    let seconds = now.at.duration_since(before.at).as_secs_f64();
    let rate = lately.iter().map(rise).sum::<u64>() as f64 / seconds;
    let busiest = lately.iter().max_by_key(|line| rise(line))?;
    let Interrupts { number, device, .. } = busiest;
    (rate > NOTABLE_INTERRUPTS).then(|| Disturbance {
        code: "interrupts",
        found: format!("{rate:.0} a second on core {core}, most of them {number} ({device})"),
        effect: "device interrupts delay the program, and count as its time",
        mend: format!("stop irqbalance, and echo 0 > /proc/irq/{number}/smp_affinity_list"),
    })
}
