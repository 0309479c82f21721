//! Combines the class probabilities of several signals, according to the trust in each signal.

use crate::class::Class;
use crate::constants::{CACHES_OR_MISSED, TRUST_TIME_ALONE, TRUST_TIME_WITH_COUNTS, Trust};
use crate::fitting::model::FigureModel;
use crate::probability::normalise;
use crate::verdict::uncounted::Counted;

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
    /// the probability of each case. If the program's own code has a class for certain, counts
    /// alone decide, unless time clearly grows faster. Also returns the probability that counts
    /// miss the work, which is 1 without counts.
    pub(crate) fn with_time(&self, time: &[f64], counted: Option<Counted<'_>>) -> (Vec<f64>, f64) {
        let classes = self.classes();
        let missed = match counted {
            Some(counted) if counted.is_certain() => {
                if !counted.is_outgrown(&classes, time) {
                    return (classes, 0.0);
                }
                CACHES_OR_MISSED
            }
            Some(counted) => counted.missed(&self.prior, &classes, time),
            None => 1.0,
        };
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
