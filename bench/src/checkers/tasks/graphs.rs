//! Tasks about graphs. Nodes and edges are numbered from 1.

use crate::checkers::random::Random;
use crate::checkers::task::{Instance, numbers};
use std::collections::BTreeSet;

/// Length of an edge that does not exist: more than any path has.
const FAR: usize = 1_000_000;

/// An edge: its ends and its weight.
type Edge = [usize; 3];

/// A connected graph with weights up to `heaviest`.
fn connected(random: &mut Random, n: usize, heaviest: usize) -> Vec<Edge> {
    let mut ends: Vec<_> = (2..=n).map(|node| (1 + random.below(node - 1), node)).collect();
    for _ in 0..random.among(2..=6) {
        let node = random.among(1..=n);
        ends.push((node, (node + random.below(n - 1)) % n + 1));
    }
    random.shuffle(&mut ends);
    ends.into_iter().map(|(a, b)| [a, b, random.among(1..=heaviest)]).collect()
}

/// A graph as the numbers of a task.
fn data<const ENDS: usize>(n: usize, edges: &[[usize; ENDS]]) -> Vec<usize> {
    [&[n, edges.len()], &edges.concat()[..]].concat()
}

/// The number of nodes, and the edges.
fn graph<const ENDS: usize>(data: &[usize]) -> Option<(usize, Vec<[usize; ENDS]>)> {
    let [n, _, edges @ ..] = data else { return None };
    let edges = edges.chunks(ENDS).map(<[usize; ENDS]>::try_from);
    Some((*n, edges.collect::<Result<_, _>>().ok()?))
}

/// The nodes of a shortest path from 1 to n.
pub(super) fn shortest_path(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=7);
    let edges = connected(random, n, 4);
    let mut paths = paths(&edges, n);
    let shortest = paths.iter().map(|(length, _)| *length).min();
    paths.retain(|(length, _)| !is_right || Some(*length) == shortest);
    let (_, path) = random.pick(paths);
    Instance::new(data(n, &edges), path)
}

/// Every simple path from 1 to n with its length.
fn paths(edges: &[Edge], n: usize) -> Vec<(usize, Vec<usize>)> {
    let (mut open, mut found) = (vec![(0, vec![1])], Vec::new());
    while let Some((length, path)) = open.pop() {
        let last = path[path.len() - 1];
        if last == n {
            found.push((length, path));
            continue;
        }
        for &[a, b, weight] in edges.iter().filter(|edge| edge[..2].contains(&last)) {
            let next = if a == last { b } else { a };
            if !path.contains(&next) {
                open.push((length + weight, [&path[..], &[next]].concat()));
            }
        }
    }
    found
}

/// Compares with the distances of Floyd and Warshall.
pub(super) fn is_shortest_path(data: &[usize], words: &[&str]) -> bool {
    let (Some((n, edges)), Some(given)) = (graph::<3>(data), numbers(words)) else { return false };
    let are_ends = given.first() == Some(&1) && given.last() == Some(&n);
    if !are_ends || given.iter().any(|node| !(1..=n).contains(node)) {
        return false;
    }
    let mut distances = vec![vec![FAR; n + 1]; n + 1];
    for [a, b, weight] in edges {
        let least = distances[a][b].min(weight);
        (distances[a][b], distances[b][a]) = (least, least);
    }
    let length: usize = given.windows(2).map(|pair| distances[pair[0]][pair[1]]).sum();
    for via in 1..=n {
        for from in 1..=n {
            for to in 1..=n {
                let through = distances[from][via] + distances[via][to];
                distances[from][to] = distances[from][to].min(through);
            }
        }
    }
    length == distances[1][n]
}

/// An order of the nodes in which each edge leads forward.
pub(super) fn topological_order(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=9);
    let order = random.order(n);
    let mut edges = Vec::new();
    for _ in 0..random.among(n / 2..=n + 2) {
        let (one, other) = (random.below(n), random.below(n));
        if one != other {
            edges.push([order[one.min(other)], order[one.max(other)]]);
        }
    }
    let mut answer = Vec::new();
    while is_right && answer.len() < n {
        let waits = |node: usize| edges.iter().any(|[a, b]| *b == node && !answer.contains(a));
        let ready = (1..=n).filter(|node| !answer.contains(node) && !waits(*node));
        let next = random.pick(ready.collect());
        answer.push(next);
    }
    if !is_right {
        answer = order;
        let one = random.below(n);
        answer.swap(one, (one + 1 + random.below(n - 1)) % n);
    }
    Instance::new(data(n, &edges), answer)
}

/// Looks for an edge from a later to an earlier node.
pub(super) fn is_topological_order(data: &[usize], words: &[&str]) -> bool {
    let (Some((n, edges)), Some(given)) = (graph::<2>(data), numbers(words)) else { return false };
    let edges: BTreeSet<[usize; 2]> = edges.into_iter().collect();
    let leads_back = |at: usize| given[..at].iter().any(|&to| edges.contains(&[given[at], to]));
    let mut sorted = given.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(1..=n) && !(0..n).any(leads_back)
}

