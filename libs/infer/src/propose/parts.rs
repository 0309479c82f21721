//! The variables and the layout of a reading's parts.

mod assume;
mod form;
mod history;
mod lists;
mod promises;
mod records;
mod relations;

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Scope};
use crate::propose::names::Names;
use crate::propose::roles::{are_uneven, least_case};
use crate::propose::scalars::{Scalars, scalars};
use crate::reading::content::{Content, Form, LineField, Nodes, Numbers, Part};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, Grid, Items, Layout, Matrix, Repetition, Split, Text, Tree, Variable, Weights, layout,
};
use profiler_input::{SIZE, spec};
use std::collections::{BTreeMap, BTreeSet};

const ARRAYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const TEXTS: [&str; 3] = ["s", "u", "v"];
const CELLS: [&str; 1] = ["cells"];
const EDGES: [&str; 1] = ["edges"];
/// Smallest upper bound of the lengths of names, so that there are enough different ones.
const MIN_NAME: usize = 10;

/// The rows of a part in each scope.
type Rows<'m> = Vec<Vec<&'m Vec<Word>>>;

/// The variables and the layout of a scope.
pub(crate) struct Body {
    pub(crate) vars: Vec<Variable>,
    pub(crate) layout: Vec<Layout>,
    /// The largest n, if there is one.
    pub(crate) most: Option<usize>,
}

/// Makes the variables and the layout for parts, unless no spec can express them.
pub(crate) fn body(
    samples: &[Sample],
    scopes: &[Scope],
    parts: &[Part],
    names: &mut Names,
    assumptions: &mut Vec<String>,
    promised: bool,
) -> Option<Body> {
    let scalars = scalars(scopes, parts, names, assumptions)?;
    let mut maker = Maker {
        samples,
        scopes,
        scalars,
        names,
        assumptions,
        next_scalar: 0,
        vars: Vec::new(),
        layout: Vec::new(),
        words: BTreeMap::new(),
        edges: BTreeMap::new(),
        parts,
        promised,
        pools: Vec::new(),
        most: None,
    };
    for (index, part) in parts.iter().enumerate() {
        maker.part(index, part)?;
    }
    let Maker { scalars, vars, layout, most, .. } = maker;
    Some(Body { vars: scalars.vars.into_iter().chain(vars).collect(), layout, most })
}

struct Maker<'m> {
    samples: &'m [Sample],
    scopes: &'m [Scope],
    scalars: Scalars,
    names: &'m mut Names,
    assumptions: &'m mut Vec<String>,
    /// Index of the next scalar that a line prints.
    next_scalar: usize,
    vars: Vec<Variable>,
    layout: Vec<Layout>,
    /// The name of the first variable with words in each part, which elements refer to.
    words: BTreeMap<usize, String>,
    /// The name of the edges in each part.
    edges: BTreeMap<usize, String>,
    parts: &'m [Part],
    /// Whether orders and differences of the samples are kept.
    promised: bool,
    /// The names of the words in each field of the queries that are made.
    pools: Vec<String>,
    /// The largest n, if there is one.
    most: Option<usize>,
}

impl<'m> Maker<'m> {
    fn part(&mut self, index: usize, part: &Part) -> Option<()> {
        let declared = self.vars.len();
        self.content(index, &part.content)?;
        let has_edges = matches!(part.content, Content::Tree(_) | Content::Graph { .. });
        if let Some(variable) = self.vars.get(declared).filter(|_| has_edges) {
            self.edges.insert(index, variable.name.clone());
        }
        if let (Some(doubt), Some(variable)) = (&part.doubt, self.vars.get(declared)) {
            let name = &variable.name;
            self.assumptions.push(format!("{name} {doubt}, which no kind of variable writes"));
        }
        Some(())
    }

