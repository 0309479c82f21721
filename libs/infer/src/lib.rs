//! Proposes the spec of a task's inputs from sample inputs.
//!
//! ```text
//! samples ── words ──> shapes that fit all samples ──> what the shapes can mean, each with a cost
//!                                                          │
//!        a proposal, or a refusal with the readings  <── spec, checked against the samples
//! ```
//!
//! A reading is one possible meaning of the samples. It costs less if it explains more of them: for
//! example, a number that counts something is cheaper than a number that does not. The cheapest
//! reading is proposed if no other reading costs about the same. [`accept`] checks that a proposed
//! spec accepts the samples.

#![forbid(unsafe_code)]

mod accept;
mod layout;
pub mod limits;
mod proposal;
mod propose;
mod reading;
mod refusal;

pub use accept::accept;
pub use proposal::Proposal;
pub use refusal::Refusal;

use layout::cost::MARGIN;
use layout::sample::{self, Sample};
use layout::search::Fits;
use limits::MAX_SHOWN;
use profiler_input::{Cause, InputSpec, Plan, Recipe, Scope};
use propose::Unproposed;
use reading::alternatives;
use std::collections::HashSet;

/// Sizes at which a proposal must have an input. The size of a grid is its number of cells.
const TRIED_SIZES: [u64; 5] = [0, 1, 2, 7, 50];

/// Proposes the spec whose inputs have the layout of the samples, which must be inputs of one task.
pub fn infer(samples: &[&str]) -> Result<Proposal, Refusal> {
    let read = sample::read_all(samples)?;
    let mut fits = Fits::new(&read);
    let mut outcomes: Vec<(u32, Result<Proposal, Refusal>)> = Vec::new();
    let mut least: Option<u32> = None;
    for fit in fits.by_ref() {
        let near = |cost: u32, least: Option<u32>| least.is_none_or(|least| cost <= least + MARGIN);
        if !near(fit.cost, least) {
            break;
        }
        for (parts, cost) in alternatives::of_scope(&read, &fit.scopes, &fit.shapes) {
            if !near(cost, least) {
                continue;
            }
            let outcome = match propose::proposal(&read, &fit.scopes, &parts) {
                Ok(proposed) if fits_samples(&proposed, samples) => Ok(proposed),
                Ok(_) | Err(Unproposed::Unsupported) => continue,
                Err(Unproposed::Refused(refusal)) => Err(refusal),
            };
            least = Some(least.map_or(cost, |least| least.min(cost)));
            outcomes.push((cost, outcome));
        }
    }
    match least {
        Some(least) => choose(outcomes, least),
        None if fits.gave_up() => Err(Refusal::TooMany),
        None => Err(misfit(&read)),
    }
}

/// Combines the outcomes of all readings that cost about as little as the cheapest. Refuses the
/// samples as ambiguous if the specs of these readings write different inputs.
fn choose(
    mut outcomes: Vec<(u32, Result<Proposal, Refusal>)>,
    least: u32,
) -> Result<Proposal, Refusal> {
    outcomes.retain(|(cost, _)| *cost <= least + MARGIN);
    outcomes.sort_by_key(|(cost, _)| *cost);
    let (mut proposals, mut known) = (Vec::new(), HashSet::new());
    for (_, outcome) in outcomes {
        let proposed = outcome?;
        // Specs that write the same inputs are equally good.
        if known.insert(TRIED_SIZES.map(|n| written(&proposed.spec, n))) {
            proposals.push(proposed);
        }
    }
    match proposals.pop() {
        Some(only) if proposals.is_empty() => Ok(only),
        popped => {
            proposals.extend(popped);
            let count = proposals.len();
            proposals.truncate(MAX_SHOWN);
            Err(Refusal::Ambiguous { readings: proposals, count })
        }
    }
}

/// Whether the spec has inputs of small sizes, and accepts every sample.
fn fits_samples(proposed: &Proposal, samples: &[&str]) -> bool {
    let Ok(plan) = Plan::new(&proposed.spec, &Scope::of_size(None)) else { return false };
    let valid = |n: &u64| match plan.check(*n) {
        Ok(_) => true,
        Err(problems) => problems.iter().all(|problem| problem.cause == Cause::TooLarge),
    };
    TRIED_SIZES.iter().all(valid)
        && samples.iter().all(|sample| accept(&proposed.spec, sample).is_ok())
}

fn written(spec: &InputSpec, n: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let recipe = Recipe { spec: spec.clone(), scope: Scope::of_size(None), n };
    recipe.write(&mut bytes).ok().map(|_| bytes)
}

/// Finds a sample that has no known layout, or another layout than the first sample.
fn misfit(samples: &[Sample]) -> Refusal {
    let alone = |sample: &Sample| Fits::new(std::slice::from_ref(sample)).next().is_some();
    if let Some(unknown) = samples.iter().position(|sample| !alone(sample)) {
        return Refusal::Unknown(unknown + 1);
    }
    let with_first = |number: &usize| {
        let both = [samples[0].clone(), samples[*number].clone()];
        Fits::new(&both).next().is_none()
    };
    match (1..samples.len()).find(with_first) {
        Some(other) => Refusal::Differ(other + 1),
        None => Refusal::Unknown(1),
    }
}
