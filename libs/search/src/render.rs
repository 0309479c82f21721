//! Renders genes to a spec. The declared spec allows all inputs of this spec: a part of a range is
//! clamped to the range, an alphabet only loses letters, and promises are only added.

use crate::freedom::is_free;
use crate::gene::parts;
use crate::gene::{Amount, Aspect, Gene, Letters, Spot, Value, WHOLE, Width, Window, fibonacci};
use profiler_input::SIZE;
use profiler_input::limits::MAX_ALPHABET;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    InputSpec, Order, Pattern, Queries, QueryRange, QueryVariant, Scalar, Variable, layout,
    query_field,
};

/// The spec with these genes.
pub(crate) fn rendered(declared: &InputSpec, genes: &[(Spot, Gene)]) -> InputSpec {
    let mut spec = declared.clone();
    for (spot, gene) in genes {
        let variable = variable_mut(&mut spec, *spot);
        if let Some(kind) = variable.and_then(|variable| variable.kind.as_mut()) {
            put(gene, spot.aspect, kind);
        }
    }
    spec
}

fn variable_mut(spec: &mut InputSpec, spot: Spot) -> Option<&mut Variable> {
    let Some(part) = spot.case else { return spec.vars.get_mut(spot.variable) };
    match spec.layout.get_mut(part)?.kind.as_mut()? {
        layout::Kind::Repeat(repetition) => repetition.vars.get_mut(spot.variable),
        _ => None,
    }
}

fn put(gene: &Gene, aspect: Aspect, kind: &mut Kind) {
    let length = length(kind);
    match (gene, kind) {
        (Gene::Order(order, few), Kind::Array(array)) => {
            array.set_order(*order);
            array.distinct_values = match order {
                Order::FewDistinct => amount(*few, &array.len),
                _ => String::new(),
            };
        }
        (Gene::Order(order, _), Kind::Permutation(permutation)) => permutation.set_order(*order),
        (Gene::Rule(rule), Kind::Array(array)) => {
            (array.order, array.rule) = (Order::Rule.into(), rule.to_string());
        }
        (Gene::Rule(rule), Kind::Permutation(order)) => {
            (order.order, order.rule) = (Order::Rule.into(), rule.to_string());
        }
        (Gene::Range(window), kind) => put_range(*window, aspect, &length, kind),
        (Gene::Pattern(pattern, period), Kind::Text(text)) => {
            text.set_pattern(*pattern);
            text.period = match pattern {
                Pattern::Periodic => amount(*period, &text.len),
                _ => String::new(),
            };
        }
        (Gene::Parts(parts), Kind::Text(text)) => {
            (text.pattern, text.rule) = (Pattern::Rule.into(), parts::text(parts));
        }
        (Gene::Letters(letters), kind) => {
            let letters = alphabet(*letters, declared_alphabet(kind));
            match kind {
                Kind::Text(text) => text.alphabet = letters,
                Kind::Grid(grid) => grid.alphabet = letters,
                _ => {}
            }
        }
        (Gene::Tree(shape), Kind::Tree(tree)) => tree.set_shape(*shape),
        (Gene::Graph(more), Kind::Graph(graph)) => {
            graph.shape = more.shape;
            graph.acyclic |= more.acyclic;
            graph.connected |= more.connected;
            graph.simple |= more.simple;
            graph.bipartite |= more.bipartite;
        }
        (Gene::Value(chosen), Kind::Scalar(scalar)) => {
            let value = value(*chosen, &scalar.min, &scalar.max);
            *scalar = Scalar { value, ..Scalar::default() };
        }
        (Gene::Length(length), Kind::Intervals(intervals)) => {
            let range = format!("(({})-({}))", intervals.max, intervals.min);
            let declared = &intervals.max_length;
            let most = if declared.is_empty() { &range } else { declared };
            intervals.max_length = format!("min({most}, {})", amount(*length, most));
        }
        (Gene::Kinds(weights), Kind::Queries(queries)) => put_kinds(weights, queries),
        (Gene::Step(step), Kind::Array(array)) => {
            let step = amount(*step, &array.len);
            if array.min != "0" {
                // The numbers begin at the first multiple of the step.
                let (min, max) = (&array.min, &array.max);
                array.min = format!("min({max}, ({min}) + (0 - ({min})) % ({step}))");
            }
            array.step = step;
        }
        (Gene::Points(shape), Kind::Points(points)) => points.set_shape(*shape),
        (Gene::Nodes(nodes), Kind::Graph(graph)) => {
            graph.nodes = format!("min({}, {})", graph.nodes, amount(*nodes, &graph.nodes));
        }
        _ => {}
    }
}

