//! A genome: a candidate spec, a seed, and choices that the spec leaves open.

use crate::gene::{Gene, Spot};

/// Description of one input of every size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Genome {
    /// The index of the spec among the candidates.
    pub candidate: usize,
    /// The seed of everything random in the inputs.
    pub seed: u32,
    /// The choices in the order of their spots, at most one per spot.
    pub(crate) genes: Vec<(Spot, Gene)>,
}

impl Genome {
    /// Creates the genome that leaves every choice to the candidate.
    pub fn declared(candidate: usize, seed: u32) -> Self {
        Self { candidate, seed, genes: Vec::new() }
    }

    /// Whether the genome makes no choice: only its seed differs from the declared spec.
    pub fn is_declared(&self) -> bool {
        self.genes.is_empty()
    }

    /// The same choices with another seed. At another size, a seed draws other values, so an input
    /// that is costly because of its seed is costly at one size only.
    #[must_use]
    pub fn reseeded(&self, more: u32) -> Self {
        Self { seed: self.seed.wrapping_add(more), ..self.clone() }
    }

    /// The same genome with this gene.
    pub(crate) fn with(mut self, spot: Spot, gene: Gene) -> Self {
        match self.genes.binary_search_by_key(&spot, |(spot, _)| *spot) {
            Ok(at) => self.genes[at].1 = gene,
            Err(at) => self.genes.insert(at, (spot, gene)),
        }
        self
    }

    /// The same genome without its gene number `at`.
    pub(crate) fn without(mut self, at: usize) -> Self {
        if at < self.genes.len() {
            self.genes.remove(at);
        }
        self
    }
}
