//! Choices that a spec leaves open. A field that is left at its default is open: a random order, a
//! random shape. What a spec says is not changed.

use crate::gene::{Aspect, Spot};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{InputSpec, Layout, Order, Variable, layout, query_field};

/// All that the spec leaves open.
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

/// Whether the value of an enum of a spec is RANDOM, or UNSPECIFIED, which means the same.
fn is_random(value: i32) -> bool {
    value <= 1
}

fn aspects(kind: &Kind) -> Vec<Aspect> {
    let mut open = Vec::new();
    let mut add = |is_open: bool, aspect: Aspect| open.extend(is_open.then_some(aspect));
    match kind {
        Kind::Scalar(scalar) => add(scalar.value.is_empty(), Aspect::Value),
        Kind::Array(array) => {
            add(is_random(array.order), Aspect::Order);
            add(true, Aspect::Range(0));
            add(array.step.is_empty() && array.order() != Order::AntiHash, Aspect::Step);
        }
        Kind::Permutation(permutation) => {
            add(is_random(permutation.order), Aspect::Order);
        }
        Kind::Matrix(_) => add(true, Aspect::Range(0)),
        Kind::Points(points) => {
            add(is_random(points.shape), Aspect::Points);
            add(true, Aspect::Range(0));
        }
        Kind::Grid(_) => add(true, Aspect::Letters),
        Kind::Text(text) => {
            add(is_random(text.pattern), Aspect::Pattern);
            add(is_random(text.pattern), Aspect::Letters);
        }
        Kind::Tree(tree) => {
            add(is_random(tree.shape), Aspect::Tree);
            add(tree.weights.is_some(), Aspect::Range(0));
        }
        Kind::Graph(graph) => {
            add(is_random(graph.shape), Aspect::Graph);
            add(graph.weights.is_some(), Aspect::Range(0));
        }
        Kind::Intervals(_) => {
            add(true, Aspect::Range(0));
            add(true, Aspect::Length);
        }
        Kind::Queries(queries) => {
            add(queries.variants.len() > 1, Aspect::Kinds);
            let fields = queries.variants.iter().flat_map(|variant| &variant.fields);
            let ranges =
                fields.filter(|it| !matches!(it.kind, Some(query_field::Kind::Literal(_))));
            (0..ranges.count()).for_each(|range| add(true, Aspect::Range(range)));
        }
    }
    open
}
