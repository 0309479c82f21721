//! A spec with resolved names and compiled expressions.

use crate::context::eval_context::Evaluate;
use crate::draw::random::RandomStream;
use crate::expression::Expression;
use crate::kinds::values::Values;
use crate::spec::Split;
use std::sync::Arc;

/// Variables, and the layout that prints them.
pub(crate) struct Body {
    pub(crate) vars: Vec<Var>,
    pub(crate) parts: Vec<Part>,
    /// Number of steps of one evaluation: one for each variable, item, layout part and field of a
    /// query, a few for some kinds of variables, and the steps of the expressions.
    pub(crate) steps: u64,
}

/// A variable.
pub(crate) struct Var {
    pub(crate) stream: RandomStream,
    pub(crate) evaluate: Evaluate<Values>,
}

/// A part of the layout.
pub(crate) enum Part {
    /// One line with all values.
    Line(Line),
    /// A line for each row.
    Lines(Line),
    /// A line with this text.
    Literal(Arc<str>),
    /// Several cases.
    Cases(Cases),
}

/// Items that are printed side by side.
pub(crate) struct Line {
    /// Path in the spec.
    pub(crate) path: String,
    pub(crate) items: Vec<Item>,
    pub(crate) omit_empty: bool,
}

/// An item of a line.
pub(crate) enum Item {
    /// The variable with this index.
    Variable(usize),
    /// The number that this expression computes.
    Value(Expression),
}

/// Cases whose sizes sum to n.
pub(crate) struct Cases {
    pub(crate) stream: RandomStream,
    pub(crate) count: Expression,
    pub(crate) min_size: Expression,
    pub(crate) split: Split,
    pub(crate) body: Body,
    /// Whether the cases have random scalars. If they do, cases of the same size can differ in
    /// length, so each case must be checked.
    pub(crate) drawn: bool,
}