/// The numbers of the edges of a spanning tree of the least weight.
pub(super) fn spanning_tree(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=7);
    let edges = connected(random, n, 3);
    let mut order = random.order(edges.len());
    if is_right {
        order.sort_by_key(|edge| edges[edge - 1][2]);
    }
    let mut parts: Vec<usize> = (0..=n).collect();
    let mut tree = Vec::new();
    for edge in order {
        let [a, b, _] = edges[edge - 1];
        let (old, new) = (parts[a], parts[b]);
        if old != new {
            parts.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
            tree.push(edge);
        }
    }
    random.shuffle(&mut tree);
    Instance::new(data(n, &edges), tree)
}

/// Compares with the weight of Prim's tree.
pub(super) fn is_spanning_tree(data: &[usize], words: &[&str]) -> bool {
    let (Some((n, edges)), Some(given)) = (graph::<3>(data), numbers(words)) else { return false };
    let chosen: Option<Vec<Edge>> =
        given.iter().map(|edge| edges.get(edge.checked_sub(1)?).copied()).collect();
    let Some(chosen) = chosen.filter(|chosen| chosen.len() == n - 1) else { return false };
    let weight: usize = chosen.iter().map(|edge| edge[2]).sum();
    prim(n, &chosen) == Some(weight) && prim(n, &edges) == Some(weight)
}

/// The least weight of a spanning tree; `None` if the edges do not connect all nodes.
fn prim(n: usize, edges: &[Edge]) -> Option<usize> {
    let (mut reached, mut total) = (BTreeSet::from([1]), 0);
    while reached.len() < n {
        let leaving = edges.iter().filter(|[a, b, _]| reached.contains(a) != reached.contains(b));
        let [a, b, weight] = *leaving.min_by_key(|edge| edge[2])?;
        reached.extend([a, b]);
        total += weight;
    }
    Some(total)
}

/// The nodes of a path that takes each edge once.
pub(super) fn euler_path(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(3..=6);
    let mut walk = vec![random.among(1..=n)];
    for at in 0..random.among(3..=9) {
        walk.push((walk[at] + random.below(n - 1)) % n + 1);
    }
    let ends = |pair: &[usize]| [pair[0], pair[1]];
    let mut edges: Vec<[usize; 2]> = walk.windows(2).map(ends).collect();
    for edge in edges.iter_mut().filter(|_| random.is_head()) {
        edge.reverse();
    }
    random.shuffle(&mut edges);
    if is_right {
        another_way(random, &mut walk);
    } else {
        walk.truncate(1);
        for at in 0..edges.len() {
            let leaving = edges.iter().filter(|edge| edge.contains(&walk[at]));
            let next = leaving.map(|[a, b]| if *a == walk[at] { *b } else { *a });
            let next = random.pick(next.collect());
            walk.push(next);
        }
    }
    Instance::new(data(n, &edges), walk)
}

/// Turns a path around, or one of its loops.
fn another_way(random: &mut Random, walk: &mut [usize]) {
    if random.is_head() {
        walk.reverse();
    }
    let count = walk.len();
    let pairs = (0..count).flat_map(|from| (from + 1..count).map(move |to| (from, to)));
    let loops: Vec<_> = pairs.filter(|&(from, to)| walk[from] == walk[to]).collect();
    if !loops.is_empty() {
        let (from, to) = random.pick(loops);
        walk[from..=to].reverse();
    }
}

/// Compares the sorted edges.
pub(super) fn is_euler_path(data: &[usize], words: &[&str]) -> bool {
    let (Some((_, edges)), Some(given)) = (graph::<2>(data), numbers(words)) else { return false };
    let sorted = |ends: Vec<[usize; 2]>| {
        let mut edges: Vec<_> = ends.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges
    };
    sorted(given.windows(2).map(|pair| [pair[0], pair[1]]).collect()) == sorted(edges)
}

/// Colors 1 and 2 of the nodes, which differ at the ends of each edge.
pub(super) fn coloring(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=9);
    let mut colors = random.list(n, 1..=2);
    let mut edges = Vec::new();
    for _ in 0..random.among(3..=10) {
        let (a, b) = (random.among(1..=n), random.among(1..=n));
        if colors[a - 1] != colors[b - 1] {
            edges.push([a, b]);
        }
    }
    // The colors of a whole component may be exchanged.
    let mut changed = BTreeSet::from([random.among(1..=n)]);
    for _ in (0..n).filter(|_| is_right) {
        for edge in &edges {
            if edge.iter().any(|node| changed.contains(node)) {
                changed.extend(edge);
            }
        }
    }
    for node in changed {
        colors[node - 1] = 3 - colors[node - 1];
    }
    Instance::new(data(n, &edges), colors)
}

/// Adds the colors of both ends.
pub(super) fn is_coloring(data: &[usize], words: &[&str]) -> bool {
    let (Some((n, edges)), Some(given)) = (graph::<2>(data), numbers(words)) else { return false };
    let are_colors = given.len() == n && given.iter().all(|color| [1, 2].contains(color));
    are_colors && edges.iter().all(|[a, b]| given[a - 1] + given[b - 1] == 3)
}
