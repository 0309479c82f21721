//! Circles of a directed graph, and how many of its arrows point upward.

use std::collections::BTreeSet;

/// Returns the groups of nodes that all reach each other, each sorted. Nodes that are in no circle
/// are left out.
pub(crate) fn circles(nodes: usize, arrows: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let forward: Vec<_> = (0..nodes).map(|node| reached(node, nodes, arrows)).collect();
    let mut seen = vec![false; nodes];
    let mut circles = Vec::new();
    for node in 0..nodes {
        let both = |other: &usize| forward[node][*other] && forward[*other][node];
        let circle: Vec<_> = (0..nodes).filter(both).collect();
        if !seen[node] && !circle.is_empty() {
            for &member in &circle {
                seen[member] = true;
            }
            circles.push(circle);
        }
    }
    circles
}

/// Marks the nodes that can be reached from `from` over at least one arrow.
fn reached(from: usize, nodes: usize, arrows: &BTreeSet<(usize, usize)>) -> Vec<bool> {
    let mut reached = vec![false; nodes];
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        for &(_, next) in arrows.range((node, 0)..(node + 1, 0)) {
            if !reached[next] {
                reached[next] = true;
                todo.push(next);
            }
        }
    }
    reached
}

/// Counts the arrows that point upward when the nodes are laid out in one order, importers first.
///
/// The order is greedy (Eades, Lin and Smyth, 1993): nodes that nothing imports go first, nodes
/// that import nothing go last, and a circle is cut at the node with the most arrows out over
/// arrows in. So the count is an upper bound of the least possible one, and is 0 without circles.
pub(crate) fn upward(nodes: usize, arrows: &BTreeSet<(usize, usize)>) -> usize {
    let mut left: BTreeSet<usize> = (0..nodes).collect();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let degrees = |node: usize| {
            let inside =
                || arrows.iter().filter(|(from, to)| left.contains(from) && left.contains(to));
            let out = inside().filter(|(from, _)| *from == node).count();
            (out, inside().filter(|(_, to)| *to == node).count())
        };
        let sink = left.iter().copied().find(|&node| degrees(node).0 == 0);
        let best = || {
            left.iter().copied().max_by_key(|&node| {
                let (out, into) = degrees(node);
                (into == 0, out.saturating_add(nodes * nodes) - into)
            })
        };
        match (sink, best()) {
            (Some(node), _) => {
                left.remove(&node);
                last.push(node);
            }
            (None, Some(node)) => {
                left.remove(&node);
                first.push(node);
            }
            (None, None) => break,
        }
    }
    last.reverse();
    let order: Vec<usize> = [first, last].concat();
    let mut floor = vec![0; nodes];
    for (place, &node) in order.iter().enumerate() {
        floor[node] = place;
    }
    arrows.iter().filter(|(from, to)| floor[*from] > floor[*to]).count()
}

#[cfg(test)]
mod tests {
    use super::{circles, upward};
    use std::collections::BTreeSet;

    #[test]
    fn graph_without_circles_has_none_and_nothing_points_upward() {
        let arrows = BTreeSet::from([(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(circles(4, &arrows), Vec::<Vec<usize>>::new());
        assert_eq!(upward(4, &arrows), 0);
    }

    #[test]
    fn two_circles_are_told_apart_and_each_costs_one_arrow() {
        let arrows = BTreeSet::from([(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]);
        assert_eq!(circles(5, &arrows), [vec![0, 1], vec![2, 3, 4]]);
        assert_eq!(upward(5, &arrows), 2);
    }
}
