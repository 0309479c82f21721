//! Queries that are valid only after others: elements that earlier ones have added, edges that are
//! removed once, numbers that grow.

use super::relations::{AFTER_CODE, first_words};
use super::{Maker, promises};
use crate::layout::sample::Word;
use crate::reading::content::{Argument, Content, Operation};
use crate::reading::records::collections::{is_addition, is_change};
use profiler_input::spec::{Queries, QueryElement, QueryField, QueryRange, query_field};
use std::collections::BTreeSet;

/// Minimum number of rows for a promise about all rows of a kind of query.
const MIN_ROWS: usize = 2;

/// A query: the index of its kind, and its line.
type Line<'s> = (usize, &'s [Word]);

/// The queries of each scope.
struct Log<'s> {
    scopes: Vec<Vec<Line<'s>>>,
    /// The first word of each field, for each kind.
    columns: Vec<Vec<usize>>,
}

impl Log<'_> {
    fn number(&self, (kind, line): Line<'_>, field: usize) -> Option<i64> {
        line.get(*self.columns[kind].get(field)?)?.number
    }

    /// Whether no two queries of the kind in one scope have the same first number.
    fn differ(&self, kind: usize) -> bool {
        self.scopes.iter().all(|lines| {
            let own = lines.iter().filter(|line| line.0 == kind);
            let numbers: Vec<_> = own.map(|line| self.number(*line, 0)).collect();
            numbers.iter().collect::<BTreeSet<_>>().len() == numbers.len()
        }) && self.of_kind(kind).count() >= MIN_ROWS
    }

    fn of_kind(&self, kind: usize) -> impl Iterator<Item = Line<'_>> {
        self.scopes.iter().flatten().filter(move |line| line.0 == kind).copied()
    }
}

/// The only field, if it is one number.
fn single(operation: &Operation) -> Option<&Argument> {
    match &*operation.fields {
        [field @ (Argument::Number(..) | Argument::Position(_))] => Some(field),
        _ => None,
    }
}