    fn content(&mut self, index: usize, content: &Content) -> Option<()> {
        match content {
            Content::Line(fields) => self.line(index, fields),
            Content::Columns { count, columns } => self.columns(index, *count, columns),
            Content::Intervals { count } => self.intervals(index, *count),
            Content::Tree(nodes) => {
                let count = self.scalars.expression(Count::Scalar(nodes.count));
                self.assumptions.push(format!("the edges form a tree of {count} nodes"));
                self.assume_smaller_first(self.rises(index));
                let kind = Kind::Tree(Tree {
                    nodes: count,
                    weights: self.weights(index, *nodes),
                    zero_based: nodes.zero_based,
                    smaller_first: self.rises(index),
                    ..Tree::default()
                });
                self.edge_rows(index, Count::OneLess(nodes.count), kind);
            }
            Content::Graph { nodes, edges, promises } => {
                let count = self.scalars.expression(Count::Scalar(nodes.count));
                self.assume_promises(&count, promises);
                let smaller_first = self.rises(index) && (!promises.directed || promises.acyclic);
                self.assume_smaller_first(smaller_first);
                let loopless = !promises.simple && !self.has_loop(index);
                if loopless {
                    self.assumptions.push("no edge is a loop, as in the samples".into());
                }
                let kind = Kind::Graph(Graph {
                    nodes: count,
                    edges: self.scalars.expression(Count::Scalar(*edges)),
                    weights: self.weights(index, *nodes),
                    zero_based: nodes.zero_based,
                    smaller_first,
                    loopless,
                    ..promises.clone()
                });
                self.edge_rows(index, Count::Scalar(*edges), kind);
            }
            Content::Matrix { rows, cols, form } => {
                let (min, max) = span(&self.cell_numbers(index, *form));
                self.assume_span("the numbers of the matrix", &min, &max);
                let [rows, cols] = [*rows, *cols].map(|count| self.scalars.expression(count));
                self.assume_square(&rows, &cols);
                let &Form { symmetric, zero_diagonal } = form;
                self.assume_form(*form);
                let matrix =
                    Matrix { rows, cols, min, max, symmetric, zero_diagonal, ..Matrix::default() };
                self.cells(Kind::Matrix(matrix));
            }
            Content::Grid { rows, cols, marks, form } => {
                self.grid(index, [*rows, *cols], marks, *form);
            }
            Content::Queries { count, variants } => {
                self.queries(index, *count, variants, "queries");
            }
            Content::Cases { count, body } => return self.cases(*count, body),
        }
        Some(())
    }

    fn grid(&mut self, index: usize, size: [Count; 2], marks: &str, form: Form) {
        let alphabet = self.alphabet(index, 0).replace(|c| marks.contains(c), "");
        let [rows, cols] = size.map(|count| self.scalars.expression(count));
        self.assume_square(&rows, &cols);
        self.assumptions.push(format!(
            "the grid has the characters {alphabet:?}; repeat one to make it more frequent"
        ));
        if !marks.is_empty() {
            let all: Vec<String> = marks.chars().map(String::from).collect();
            let all = all.join(" and ");
            self.assumptions.push(format!("the grid has {all} exactly once, as in the samples"));
        }
        let first = self.rows(index).next().and_then(|row| row[0].text.chars().next());
        let first = first.map(String::from).unwrap_or_default();
        let diagonal = if form.zero_diagonal { first } else { String::new() };
        if form.symmetric {
            let more = if form.zero_diagonal { ", with one character on the diagonal" } else { "" };
            self.assumptions.push(format!("the grid is symmetric{more}, as in the samples"));
        }
        let (marks, symmetric) = (marks.into(), form.symmetric);
        self.cells(Kind::Grid(Grid { rows, cols, alphabet, marks, symmetric, diagonal }));
    }

