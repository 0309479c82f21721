//! Genomes of stress tests, whose inputs have values that independent draws from wide ranges
//! seldom have: equal and opposite numbers, the ends of a range, powers, few letters, few edges.
//!
//! All numbers of an input come from one small neighbourhood, its theme. So not only two numbers of
//! one variable meet, but also a number of a list and a number in question.

use crate::freedom::range;
use crate::gene::{Amount, Aspect, Gene, Letters, Spot, Value, WHOLE, Width, Window};
use crate::genome::Genome;
use crate::named;
use crate::random::Random;
use crate::space::Space;
use profiler_input::evaluate;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Order, PointsShape};

/// Widths of themes: amounts of numbers. Narrow ones are likelier.
const WIDTHS: [u64; 7] = [1, 2, 2, 3, 3, 5, 9];
/// Probabilities in percent: that a range has the theme of its input, that another range has a
/// theme of its own, and that another choice is made.
const THEME: usize = 80;
const OWN_THEME: usize = 50;
const CHOICE: usize = 35;
/// Probability in percent that letters are narrowed.
const LETTERS: usize = 75;
/// Maximum number of letters.
const MAX_LETTERS: u8 = 3;
/// Largest prime that is drawn, so that finding one takes no time.
const MAX_PRIME: u64 = 1 << 20;
/// Parts of the nodes of a graph that have edges.
const PARTS: [u32; 3] = [WHOLE / 4, WHOLE / 2, WHOLE / 4 * 3];
/// Size above which an input has many elements.
const MANY: u64 = 32;
/// Bits of the largest number in a theme. A little more fits an `i64`.
const MAX_BITS: u32 = 62;

/// A neighbourhood of numbers.
#[derive(Debug, Clone, Copy)]
struct Theme {
    place: Place,
    /// Amount of its numbers.
    width: u64,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// The smallest numbers of each range.
    Low,
    /// The largest numbers of each range.
    High,
    /// Numbers from this one on.
    From(i64),
}

/// Extent of the ranges of a candidate at one size.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    n: u64,
    /// Largest magnitude.
    most: u64,
    has_negative: bool,
}

impl Space {
    /// The genome of input `seed` of size n in a stress test. Every other one is narrow.
    pub fn stress(&self, candidate: usize, seed: u32, n: u64) -> Genome {
        let declared = Genome::declared(candidate, seed);
        if (u64::from(seed) + n).is_multiple_of(2) {
            return declared;
        }
        let mut random = Random::new(seed).substream(n);
        let reach = Reach { n, ..self.reach(candidate, n) };
        let theme = Theme::draw(reach, &mut random);
        let mut narrow = declared;
        for spot in self.open(candidate) {
            let Some(kind) = self.kind(candidate, spot) else { continue };
            if let Some(gene) = choice(spot, kind, theme, reach, &mut random) {
                narrow = narrow.with(spot, gene);
            }
        }
        narrow
    }

    /// The choices of a genome, and the nodes of graphs that may be disconnected.
    fn open(&self, candidate: usize) -> Vec<Spot> {
        let spots = self.spots(candidate).iter();
        let with_nodes = spots.flat_map(|&spot| {
            let graph = match (spot.aspect, self.kind(candidate, spot)) {
                (Aspect::Graph, Some(Kind::Graph(graph))) => Some(graph),
                _ => None,
            };
            let nodes = graph.filter(|graph| !graph.connected);
            [Some(spot), nodes.map(|_| Spot { aspect: Aspect::Nodes, ..spot })]
        });
        with_nodes.flatten().collect()
    }

    /// The magnitudes that the ranges allow. Ends that depend on other variables do not count.
    fn reach(&self, candidate: usize, n: u64) -> Reach {
        let mut reach = Reach::default();
        let kinds = self.spots(candidate).iter().filter_map(|spot| self.kind(candidate, *spot));
        for end in kinds.flat_map(ends) {
            let known = |name: &str| self.known(name, n);
            let Ok(value) = evaluate(end, &known) else { continue };
            reach.most = reach.most.max(value.unsigned_abs());
            reach.has_negative |= value < 0;
        }
        reach
    }
}

impl Theme {
    fn draw(reach: Reach, random: &mut Random) -> Self {
        let near_zero = if reach.has_negative { -random.signed(4) } else { random.signed(2) };
        let place = match random.below(8) {
            // The sum of many large numbers can overflow.
            0..=2 if reach.n > MANY => Place::High,
            0..=2 => Place::From(near_zero),
            3 => Place::Low,
            4 => Place::High,
            _ => Place::From(special(reach, random).saturating_sub(random.signed(2))),
        };
        Self { place, width: random.pick(&WIDTHS).copied().unwrap_or(1) }
    }

    fn window(self, width: Width) -> Window {
        match self.place {
            Place::Low => Window::Low(width),
            Place::High => Window::High(width),
            Place::From(number) => Window::From(number, width),
        }
    }

