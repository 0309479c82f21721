//! The possible meanings of the lines of one shape, given the evidence in all samples and cases.

use crate::layout::cost;
use crate::layout::sample::Sample;
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::reading::content::{Content, LineField, Nodes, Part};
use crate::reading::evidence::{self, Edges, InOrder};
use crate::reading::queries;
use crate::reading::view::{PartView, products};
use std::collections::BTreeSet;

/// Every combination of meanings that the shapes of a scope can have, with its cost.
pub(crate) fn of_scope(
    samples: &[Sample],
    scopes: &[Scope],
    shapes: &[Shape],
) -> Vec<(Vec<Part>, u32)> {
    let options: Vec<Vec<Part>> = (0..shapes.len())
        .map(|index| PartView { samples, scopes, shapes, index }.alternatives())
        .collect();
    let scalars = scopes.first().map_or(0, |scope| scope.scalars.len());
    let priced = |parts: Vec<Part>| {
        let used: BTreeSet<usize> = parts.iter().flat_map(|part| part.used.clone()).collect();
        let scalars: u32 = (0..scalars)
            .map(|i| if used.contains(&i) { cost::USED_SCALAR } else { cost::UNUSED_SCALAR })
            .sum();
        let price = scalars + parts.iter().map(|part| part.cost).sum::<u32>();
        (parts, price)
    };
    products(&options).into_iter().map(priced).collect()
}

