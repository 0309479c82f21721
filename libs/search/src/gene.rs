//! The choices that a genome can make. Each says how one aspect of one variable is drawn.

pub(crate) mod parts;
pub(crate) mod rules;

use crate::random::Random;
use profiler_input::spec::{Graph, Order, Pattern, PointsShape, TreeShape};
use profiler_input::{Rule, TextPart};

/// The denominator of fractions. It is large enough to reach each number of a range of a million.
pub(crate) const WHOLE: u32 = 1 << WHOLE_BITS;
const WHOLE_BITS: usize = 20;
/// Largest exponent of a power of two that is tried as the value of a scalar.
const MAX_POWER: u8 = 62;
/// Index of the largest Fibonacci number that fits an `i64`.
const MAX_FIBONACCI: u8 = 92;
/// Maximum number of letters in a narrowed alphabet.
const MAX_LETTERS: u8 = 4;
/// Factors by which the first letter can be drawn more often than each other letter.
const OFTEN: [u8; 4] = [1, 4, 16, 64];
/// Fixed amounts that are drawn.
const AMOUNTS: [u64; 8] = [1, 2, 3, 4, 5, 8, 16, 64];
/// Largest exponents of the powers of two and of ten that are tried as a step.
const MAX_STEP_POWER: usize = 24;
const MAX_STEP_DIGITS: usize = 7;
/// Primes that programs use as sizes of hash tables.
const TABLE_SIZES: [u64; 7] = [1009, 10_007, 100_003, 131_071, 999_983, 1_000_003, 1_000_000_007];

/// Place of a gene: an aspect of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// The index of the part of the layout whose cases have the variable; `None` outside of cases.
    pub(crate) case: Option<usize>,
    /// The index of the variable.
    pub(crate) variable: usize,
    /// Aspect of the variable.
    pub(crate) aspect: Aspect,
}

/// An aspect of a variable that a spec can leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aspect {
    /// The order of numbers.
    Order,
    /// The part of a range that is used. Queries have several ranges, which are numbered from 0.
    Range(usize),
    /// The pattern of a string.
    Pattern,
    /// Letters that are used, and their frequencies.
    Letters,
    /// The shape of a tree.
    Tree,
    /// The shape of a graph.
    Graph,
    /// The value of a random scalar.
    Value,
    /// The length of intervals.
    Length,
    /// Frequency of each kind of query.
    Kinds,
    /// The number of which all numbers are multiples. Genes are rendered in the order of this enum,
    /// so a step is rendered after the part of a range.
    Step,
    /// Arrangement of points.
    Points,
    /// The nodes of a graph that have edges.
    Nodes,
}

/// A positive amount that can grow with a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// This many.
    Fixed(u64),
    /// The square root of the length.
    Root,
    /// The logarithm of the length.
    Log,
    /// This part of the length, in units of 1/[`WHOLE`].
    Part(u32),
}

/// A part of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    /// The smallest numbers of the range.
    Low(Width),
    /// The largest numbers of the range.
    High(Width),
    /// Numbers from this fraction of the range on, in units of 1/[`WHOLE`].
    At(u32, Width),
    /// This number, or the nearest number of the range.
    Exact(i64),
    /// This number and those after it, or the nearest number of the range.
    From(i64, Width),
}

/// Size of a part of a range: how many numbers it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// This many.
    Fixed(u64),
    /// The number of elements of the variable.
    Length,
    /// This part of the range, in units of 1/[`WHOLE`].
    Part(u32),
}

/// The value of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// The smallest number of the range.
    Low,
    /// The largest number of the range.
    High,
    /// The number at this fraction of the range, in units of 1/[`WHOLE`].
    Part(u32),
    /// Two to the power of the first number, plus the second, clamped to the range.
    Power(u8, i8),
    /// The Fibonacci number with this index, or the nearest number of the range.
    Fibonacci(u8),
    /// This number, or the nearest number of the range.
    Exact(i64),
}