    /// One number of the theme, or sometimes the sum or the product of two.
    fn value(self, random: &mut Random) -> Value {
        let from = match self.place {
            Place::Low => return Value::Low,
            Place::High => return Value::High,
            Place::From(from) => from,
        };
        let mut number = || from.saturating_add_unsigned(random.up_to(self.width - 1));
        let (one, other) = (number(), number());
        Value::Exact(match random.below(6) {
            0 => one.saturating_add(other),
            1 => one.saturating_mul(other),
            _ => one,
        })
    }
}

/// A number of a special form: a power of 2 or 10, a square, or a prime.
fn special(reach: Reach, random: &mut Random) -> i64 {
    let bits = (u64::BITS - reach.most.leading_zeros()).clamp(1, MAX_BITS);
    let positive = match random.below(6) {
        0 | 1 => 1 << random.up_to(bits.into()),
        2 => {
            let exponent = random.up_to(reach.most.max(1).ilog10().into());
            10_u64.saturating_pow(u32::try_from(exponent).unwrap_or(0))
        }
        3 | 4 => of_magnitude(bits.div_ceil(2), random).pow(2),
        _ => {
            let from = of_magnitude(bits, random).min(MAX_PRIME);
            (from..2 * MAX_PRIME).find(|&number| is_prime(number)).unwrap_or(2)
        }
    };
    let number = i64::try_from(positive).unwrap_or(i64::MAX);
    if reach.has_negative && random.chance(50) { -number } else { number }
}

/// A number of at most this many bits. How many it has is random.
fn of_magnitude(bits: u32, random: &mut Random) -> u64 {
    let least = 1 << random.up_to(u64::from(bits) - 1);
    least + random.up_to(least - 1)
}

fn is_prime(number: u64) -> bool {
    number > 1 && (2..=number.isqrt()).all(|it| !number.is_multiple_of(it))
}

/// The ends of the ranges of a variable.
fn ends(kind: &Kind) -> Vec<&str> {
    match kind {
        Kind::Scalar(it) => vec![&it.min, &it.max],
        Kind::Array(it) => vec![&it.min, &it.max],
        Kind::Matrix(it) => vec![&it.min, &it.max],
        Kind::Points(it) => vec![&it.min, &it.max],
        Kind::Intervals(it) => vec![&it.min, &it.max],
        Kind::Tree(it) => it.weights.iter().flat_map(|it| [&*it.min, &it.max]).collect(),
        Kind::Graph(it) => it.weights.iter().flat_map(|it| [&*it.min, &it.max]).collect(),
        Kind::Queries(it) => {
            let ranges = it.variants.iter().flat_map(|it| &it.fields).filter_map(range);
            ranges.flat_map(|it| [&*it.min, &it.max]).collect()
        }
        Kind::Permutation(_) | Kind::Grid(_) | Kind::Text(_) => Vec::new(),
    }
}

/// A choice of a narrow genome; `None` if the spot is left to the candidate.
fn choice(
    spot: Spot,
    kind: &Kind,
    theme: Theme,
    reach: Reach,
    random: &mut Random,
) -> Option<Gene> {
    let is_themed = random.chance(THEME);
    let own = Theme::draw(reach, random);
    let is_made = match spot.aspect {
        Aspect::Range(_) | Aspect::Value => is_themed || random.chance(OWN_THEME),
        Aspect::Letters => random.chance(LETTERS),
        _ => random.chance(CHOICE),
    };
    let theme = if is_themed { theme } else { own };
    is_made.then(|| gene(spot, kind, theme, random)).flatten()
}

/// A narrow gene of a spot.
fn gene(spot: Spot, kind: &Kind, theme: Theme, random: &mut Random) -> Option<Gene> {
    let few = |random: &mut Random| Amount::Fixed(random.up_to(2) + 1);
    Some(match spot.aspect {
        Aspect::Range(_) => {
            let is_distinct = match kind {
                Kind::Array(array) => array.distinct,
                Kind::Points(points) => points.distinct,
                _ => false,
            };
            let width = if is_distinct { Width::Length } else { Width::Fixed(theme.width) };
            Gene::Range(theme.window(width))
        }
        Aspect::Value => Gene::Value(theme.value(random)),
        Aspect::Order => match named::draw(spot, kind, random)? {
            Gene::Order(Order::AntiHash, _) => return None,
            Gene::Order(order, _) => Gene::Order(order, few(random)),
            other => other,
        },
        Aspect::Pattern => match named::draw(spot, kind, random)? {
            Gene::Pattern(pattern, _) => Gene::Pattern(pattern, few(random)),
            other => other,
        },
        Aspect::Letters => {
            let count = random.byte(MAX_LETTERS - 1) + 1;
            Gene::Letters(Letters { first: random.byte(u8::MAX), count, often: 1 })
        }
        Aspect::Length => Gene::Length(few(random)),
        Aspect::Nodes if random.chance(50) => Gene::Nodes(few(random)),
        Aspect::Nodes => Gene::Nodes(Amount::Part(*random.pick(&PARTS)?)),
        Aspect::Points => Gene::Points(PointsShape::Line),
        Aspect::Tree | Aspect::Graph | Aspect::Kinds => named::draw(spot, kind, random)?,
        Aspect::Step => return None,
    })
}