    fn cases(&mut self, count: Count, parts: &[Part]) -> Option<()> {
        let scopes: Vec<Scope> = self.scopes.iter().flat_map(|scope| scope.cases.clone()).collect();
        let body = body(self.samples, &scopes, parts, self.names, self.assumptions, self.promised)?;
        let until_zeros = count == Count::Free;
        let least = least_case(self.scopes, parts);
        let count =
            if until_zeros { self.number_of_cases(least) } else { self.scalars.expression(count) };
        let Body { vars, layout, .. } = body;
        let mut repetition = Repetition { count, vars, layout, ..Repetition::default() };
        let uneven = until_zeros || are_uneven(self.scopes, parts);
        if uneven {
            repetition.set_split(Split::Random);
        }
        if uneven || least > 1 {
            repetition.min_size = least.to_string();
        }
        self.print(layout::Kind::Repeat(repetition));
        if until_zeros {
            let zeros = self.samples.first().and_then(|sample| sample.lines.last())?;
            let words: Vec<&str> = zeros.iter().map(|word| &*word.text).collect();
            self.print(layout::Kind::Literal(words.join(" ")));
        }
        Some(())
    }

    /// Declares the number of cases, which the input does not have, and returns its name.
    fn number_of_cases(&mut self, least: i64) -> String {
        let most = self.scopes.iter().map(|scope| scope.cases.len()).max().unwrap_or(1);
        let all = if least > 1 { format!("{SIZE} / {least}") } else { SIZE.into() };
        let (name, value) = (self.names.fresh(&["t"]), format!("min({most}, {all})"));
        self.assumptions.push(format!(
            "{name} is {value}, at most as many cases as a sample has; a line of zeros ends them"
        ));
        self.declare(name, Kind::Scalar(spec::Scalar { value, ..spec::Scalar::default() }))
    }

