//! Maps a spec from the wire. This file reports only what the domain cannot express: unknown values
//! of enums, and a `oneof` without a value. [`profiler_input::Plan`] checks everything else and
//! names the same paths.

use profiler_core::error::{Violation, Violations};
use profiler_input::Spec;
use profiler_input::spec::{
    Array, Field, Graph, GraphShape, Grid, Intervals, Items, Kind, Layout, Matrix, Order, Pattern,
    Permutation, Points, PointsShape, Promises, Queries, Range, Repetition, Scalar, Split, Text,
    Tree, TreeShape, Variable, Variant,
};
use profiler_proto::v1;

/// Maps the spec in `field` of a request.
pub fn spec(wire: v1::InputSpec, field: &str) -> Result<Spec, Violations> {
    let mut bad = Violations::default();
    let mut reader = Reader { bad: &mut bad };
    let spec = Spec {
        name: wire.name,
        seed: wire.seed,
        vars: reader.vars(wire.vars, field),
        layout: reader.layout(wire.layout, field, false),
    };
    if bad.is_empty() { Ok(spec) } else { Err(bad) }
}

/// Collects what the domain cannot express.
struct Reader<'b> {
    bad: &'b mut Violations,
}

/// Returns an expression; on the wire an absent expression is an empty string.
fn given(expression: String) -> Option<String> {
    (!expression.is_empty()).then_some(expression)
}

