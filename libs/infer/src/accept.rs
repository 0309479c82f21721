//! Checks an input against a spec. An accepted input has the layout, the lengths and the values
//! that the spec declares. The value of a printed scalar is taken from the input, because the
//! declared value only says how the scalar grows with n. So the shape of the input is checked, not
//! its size.

mod history;
mod promises;
mod queries;
mod texts;
mod whole;
mod words;

use profiler_input::spec::variable::Kind;
use profiler_input::spec::{InputSpec, Layout, Repetition, Tree, Variable, Weights, layout};
use profiler_input::{SIZE, Scope, evaluate};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use words::{characters, in_order, no_more, number, scaled, take};

/// Checks whether the spec could have made an input like this one. An error names the line, counted
/// from 1.
pub fn accept(spec: &InputSpec, input: &str) -> Result<(), String> {
    read(spec, None, BTreeMap::new(), input)
}

/// Checks whether the spec could have made this input of size n. Unlike [`accept`], it also checks
/// declared values of scalars and every promise. A promise that it cannot check is an error: that
/// of a shape or a pattern. Orders other than a rising, a falling and an equal one are no promises.
pub fn conforms(spec: &InputSpec, scope: &Scope, n: u64, input: &str) -> Result<(), String> {
    let n = i64::try_from(n).map_err(|_| "n is too large")?;
    read(spec, Some(scope), BTreeMap::from([(SIZE.into(), n)]), input)
}

fn read(
    spec: &InputSpec,
    scope: Option<&Scope>,
    known: BTreeMap<String, i64>,
    input: &str,
) -> Result<(), String> {
    // Only in a sample, the last lines mean nothing if they are empty.
    let input = if scope.is_none() { input.trim_end() } else { input };
    let lines = input.lines().map(|line| line.split_ascii_whitespace().collect());
    let (lines, vars, texts) = (lines.collect(), Vec::new(), BTreeMap::new());
    let mut reader = Reader { scope, lines, at: 0, known, vars, texts, edges: BTreeMap::new() };
    reader.vars.extend(&spec.vars);
    let read = reader.parts(&spec.layout);
    let line = reader.at + 1;
    read.map_err(|problem| format!("line {line}: {problem}"))?;
    match reader.lines.len() - reader.at.min(reader.lines.len()) {
        0 => Ok(()),
        _ => Err(format!("line {line}: more lines than the layout has")),
    }
}

struct Reader<'i> {
    /// The task's values, if declared values and promises are checked too.
    scope: Option<&'i Scope>,
    lines: Vec<Vec<&'i str>>,
    /// Index of the next line.
    at: usize,
    /// The values of the names that have been read from the input.
    known: BTreeMap<String, i64>,
    /// The variables that the layout can use.
    vars: Vec<&'i Variable>,
    /// The strings that have been read, by their variables.
    texts: BTreeMap<&'i str, BTreeSet<Vec<i64>>>,
    /// The edges that have been read, by their variables, each with the number of the first node.
    edges: BTreeMap<&'i str, KnownEdges>,
}

/// The number of the first node, and edges between nodes that are numbered from 0.
type KnownEdges = (i64, BTreeSet<(i64, i64)>);

/// The number of the root's parent, as a row of a tree.
const ROOT: i64 = -1;

/// The numbers in the rows of a variable that have been read.
type Rows = Vec<Vec<i64>>;