/// Sets the frequencies of the kinds of queries. A kind with the frequency 0 is left out.
fn put_kinds(weights: &[u32], queries: &mut Queries) {
    let chosen = queries.variants.iter().zip(weights).filter(|(_, weight)| **weight > 0);
    let chosen: Vec<_> =
        chosen.map(|(variant, &weight)| QueryVariant { weight, ..variant.clone() }).collect();
    // The first query cannot remove anything.
    if chosen.iter().any(|variant: &QueryVariant| variant.removes == 0) {
        queries.variants = chosen;
    }
}

fn put_range(window: Window, aspect: Aspect, length: &str, kind: &mut Kind) {
    let narrow = |min: &mut String, max: &mut String| {
        (*min, *max) = narrowed(window, length, min, max);
    };
    match kind {
        Kind::Array(array) => {
            let declared = array.min.clone();
            narrow(&mut array.min, &mut array.max);
            let step = &array.step;
            if !step.is_empty() && array.min != declared {
                // The multiples of a declared step count from the declared minimum.
                let more = format!("(({}) - ({declared}))", array.min);
                array.min = format!("({declared}) + {more}/({step})*({step})");
            }
        }
        Kind::Matrix(matrix) => narrow(&mut matrix.min, &mut matrix.max),
        Kind::Points(points) => narrow(&mut points.min, &mut points.max),
        Kind::Intervals(intervals) => narrow(&mut intervals.min, &mut intervals.max),
        Kind::Tree(tree) => {
            tree.weights.iter_mut().for_each(|it| narrow(&mut it.min, &mut it.max));
        }
        Kind::Graph(graph) => {
            graph.weights.iter_mut().for_each(|it| narrow(&mut it.min, &mut it.max));
        }
        Kind::Queries(queries) => {
            let Aspect::Range(wanted) = aspect else { return };
            if let Some(range) = ranges_mut(queries).nth(wanted) {
                narrow(&mut range.min, &mut range.max);
            }
        }
        _ => {}
    }
}

/// The ranges of all kinds of queries, in the order in which spots number them.
fn ranges_mut(queries: &mut Queries) -> impl Iterator<Item = &mut QueryRange> {
    let fields = queries.variants.iter_mut().flat_map(|variant| &mut variant.fields);
    fields.filter_map(|field| match field.kind.as_mut()? {
        query_field::Kind::Number(range)
        | query_field::Kind::Interval(range)
        | query_field::Kind::List(range) => Some(range).filter(|range| is_free(range)),
        query_field::Kind::Literal(_)
        | query_field::Kind::Element(_)
        | query_field::Kind::Added(_) => None,
    })
}

/// Returns the number of elements of a variable, as an expression.
fn length(kind: &Kind) -> String {
    match kind {
        Kind::Array(array) => array.len.clone(),
        Kind::Text(text) => text.len.clone(),
        Kind::Points(points) => points.len.clone(),
        Kind::Intervals(intervals) => intervals.len.clone(),
        Kind::Queries(queries) => queries.len.clone(),
        Kind::Tree(tree) => tree.nodes.clone(),
        Kind::Graph(graph) => graph.nodes.clone(),
        _ => SIZE.into(),
    }
}

