//! Proposes the spec of a task's inputs from sample inputs.
//!
//! ```text
//! samples ── words ──> shapes that fit all samples ──> what the shapes can mean, each with a cost
//!                                                          │
//!        a proposal, or a refusal with the readings  <── spec, checked against the samples
//! ```
//!
//! A reading is one possible meaning of the samples. It costs as many bits as its shortest
//! description of the samples has: for example, a number that counts something is cheaper than a
//! number that does not, and the edges of a graph are cheaper than pairs of any numbers. The
//! readings are proposed in the order of their costs. [`accept`] checks that a proposed spec accepts
//! the samples.

#![forbid(unsafe_code)]

mod accept;
mod layout;
pub mod limits;
mod proposal;
mod propose;
mod reading;
mod refusal;

pub use accept::accept;
pub use proposal::{Inferred, Proposal};
pub use refusal::Refusal;

use layout::sample::{self, Sample};
use limits::{MAX_PROPOSALS, MAX_TRIED_READINGS};
use profiler_input::{Cause, InputSpec, Plan, Recipe, Scope};
use reading::alternatives;
use reading::cost::{Cost, MARGIN};
use reading::search::Fits;
use std::collections::HashSet;

/// Sizes at which a proposal must have an input. The size of a grid is its number of cells.
const TRIED_SIZES: [u64; 5] = [0, 1, 2, 7, 50];

/// Proposes the specs whose inputs have the layout of the samples, which must be inputs of one
/// task.
pub fn infer(samples: &[&str]) -> Result<Inferred, Refusal> {
    let read = sample::read_all(samples)?;
    let mut fits = Fits::new(&read);
    let mut proposals: Vec<(Cost, Proposal)> = Vec::new();
    let (mut first, mut least): (Option<Cost>, Option<Cost>) = (None, None);
    let near = |cost: Cost, least: Option<Cost>| least.is_none_or(|least| cost <= least + MARGIN);
    for fit in fits.by_ref() {
        if !near(fit.cost, first) {
            break;
        }
        let scalars = fit.scopes[0].scalars.len();
        let readings = alternatives::readings(&fit.meanings, scalars);
        for (parts, cost) in readings.into_iter().take(MAX_TRIED_READINGS) {
            if !near(cost, least) {
                break;
            }
            let Some(proposed) = propose::proposal(&read, &fit.scopes, &parts) else { continue };
            if fits_samples(&proposed, samples) {
                least = Some(least.map_or(cost, |least| least.min(cost)));
                first = Some(first.map_or(fit.cost, |first| first.min(fit.cost)));
                proposals.push((cost, proposed));
            }
        }
    }
    let too_many = fits.work.is_too_much();
    inferred(proposals).ok_or_else(|| if too_many { Refusal::TooMany } else { misfit(&read) })
}

/// The proposals in the order of their costs, without those that cost much more than the first.
fn inferred(mut proposals: Vec<(Cost, Proposal)>) -> Option<Inferred> {
    proposals.sort_by_key(|(cost, _)| *cost);
    let least = proposals.first()?.0;
    let mut known = HashSet::new();
    let near = proposals.into_iter().take_while(|(cost, _)| *cost <= least + MARGIN);
    // Specs that write the same inputs are equally good.
    let mut different = near
        .map(|(_, proposed)| proposed)
        .filter(|proposed| known.insert(TRIED_SIZES.map(|n| written(&proposed.spec, n))))
        .take(MAX_PROPOSALS);
    Some(Inferred { proposal: different.next()?, others: different.collect() })
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
    for (at, sample) in samples.iter().enumerate() {
        let mut fits = Fits::new(std::slice::from_ref(sample));
        if fits.next().is_none() {
            return unknown(at + 1, sample, fits.work.deepest);
        }
    }
    let with_first = |number: &usize| {
        let both = [samples[0].clone(), samples[*number].clone()];
        Fits::new(&both).next().is_none()
    };
    match (1..samples.len()).find(with_first) {
        Some(other) => Refusal::Differ(other + 1),
        None => Refusal::Unknown { number: 1, line: 0, word: String::new() },
    }
}

/// The refusal of a sample with the word at which every reading fails.
fn unknown(number: usize, sample: &Sample, (line, word): (usize, usize)) -> Refusal {
    let word = sample.lines.get(line).and_then(|words| words.get(word));
    let word = word.map_or_else(String::new, |word| word.text.clone());
    Refusal::Unknown { number, line: (line + 1).min(sample.lines.len()), word }
}
