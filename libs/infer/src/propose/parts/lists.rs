//! The variables of lists: numbers, positions, parents, words and brackets.

use super::{ARRAYS, MIN_NAME, Maker, TEXTS, ends, form, promises, span};
use crate::layout::sample::{Word, decimal};
use crate::layout::shape::Count;
use crate::propose::roles::value_of;
use crate::reading::content::{Numbers, Parents, Positions};
use crate::reading::evidence::BRACKETS;
use profiler_input::SIZE;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Order, Pattern, Permutation, QueryRange, Text, Tree};
use std::collections::BTreeSet;

const DECIMALS: [&str; 3] = ["p", "r", "h"];
/// Number of lowercase letters.
const LETTERS: usize = 26;
/// Minimum number of words of one length for different words to have that length.
const MIN_WORDS: usize = 10_000;

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

    /// Declares the list that `part` has in each scope, and returns its name.
    pub(super) fn declare_list(
        &mut self,
        part: usize,
        lists: &[Vec<&Word>],
        count: Count,
        kind: Numbers,
    ) -> String {
        match kind {
            Numbers::Words(distinct) => {
                let rows = self.scalars.expression(count);
                let name = self.names_of(&lists.concat(), rows, distinct);
                self.words.entry(part).or_insert_with(|| name.clone());
                name
            }
            Numbers::Parents(parents) => self.parents(count, parents),
            Numbers::Permutation(base) => {
                let (len, name) = (self.length(count), self.names.fresh(&ARRAYS));
                self.assumptions.push(format!("{name} is a permutation, as in the samples"));
                let base = if base == 1 { String::new() } else { base.to_string() };
                self.declare(
                    name,
                    Kind::Permutation(Permutation { len, base, ..Permutation::default() }),
                )
            }
            Numbers::Positions(positions, distinct) => {
                let number = |word: &&Word| word.number;
                let lists = lists.iter().map(|words| words.iter().filter_map(number).collect());
                let order = promises::order(&lists.collect::<Vec<_>>());
                self.positions(count, positions, distinct, order.filter(|_| self.promised))
            }
            Numbers::Any => self.numbers(lists, count),
        }
    }

    fn positions(
        &mut self,
        count: Count,
        positions: Positions,
        distinct: bool,
        order: Option<Order>,
    ) -> String {
        let (len, name) = (self.length(count), self.names.fresh(&ARRAYS));
        let QueryRange { min, max, .. } = self.range(positions);
        let different = if distinct { ", all different, as in the samples" } else { "" };
        self.assumptions.push(format!("{name}: {min} to {max}{different}"));
        let order = order.unwrap_or_default();
        self.assume_order(&name, order, false);
        let order = order.into();
        self.declare(
            name,
            Kind::Array(Array { len, min, max, distinct, order, ..Array::default() }),
        )
    }

    /// Declares a decimal fraction as a list of one number, and returns its name.
    pub(super) fn decimal(&mut self, index: usize, column: usize) -> String {
        let words: Vec<&Word> = self.rows(index).filter_map(|row| row.get(column)).collect();
        let decimals = words.iter().map(|word| word.decimals).max().unwrap_or_default();
        let values = words.iter().filter_map(|word| decimal(&word.text, decimals));
        let (min, max) = ends(&values.collect::<Vec<_>>());
        let (name, min, max) = (self.names.fresh(&DECIMALS), min.to_string(), max.to_string());
        self.assume_span(&name, &min, &max);
        self.assume_decimals(&name, decimals);
        let array = Array { len: "1".into(), min, max, decimals, ..Array::default() };
        self.declare(name, Kind::Array(array))
    }

    fn numbers(&mut self, words: &[Vec<&Word>], count: Count) -> String {
        let (len, name) = (self.length(count), self.names.fresh(&ARRAYS));
        let decimals = words.iter().flatten().map(|word| word.decimals).max().unwrap_or_default();
        let list = |words: &Vec<&Word>| {
            words.iter().filter_map(|word| decimal(&word.text, decimals)).collect()
        };
        let lists: Vec<Vec<i64>> = words.iter().map(list).collect();
        let order = promises::order(&lists).filter(|_| self.promised).unwrap_or_default();
        let distinct = self.promised && promises::are_different(&lists);
        let (min, max) = if distinct { self.room_of(&lists, &len) } else { span(&lists.concat()) };
        self.assume_span(&name, &min, &max);
        if decimals > 0 {
            self.assume_decimals(&name, decimals);
        }
        self.assume_order(&name, order, distinct);
        let order = order.into();
        let array = Array { len, min, max, order, decimals, distinct, ..Array::default() };
        self.declare(name, Kind::Array(array))
    }

    /// The range of the lists' numbers, and room for `len` different ones. A scalar that counts
    /// nothing, and that no number is above, grows with it.
    pub(super) fn room_of(&mut self, lists: &[Vec<i64>], len: &str) -> (String, String) {
        let scopes = self.scopes;
        let (min, max) = ends(&lists.concat());
        let values = |scalar: usize| scopes.iter().map(move |scope| value_of(scope, scalar));
        let is_limit = |scalar: usize| {
            let mut each = values(scalar).zip(lists);
            each.all(|(value, list)| {
                list.iter().all(|number| (0..=value).contains(number))
                    && usize::try_from(value).is_ok_and(|value| value >= list.len())
            })
        };
        let room = promises::with_room(min, max, len);
        for scalar in self.scalars.others.clone() {
            let name = self.scalars.expression(Count::Scalar(scalar));
            let declared = self.scalars.vars.iter_mut().find(|variable| variable.name == name);
            let kind =
                declared.and_then(|variable| variable.kind.as_mut()).filter(|_| is_limit(scalar));
            if let Some(Kind::Scalar(declared)) = kind {
                let below = values(scalar).zip(lists).all(|(value, list)| !list.contains(&value));
                let more = if below { " + 1" } else { "" };
                declared.value = format!("max({}, {room}{more})", declared.value);
            }
        }
        (min.to_string(), room)
    }

    /// Declares `rows` words like these, and returns their name.
    pub(super) fn names_of(&mut self, words: &[&Word], rows: String, distinct: bool) -> String {
        let distinct = distinct && self.promised;
        let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let sorted = form::are_sorted(&texts);
        if let Some(format) = form::of(&texts, distinct, sorted) {
            let name = self.names.fresh(&["names"]);
            let order = if sorted { ", in ascending order" } else { "" };
            self.assumptions
                .push(format!("{name} have the form {format}{order}, as in the samples"));
            // There are few different numbers, such as times of a day.
            let distinct = (distinct || sorted) && format.contains('[');
            let text = Text { format, rows, distinct, sorted, ..Text::default() };
            return self.declare(name, Kind::Text(text));
        }
        let lengths = || words.iter().map(|word| word.text.len());
        let least = lengths().min().unwrap_or(1);
        let most = lengths().max().unwrap_or(1);
        let letters: BTreeSet<char> = words.iter().flat_map(|word| word.text.chars()).collect();
        let alphabet = if letters.iter().all(char::is_ascii_lowercase) {
            String::new()
        } else if letters.iter().all(char::is_ascii_uppercase) {
            ('A'..='Z').collect()
        } else {
            letters.into_iter().collect()
        };
        let ways = if alphabet.is_empty() { LETTERS } else { alphabet.len() };
        let exponent = u32::try_from(least).unwrap_or(u32::MAX);
        let ways = ways.saturating_pow(exponent);
        // Single letters remain so, although there are few.
        let is_wide = !distinct || ways >= MIN_WORDS || (most == 1 && rows == SIZE);
        let is_fixed = self.promised && least == most && words.len() > 1 && is_wide;
        if is_fixed && distinct && ways < MIN_WORDS {
            self.most = Some(ways);
            self.assumptions.push(format!("n is at most {ways}, the number of different words"));
        }
        let name = self.names.fresh(&["names"]);
        let different = if distinct { " different" } else { "" };
        self.assumptions.push(format!(
            "{name} are{different} words of {least} to {most} characters, as in the samples; widen \
             to the task's bounds"
        ));
        let most = if is_fixed { most } else { most.max(MIN_NAME) };
        let (len, min_len) = (most.to_string(), least.to_string());
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
