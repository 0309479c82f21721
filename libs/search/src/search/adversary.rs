//! An adversary that builds an order while the program runs, as `McIlroy`'s does (A Killer
//! Adversary for Quicksort, 1999). His answers comparisons, and gives the smallest value that is
//! left to an element only when a comparison needs it. This one sees costs only: it gives that
//! value to the element with which the program costs most, while all others keep an order of larger
//! ones.

use crate::gene::rules;
use crate::gene::{Aspect, Gene, Spot};
use crate::genome::Genome;
use crate::space::Space;
use profiler_input::{Rule, RuleBlock};
use std::collections::VecDeque;

/// Maximum number of elements. If an order has more, each stands for a block of them.
const MAX_ELEMENTS: u64 = 64;

/// The orders that are built one after the other.
#[derive(Debug, Clone)]
pub(super) struct Adversary {
    /// Candidates and orders that were not begun, and whether the elements without a value fall.
    rounds: VecDeque<(usize, Spot, bool)>,
    building: Option<Building>,
}

/// An order that is being built.
#[derive(Debug, Clone)]
struct Building {
    base: Genome,
    spot: Spot,
    falls: bool,
    /// The values of the elements that have one.
    values: Vec<Option<u8>>,
    /// The next value.
    next: u8,
    /// Elements to which the value was not given yet.
    waiting: VecDeque<usize>,
    /// Elements to which it was given, whose costs are unknown.
    asked: Vec<(Genome, usize)>,
    /// The highest cost, and its element.
    best: (u64, usize),
}

impl Adversary {
    pub(super) fn new(space: &Space) -> Self {
        let rounds = (0..space.candidates()).flat_map(|candidate| {
            let spots = space.spots(candidate).iter();
            let orders = spots.filter(|spot| spot.aspect == Aspect::Order);
            orders.flat_map(move |spot| [false, true].map(|falls| (candidate, *spot, falls)))
        });
        Self { rounds: rounds.collect(), building: None }
    }

    /// The next genome to try; `None` if costs are awaited, or if all orders are built. A new order
    /// begins with the choices of the `best` genome.
    pub(super) fn ask(&mut self, best: Option<&Genome>, n: u64, seed: u32) -> Option<Genome> {
        if self.building.is_none() {
            let (candidate, spot, falls) = self.rounds.pop_front()?;
            let base = best.filter(|best| best.candidate == candidate).cloned();
            let base = base.unwrap_or_else(|| Genome::declared(candidate, seed));
            self.building = Building::new(base, spot, falls, n);
        }
        self.building.as_mut()?.ask()
    }

    /// Records the cost of a genome; `None` if there is none. If an order is complete, returns
    /// genomes that make similar orders of every length.
    pub(super) fn tell(&mut self, genome: &Genome, cost: Option<u64>) -> Vec<Genome> {
        let Some(building) = &mut self.building else { return Vec::new() };
        building.tell(genome, cost);
        if !building.is_complete() {
            return Vec::new();
        }
        let grown = rules::like(&building.ranks(None));
        let grown = grown
            .into_iter()
            .map(|rule| building.base.clone().with(building.spot, Gene::Rule(rule)));
        let grown = grown.collect();
        self.building = None;
        grown
    }
}

impl Building {
    /// `None` for less than two elements.
    fn new(base: Genome, spot: Spot, falls: bool, n: u64) -> Option<Self> {
        let count = usize::try_from(n.min(MAX_ELEMENTS)).ok().filter(|count| *count > 1)?;
        let (values, waiting) = (vec![None; count], (0..count).collect());
        let best = (0, if falls { count - 1 } else { 0 });
        Some(Self { base, spot, falls, values, next: 0, waiting, asked: Vec::new(), best })
    }

    fn ask(&mut self) -> Option<Genome> {
        let element = self.waiting.pop_front()?;
        let blocks = self.ranks(Some(element)).into_iter().map(RuleBlock::rising).collect();
        let genome = self.base.clone().with(self.spot, Gene::Rule(Rule::Blocks(blocks)));
        self.asked.push((genome.clone(), element));
        Some(genome)
    }

    fn tell(&mut self, genome: &Genome, cost: Option<u64>) {
        let Some(at) = self.asked.iter().position(|(asked, _)| asked == genome) else { return };
        let (_, element) = self.asked.swap_remove(at);
        if cost > Some(self.best.0) {
            self.best = (cost.unwrap_or(0), element);
        }
        while self.asked.is_empty() && self.waiting.is_empty() && !self.is_complete() {
            self.values[self.best.1] = Some(self.next);
            self.next += 1;
            self.waiting = self.free().collect();
            // The next value at the end of those that are left gives the same order as before.
            let same = if self.falls { self.waiting.pop_back() } else { self.waiting.pop_front() };
            self.best.1 = same.unwrap_or(0);
        }
    }

    fn free(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.values.len()).filter(|at| self.values[*at].is_none())
    }

    fn is_complete(&self) -> bool {
        usize::from(self.next) >= self.values.len()
    }

    /// The ranks, counted from 1, with the next value at this element.
    fn ranks(&self, element: Option<usize>) -> Vec<u8> {
        let mut values = self.values.clone();
        let others: Vec<usize> = self.free().filter(|at| Some(*at) != element).collect();
        let in_order: Vec<usize> =
            if self.falls { others.into_iter().rev().collect() } else { others };
        for (at, value) in element.into_iter().chain(in_order).zip(self.next..) {
            values[at] = Some(value);
        }
        values.into_iter().map(|value| value.unwrap_or(0) + 1).collect()
    }
}
