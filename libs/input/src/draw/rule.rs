//! Orders that a short rule makes at every length, from a few ranks or from steps.

use crate::limits::MAX_RULE_ITEMS;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// The unit of the numbers of a step is this part of the length so far.
pub const STEP_PARTS: u8 = 24;

/// Order of any number of elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Blocks of consecutive elements.
    Blocks(Vec<RuleBlock>),
    /// A few ranks, 1 and up, each once.
    Ranks {
        /// Positions that the ranks order.
        layout: RuleLayout,
        /// Whether what the ranks do not order falls.
        falling: bool,
        /// The ranks.
        ranks: Vec<u8>,
    },
    /// Steps that are taken in turn.
    Grow(Vec<RuleStep>),
}

/// Positions that the ranks of a rule order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleLayout {
    /// The positions of each remainder modulo the number of ranks.
    Deal,
    /// Consecutive positions, as many as there are ranks.
    Repeat,
    /// The digits of the positions, with as many values as there are ranks. The lowest digit of a
    /// position is the highest one of its rank.
    Nest,
}

/// Block of consecutive elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleBlock {
    /// The rank of its elements among the blocks, from 1 on.
    pub rank: u8,
    /// The elements.
    pub kind: RuleBlockKind,
}

/// The elements of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleBlockKind {
    /// Rising elements, as many as in each other block that has no fixed number.
    Rising,
    /// Falling elements, as many.
    Falling,
    /// A single one.
    One,
}

/// Step by which an order grows by one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleStep {
    /// Whether the element is appended and then swapped with the one at the place. Otherwise it is
    /// inserted at the place.
    pub swap: bool,
    /// The place, in units of 1/[`STEP_PARTS`] of the number of elements so far.
    pub place: u8,
    /// The element's rank, in the same unit.
    pub rank: u8,
}

const LAYOUTS: [(&str, RuleLayout); 3] =
    [("deal", RuleLayout::Deal), ("repeat", RuleLayout::Repeat), ("nest", RuleLayout::Nest)];
const GROW: &str = "grow";
const BLOCKS: &str = "blocks";
const FALLING: char = '-';
const ONE: char = '!';
const INSERT: char = '+';
const SWAP: char = '~';

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ranks { layout, falling, ranks } => {
                let word = LAYOUTS.iter().find(|(_, it)| it == layout).map_or("", |(word, _)| word);
                f.write_str(word)?;
                f.write_str(if *falling { "-" } else { "" })?;
                ranks.iter().try_for_each(|rank| write!(f, " {rank}"))
            }
            Self::Blocks(blocks) => {
                f.write_str(BLOCKS)?;
                blocks.iter().try_for_each(|RuleBlock { rank, kind }| match kind {
                    RuleBlockKind::Rising => write!(f, " {rank}"),
                    RuleBlockKind::Falling => write!(f, " {rank}{FALLING}"),
                    RuleBlockKind::One => write!(f, " {rank}{ONE}"),
                })
            }
            Self::Grow(steps) => {
                f.write_str(GROW)?;
                steps.iter().try_for_each(|RuleStep { swap, place, rank }| {
                    write!(f, " {place}{}{rank}", if *swap { SWAP } else { INSERT })
                })
            }
        }
    }
}

impl Rule {
    /// Reads a rule. The error is the problem of the text.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let items: Vec<&str> = words.take(MAX_RULE_ITEMS + 1).collect();
        if items.is_empty() || items.len() > MAX_RULE_ITEMS {
            return Err(format!("must have 1 to {MAX_RULE_ITEMS} ranks or steps after its word"));
        }
        if first == GROW {
            let steps = items.iter().map(|item| item.parse()).collect::<Result<_, _>>()?;
            return Ok(Self::Grow(steps));
        }
        if first == BLOCKS {
            let blocks: Vec<_> = items.iter().filter_map(|item| RuleBlock::read(item)).collect();
            let ranks: Vec<u8> = blocks.iter().map(|block| block.rank).collect();
            return is_complete(&ranks, items.len()).map(|()| Self::Blocks(blocks));
        }
        let (word, falling) = match first.strip_suffix(FALLING) {
            Some(word) => (word, true),
            None => (first, false),
        };
        let Some((_, layout)) = LAYOUTS.iter().find(|(known, _)| *known == word) else {
            let known = LAYOUTS.map(|(word, _)| word).join(", ");
            return Err(format!("must begin with {known}, {BLOCKS} or {GROW}"));
        };
        let ranks: Vec<u8> = items.iter().filter_map(|item| item.parse().ok()).collect();
        is_complete(&ranks, items.len())?;
        Ok(Self::Ranks { layout: *layout, falling, ranks })
    }

    /// The rank of each of `len` positions, counted from 0.
    pub(crate) fn ranks(&self, len: usize) -> Vec<u32> {
        match self {
            Self::Ranks { layout, falling, ranks } => {
                ranked((0..len).map(|at| key(*layout, *falling, ranks, at, len)))
            }
            Self::Blocks(blocks) => ranked(in_blocks(blocks, len).into_iter()),
            Self::Grow(steps) => grown(steps, len),
        }
    }
}

