//! How far signals are believed, and what comes of them together.

use super::class::Class;
use super::model::Model;
use super::posterior::normalise;

/// How far each signal is believed: its evidence is taken to this power, and this part of it is doubted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust {
    power: f64,
    doubt: f64,
}

/// Time where nothing was counted.
pub(super) const TIME_ALONE: Trust = Trust { power: 0.9, doubt: 0.03 };
/// Time beside counts: it adds what counts cannot know.
pub(super) const TIME_BESIDE: Trust = Trust { power: 0.4, doubt: 0.01 };
/// The count of the whole run.
pub(super) const INSTRUCTIONS: Trust = Trust { power: 0.6, doubt: 0.03 };
/// The count of the whole run beside those of lines.
pub(super) const INSTRUCTIONS_BESIDE: Trust = Trust { power: 0.2, doubt: 0.05 };
/// The count of the program's own code.
pub(super) const OWN: Trust = Trust { power: 0.3, doubt: 0.05 };
/// Counts of lines.
pub(super) const LINES: Trust = Trust { power: 0.8, doubt: 0.02 };
/// Probability that counts miss what takes the time: the kernel's work is not counted, and a `rep movs` of the
/// compiler's is one instruction for all its bytes.
const MISSED: f64 = 0.05;
/// By how much the rank of a class must be above another's that time cannot drift to.
const CLEARLY_FASTER: f64 = 0.8;
/// The peak resident set.
pub(super) const RESIDENT: Trust = Trust { power: 0.9, doubt: 0.02 };
/// What else tells of memory, where it grows as well.
pub(super) const MAPPED: Trust = Trust { power: 0.4, doubt: 0.05 };

/// The most that was live on the heap, where that is what became resident.
pub(super) const HEAP: Trust = Trust { power: 0.9, doubt: 0.02 };

/// Probabilities of the classes from several signals.
pub(super) struct Pool {
    pub(super) prior: Vec<f64>,
    logs: Vec<f64>,
}

impl Pool {
    pub(super) fn new(model: &Model) -> Self {
        let mut prior: Vec<f64> = Class::all().map(model.prior).collect();
        normalise(&mut prior);
        Self { logs: prior.iter().map(|p| p.ln()).collect(), prior }
    }

    pub(super) fn add(&mut self, classes: &[f64], trust: Trust) {
        for ((log, prior), p) in self.logs.iter_mut().zip(&self.prior).zip(classes) {
            let believed = (1.0 - trust.doubt) * p + trust.doubt * prior;
            *log += trust.power * (believed / prior).ln();
        }
    }

    pub(super) fn classes(&self) -> Vec<f64> {
        let top = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut classes: Vec<f64> = self.logs.iter().map(|log| (log - top).exp()).collect();
        normalise(&mut classes);
        classes
    }
}

/// How likely counts miss what takes the time: time clearly grows faster than they do, and no class
/// explains both.
pub(super) fn missed(prior: &[f64], counted: &[f64], time: &[f64]) -> f64 {
    let ranks: Vec<f64> = Class::all().map(Class::rank).collect();
    let both: f64 = (0..prior.len()).map(|at| time[at] * counted[at] / prior[at]).sum();
    let slower = |rank: f64| -> f64 {
        let slow = ranks.iter().zip(counted).filter(|(r, _)| **r <= rank - CLEARLY_FASTER);
        slow.map(|(_, p)| p).sum()
    };
    let apart: f64 = ranks.iter().zip(time).map(|(&rank, p)| p * slower(rank)).sum();
    MISSED * apart / (MISSED * apart + (1.0 - MISSED) * both).max(f64::MIN_POSITIVE)
}
