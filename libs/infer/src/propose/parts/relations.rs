//! Relations between the numbers of a line, and between the lines: the smaller number first,
//! different numbers, rising numbers.

use super::{Maker, Rows, ends, promises};
use crate::layout::sample::Word;
use crate::layout::shape::Count;
use crate::reading::content::{Argument, Numbers, Operation};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Intervals, Points, Queries, QueryRange, QueryVariant, layout, query_field,
};
use std::collections::BTreeSet;

/// Minimum number of rows with numbers in order, for a promise that they always are.
const MIN_ORDERED: usize = 2;
/// The same for positions, whose order costs a program nothing.
const MIN_POSITIONS: usize = 1;
/// Minimum number of rows for a promise that no two are the same.
const MIN_DIFFERENT: usize = 3;
/// Number of the field after a code.
pub(super) const AFTER_CODE: u32 = 2;
/// Largest ratio of the coordinates' ranges in both directions.
const MOST_UNEQUAL: i64 = 4;

/// The relation of a number to an earlier field of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Above,
    NotBelow,
    Other,
}

impl Maker<'_> {
    /// Declares columns: arrays, or records if the numbers of each line are in order.
    pub(super) fn columns(&mut self, index: usize, count: Count, columns: &[Numbers]) {
        let rows = self.rows_by_scope(index);
        let whole = rows.iter().flatten().flat_map(|row| row.iter()).all(|word| word.decimals == 0);
        let plain = whole && columns.iter().all(|kind| *kind == Numbers::Any);
        if self.promised && plain && columns.len() > 1 {
            let range = |column| {
                let (least, most) = ends(&self.column(index, column));
                Argument::Number(least, most)
            };
            let fields: Vec<Argument> = (0..columns.len()).map(range).collect();
            let words: Vec<usize> = (0..columns.len()).collect();
            let ordered = |at| {
                let relation = relation(&fields, at, &words, &rows.concat());
                relation.is_some_and(|(_, relation)| relation != Relation::Other)
            };
            if (1..columns.len()).any(ordered) {
                let record = Operation { code: None, fields, adds: 0, removes: 0 };
                return self.queries(index, count, &[record], "rows");
            }
            if columns.len() == 2 && self.points(count, &rows) {
                return;
            }
            let differ = |column| promises::are_different(&numbers(&rows, column));
            if rows_differ(&fields, &rows, 0) && !(0..columns.len()).any(differ) {
                let record = Operation { code: None, fields, adds: 0, removes: 0 };
                return self.queries(index, count, &[record], "rows");
            }
        }
        let items = columns.iter().enumerate().map(|(column, numbers)| {
            let lists = self.words_of(index, column);
            self.declare_list(index, &lists, count, *numbers)
        });
        let items = items.collect();
        self.print(layout::Kind::Lines(super::list(items)));
    }

    /// Declares pairs as different points, if only both numbers together tell them apart.
    fn points(&mut self, count: Count, rows: &Rows<'_>) -> bool {
        let [first, second] = [0, 1].map(|column| numbers(rows, column));
        let pair = |row: &&Vec<Word>| [0, 1].map(|column| row[column].number);
        let differ = |rows: &Vec<&Vec<Word>>| {
            rows.iter().map(pair).collect::<BTreeSet<_>>().len() == rows.len()
        };
        let [width, other] = [&first, &second].map(|lists| {
            let (least, most) = ends(&lists.concat());
            most.saturating_sub(least).saturating_add(1)
        });
        let alike = width.max(other) <= width.min(other).saturating_mul(MOST_UNEQUAL);
        let alone = [&first, &second].iter().any(|lists| promises::are_different(lists));
        if alone || !alike || !rows.iter().all(differ) {
            return false;
        }
        let len = self.scalars.expression(count);
        let (min, max) = ends(&[first.concat(), second.concat()].concat());
        let max = promises::with_room(min, max, &format!("sqrt({len}) + 1"));
        let min = min.to_string();
        self.assume_span("the coordinates of points", &min, &max);
        self.assumptions.push(
            "no point comes twice, as in the samples; leave out `distinct` if the task allows that"
                .into(),
        );
        let points = Points { len, min, max, distinct: true, ..Points::default() };
        self.by_rows(&["points"], Kind::Points(points));
        true
    }

    pub(super) fn intervals(&mut self, index: usize, count: Count) {
        let [begins, lasts] = [self.column(index, 0), self.column(index, 1)];
        let distinct = begins.iter().zip(&lasts).all(|(begin, last)| begin < last);
        let (min, max) = ends(&[begins, lasts].concat());
        let begins = numbers(&self.rows_by_scope(index), 0);
        if self.promised && promises::are_rising(&begins, false) {
            let fields = vec![Argument::Ordered(min, max, distinct)];
            let record = Operation { code: None, fields, adds: 0, removes: 0 };
            return self.queries(index, count, &[record], "intervals");
        }
        let (min, max) = (min.to_string(), max.to_string());
        self.assume_span("the starts and ends of intervals", &min, &max);
        let len = self.scalars.expression(count);
        self.assumptions.push(format!(
            "no interval ends before it begins{}, as in the samples; write two arrays if \
             the task allows that",
            if distinct { ", nor where it begins" } else { "" }
        ));
        let all = Intervals { len, min, max, distinct, ..Intervals::default() };
        self.by_rows(&["intervals"], Kind::Intervals(all));
    }

    /// Adds what the numbers of all rows keep to the fields of a kind of query, which has `codes`
    /// words before them. `len` is the number of queries. Numbers rise only if there is one kind.
    pub(super) fn relate(
        &mut self,
        fields: &[Argument],
        kinds: &mut [query_field::Kind],
        rows: &Rows<'_>,
        (codes, len, is_only): (usize, &str, bool),
    ) {
        let words = first_words(fields, codes);
        let all = rows.concat();
        // The least number of each field that needs room for different ones.
        let mut rooms: Vec<Option<i64>> = vec![None; fields.len()];
        for at in 0..fields.len() {
            let field = u32::try_from(codes + at + 1).unwrap_or_default();
            let is_length = matches!(fields.get(at + 1), Some(Argument::List(..)));
            let lists = numbers(rows, words[at]);
            match &mut kinds[at] {
                query_field::Kind::Number(range) if !is_length => {
                    let corner = usize::try_from(range.not_below).unwrap_or_default();
                    if let Some(earlier) = corner.checked_sub(codes + 1) {
                        rooms[at] = rooms[earlier].map(|least| least.saturating_add(1));
                    } else if let Some((earlier, relation)) = relation(fields, at, &words, &all) {
                        let other = u32::try_from(codes + earlier + 1).unwrap_or_default();
                        range.not_below = if relation == Relation::Other { 0 } else { other };
                        range.other_than = if relation == Relation::NotBelow { 0 } else { other };
                        rooms[at] = rooms[earlier].map(|least| least.saturating_add(1));
                    } else if is_only && self.promised {
                        let are_positions = !matches!(fields[at], Argument::Number(..));
                        let differ = !are_positions && promises::are_different(&lists);
                        range.rising = promises::are_rising(&lists, are_positions);
                        range.unique = differ && !range.rising;
                        rooms[at] = Some(ends(&lists.concat()).0).filter(|_| differ);
                        if differ {
                            (range.min, range.max) = self.room_of(&lists, len);
                        }
                    }
                    if let (Some(least), Argument::Number(_, most)) = (rooms[at], &fields[at]) {
                        range.max = promises::with_room(least, *most, len);
                    }
                    self.assume_related(field, range);
                }
                query_field::Kind::List(range) if self.promised => {
                    let list = |row: &&Vec<Word>| {
                        row.iter().skip(words[at]).filter_map(|word| word.number).collect()
                    };
                    range.rising =
                        promises::are_rising(&all.iter().map(list).collect::<Vec<_>>(), true);
                    self.assume_related(field, range);
                }
                query_field::Kind::Interval(range) if is_only && self.promised => {
                    // Positions have no room for as many intervals as there are positions.
                    let Argument::Ordered(least, most, _) = fields[at] else { continue };
                    range.rising = are_apart(&lists, &numbers(rows, words[at] + 1));
                    if range.rising {
                        // Both ends of each interval, and a number after each.
                        range.max = promises::with_room(least, most, &format!("4 * ({len})"));
                    }
                    self.assume_related(field, range);
                }
                _ => {}
            }
        }
    }

    /// Lets the first number of all kinds of queries rise from line to line, as times do.
    pub(super) fn rise_together(
        &mut self,
        operations: &[Operation],
        rows: &Rows<'_>,
        queries: &mut Queries,
    ) {
        let is_number = |field: Option<&Argument>| {
            matches!(field, Some(Argument::Number(..) | Argument::Position(_)))
        };
        let can_rise = |one: &Operation| {
            one.code.is_some()
                && is_number(one.fields.first())
                && !matches!(one.fields.get(1), Some(Argument::List(..)))
        };
        let is_free = |variant: &QueryVariant| match variant.fields.get(1).map(|it| &it.kind) {
            Some(Some(query_field::Kind::Number(range))) => !range.grows,
            _ => false,
        };
        let lists = numbers(rows, 1);
        let several = operations.len() > 1
            && operations.iter().all(can_rise)
            && queries.variants.iter().all(is_free);
        if !several || !promises::are_rising(&lists, true) {
            return;
        }
        let (min, max) = ends(&lists.concat());
        let room = promises::are_different(&lists);
        let most = if room { promises::with_room(min, max, &queries.len) } else { max.to_string() };
        let range =
            QueryRange { min: min.to_string(), max: most, rising: true, ..QueryRange::default() };
        for variant in &mut queries.variants {
            variant.fields[1].kind = Some(query_field::Kind::Number(range.clone()));
        }
        self.assume_related(AFTER_CODE, &range);
    }
}