impl Maker<'_> {
    /// Adds what the queries keep in all samples because of earlier queries. Only kinds with a code
    /// are limited, so that another kind remains.
    pub(super) fn with_history(
        &mut self,
        index: usize,
        kinds: &[Operation],
        queries: &mut Queries,
    ) {
        let kind_of = |line: &[Word]| {
            kinds.iter().position(|kind| kind.code.as_ref() == line.first().map(|it| &it.text))
        };
        if kinds.len() < 2 {
            return;
        }
        let scopes = self.scopes.iter().map(|scope| {
            let lines = &self.samples[scope.sample].lines[scope.parts[index].clone()];
            lines.iter().filter_map(|line| Some((kind_of(line)?, line.as_slice()))).collect()
        });
        let columns = kinds.iter().map(|kind| first_words(&kind.fields, 1)).collect();
        let log = Log { scopes: scopes.collect(), columns };
        if kinds.iter().any(|kind| kind.removes > 0) {
            queries.ends_empty = ends_empty(kinds, &log);
            return;
        }
        let mut limited = BTreeSet::new();
        if let Some((adder, remover)) = added(kinds, &log) {
            queries.variants[adder].adds = 1;
            queries.variants[remover].removes = 1;
            queries.variants[remover].fields[1].kind = Some(query_field::Kind::Added(true));
            limited.insert(remover);
            self.make_unique(adder, kinds, &log, queries);
            self.assumptions.push("a query takes out only what an earlier one has added".into());
        } else if let Some(grown) = growth(kinds, &log) {
            self.grow(queries, &grown);
        }
        for kind in 0..kinds.len() {
            if limited.len() + 1 < kinds.len() && self.limit(index, kinds, kind, &log, queries) {
                limited.insert(kind);
            }
        }
    }

    fn grow(&mut self, queries: &mut Queries, grown: &Growth) {
        queries.variants[grown.adder].adds = 1;
        for (kind, field) in &grown.fields {
            let range = QueryRange {
                min: grown.min.to_string(),
                max: grown.max.to_string(),
                grows: true,
                ..QueryRange::default()
            };
            queries.variants[*kind].fields[1 + field].kind = Some(query_field::Kind::Number(range));
        }
        self.assumptions.push(
            "some numbers of the queries are at most one more than the number of elements that \
             earlier queries have added, as in the samples"
                .into(),
        );
    }

    /// Makes queries of a kind take edges of an earlier part, or numbers that differ.
    fn limit(
        &mut self,
        index: usize,
        kinds: &[Operation],
        kind: usize,
        log: &Log<'_>,
        queries: &mut Queries,
    ) -> bool {
        let operation = &kinds[kind];
        if log.of_kind(kind).count() < MIN_ROWS {
            return false;
        }
        if let Some((of, all)) = self.removed_edges(index, operation, kind, log) {
            self.assumptions.push(format!("a query takes a row of {of} only once"));
            let element = QueryElement { of, once: true, all, distinct: false };
            let fields = &mut queries.variants[kind].fields;
            fields.truncate(1);
            fields.push(QueryField { kind: Some(query_field::Kind::Element(element)) });
            return true;
        }
        let fields = &mut queries.variants[kind].fields;
        let Some(query_field::Kind::Number(range)) =
            fields.get_mut(1).and_then(|it| it.kind.as_mut())
        else {
            return false;
        };
        let is_position = matches!(single(operation), Some(Argument::Position(_)));
        let alone = range.not_below == 0 && range.other_than == 0 && !range.grows;
        range.unique = is_position && log.differ(kind) && alone;
        let is_unique = range.unique;
        self.assume_related(AFTER_CODE, range);
        is_unique || self.make_unique(kind, kinds, log, queries)
    }

    /// Makes queries that add a number add another one each time, if that is so in all samples.
    fn make_unique(
        &mut self,
        kind: usize,
        kinds: &[Operation],
        log: &Log<'_>,
        queries: &mut Queries,
    ) -> bool {
        let adds =
            queries.variants[kind].adds > 0 || kinds[kind].code.as_deref().is_some_and(is_addition);
        let field = queries.variants[kind].fields.get_mut(1).and_then(|it| it.kind.as_mut());
        let (Some(Argument::Number(least, most)), Some(query_field::Kind::Number(range))) =
            (single(&kinds[kind]), field)
        else {
            return false;
        };
        if !adds || range.grows || !log.differ(kind) {
            return false;
        }
        range.unique = true;
        range.max = promises::with_room(*least, *most, &queries.len);
        self.assume_related(AFTER_CODE, range);
        true
    }

    /// The variable whose edges are the fields of a kind, each at most once, and whether all are.
    fn removed_edges(
        &self,
        index: usize,
        operation: &Operation,
        kind: usize,
        log: &Log<'_>,
    ) -> Option<(String, bool)> {
        let of = match &*operation.fields {
            [Argument::Position(one), Argument::Position(other)] if one == other => one,
            [Argument::Range(of, _)] => of,
            _ => return None,
        };
        let part = (0..index).rev().find(|part| match &self.parts[*part].content {
            Content::Tree(nodes) | Content::Graph { nodes, .. } => nodes.count == of.count,
            _ => false,
        })?;
        let sorted = |from: i64, to: i64| (from.min(to), from.max(to));
        let mut all = true;
        for (scope, lines) in self.scopes.iter().zip(&log.scopes) {
            let rows = &self.samples[scope.sample].lines[scope.parts[part].clone()];
            let edges = rows.iter().filter_map(|row| Some(sorted(row[0].number?, row[1].number?)));
            let mut edges: Vec<_> = edges.collect();
            for (_, line) in lines.iter().filter(|line| line.0 == kind) {
                let pair = sorted(line.get(1)?.number?, line.get(2)?.number?);
                edges.swap_remove(edges.iter().position(|edge| *edge == pair)?);
            }
            all &= edges.is_empty();
        }
        Some((self.edges.get(&part)?.clone(), all))
    }
}