impl Reader<'_> {
    fn refuse(&mut self, field: String, problem: impl Into<String>) {
        self.bad.push(Violation { field, problem: problem.into() });
    }

    /// Returns the value of an enum. An unknown value is a violation and becomes the default.
    fn known<E: TryFrom<i32> + Default>(&mut self, path: &str, field: &str, value: i32) -> E {
        E::try_from(value).unwrap_or_else(|_| {
            self.refuse(format!("{path}.{field}"), format!("unknown value {value}"));
            E::default()
        })
    }

    fn vars(&mut self, vars: Vec<v1::Variable>, path: &str) -> Vec<Variable> {
        let read = |(i, variable): (usize, v1::Variable)| {
            let path = format!("{path}.vars[{i}]");
            let Some(kind) = variable.kind else {
                self.refuse(path, format!("of {:?} it is not said what it is", variable.name));
                // The variable stays, so that uses of its name are not violations too.
                return Variable { name: variable.name, kind: nothing() };
            };
            Variable { name: variable.name, kind: self.kind(kind, &path) }
        };
        vars.into_iter().enumerate().map(read).collect()
    }

    fn kind(&mut self, kind: v1::variable::Kind, path: &str) -> Kind {
        use v1::variable::Kind as Wire;
        match kind {
            Wire::Scalar(w) => {
                let [value, min, max] = [w.value, w.min, w.max].map(given);
                Kind::Scalar(Scalar { value, min, max })
            }
            Wire::Array(w) => Kind::Array(Array {
                len: w.len,
                min: w.min,
                max: w.max,
                distinct: w.distinct,
                order: self.order(&format!("{path}.array"), w.order),
                distinct_values: given(w.distinct_values),
                step: given(w.step),
                width: w.width,
            }),
            Wire::Permutation(w) => Kind::Permutation(Permutation {
                len: w.len,
                base: given(w.base),
                order: self.order(&format!("{path}.permutation"), w.order),
                width: w.width,
            }),
            Wire::Matrix(w) => Kind::Matrix(Matrix {
                rows: w.rows,
                cols: w.cols,
                min: w.min,
                max: w.max,
                width: w.width,
            }),
            Wire::Grid(w) => Kind::Grid(Grid { rows: w.rows, cols: w.cols, alphabet: w.alphabet }),
            Wire::Text(w) => Kind::Text(Text {
                len: w.len,
                alphabet: w.alphabet,
                pattern: self.pattern(&format!("{path}.text"), w.pattern),
                period: given(w.period),
            }),
            Wire::Tree(w) => Kind::Tree(Tree {
                nodes: w.nodes,
                shape: self.tree_shape(&format!("{path}.tree"), w.shape),
                weights: w.weights.map(weights),
                zero_based: w.zero_based,
            }),
            Wire::Graph(w) => Kind::Graph(self.graph(w, &format!("{path}.graph"))),
            Wire::Points(w) => Kind::Points(Points {
                len: w.len,
                min: w.min,
                max: w.max,
                distinct: w.distinct,
                shape: self.points_shape(&format!("{path}.points"), w.shape),
            }),
            Wire::Intervals(w) => Kind::Intervals(Intervals {
                len: w.len,
                min: w.min,
                max: w.max,
                max_length: given(w.max_length),
            }),
            Wire::Queries(w) => Kind::Queries(self.queries(w, &format!("{path}.queries"))),
        }
    }

    fn order(&mut self, path: &str, value: i32) -> Order {
        match self.known(path, "order", value) {
            v1::Order::Unspecified | v1::Order::Random => Order::Random,
            v1::Order::Sorted => Order::Sorted,
            v1::Order::Reversed => Order::Reversed,
            v1::Order::AllEqual => Order::AllEqual,
            v1::Order::FewDistinct => Order::FewDistinct,
            v1::Order::NearlySorted => Order::NearlySorted,
            v1::Order::OrganPipe => Order::OrganPipe,
            v1::Order::AntiQuicksort => Order::AntiQuicksort,
            v1::Order::AntiHash => Order::AntiHash,
            v1::Order::AntiMiddlePivot => Order::AntiMiddlePivot,
        }
    }

    fn pattern(&mut self, path: &str, value: i32) -> Pattern {
        match self.known(path, "pattern", value) {
            v1::Pattern::Unspecified | v1::Pattern::Random => Pattern::Random,
            v1::Pattern::AllSame => Pattern::AllSame,
            v1::Pattern::Periodic => Pattern::Periodic,
            v1::Pattern::Fibonacci => Pattern::Fibonacci,
            v1::Pattern::ThueMorse => Pattern::ThueMorse,
            v1::Pattern::LastDiffers => Pattern::LastDiffers,
        }
    }

    fn tree_shape(&mut self, path: &str, value: i32) -> TreeShape {
        match self.known(path, "shape", value) {
            v1::TreeShape::Unspecified | v1::TreeShape::Random => TreeShape::Random,
            v1::TreeShape::Path => TreeShape::Path,
            v1::TreeShape::Star => TreeShape::Star,
            v1::TreeShape::Caterpillar => TreeShape::Caterpillar,
            v1::TreeShape::Broom => TreeShape::Broom,
            v1::TreeShape::Binary => TreeShape::Binary,
        }
    }

    fn points_shape(&mut self, path: &str, value: i32) -> PointsShape {
        match self.known(path, "shape", value) {
            v1::PointsShape::Unspecified | v1::PointsShape::Random => PointsShape::Random,
            v1::PointsShape::Convex => PointsShape::Convex,
            v1::PointsShape::Line => PointsShape::Line,
        }
    }

    fn graph(&mut self, wire: v1::Graph, path: &str) -> Graph {
        Graph {
            nodes: wire.nodes,
            edges: given(wire.edges),
            promises: Promises {
                directed: wire.directed,
                acyclic: wire.acyclic,
                connected: wire.connected,
                simple: wire.simple,
                bipartite: wire.bipartite,
            },
            shape: match self.known(path, "shape", wire.shape) {
                v1::GraphShape::Unspecified | v1::GraphShape::Random => GraphShape::Random,
                v1::GraphShape::Dense => GraphShape::Dense,
                v1::GraphShape::Grid => GraphShape::Grid,
                v1::GraphShape::Layered => GraphShape::Layered,
                v1::GraphShape::Band => GraphShape::Band,
            },
            weights: wire.weights.map(weights),
            zero_based: wire.zero_based,
        }
    }

    fn queries(&mut self, wire: v1::Queries, path: &str) -> Queries {
        let mut variants = Vec::with_capacity(wire.variants.len());
        for (i, variant) in wire.variants.into_iter().enumerate() {
            let mut fields = Vec::with_capacity(variant.fields.len());
            for (j, field) in variant.fields.into_iter().enumerate() {
                fields.push(match field.kind {
                    Some(v1::query_field::Kind::Literal(text)) => Field::Literal(text),
                    Some(v1::query_field::Kind::Number(w)) => Field::Number(range(w)),
                    Some(v1::query_field::Kind::Interval(w)) => Field::Interval(range(w)),
                    None => {
                        let path = format!("{path}.variants[{i}].fields[{j}]");
                        self.refuse(path, "it is not said what it is");
                        continue;
                    }
                });
            }
            variants.push(Variant { weight: variant.weight, fields });
        }
        Queries { len: wire.len, variants }
    }

    fn layout(&mut self, layout: Vec<v1::Layout>, path: &str, nested: bool) -> Vec<Layout> {
        use v1::layout::Kind as Wire;
        let mut parts = Vec::with_capacity(layout.len());
        for (i, part) in layout.into_iter().enumerate() {
            let path = format!("{path}.layout[{i}]");
            parts.push(match part.kind {
                Some(Wire::Line(w)) => Layout::Line(items(w)),
                Some(Wire::Lines(w)) => Layout::Lines(items(w)),
                Some(Wire::Grid(name)) => Layout::Grid(name),
                Some(Wire::Raw(name)) => Layout::Raw(name),
                Some(Wire::Literal(text)) => Layout::Literal(text),
                Some(Wire::Repeat(_)) if nested => {
                    self.refuse(
                        format!("{path}.repeat"),
                        "a repetition cannot contain another one",
                    );
                    continue;
                }
                Some(Wire::Repeat(w)) => {
                    Layout::Repeat(self.repetition(w, &format!("{path}.repeat")))
                }
                None => {
                    self.refuse(path, "it is not said what it is");
                    continue;
                }
            });
        }
        parts
    }

    fn repetition(&mut self, wire: v1::Repetition, path: &str) -> Repetition {
        Repetition {
            count: wire.count,
            split: match self.known(path, "split", wire.split) {
                v1::Split::Unspecified | v1::Split::Equal => Split::Equal,
                v1::Split::Random => Split::Random,
                v1::Split::OneLarge => Split::OneLarge,
            },
            min_size: given(wire.min_size),
            vars: self.vars(wire.vars, path),
            layout: self.layout(wire.layout, path, true),
        }
    }
}

