//! Bounds of n, generators, and properties of variables that few tasks have.

use super::{Array, Graph, Grid, Matrix, Queries, Spec, Tree};
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
    /// Puts each of these characters into a random cell.
    pub fn marks(mut self, marks: impl Into<String>) -> Self {
        self.0.marks = marks.into();
        self
    }
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
