//! Orders that a short rule makes at every length. All the shortest rules are tried, because the
//! costliest order of a few elements often grows by one or two steps. Longer rules are bred.

use crate::gene::{Aspect, Gene, Spot};
use crate::genome::Genome;
use crate::random::Random;
use crate::space::Space;
use profiler_input::{Rule, RuleLayout, RuleStep, STEP_PARTS};

/// Places and ranks of the steps that are all tried: the ends and the middle.
const PARTS: [u8; 3] = [0, STEP_PARTS / 2, STEP_PARTS];
/// Largest number of ranks whose orders are all tried.
const MAX_RANKS: u8 = 4;
/// Maximum numbers of steps and of ranks of a bred rule.
const MAX_STEPS: usize = 8;
const MAX_BRED_RANKS: usize = 8;
/// Probability in percent that a drawn place or rank is an end or the middle.
const ROUND: usize = 75;
/// Probability in percent of a further change.
const FURTHER: usize = 35;

const LAYOUTS: [RuleLayout; 4] =
    [RuleLayout::Blocks, RuleLayout::Deal, RuleLayout::Repeat, RuleLayout::Nest];

/// Genomes with each of the shortest rules alone: for every order that a candidate leaves open, and
/// for all of them alike.
pub(crate) fn genomes(space: &Space, seed: u32) -> Vec<Genome> {
    let rules = shortest();
    let mut genomes = Vec::new();
    for candidate in 0..space.candidates() {
        let spots = space.spots(candidate).iter().filter(|spot| spot.aspect == Aspect::Order);
        let spots: Vec<Spot> = spots.copied().collect();
        let alone = spots.iter().map(|spot| vec![*spot]);
        let alike = (spots.len() > 1).then(|| spots.clone());
        for chosen in alone.chain(alike) {
            genomes.extend(rules.iter().map(|rule| {
                let declared = Genome::declared(candidate, seed);
                chosen.iter().fold(declared, |it, spot| it.with(*spot, Gene::Rule(rule.clone())))
            }));
        }
    }
    genomes
}

/// The rules of one step, of a few ranks, and of two steps.
fn shortest() -> Vec<Rule> {
    let steps: Vec<RuleStep> = steps().collect();
    let ones = steps.iter().map(|step| Rule::Grow(vec![*step]));
    let ranks = (2..=MAX_RANKS).flat_map(|count| orders((1..=count).collect()));
    let ranks: Vec<_> = ranks.collect();
    let few = LAYOUTS.into_iter().flat_map(|layout| {
        let both = ranks.iter().flat_map(|ranks| [(ranks, false), (ranks, true)]);
        both.map(move |(ranks, falling)| Rule::Ranks { layout, falling, ranks: ranks.clone() })
    });
    let pairs = steps.iter().flat_map(|one| steps.iter().map(move |other| (*one, *other)));
    let twos = pairs.filter(|(one, other)| one != other);
    ones.chain(few).chain(twos.map(|(one, other)| Rule::Grow(vec![one, other]))).collect()
}

/// Every step with round numbers. To swap an element that was appended with itself changes nothing.
fn steps() -> impl Iterator<Item = RuleStep> {
    let each = PARTS.into_iter().flat_map(|place| PARTS.map(|rank| (place, rank)));
    let all =
        each.flat_map(|(place, rank)| [false, true].map(|swap| RuleStep { swap, place, rank }));
    all.filter(|step| !step.swap || step.place < STEP_PARTS)
}