fn nothing() -> Kind {
    Kind::Scalar(Scalar { value: None, min: None, max: None })
}

fn items(wire: v1::Items) -> Items {
    Items { items: wire.items, omit_empty: wire.omit_empty }
}

fn weights(wire: v1::Weights) -> Range {
    Range { min: wire.min, max: wire.max }
}

fn range(wire: v1::QueryRange) -> Range {
    Range { min: wire.min, max: wire.max }
}

#[cfg(test)]
mod round_trip;

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_input::{Plan, Scope};

    const FIELD: &str = "input_specs[0]";

    fn variable(name: &str, kind: v1::variable::Kind) -> v1::Variable {
        v1::Variable { name: name.into(), kind: Some(kind) }
    }

    fn part(kind: v1::layout::Kind) -> v1::Layout {
        v1::Layout { kind: Some(kind) }
    }

    fn refused(wire: v1::InputSpec) -> Vec<String> {
        spec(wire, FIELD).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn unknown_values_and_unsaid_kinds_are_named_at_once() {
        let array = v1::Array { order: 77, ..Default::default() };
        let text = v1::Text { pattern: 5000, ..Default::default() };
        let tree = v1::Tree { shape: -1, ..Default::default() };
        let graph = v1::Graph { shape: 9, ..Default::default() };
        let points = v1::Points { shape: 4, ..Default::default() };
        let variants =
            vec![v1::QueryVariant { weight: 1, fields: vec![v1::QueryField::default()] }];
        let queries = v1::Queries { len: "n".into(), variants };
        let repeat = v1::Repetition {
            split: 8,
            vars: vec![v1::Variable { name: "v".into(), kind: None }],
            layout: vec![part(v1::layout::Kind::Repeat(v1::Repetition::default()))],
            ..Default::default()
        };
        let wire = v1::InputSpec {
            vars: vec![
                variable("a", v1::variable::Kind::Array(array)),
                variable("b", v1::variable::Kind::Text(text)),
                variable("c", v1::variable::Kind::Tree(tree)),
                variable("d", v1::variable::Kind::Graph(graph)),
                variable("e", v1::variable::Kind::Queries(queries)),
                v1::Variable { name: "f".into(), kind: None },
                variable("g", v1::variable::Kind::Points(points)),
            ],
            layout: vec![v1::Layout::default(), part(v1::layout::Kind::Repeat(repeat))],
            ..Default::default()
        };
        assert_eq!(
            refused(wire),
            [
                "input_specs[0].vars[0].array.order: unknown value 77",
                "input_specs[0].vars[1].text.pattern: unknown value 5000",
                "input_specs[0].vars[2].tree.shape: unknown value -1",
                "input_specs[0].vars[3].graph.shape: unknown value 9",
                "input_specs[0].vars[4].queries.variants[0].fields[0]: it is not said what it is",
                "input_specs[0].vars[5]: of \"f\" it is not said what it is",
                "input_specs[0].vars[6].points.shape: unknown value 4",
                "input_specs[0].layout[0]: it is not said what it is",
                "input_specs[0].layout[1].repeat.split: unknown value 8",
                "input_specs[0].layout[1].repeat.vars[0]: of \"v\" it is not said what it is",
                "input_specs[0].layout[1].repeat.layout[0].repeat: a repetition cannot contain another one",
            ]
        );
    }

    #[test]
    fn fields_that_were_left_out_are_judged_by_the_domain() {
        let wire = v1::InputSpec {
            vars: vec![variable("a", v1::variable::Kind::Array(v1::Array::default()))],
            layout: vec![part(v1::layout::Kind::Grid("a".into()))],
            ..Default::default()
        };
        let spec = spec(wire, FIELD).unwrap();
        let problems = Plan::new(&spec, &Scope::default()).unwrap_err();
        let named: Vec<String> =
            problems.into_iter().map(|it| format!("{}: {}", it.path, it.problem)).collect();
        assert_eq!(
            named,
            [
                "vars[0].array.len: is missing",
                "vars[0].array.min: is missing",
                "vars[0].array.max: is missing",
                "layout[0].grid: \"a\" is no matrix or grid",
            ]
        );
    }

    #[test]
    fn every_order_and_shape_has_its_own() {
        let orders: Vec<Order> = (0..11)
            .map(|order| {
                let array = v1::Array { order, ..Default::default() };
                let vars = vec![variable("a", v1::variable::Kind::Array(array))];
                let read = spec(v1::InputSpec { vars, ..Default::default() }, FIELD).unwrap();
                match &read.vars[0].kind {
                    Kind::Array(array) => array.order,
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(orders[0], orders[1]);
        assert!((1..11).all(|i| (1..i).all(|j| orders[i] != orders[j])), "{orders:?}");
    }
}
