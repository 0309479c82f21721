//! Lines with a fixed number of numbers: records of numbers, positions and ranges, and operations,
//! which begin with a code.

pub(crate) mod collections;
pub(crate) mod corners;
pub(crate) mod lists;
pub(crate) mod texts;
pub(crate) mod words;

use crate::layout::shape::{Count, MAX_OPERATIONS, Scope};
use crate::reading::content::{Argument, Base, Content, Operation, Part, Positions};
use crate::reading::cost::{self, Cost};
use crate::reading::pairs;
use crate::reading::view::{PartView, Role, Row, products};
use std::collections::BTreeSet;

/// Minimum number of records that are read as operations although all have equally many numbers.
const MIN_OPERATIONS: usize = 4;
/// Maximum number of meanings of a record that are kept while its columns are read.
const MAX_ARGUMENTS: usize = 16;
/// Maximum number of meanings of one kind of query, if there are several kinds.
const MAX_OF_VARIANT: usize = 2;

/// Meaning of the columns of a record.
#[derive(Debug, Clone, Default)]
struct Arguments {
    all: Vec<Argument>,
    cost: Cost,
}

impl Arguments {
    /// The sequences of positions that the arguments refer to.
    fn positions(&self) -> impl Iterator<Item = Positions> {
        self.all.iter().filter_map(|argument| argument.positions())
    }

    /// The scalars that the arguments refer to.
    fn scalars(&self) -> impl Iterator<Item = usize> {
        self.positions().flat_map(|it| [Some(it.count), it.after()]).flatten()
    }

    fn with(&self, argument: Argument, cost: Cost) -> Self {
        Self { all: [self.all.as_slice(), &[argument]].concat(), cost: self.cost + cost }
    }
}

/// Meanings of records in which at least one column has positions.
pub(crate) fn of_positions(view: &PartView<'_>, count: Count, columns: usize) -> Vec<Part> {
    let rows: Vec<Row<'_>> = view.rows().collect();
    let mut parts = Vec::new();
    for base in BASES {
        let all = all_positions(view, count, base);
        for found in arguments(view, &rows, columns, &all, false) {
            let used: Vec<_> = found.scalars().collect();
            let has_order = found.all.iter().any(|it| matches!(it, Argument::Ordered(..)));
            if used.is_empty() && (!has_order || base != Base::One) {
                continue;
            }
            let saved = distinct_pairs(view, &found) + rows_and_columns(view, &found);
            parts.push(Part {
                content: Content::records(count, found.all),
                cost: cost::PART + view.rows_cost(count, &used) + cost::RECORDS + found.cost
                    - saved,
                used: count.scalar().into_iter().chain(used).collect(),
                doubt: None,
            });
        }
    }
    parts
}

/// Bits that positions in the rows and columns of cells save if two of each are on a line.
fn rows_and_columns(view: &PartView<'_>, found: &Arguments) -> Cost {
    let [Argument::Position(one), Argument::Position(other), third, fourth] = &*found.all else {
        return 0;
    };
    let sides = view.counts_cells(one.count) && view.counts_cells(other.count) && one != other;
    let twice = found.all[..2] == [*third, *fourth];
    if sides && twice { cost::ROWS_AND_COLUMNS } else { 0 }
}

/// Bits that pairs of positions in two sequences save if no pair occurs twice, as in the edges
/// between the two sides of a bipartite graph.
fn distinct_pairs(view: &PartView<'_>, found: &Arguments) -> Cost {
    let [Argument::Position(first), Argument::Position(second), ..] = found.all.as_slice() else {
        return 0;
    };
    if first.count == second.count {
        return 0;
    }
    let mut saved = -cost::BIT;
    for ((scope, _), pairs) in view.blocks().zip(view.pairs()) {
        let mut sorted = pairs.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < pairs.len() {
            return 0;
        }
        let [first, second] = [first, second].map(|one| one.length(scope) as f64);
        let each = cost::choice(first) + cost::choice(second);
        saved += cost::times(pairs.len(), each) - cost::distinct(first * second, pairs.len());
    }
    saved.max(0)
}

