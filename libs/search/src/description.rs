//! A genome in words.

use crate::freedom;
use crate::gene::parts;
use crate::gene::{Amount, Aspect, Gene, Letters, Spot, Value, WHOLE, Width, Window, fibonacci};
use crate::genome::Genome;
use crate::render::{self, declared_alphabet};
use crate::space::Space;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{GraphShape, Order, Pattern, PointsShape, TreeShape};

/// A whole, in percent.
const PERCENT: u64 = 100;

impl Space {
    /// Describes the inputs of a genome: a phrase for each choice, such as "a: falling". Empty if
    /// the genome makes no choice.
    pub fn words(&self, genome: &Genome) -> Vec<String> {
        let phrase = |(spot, gene): &(Spot, Gene)| {
            let declared = self.declared(genome.candidate)?;
            let name = &freedom::variable(declared, *spot)?.name;
            let kind = self.kind(genome.candidate, *spot)?;
            Some(format!("{name}{}: {}", part(spot.aspect, kind), words(gene, kind)))
        };
        genome.genes.iter().filter_map(phrase).collect()
    }
}

/// Names the part of a variable that an aspect is about. Empty for the whole variable.
fn part(aspect: Aspect, kind: &Kind) -> String {
    match (aspect, kind) {
        (Aspect::Range(_), Kind::Tree(_) | Kind::Graph(_)) => ", weights".into(),
        (Aspect::Range(at), Kind::Queries(queries)) => {
            let fields = (1..).zip(&queries.variants).flat_map(|(kind, variant)| {
                (1..).zip(&variant.fields).map(move |(number, field)| (kind, number, field))
            });
            let range = fields.filter(|(.., field)| freedom::range(field).is_some()).nth(at);
            range.map_or_else(String::new, |(kind, number, _)| {
                format!(", kind {kind}, field {number}")
            })
        }
        _ => String::new(),
    }
}

fn words(gene: &Gene, kind: &Kind) -> String {
    match gene {
        Gene::Order(order, few) => match order {
            Order::Unspecified | Order::Random => "in random order".into(),
            Order::Sorted => "rising".into(),
            Order::Reversed => "falling".into(),
            Order::AllEqual => "all equal".into(),
            Order::FewDistinct => format!("only {} values", amount(*few)),
            Order::NearlySorted => "rising, with a few pairs swapped".into(),
            Order::OrganPipe => "rising, then falling".into(),
            Order::AntiQuicksort => "an order against median-of-three quicksort".into(),
            Order::AntiMiddlePivot => "an order against quicksort by the middle element".into(),
            Order::AntiHash => "keys of one bucket of libstdc++'s hash table".into(),
            Order::Rule => "ordered by a rule".into(),
        },
        Gene::Parts(parts) => format!("letters by the rule `{}`", parts::text(parts)),
        Gene::Rule(rule) => format!("ordered by the rule `{rule}`"),
        Gene::Range(range) => window(*range),
        Gene::Pattern(pattern, period) => pattern_words(*pattern, *period),
        Gene::Letters(letters) => format!("of {}", alphabet(*letters, kind)),
        Gene::Tree(shape) => match shape {
            TreeShape::Unspecified | TreeShape::Random => "a random tree",
            TreeShape::Path => "a path",
            TreeShape::Star => "a star",
            TreeShape::Caterpillar => "a caterpillar",
            TreeShape::Broom => "a broom: a path that ends in a star",
            TreeShape::Binary => "a complete binary tree",
        }
        .into(),
        Gene::Graph(more) => {
            let shape = match more.shape() {
                GraphShape::Layered => "layers, with edges from one to the next",
                GraphShape::Band => "a path, and edges between nodes that are near on it",
                _ => "random edges",
            };
            let promises = [
                (more.acyclic, ", without a cycle"),
                (more.connected, ", connected"),
                (more.simple, ", no edge twice"),
                (more.bipartite, ", bipartite"),
            ];
            let kept = promises.iter().filter(|(is_kept, _)| *is_kept).map(|(_, words)| *words);
            shape.to_owned() + &kept.collect::<String>()
        }
        Gene::Value(value) => match value {
            Value::Low => "the smallest allowed".into(),
            Value::High => "the largest allowed".into(),
            Value::Part(part) => format!("at {} % of its range", percent(*part)),
            Value::Power(power, 0) => format!("2^{power}, if allowed"),
            Value::Power(power, more) => format!("2^{power}{more:+}, if allowed"),
            Value::Fibonacci(index) => {
                format!("the Fibonacci number {}, if allowed", fibonacci(*index))
            }
            Value::Exact(number) => format!("{number}, if allowed"),
        },
        Gene::Length(length) => format!("lengths up to {}", amount(*length)),
        Gene::Kinds(weights) => kinds(weights),
        Gene::Step(Amount::Part(WHOLE)) => "multiples of n".into(),
        Gene::Step(step) => format!("multiples of {}", amount(*step)),
        Gene::Points(shape) => match shape {
            PointsShape::Unspecified | PointsShape::Random => "anywhere",
            PointsShape::Convex => "corners of a convex polygon",
            PointsShape::Line => "points of one line",
        }
        .into(),
        Gene::Nodes(nodes) => format!("edges between {} nodes only", amount(*nodes)),
    }
}

