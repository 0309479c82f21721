//! Lines that are queries: ranges of positions, and operations with a code.

use crate::layout::cost;
use crate::layout::sample::Word;
use crate::layout::shape::{Count, Scope};
use crate::reading::content::{Argument, Content, Operation, Part, Positions};
use crate::reading::evidence::{InOrder, MIN_RANGES, in_order};
use crate::reading::view::{PartView, products};

/// Minimum number of records that are read as operations if each begins with a small number.
const MIN_OPERATIONS: usize = 4;
/// Largest number at the start of a record that is read as the code of an operation.
const MAX_CODES: i64 = 3;

/// Readings of pairs as ranges of positions in an earlier part. `true` means that the pairs cannot
/// be anything else.
pub(crate) fn of_ranges(view: &PartView<'_>, count: Count) -> Vec<(bool, Part)> {
    let mut parts = Vec::new();
    for positions in all_positions(view, count).into_iter().flatten() {
        let inside = view.scopes.iter().zip(view.pairs(0)).all(|(scope, pairs)| {
            pairs.iter().all(|(from, to)| positions.has(scope, *from) && positions.has(scope, *to))
        });
        let order = in_order(&view.pairs(0).concat(), MIN_RANGES);
        if !inside || order == InOrder::No || !view.counts_earlier(positions.count) {
            continue;
        }
        let variants = vec![Operation { code: None, fields: vec![Argument::Range] }];
        let part = Part {
            content: Content::Queries { count, positions: Some(positions), variants },
            cost: cost::PART + cost::count(count) + cost::PAIR,
            used: count.scalar().into_iter().chain([positions.count]).collect(),
        };
        parts.push((order == InOrder::Yes, part));
    }
    parts
}

/// Readings of records as operations, if each record begins with a small number that can be a code.
/// `record` is the cost of plain records. After an array, operations are likelier and cost less.
pub(crate) fn of_codes(view: &PartView<'_>, count: Count, record: u32) -> Vec<Part> {
    let codes = view.column(0).concat();
    let Some(most) = codes.iter().max().copied().filter(|most| (2..=MAX_CODES).contains(most))
    else {
        return Vec::new();
    };
    let each = |code: i64| codes.iter().filter(|other| **other == code).count();
    let twice = codes.len() >= MIN_OPERATIONS.max(2 * usize::try_from(most).unwrap_or_default());
    if !twice || (1..=most).any(|code| each(code) == 0) || codes.iter().any(|code| *code < 1) {
        return Vec::new();
    }
    let earlier = all_positions(view, count)
        .into_iter()
        .flatten()
        .any(|positions| view.counts_earlier(positions.count));
    of_operations(view, count, if earlier { record.saturating_sub(1) } else { record })
}

/// Readings of lines that begin with a code. The cheapest reading costs `base`.
pub(crate) fn of_operations(view: &PartView<'_>, count: Count, base: u32) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for positions in all_positions(view, count) {
        let mut options = Vec::new();
        for code in codes(view) {
            options.push(operations(view, &code, positions));
        }
        for variants in products(&options) {
            let arguments = variants.iter().flat_map(|one| &one.fields);
            let cost = arguments
                .map(|argument| match argument {
                    Argument::Number(..) => cost::NUMBER,
                    Argument::Position => cost::POSITION,
                    Argument::Range => 2 * cost::POSITION,
                })
                .sum();
            let has_positions = |one: &Operation| {
                one.fields.iter().any(|field| !matches!(field, Argument::Number(..)))
            };
            let positions = positions.filter(|_| variants.iter().any(has_positions));
            let content = Content::Queries { count, positions, variants };
            let used = count.scalar().into_iter().chain(positions.map(|p| p.count)).collect();
            let part = Part { content, cost, used };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    let least = parts.iter().map(|part| part.cost).min().unwrap_or_default();
    for part in &mut parts {
        part.cost = base + (part.cost - least);
    }
    parts
}

/// Every scalar that can be the number of positions, with positions from 0 and from 1. The last
/// entry stands for queries without positions.
fn all_positions(view: &PartView<'_>, count: Count) -> Vec<Option<Positions>> {
    let before = count.scalar().unwrap_or_default();
    let scalars = view.scopes.first().map_or(0, |scope| scope.scalars.len());
    let candidates = (0..scalars).filter(|scalar| *scalar < before || view.counts_earlier(*scalar));
    let both = candidates
        .flat_map(|count| [false, true].map(|zero_based| Some(Positions { count, zero_based })));
    both.chain([None]).collect()
}

impl Positions {
    /// Whether the number is a position in this scope.
    fn has(self, scope: &Scope, number: i64) -> bool {
        let length = scope.scalars.get(self.count).copied().unwrap_or_default();
        if self.zero_based { (0..length).contains(&number) } else { (1..=length).contains(&number) }
    }
}

/// The codes: numbers in rising order, words in the order of their first lines.
fn codes(view: &PartView<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in view.blocks().flat_map(|(_, rows)| rows).filter_map(|row| row.first()) {
        if !all.contains(&word.text) {
            all.push(word.text.clone());
        }
    }
    all.sort_by_key(|code| code.parse::<i64>().unwrap_or_default());
    all
}

/// The operation with this code, once for every meaning of its arguments.
fn operations(view: &PartView<'_>, code: &str, positions: Option<Positions>) -> Vec<Operation> {
    let rows: Vec<(&Scope, &[Word])> = view
        .blocks()
        .flat_map(|(scope, rows)| rows.iter().map(move |row| (scope, row)))
        .filter_map(|(scope, row)| row.split_first().map(|(first, rest)| (scope, first, rest)))
        .filter_map(|(scope, first, rest)| (first.text == code).then_some((scope, rest)))
        .collect();
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let number = |row: &[Word], column: usize| row.get(column).and_then(|word| word.number);
    let is_position: Vec<bool> = (0..width)
        .map(|column| {
            positions.is_some_and(|positions| {
                rows.iter().all(|(scope, row)| {
                    number(row, column).is_some_and(|number| positions.has(scope, number))
                })
            })
        })
        .collect();
    let mut options = vec![Vec::new()];
    let mut column = 0;
    while column < width {
        let values: Vec<i64> = rows.iter().filter_map(|(_, row)| number(row, column)).collect();
        let plain = Argument::Number(
            values.iter().min().copied().unwrap_or_default(),
            values.iter().max().copied().unwrap_or_default(),
        );
        let single = if is_position[column] { Argument::Position } else { plain };
        let two = is_position[column] && is_position.get(column + 1) == Some(&true);
        let order = two.then(|| {
            let pair = |(_, row): &(&Scope, &[Word])| {
                Some((number(row, column)?, number(row, column + 1)?))
            };
            in_order(&rows.iter().filter_map(pair).collect::<Vec<_>>(), MIN_RANGES)
        });
        let next: Vec<Vec<Argument>> = match order {
            Some(InOrder::Yes) => vec![vec![Argument::Range]],
            Some(InOrder::Perhaps) => {
                vec![vec![Argument::Range], vec![Argument::Position, Argument::Position]]
            }
            _ => vec![vec![single]],
        };
        column += if matches!(order, Some(InOrder::Yes | InOrder::Perhaps)) { 2 } else { 1 };
        options = options
            .iter()
            .flat_map(|fields: &Vec<Argument>| {
                next.iter().map(move |more| [fields.as_slice(), more].concat())
            })
            .collect();
    }
    let code = Some(code.to_owned());
    options.into_iter().map(|fields| Operation { code: code.clone(), fields }).collect()
}
