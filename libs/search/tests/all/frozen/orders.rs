//! Programs whose steps depend on the order of numbers alone.

use super::Reads::{Numbers, Order};
use super::{Lines, Program};

pub(super) fn programs() -> [Program; 16] {
    let one = |name, reads, steps, hand| Program { name, reads, steps, hand };
    [
        one("pivot at a third", Order, third, against_third),
        one("pivot first", Order, first, rising),
        one("pivot upper middle", Order, upper_middle, against_upper_middle),
        one("median of three", Order, three, against_three),
        one("select middle", Order, select, against_middle),
        one("tree, root splits", Numbers, splits, low_then_high),
        one("shell sort", Numbers, shell, against_shell),
        one("list with a finger", Numbers, finger, from_inside),
        one("nearer end", Numbers, nearer_end, zigzag),
        one("greater on both sides", Numbers, greater, rising),
        one("recursion at maximum", Numbers, maximum, rising),
        one("piles", Numbers, piles, rising),
        one("odd insertion", Numbers, odd_insertion, falling),
        one("cycle leaders", Order, leaders, rotated),
        one("tape seeks", Order, seeks, both_ends),
        one("wagons", Order, wagons, both_ends),
    ]
}

fn rising(n: i64) -> Vec<i64> {
    (0..n).collect()
}

fn falling(n: i64) -> Vec<i64> {
    (0..n).rev().collect()
}

/// The smallest, the largest, the second smallest, and so on.
fn zigzag(n: i64) -> Vec<i64> {
    (0..n).map(|i| if i % 2 == 0 { i / 2 } else { n - 1 - i / 2 }).collect()
}

/// Each number is larger or smaller than all before it, in turn.
fn from_inside(n: i64) -> Vec<i64> {
    zigzag(n).into_iter().rev().collect()
}

/// The smaller half, falling, and then the larger half, falling.
fn low_then_high(n: i64) -> Vec<i64> {
    (0..n).map(|i| if i < n / 2 { n / 2 - 1 - i } else { n - 1 - (i - n / 2) }).collect()
}

/// The next number is at the other end.
fn both_ends(n: i64) -> Vec<i64> {
    (0..n).map(|i| if i < n / 2 { 2 * i } else { 2 * (n - 1 - i) + 1 }).collect()
}

fn rotated(n: i64) -> Vec<i64> {
    (0..n).map(|i| (i + 1) % n).collect()
}

/// Partition by the first number; returns the place of the pivot.
fn partition(a: &mut [i64], lines: &mut Lines) -> usize {
    let mut end = 0;
    for at in 1..a.len() {
        lines.reach(1);
        if a[at] < a[0] {
            end += 1;
            a.swap(at, end);
        }
    }
    a.swap(0, end);
    end
}

fn quicksort(a: &mut [i64], pivot: fn(&[i64]) -> usize, lines: &mut Lines) {
    let mut a = a;
    while a.len() > 1 {
        lines.reach(3);
        let chosen = pivot(a);
        a.swap(0, chosen);
        let at = partition(a, lines);
        let (low, high) = a.split_at_mut(at);
        let (less, more) = (low, &mut high[1..]);
        if less.len() < more.len() {
            quicksort(less, pivot, lines);
            a = more;
        } else {
            quicksort(more, pivot, lines);
            a = less;
        }
    }
}

fn third(a: &[i64], lines: &mut Lines) {
    quicksort(&mut a.to_vec(), |a| a.len() / 3, lines);
}

fn first(a: &[i64], lines: &mut Lines) {
    quicksort(&mut a.to_vec(), |_| 0, lines);
}

fn upper_middle(a: &[i64], lines: &mut Lines) {
    quicksort(&mut a.to_vec(), |a| a.len() / 2, lines);
}

fn three_of(a: &[i64]) -> usize {
    let mut three = [0, (a.len() - 1) / 2, a.len() - 1];
    three.sort_by_key(|at| a[*at]);
    three[1]
}

fn three(a: &[i64], lines: &mut Lines) {
    quicksort(&mut a.to_vec(), three_of, lines);
}

fn against_third(n: i64) -> Vec<i64> {
    against(n, |count| count / 3)
}

fn against_upper_middle(n: i64) -> Vec<i64> {
    against(n, |count| count / 2)
}

/// The next pivot has the smallest value that is left.
fn against(n: i64, pivot: fn(usize) -> usize) -> Vec<i64> {
    let mut left: Vec<usize> = (0..).take(usize::try_from(n).unwrap()).collect();
    let mut values = vec![0; left.len()];
    for value in 0..n {
        let chosen = pivot(left.len());
        left.swap(0, chosen);
        values[left.remove(0)] = value;
    }
    values
}

/// Of the first, the middle and the last number, two have the smallest values that are left.
fn against_three(n: i64) -> Vec<i64> {
    let mut left: Vec<usize> = (0..).take(usize::try_from(n).unwrap()).collect();
    let (mut values, mut value) = (vec![0; left.len()], 0);
    while left.len() > 2 {
        let last = left.len() - 1;
        values[left[last]] = value;
        values[left[last / 2]] = value + 1;
        value += 2;
        left.swap(0, last / 2);
        left.swap(1, last);
        left.drain(..2);
    }
    left.iter().zip(value..).for_each(|(at, value)| values[*at] = value);
    values
}

