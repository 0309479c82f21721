//! Breeds new genomes from others, by mutation and by recombination.

use crate::gene::{Aspect, Gene};
use crate::gene::{parts, rules};
use crate::genome::Genome;
use crate::named;
use crate::random::Random;
use crate::space::Space;

/// Percentages of mutations that change a parameter of a gene, put a gene at a spot, and drop a
/// gene. The other mutations change the seed.
const NUDGE: usize = 40;
const PUT: usize = 40;
const DROP: usize = 10;
/// Probability in percent that a random order or pattern is one by a rule.
const RULE: usize = 50;

impl Genome {
    /// A copy of this genome with one random change, and sometimes more.
    pub(crate) fn mutated(&self, space: &Space, random: &mut Random) -> Self {
        let mut mutated = self.changed(space, random);
        while random.chance(35) {
            mutated = mutated.changed(space, random);
        }
        mutated
    }

    fn changed(&self, space: &Space, random: &mut Random) -> Self {
        let what = random.below(100);
        let at = random.below(self.genes.len());
        match self.genes.get(at) {
            Some((spot, gene)) if what < NUDGE => {
                let nudged = gene.nudged(random);
                self.clone().with(*spot, nudged)
            }
            _ if what < NUDGE + PUT => self.with_random_gene(space, random),
            Some(_) if what < NUDGE + PUT + DROP => self.clone().without(at),
            _ => Self { seed: seed(random), ..self.clone() },
        }
    }

    /// The same genome with a random gene at a random spot.
    pub(crate) fn with_random_gene(&self, space: &Space, random: &mut Random) -> Self {
        let Some(&spot) = random.pick(space.spots(self.candidate)) else {
            return Self { seed: seed(random), ..self.clone() };
        };
        let ruled = match spot.aspect {
            Aspect::Order => Some(Gene::Rule(rules::draw(random))),
            Aspect::Pattern => Some(Gene::Parts(parts::draw(random))),
            _ => None,
        };
        if let Some(ruled) = ruled.filter(|_| random.chance(RULE)) {
            return self.clone().with(spot, ruled);
        }
        let kind = space.kind(self.candidate, spot);
        match kind.and_then(|kind| named::draw(spot, kind, random)) {
            Some(gene) => self.clone().with(spot, gene),
            None => self.clone(),
        }
    }

    /// A genome with genes of both parents, which must have the same candidate.
    pub(crate) fn recombined(&self, other: &Self, random: &mut Random) -> Self {
        let mut child = Self { genes: Vec::new(), ..self.clone() };
        for (spot, gene) in self.genes.iter().chain(&other.genes) {
            if random.chance(60) {
                child = child.with(*spot, gene.clone());
            }
        }
        child
    }
}

fn seed(random: &mut Random) -> u32 {
    u32::try_from(random.word() >> 32).unwrap_or(0)
}