/// An amount as an expression; at least 1.
fn amount(amount: Amount, length: &str) -> String {
    match amount {
        Amount::Fixed(amount) => amount.max(1).to_string(),
        Amount::Root => format!("max(1, sqrt({length}))"),
        Amount::Log => format!("max(1, log2(max(1, {length})))"),
        Amount::Part(part) => format!("max(1, {})", part_of(length, part)),
    }
}

/// A fraction of an expression. Dividing first keeps large values within 64 bits, and adding the
/// share of the remainder keeps small values exact.
fn part_of(whole: &str, part: u32) -> String {
    match part {
        0 => "0".into(),
        WHOLE => format!("({whole})"),
        part => format!("({whole})/{WHOLE}*{part} + ({whole})%{WHOLE}*{part}/{WHOLE}"),
    }
}

/// The ends of a part of the range from `min` to `max`.
fn narrowed(window: Window, length: &str, min: &str, max: &str) -> (String, String) {
    let more = |width: Width| match width {
        Width::Fixed(width) => width.saturating_sub(1).to_string(),
        Width::Length => format!("max(0, {length} - 1)"),
        Width::Part(part) => part_of(&difference(min, max), part),
    };
    let up_to = |from: &str, width: Width| match width {
        Width::Fixed(1) => from.into(),
        width => format!("min({max}, {from} + {})", more(width)),
    };
    match window {
        Window::Low(width) => (min.into(), up_to(min, width)),
        Window::High(Width::Fixed(1)) => (max.into(), max.into()),
        Window::High(width) => (format!("max({min}, ({max}) - ({}))", more(width)), max.into()),
        Window::At(part, width) => {
            let from = format!("({min}) + {}", part_of(&difference(min, max), part));
            (from.clone(), up_to(&from, width))
        }
        Window::Exact(number) => {
            let nearest = nearest(&number.to_string(), min, max);
            (nearest.clone(), nearest)
        }
        Window::From(number, width) => {
            let last = format!("({max}) - {}", more(width));
            let from = format!("max({min}, min({last}, {number}))");
            (from.clone(), up_to(&from, width))
        }
    }
}

fn difference(min: &str, max: &str) -> String {
    if min == "0" { max.into() } else { format!("({max})-({min})") }
}

fn nearest(number: &str, min: &str, max: &str) -> String {
    format!("max({min}, min({max}, {number}))")
}

fn value(value: Value, min: &str, max: &str) -> String {
    match value {
        Value::Low => min.into(),
        Value::High => max.into(),
        Value::Part(part) => format!("({min}) + {}", part_of(&difference(min, max), part)),
        Value::Power(power, more) => nearest(&format!("2^{power} + {more}"), min, max),
        Value::Fibonacci(index) => nearest(&fibonacci(index).to_string(), min, max),
        Value::Exact(number) => nearest(&number.to_string(), min, max),
    }
}

/// The alphabet of a string or a grid.
pub(crate) fn declared_alphabet(kind: &Kind) -> &str {
    match kind {
        Kind::Grid(grid) => &grid.alphabet,
        Kind::Text(text) => text.letters(),
        _ => "",
    }
}

/// The alphabet of the chosen letters of `all`. The first letter is repeated if it is drawn more
/// often.
pub(crate) fn alphabet(letters: Letters, all: &str) -> String {
    let mut distinct: Vec<char> = Vec::new();
    for letter in all.chars() {
        if !distinct.contains(&letter) {
            distinct.push(letter);
        }
    }
    let count = usize::from(letters.count).clamp(1, distinct.len().max(1));
    let from = usize::from(letters.first) % distinct.len().max(1);
    let chosen: Vec<char> =
        distinct.iter().cycle().skip(from).take(count.min(distinct.len())).copied().collect();
    let often = usize::from(letters.often.max(1)).min(MAX_ALPHABET.saturating_sub(chosen.len()));
    let first = chosen.first().map(|first| first.to_string().repeat(often));
    first.into_iter().chain([chosen.iter().skip(1).collect()]).collect()
}
