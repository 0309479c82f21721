//! Choices that a spec leaves open. A field that is left at its default is open: a random order, a
//! random shape. What a spec says is not changed.

use crate::gene::{Aspect, Spot};
use profiler_input::Spec;
use profiler_input::spec::{
    Field, GraphShape, Kind, Layout, Order, Pattern, PointsShape, Queries, TreeShape, Variable,
};

/// All that the spec leaves open.
pub(crate) fn spots(spec: &Spec) -> Vec<Spot> {
    let mut spots = of_variables(None, &spec.vars);
    for (part, layout) in spec.layout.iter().enumerate() {
        if let Layout::Repeat(repetition) = layout {
            spots.extend(of_variables(Some(part), &repetition.vars));
        }
    }
    spots
}

fn of_variables(case: Option<usize>, vars: &[Variable]) -> Vec<Spot> {
    let all = vars.iter().enumerate().flat_map(|(variable, declared)| {
        let aspects = aspects(&declared.kind).into_iter();
        aspects.map(move |aspect| Spot { case, variable, aspect })
    });
    all.collect()
}

/// The variable of a spot.
pub(crate) fn variable(spec: &Spec, spot: Spot) -> Option<&Variable> {
    let Some(part) = spot.case else { return spec.vars.get(spot.variable) };
    match spec.layout.get(part)? {
        Layout::Repeat(repetition) => repetition.vars.get(spot.variable),
        _ => None,
    }
}

fn aspects(kind: &Kind) -> Vec<Aspect> {
    let mut open = Vec::new();
    let mut add = |is_open: bool, aspect: Aspect| open.extend(is_open.then_some(aspect));
    match kind {
        Kind::Scalar(scalar) => add(scalar.value.is_none(), Aspect::Value),
        Kind::Array(array) => {
            add(array.order == Order::Random, Aspect::Order);
            add(true, Aspect::Range(0));
            add(array.step.is_none() && array.order != Order::AntiHash, Aspect::Step);
        }
        Kind::Permutation(permutation) => {
            add(permutation.order == Order::Random, Aspect::Order);
        }
        Kind::Matrix(_) => add(true, Aspect::Range(0)),
        Kind::Points(points) => {
            add(points.shape == PointsShape::Random, Aspect::Points);
            add(true, Aspect::Range(0));
        }
        Kind::Grid(_) => add(true, Aspect::Letters),
        Kind::Text(text) => {
            add(text.pattern == Pattern::Random, Aspect::Pattern);
            add(text.pattern == Pattern::Random, Aspect::Letters);
        }
        Kind::Tree(tree) => {
            add(tree.shape == TreeShape::Random, Aspect::Tree);
            add(tree.weights.is_some(), Aspect::Range(0));
        }
        Kind::Graph(graph) => {
            add(graph.shape == GraphShape::Random, Aspect::Graph);
            add(graph.weights.is_some(), Aspect::Range(0));
        }
        Kind::Intervals(_) => {
            add(true, Aspect::Range(0));
            add(true, Aspect::Length);
        }
        Kind::Queries(queries) => {
            add(queries.variants.len() > 1, Aspect::Kinds);
            let ranges = fields(queries).filter(|field| !matches!(field, Field::Literal(_)));
            (0..ranges.count()).for_each(|range| add(true, Aspect::Range(range)));
        }
    }
    open
}

/// The fields of all kinds of queries.
fn fields(queries: &Queries) -> impl Iterator<Item = &Field> {
    queries.variants.iter().flat_map(|variant| &variant.fields)
}