/// The letters of an alphabet that are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letters {
    /// Index of the first used letter, modulo the length of the alphabet.
    pub(crate) first: u8,
    /// Number of used letters: the first one, and those that follow it.
    pub(crate) count: u8,
    /// Factor by which the first used letter is drawn more often than each other one.
    pub(crate) often: u8,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gene {
    /// The order, and the number of distinct values for [`Order::FewDistinct`].
    Order(Order, Amount),
    /// The parts of a string.
    Parts(Vec<TextPart>),
    /// An order by a rule.
    Rule(Rule),
    Range(Window),
    /// The pattern, and its period if it has one.
    Pattern(Pattern, Amount),
    Letters(Letters),
    Tree(TreeShape),
    /// A graph with the chosen shape, and with the flags that are set besides the declared ones.
    Graph(Graph),
    Value(Value),
    Length(Amount),
    /// The relative frequency of each kind of query. A kind with the frequency 0 does not occur.
    Kinds(Vec<u32>),
    /// The number of which all numbers are multiples.
    Step(Amount),
    Points(PointsShape),
    /// Only this many nodes have edges.
    Nodes(Amount),
}

impl Amount {
    pub(crate) fn draw(random: &mut Random) -> Self {
        match random.below(6) {
            0 => Self::Root,
            1 => Self::Log,
            2 | 3 => Self::Part(fraction(random)),
            _ => Self::Fixed(random.pick(&AMOUNTS).copied().unwrap_or(1)),
        }
    }

    fn nudged(self, random: &mut Random) -> Self {
        match self {
            Self::Fixed(amount) => Self::Fixed(near(amount, random).max(1)),
            Self::Part(part) => Self::Part(near_part(part, random)),
            Self::Root | Self::Log => Self::draw(random),
        }
    }
}

impl Width {
    fn draw(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self::Length,
            1 => Self::Part(fraction(random)),
            _ => Self::Fixed(random.pick(&AMOUNTS).copied().unwrap_or(1)),
        }
    }

    fn nudged(self, random: &mut Random) -> Self {
        match self {
            Self::Fixed(width) => Self::Fixed(near(width, random).max(1)),
            Self::Part(part) => Self::Part(near_part(part, random)),
            Self::Length => Self::draw(random),
        }
    }
}

impl Window {
    pub(crate) fn draw(random: &mut Random) -> Self {
        match random.below(7) {
            0 | 1 => Self::Low(Width::draw(random)),
            2 | 3 => Self::High(Width::draw(random)),
            4 | 5 => Self::At(fraction(random), Width::draw(random)),
            _ => Self::Exact(number(random)),
        }
    }

    fn nudged(self, random: &mut Random) -> Self {
        match self {
            Self::Low(width) => Self::Low(width.nudged(random)),
            Self::High(width) => Self::High(width.nudged(random)),
            Self::At(from, width) if random.chance(50) => Self::At(near_part(from, random), width),
            Self::At(from, width) => Self::At(from, width.nudged(random)),
            Self::Exact(number) => Self::Exact(near_number(number, random)),
            Self::From(number, width) => Self::From(near_number(number, random), width),
        }
    }
}

impl Value {
    pub(crate) fn draw(random: &mut Random) -> Self {
        match random.below(7) {
            0 => Self::Low,
            1 => Self::High,
            2 | 3 => Self::Part(fraction(random)),
            4 => Self::Power(random.byte(MAX_POWER), *random.pick(&[-1, 0, 1]).unwrap_or(&0)),
            5 => Self::Fibonacci(random.byte(MAX_FIBONACCI)),
            _ => Self::Exact(number(random)),
        }
    }

    fn nudged(self, random: &mut Random) -> Self {
        match self {
            Self::Part(part) => Self::Part(near_part(part, random)),
            Self::Power(power, more) if random.chance(50) => {
                let power = if random.chance(50) { power + 1 } else { power.saturating_sub(1) };
                Self::Power(power.min(MAX_POWER), more)
            }
            Self::Power(power, _) => Self::Power(power, *random.pick(&[-1, 0, 1]).unwrap_or(&0)),
            Self::Fibonacci(index) => {
                let near = if random.chance(50) { index + 1 } else { index.saturating_sub(1) };
                Self::Fibonacci(near.min(MAX_FIBONACCI))
            }
            Self::Exact(number) => Self::Exact(near_number(number, random)),
            Self::Low | Self::High => Self::draw(random),
        }
    }
}

impl Letters {
    pub(crate) fn draw(random: &mut Random) -> Self {
        Self {
            first: random.byte(u8::MAX),
            count: random.byte(MAX_LETTERS - 1) + 1,
            often: *random.pick(&OFTEN).unwrap_or(&1),
        }
    }
}

