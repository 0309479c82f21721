//! A spec as the message that declares it.

use profiler_input::Spec;
use profiler_input::spec::{
    Field, Graph, GraphShape, Items, Kind, Layout, Order, Pattern, PointsShape, Range, Repetition,
    Split, TreeShape, Variable, Variant,
};
use profiler_proto::v1;

/// Returns the message that declares `spec`.
pub fn spec_message(spec: &Spec) -> v1::InputSpec {
    v1::InputSpec {
        name: spec.name.clone(),
        seed: spec.seed,
        vars: spec.vars.iter().map(variable).collect(),
        layout: spec.layout.iter().map(layout).collect(),
    }
}

/// An absent expression is an empty string on the wire.
fn or_empty(expression: Option<&String>) -> String {
    expression.cloned().unwrap_or_default()
}

fn variable(variable: &Variable) -> v1::Variable {
    use v1::variable::Kind as Wire;
    let kind = match &variable.kind {
        Kind::Scalar(it) => Wire::Scalar(v1::Scalar {
            value: or_empty(it.value.as_ref()),
            min: or_empty(it.min.as_ref()),
            max: or_empty(it.max.as_ref()),
        }),
        Kind::Array(it) => Wire::Array(v1::Array {
            len: it.len.clone(),
            min: it.min.clone(),
            max: it.max.clone(),
            distinct: it.distinct,
            order: order(it.order).into(),
            distinct_values: or_empty(it.distinct_values.as_ref()),
            step: or_empty(it.step.as_ref()),
            width: it.width,
        }),
        Kind::Permutation(it) => Wire::Permutation(v1::Permutation {
            len: it.len.clone(),
            base: or_empty(it.base.as_ref()),
            order: order(it.order).into(),
            width: it.width,
        }),
        Kind::Matrix(it) => Wire::Matrix(v1::Matrix {
            rows: it.rows.clone(),
            cols: it.cols.clone(),
            min: it.min.clone(),
            max: it.max.clone(),
            width: it.width,
        }),
        Kind::Grid(it) => Wire::Grid(v1::Grid {
            rows: it.rows.clone(),
            cols: it.cols.clone(),
            alphabet: it.alphabet.clone(),
        }),
        Kind::Text(it) => Wire::Text(v1::Text {
            len: it.len.clone(),
            alphabet: it.alphabet.clone(),
            pattern: pattern(it.pattern).into(),
            period: or_empty(it.period.as_ref()),
        }),
        Kind::Tree(it) => Wire::Tree(v1::Tree {
            nodes: it.nodes.clone(),
            shape: tree_shape(it.shape).into(),
            weights: it.weights.as_ref().map(weights),
            zero_based: it.zero_based,
        }),
        Kind::Graph(it) => Wire::Graph(graph(it)),
        Kind::Points(it) => Wire::Points(v1::Points {
            len: it.len.clone(),
            min: it.min.clone(),
            max: it.max.clone(),
            distinct: it.distinct,
            shape: points_shape(it.shape).into(),
        }),
        Kind::Intervals(it) => Wire::Intervals(v1::Intervals {
            len: it.len.clone(),
            min: it.min.clone(),
            max: it.max.clone(),
            max_length: or_empty(it.max_length.as_ref()),
        }),
        Kind::Queries(it) => Wire::Queries(v1::Queries {
            len: it.len.clone(),
            variants: it.variants.iter().map(variant).collect(),
        }),
    };
    v1::Variable { name: variable.name.clone(), kind: Some(kind) }
}

fn graph(graph: &Graph) -> v1::Graph {
    v1::Graph {
        nodes: graph.nodes.clone(),
        edges: or_empty(graph.edges.as_ref()),
        directed: graph.promises.directed,
        acyclic: graph.promises.acyclic,
        connected: graph.promises.connected,
        simple: graph.promises.simple,
        bipartite: graph.promises.bipartite,
        shape: graph_shape(graph.shape).into(),
        weights: graph.weights.as_ref().map(weights),
        zero_based: graph.zero_based,
    }
}

