//! Bounds of n, generators, and properties of variables that few tasks have.

use super::{Array, Graph, Grid, Intervals, Matrix, Queries, Spec, Text, Tree};
use profiler_proto::v1;
use std::fmt::Display;

impl Spec {
    /// Sets the smallest and the largest n that the task allows.
    pub fn sizes(mut self, n_min: impl Display, n_max: impl Display) -> Self {
        (self.0.n_min, self.0.n_max) = (n_min.to_string(), n_max.to_string());
        self
    }

    /// Makes the inputs by this program in C++, whose arguments are n and the seed, in place of
    /// variables and a layout. A program that includes testlib.h needs the text of the header.
    pub fn generator(mut self, source: impl Into<String>, testlib_h: Option<String>) -> Self {
        (self.0.generator, self.0.testlib_h) = (source.into(), testlib_h.unwrap_or_default());
        self
    }
}

impl Array {
    /// Prints the numbers with this many decimals. Their bounds count units of the last one.
    pub fn decimals(mut self, decimals: u32) -> Self {
        self.0.decimals = decimals;
        self
    }
}

impl Tree {
    /// Writes the parent of each node but the first, instead of edges.
    pub fn parents(mut self) -> Self {
        self.0.parents = true;
        self
    }

    /// Also writes a parent of the root: this number. Requires [`Tree::parents`].
    pub fn root(mut self, parent: impl Display) -> Self {
        self.0.root = parent.to_string();
        self
    }

    /// Lets a parent have a larger number than its node. Requires [`Tree::parents`].
    pub fn any_order(mut self) -> Self {
        self.0.any_order = true;
        self
    }
}

impl Graph {
    /// Joins the nodes to those of a second side, which has this many and its own numbers.
    pub fn other_side(mut self, nodes: impl Display) -> Self {
        self.0.other_side = nodes.to_string();
        self
    }
}

impl Matrix {
    /// Makes the matrix equal to its transpose.
    pub fn symmetric(mut self) -> Self {
        self.0.symmetric = true;
        self
    }

    /// Makes the numbers on the diagonal 0.
    pub fn zero_diagonal(mut self) -> Self {
        self.0.zero_diagonal = true;
        self
    }
}

impl Grid {
    /// Makes the grid equal to its transpose.
    pub fn symmetric(mut self) -> Self {
        self.0.symmetric = true;
        self
    }

    /// Sets the character of the cells on the diagonal.
    pub fn diagonal(mut self, character: impl Into<String>) -> Self {
        self.0.diagonal = character.into();
        self
    }

    /// Puts each of these characters into a random cell.
    pub fn marks(mut self, marks: impl Into<String>) -> Self {
        self.0.marks = marks.into();
        self
    }
}

impl Text {
    /// Writes this many strings, one in each row, of at least `min_len` characters.
    pub fn rows(mut self, rows: impl Display, min_len: impl Display) -> Self {
        (self.0.rows, self.0.min_len) = (rows.to_string(), min_len.to_string());
        self
    }

    /// Makes all strings different.
    pub fn distinct(mut self) -> Self {
        self.0.distinct = true;
        self
    }
}

impl Intervals {
    /// Sets the maximum length of an interval.
    pub fn max_length(mut self, length: impl Display) -> Self {
        self.0.max_length = length.to_string();
        self
    }

    /// Makes the begin and the end of each interval different.
    pub fn distinct(mut self) -> Self {
        self.0.distinct = true;
        self
    }
}

/// A field of a query: a list of numbers between the bounds. The field before is its length.
pub fn list(min: impl Display, max: impl Display) -> v1::QueryField {
    v1::QueryField { kind: Some(v1::query_field::Kind::List(super::range(&min, &max))) }
}

/// A field of a query: a string of this variable, and if `distinct`, another one than before.
pub fn element(of: impl Into<String>, distinct: bool) -> v1::QueryField {
    let element = v1::QueryElement { of: of.into(), distinct };
    v1::QueryField { kind: Some(v1::query_field::Kind::Element(element)) }
}

/// The same field with numbers that differ. A number differs from the one that [`not_below`] names.
pub fn distinct(mut field: v1::QueryField) -> v1::QueryField {
    use v1::query_field::Kind::{Interval, List, Number};
    if let Some(Number(range) | Interval(range) | List(range)) = &mut field.kind {
        range.distinct = true;
    }
    field
}

/// The same number, not below the field with this number of the line, counted from 1.
pub fn not_below(earlier: u32, mut field: v1::QueryField) -> v1::QueryField {
    if let Some(v1::query_field::Kind::Number(range)) = &mut field.kind {
        range.not_below = earlier;
    }
    field
}

impl Queries {
    /// Adds a kind of query that takes `removes` elements out of a collection, which must be there,
    /// and then adds as many as `adds` says.
    pub fn operation(
        mut self,
        [adds, removes]: [u32; 2],
        fields: impl IntoIterator<Item = v1::QueryField>,
    ) -> Self {
        let fields = fields.into_iter().collect();
        self.0.variants.push(v1::QueryVariant { fields, adds, removes, ..Default::default() });
        self
    }
}
