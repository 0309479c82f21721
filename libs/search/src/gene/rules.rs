//! Orders that a short rule makes at every length. All the shortest rules are tried,
//! because the costliest order of a few elements often grows by one or two steps. Longer rules are
//! bred.

use crate::random::Random;
use profiler_input::{Rule, RuleBlock, RuleBlockKind, RuleLayout, RuleStep, STEP_PARTS};

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

/// Largest number of blocks whose orders are all tried.
const MAX_BLOCKS: u8 = 3;
/// Maximum number of steps in a rule that is like an order.
const MAX_LIKE_STEPS: usize = 4;
const LAYOUTS: [RuleLayout; 3] = [RuleLayout::Deal, RuleLayout::Repeat, RuleLayout::Nest];
const KINDS: [RuleBlockKind; 3] =
    [RuleBlockKind::Rising, RuleBlockKind::Falling, RuleBlockKind::One];

/// The rules of one step, of a few blocks, of a few ranks, and of two steps.
pub(crate) fn shortest() -> Vec<Rule> {
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
    ones.chain(blocks())
        .chain(few)
        .chain(twos.map(|(one, other)| Rule::Grow(vec![one, other])))
        .collect()
}

/// Every step with round numbers. To swap an element that was appended with itself changes nothing.
fn steps() -> impl Iterator<Item = RuleStep> {
    let each = PARTS.into_iter().flat_map(|place| PARTS.map(|rank| (place, rank)));
    let all =
        each.flat_map(|(place, rank)| [false, true].map(|swap| RuleStep { swap, place, rank }));
    all.filter(|step| !step.swap || step.place < STEP_PARTS)
}

/// Every rule of a few blocks.
fn blocks() -> Vec<Rule> {
    let mut all = Vec::new();
    for count in 1..=MAX_BLOCKS {
        for ranks in orders((1..=count).collect()) {
            let mut made: Vec<Vec<RuleBlock>> = vec![Vec::new()];
            for rank in ranks {
                let with = |blocks: Vec<RuleBlock>| {
                    KINDS.map(|kind| [&blocks[..], &[RuleBlock { rank, kind }]].concat())
                };
                made = made.into_iter().flat_map(with).collect();
            }
            all.extend(made.into_iter().map(Rule::Blocks));
        }
    }
    all
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
    let mut ranks: Vec<u8> = (1..=random.byte(3) + 2).collect();
    for at in 1..ranks.len() {
        ranks.swap(at, random.below(at + 1));
    }
    if random.chance(50) {
        let kind = |random: &mut Random| KINDS[random.below(KINDS.len())];
        let blocks = ranks.into_iter().map(|rank| RuleBlock { rank, kind: kind(random) });
        return Rule::Blocks(blocks.collect());
    }
    let layout = LAYOUTS[random.below(LAYOUTS.len())];
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
            Rule::Blocks(blocks) => {
                let (one, other) = (random.below(blocks.len()), random.below(blocks.len()));
                if random.chance(50) {
                    blocks.swap(one, other);
                } else {
                    blocks[one].kind = KINDS[random.below(KINDS.len())];
                }
            }
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
        (Rule::Blocks(blocks), Rule::Blocks(others)) => {
            blocks.iter().map(|block| block.kind).eq(others.iter().map(|block| block.kind))
        }
        _ => false,
    }
}

/// Rules of a few steps that make orders like the one with these ranks: for each order in which its
/// elements can come one by one, the steps that are usual.
pub(crate) fn like(ranks: &[u8]) -> Vec<Rule> {
    let places = inverse(ranks);
    let mut rules = Vec::new();
    for (is_rank, came) in [(false, &places), (true, &ranks.to_vec())] {
        for is_last_first in [false, true] {
            let came: Vec<u8> =
                if is_last_first { came.iter().rev().copied().collect() } else { came.clone() };
            let before = came.iter().enumerate();
            let before = before.map(|(at, one)| came[..at].iter().filter(|it| *it < one).count());
            let parts: Vec<u8> = (0..).zip(before).map(|(of, at)| part(at, of)).collect();
            let end = if is_last_first { 0 } else { STEP_PARTS };
            let step = |usual: u8| {
                let (place, rank) = if is_rank { (end, usual) } else { (usual, end) };
                RuleStep { swap: false, place, rank }
            };
            for count in 1..=MAX_LIKE_STEPS {
                let usual = (0..count).map(|first| {
                    let mut all: Vec<u8> =
                        parts.iter().skip(first).step_by(count).copied().collect();
                    all.sort_unstable();
                    step(all.get(all.len() / 2).copied().unwrap_or(0))
                });
                rules.push(Rule::Grow(usual.collect()));
            }
        }
    }
    rules
}

/// A number as a part of another one.
fn part(number: usize, of: usize) -> u8 {
    let part = (number * usize::from(STEP_PARTS)).div_ceil(of.max(1));
    u8::try_from(part).unwrap_or(STEP_PARTS)
}

/// The positions of the ranks, both counted from 1.
fn inverse(ranks: &[u8]) -> Vec<u8> {
    let mut places: Vec<(u8, u8)> = ranks.iter().copied().zip(1..).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn shortest_rules_are_different() {
        let rules = shortest();
        let different: HashSet<&Rule> = rules.iter().collect();
        let of_ranks = 3 * 2 * (2 + 6 + 24);
        let of_blocks = 3 + 2 * 9 + 6 * 27;
        let all = 15 * 15 + of_ranks + of_blocks;
        assert_eq!((rules.len(), different.len()), (all, all));
    }

    #[test]
    fn order_of_one_step_is_recognised() {
        let grow = |place, rank| Rule::Grow(vec![RuleStep { swap: false, place, rank }]);
        let falling: Vec<u8> = (1..=40).rev().collect();
        assert!(like(&falling).contains(&grow(0, STEP_PARTS)));
        // Each number is in the middle of those before it.
        let outside: Vec<u8> = (1..=40).map(|at| if at % 2 > 0 { at } else { 42 - at }).collect();
        let half = STEP_PARTS / 2;
        assert!(like(&outside).contains(&grow(STEP_PARTS, half)), "{:?}", like(&outside));
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
                Rule::Blocks(blocks) => {
                    let mut ranks: Vec<u8> = blocks.iter().map(|block| block.rank).collect();
                    ranks.sort_unstable();
                    assert!(ranks.iter().copied().eq(1..=u8::try_from(ranks.len()).unwrap()));
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
