//! Dispatches on the kind of a variable.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::kinds::values::Values;
use crate::kinds::{graphs, numbers, pairs, queries, strings};
use crate::spec::Variable;
use crate::spec::variable::Kind;

/// Computes the values of a variable at one n. `None` if there is a problem at this n.
pub(crate) type Evaluate = Box<dyn Fn(&mut EvalContext<'_>) -> Option<Values> + Send + Sync>;

/// Compiles a variable, and records its problems at every n.
pub(crate) fn compile(variable: &Variable, fields: &mut Fields<'_>) -> Evaluate {
    match &variable.kind {
        Some(Kind::Scalar(scalar)) => {
            let bound = fields.names.scope.bounds.get(&variable.name).copied();
            numbers::scalar(scalar, bound, fields.below("scalar"))
        }
        Some(Kind::Array(array)) => numbers::array(array, fields.below("array")),
        Some(Kind::Permutation(permutation)) => {
            numbers::permutation(permutation, fields.below("permutation"))
        }
        Some(Kind::Matrix(matrix)) => numbers::matrix(matrix, fields.below("matrix")),
        Some(Kind::Grid(grid)) => strings::grid(grid, fields.below("grid")),
        Some(Kind::Text(text)) => strings::text(text, fields.below("text")),
        Some(Kind::Tree(tree)) => graphs::tree(tree, fields.below("tree")),
        Some(Kind::Graph(graph)) => graphs::graph(graph, fields.below("graph")),
        Some(Kind::Points(points)) => pairs::points(points, fields.below("points")),
        Some(Kind::Intervals(intervals)) => pairs::intervals(intervals, fields.below("intervals")),
        Some(Kind::Queries(queries)) => queries::queries(queries, fields.below("queries")),
        None => {
            fields.refuse("", format!("of {:?} it is not said what it is", variable.name));
            Box::new(|_| None)
        }
    }
}