impl<'i> Reader<'i> {
    fn parts(&mut self, layout: &'i [Layout]) -> Result<(), String> {
        for (index, part) in layout.iter().enumerate() {
            match part.kind.as_ref().ok_or("the spec has a part without a kind")? {
                layout::Kind::Line(items) => self.line(&items.items, items.omit_empty)?,
                layout::Kind::Lines(items) => self.lines(&items.items)?,
                layout::Kind::Grid(name) => self.lines(slice::from_ref(name))?,
                layout::Kind::Raw(name) => self.line(slice::from_ref(name), false)?,
                layout::Kind::Literal(text) => {
                    let words: Vec<_> = text.split_ascii_whitespace().collect();
                    (self.next()? == words).then_some(()).ok_or("is not the literal")?;
                }
                layout::Kind::Repeat(repetition) => {
                    self.cases(repetition, layout.len() - index - 1)?;
                }
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Vec<&'i str>, String> {
        let line = self.lines.get(self.at).cloned().ok_or("the input ends too early")?;
        self.at += 1;
        Ok(line)
    }

    /// Reads cases. `after` is the number of parts after them. If the input does not have the
    /// number of cases, each of these parts is one line.
    fn cases(&mut self, repetition: &'i Repetition, after: usize) -> Result<(), String> {
        let outside = (self.known.clone(), self.vars.len());
        let mut sizes = Vec::new();
        let name = repetition.count.trim();
        let is_written = self.scope.is_some() || self.known.contains_key(name);
        let count = match self.kind(name) {
            Some(Kind::Scalar(_)) if !is_written => None,
            _ => Some(self.value(&repetition.count)?),
        };
        for number in 0.. {
            let rest = self.lines.len().saturating_sub(self.at);
            if count.map_or(rest <= after, |count| number >= count) {
                break;
            }
            let before = self.at;
            self.known.remove(SIZE);
            self.vars.extend(&repetition.vars);
            self.parts(&repetition.layout)?;
            sizes.extend(self.known.get(SIZE));
            self.known.clone_from(&outside.0);
            self.vars.truncate(outside.1);
            if self.at == before {
                // Cases without lines take nothing from the input, however many there are.
                break;
            }
        }
        if self.scope.is_some() { self.are_sizes(repetition, &sizes) } else { Ok(()) }
    }

    /// Reads one line with all rows of the items.
    fn line(&mut self, items: &'i [String], omit_empty: bool) -> Result<(), String> {
        let nothing = omit_empty && items.iter().all(|item| self.is_empty(item));
        let line = if nothing { Vec::new() } else { self.next()? };
        let mut words = line.as_slice();
        for item in items {
            let kind = self.kind(item);
            let count = self.rows(kind, Some(words))?;
            let rows = (0..count).map(|_| self.row(item, kind, &mut words));
            let rows = rows.collect::<Result<Rows, _>>()?;
            self.whole(kind, &rows)?;
            self.remember(item, rows);
        }
        no_more(words)
    }

    /// Reads a line for each row of the items.
    fn lines(&mut self, items: &'i [String]) -> Result<(), String> {
        let first = items.first().ok_or("the spec has a line without items")?;
        let count = self.rows(self.kind(first), None)?;
        let mut all = vec![Rows::new(); items.len()];
        for _ in 0..count {
            let line = self.next()?;
            let mut words = line.as_slice();
            for (item, rows) in items.iter().zip(&mut all) {
                rows.push(self.row(item, self.kind(item), &mut words)?);
            }
            no_more(words)?;
        }
        for (item, rows) in items.iter().zip(all) {
            self.whole(self.kind(item), &rows)?;
            self.remember(item, rows);
        }
        Ok(())
    }

    fn kind(&self, name: &str) -> Option<&'i Kind> {
        self.vars.iter().find(|variable| variable.name == name.trim())?.kind.as_ref()
    }

    fn is_empty(&self, item: &str) -> bool {
        self.kind(item)
            .is_some_and(|kind| matches!(kind, Kind::Text(text) if self.value(&text.len) == Ok(0)))
    }

    /// Evaluates an expression with the values that were read from the input, or else the declared
    /// values.
    fn value(&self, text: &str) -> Result<i64, String> {
        evaluate(text, &|name| self.known_value(name))
            .map_err(|problem| format!("{text}: {problem}"))
    }

    fn known_value(&self, name: &str) -> Option<i64> {
        if let Some(value) = self.known.get(name) {
            return Some(*value);
        }
        if let (Some(scope), None) = (self.scope, self.kind(name)) {
            let bound = name.strip_suffix("_max").and_then(|name| scope.bounds.get(name));
            let is_size = name == scope.size_variable;
            return bound.or_else(|| self.known.get(SIZE).filter(|_| is_size)).copied();
        }
        match self.kind(name)? {
            // A declared value uses only earlier names, so the recursion ends.
            Kind::Scalar(scalar) if !scalar.value.is_empty() => self.value(&scalar.value).ok(),
            _ => None,
        }
    }

    /// Evaluates a count. `there` is the number that the input has. If the count is a name without
    /// a value so far, the name gets this number.
    fn count(&mut self, text: &str, there: Option<usize>) -> Result<usize, String> {
        let name = text.trim();
        let is_length = name == SIZE || matches!(self.kind(name), Some(Kind::Scalar(_)));
        if let (true, Some(there)) = (is_length && !self.known.contains_key(name), there) {
            self.known.insert(name.into(), i64::try_from(there).unwrap_or(i64::MAX));
            return Ok(there);
        }
        let value = self.value(text)?;
        usize::try_from(value).map_err(|_| format!("{text} is {value}, which is no count"))
    }

    fn expression(&mut self, text: &str, word: &str) -> Result<(), String> {
        let number = number(word)?;
        if text.trim() == SIZE && !self.known.contains_key(SIZE) {
            self.known.insert(SIZE.into(), number);
            return Ok(());
        }
        let value = self.value(text)?;
        (value == number).then_some(()).ok_or(format!("{word} is not {text}, which is {value}"))
    }

    /// Returns the number of rows of an item. `words` are the rest of the line, if all rows are on
    /// one line.
    fn rows(&mut self, kind: Option<&Kind>, words: Option<&[&str]>) -> Result<usize, String> {
        let there = words.map(<[&str]>::len);
        let Some(kind) = kind else { return Ok(1) };
        match kind {
            Kind::Scalar(_) => Ok(1),
            Kind::Text(text) if text.rows.is_empty() => Ok(1),
            Kind::Text(text) => self.count(&text.rows, there),
            Kind::Array(array) => self.count(&array.len, there),
            Kind::Permutation(permutation) => self.count(&permutation.len, there),
            Kind::Matrix(matrix) => self.count(&matrix.rows, None),
            Kind::Grid(grid) => self.count(&grid.rows, None),
            Kind::Tree(tree) if !tree.root.is_empty() => self.count(&tree.nodes, None),
            Kind::Tree(tree) => Ok(self.count(&tree.nodes, None)?.saturating_sub(1)),
            Kind::Graph(graph) if graph.edges.is_empty() => {
                Err("the number of edges follows from the shape".into())
            }
            Kind::Graph(graph) => self.count(&graph.edges, None),
            Kind::Points(points) => self.count(&points.len, there.map(|words| words / 2)),
            Kind::Intervals(intervals) => self.count(&intervals.len, there.map(|words| words / 2)),
            Kind::Queries(queries) => self.count(&queries.len, None),
        }
    }

    /// Reads one row of an item, and returns its numbers. An item without a kind is an expression.
    fn row(
        &mut self,
        item: &str,
        kind: Option<&Kind>,
        words: &mut &[&'i str],
    ) -> Result<Vec<i64>, String> {
        let Some(kind) = kind else {
            return self.expression(item, take(words)?).map(|()| Vec::new());
        };
        match kind {
            Kind::Scalar(scalar) => {
                let number = number(take(words)?)?;
                if !(scalar.min.is_empty() || scalar.max.is_empty()) {
                    self.inside(number, &scalar.min, &scalar.max)?;
                }
                if self.scope.is_some() && !scalar.value.is_empty() {
                    self.inside(number, &scalar.value, &scalar.value)?;
                }
                self.known.insert(item.trim().into(), number);
                Ok(vec![number])
            }
            Kind::Array(array) => {
                let number = scaled(take(words)?, array.decimals)?;
                self.inside(number, &array.min, &array.max)?;
                if !array.step.is_empty() {
                    self.is_step(number, &array.min, &array.step)?;
                }
                Ok(vec![number])
            }
            Kind::Permutation(_) => Ok(vec![number(take(words)?)?]),
            Kind::Matrix(matrix) => {
                let cols = self.count(&matrix.cols, Some(words.len()))?;
                // Which numbers are on the diagonal is known once all rows are read.
                let free = matrix.zero_diagonal;
                let cell = |_| match number(take(words)?)? {
                    any if free => Ok(any),
                    bounded => self.inside(bounded, &matrix.min, &matrix.max).map(|()| bounded),
                };
                (0..cols).map(cell).collect()
            }
            Kind::Grid(grid) => {
                let word = take(words)?;
                let cols = self.count(&grid.cols, Some(word.len()))?;
                characters(word, cols, &[&*grid.alphabet, &grid.marks, &grid.diagonal].concat())
            }
            Kind::Text(text) => self.text(text, words),
            Kind::Tree(tree) if self.is_root(tree, words) => take(words).map(|_| vec![ROOT]),
            Kind::Tree(tree) => {
                let sides = if tree.parents { &[&*tree.nodes][..] } else { &[&*tree.nodes; 2] };
                self.edge(words, sides, tree.zero_based, tree.weights.as_ref())
            }
            Kind::Graph(graph) => {
                let sides = [&graph.nodes, graph.second_side()];
                self.edge(words, &sides, graph.zero_based, graph.weights.as_ref())
            }
            Kind::Points(points) => {
                (0..2).map(|_| self.number(words, &points.min, &points.max)).collect()
            }
            Kind::Intervals(all) => {
                let begin = self.number(words, &all.min, &all.max)?;
                let ends = [begin, self.number(words, &all.min, &all.max)?];
                in_order(&ends, all.distinct)?;
                Ok(ends.into())
            }
            Kind::Queries(queries) => {
                let line = std::mem::take(words);
                self.query(queries, line)
            }
        }
    }

    /// Whether the next word stands for the parent of the root.
    fn is_root(&self, tree: &Tree, words: &[&str]) -> bool {
        let root = self.value(&tree.root).ok();
        root.is_some() && words.first().and_then(|word| number(word).ok()) == root
    }

    /// Reads a node of each of `sides`, which are numbers of nodes, and a weight if there is one.
    fn edge(
        &self,
        words: &mut &[&'i str],
        sides: &[&str],
        zero_based: bool,
        weights: Option<&Weights>,
    ) -> Result<Vec<i64>, String> {
        let base = i64::from(!zero_based);
        let mut pair = Vec::new();
        for nodes in sides {
            let nodes = self.value(nodes)?;
            let word = take(words)?;
            let node = number(word)?.saturating_sub(base);
            let known = (0..nodes).contains(&node);
            pair.push(known.then_some(node).ok_or(format!("{word} is no node"))?);
        }
        if let Some(range) = weights {
            self.number(words, &range.min, &range.max)?;
        }
        Ok(pair)
    }

    fn number(&self, words: &mut &[&'i str], min: &str, max: &str) -> Result<i64, String> {
        let number = number(take(words)?)?;
        self.inside(number, min, max).map(|()| number)
    }

    fn is_step(&self, number: i64, min: &str, step: &str) -> Result<(), String> {
        let (min, step) = (self.value(min)?, self.value(step)?);
        let above = i128::from(number) - i128::from(min);
        let whole = step > 0 && above % i128::from(step) == 0;
        whole.then_some(()).ok_or(format!("{number} is not {min} and a multiple of {step}"))
    }

    fn inside(&self, number: i64, min: &str, max: &str) -> Result<(), String> {
        let (from, to) = (self.value(min)?, self.value(max)?);
        let inside = (from..=to).contains(&number);
        inside.then_some(()).ok_or(format!("{number} is not in {from}..={to}"))
    }
}