/// Whether the collection is empty after the queries of each scope, of which one adds something.
fn ends_empty(kinds: &[Operation], log: &Log<'_>) -> bool {
    let sum = |lines: &Vec<Line<'_>>, of: fn(&Operation) -> u32| {
        lines.iter().map(|line| u64::from(of(&kinds[line.0]))).sum::<u64>()
    };
    let adds = |lines| sum(lines, |kind| kind.adds);
    log.scopes.iter().all(|lines| adds(lines) == sum(lines, |kind| kind.removes))
        && log.scopes.iter().any(|lines| adds(lines) > 1)
}

/// The kind that adds a number, and the one that takes it out again.
fn added(kinds: &[Operation], log: &Log<'_>) -> Option<(usize, usize)> {
    let all = || (0..kinds.len()).filter(|kind| single(&kinds[*kind]).is_some());
    let pairs = all().flat_map(|adder| all().map(move |remover| (adder, remover)));
    // The number of queries that name what was taken out before. They say that it was not.
    let takes_out = |adder: usize, remover: usize| {
        let (mut taken, mut named) = (0, 0);
        for lines in &log.scopes {
            let (mut there, mut gone) = (Vec::new(), BTreeSet::new());
            for line in lines {
                let number = log.number(*line, 0)?;
                if line.0 == adder {
                    there.push(number);
                    gone.remove(&number);
                } else if line.0 == remover {
                    there.swap_remove(there.iter().position(|it| *it == number)?);
                    gone.insert(number);
                    taken += 1;
                } else {
                    named += usize::from(gone.contains(&number));
                }
            }
        }
        (taken > 0).then_some(named)
    };
    // Positions are seldom elements, unless the codes say so.
    let can_be = |adder: usize| {
        matches!(single(&kinds[adder]), Some(Argument::Number(..)))
            || kinds[adder].code.as_deref().is_some_and(is_change)
    };
    let possible = pairs.filter(|(adder, remover)| adder != remover && can_be(*adder));
    let found = possible.filter_map(|pair| Some((takes_out(pair.0, pair.1)?, pair)));
    found.min_by_key(|(named, _)| *named).map(|(_, pair)| pair)
}

/// Numbers that are at most `max` more than the number of queries of the kind `adder` before.
struct Growth {
    adder: usize,
    min: i64,
    max: i64,
    /// The kinds and the fields with such numbers.
    fields: Vec<(usize, usize)>,
    /// The number of rows whose number is that of a new element.
    evidence: usize,
}

fn growth(kinds: &[Operation], log: &Log<'_>) -> Option<Growth> {
    let bounds = [(1, 1), (1, 0), (0, 0), (0, -1)];
    // A query that makes something names at most one other thing.
    let adders = (0..kinds.len()).filter(|kind| kinds[*kind].fields.len() < 2);
    let all = adders.flat_map(|adder| bounds.map(|(min, max)| (adder, min, max)));
    let found = all.map(|(adder, min, max)| {
        let mut growth = Growth { adder, min, max, fields: Vec::new(), evidence: 0 };
        for (kind, operation) in kinds.iter().enumerate() {
            for (field, argument) in operation.fields.iter().enumerate() {
                let is_number = matches!(argument, Argument::Number(..) | Argument::Position(_));
                let Some(evidence) = grows(&growth, kind, field, log).filter(|_| is_number) else {
                    continue;
                };
                growth.fields.push((kind, field));
                growth.evidence += evidence;
            }
        }
        growth
    });
    found.filter(|growth| growth.evidence >= MIN_ROWS).max_by_key(|growth| growth.evidence)
}

/// The number of queries that name a new element, if none names one that is not there yet.
fn grows(growth: &Growth, kind: usize, field: usize, log: &Log<'_>) -> Option<usize> {
    let mut evidence = 0;
    for lines in &log.scopes {
        let mut most = growth.max;
        for line in lines {
            if line.0 == kind {
                let number = log.number(*line, field)?;
                if !(growth.min..=most).contains(&number) {
                    return None;
                }
                evidence += usize::from(number == most && most > growth.max.max(growth.min));
            }
            most += i64::from(line.0 == growth.adder);
        }
    }
    (evidence > 0).then_some(evidence)
}
