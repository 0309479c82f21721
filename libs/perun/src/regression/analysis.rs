//! The regression of a whole profile: models for each uid.

use super::kind::Kind;
use super::method::Method;
use super::points::{FitError, Points};
use crate::error::Error;
use crate::format::Profile;
use crate::items::{flat, text};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// The settings of a regression.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The key of the amount: the dependent variable.
    pub of: String,
    /// The key of the size: the independent variable.
    pub per: String,
    /// The models to fit, in this order; empty means all. A constant needs a linear model, which is
    /// added.
    pub models: Vec<Kind>,
    /// The method that assigns points to models.
    pub method: Method,
    /// The number of parts, for the methods that divide the points.
    pub steps: NonZeroUsize,
}

/// The result of a regression.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The records of the models by uid; all constants come last.
    pub models: Vec<Map<String, Value>>,
    /// The uids with missing models.
    pub skipped: Vec<Skipped>,
}

/// A uid with missing models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The text of the uid.
    pub uid: String,
    /// The reason.
    pub reason: FitError,
}

impl Settings {
    /// The entry of this step in `postprocessors`.
    pub fn postprocessor(&self) -> Value {
        let names: Vec<_> = self.kinds().into_iter().map(Kind::name).collect();
        json!({
            "name": "regression_analysis",
            "params": {
                "method": self.method.name(), "regression_models": names, "steps": self.steps,
                "of_key": self.of, "per_key": self.per,
            },
        })
    }

    /// The models, with the linear model that a constant needs.
    fn kinds(&self) -> Vec<Kind> {
        if self.models.is_empty() {
            return Kind::ALL.to_vec();
        }
        let mut kinds = self.models.clone();
        if kinds.contains(&Kind::Constant) && !kinds.contains(&Kind::Linear) {
            kinds.push(Kind::Linear);
        }
        kinds
    }
}

/// Fits models to the resources of a profile, for each uid.
///
/// Perun shuffles the points for `initial_guess` and `iterative`. Here they keep their order, so
/// that the result is deterministic.
///
/// # Errors
/// If a resource has no uid, or no number under `of` or `per`.
pub fn analyse(profile: &Profile, settings: &Settings) -> Result<Analysis, Error> {
    let mut groups: BTreeMap<String, Points> = BTreeMap::new();
    for resource in profile.grouped() {
        let uid = text(&flat(resource.uid()?));
        let point = (resource.number(&settings.per)?, resource.number(&settings.of)?);
        groups.entry(uid).or_default().push(point);
    }
    let kinds = settings.kinds();
    let curves: Vec<_> = kinds.iter().copied().filter(|&kind| kind != Kind::Constant).collect();
    let method = settings.method.name();
    let mut analysis = Analysis::default();
    let mut constants = Vec::new();
    for (uid, points) in groups {
        let mut fits = Vec::new();
        let ended = settings.method.run(points, &curves, settings.steps.get(), &mut fits);
        if let Err(reason) = ended {
            analysis.skipped.push(Skipped { uid: uid.clone(), reason });
        }
        if kinds.contains(&Kind::Constant) {
            let lines = fits.iter().filter(|fit| fit.kind == Kind::Linear);
            constants.extend(lines.map(|line| line.constant().record(&uid, method)));
        }
        analysis.models.extend(fits.iter().map(|fit| fit.record(&uid, method)));
    }
    analysis.models.extend(constants);
    Ok(analysis)
}
