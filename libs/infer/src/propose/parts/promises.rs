//! Promises that the numbers of a part keep in all samples: an order, and that none comes twice.
//!
//! An input that keeps a promise is also valid for a task that does not ask for it. So a promise
//! that slows no program down is made whenever the samples keep it. An order does, and is made if
//! the samples would seldom have it by chance.

use profiler_input::spec::Order;
use std::collections::{BTreeMap, BTreeSet};

/// Smallest number of equally likely orders of the samples' numbers for a promise that numbers
/// rise.
const MIN_ORDERS: f64 = 3.0;
/// The same for a promise that they fall, which fewer tasks make.
const MIN_FALLING_ORDERS: f64 = 6.0;
/// The same for a promise that they rise, then fall, for each order with a peak.
const MIN_ORDERS_WITH_PEAK: f64 = 20.0;
/// The same for a promise that positions rise, which hardly any task makes.
const MIN_ORDERS_OF_POSITIONS: f64 = 24.0;
/// Minimum number of numbers for a promise that none comes twice.
const MIN_DIFFERENT: usize = 3;
/// Number of whole numbers in a range that has room for different ones at every usual n.
const ROOM: i64 = 10_000_000;

/// The order that all lists have, unless it can be an accident.
pub(super) fn order(lists: &[Vec<i64>]) -> Option<Order> {
    let falls = || lists.iter().all(|list| list.is_sorted_by(|one, next| one >= next));
    if rise(lists, MIN_ORDERS) {
        Some(Order::Sorted)
    } else if falls() && orders_of(lists) >= MIN_FALLING_ORDERS {
        Some(Order::Reversed)
    } else if lists.iter().all(|list| has_peak(list)) && orders_of(lists) >= least_of_peaks(lists) {
        Some(Order::OrganPipe)
    } else {
        None
    }
}

/// Whether numbers rise to one of them, and fall after it.
fn has_peak(list: &[i64]) -> bool {
    let peak = (1..list.len()).find(|at| list[at - 1] > list[*at]).unwrap_or(list.len());
    list.iter().skip(peak.saturating_sub(1)).is_sorted_by(|one, next| one >= next)
}

/// The number of orders of which few enough have a peak: each number but the last can be on both
/// sides of it.
fn least_of_peaks(lists: &[Vec<i64>]) -> f64 {
    let sides: f64 = lists.iter().flat_map(|list| list.iter().skip(1)).map(|_| 2.0).product();
    sides * MIN_ORDERS_WITH_PEAK
}

/// Whether numbers, or else positions, rise from line to line.
pub(super) fn are_rising(lists: &[Vec<i64>], are_positions: bool) -> bool {
    rise(lists, if are_positions { MIN_ORDERS_OF_POSITIONS } else { MIN_ORDERS })
}

fn rise(lists: &[Vec<i64>], orders: f64) -> bool {
    lists.iter().all(|list| list.is_sorted()) && orders_of(lists) >= orders
}

fn orders_of(lists: &[Vec<i64>]) -> f64 {
    lists.iter().map(|list| orders(list)).product()
}

/// The number of different orders of these numbers.
fn orders(list: &[i64]) -> f64 {
    let mut seen: BTreeMap<i64, f64> = BTreeMap::new();
    let mut count = 0.0;
    list.iter().fold(1.0, |orders, number| {
        let times = seen.entry(*number).or_default();
        *times += 1.0;
        count += 1.0;
        orders * count / *times
    })
}

/// Whether no list has a number twice.
pub(super) fn are_different(lists: &[Vec<i64>]) -> bool {
    let differ = |list: &Vec<i64>| list.iter().collect::<BTreeSet<_>>().len() == list.len();
    lists.iter().map(Vec::len).sum::<usize>() >= MIN_DIFFERENT
        && lists.iter().any(|list| list.len() > 1)
        && lists.iter().all(differ)
}

/// An expression for the largest number of a range from `min` on that has at least `len` numbers,
/// and those up to `max`.
pub(super) fn with_room(min: i64, max: i64, len: &str) -> String {
    let last = match min.saturating_sub(1) {
        0 => len.to_owned(),
        more @ 1.. => format!("{len} + {more}"),
        less => format!("{len} - {}", less.unsigned_abs()),
    };
    if max.saturating_sub(min) < ROOM { format!("max({max}, {last})") } else { max.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_promised_unless_it_can_be_an_accident() {
        for (lists, expected) in [
            (vec![vec![1, 4, 9]], Some(Order::Sorted)),
            (vec![vec![1, 1, 9]], Some(Order::Sorted)),
            (vec![vec![1, 4], vec![2, 3]], Some(Order::Sorted)),
            (vec![vec![9, 4, 1]], Some(Order::Reversed)),
            (vec![vec![1, 3, 4, 8, 9, 5, 2]], Some(Order::OrganPipe)),
            (vec![vec![1, 3, 9, 2]], None),
            (vec![vec![1, 4]], None),
            (vec![vec![5, 5, 5]], None),
            (vec![vec![9, 9, 1]], None),
            (vec![vec![1, 4, 9], vec![2, 1]], None),
        ] {
            assert_eq!(order(&lists), expected, "{lists:?}");
        }
    }

    #[test]
    fn numbers_differ_if_no_list_has_one_twice() {
        assert!(are_different(&[vec![3, 1], vec![3]]));
        assert!(!are_different(&[vec![3, 1]]) && !are_different(&[vec![3, 1, 3]]));
        assert!(!are_different(&[vec![1], vec![2], vec![3]]));
    }

    #[test]
    fn ranges_have_room_for_different_numbers() {
        assert_eq!(with_room(1, 9, "n"), "max(9, n)");
        assert_eq!(with_room(3, 9, "m"), "max(9, m + 2)");
        assert_eq!(with_room(-2, 9, "2 * n"), "max(9, 2 * n - 3)");
        assert_eq!(with_room(1, 1_000_000_000, "n"), "1000000000");
        assert_eq!(with_room(i64::MIN, i64::MAX, "n"), i64::MAX.to_string());
    }
}
