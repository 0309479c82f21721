//! The search. The costs of earlier genomes decide which genome is tried next.

mod adversary;
mod breed;
mod duplicates;

use crate::genome::Genome;
use crate::named;
use crate::random::Random;
use crate::space::Space;
use adversary::Adversary;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of inputs of the declared spec that are tried first, each with a different seed.
const RANDOM_INPUTS: u32 = 12;
/// Maximum number of genomes that are kept for their whole cost.
const ELITES: usize = 48;
/// Maximum number of parts of a program for each of which a genome is kept.
const MAX_PARTS: usize = 512;
/// Maximum number of consecutive genomes that give no new input.
const MAX_BARREN: u32 = 2000;
/// Divisor. A cost is better than another if it exceeds it by more than the other's distance from
/// the lowest cost so far, divided by this.
const LEAST_GAIN: u64 = 1000;
/// Divisor. A choice is left out of the best genome if that loses at most the genome's extra cost
/// over the median random input, divided by this.
const LEAST_LOSS: u64 = 50;
/// Number of consecutive inputs without a better one after which the search ends, if no choice is
/// open.
const PATIENCE: u32 = 20_000;
/// Increase of that number for each open choice.
const PATIENCE_PER_CHOICE: u32 = 1000;
/// Maximum number of open choices that count for the increase.
const MAX_PATIENT_CHOICES: u32 = 20;
/// Percentages of new genomes that are bred from an elite of the whole cost, and from an elite of a
/// part. The other genomes are bred from a declared spec.
const OF_WHOLE: usize = 60;
const OF_PART: usize = 20;
/// Number of genomes in which each way has a turn: two are ruled, one is of the adversary.
const TURNS: usize = 4;
/// Probability of recombining two elites, in percent.
const RECOMBINE: usize = 25;

/// Size, seed and limit of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The size of all inputs that are tried.
    pub n: u64,
    /// The seed of the search, and of the first random input.
    pub seed: u32,
    /// Maximum number of inputs that are tried.
    pub executions: u32,
}

/// Cost of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// The whole cost, which the search maximizes.
    pub whole: u64,
    /// The costs of parts of the program, if they are known. For each part, the search keeps the
    /// costliest input and breeds others from it.
    pub parts: BTreeMap<u32, u64>,
}

/// An input to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Genome that the input was made from.
    pub genome: Genome,
    /// The input.
    pub bytes: Vec<u8>,
    /// Way in which the genome was chosen.
    pub way: Way,
}

/// A way to choose genomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A declared spec with some seed.
    Random,
    /// Named choices.
    Vocabulary,
    /// Changes and combinations of the choices of costly genomes.
    Mutation,
    /// Orders by each of the shortest rules.
    Exhaustive,
    /// Orders whose ranks are placed one by one, and rules that make similar orders.
    Adversary,
}

/// A genome, with the cost of its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elite {
    /// The genome.
    pub genome: Genome,
    /// The whole cost of its input.
    pub cost: u64,
}

/// A search. The caller repeatedly asks for an input and tells the search its cost. The same space,
/// settings and costs give the same inputs.
#[derive(Debug, Clone)]
pub struct Search {
    space: Space,
    settings: Settings,
    random: Random,
    /// Genomes that are tried before others are bred.
    planned: VecDeque<Genome>,
    /// Genomes that are tried in turn with bred ones.
    ruled: VecDeque<Genome>,
    adversary: Adversary,
    /// Genomes that make orders like those of the adversary.
    grown: VecDeque<Genome>,
    /// Number of genomes that were chosen after the planned ones. The ways take turns.
    turn: usize,
    /// Hashes of the inputs that were tried.
    tried: HashSet<u64>,
    executions: u32,
    /// Number of inputs tried since the best cost last improved.
    stale: u32,
    /// The genomes with the highest whole costs, highest first. No two differ only in numbers, so
    /// that variants of one choice do not crowd out another choice, whose cost may grow faster.
    elites: Vec<Elite>,
    /// The lowest whole cost so far.
    floor: u64,
    parts: BTreeMap<u32, Elite>,
    randoms: Vec<u64>,
    /// Index of the gene that is left out next; `None` until the best genome is being simplified.
    simplifying: Option<usize>,
}