    fn line(&mut self, index: usize, fields: &[LineField]) {
        if fields.is_empty() {
            return self.print(layout::Kind::Literal(String::new()));
        }
        let mut items = Vec::new();
        for (column, field) in fields.iter().enumerate() {
            items.push(match field {
                LineField::Scalar => {
                    self.next_scalar += 1;
                    self.scalars.expression(Count::Scalar(self.next_scalar - 1))
                }
                LineField::Decimal => self.decimal(index, column),
                LineField::Text(count) => {
                    let len = self.length(*count);
                    let alphabet = self.alphabet(index, column);
                    let name = self.names.fresh(&TEXTS);
                    self.assumptions
                        .push(format!("{name} has the characters {alphabet:?}, as in the samples"));
                    self.declare(name, Kind::Text(Text { len, alphabet, ..Text::default() }))
                }
                LineField::Brackets(count) => self.brackets(index, column, *count),
                LineField::Numbers(count, numbers) => {
                    let rows = self.rows_by_scope(index);
                    let words = |rows: &Vec<&'m Vec<Word>>| {
                        rows.iter().flat_map(|row| &row[column..]).collect()
                    };
                    let lists: Vec<Vec<&Word>> = rows.iter().map(words).collect();
                    self.declare_list(index, &lists, *count, *numbers)
                }
            });
        }
        let alone = matches!(fields, [LineField::Text(_) | LineField::Brackets(_)]);
        self.print(match (alone, items.pop()) {
            (true, Some(name)) => layout::Kind::Raw(name),
            (_, last) => {
                items.extend(last);
                layout::Kind::Line(list(items))
            }
        });
    }

    fn length(&mut self, count: Count) -> String {
        match count {
            Count::Free => self.scalars.next_length(self.names),
            written => self.scalars.expression(written),
        }
    }

    fn weights(&mut self, index: usize, nodes: Nodes) -> Option<Weights> {
        let (min, max) = span(&self.column(index, 2));
        nodes.weighted.then(|| {
            self.assume_span("the weights of edges", &min, &max);
            Weights { min, max }
        })
    }

    /// Whether the first number is below the second one in all rows, of which there are some.
    fn rises(&self, index: usize) -> bool {
        let mut ends = self.column(index, 0).into_iter().zip(self.column(index, 1)).peekable();
        ends.peek().is_some() && ends.all(|(from, to)| from < to)
    }

    fn has_loop(&self, index: usize) -> bool {
        let mut ends = self.column(index, 0).into_iter().zip(self.column(index, 1));
        ends.any(|(from, to)| from == to)
    }

    /// Prints edges, each with the numbers that follow its weight.
    fn edge_rows(&mut self, index: usize, count: Count, kind: Kind) {
        let name = self.names.fresh(&EDGES);
        let mut items = vec![self.declare(name, kind)];
        let columns = self.rows(index).map(Vec::len).max().unwrap_or_default();
        for column in 3..columns {
            let lists = self.words_of(index, column);
            items.push(self.declare_list(index, &lists, count, Numbers::Any));
        }
        self.print(layout::Kind::Lines(list(items)));
    }

    fn by_rows(&mut self, name: &[&str], kind: Kind) {
        let name = self.names.fresh(name);
        let name = self.declare(name, kind);
        self.print(layout::Kind::Lines(list(vec![name])));
    }

    fn cells(&mut self, kind: Kind) {
        let name = self.names.fresh(&CELLS);
        let name = self.declare(name, kind);
        self.print(layout::Kind::Grid(name));
    }

    fn declare(&mut self, name: String, kind: Kind) -> String {
        self.vars.push(Variable { name: name.clone(), kind: Some(kind) });
        name
    }

    fn print(&mut self, kind: layout::Kind) {
        self.layout.push(Layout { kind: Some(kind) });
    }

    fn rows(&self, index: usize) -> impl Iterator<Item = &'m Vec<Word>> + use<'m> {
        let samples = self.samples;
        self.scopes
            .iter()
            .flat_map(move |scope| &samples[scope.sample].lines[scope.parts[index].clone()])
    }

    fn rows_by_scope(&self, index: usize) -> Rows<'m> {
        let samples = self.samples;
        let rows = |scope: &Scope| samples[scope.sample].lines[scope.parts[index].clone()].iter();
        self.scopes.iter().map(|scope| rows(scope).collect()).collect()
    }

    /// The words of a column in each scope.
    fn words_of(&self, index: usize, column: usize) -> Vec<Vec<&'m Word>> {
        let word = |row: &'m Vec<Word>| row.get(column);
        let rows = self.rows_by_scope(index).into_iter();
        rows.map(|rows| rows.into_iter().filter_map(word).collect()).collect()
    }

    /// The numbers of a matrix, without its diagonal if that is 0.
    fn cell_numbers(&self, index: usize, form: Form) -> Vec<i64> {
        let blocks = self.scopes.iter().flat_map(|scope| {
            self.samples[scope.sample].lines[scope.parts[index].clone()].iter().enumerate()
        });
        let cells = blocks.flat_map(|(row, words)| {
            let kept = move |col: usize| !(form.zero_diagonal && col == row);
            words.iter().enumerate().filter(move |(col, _)| kept(*col))
        });
        cells.filter_map(|(_, word)| word.number).collect()
    }

    fn column(&self, index: usize, column: usize) -> Vec<i64> {
        let number = |row: &Vec<Word>| row.get(column).and_then(|word| word.number);
        self.rows(index).filter_map(number).collect()
    }

    fn alphabet(&self, index: usize, column: usize) -> String {
        let words = self.rows(index).filter_map(|row| row.get(column));
        words.flat_map(|word| word.text.chars()).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

fn list(items: Vec<String>) -> Items {
    Items { items, omit_empty: false }
}

/// The smallest and the largest value.
fn ends(values: &[i64]) -> (i64, i64) {
    let [min, max] = [values.iter().min(), values.iter().max()];
    (min.copied().unwrap_or_default(), max.copied().unwrap_or_default())
}

fn span(values: &[i64]) -> (String, String) {
    let (min, max) = ends(values);
    (min.to_string(), max.to_string())
}