impl RuleBlock {
    /// A rising block.
    pub fn rising(rank: u8) -> Self {
        Self { rank, kind: RuleBlockKind::Rising }
    }

    fn read(text: &str) -> Option<Self> {
        let kinds = [(FALLING, RuleBlockKind::Falling), (ONE, RuleBlockKind::One)];
        let marked =
            kinds.into_iter().find_map(|(mark, kind)| Some((text.strip_suffix(mark)?, kind)));
        let (rank, kind) = marked.unwrap_or((text, RuleBlockKind::Rising));
        Some(Self { rank: rank.parse().ok()?, kind })
    }
}

/// Whether these are the ranks from 1 to `count`, each once.
fn is_complete(ranks: &[u8], count: usize) -> Result<(), String> {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let is_complete = sorted.into_iter().map(usize::from).eq(1..=count);
    is_complete.then_some(()).ok_or_else(|| format!("must have each rank from 1 to {count} once"))
}

/// The ranks of keys, which rise with them. A key that is equal to an earlier one follows it.
fn ranked(keys: impl Iterator<Item = (i64, i64)>) -> Vec<u32> {
    let mut by_key: Vec<_> = keys.zip(0_usize..).collect();
    by_key.sort_unstable();
    let mut found = vec![0; by_key.len()];
    for ((_, at), rank) in by_key.into_iter().zip(0..) {
        found[at] = rank;
    }
    found
}

/// The keys of the positions in blocks.
fn in_blocks(blocks: &[RuleBlock], len: usize) -> Vec<(i64, i64)> {
    let is_one = |block: &&RuleBlock| block.kind == RuleBlockKind::One;
    let ones = blocks.iter().filter(is_one).count();
    let (parts, rest) = (blocks.len() - ones, len.saturating_sub(ones));
    let (mut keys, mut part) = (Vec::with_capacity(len), 0);
    for block in blocks {
        let mut count = 1;
        if block.kind != RuleBlockKind::One {
            part += 1;
            count = rest * part / parts - rest * (part - 1) / parts;
        }
        let falls = block.kind == RuleBlockKind::Falling;
        let inner = |at: i64| if falls { -at } else { at };
        keys.extend((0..).take(count).map(|at| (block.rank.into(), inner(at))));
    }
    // If all blocks are single ones, the last goes on.
    let last = blocks.last().map_or(0, |block| block.rank.into());
    keys.resize(len, (last, i64::MAX));
    keys
}

impl FromStr for RuleStep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |part: &str| part.parse().ok().filter(|part| *part <= STEP_PARTS);
        let step = [INSERT, SWAP].into_iter().find_map(|kind| {
            let (place, rank) = text.split_once(kind)?;
            Some(Self { swap: kind == SWAP, place: read(place)?, rank: read(rank)? })
        });
        step.ok_or_else(|| {
            format!(
                "`{text}` must be two numbers up to {STEP_PARTS} with {INSERT} or {SWAP} between"
            )
        })
    }
}

/// The key of a position: ranks rise with it.
fn key(layout: RuleLayout, falling: bool, ranks: &[u8], at: usize, len: usize) -> (i64, i64) {
    let rank = |of: usize| i64::from(ranks.get(of).copied().unwrap_or(0));
    let inner = |at: usize| {
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if falling { -at } else { at }
    };
    let count = ranks.len();
    match layout {
        RuleLayout::Deal => (rank(at % count), inner(at)),
        RuleLayout::Repeat => (inner(at / count), rank(at % count)),
        RuleLayout::Nest => {
            let values = i64::try_from(count).unwrap_or(i64::MAX);
            let (mut digits, mut left, mut size) = (0, at, 1);
            while size < len && count > 1 {
                digits = digits * values + rank(left % count) - 1;
                (left, size) = (left / count, size * count);
            }
            (if falling { -digits } else { digits }, inner(at))
        }
    }
}

/// The ranks after `len` steps. The steps are undone from the last to the first: each then has a
/// position and a rank among those that are left.
fn grown(steps: &[RuleStep], len: usize) -> Vec<u32> {
    let (mut positions, mut ranks) = (Left::new(len), Left::new(len));
    // The positions of the elements that are left, by their index in `positions`.
    let mut at: Vec<usize> = (0..len).collect();
    let mut found = vec![0; len];
    for before in (0..len).rev() {
        let step = steps[before % steps.len()];
        let part = |part: u8| before * usize::from(part.min(STEP_PARTS)) / usize::from(STEP_PARTS);
        let slot = positions.nth(part(step.place));
        let position = at[slot];
        if step.swap {
            let last = positions.nth(before);
            at[slot] = at[last];
            positions.remove(last);
        } else {
            positions.remove(slot);
        }
        let rank = ranks.nth(part(step.rank));
        ranks.remove(rank);
        found[position] = u32::try_from(rank).unwrap_or(u32::MAX);
    }
    found
}

