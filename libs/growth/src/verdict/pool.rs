//! Combines the class probabilities of several signals, each by its trust.

use crate::class::Class;
use crate::constants::{CLEARLY_FASTER, COUNTS_MISS, Trust};
use crate::fitting::model::FigureModel;
use crate::probability::normalise;

/// Class probabilities combined from several signals.
pub(crate) struct Pool {
    pub(crate) prior: Vec<f64>,
    logs: Vec<f64>,
    /// Factor of every power of trust.
    factor: f64,
}

impl Pool {
    pub(crate) fn new(model: &FigureModel) -> Self {
        let mut prior: Vec<f64> = Class::all().map(model.prior).collect();
        normalise(&mut prior);
        let logs = prior.iter().map(|p| p.ln()).collect();
        Self { logs, prior, factor: model.tuning.trust }
    }

    pub(crate) fn add(&mut self, classes: &[f64], trust: Trust) {
        for ((log, prior), p) in self.logs.iter_mut().zip(&self.prior).zip(classes) {
            let believed = (1.0 - trust.doubt) * p + trust.doubt * prior;
            *log += self.factor * trust.power * (believed / prior).ln();
        }
    }

    pub(crate) fn classes(&self) -> Vec<f64> {
        let top = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut classes: Vec<f64> = self.logs.iter().map(|log| (log - top).exp()).collect();
        normalise(&mut classes);
        classes
    }
}

/// Probability that counts miss what takes the time: time clearly grows faster than counts do, and
/// no class explains both.
pub(crate) fn missed(prior: &[f64], counted: &[f64], time: &[f64]) -> f64 {
    let ranks: Vec<f64> = Class::all().map(Class::rank).collect();
    let both: f64 = (0..prior.len()).map(|index| time[index] * counted[index] / prior[index]).sum();
    let slower = |rank: f64| -> f64 {
        let slow = ranks.iter().zip(counted).filter(|(r, _)| **r <= rank - CLEARLY_FASTER);
        slow.map(|(_, p)| p).sum()
    };
    let apart: f64 = ranks.iter().zip(time).map(|(&rank, p)| p * slower(rank)).sum();
    COUNTS_MISS * apart / (COUNTS_MISS * apart + (1.0 - COUNTS_MISS) * both).max(f64::MIN_POSITIVE)
}
