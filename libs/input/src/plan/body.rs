//! A spec with resolved names and compiled expressions: data only.

use crate::draw::random::RandomStream;
use crate::expression::Code;
use crate::spec::{Kind, Split};

/// Variables, and the layout that prints them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    pub(crate) vars: Vec<Var>,
    pub(crate) parts: Vec<Part>,
    /// Steps of one evaluation: one for each variable, item, part and field of a query, and those
    /// of the expressions.
    pub(crate) steps: u64,
}

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Var {
    /// Path in the spec.
    pub(crate) path: String,
    pub(crate) stream: RandomStream,
    pub(crate) kind: Kind<Code>,
    /// The task's bound of the same name.
    pub(crate) bound: Option<i64>,
}

/// A part of the input.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// One line with all values.
    Line(Line),
    /// A line for each row.
    Lines(Line),
    /// This text on a line.
    Literal(String),
    /// Several cases.
    Cases(Cases),
}

/// Items that are printed side by side.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Path in the spec.
    pub(crate) path: String,
    pub(crate) items: Vec<Item>,
    pub(crate) omit_empty: bool,
}

/// An item of a line.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// The variable with this index.
    Variable(usize),
    /// A number.
    Value(Code),
}

/// Cases whose sizes sum to n.
#[derive(Debug, Clone)]
pub(crate) struct Cases {
    /// Path in the spec.
    pub(crate) path: String,
    pub(crate) stream: RandomStream,
    pub(crate) count: Code,
    pub(crate) min_size: Option<Code>,
    pub(crate) split: Split,
    pub(crate) body: Body,
    /// Whether cases of one size differ in more than what is printed. Then each case must be
    /// checked.
    pub(crate) drawn: bool,
}
