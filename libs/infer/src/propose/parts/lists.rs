//! The variables of lists: numbers, positions, parents, words and brackets.

use super::{ARRAYS, MIN_NAME, Maker, TEXTS, form, span};
use crate::layout::sample::{Word, decimal};
use crate::layout::shape::Count;
use crate::reading::content::{Numbers, Parents};
use crate::reading::evidence::BRACKETS;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Order, Pattern, Permutation, QueryRange, Text, Tree};
use std::collections::BTreeSet;

impl Maker<'_> {
    /// Declares a text of balanced brackets, and returns its name.
    pub(super) fn brackets(&mut self, index: usize, column: usize, count: Count) -> String {
        let len = match count {
            Count::Free => self.scalars.next_even_length(self.names),
            written => self.scalars.expression(written),
        };
        let used = self.alphabet(index, column);
        let pairs = BRACKETS.as_bytes().chunks(2).filter(|pair| used.as_bytes().contains(&pair[0]));
        let alphabet = pairs.flatten().map(|bracket| char::from(*bracket)).collect();
        let name = self.names.fresh(&TEXTS);
        self.assumptions.push(format!(
            "{name} has balanced brackets, as in the samples; leave out `pattern` if the task \
             allows any"
        ));
        let pattern = Pattern::Balanced.into();
        self.declare(name, Kind::Text(Text { len, alphabet, pattern, ..Text::default() }))
    }

    /// Declares the list that `part` has, and returns its name.
    pub(super) fn declare_list(
        &mut self,
        part: usize,
        words: &[&Word],
        count: Count,
        kind: Numbers,
    ) -> String {
        match kind {
            Numbers::Words(distinct) => self.names_of(part, words, count, distinct),
            Numbers::Parents(parents) => self.parents(count, parents),
            numbers => self.numbers(words, count, numbers),
        }
    }

    fn numbers(&mut self, words: &[&Word], count: Count, numbers: Numbers) -> String {
        let len = self.length(count);
        let name = self.names.fresh(&ARRAYS);
        let decimals = words.iter().map(|word| word.decimals).max().unwrap_or_default();
        let order = match numbers {
            Numbers::Permutation(base) => {
                self.assumptions.push(format!("{name} is a permutation, as in the samples"));
                let base = if base == 1 { String::new() } else { base.to_string() };
                let kind = Kind::Permutation(Permutation { len, base, ..Permutation::default() });
                return self.declare(name, kind);
            }
            // Among fractions, a whole number is not in their unit.
            Numbers::Sorted if words.iter().all(|word| word.decimals == decimals) => {
                self.assumptions.push(format!(
                    "{name} is sorted, as in the samples; leave out `order` if the task allows any"
                ));
                Order::Sorted
            }
            _ => Order::Unspecified,
        };
        let distinct = matches!(numbers, Numbers::Positions(_, true));
        let (min, max) = if let Numbers::Positions(positions, _) = numbers {
            let QueryRange { min, max, .. } = self.range(positions);
            let different = if distinct { ", all different, as in the samples" } else { "" };
            self.assumptions.push(format!("{name}: {min} to {max}{different}"));
            (min, max)
        } else {
            let values: Vec<i64> =
                words.iter().filter_map(|word| decimal(&word.text, decimals)).collect();
            let (min, max) = span(&values);
            self.assume_span(&name, &min, &max);
            if decimals > 0 {
                self.assumptions.push(format!(
                    "{name} has {decimals} decimals; min and max count units of the last one"
                ));
            }
            (min, max)
        };
        let order = order.into();
        let array = Array { len, min, max, order, decimals, distinct, ..Array::default() };
        self.declare(name, Kind::Array(array))
    }

    /// Declares words, and returns their name.
    fn names_of(&mut self, part: usize, words: &[&Word], count: Count, distinct: bool) -> String {
        let rows = self.scalars.expression(count);
        let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let sorted = form::are_sorted(&texts);
        if let Some(format) = form::of(&texts, distinct, sorted) {
            let name = self.names.fresh(&["names"]);
            let order = if sorted { ", in ascending order" } else { "" };
            self.assumptions
                .push(format!("{name} have the form {format}{order}, as in the samples"));
            self.words.entry(part).or_insert_with(|| name.clone());
            // There are few different numbers, such as times of a day.
            let distinct = (distinct || sorted) && format.contains('[');
            let text = Text { format, rows, distinct, sorted, ..Text::default() };
            return self.declare(name, Kind::Text(text));
        }
        let lengths = || words.iter().map(|word| word.text.len());
        let least = lengths().min().unwrap_or(1);
        let most = lengths().max().unwrap_or(1);
        let letters: BTreeSet<char> = words.iter().flat_map(|word| word.text.chars()).collect();
        let lower = letters.iter().all(char::is_ascii_lowercase);
        let alphabet = if lower { String::new() } else { letters.into_iter().collect() };
        let name = self.names.fresh(&["names"]);
        let different = if distinct { " different" } else { "" };
        self.assumptions.push(format!(
            "{name} are{different} words of {least} to {most} characters, as in the samples; widen \
             to the task's bounds"
        ));
        self.words.entry(part).or_insert_with(|| name.clone());
        let (len, min_len) = (most.max(MIN_NAME).to_string(), least.to_string());
        let text = Text { len, alphabet, rows, min_len, distinct, ..Text::default() };
        self.declare(name, Kind::Text(text))
    }

    /// Declares the parents of a tree's nodes, and returns their name.
    fn parents(&mut self, count: Count, parents: Parents) -> String {
        let nodes = count.scalar().map(|nodes| self.scalars.expression(Count::Scalar(nodes)));
        let nodes = nodes.unwrap_or_default();
        let name = self.names.fresh(&["parents"]);
        let Parents { zero_based, root, any_order } = parents;
        let which = root.map_or("all nodes but the first".into(), |root| {
            format!("all nodes, {root} for the root,")
        });
        let order =
            if any_order { "; a parent can have a larger number than its node" } else { "" };
        self.assumptions
            .push(format!("{name} are the parents of {which} in a tree of {nodes} nodes{order}"));
        let root = root.map(|root| root.to_string()).unwrap_or_default();
        let tree = Tree { nodes, zero_based, parents: true, root, any_order, ..Tree::default() };
        self.declare(name, Kind::Tree(tree))
    }
}
