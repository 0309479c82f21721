//! A builder for [`v1::InputSpec`]. Expressions are texts or numbers. [`v1::InputSpec`] documents
//! the expressions and every part.
//!
//! ```
//! use profiler_client::spec::{Spec, array, tree};
//! use profiler_client::v1::{Order, TreeShape};
//!
//! let sorted = Spec::new("sorted")
//!     .var("a", array("n").between(1, "10^9").order(Order::Sorted).distinct())
//!     .line(["n"])
//!     .line(["a"]);
//! let deep = Spec::new("deep")
//!     .var("e", tree("n").shape(TreeShape::Path))
//!     .line(["n"])
//!     .lines(["e"]);
//!
//! let job = profiler_client::v1::Job {
//!     input_specs: vec![sorted.into(), deep.into()],
//!     ..Default::default()
//! };
//! assert_eq!(job.input_specs[1].name, "deep");
//! ```

mod fields;
mod properties;

pub use fields::{distinct, element, interval, list, literal, not_below, number};

use profiler_proto::v1;
use profiler_proto::v1::variable::Kind;
use std::fmt::Display;

/// Describes the inputs of a task.
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct Spec(v1::InputSpec);

/// Several cases in one input. Their sizes sum to n.
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct Repeat(v1::Repetition);

impl Spec {
    /// Makes a spec with this name in the report.
    pub fn new(name: impl Into<String>) -> Self {
        Self(v1::InputSpec { name: name.into(), ..Default::default() })
    }

    /// Sets the seed. A different seed gives different inputs of the same kind.
    pub fn seed(mut self, seed: u32) -> Self {
        self.0.seed = seed;
        self
    }

    /// Prints the cases of a multi-test.
    pub fn repeat(self, cases: Repeat) -> Self {
        self.part(v1::layout::Kind::Repeat(cases.0))
    }
}

impl Repeat {
    /// Makes a repetition with this number of cases.
    pub fn new(count: impl Display) -> Self {
        Self(v1::Repetition { count: count.to_string(), ..Default::default() })
    }

    /// Sets how n is divided among the cases.
    pub fn split(mut self, split: v1::Split) -> Self {
        self.0.split = split.into();
        self
    }

    /// Sets the minimum size of a case.
    pub fn min_size(mut self, size: impl Display) -> Self {
        self.0.min_size = size.to_string();
        self
    }
}

impl From<Spec> for v1::InputSpec {
    fn from(spec: Spec) -> Self {
        spec.0
    }
}

/// The methods that a spec and a repetition share.
macro_rules! body {
    ($body:ident) => {
        impl $body {
            /// Declares a variable. Later expressions and the layout can use its name.
            pub fn var(mut self, name: impl Into<String>, kind: impl Into<Kind>) -> Self {
                self.0.vars.push(v1::Variable { name: name.into(), kind: Some(kind.into()) });
                self
            }

            /// Prints all values of the items on one line.
            pub fn line<T: Display>(self, items: impl IntoIterator<Item = T>) -> Self {
                self.part(v1::layout::Kind::Line(printed(items, false)))
            }

            /// Prints all values of the items on one line. Prints nothing if there are no values.
            pub fn line_if_any<T: Display>(self, items: impl IntoIterator<Item = T>) -> Self {
                self.part(v1::layout::Kind::Line(printed(items, true)))
            }

            /// Prints one line per row of the items.
            pub fn lines<T: Display>(self, items: impl IntoIterator<Item = T>) -> Self {
                self.part(v1::layout::Kind::Lines(printed(items, false)))
            }

            /// Prints the rows of a matrix or a grid.
            pub fn grid(self, name: impl Into<String>) -> Self {
                self.part(v1::layout::Kind::Grid(name.into()))
            }

            /// Prints a string on one line.
            pub fn raw(self, name: impl Into<String>) -> Self {
                self.part(v1::layout::Kind::Raw(name.into()))
            }

            /// Prints this text on one line.
            pub fn literal(self, text: impl Into<String>) -> Self {
                self.part(v1::layout::Kind::Literal(text.into()))
            }

            fn part(mut self, kind: v1::layout::Kind) -> Self {
                self.0.layout.push(v1::Layout { kind: Some(kind) });
                self
            }
        }
    };
}

body!(Spec);
body!(Repeat);

fn printed<T: Display>(items: impl IntoIterator<Item = T>, omit_empty: bool) -> v1::Items {
    v1::Items { items: items.into_iter().map(|item| item.to_string()).collect(), omit_empty }
}

/// Defines a kind of variable by its message and its required fields.
macro_rules! kind {
    ($doc:literal $kind:ident, $make:ident($($required:ident),*)) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Default, PartialEq)]
        #[must_use]
        pub struct $kind(v1::$kind);

        #[doc = $doc]
        #[allow(clippy::needless_update, reason = "not all have more than what is required")]
        pub fn $make($($required: impl Display),*) -> $kind {
            $kind(v1::$kind { $($required: $required.to_string(),)* ..Default::default() })
        }

        impl From<$kind> for Kind {
            fn from(kind: $kind) -> Self {
                Kind::$kind(kind.0)
            }
        }
    };
}

kind!("One number." Scalar, scalar(value));

/// One number between two bounds, inclusive.
pub fn between(min: impl Display, max: impl Display) -> Scalar {
    let (min, max) = (min.to_string(), max.to_string());
    Scalar(v1::Scalar { min, max, ..Default::default() })
}

kind!("A list of numbers of this length." Array, array(len));

impl Array {
    /// Makes all numbers different.
    pub fn distinct(mut self) -> Self {
        self.0.distinct = true;
        self
    }

