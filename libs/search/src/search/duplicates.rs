//! Recognises genomes that make the same choices with different numbers. The search keeps only the
//! best of them.

use crate::gene::rules;
use crate::gene::{Gene, Spot, Window};
use crate::genome::Genome;
use profiler_input::spec::{Order, Pattern};
use std::mem::discriminant;

impl Genome {
    /// Whether both genomes make the same choices, apart from numbers.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let are_like = |((spot, gene), (at, as_gene)): (&(Spot, Gene), &(Spot, Gene))| {
            spot == at && gene.is_like(as_gene)
        };
        self.candidate == other.candidate
            && self.genes.len() == other.genes.len()
            && self.genes.iter().zip(&other.genes).all(are_like)
    }
}

impl Gene {
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            // Other orders and patterns do not use their amount.
            (Self::Order(order, few), Self::Order(other, amount)) => {
                order == other
                    && (*order != Order::FewDistinct || discriminant(few) == discriminant(amount))
            }
            (Self::Pattern(pattern, period), Self::Pattern(other, amount)) => {
                pattern == other
                    && (*pattern != Pattern::Periodic
                        || discriminant(period) == discriminant(amount))
            }
            (Self::Parts(parts), Self::Parts(others)) => {
                parts.iter().map(|part| part.repeats).eq(others.iter().map(|part| part.repeats))
            }
            (Self::Rule(rule), Self::Rule(other)) => rules::are_like(rule, other),
            (Self::Range(window), Self::Range(other)) => window.is_like(*other),
            (Self::Letters(letters), Self::Letters(other)) => letters.count == other.count,
            (Self::Value(value), Self::Value(other)) => discriminant(value) == discriminant(other),
            (Self::Length(amount), Self::Length(other))
            | (Self::Step(amount), Self::Step(other)) => {
                discriminant(amount) == discriminant(other)
            }
            (Self::Kinds(weights), Self::Kinds(other)) => {
                weights.iter().map(|it| *it > 0).eq(other.iter().map(|it| *it > 0))
            }
            _ => self == other,
        }
    }
}

impl Window {
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Low(width), Self::Low(other))
            | (Self::High(width), Self::High(other))
            | (Self::At(_, width), Self::At(_, other)) => {
                discriminant(&width) == discriminant(&other)
            }
            _ => discriminant(&self) == discriminant(&other),
        }
    }
}