/// All orders of the elements.
fn orders(elements: Vec<u8>) -> Vec<Vec<u8>> {
    if elements.len() < 2 {
        return vec![elements];
    }
    let mut all = Vec::new();
    for (at, first) in elements.iter().enumerate() {
        let mut others = elements.clone();
        others.remove(at);
        all.extend(orders(others).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    all
}

/// A random rule.
pub(crate) fn draw(random: &mut Random) -> Rule {
    if random.chance(70) {
        return Rule::Grow((0..=random.below(3)).map(|_| step(random)).collect());
    }
    let layout = LAYOUTS[random.below(LAYOUTS.len())];
    let mut ranks: Vec<u8> = (1..=random.byte(3) + 2).collect();
    for at in 1..ranks.len() {
        ranks.swap(at, random.below(at + 1));
    }
    Rule::Ranks { layout, falling: random.chance(50), ranks }
}

fn step(random: &mut Random) -> RuleStep {
    let mut part = || {
        if random.chance(ROUND) {
            *random.pick(&PARTS).unwrap_or(&0)
        } else {
            random.byte(STEP_PARTS)
        }
    };
    let (place, rank) = (part(), part());
    RuleStep { swap: random.chance(50), place, rank }
}

/// A copy with a random change, and sometimes more.
pub(crate) fn nudged(rule: &Rule, random: &mut Random) -> Rule {
    let mut nudged = rule.clone();
    loop {
        match &mut nudged {
            Rule::Grow(steps) => change_steps(steps, random),
            Rule::Ranks { layout, falling, ranks } => match random.below(6) {
                0 => *layout = LAYOUTS[random.below(LAYOUTS.len())],
                1 => *falling = !*falling,
                2 if ranks.len() < MAX_BRED_RANKS => {
                    let at = random.below(ranks.len() + 1);
                    let rank = random.byte(u8::try_from(ranks.len()).unwrap_or(0)) + 1;
                    ranks.iter_mut().filter(|it| **it >= rank).for_each(|it| *it += 1);
                    ranks.insert(at, rank);
                }
                _ => {
                    let (one, other) = (random.below(ranks.len()), random.below(ranks.len()));
                    ranks.swap(one, other);
                }
            },
        }
        if !random.chance(FURTHER) {
            return nudged;
        }
    }
}

fn change_steps(steps: &mut Vec<RuleStep>, random: &mut Random) {
    let at = random.below(steps.len());
    let near = |part: u8, random: &mut Random| {
        if random.chance(50) { part.saturating_sub(1) } else { (part + 1).min(STEP_PARTS) }
    };
    match random.below(6) {
        0 if steps.len() < MAX_STEPS => steps.insert(at, step(random)),
        1 if steps.len() > 1 => {
            steps.remove(at);
        }
        2 => steps[at].place = near(steps[at].place, random),
        3 => steps[at].rank = near(steps[at].rank, random),
        4 => steps[at] = steps[random.below(steps.len())],
        _ => steps[at] = step(random),
    }
}

/// Whether two rules differ only in numbers.
pub(crate) fn are_like(one: &Rule, other: &Rule) -> bool {
    match (one, other) {
        (Rule::Grow(steps), Rule::Grow(others)) => {
            steps.iter().map(|step| step.swap).eq(others.iter().map(|step| step.swap))
        }
        (
            Rule::Ranks { layout, falling, ranks },
            Rule::Ranks { layout: as_layout, falling: as_falling, ranks: others },
        ) => layout == as_layout && falling == as_falling && ranks.len() == others.len(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn shortest_rules_are_different() {
        let rules = shortest();
        let different: HashSet<&Rule> = rules.iter().collect();
        let of_ranks = 4 * 2 * (2 + 6 + 24);
        assert_eq!((rules.len(), different.len()), (15 * 15 + of_ranks, 15 * 15 + of_ranks));
    }

    #[test]
    fn drawn_and_changed_rules_can_be_read() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let mut rule = draw(&mut random);
            for _ in 0..20 {
                rule = nudged(&rule, &mut random);
            }
            match rule {
                Rule::Grow(steps) => {
                    let parts = steps.iter().flat_map(|step| [step.place, step.rank]);
                    assert!((1..=MAX_STEPS).contains(&steps.len()));
                    assert!(parts.max() <= Some(STEP_PARTS), "{steps:?}");
                }
                Rule::Ranks { mut ranks, .. } => {
                    ranks.sort_unstable();
                    assert!(
                        ranks.iter().copied().eq(1..=u8::try_from(ranks.len()).unwrap()),
                        "{ranks:?}"
                    );
                }
            }
        }
    }
}