fn pattern_words(pattern: Pattern, period: Amount) -> String {
    match pattern {
        Pattern::Unspecified | Pattern::Random => "random letters".into(),
        Pattern::AllSame => "one letter, repeated".into(),
        Pattern::Periodic => format!("its first {} letters, repeated", amount(period)),
        Pattern::Fibonacci => "the Fibonacci word".into(),
        Pattern::ThueMorse => "the Thue–Morse word".into(),
        Pattern::LastDiffers => "one letter, repeated, and another one at the end".into(),
        Pattern::Balanced => "balanced brackets".into(),
        Pattern::Rule => "parts by a rule".into(),
    }
}

fn kinds(weights: &[u32]) -> String {
    let numbered = weights.iter().zip(1..).filter(|(weight, _)| **weight > 0);
    let named: Vec<_> = numbered.map(|(weight, kind)| format!("{weight} of kind {kind}")).collect();
    match named.as_slice() {
        [_] => {
            let only = weights.iter().position(|weight| *weight > 0).unwrap_or(0) + 1;
            format!("only queries of kind {only}")
        }
        _ => format!("in every {}: {}", weights.iter().sum::<u32>(), named.join(", ")),
    }
}

fn amount(amount: Amount) -> String {
    match amount {
        Amount::Fixed(amount) => amount.to_string(),
        Amount::Root => "√n".into(),
        Amount::Log => "log n".into(),
        Amount::Part(part) => format!("{} % of n", percent(part)),
    }
}

fn window(window: Window) -> String {
    match window {
        Window::Low(Width::Fixed(1)) => "all the smallest allowed".into(),
        Window::High(Width::Fixed(1)) => "all the largest allowed".into(),
        Window::Low(size) => format!("among {} smallest allowed", width(size)),
        Window::High(size) => format!("among {} largest allowed", width(size)),
        Window::At(from, Width::Fixed(1)) => format!("all at {} % of the range", percent(from)),
        Window::At(from, size) => {
            format!("among {} numbers from {} % of the range on", width(size), percent(from))
        }
        Window::Exact(number) => format!("all {number}, or the nearest allowed"),
        Window::From(from, Width::Fixed(count)) => {
            let last = from.saturating_add_unsigned(count.saturating_sub(1));
            format!("from {from} to {last}, or the nearest allowed")
        }
        Window::From(from, size) => format!("among {} numbers from {from} on", width(size)),
    }
}

fn width(width: Width) -> String {
    match width {
        Width::Fixed(count) => format!("the {count}"),
        Width::Length => "the n".into(),
        Width::Part(part) => format!("the {} % of the", percent(part)),
    }
}

fn alphabet(letters: Letters, kind: &Kind) -> String {
    let used = render::alphabet(Letters { often: 1, ..letters }, declared_alphabet(kind));
    let count = used.chars().count();
    let shown: String = used.chars().take(8).collect();
    let more = if count > 8 { "…" } else { "" };
    let first = used.chars().next().unwrap_or(' ');
    match (count, letters.often) {
        (1, _) => format!("the letter {first:?} alone"),
        (_, 1) => format!("the letters {shown}{more}"),
        (_, often) => format!("the letters {shown}{more}, {first:?} {often} times as often"),
    }
}

fn percent(part: u32) -> String {
    let tenths = (u64::from(part) * PERCENT * 10 + u64::from(WHOLE) / 2) / u64::from(WHOLE);
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}.{rest}", tenths / 10),
    }
}
