//! The unfinished fits of a search, and how they grow.

use crate::layout::candidates::{First, Forms, candidates};
use crate::layout::sample::Sample;
use crate::layout::shape::{Place, Scope, Shape};
use crate::limits::{MAX_STEPS, WORDS_A_STEP};
use crate::reading::content::Part;
use crate::reading::cost::{self, Cost};
use crate::reading::used::{self, Used};
use crate::reading::view::PartView;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A sequence of shapes with a meaning of each, and the state of each sample after them.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    pub(crate) shapes: Rc<[Shape]>,
    pub(crate) scopes: Rc<[Scope]>,
    /// The meaning of each shape.
    pub(crate) parts: Vec<Part>,
    /// The scalars that the parts use.
    used: Used,
    /// The cost of the parts, and of the scalars that they do not use.
    pub(crate) cost: Cost,
    /// The least cost of the words in the parts.
    pub(crate) least: Cost,
}

/// Unfinished fits, by their cost beyond the least cost of their words, and by the order in which
/// they were started.
#[derive(Debug)]
pub(crate) struct Open {
    forms: Forms,
    /// Whether the fits are those of a case.
    in_case: bool,
    fits: BTreeMap<(Cost, usize), Fit>,
    started: usize,
    /// The number of fits that have been taken, by their state.
    taken: HashMap<State, usize>,
}

/// The last line of a fit in each sample, the scalars of the first, and those that the parts use.
/// State that decides what can follow, and most of its cost.
type State = (Vec<usize>, Vec<i64>, Used);

/// The work that a search has done, and how far it has come.
#[derive(Debug, Default)]
pub(crate) struct Work {
    steps: u64,
    /// The first word of the first sample that no shape has fitted so far.
    pub(crate) deepest: Place,
}

impl Work {
    pub(crate) fn is_too_much(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// Counts an attempt that has read this many words.
    pub(crate) fn add(&mut self, words: usize) {
        self.steps = self.steps.saturating_add(1 + words as u64 / WORDS_A_STEP);
    }
}

impl Open {
    pub(crate) fn start(scopes: Vec<Scope>, forms: Forms, in_case: bool) -> Self {
        let (fits, taken) = (BTreeMap::new(), HashMap::new());
        let mut open = Self { forms, in_case, fits, started: 0, taken };
        open.push(Fit {
            shapes: Rc::new([]),
            scopes: scopes.into(),
            parts: Vec::new(),
            used: Used::default(),
            cost: 0,
            least: 0,
        });
        open
    }

    fn push(&mut self, fit: Fit) {
        self.started += 1;
        self.fits.insert((fit.cost - fit.least, self.started), fit);
    }

    /// The cheapest fit, and among equally cheap ones the oldest. Of fits in one state, only the
    /// `most` cheapest are returned.
    pub(crate) fn pop(&mut self, most: usize) -> Option<Fit> {
        while let Some((_, fit)) = self.fits.pop_first() {
            let ends = fit.scopes.iter().map(|scope| scope.end).collect();
            let state = (ends, fit.scopes[0].scalars.clone(), fit.used);
            let taken = self.taken.entry(state).or_default();
            *taken += 1;
            if *taken <= most {
                return Some(fit);
            }
        }
        None
    }

    /// Adds every fit that has one more part, other than cases.
    pub(crate) fn grow(&mut self, fit: &Fit, samples: &[Sample], work: &mut Work) {
        let scope = &fit.scopes[0];
        if let Some(words) = samples[scope.sample].lines.get(scope.end) {
            // A long line can only be numbers.
            let text = words.iter().position(|word| word.number.is_none()).unwrap_or_default();
            work.deepest = work.deepest.max((scope.end, text));
        }
        let whole = if self.in_case { First::Case } else { First::Sample };
        let first = fit.shapes.is_empty().then_some(whole);
        for shape in candidates(scope, samples, self.forms, first) {
            let scopes: Result<Vec<_>, _> =
                fit.scopes.iter().map(|scope| scope.with(&shape, samples)).collect();
            let Ok(scopes) = scopes.map_err(|place| work.deepest = work.deepest.max(place)) else {
                work.add(0);
                continue;
            };
            let shapes: Rc<[Shape]> = [&*fit.shapes, &[shape]].concat().into();
            let index = fit.shapes.len();
            let earlier = &fit.parts;
            let view = PartView { samples, scopes: &scopes, shapes: &shapes, index, earlier };
            work.add(scopes.iter().map(|scope| scope.words(index, samples)).sum());
            let meanings = view.meanings();
            self.extend(fit, &shapes, &scopes.into(), meanings, samples);
        }
    }

    /// Adds the fit with one more part, once for each meaning of this part.
    pub(crate) fn extend(
        &mut self,
        fit: &Fit,
        shapes: &Rc<[Shape]>,
        scopes: &Rc<[Scope]>,
        meanings: Vec<Part>,
        samples: &[Sample],
    ) {
        let unused = used::cost_of_unused(fit.used, &fit.scopes);
        let lines = scopes
            .iter()
            .flat_map(|scope| &samples[scope.sample].lines[scope.parts[fit.shapes.len()].clone()]);
        let least = fit.least + lines.map(|line| cost::least(line)).sum::<Cost>();
        for part in meanings {
            let price = fit.cost - unused + part.cost;
            let used = fit.used.and(part.used);
            let parts = [fit.parts.as_slice(), &[part]].concat();
            let cost = price + used::cost_of_unused(used, scopes);
            let (shapes, scopes) = (Rc::clone(shapes), Rc::clone(scopes));
            self.push(Fit { shapes, scopes, parts, used, cost, least });
        }
    }
}
