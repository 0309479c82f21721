//! Dispatches on the kind of a variable.

use crate::context::eval_context::Evaluate;
use crate::context::fields::Fields;
use crate::kinds::values::Values;
use crate::kinds::{graphs, numbers, pairs, queries, strings};
use crate::spec::Variable;
use crate::spec::variable::Kind;

/// Compiles a variable, and records its problems at every n.
pub(crate) fn compile(variable: &Variable, fields: &mut Fields<'_>) -> Evaluate<Values> {
    let boxed = |edges| Values::Edges(Box::new(edges));
    match &variable.kind {
        Some(Kind::Scalar(it)) => {
            let bound = fields.names.scope.bounds.get(&variable.name).copied();
            values(numbers::scalar(it, bound, fields.below("scalar")), Values::One)
        }
        Some(Kind::Array(it)) => values(numbers::array(it, fields.below("array")), Values::Numbers),
        Some(Kind::Permutation(it)) => {
            values(numbers::permutation(it, fields.below("permutation")), Values::Numbers)
        }
        Some(Kind::Matrix(it)) => {
            values(numbers::matrix(it, fields.below("matrix")), Values::Matrix)
        }
        Some(Kind::Grid(it)) => values(strings::grid(it, fields.below("grid")), Values::Strings),
        Some(Kind::Text(it)) => values(strings::text(it, fields.below("text")), Values::Strings),
        Some(Kind::Tree(it)) => values(graphs::tree(it, fields.below("tree")), boxed),
        Some(Kind::Graph(it)) => values(graphs::graph(it, fields.below("graph")), boxed),
        Some(Kind::Points(it)) => values(pairs::points(it, fields.below("points")), Values::Pairs),
        Some(Kind::Intervals(it)) => {
            values(pairs::intervals(it, fields.below("intervals")), Values::Pairs)
        }
        Some(Kind::Queries(it)) => {
            values(queries::compile::queries(it, fields.below("queries")), Values::Queries)
        }
        None => {
            fields.refuse("", format!("{:?} has no kind, such as scalar", variable.name));
            Box::new(|_| None)
        }
    }
}

fn values<T: 'static>(evaluate: Evaluate<T>, of: fn(T) -> Values) -> Evaluate<Values> {
    Box::new(move |context| evaluate(context).map(of))
}
