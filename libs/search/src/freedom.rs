//! Choices that a spec leaves open. Fields that have their defaults, such as a random order or
//! shape, can be set. Ranges and alphabets can be narrowed. Other fields that a spec sets are not
//! changed, nor are the edges of a graph with two sides.

use crate::gene::{Aspect, Spot};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    InputSpec, Layout, Order, QueryField, QueryRange, Variable, layout, query_field,
};

/// Every choice that the spec leaves open.
pub(crate) fn spots(spec: &InputSpec) -> Vec<Spot> {
    let mut spots = of_variables(None, &spec.vars);
    for (part, layout) in spec.layout.iter().enumerate() {
        spots.extend(of_variables(Some(part), vars_of_cases(layout)));
    }
    spots
}

fn of_variables(case: Option<usize>, vars: &[Variable]) -> Vec<Spot> {
    let all = vars.iter().enumerate().flat_map(|(variable, declared)| {
        let open = declared.kind.as_ref().map(aspects).unwrap_or_default().into_iter();
        open.map(move |aspect| Spot { case, variable, aspect })
    });
    all.collect()
}

/// The variable of a spot.
pub(crate) fn variable(spec: &InputSpec, spot: Spot) -> Option<&Variable> {
    let vars = spot.case.map_or(Some(&*spec.vars), |part| spec.layout.get(part).map(vars_of_cases));
    vars?.get(spot.variable)
}

/// The variables of the cases in a part of a layout.
fn vars_of_cases(part: &Layout) -> &[Variable] {
    match &part.kind {
        Some(layout::Kind::Repeat(repetition)) => &repetition.vars,
        _ => &[],
    }
}

/// Whether an enum of a spec has the value RANDOM, or UNSPECIFIED, which means RANDOM.
fn is_random(value: i32) -> bool {
    value <= 1
}

/// The range of a field of a query, if it has one. Numbers that depend on those of other queries
/// have none.
pub(crate) fn range(field: &QueryField) -> Option<&QueryRange> {
    use query_field::Kind::{Interval, List, Number};
    match field.kind.as_ref()? {
        Number(range) | Interval(range) | List(range) => Some(range).filter(|it| is_free(it)),
        query_field::Kind::Literal(_)
        | query_field::Kind::Element(_)
        | query_field::Kind::Added(_) => None,
    }
}

/// Whether numbers of the range do not depend on those of other queries.
pub(crate) fn is_free(range: &QueryRange) -> bool {
    !(range.unique || range.rising || range.grows)
}

fn aspects(kind: &Kind) -> Vec<Aspect> {
    let all = match kind {
        Kind::Scalar(it) => vec![(it.value.is_empty(), Aspect::Value)],
        Kind::Array(it) => {
            let has_step = !it.step.is_empty() || it.order() == Order::AntiHash;
            let order = (is_random(it.order), Aspect::Order);
            vec![order, (true, Aspect::Range(0)), (!has_step, Aspect::Step)]
        }
        Kind::Permutation(it) => vec![(is_random(it.order), Aspect::Order)],
        Kind::Matrix(_) => vec![(true, Aspect::Range(0))],
        Kind::Points(it) => vec![(is_random(it.shape), Aspect::Points), (true, Aspect::Range(0))],
        Kind::Grid(_) => vec![(true, Aspect::Letters)],
        Kind::Text(it) => {
            let is_one = it.rows.is_empty() && it.min_len.is_empty() && !it.distinct;
            let open = is_random(it.pattern);
            vec![(open && is_one, Aspect::Pattern), (open, Aspect::Letters)]
        }
        Kind::Tree(it) => {
            vec![(is_random(it.shape), Aspect::Tree), (it.weights.is_some(), Aspect::Range(0))]
        }
        Kind::Graph(it) => {
            let open = is_random(it.shape) && it.other_side.is_empty();
            vec![(open, Aspect::Graph), (it.weights.is_some(), Aspect::Range(0))]
        }
        Kind::Intervals(_) => vec![(true, Aspect::Range(0)), (true, Aspect::Length)],
        Kind::Queries(it) => {
            let fields = it.variants.iter().flat_map(|variant| &variant.fields);
            let ranges = fields.filter_map(range).enumerate();
            // Smaller ranges have fewer different queries.
            let ranges = ranges.map(|(at, _)| (!it.distinct, Aspect::Range(at)));
            [(it.variants.len() > 1, Aspect::Kinds)].into_iter().chain(ranges).collect()
        }
    };
    all.into_iter().filter_map(|(is_open, aspect)| is_open.then_some(aspect)).collect()
}
