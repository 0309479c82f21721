//! Combines the class probabilities of several signals, according to the trust in each signal.

use crate::class::Class;
use crate::constants::{
    CLEARLY_FASTER, COUNTS_MISS, TRUST_TIME_ALONE, TRUST_TIME_WITH_COUNTS, Trust,
};
use crate::fitting::model::FigureModel;
use crate::probability::normalise;

/// Class probabilities combined from several signals.
#[derive(Clone)]
pub(crate) struct Pool {
    pub(crate) prior: Vec<f64>,
    logs: Vec<f64>,
    /// Factor of the power in every trust.
    factor: f64,
}

impl Pool {
    pub(crate) fn new(model: &FigureModel) -> Self {
        let mut prior: Vec<f64> = Class::all().map(model.prior).collect();
        normalise(&mut prior);
        Self { logs: logs(&prior), prior, factor: model.tuning.trust }
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

    /// Combines the class probabilities with those of time. If counts miss the work that takes the
    /// time, time alone decides; otherwise counts and time both do. The two results are weighted by
    /// the probability of each case. Also returns the probability that counts miss the work.
    pub(crate) fn with_time(&self, time: &[f64], counted: bool) -> (Vec<f64>, f64) {
        let missed = if counted { missed(&self.prior, &self.classes(), time) } else { 1.0 };
        let mut alone = Self { logs: logs(&self.prior), ..self.clone() };
        alone.add(time, TRUST_TIME_ALONE);
        let mut together = self.clone();
        together.add(time, TRUST_TIME_WITH_COUNTS);
        let both = together.classes().into_iter().zip(alone.classes());
        (both.map(|(p, alone)| (1.0 - missed) * p + missed * alone).collect(), missed)
    }
}

fn logs(prior: &[f64]) -> Vec<f64> {
    prior.iter().map(|p| p.ln()).collect()
}

/// Probability that counts miss the work that takes the time. It is high if time clearly grows
/// faster than counts do, and no class explains both.
fn missed(prior: &[f64], counted: &[f64], time: &[f64]) -> f64 {
    let ranks: Vec<f64> = Class::all().map(Class::rank).collect();
    let both: f64 = (0..prior.len()).map(|index| time[index] * counted[index] / prior[index]).sum();
    let slower = |rank: f64| -> f64 {
        let slow = ranks.iter().zip(counted).filter(|(r, _)| **r <= rank - CLEARLY_FASTER);
        slow.map(|(_, p)| p).sum()
    };
    let apart: f64 = ranks.iter().zip(time).map(|(&rank, p)| p * slower(rank)).sum();
    COUNTS_MISS * apart / (COUNTS_MISS * apart + (1.0 - COUNTS_MISS) * both).max(f64::MIN_POSITIVE)
}