/// Meanings of lines that begin with a code. `numbers` is the number of columns if all lines have
/// equally many numbers.
pub(crate) fn of_operations(
    view: &PartView<'_>,
    count: Count,
    numbers: Option<usize>,
) -> Vec<Part> {
    let codes = codes(view);
    let rows: Vec<Row<'_>> = view.rows().collect();
    let is_number = codes.iter().all(|code| code.parse::<i64>().is_ok());
    let widths: BTreeSet<usize> = rows.iter().map(|(_, row)| row.len()).collect();
    if !is_number && codes.iter().any(|code| code.contains(|c: char| c.is_ascii_digit())) {
        return Vec::new();
    }
    let can_be = match numbers {
        Some(_) => are_codes(&codes, &rows),
        // Lines with numbers of one length are records, and words alone are texts.
        None if is_number => widths.len() > 1 && are_consecutive(&codes),
        None => widths.last().is_some_and(|width| *width > 1),
    };
    let repeats = codes.len() < rows.len();
    let known =
        numbers.is_none() && (widths.len() > 1 || repeats || collections::are_known(&codes));
    // Lines of words that all begin with another one are a text.
    let has_words = rows.iter().any(|(_, row)| row[1..].iter().any(|it| it.number.is_none()));
    if !can_be || (rows.len() + 1 < 2 * codes.len() && !known) || (has_words && !repeats) {
        return Vec::new();
    }
    let lengths = rows.iter().all(|(_, row)| row[0].text == (row.len() - 1).to_string());
    let mut price = cost::PART;
    price += if is_number { cost::CODES } else { 0 };
    price += if lengths { cost::times(codes.len() - 1, cost::LENGTHS) } else { 0 };
    price += cost::times(rows.len(), cost::choice(codes.len() as f64));
    let mut parts: Vec<Part> = Vec::new();
    for base in BASES {
        let all = all_positions(view, count, base);
        let options: Vec<Vec<(&String, Arguments)>> =
            codes.iter().map(|code| of_code(view, &rows, code, &all)).collect();
        for chosen in products(&options) {
            let arguments = || chosen.iter().map(|(_, arguments)| arguments);
            let used: Vec<usize> = arguments().flat_map(Arguments::scalars).collect();
            let cost = price
                + view.rows_cost(count, &used)
                + arguments().map(|one| cost::VARIANT + one.cost).sum::<Cost>();
            let used = count.scalar().into_iter().chain(used).collect();
            let variants = chosen.iter().map(|(code, arguments)| Operation {
                code: Some((*code).clone()),
                fields: arguments.all.clone(),
                adds: 0,
                removes: 0,
            });
            let variants = collections::with_elements(variants.collect(), &rows);
            let content = Content::Queries { count, variants };
            if !parts.iter().any(|part| part.content == content) {
                parts.push(Part { content, cost, used, doubt: None });
            }
        }
    }
    parts
}

/// The likeliest meanings of the operation with this code.
fn of_code<'c>(
    view: &PartView<'_>,
    rows: &[Row<'_>],
    code: &'c String,
    all: &[Positions],
) -> Vec<(&'c String, Arguments)> {
    let own = rows.iter().filter(|(_, row)| row[0].text == *code);
    let own: Vec<Row<'_>> = own.map(|(scope, row)| (*scope, &row[1..])).collect();
    let width = own.first().map_or(0, |(_, row)| row.len());
    let meanings = arguments(view, &own, width, all, true);
    meanings.into_iter().take(MAX_OF_VARIANT).map(|one| (code, one)).collect()
}

