//! Lines that are lists, each of which begins with its length.

use crate::layout::shape::{Count, Scope};
use crate::reading::content::{Argument, Base, Content, Part, Positions};
use crate::reading::cost::{self, Cost};
use crate::reading::used::Used;
use crate::reading::view::{PartView, Role, Row};
use std::collections::BTreeSet;

/// Minimum number of different elements that are no accident.
const MIN_DISTINCT: usize = 3;

/// Meanings of lists after `before` other numbers on each line.
pub(crate) fn of_lists(view: &PartView<'_>, count: Count, before: usize) -> Vec<Part> {
    let rows: Vec<Row<'_>> = view.rows().collect();
    let head: Cost = (0..=before).map(|column| cost::numbers(&view.column(column))).sum();
    let numbers = (0..=before).map(|column| {
        let all = view.column(column).concat();
        let [least, most] = [all.iter().min(), all.iter().max()];
        Argument::Number(least.copied().unwrap_or_default(), most.copied().unwrap_or_default())
    });
    let numbers: Vec<Argument> = numbers.collect();
    let lists: Vec<(&Scope, Vec<i64>)> = rows
        .iter()
        .map(|(scope, row)| (*scope, row[before + 1..].iter().filter_map(|it| it.number).collect()))
        .collect();
    let all: Vec<i64> = lists.iter().flat_map(|(_, list)| list.clone()).collect();
    let (Some(least), Some(most)) = (all.iter().min(), all.iter().max()) else { return Vec::new() };
    let distinct = are_distinct(lists.iter().map(|(_, list)| list.as_slice()));
    let lengths: BTreeSet<usize> = lists.iter().map(|(_, list)| list.len()).collect();
    let are_codes = before == 0 && lengths.iter().eq(&[1, 2]);
    let head = head + if are_codes { cost::OPERATIONS } else { 0 };
    let part = |positions: Option<Positions>, price: Cost| {
        let beside: Vec<usize> = positions.iter().map(|it| it.count).collect();
        let mut fields = numbers.clone();
        fields.push(Argument::List(positions, *least, *most, distinct));
        let start = cost::PART + view.rows_cost(count, &beside) + cost::RECORDS + cost::LISTS;
        Part {
            content: Content::records(count, fields),
            cost: start + head + price,
            used: count.scalar().into_iter().chain(beside).collect::<Used>(),
            doubt: None,
        }
    };
    let scalars = view.scopes.first().map_or(0, |scope| scope.scalars.len());
    let possible = [Base::One, Base::Zero]
        .into_iter()
        .flat_map(|base| (0..scalars).map(move |count| Positions { count, base }));
    let inside = |positions: &Positions| {
        view.allows(*positions)
            && lists.iter().all(|(scope, list)| list.iter().all(|it| positions.has(scope, *it)))
    };
    let of = |positions: Positions| {
        let name = view.name(positions.count, Role::Values, &[]);
        let base = if positions.is_zero_based() { cost::ZERO_BASED } else { 0 };
        let each = |(scope, list): &(&Scope, Vec<i64>)| {
            let length = positions.length(scope) as f64;
            if distinct {
                cost::distinct(length, list.len())
            } else {
                cost::times(list.len(), cost::choice(length))
            }
        };
        let price = cost::UNKNOWN + name + base + lists.iter().map(each).sum::<Cost>();
        part(Some(positions), price)
    };
    let any = part(None, cost::numbers(std::slice::from_ref(&all)));
    possible.filter(inside).map(of).chain([any]).collect()
}

/// Whether no list has an element twice, which is no accident.
pub(crate) fn are_distinct<'l, T: Ord + 'l>(lists: impl Iterator<Item = &'l [T]>) -> bool {
    let (mut elements, mut longest) = (0, 0);
    for list in lists {
        if list.iter().collect::<BTreeSet<_>>().len() < list.len() {
            return false;
        }
        elements += list.len();
        longest = longest.max(list.len());
    }
    elements >= MIN_DISTINCT && longest > 1
}
