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
//! readings are proposed in the order of their costs. [`accept`] checks that a proposed spec
//! accepts the samples.

#![forbid(unsafe_code)]

mod accept;
mod layout;
pub mod limits;
mod proposal;
mod propose;
mod reading;
mod refusal;

pub use accept::{accept, conforms};
pub use proposal::{Inferred, Proposal};
pub use refusal::Refusal;

use layout::candidates::Forms;
use layout::sample::{self, Sample};
use layout::shape::Shape;
use limits::{MAX_OF_LAYOUT, MAX_PROPOSALS};
use profiler_input::{Cause, InputSpec, Plan, Recipe, Scope};
use reading::cost::{Cost, MARGIN};
use reading::frontier::Fit;
use reading::search::Fits;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::rc::Rc;

/// Sizes at which a proposal must have an input, unless it is too large.
const TRIED_SIZES: [u64; 5] = [0, 1, 2, 7, 50];

/// Proposes the specs whose inputs have the layout of the samples, which must be inputs of one
/// task.
pub fn infer(samples: &[&str]) -> Result<Inferred, Refusal> {
    let read = sample::read_all(samples)?;
    let mut gave_up = false;
    // A sample in which a part has no elements does not show the layout of that part. So if all
    // together have none, the longest decides. Its spec must accept the others.
    let longest = read.iter().max_by_key(|sample| sample.lines.len());
    let longest = longest.filter(|_| read.len() > 1).map(std::slice::from_ref);
    for read in iter::once(&read[..]).chain(longest) {
        for forms in [Forms::Usual, Forms::All] {
            let mut fits = Fits::new(read, forms);
            let found = proposals(&mut fits, read, samples);
            gave_up |= fits.work.is_too_much();
            if let Some(inferred) = inferred(found) {
                return Ok(inferred);
            }
        }
    }
    Err(if gave_up { Refusal::TooMany } else { misfit(&read) })
}

/// A proposal with the shapes and the cost of its reading.
struct Candidate {
    cost: Cost,
    shapes: Rc<[Shape]>,
    proposal: Proposal,
}

/// The proposals of all readings that cost about as little as the cheapest.
fn proposals(fits: &mut Fits<'_>, read: &[Sample], samples: &[&str]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    while let Some(Fit { shapes, scopes, parts, cost, least, .. }) = fits.next() {
        // A promise can leave no input of some size.
        let proposed = [true, false].into_iter().find_map(|promised| {
            propose::proposal(read, &scopes, &parts, promised)
                .filter(|proposed| fits_samples(proposed, samples))
        });
        if let Some(proposal) = proposed {
            fits.accept(cost, least);
            found.push(Candidate { cost, shapes, proposal });
        }
    }
    found
}

/// The proposals in the order of their costs, only a few for each layout.
fn inferred(mut found: Vec<Candidate>) -> Option<Inferred> {
    found.sort_by_key(|candidate| candidate.cost);
    let least = found.first()?.cost;
    let mut known = HashSet::new();
    let mut of_layout: HashMap<Rc<[Shape]>, usize> = HashMap::new();
    let mut different = found
        .into_iter()
        .take_while(|candidate| candidate.cost <= least + MARGIN)
        // Specs that write the same inputs are equally good.
        .filter(|it| known.insert(TRIED_SIZES.map(|n| written(&it.proposal.spec, n))))
        .filter(|it| {
            let count = of_layout.entry(Rc::clone(&it.shapes)).or_default();
            *count += 1;
            *count <= MAX_OF_LAYOUT
        })
        .map(|candidate| candidate.proposal)
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
    let least = proposed.spec.n_min.parse().unwrap_or(0);
    let most = proposed.spec.n_max.parse().unwrap_or(u64::MAX);
    TRIED_SIZES.iter().filter(|n| (least..=most).contains(*n)).all(valid)
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
        let mut fits = Fits::new(std::slice::from_ref(sample), Forms::All);
        if fits.next().is_none() {
            return unknown(at + 1, sample, fits.work.deepest);
        }
    }
    let with_first = |number: &usize| {
        let both = [samples[0].clone(), samples[*number].clone()];
        Fits::new(&both, Forms::All).next().is_none()
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
