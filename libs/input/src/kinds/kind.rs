//! Dispatches on the kind of a variable: its name, its expressions, its values at one n.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::expression::Code;
use crate::kinds::values::Values;
use crate::spec::Kind;

impl Kind {
    /// The kind's name in a path.
    pub(crate) fn field(&self) -> &'static str {
        match self {
            Kind::Scalar(_) => "scalar",
            Kind::Array(_) => "array",
            Kind::Permutation(_) => "permutation",
            Kind::Matrix(_) => "matrix",
            Kind::Grid(_) => "grid",
            Kind::Text(_) => "text",
            Kind::Tree(_) => "tree",
            Kind::Graph(_) => "graph",
            Kind::Points(_) => "points",
            Kind::Intervals(_) => "intervals",
            Kind::Queries(_) => "queries",
        }
    }

    /// Compiles the kind's expressions.
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Kind<Code> {
        match self {
            Kind::Scalar(scalar) => Kind::Scalar(scalar.read(fields)),
            Kind::Array(array) => Kind::Array(array.read(fields)),
            Kind::Permutation(permutation) => Kind::Permutation(permutation.read(fields)),
            Kind::Matrix(matrix) => Kind::Matrix(matrix.read(fields)),
            Kind::Grid(grid) => Kind::Grid(grid.read(fields)),
            Kind::Text(text) => Kind::Text(text.read(fields)),
            Kind::Tree(tree) => Kind::Tree(tree.read(fields)),
            Kind::Graph(graph) => Kind::Graph(graph.read(fields)),
            Kind::Points(points) => Kind::Points(points.read(fields)),
            Kind::Intervals(intervals) => Kind::Intervals(intervals.read(fields)),
            Kind::Queries(queries) => Kind::Queries(queries.read(fields)),
        }
    }
}

impl Kind<Code> {
    /// The variable at one n. A scalar must not exceed `bound`.
    pub(crate) fn evaluate<'p>(
        &'p self,
        context: &mut EvalContext<'_>,
        bound: Option<i64>,
    ) -> Option<Values<'p>> {
        match self {
            Kind::Scalar(scalar) => {
                let (value, most) = scalar.evaluate(context)?;
                match bound {
                    Some(bound) if most > bound => {
                        let problem = format_args!("{most} is above the task's bound of {bound}");
                        context.refuse("", problem)
                    }
                    _ => Some(Values::One(value)),
                }
            }
            Kind::Array(array) => array.evaluate(context).map(Values::Numbers),
            Kind::Permutation(permutation) => permutation.evaluate(context).map(Values::Numbers),
            Kind::Matrix(matrix) => matrix
                .evaluate(context)
                .map(|(numbers, rows, cols)| Values::Matrix(numbers, rows, cols)),
            Kind::Grid(grid) => grid.evaluate(context).map(Values::Strings),
            Kind::Text(text) => text.evaluate(context).map(Values::Strings),
            Kind::Tree(tree) => tree.evaluate(context).map(Values::Edges),
            Kind::Graph(graph) => graph.evaluate(context).map(Values::Edges),
            Kind::Points(points) => points.evaluate(context).map(Values::Pairs),
            Kind::Intervals(intervals) => intervals.evaluate(context).map(Values::Pairs),
            Kind::Queries(queries) => queries.evaluate(context).map(Values::Queries),
        }
    }
}