impl Gene {
    /// A copy of this gene with one parameter changed.
    pub(crate) fn nudged(&self, random: &mut Random) -> Self {
        match self {
            Self::Order(order, few) => Self::Order(*order, few.nudged(random)),
            Self::Parts(parts) => Self::Parts(parts::nudged(parts, random)),
            Self::Rule(rule) => Self::Rule(rules::nudged(rule, random)),
            Self::Range(window) => Self::Range(window.nudged(random)),
            Self::Pattern(pattern, period) => Self::Pattern(*pattern, period.nudged(random)),
            Self::Letters(letters) => Self::Letters(match random.below(3) {
                0 => Letters { first: letters.first.wrapping_add(1), ..*letters },
                1 => Letters { count: letters.count % MAX_LETTERS + 1, ..*letters },
                _ => Letters { often: Letters::draw(random).often, ..*letters },
            }),
            Self::Value(value) => Self::Value(value.nudged(random)),
            Self::Length(amount) => Self::Length(amount.nudged(random)),
            Self::Kinds(weights) => Self::Kinds(kinds(weights.len(), random)),
            Self::Step(step) => Self::Step(step.nudged(random)),
            Self::Tree(_) | Self::Graph(_) | Self::Points(_) => self.clone(),
            Self::Nodes(nodes) => Self::Nodes(nodes.nudged(random)),
        }
    }
}

/// The Fibonacci number with this index: 0, 1, 1, 2 and so on.
pub(crate) fn fibonacci(index: u8) -> i64 {
    let step = |(a, b): (i64, i64), _| (b, a.saturating_add(b));
    (0..index).fold((0, 1), step).0
}

/// The number of which all numbers are multiples.
pub(crate) fn step(random: &mut Random) -> Amount {
    let power = |base: u64, exponent: usize| {
        Amount::Fixed(base.saturating_pow(u32::try_from(exponent).unwrap_or(0)))
    };
    match random.below(6) {
        0 | 1 => power(2, 1 + random.below(MAX_STEP_POWER)),
        2 => power(10, 1 + random.below(MAX_STEP_DIGITS)),
        3 => Amount::Fixed(random.pick(&TABLE_SIZES).copied().unwrap_or(1)),
        4 => Amount::Part(WHOLE),
        _ => Amount::Fixed(number(random).unsigned_abs().max(1)),
    }
}

/// Random frequencies of `count` kinds of queries, not all of them 0.
pub(crate) fn kinds(count: usize, random: &mut Random) -> Vec<u32> {
    let mut weights: Vec<u32> =
        (0..count).map(|_| *random.pick(&[0, 1, 1, 4, 16]).unwrap_or(&1)).collect();
    if weights.iter().all(|weight| *weight == 0) {
        let at = random.below(count);
        weights.iter_mut().skip(at).take(1).for_each(|weight| *weight = 1);
    }
    weights
}

/// A random fraction. Its number of significant bits is random too.
fn fraction(random: &mut Random) -> u32 {
    let bits = random.below(WHOLE_BITS);
    let part = random.below(1 << (bits + 1)) << (WHOLE_BITS - 1 - bits);
    u32::try_from(part).unwrap_or(WHOLE).min(WHOLE)
}

fn near_part(part: u32, random: &mut Random) -> u32 {
    let step = 1 << random.below(WHOLE_BITS - 2);
    let near =
        if random.chance(50) { part.saturating_add(step) } else { part.saturating_sub(step) };
    near.min(WHOLE)
}

fn near(amount: u64, random: &mut Random) -> u64 {
    match random.below(4) {
        0 => amount.saturating_mul(2),
        1 => amount / 2,
        2 => amount.saturating_add(1),
        _ => amount.saturating_sub(1),
    }
}

/// A random number of any magnitude.
fn number(random: &mut Random) -> i64 {
    let bits = random.below(62);
    let magnitude = i64::try_from(random.word() >> (63 - bits)).unwrap_or(0);
    if random.chance(85) { magnitude } else { -magnitude }
}

fn near_number(number: i64, random: &mut Random) -> i64 {
    let bits = 64 - number.unsigned_abs().leading_zeros() as usize;
    let step = 1_i64.checked_shl(u32::try_from(random.below(bits + 1)).unwrap_or(0)).unwrap_or(1);
    match random.below(8) {
        0 => number.saturating_mul(2),
        1 => number / 2,
        2 => number.saturating_add(1),
        3 => number.saturating_sub(1),
        4 | 5 => number.saturating_add(step),
        _ => number.saturating_sub(step),
    }
}
