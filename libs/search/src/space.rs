//! The inputs that specs allow.

use crate::freedom;
use crate::gene::Spot;
use crate::genome::Genome;
use crate::render;
use profiler_input::spec::variable::Kind;
use profiler_input::{InputSpec, Recipe, SIZE, Scope};

/// The candidate specs, and the choices that each of them leaves open.
#[derive(Debug, Clone)]
pub struct Space {
    candidates: Vec<(InputSpec, Vec<Spot>)>,
    scope: Scope,
    /// Longest input, in bytes.
    max_bytes: u64,
}

impl Space {
    /// The inputs of `candidates` that have at most `max_bytes`.
    pub fn new(candidates: Vec<InputSpec>, scope: Scope, max_bytes: u64) -> Self {
        let with_spots = |spec: InputSpec| {
            let spots = freedom::spots(&spec);
            (spec, spots)
        };
        Self { candidates: candidates.into_iter().map(with_spots).collect(), scope, max_bytes }
    }

    /// The values of the task that expressions can use.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the number of candidates.
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// The declared spec of a candidate.
    pub fn declared(&self, candidate: usize) -> Option<&InputSpec> {
        self.candidates.get(candidate).map(|(spec, _)| spec)
    }

    /// Returns the number of choices that the genomes of all candidates can make.
    pub fn choices(&self) -> usize {
        self.candidates.iter().map(|(_, spots)| spots.len()).sum()
    }

    /// The choices that a genome of this candidate can make.
    pub(crate) fn spots(&self, candidate: usize) -> &[Spot] {
        self.candidates.get(candidate).map_or(&[], |(_, spots)| spots)
    }

    pub(crate) fn kind(&self, candidate: usize, spot: Spot) -> Option<&Kind> {
        freedom::variable(self.declared(candidate)?, spot)?.kind.as_ref()
    }

    /// The value of a name of the task at size n.
    pub(crate) fn known(&self, name: &str, n: u64) -> Option<i64> {
        if name == SIZE || name == self.scope.size_variable {
            return i64::try_from(n).ok();
        }
        self.scope.bounds.get(name.strip_suffix("_max")?).copied()
    }

    /// The spec of a genome. Its inputs are possible inputs of the declared spec.
    pub fn spec(&self, genome: &Genome) -> Option<InputSpec> {
        let declared = self.declared(genome.candidate)?;
        Some(InputSpec { seed: genome.seed, ..render::rendered(declared, &genome.genes) })
    }

    /// The input of size n. `None` if the genome's choices contradict each other at this n, or if
    /// the input is too long.
    pub fn input(&self, genome: &Genome, n: u64) -> Option<Vec<u8>> {
        let recipe = Recipe { spec: self.spec(genome)?, scope: self.scope.clone(), n };
        recipe.check().ok().filter(|estimate| estimate.bytes <= self.max_bytes)?;
        let mut bytes = Vec::new();
        recipe.write(&mut bytes).ok()?;
        Some(bytes)
    }
}