fn select(a: &[i64], lines: &mut Lines) {
    let (mut a, mut wanted) = (&mut a.to_vec()[..], a.len() * 3 / 4);
    while a.len() > 1 {
        let middle = (a.len() - 1) / 2;
        a.swap(0, middle);
        let at = partition(a, lines);
        if wanted == at {
            return;
        }
        let (low, high) = a.split_at_mut(at);
        if wanted < at {
            a = low;
        } else {
            wanted -= at + 1;
            a = &mut high[1..];
        }
    }
}

fn against_middle(n: i64) -> Vec<i64> {
    against(n, |count| (count - 1) / 2)
}

/// Inserts each number as the root of a tree, and splits the rest.
fn splits(a: &[i64], lines: &mut Lines) {
    let mut kids = vec![[usize::MAX; 2]; a.len()];
    let mut root = usize::MAX;
    for new in 0..a.len() {
        let mut ends = [(new, 0), (new, 1)];
        let mut at = root;
        while at != usize::MAX {
            lines.reach(1);
            let side = usize::from(a[at] > a[new]);
            let (node, slot) = ends[side];
            kids[node][slot] = at;
            ends[side] = (at, 1 - side);
            at = kids[at][1 - side];
        }
        for (node, slot) in ends {
            kids[node][slot] = usize::MAX;
        }
        root = new;
    }
}

fn shell(a: &[i64], lines: &mut Lines) {
    let mut a = a.to_vec();
    let mut gap = a.len() / 2;
    while gap > 0 {
        for at in gap..a.len() {
            let mut to = at;
            while to >= gap && a[to] < a[to - gap] {
                lines.reach(1);
                a.swap(to, to - gap);
                to -= gap;
            }
            lines.reach(2);
        }
        gap /= 2;
    }
}

/// The bits of the positions, in falling order, if n is a power of two.
fn against_shell(n: i64) -> Vec<i64> {
    let bits = n.ilog2();
    (0..n).map(|i| n - 1 - (i.reverse_bits() >> (i64::BITS - bits) & (n - 1))).collect()
}

/// Inserts into a sorted list, from where the last number was inserted.
fn finger(a: &[i64], lines: &mut Lines) {
    let (mut sorted, mut at): (Vec<i64>, usize) = (Vec::new(), 0);
    for new in a {
        let to = sorted.partition_point(|old| old < new);
        lines.reach_often(1, to.abs_diff(at) + 1);
        sorted.insert(to, *new);
        at = to;
    }
}

/// Inserts into a sorted list, from its nearer end.
fn nearer_end(a: &[i64], lines: &mut Lines) {
    let mut sorted: Vec<i64> = Vec::new();
    for new in a {
        let to = sorted.partition_point(|old| old < new);
        lines.reach_often(1, to.min(sorted.len() - to) + 1);
        sorted.insert(to, *new);
    }
}

fn greater(a: &[i64], lines: &mut Lines) {
    for at in 0..a.len() {
        lines.reach_often(1, a[at + 1..].iter().take_while(|it| **it < a[at]).count() + 1);
        lines.reach_often(2, a[..at].iter().rev().take_while(|it| **it < a[at]).count() + 1);
    }
}

fn maximum(a: &[i64], lines: &mut Lines) {
    let Some(most) = a.iter().max() else { return };
    lines.reach_often(1, a.len());
    let at = a.iter().position(|it| it == most).unwrap();
    maximum(&a[..at], lines);
    maximum(&a[at + 1..], lines);
}

fn piles(a: &[i64], lines: &mut Lines) {
    let mut tops: Vec<i64> = Vec::new();
    for new in a {
        let at = tops.iter().position(|top| top >= new).unwrap_or(tops.len());
        lines.reach_often(1, at + 1);
        tops.resize(tops.len().max(at + 1), 0);
        tops[at] = *new;
    }
}

/// Sorts the numbers at odd positions by insertion, and no others.
fn odd_insertion(a: &[i64], lines: &mut Lines) {
    let odd: Vec<i64> = a.iter().skip(1).step_by(2).copied().collect();
    for (at, new) in odd.iter().enumerate() {
        lines.reach_often(1, odd[..at].iter().filter(|old| *old > new).count() + 1);
    }
}

/// Follows the cycle of each element until a smaller one.
fn leaders(a: &[i64], lines: &mut Lines) {
    for start in 0..a.len() {
        let mut at = start;
        loop {
            lines.reach(1);
            at = usize::try_from(a[at]).unwrap();
            if at <= start {
                break;
            }
        }
    }
}

/// Moves a head to the places of 0, 1, 2 and so on.
fn seeks(a: &[i64], lines: &mut Lines) {
    let mut places: Vec<usize> = (0..a.len()).collect();
    places.sort_by_key(|at| a[*at]);
    lines.reach_often(1, places.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum());
}

/// Takes wagons from a stack in rising order; those above the wanted one wait on a second stack.
fn wagons(a: &[i64], lines: &mut Lines) {
    let mut stacks = [a.to_vec(), Vec::new()];
    let mut wanted: Vec<i64> = a.to_vec();
    wanted.sort_unstable();
    for wanted in wanted {
        let from = usize::from(!stacks[0].contains(&wanted));
        while let Some(top) = stacks[from].pop() {
            lines.reach(1);
            if top == wanted {
                break;
            }
            stacks[1 - from].push(top);
        }
    }
}