/// Whether no two rows of records of numbers have the same ones, in whatever order.
pub(super) fn rows_differ(fields: &[Argument], rows: &Rows<'_>, codes: usize) -> bool {
    let is_number = |field: &Argument| {
        !matches!(field, Argument::List(..) | Argument::Element(..) | Argument::Word)
    };
    let differ = |rows: &Vec<&Vec<Word>>| {
        let all = rows.iter().map(|row| {
            let mut numbers: Vec<_> = row.iter().skip(codes).map(|word| word.number).collect();
            numbers.sort_unstable();
            numbers
        });
        all.collect::<BTreeSet<_>>().len() == rows.len()
    };
    fields.iter().all(is_number)
        && rows.iter().flatten().all(|row| row.len() > codes + 1)
        && rows.iter().map(Vec::len).sum::<usize>() >= MIN_DIFFERENT
        && rows.iter().all(differ)
}

/// The earlier field to which a number or a position has a relation in all rows.
fn relation(
    fields: &[Argument],
    at: usize,
    words: &[usize],
    rows: &[&Vec<Word>],
) -> Option<(usize, Relation)> {
    let pairs = |earlier: usize| {
        let number = |row: &&Vec<Word>, at: usize| row.get(words[at]).and_then(|it| it.number);
        rows.iter().map(move |row| (number(row, earlier), number(row, at)))
    };
    (0..at).rev().find_map(|earlier| {
        let least = match (&fields[earlier], &fields[at]) {
            (one @ Argument::Position(_), other) if one == other => MIN_POSITIONS,
            // Numbers in ranges one above the other are always in order.
            (Argument::Number(_, most), Argument::Number(least, _)) if least <= most => MIN_ORDERED,
            _ => return None,
        };
        let is_evidence = rows.len() >= least;
        let differs = pairs(earlier).any(|(one, other)| one != other);
        if pairs(earlier).all(|(one, other)| one < other) && is_evidence {
            Some((earlier, Relation::Above))
        } else if pairs(earlier).all(|(one, other)| one <= other) && is_evidence && differs {
            Some((earlier, Relation::NotBelow))
        } else if pairs(earlier).all(|(one, other)| one != other) && least == MIN_POSITIONS {
            Some((earlier, Relation::Other))
        } else {
            None
        }
    })
}

