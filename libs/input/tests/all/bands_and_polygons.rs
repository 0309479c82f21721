//! Steps of arrays, points of a shape, and bands of edges.

use crate::common::{graph, rows, shaped_points, stepped, table, values};
use profiler_input::spec::{Graph, GraphShape, Order, PointsShape};
use std::collections::BTreeSet;

#[test]
fn numbers_are_whole_steps_above_the_smallest() {
    for order in values::<Order>().into_iter().filter(|order| *order != Order::AntiHash) {
        let values = table(&rows(stepped("n", "10^9", "1024", order), 500)).concat();
        assert!(values.iter().all(|value| (value + 5) % 1024 == 0), "{order:?}");
        let different: BTreeSet<&i64> = values.iter().collect();
        let repeats = matches!(order, Order::AllEqual | Order::FewDistinct);
        assert!(repeats || different.len() > 490, "{order:?}");
    }
}

/// Twice the area of a triangle; positive if it turns left.
fn turn(a: &[i64], b: &[i64], c: &[i64]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[test]
fn convex_points_are_all_corners_of_their_hull() {
    for (n, max) in [(1, "0"), (4, "1"), (50, "10^6"), (1000, "10^6"), (2000, "10^5")] {
        let mut points = table(&rows(shaped_points(max, true, PointsShape::Convex), n));
        assert!(n < 50 || !points.is_sorted(), "in random order");
        points.sort_unstable();
        let chain = |points: &mut dyn Iterator<Item = &Vec<i64>>| {
            let mut chain: Vec<Vec<i64>> = Vec::new();
            for point in points {
                while let [.., a, b] = chain.as_slice()
                    && turn(a, b, point) <= 0
                {
                    chain.pop();
                }
                chain.push(point.clone());
            }
            chain
        };
        let (lower, upper) = (chain(&mut points.iter()), chain(&mut points.iter().rev()));
        let corners: BTreeSet<Vec<i64>> = lower.into_iter().chain(upper).collect();
        assert_eq!(corners.len() as u64, n, "{max}");
    }
}

#[test]
fn points_of_a_line_have_equal_coordinates() {
    for distinct in [false, true] {
        let all = table(&rows(shaped_points("10^9", distinct, PointsShape::Line), 100));
        assert!(all.iter().all(|point| point[0] == point[1]), "{all:?}");
        assert!(!all.is_sorted());
    }
}

#[test]
fn band_joins_each_node_to_the_next_ones() {
    let acyclic = Graph { directed: true, acyclic: true, simple: true, ..Graph::default() };
    for (n, wanted) in [(2, 1_usize), (10, 17), (10, 24), (50, 97)] {
        let recipe = rows(graph(Some(&wanted.to_string()), &acyclic, GraphShape::Band), n);
        let nodes = usize::try_from(n).unwrap();
        // How many edges begin at each node: the band ends at one node alone.
        let mut ways = vec![0; nodes];
        for edge in table(&recipe) {
            ways[usize::try_from(edge[0]).unwrap()] += 1;
        }
        let ends = ways.iter().filter(|ways| **ways == 0).count();
        let most = ways.iter().max().copied().unwrap();
        assert_eq!((ends, most), (1, wanted.div_ceil(nodes - 1)), "{n} {wanted}");
    }
}