    /// Makes every number the smallest number plus a multiple of `step`.
    pub fn step(mut self, step: impl Display) -> Self {
        self.0.step = step.to_string();
        self
    }

    /// Sets the order of the numbers.
    pub fn order(mut self, order: v1::Order) -> Self {
        self.0.order = order.into();
        self
    }

    /// Sets the rule of the order.
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.0.rule = rule.into();
        self.order(v1::Order::Rule)
    }

    /// Sets the number of different values, for `FewDistinct`.
    pub fn few_distinct(mut self, values: impl Display) -> Self {
        self.0.distinct_values = values.to_string();
        self.order(v1::Order::FewDistinct)
    }
}

kind!("A permutation of this number of successive numbers." Permutation, permutation(len));

impl Permutation {
    /// Sets the smallest number. Default: 1.
    pub fn base(mut self, base: impl Display) -> Self {
        self.0.base = base.to_string();
        self
    }

    /// Sets the order of the numbers.
    pub fn order(mut self, order: v1::Order) -> Self {
        self.0.order = order.into();
        self
    }

    /// Sets the rule of the order.
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.0.rule = rule.into();
        self.order(v1::Order::Rule)
    }
}

kind!("Rows of numbers." Matrix, matrix(rows, cols));

kind!("Rows of characters of an alphabet." Grid, grid(rows, cols, alphabet));

kind!("A string of this length." Text, text(len));

impl Text {
    /// Sets the alphabet. Default: a to z.
    pub fn alphabet(mut self, alphabet: impl Into<String>) -> Self {
        self.0.alphabet = alphabet.into();
        self
    }

    /// Sets the pattern.
    pub fn pattern(mut self, pattern: v1::Pattern) -> Self {
        self.0.pattern = pattern.into();
        self
    }

    /// Sets the length of the repeated prefix, for `Periodic`.
    pub fn periodic(mut self, period: impl Display) -> Self {
        self.0.period = period.to_string();
        self.pattern(v1::Pattern::Periodic)
    }

    /// Sets the rule of the pattern.
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.0.rule = rule.into();
        self.pattern(v1::Pattern::Rule)
    }
}

kind!("The edges of a tree with this number of nodes." Tree, tree(nodes));

impl Tree {
    /// Sets the shape.
    pub fn shape(mut self, shape: v1::TreeShape) -> Self {
        self.0.shape = shape.into();
        self
    }
}

kind!("The edges of a graph with this number of nodes. Their number comes from [`Graph::edges`] or from the shape." Graph, graph(nodes));

impl Graph {
    /// Sets the number of edges.
    pub fn edges(mut self, edges: impl Display) -> Self {
        self.0.edges = edges.to_string();
        self
    }

    /// Sets the shape.
    pub fn shape(mut self, shape: v1::GraphShape) -> Self {
        self.0.shape = shape.into();
        self
    }

    /// Makes the edges directed.
    pub fn directed(mut self) -> Self {
        self.0.directed = true;
        self
    }

    /// Makes the graph acyclic.
    pub fn acyclic(mut self) -> Self {
        self.0.acyclic = true;
        self
    }

    /// Makes the graph connected.
    pub fn connected(mut self) -> Self {
        self.0.connected = true;
        self
    }

    /// Makes the graph simple: no loops, no parallel edges.
    pub fn simple(mut self) -> Self {
        self.0.simple = true;
        self
    }

    /// Makes the graph bipartite.
    pub fn bipartite(mut self) -> Self {
        self.0.bipartite = true;
        self
    }
}

kind!("This number of points in the plane." Points, points(len));

impl Points {
    /// Makes all points different.
    pub fn distinct(mut self) -> Self {
        self.0.distinct = true;
        self
    }

    /// Sets where the points lie.
    pub fn shape(mut self, shape: v1::PointsShape) -> Self {
        self.0.shape = shape.into();
        self
    }
}

kind!("This number of intervals." Intervals, intervals(len));

kind!("This number of queries, of the kinds that [`Queries::variant`] adds." Queries, queries(len));

impl Queries {
    /// Adds a kind of query. The weight is its relative frequency.
    pub fn variant(
        mut self,
        weight: u32,
        fields: impl IntoIterator<Item = v1::QueryField>,
    ) -> Self {
        let fields = fields.into_iter().collect();
        self.0.variants.push(v1::QueryVariant { weight, fields, ..Default::default() });
        self
    }
}

macro_rules! between {
    ($($kind:ident)*) => {$(
        impl $kind {
            /// Sets the bounds of the numbers, inclusive.
            pub fn between(mut self, min: impl Display, max: impl Display) -> Self {
                (self.0.min, self.0.max) = (min.to_string(), max.to_string());
                self
            }
        }
    )*};
}

between!(Array Matrix Points Intervals);

macro_rules! width {
    ($($kind:ident)*) => {$(
        impl $kind {
            /// Sets the minimum number of digits.
            pub fn width(mut self, digits: u32) -> Self {
                self.0.width = digits;
                self
            }
        }
    )*};
}

width!(Array Permutation Matrix);

macro_rules! edges {
    ($($kind:ident)*) => {$(
        impl $kind {
            /// Gives the edges weights between these bounds, inclusive.
            pub fn weights(mut self, min: impl Display, max: impl Display) -> Self {
                self.0.weights = Some(v1::Weights { min: min.to_string(), max: max.to_string() });
                self
            }

            /// Numbers the nodes from 0.
            pub fn zero_based(mut self) -> Self {
                self.0.zero_based = true;
                self
            }
        }
    )*};
}

edges!(Tree Graph);