/// The only kind of records, with two numbers instead of an interval whose first number rises from
/// line to line, unless each interval begins after the one before.
pub(super) fn split(record: &Operation, rows: &Rows<'_>) -> Operation {
    let codes = usize::from(record.code.is_some());
    let words = first_words(&record.fields, codes);
    let fields = record.fields.iter().zip(words).flat_map(|(field, word)| {
        let (begins, lasts) = (numbers(rows, word), numbers(rows, word + 1));
        let are_positions = matches!(field, Argument::Range(..));
        let rises = promises::are_rising(&begins, are_positions) && !are_apart(&begins, &lasts);
        match field {
            Argument::Ordered(..) if rises => {
                let number = |lists: &[Vec<i64>]| {
                    let (least, most) = ends(&lists.concat());
                    Argument::Number(least, most)
                };
                vec![number(&begins), number(&lasts)]
            }
            Argument::Range(positions, _) if rises => vec![Argument::Position(*positions); 2],
            other => vec![*other],
        }
    });
    Operation { fields: fields.collect(), ..record.clone() }
}

/// Whether each interval begins where the one before ends, or later.
fn are_apart(begins: &[Vec<i64>], lasts: &[Vec<i64>]) -> bool {
    let apart = |(begins, lasts): (&Vec<i64>, &Vec<i64>)| {
        begins.iter().skip(1).zip(lasts).all(|(begin, last)| last <= begin)
    };
    promises::are_rising(begins, false) && begins.iter().zip(lasts).all(apart)
}

