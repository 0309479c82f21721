//! Tasks that pair the items of two sets.

use crate::checkers::random::Random;
use crate::checkers::task::{Instance, largest, numbers, sets};
use std::collections::BTreeSet;

/// An edge: its left and its right end.
type Edge = [usize; 2];

/// The edges of a largest matching, each as its left and its right end.
pub(super) fn matching(random: &mut Random, is_right: bool) -> Instance {
    let [lefts, rights] = [random.among(3..=5), random.among(3..=5)];
    let all = (1..=lefts).flat_map(|left| (1..=rights).map(move |right| [left, right]));
    let mut edges: Vec<Edge> = all.collect();
    random.shuffle(&mut edges);
    edges.truncate(random.among(4..=8));
    let all = sets(edges.len(), |places| are_disjoint(&at(&edges, places)));
    let mut places = random.pick(if is_right { largest(all) } else { all });
    random.shuffle(&mut places);
    let data = [&[lefts, rights, edges.len()], &edges.concat()[..]].concat();
    Instance::new(data, at(&edges, &places).concat())
}

fn at(edges: &[Edge], places: &[usize]) -> Vec<Edge> {
    places.iter().map(|place| edges[place - 1]).collect()
}

fn are_disjoint(edges: &[Edge]) -> bool {
    let ends = |side: usize| edges.iter().map(|edge| edge[side]).collect::<BTreeSet<_>>().len();
    [0, 1].into_iter().all(|side| ends(side) == edges.len())
}

/// Compares with the largest number of pairs by trying all.
pub(super) fn is_matching(data: &[usize], words: &[&str]) -> bool {
    let ([lefts, _, _, ends @ ..], Some(given)) = (data, numbers(words)) else { return false };
    let edges = |ends: &[usize]| {
        let edges = ends.chunks(2).map(|pair| Edge::try_from(pair).ok());
        edges.collect::<Option<Vec<Edge>>>()
    };
    let (Some(edges), Some(given)) = (edges(ends), edges(&given)) else { return false };
    let are_edges = given.iter().all(|edge| edges.contains(edge));
    are_edges && are_disjoint(&given) && given.len() == most(&edges, *lefts, &[])
}

/// The largest number of pairs of the left nodes up to `left` with right nodes that are not used.
fn most(edges: &[Edge], left: usize, used: &[usize]) -> usize {
    if left == 0 {
        return 0;
    }
    let free = edges.iter().filter(|edge| edge[0] == left && !used.contains(&edge[1]));
    let paired = free.map(|edge| 1 + most(edges, left - 1, &[used, &edge[1..]].concat()));
    paired.chain([most(edges, left - 1, used)]).max().unwrap_or(0)
}

/// The column of each row of a matrix, all different, with the least sum.
pub(super) fn assignment(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(3..=5);
    let costs = random.list(n * n, 1..=4);
    let sum = |columns: &[usize]| sum_of(&costs, columns);
    let mut orders = orders(n);
    let least = orders.iter().map(|columns| sum(columns)).min();
    orders.retain(|columns| !is_right || Some(sum(columns)) == least);
    Instance::new([&[n], &costs[..]].concat(), random.pick(orders))
}

/// Every order of the numbers from 1 to `n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..n {
        let longer = |order: Vec<usize>| {
            let missing = (1..=n).filter(|it| !order.contains(it)).collect::<Vec<_>>();
            missing.into_iter().map(move |it| [&order[..], &[it]].concat())
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}

fn sum_of(costs: &[usize], columns: &[usize]) -> usize {
    let rows = costs.chunks(columns.len()).zip(columns);
    rows.map(|(row, column)| row[column - 1]).sum()
}

/// Compares with the least sum by trying all columns of each row.
pub(super) fn is_assignment(data: &[usize], words: &[&str]) -> bool {
    let ([n, costs @ ..], Some(given)) = (data, numbers(words)) else { return false };
    let mut sorted = given.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(1..=*n) && sum_of(costs, &given) == least(costs, *n, &[])
}

/// The least sum of the rows after those whose columns are used.
fn least(costs: &[usize], n: usize, used: &[usize]) -> usize {
    let Some(row) = costs.chunks(n).nth(used.len()) else { return 0 };
    let free = (1..=n).filter(|column| !used.contains(column));
    let sums = free.map(|column| row[column - 1] + least(costs, n, &[used, &[column]].concat()));
    sums.min().unwrap_or(0)
}
