//! Assumptions that a proposal lists as comments.

use super::Maker;
use crate::reading::content::Form;
use profiler_input::SIZE;
use profiler_input::spec::{Graph, Order, QueryRange};

impl Maker<'_> {
    pub(super) fn assume_square(&mut self, rows: &str, cols: &str) {
        if rows == SIZE && cols == SIZE {
            let text = "n is the number of rows, so that the input has n * n cells".to_owned();
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
        }
    }

    pub(super) fn assume_form(&mut self, form: Form) {
        for (is_kept, text) in [
            (form.symmetric, "the matrix is symmetric, as in the samples"),
            (form.zero_diagonal, "the diagonal of the matrix is 0, as in the samples"),
        ] {
            if is_kept {
                self.assumptions.push(text.into());
            }
        }
    }

    pub(super) fn assume_span(&mut self, what: &str, min: &str, max: &str) {
        let text = format!("{what}: {min} to {max}, as in the samples; widen to the task's bounds");
        self.assumptions.push(text);
    }

    pub(super) fn assume_promises(&mut self, nodes: &str, promises: &Graph) {
        let kept: Vec<&str> = [
            (promises.directed, "directed"),
            (promises.acyclic, "acyclic"),
            (promises.connected, "connected"),
            (promises.simple, "simple"),
            (promises.bipartite, "bipartite"),
        ]
        .iter()
        .filter_map(|(kept, name)| kept.then_some(*name))
        .collect();
        let kept = if kept.is_empty() { "any graph".into() } else { kept.join(", ") };
        self.assumptions
            .push(format!("the edges form a graph of {nodes} nodes ({kept}, as in the samples)"));
    }

    pub(super) fn assume_smaller_first(&mut self, is_kept: bool) {
        if is_kept {
            self.assumptions.push(
                "the smaller node of each edge comes first, as in the samples; leave out \
                 `smaller_first` if the task allows any"
                    .into(),
            );
        }
    }

    pub(super) fn assume_decimals(&mut self, name: &str, decimals: u32) {
        self.assumptions.push(format!(
            "{name} has {decimals} decimals; min and max count units of the last one"
        ));
    }

    pub(super) fn assume_order(&mut self, name: &str, order: Order, distinct: bool) {
        let order = match order {
            Order::Sorted => "rises",
            Order::Reversed => "falls",
            Order::OrganPipe => "rises, then falls",
            _ => "",
        };
        if !order.is_empty() {
            self.assumptions.push(format!(
                "{name} {order}, as in the samples; leave out `order` if the task allows any"
            ));
        }
        if distinct {
            self.assumptions.push(format!(
                "{name} has no number twice, as in the samples; leave out `distinct` if the task \
                 allows that"
            ));
        }
    }

    /// Lists what the numbers of each line, or of all lines, keep. `field` counts the fields.
    pub(super) fn assume_related(&mut self, field: u32, range: &QueryRange) {
        let &QueryRange { not_below, other_than, rising, unique, .. } = range;
        let mut assume = |text: String, names: &str| {
            let text =
                format!("{text}, as in the samples; leave out {names} if the task allows any");
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
        };
        if not_below > 0 && not_below == other_than {
            let text = format!("field {field} of a line is above field {not_below}");
            assume(text, "`not_below` and `other_than`");
        } else if not_below > 0 {
            assume(
                format!("field {field} of a line is not below field {not_below}"),
                "`not_below`",
            );
        } else if other_than > 0 {
            assume(
                format!("field {field} of a line differs from field {other_than}"),
                "`other_than`",
            );
        }
        if rising {
            assume(format!("field {field} rises"), "`rising`");
        }
        if unique {
            assume(format!("field {field} is another number on each line"), "`unique`");
        }
    }
}
