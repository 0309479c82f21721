//! Finds the sequences of shapes that fit all samples from start to end.

use crate::layout::candidates::Forms;
use crate::layout::sample::Sample;
use crate::layout::shape::Scope;
use crate::limits::{MAX_ALIKE, MAX_COMPLETE, MAX_PARTS};
use crate::reading::cases::Cases;
use crate::reading::cost::{self, Cost};
use crate::reading::frontier::{Fit, Open, Work};
use std::cmp::Reverse;

/// Iterator over all fits, roughly the cheapest first.
pub(crate) struct Fits<'s> {
    samples: &'s [Sample],
    open: Open,
    cases: Cases,
    pub(crate) work: Work,
    /// The number of fits that have been found.
    complete: usize,
    /// The cost of the cheapest accepted fit beyond the least cost of its words.
    least: Option<Cost>,
}

impl<'s> Fits<'s> {
    /// The search tries the shapes that fit the longest sample, because a part of a short one can
    /// have no lines.
    pub(crate) fn new(samples: &'s [Sample], forms: Forms) -> Self {
        let start = |sample| Scope { sample, ..Scope::default() };
        let mut scopes: Vec<Scope> = (0..samples.len()).map(start).collect();
        scopes.sort_by_key(|scope| Reverse(samples[scope.sample].lines.len()));
        let open = Open::start(scopes, forms, false);
        let (cases, work) = (Cases::new(forms), Work::default());
        Self { samples, open, cases, work, complete: 0, least: None }
    }

    /// Ends the search where no fit can be about as cheap as this one.
    pub(crate) fn accept(&mut self, cost: Cost, least: Cost) {
        let beyond = cost - least;
        self.least = Some(self.least.map_or(beyond, |known| known.min(beyond)));
    }

    fn is_at_end(&self, fit: &Fit) -> bool {
        fit.scopes.iter().all(|scope| scope.end == self.samples[scope.sample].lines.len())
    }

    /// Adds the fits whose last part is cases up to the ends of the samples.
    fn grow_cases(&mut self, fit: &Fit) {
        for found in self.cases.after(fit, self.samples, &mut self.work) {
            let shapes = [&*fit.shapes, &[found.shape]].concat().into();
            self.open.extend(fit, &shapes, &found.scopes, found.meanings, self.samples);
        }
    }
}

impl Iterator for Fits<'_> {
    type Item = Fit;

    fn next(&mut self) -> Option<Fit> {
        while let Some(fit) = self.open.pop(MAX_ALIKE) {
            if self.least.is_some_and(|least| fit.cost - fit.least > least + cost::MARGIN) {
                return None;
            }
            if self.is_at_end(&fit) {
                self.complete += 1;
                return (self.complete <= MAX_COMPLETE).then_some(fit);
            }
            if fit.shapes.len() < MAX_PARTS && !self.work.is_too_much() {
                self.open.grow(&fit, self.samples, &mut self.work);
                self.grow_cases(&fit);
            }
        }
        None
    }
}