/// Whether the first numbers of records can be codes: consecutive numbers from 0 or 1, each often
/// enough.
fn are_codes(codes: &[String], rows: &[Row<'_>]) -> bool {
    (2..=MAX_OPERATIONS).contains(&codes.len())
        && rows.len() >= MIN_OPERATIONS.max(2 * codes.len())
        && are_consecutive(codes)
}

/// Whether codes are the numbers from 0 or 1 on.
fn are_consecutive(codes: &[String]) -> bool {
    let from = |base: usize| (base..).zip(codes).all(|(at, code)| *code == at.to_string());
    from(0) || from(1)
}

/// The codes: numbers in rising order, words in the order of their first lines.
fn codes(view: &PartView<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in view.rows().filter_map(|(_, row)| row.first()) {
        if !all.contains(&word.text) {
            all.push(word.text.clone());
        }
    }
    all.sort_by_key(|code| code.parse::<i64>().unwrap_or_default());
    all
}

/// The bases of positions, of which all in one part have one.
const BASES: [Base; 3] = [Base::One, Base::Zero, Base::Bounds];

/// The sequences whose positions the records can have: those that an earlier scalar counts.
/// Positions from 1 can go on after those of another sequence.
fn all_positions(view: &PartView<'_>, count: Count, base: Base) -> Vec<Positions> {
    let before = count.scalar().unwrap_or_default();
    let scalars = view.scopes.first().map_or(0, |scope| scope.scalars.len());
    let mut all: Vec<Positions> = (0..scalars)
        .filter(|scalar| *scalar < before || is_known(view, *scalar))
        .map(|count| Positions { count, base })
        .collect();
    if base == Base::One {
        let after = |other| (other + 1..before).map(move |count| (count, other));
        let after = (0..before).flat_map(after);
        all.extend(after.map(|(count, other)| Positions { count, base: Base::After(other) }));
    }
    all.retain(|positions| view.allows(*positions));
    all
}

fn is_known(view: &PartView<'_>, scalar: usize) -> bool {
    view.counts_earlier(scalar) || view.counts_nodes(scalar)
}

/// The meanings of columns, the cheapest first.
fn arguments(
    view: &PartView<'_>,
    rows: &[Row<'_>],
    width: usize,
    all: &[Positions],
    in_queries: bool,
) -> Vec<Arguments> {
    // The meanings of the first columns, by the number of these columns.
    let mut open: Vec<Vec<Arguments>> = vec![Vec::new(); width + 1];
    open[0].push(Arguments::default());
    for column in 0..width {
        let values = |column: usize| {
            rows.iter().filter_map(move |(_, row)| row.get(column).and_then(|word| word.number))
        };
        let is_word = |column: usize| texts::are_words(rows, column);
        if is_word(column) {
            let meanings = texts::of_column(view, rows, column);
            let longer = open[column].iter().flat_map(|before| {
                meanings.iter().map(|(argument, price)| before.with(*argument, *price))
            });
            open[column + 1] = longer.collect();
            continue;
        }
        let lists = by_scope(rows, column);
        let numbers = lists.concat();
        let ordered = !is_word(column + 1)
            && values(column).zip(values(column + 1)).all(|(first, last)| first <= last);
        let inside = |positions: &&Positions, column: usize| {
            let mut numbers = rows.iter().zip(values(column));
            column < width && numbers.all(|((scope, _), number)| positions.has(scope, number))
        };
        let least = numbers.iter().min().copied().unwrap_or_default();
        let most = numbers.iter().max().copied().unwrap_or_default();
        for before in std::mem::take(&mut open[column]) {
            open[column + 1]
                .push(before.with(Argument::Number(least, most), cost::numbers(&lists)));
            if ordered && column + 1 < width && (width > 2 || in_queries) {
                open[column + 2].extend(in_order(view, rows, column).map(|(ordered, price)| {
                    let second = cost::numbers(&by_scope(rows, column + 1));
                    before.with(ordered, cost::numbers(&lists) + second + price)
                }));
            }
            for positions in all.iter().filter(|one| inside(one, column)) {
                let price = reference(view, &before, *positions, in_queries);
                let single: Cost = rows
                    .iter()
                    .map(|(scope, _)| cost::choice(positions.length(scope) as f64))
                    .sum();
                let price = price + single;
                if positions.base != Base::Bounds {
                    open[column + 1].push(before.with(
                        Argument::Position(*positions),
                        price + second(view, &before, *positions),
                    ));
                }
                let strict = values(column).zip(values(column + 1)).all(|(one, next)| one < next);
                let can_be = match positions.base {
                    Base::Bounds => strict && are_bounds(rows, column, *positions),
                    Base::After(_) => false,
                    Base::Zero | Base::One => true,
                };
                if ordered && can_be && inside(&positions, column + 1) {
                    let pairs = rows.iter().map(|(scope, _)| {
                        let length = positions.length(scope) as f64;
                        cost::choice(length * (length + 1.0) / 2.0)
                    });
                    let price = price - single + pairs.sum::<Cost>() + range(view, *positions);
                    open[column + 2].push(before.with(Argument::Range(*positions, strict), price));
                }
            }
        }
        let next = &mut open[column + 1];
        next.sort_by_key(|one| one.cost);
        next.truncate(MAX_ARGUMENTS);
    }
    open.pop().unwrap_or_default()
}

/// Two columns as numbers in order, with the cost of that, if the order is no accident.
fn in_order(view: &PartView<'_>, rows: &[Row<'_>], column: usize) -> Option<(Argument, Cost)> {
    let numbers = |column: usize| rows.iter().filter_map(move |(_, row)| row.get(column)?.number);
    let pairs: Vec<(i64, i64)> = numbers(column).zip(numbers(column + 1)).collect();
    let saved = pairs::saved_by_order(&pairs);
    let least = numbers(column).min()?;
    let most = numbers(column + 1).max()?;
    let strict = pairs.iter().all(|(first, last)| first < last);
    let price = pairs::intervals(view) - saved;
    (saved > 0).then_some((Argument::Ordered(least, most, strict), price))
}

/// Whether the numbers are places between positions: pairs of them reach from the first place to
/// the last one.
fn are_bounds(rows: &[Row<'_>], column: usize, positions: Positions) -> bool {
    let has = |column: usize, wanted: &dyn Fn(&Scope) -> i64| {
        let mut all =
            rows.iter().filter_map(|(scope, row)| Some((scope, row.get(column)?.number?)));
        all.any(|(scope, number)| number == wanted(scope))
    };
    has(column, &|_| 0) && has(column + 1, &|scope| positions.length(scope) - 1)
}

/// The numbers in a column, by scope.
fn by_scope(rows: &[Row<'_>], column: usize) -> Vec<Vec<i64>> {
    let scopes = rows.chunk_by(|(one, _), (other, _)| std::ptr::eq(*one, *other));
    let number = |(_, row): &Row<'_>| row.get(column).and_then(|word| word.number);
    scopes.map(|rows| rows.iter().filter_map(number).collect()).collect()
}

/// The cost of naming the sequence.
fn reference(
    view: &PartView<'_>,
    before: &Arguments,
    positions: Positions,
    in_queries: bool,
) -> Cost {
    let beside: Vec<usize> = before.positions().map(|known| known.count).collect();
    let is_first = before.positions().next().is_none();
    let base = match positions.base {
        Base::Zero if is_first => cost::ZERO_BASED,
        Base::Bounds | Base::After(_) => cost::BIT,
        _ => 0,
    };
    if before.positions().any(|known| known == positions) {
        0
    } else if is_known(view, positions.count) {
        let records = view.counts_records(positions.count);
        let known = if records { cost::KNOWN_RECORDS } else { cost::KNOWN };
        base + known + view.name(positions.count, Role::Values, &beside)
    } else {
        let unknown = match (positions.count, in_queries) {
            (0, _) => cost::UNKNOWN,
            (_, true) => cost::UNKNOWN_IN_QUERIES,
            (_, false) => cost::UNKNOWN_OTHER,
        };
        base + unknown + view.name(positions.count, Role::Values, &beside)
    }
}

/// The cost of a further position in the same sequence, which would rather be the end of a range.
fn second(view: &PartView<'_>, before: &Arguments, positions: Positions) -> Cost {
    let own = |count| view.counts_earlier(count);
    let is_second = before.positions().any(|known| {
        let both = own(known.count) && own(positions.count);
        known == positions || (!both && view.equals(positions.count, Count::Scalar(known.count)))
    });
    let in_sequence = view.is_length(positions.count) && !view.is_number_of_nodes(positions.count);
    if is_second && in_sequence { cost::SECOND } else { 0 }
}

fn range(view: &PartView<'_>, positions: Positions) -> Cost {
    if view.is_number_of_nodes(positions.count) {
        cost::RANGE_OF_NODES
    } else if view.counts_earlier(positions.count) && !view.counts_cells(positions.count) {
        0
    } else {
        cost::RANGE
    }
}