/// The indices that are left of 0 … len - 1: a Fenwick tree of their counts.
struct Left(Vec<usize>);

impl Left {
    fn new(len: usize) -> Self {
        Self((0..=len).map(|at| at & at.wrapping_neg()).collect())
    }

    /// The index that has `before` others before it. There must be one.
    fn nth(&self, before: usize) -> usize {
        let (mut at, mut before) = (0, before);
        let mut jump = self.0.len().next_power_of_two();
        while jump > 0 {
            match self.0.get(at + jump) {
                Some(count) if *count <= before => (at, before) = (at + jump, before - count),
                _ => {}
            }
            jump /= 2;
        }
        at
    }

    fn remove(&mut self, index: usize) {
        let mut at = index + 1;
        while let Some(count) = self.0.get_mut(at) {
            *count -= 1;
            at += at & at.wrapping_neg();
        }
    }
}

/// The ranks of a rule, which are computed when the first is needed.
#[derive(Debug)]
pub(crate) struct Ranks {
    rule: Rule,
    len: usize,
    found: OnceLock<Vec<u32>>,
}

impl Ranks {
    pub(crate) fn new(rule: Rule, len: usize) -> Self {
        Self { rule, len, found: OnceLock::new() }
    }

    /// The rank of position i.
    #[inline]
    pub(crate) fn at(&self, i: u64) -> u64 {
        let ranks = self.found.get_or_init(|| self.rule.ranks(self.len));
        usize::try_from(i).ok().and_then(|i| ranks.get(i)).map_or(0, |rank| (*rank).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(rule: &str, len: usize) -> Vec<u32> {
        Rule::read(rule).unwrap().ranks(len)
    }

    /// The ranks after the steps were taken one by one.
    fn taken(steps: &[RuleStep], len: usize) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for before in 0..len {
            let step = steps[before % steps.len()];
            let part = |part: u8| before * usize::from(part) / usize::from(STEP_PARTS);
            let (place, rank) = (part(step.place), u32::try_from(part(step.rank)).unwrap());
            found.iter_mut().filter(|other| **other >= rank).for_each(|other| *other += 1);
            found.insert(if step.swap { before } else { place }, rank);
            if step.swap {
                found.swap(place, before);
            }
        }
        found
    }

    #[test]
    fn ranks_order_blocks_remainders_neighbours_and_digits() {
        assert_eq!(ranks("blocks 3 1 2", 6), [4, 5, 0, 1, 2, 3]);
        assert_eq!(ranks("blocks 3- 1! 2", 6), [5, 4, 0, 1, 2, 3]);
        assert_eq!(ranks("blocks 2! 1!", 4), [3, 0, 1, 2]);
        assert_eq!(ranks("deal 2 1", 5), [2, 0, 3, 1, 4]);
        assert_eq!(ranks("repeat 2 1", 5), [1, 0, 3, 2, 4]);
        assert_eq!(ranks("nest 1 2", 8), [0, 4, 2, 6, 1, 5, 3, 7], "reversed bits");
        assert_eq!(ranks("nest 1", 3), [0, 1, 2]);
    }

    #[test]
    fn every_rule_is_an_order_of_all_ranks() {
        let rules = ["blocks 2- 3! 1", "deal- 1 3 2", "repeat- 2 1", "nest 3 1 2", "nest- 2 1"];
        for rule in rules.into_iter().chain(["grow 24+0", "grow 12~24 7+13 0~0"]) {
            for len in 0..40 {
                let mut ranks = ranks(rule, len);
                ranks.sort_unstable();
                assert!(ranks.into_iter().eq(0..u32::try_from(len).unwrap()), "{rule} {len}");
            }
        }
    }

    #[test]
    fn steps_are_undone_to_what_they_make() {
        for text in ["grow 24+24", "grow 24+0", "grow 12~24", "grow 12+24 0~0", "grow 5+19 24~7"] {
            let rule = Rule::read(text).unwrap();
            assert_eq!(rule.to_string(), text);
            let Rule::Grow(steps) = &rule else { panic!("{rule:?}") };
            for len in [0, 1, 2, 3, 17, 64, 65] {
                assert_eq!(rule.ranks(len), taken(steps, len), "{text} {len}");
            }
        }
    }

    #[test]
    fn bad_rules_are_refused() {
        let problem = |text: &str| Rule::read(text).unwrap_err();
        assert_eq!(problem(""), "must have 1 to 256 ranks or steps after its word");
        assert_eq!(problem("grow"), problem(""));
        assert_eq!(problem(&"1 ".repeat(258)), problem(""));
        assert_eq!(problem("up 1"), "must begin with deal, repeat, nest, blocks or grow");
        assert_eq!(problem("nest 1 3"), "must have each rank from 1 to 2 once");
        assert_eq!(problem("deal 1 x"), problem("nest 1 3"));
        let of_step = "must be two numbers up to 24 with + or ~ between";
        assert_eq!(problem("grow 1+25"), format!("`1+25` {of_step}"));
        assert_eq!(problem("grow 1"), format!("`1` {of_step}"));
    }
}