impl Search {
    /// A search through `space`.
    pub fn new(space: Space, settings: Settings) -> Self {
        let randoms =
            (0..RANDOM_INPUTS).map(|more| Genome::declared(0, settings.seed.wrapping_add(more)));
        let planned = randoms.chain(named::genomes(&space, settings.seed)).collect();
        let ruled = named::ruled(&space, settings.seed).into();
        let (random, adversary) = (Random::new(settings.seed), Adversary::new(&space));
        Self {
            space,
            settings,
            random,
            planned,
            ruled,
            adversary,
            grown: VecDeque::new(),
            turn: 0,
            tried: HashSet::new(),
            executions: 0,
            stale: 0,
            elites: Vec::new(),
            floor: u64::MAX,
            parts: BTreeMap::new(),
            randoms: Vec::new(),
            simplifying: None,
        }
    }

    /// The next input to try. `None` if the allowed number of inputs was tried, if the best cost
    /// has not improved for a long time, or if no new input is found.
    pub fn ask(&mut self) -> Option<Trial> {
        if self.executions >= self.settings.executions {
            return None;
        }
        for _ in 0..MAX_BARREN {
            if self.planned.is_empty() && self.stale >= self.patience() {
                return None;
            }
            let (genome, way) = self.next();
            let bytes = self.space.input(&genome, self.settings.n);
            match bytes.and_then(|bytes| self.trial(genome.clone(), bytes)) {
                Some(trial) => return Some(Trial { way, ..trial }),
                None if way == Way::Adversary => {
                    self.grown.extend(self.adversary.tell(&genome, None));
                }
                None => {}
            }
        }
        None
    }

    fn next(&mut self) -> (Genome, Way) {
        if let Some(planned) = self.planned.pop_front() {
            let way = if planned.is_declared() { Way::Random } else { Way::Vocabulary };
            return (planned, way);
        }
        self.turn += 1;
        let of_way = match self.turn % TURNS {
            0 => self.adversarial().map(|genome| (genome, Way::Adversary)),
            1 | 2 => self.ruled.pop_front().map(|genome| (genome, Way::Exhaustive)),
            _ => None,
        };
        match of_way {
            Some(of_way) => of_way,
            None => (self.bred(), Way::Mutation),
        }
    }

    /// The next genome of the adversary, or one that it led to.
    fn adversarial(&mut self) -> Option<Genome> {
        let best = self.elites.first().map(|elite| &elite.genome);
        let Settings { n, seed, .. } = self.settings;
        self.grown.pop_front().or_else(|| self.adversary.ask(best, n, seed))
    }

    /// The next inputs to try, at most `most`, before the cost of any of them is known.
    pub fn generation(&mut self, most: u32) -> Vec<Trial> {
        let left = self.settings.executions.saturating_sub(self.executions);
        std::iter::from_fn(|| self.ask()).take(most.min(left) as usize).collect()
    }

    /// Returns a trial of an input that something else made for `genome`. `None` if this input was
    /// tried before.
    pub fn trial(&mut self, genome: Genome, bytes: Vec<u8>) -> Option<Trial> {
        self.tried.insert(hash(&bytes)).then_some(Trial { genome, bytes, way: Way::Random })
    }

    /// Records the cost of a trial; `None` if the program did not end successfully on its input.
    pub fn tell(&mut self, trial: Trial, cost: Option<Cost>) {
        let Trial { genome, way, .. } = trial;
        self.executions += 1;
        if way == Way::Adversary {
            let whole = cost.as_ref().map(|cost| cost.whole);
            self.grown.extend(self.adversary.tell(&genome, whole));
        }
        if let Some(gene) = self.simplifying {
            self.simplified(genome, gene, cost.map(|cost| cost.whole));
            return;
        }
        self.stale += 1;
        let Some(cost) = cost else { return };
        if genome.is_declared() && genome.candidate == 0 {
            self.randoms.push(cost.whole);
        }
        self.floor = self.floor.min(cost.whole);
        if self.best().is_none_or(|best| self.is_better(cost.whole, best.cost)) {
            self.stale = 0;
        }
        for (part, cost) in cost.parts {
            let is_new = self.parts.len() < MAX_PARTS || self.parts.contains_key(&part);
            let known = self.parts.get(&part).map_or(0, |elite| elite.cost);
            if is_new && cost > known {
                self.parts.insert(part, Elite { genome: genome.clone(), cost });
            }
        }
        self.keep(Elite { genome, cost: cost.whole });
    }

    /// The most costly input so far.
    pub fn best(&self) -> Option<&Elite> {
        self.elites.first()
    }