/// The numbers of a column, by scope.
fn numbers(rows: &Rows<'_>, column: usize) -> Vec<Vec<i64>> {
    let number = |row: &&Vec<Word>| row.get(column)?.number;
    rows.iter().map(|rows| rows.iter().filter_map(number).collect()).collect()
}

/// Whether four positions or numbers on each line are two corners of a rectangle, the smaller ones
/// first. The answer is `true` if they are numbers that differ.
pub(super) fn are_corners(fields: &[Argument], rows: &[&Vec<Word>], codes: usize) -> Option<bool> {
    let number = |row: &[Word], column: usize| row.get(codes + column).and_then(|it| it.number);
    let all = |holds: &dyn Fn(Option<i64>, Option<i64>) -> bool| {
        let pair = |row: &Vec<Word>, at: usize| holds(number(row, at), number(row, at + 2));
        rows.iter().all(|row| pair(row, 0) && pair(row, 1))
    };
    let numbers = match fields {
        [
            Argument::Number(..),
            Argument::Number(..),
            Argument::Number(..),
            Argument::Number(..),
        ] => true,
        [first @ Argument::Position(_), second @ Argument::Position(_), third, fourth, ..]
            if first == third && second == fourth =>
        {
            false
        }
        _ => return None,
    };
    let strict = numbers && all(&|one, other| one < other);
    all(&|one, other| one <= other).then_some(strict)
}

/// The first word of each field.
pub(super) fn first_words(fields: &[Argument], codes: usize) -> Vec<usize> {
    let width = |field: &Argument| match field {
        Argument::Range(..) | Argument::Ordered(..) => 2,
        _ => 1,
    };
    let first = |at: usize| codes + fields[..at].iter().map(width).sum::<usize>();
    (0..fields.len()).map(first).collect()
}