fn variant(variant: &Variant) -> v1::QueryVariant {
    use v1::query_field::Kind as Wire;
    let fields = variant.fields.iter().map(|field| {
        let range = |it: &Range| v1::QueryRange { min: it.min.clone(), max: it.max.clone() };
        let kind = match field {
            Field::Literal(text) => Wire::Literal(text.clone()),
            Field::Number(it) => Wire::Number(range(it)),
            Field::Interval(it) => Wire::Interval(range(it)),
        };
        v1::QueryField { kind: Some(kind) }
    });
    v1::QueryVariant { weight: variant.weight, fields: fields.collect() }
}

fn weights(range: &Range) -> v1::Weights {
    v1::Weights { min: range.min.clone(), max: range.max.clone() }
}

fn order(order: Order) -> v1::Order {
    match order {
        Order::Random => v1::Order::Unspecified,
        Order::Sorted => v1::Order::Sorted,
        Order::Reversed => v1::Order::Reversed,
        Order::AllEqual => v1::Order::AllEqual,
        Order::FewDistinct => v1::Order::FewDistinct,
        Order::NearlySorted => v1::Order::NearlySorted,
        Order::OrganPipe => v1::Order::OrganPipe,
        Order::AntiQuicksort => v1::Order::AntiQuicksort,
        Order::AntiHash => v1::Order::AntiHash,
        Order::AntiMiddlePivot => v1::Order::AntiMiddlePivot,
    }
}

fn pattern(pattern: Pattern) -> v1::Pattern {
    match pattern {
        Pattern::Random => v1::Pattern::Unspecified,
        Pattern::AllSame => v1::Pattern::AllSame,
        Pattern::Periodic => v1::Pattern::Periodic,
        Pattern::Fibonacci => v1::Pattern::Fibonacci,
        Pattern::ThueMorse => v1::Pattern::ThueMorse,
        Pattern::LastDiffers => v1::Pattern::LastDiffers,
    }
}

fn tree_shape(shape: TreeShape) -> v1::TreeShape {
    match shape {
        TreeShape::Random => v1::TreeShape::Unspecified,
        TreeShape::Path => v1::TreeShape::Path,
        TreeShape::Star => v1::TreeShape::Star,
        TreeShape::Caterpillar => v1::TreeShape::Caterpillar,
        TreeShape::Broom => v1::TreeShape::Broom,
        TreeShape::Binary => v1::TreeShape::Binary,
    }
}

fn graph_shape(shape: GraphShape) -> v1::GraphShape {
    match shape {
        GraphShape::Random => v1::GraphShape::Unspecified,
        GraphShape::Dense => v1::GraphShape::Dense,
        GraphShape::Grid => v1::GraphShape::Grid,
        GraphShape::Layered => v1::GraphShape::Layered,
        GraphShape::Band => v1::GraphShape::Band,
    }
}

fn points_shape(shape: PointsShape) -> v1::PointsShape {
    match shape {
        PointsShape::Random => v1::PointsShape::Unspecified,
        PointsShape::Convex => v1::PointsShape::Convex,
        PointsShape::Line => v1::PointsShape::Line,
    }
}

fn layout(layout: &Layout) -> v1::Layout {
    use v1::layout::Kind as Wire;
    let items = |it: &Items| v1::Items { items: it.items.clone(), omit_empty: it.omit_empty };
    v1::Layout {
        kind: Some(match layout {
            Layout::Line(it) => Wire::Line(items(it)),
            Layout::Lines(it) => Wire::Lines(items(it)),
            Layout::Grid(name) => Wire::Grid(name.clone()),
            Layout::Raw(name) => Wire::Raw(name.clone()),
            Layout::Literal(text) => Wire::Literal(text.clone()),
            Layout::Repeat(it) => Wire::Repeat(repetition(it)),
        }),
    }
}

fn repetition(repetition: &Repetition) -> v1::Repetition {
    v1::Repetition {
        count: repetition.count.clone(),
        split: match repetition.split {
            Split::Equal => v1::Split::Unspecified,
            Split::Random => v1::Split::Random,
            Split::OneLarge => v1::Split::OneLarge,
        }
        .into(),
        min_size: or_empty(repetition.min_size.as_ref()),
        vars: repetition.vars.iter().map(variable).collect(),
        layout: repetition.layout.iter().map(layout).collect(),
    }
}