    /// The most costly inputs so far, in falling order. No two of them differ only in numbers.
    pub fn elites(&self) -> &[Elite] {
        &self.elites
    }

    /// Makes this genome the best one, because its inputs cost most at other sizes.
    pub fn prefer(&mut self, preferred: Elite) {
        self.elites.retain(|elite| !elite.genome.is_like(&preferred.genome));
        self.elites.insert(0, preferred);
    }

    /// The costs of the inputs of the first candidate that have no choice.
    pub fn randoms(&self) -> &[u64] {
        &self.randoms
    }

    /// Returns the number of inputs tried.
    pub fn executions(&self) -> u32 {
        self.executions
    }

    /// Returns the number of planned genomes that have not been tried yet. Planned genomes have
    /// named choices or none.
    pub fn named_left(&self) -> usize {
        self.planned.len()
    }

    /// The space that is searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    fn is_better(&self, cost: u64, than: u64) -> bool {
        cost > than.saturating_add(than.saturating_sub(self.floor) / LEAST_GAIN)
    }

    fn patience(&self) -> u32 {
        let choices = u32::try_from(self.space.choices()).unwrap_or(u32::MAX);
        PATIENCE + PATIENCE_PER_CHOICE * choices.min(MAX_PATIENT_CHOICES)
    }

    /// A genome bred from the elites.
    fn bred(&mut self) -> Genome {
        let (space, random) = (&self.space, &mut self.random);
        let what = random.below(100);
        let parts: Vec<_> = self.parts.values().collect();
        let parent = if what < OF_WHOLE || (parts.is_empty() && what < OF_WHOLE + OF_PART) {
            // Better elites are chosen more often.
            let at = random.below(self.elites.len()).min(random.below(self.elites.len()));
            self.elites.get(at)
        } else if what < OF_WHOLE + OF_PART {
            random.pick(&parts).copied()
        } else {
            None
        };
        let Some(parent) = parent else {
            let candidate = random.below(space.candidates());
            let fresh = Genome::declared(candidate, self.settings.seed);
            return fresh.with_random_gene(space, random).mutated(space, random);
        };
        let other = random.pick(&self.elites);
        match other.filter(|other| other.genome.candidate == parent.genome.candidate) {
            Some(other) if random.chance(RECOMBINE) => {
                let child = parent.genome.recombined(&other.genome, random);
                if random.chance(50) { child } else { child.mutated(space, random) }
            }
            _ => parent.genome.mutated(space, random),
        }
    }

    /// Adds a genome to the elites if it costs enough.
    fn keep(&mut self, new: Elite) {
        match self.elites.iter_mut().find(|elite| elite.genome.is_like(&new.genome)) {
            Some(known) if new.cost <= known.cost => return,
            Some(known) => *known = new,
            None => self.elites.push(new),
        }
        // The sort is stable: of genomes with equal costs, the one that was found first stays
        // first.
        self.elites.sort_by_key(|elite| std::cmp::Reverse(elite.cost));
        self.elites.truncate(ELITES);
    }

    /// After the search, an input of the best genome without one of its choices, to find out
    /// whether the choice is needed. `None` if all choices are needed. At most one input is tried
    /// for each choice, in addition to the allowed number.
    pub fn simpler(&mut self) -> Option<Trial> {
        loop {
            let gene = self.simplifying.unwrap_or(0);
            let best = self.elites.first()?;
            if gene >= best.genome.genes.len() {
                return None;
            }
            let genome = best.genome.clone().without(gene);
            match self.space.input(&genome, self.settings.n) {
                Some(bytes) => {
                    self.simplifying = Some(gene);
                    return Some(Trial { genome, bytes, way: Way::Mutation });
                }
                None => self.simplifying = Some(gene + 1),
            }
        }
    }

    /// Replaces the best genome by a simpler one that costs about as much.
    fn simplified(&mut self, simpler: Genome, gene: usize, cost: Option<u64>) {
        let mut randoms = self.randoms.clone();
        randoms.sort_unstable();
        let usual = randoms.get(randoms.len() / 2).copied().unwrap_or(0);
        let Some(best) = self.elites.first_mut() else { return };
        let most_loss = best.cost.saturating_sub(usual) / LEAST_LOSS;
        match cost {
            Some(cost) if cost.saturating_add(most_loss) >= best.cost => {
                *best = Elite { genome: simpler, cost }
            }
            _ => self.simplifying = Some(gene + 1),
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