impl PartView<'_> {
    /// Every meaning that the part can have.
    fn alternatives(&self) -> Vec<Part> {
        match &self.shapes[self.index] {
            Shape::Line(fields) => self.line(fields),
            Shape::Cases { count, body } => self.cases(*count, body),
            Shape::Block { count, width } => self.block(*count, *width),
        }
    }

    fn block(&self, count: Count, width: Width) -> Vec<Part> {
        let mut parts = match width {
            Width::Numbers(cols) => {
                vec![rows(count, cols, Content::Matrix { rows: count, cols })]
            }
            Width::Characters(cols) => {
                let grid = Content::Grid { rows: count, cols };
                vec![rows(count, cols, self.marks().unwrap_or(grid))]
            }
            Width::Operations => {
                queries::of_operations(self, count, cost::PART + cost::count(count))
            }
            Width::Columns(columns) => self.records(count, columns),
        };
        if self.blocks().all(|(_, rows)| rows.len() < 2) {
            for part in &mut parts {
                part.cost += cost::CHANCE_ROW;
            }
        }
        parts
    }

    fn line(&self, fields: &[Field]) -> Vec<Part> {
        let price = cost::PART + fields.iter().map(|field| cost::field(*field)).sum::<u32>();
        let used = fields.iter().filter_map(|field| match field {
            Field::Scalar => None,
            Field::Text(count) | Field::Numbers(count) => count.scalar(),
        });
        let used: Vec<_> = used.collect();
        let mut options = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            options.push(match *field {
                Field::Scalar => vec![LineField::Scalar],
                Field::Text(count) => vec![LineField::Text(count)],
                Field::Numbers(count) => {
                    let lists = self.blocks().map(|(_, rows)| {
                        rows[0][i..].iter().filter_map(|word| word.number).collect()
                    });
                    let lists: Vec<Vec<i64>> = lists.collect();
                    if matches!(count, Count::OneLess(_)) && evidence::are_parents(&lists) {
                        let why = "the numbers may be the parents of a tree's nodes";
                        let content = Content::NoKind(why.into());
                        return vec![Part { content, cost: price, used }];
                    }
                    let kinds = evidence::of_numbers(&lists);
                    kinds.into_iter().map(|kind| LineField::Numbers(count, kind)).collect()
                }
            });
        }
        let part =
            |fields| Part { content: Content::Line(fields), cost: price, used: used.clone() };
        products(&options).into_iter().map(part).collect()
    }

    fn cases(&self, count: Count, body: &[Shape]) -> Vec<Part> {
        let scopes: Vec<Scope> = self.scopes.iter().flat_map(|scope| scope.cases.clone()).collect();
        let bodies = of_scope(self.samples, &scopes, body);
        let chance = if has_words_of_one_length(self.samples, &scopes, body) {
            cost::CHANCE_LENGTH
        } else {
            0
        };
        let part = |(body, price): (Vec<Part>, u32)| Part {
            content: Content::Cases { count, body },
            cost: cost::PART + cost::count(count) + price + chance,
            used: count.scalar().into_iter().collect(),
        };
        bodies.into_iter().map(part).collect()
    }

    /// A refusal if the only letters are one or two that occur exactly once in every grid. They
    /// mark places, such as a start, and no kind of variable can write that.
    fn marks(&self) -> Option<Content> {
        const MOST_MARKS: usize = 2;
        let grids: Vec<String> = self
            .blocks()
            .map(|(_, rows)| rows.iter().map(|row| row[0].text.as_str()).collect())
            .collect();
        let once = |mark: char| grids.iter().all(|grid| grid.matches(mark).count() == 1);
        let letters = |grid: &String| grid.chars().filter(char::is_ascii_alphabetic).count();
        let marks: Vec<char> = ('A'..='Z').chain('a'..='z').filter(|mark| once(*mark)).collect();
        let only = grids.iter().all(|grid| letters(grid) == marks.len());
        if marks.is_empty() || marks.len() > MOST_MARKS || !only {
            return None;
        }
        let marks: Vec<String> = marks.iter().map(char::to_string).collect();
        let marks = marks.join(" and ");
        Some(Content::NoKind(format!("the grid has {marks} exactly once")))
    }

    fn records(&self, count: Count, columns: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let ordered = (columns == 2)
            .then(|| evidence::in_order(&self.pairs(0).concat(), evidence::MIN_INTERVALS));
        let width = u32::try_from(columns).unwrap_or(u32::MAX);
        let price = cost::PART + cost::count(count) + width * cost::COLUMN;
        let used: Vec<_> = count.scalar().into_iter().collect();
        if matches!(ordered, Some(InOrder::Perhaps | InOrder::Yes)) {
            let content = Content::Intervals { count };
            parts.push(Part { content, cost: price, used: used.clone() });
        }
        let ranges = if columns == 2 { queries::of_ranges(self, count) } else { Vec::new() };
        let operations =
            if columns > 1 { queries::of_codes(self, count, price) } else { Vec::new() };
        let by_chance = operations.iter().any(|part| part.cost < price);
        if !matches!(ordered, Some(InOrder::Yes)) {
            let chance = if by_chance { cost::CHANCE_CODES } else { 0 };
            let kinds = (0..columns).map(|column| evidence::of_numbers(&self.column(column)));
            let kinds: Vec<_> =
                kinds.map(|kinds| if columns == 1 { kinds } else { kinds[..1].to_vec() }).collect();
            parts.extend(products(&kinds).into_iter().map(|columns| Part {
                content: Content::Columns { count, columns },
                cost: price + chance,
                used: used.clone(),
            }));
        }
        if ranges.iter().any(|(certain, _)| *certain) {
            parts.clear();
        }
        parts.extend(ranges.into_iter().map(|(_, part)| part));
        parts.extend(operations);
        if columns == 2 || columns == 3 {
            self.trees(count, columns == 3, &mut parts);
            self.graphs(count, columns == 3, &mut parts);
        }
        parts
    }

    /// The graph of each scope, if the pairs can be edges of a graph that has as many nodes as the
    /// scalar `nodes` says.
    fn edges(&self, nodes: usize, base: i64) -> Option<Vec<Edges>> {
        let pairs = self.pairs(0);
        let graphs = self.scopes.iter().zip(&pairs);
        graphs.map(|(scope, pairs)| Edges::new(*scope.scalars.get(nodes)?, base, pairs)).collect()
    }

    fn trees(&self, count: Count, weighted: bool, parts: &mut Vec<Part>) {
        let Count::OneLess(nodes) = count else { return };
        for zero_based in [false, true] {
            let graphs = self.edges(nodes, i64::from(!zero_based));
            if graphs.is_some_and(|graphs| graphs.iter().all(Edges::is_tree)) {
                let nodes = Nodes { count: nodes, zero_based, weighted };
                parts.push(Part {
                    content: Content::Tree(nodes),
                    cost: cost::PART + 1 + cost::PAIR,
                    used: vec![nodes.count],
                });
            }
        }
    }

    fn graphs(&self, count: Count, weighted: bool, parts: &mut Vec<Part>) {
        let Count::Scalar(edges) = count else { return };
        for nodes in 0..edges {
            for zero_based in [false, true] {
                let Some(graphs) = self.edges(nodes, i64::from(!zero_based)) else { continue };
                let promises = evidence::promises(&graphs);
                if !promises.simple && self.counts_earlier(nodes) {
                    continue;
                }
                let tree = graphs.iter().all(Edges::is_tree);
                let chance = match (tree, promises.simple) {
                    (true, _) => cost::CHANCE_TREE,
                    (false, false) => cost::CHANCE_LOOPS,
                    (false, true) => 0,
                };
                let nodes = Nodes { count: nodes, zero_based, weighted };
                parts.push(Part {
                    content: Content::Graph { nodes, edges, promises },
                    cost: cost::PART + cost::count(count) + cost::PAIR + chance,
                    used: vec![nodes.count, edges],
                });
            }
        }
    }
}

fn rows(rows: Count, cols: Count, content: Content) -> Part {
    Part {
        content,
        cost: cost::PART + cost::count(rows) + cost::count(cols),
        used: rows.scalar().into_iter().chain(cols.scalar()).collect(),
    }
}

/// Whether the body is one text of free length, and the words of all cases have the same length,
/// like the rows of a grid.
fn has_words_of_one_length(samples: &[Sample], scopes: &[Scope], body: &[Shape]) -> bool {
    let [Shape::Line(fields)] = body else { return false };
    let [Field::Text(Count::Free)] = fields.as_slice() else { return false };
    let mut lengths =
        scopes.iter().map(|scope| samples[scope.sample].lines[scope.parts[0].start][0].text.len());
    let first = lengths.next();
    scopes.len() > 2 && lengths.all(|length| Some(length) == first)
}
