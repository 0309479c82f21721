//! A variable has the properties that its spec promises: trees are trees, graphs keep their
//! promises, and orders match their names. The cases are the same in every run.

use crate::common::{
    between, distinct, graph, grid, intervals, line, matrix, numbers, permutation, points,
    promises, raw, recipe, rows, shaped_points, stepped, table, text, tree, values, written,
};
use profiler_input::Recipe;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Graph, GraphShape, Order, Pattern, PointsShape, TreeShape};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;

fn repeats(order: Order) -> bool {
    matches!(order, Order::AllEqual | Order::FewDistinct)
}

/// Deterministic: the same cases in every run.
fn each<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
    let tested = TestRunner::new_with_rng(config, rng).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    tested.unwrap();
}

/// A union-find over the nodes, from edges whose nodes are counted from 0.
struct Groups(Vec<usize>);

impl Groups {
    fn find(&mut self, node: usize) -> usize {
        let mut root = node;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    /// Joins two sets; returns whether they were separate.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one] = other;
        one != other
    }
}

fn groups(nodes: usize) -> Groups {
    Groups((0..nodes).collect())
}

/// The first two numbers of each line.
fn edges(recipe: &Recipe, base: i64) -> Vec<(usize, usize)> {
    let node = |label: i64| usize::try_from(label - base).unwrap();
    table(recipe).iter().map(|row| (node(row[0]), node(row[1]))).collect()
}

#[test]
fn trees_are_trees() {
    for shape in values::<TreeShape>() {
        for n in [0, 1, 2, 3, 4, 7, 50, 333] {
            let nodes = usize::try_from(n).unwrap();
            let edges = edges(&rows(tree(shape), n), 1);
            assert_eq!(edges.len(), nodes.saturating_sub(1), "{shape:?} {n}");
            let mut joined = groups(nodes);
            assert!(edges.iter().all(|&(u, v)| joined.join(u, v)), "{shape:?} {n}: a cycle");
        }
    }
}

#[test]
fn trees_have_their_shapes() {
    let degrees = |shape| {
        let mut degrees = vec![0; 101];
        for (u, v) in edges(&rows(tree(shape), 101), 1) {
            degrees[u] += 1;
            degrees[v] += 1;
        }
        degrees.sort_unstable();
        degrees
    };
    let path = degrees(TreeShape::Path);
    assert!(path[..2] == [1, 1] && path[2..].iter().all(|d| *d == 2), "{path:?}");
    assert_eq!(degrees(TreeShape::Star)[100], 100);
    assert_eq!(degrees(TreeShape::Broom)[100], 51);
    let binary = degrees(TreeShape::Binary);
    assert!(binary[100] == 3 && binary.iter().filter(|d| **d == 1).count() == 51, "{binary:?}");
    let leaves = degrees(TreeShape::Caterpillar).iter().filter(|d| **d == 1).count();
    assert!((50..=52).contains(&leaves), "{leaves}");
    assert!(degrees(TreeShape::Random)[100] < 20);
}

/// Whether a topological order reaches every edge. Then there is no cycle.
fn has_order(nodes: usize, edges: &[(usize, usize)]) -> bool {
    let mut incoming = vec![0; nodes];
    for &(_, to) in edges {
        incoming[to] += 1;
    }
    let mut ready: Vec<usize> = (0..nodes).filter(|node| incoming[*node] == 0).collect();
    let mut passed = 0;
    while let Some(node) = ready.pop() {
        passed += 1;
        for &(_, to) in edges.iter().filter(|(from, _)| *from == node) {
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    passed == nodes
}

fn check_promises(what: &str, nodes: usize, edges: &[(usize, usize)], promises: &Graph) {
    let mut joined = groups(nodes);
    let tree_edges = edges.iter().filter(|&&(u, v)| joined.join(u, v)).count();
    if promises.connected {
        assert_eq!(tree_edges, nodes.saturating_sub(1), "{what}: not connected");
    }
    if promises.acyclic && !promises.directed {
        assert_eq!(tree_edges, edges.len(), "{what}: a cycle");
    }
    if promises.acyclic && promises.directed {
        assert!(has_order(nodes, edges), "{what}: a cycle");
    }
    if promises.simple {
        assert!(edges.iter().all(|(u, v)| u != v), "{what}: a loop");
        let turn = |&(u, v): &(usize, usize)| {
            if promises.directed { (u, v) } else { (u.min(v), u.max(v)) }
        };
        let different: BTreeSet<_> = edges.iter().map(turn).collect();
        assert_eq!(different.len(), edges.len(), "{what}: an edge twice");
    }
    if promises.bipartite {
        // Each node has two copies. They are joined if there is an odd cycle.
        let mut sides = groups(2 * nodes);
        for &(u, v) in edges {
            sides.join(u, nodes + v);
            sides.join(nodes + u, v);
        }
        for node in 0..nodes {
            assert_ne!(sides.find(node), sides.find(nodes + node), "{what}: an odd cycle");
        }
    }
}

#[test]
fn graphs_keep_their_promises() {
    let mut checked = 0;
    for promises in promises() {
        for shape in [
            GraphShape::Random,
            GraphShape::Dense,
            GraphShape::Grid,
            GraphShape::Layered,
            GraphShape::Band,
        ] {
            for n in [0, 1, 2, 3, 5, 12, 31] {
                let nodes = usize::try_from(n).unwrap();
                let own = matches!(shape, GraphShape::Dense | GraphShape::Grid);
                let wanted: &[Option<&str>] = if own {
                    &[None]
                } else {
                    &[Some("0"), Some("n - 1"), Some("n"), Some("2*n"), Some("n*n/4")]
                };
                for edges_wanted in wanted {
                    let recipe = rows(graph(*edges_wanted, &promises, shape), n);
                    if recipe.check().is_err() {
                        continue;
                    }
                    let what = format!("{promises:?} {shape:?} n={n} m={edges_wanted:?}");
                    check_promises(&what, nodes, &edges(&recipe, 0), &promises);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1500, "{checked}");
}

#[test]
fn graph_has_as_many_edges_as_its_promises_allow() {
    let simple = Graph { simple: true, ..Graph::default() };
    for (promises, most) in [
        (simple.clone(), 45),
        (Graph { directed: true, ..simple.clone() }, 90),
        (Graph { directed: true, acyclic: true, ..simple.clone() }, 45),
        (Graph { acyclic: true, ..simple.clone() }, 9),
        (Graph { bipartite: true, ..simple.clone() }, 25),
        (Graph { bipartite: true, directed: true, connected: true, ..simple.clone() }, 50),
        (Graph { connected: true, ..simple.clone() }, 45),
    ] {
        let with_edges =
            |edges: u32| rows(graph(Some(&edges.to_string()), &promises, GraphShape::Random), 10);
        assert_eq!(table(&with_edges(most)).len(), usize::try_from(most).unwrap(), "{promises:?}");
        assert!(with_edges(most + 1).check().is_err(), "{promises:?}");
        let dense = rows(graph(None, &promises, GraphShape::Dense), 10);
        assert_eq!(table(&dense).len(), usize::try_from(most).unwrap(), "{promises:?}");
    }
}

#[test]
fn numbers_stay_within_their_range_and_are_distinct_if_asked_for() {
    each(
        300,
        (
            prop::sample::select(values::<Order>()),
            0..300_u64,
            -50..50_i64,
            0..400_i64,
            any::<bool>(),
        ),
        |case| {
            let (order, n, min, width, once) = case;
            let max = min + width;
            let make = if once && !repeats(order) { distinct } else { numbers };
            let recipe = rows(make("n", &min.to_string(), &max.to_string(), order), n);
            if recipe.check().is_err() {
                assert!(once && n.cast_signed() > width + 1);
                return;
            }
            let values: Vec<i64> = table(&recipe).concat();
            assert_eq!(values.len(), usize::try_from(n).unwrap());
            assert!(values.iter().all(|value| (min..=max).contains(value)), "{order:?} {values:?}");
            if once && !repeats(order) {
                let different: BTreeSet<&i64> = values.iter().collect();
                assert_eq!(different.len(), values.len(), "{order:?} {values:?}");
            }
        },
    );
}

#[test]
fn orders_are_what_they_are_called() {
    for n in [2, 3, 10, 999] {
        for (min, max) in
            [("1", "10^9"), ("0", "3"), ("-9223372036854775807 - 1", "9223372036854775807")]
        {
            let ordered = |order| table(&rows(numbers("n", min, max, order), n)).concat();
            assert!(ordered(Order::Sorted).is_sorted());
            assert!(ordered(Order::Reversed).iter().rev().is_sorted());
            assert!(ordered(Order::AllEqual).windows(2).all(|pair| pair[0] == pair[1]));
            let few: BTreeSet<i64> = ordered(Order::FewDistinct).into_iter().collect();
            assert!(few.len() <= 10 && (n < 100 || max == "3" || few.len() == 10), "{few:?}");
            let pipe = ordered(Order::OrganPipe);
            let top = pipe.len().div_ceil(2);
            assert!(pipe[..top].is_sorted() && pipe[top..].iter().rev().is_sorted(), "{pipe:?}");
            assert!(!ordered(Order::Random).is_sorted() || n < 10);
        }
    }
}

#[test]
fn nearly_sorted_is_sorted_but_for_a_hundredth() {
    for (n, expected) in [(2, 2), (50, 2), (1000, 10), (1999, 18)] {
        let values = table(&rows(permutation(Order::NearlySorted), n)).concat();
        let moved = (1..).zip(&values).filter(|(i, value)| i != *value).count();
        assert_eq!(moved, expected, "{n}");
    }
    assert_eq!(written(&rows(permutation(Order::NearlySorted), 1)), "1\n");
}

#[test]
fn permutations_are_permutations() {
    for order in values::<Order>().into_iter().filter(|o| !repeats(*o) && *o != Order::AntiHash) {
        for n in [0, 1, 2, 5, 100] {
            let mut values = table(&rows(permutation(order), n)).concat();
            values.sort_unstable();
            assert!(values.into_iter().eq(1..=n.cast_signed()), "{order:?}");
        }
    }
}

#[test]
fn points_and_intervals_keep_to_their_rules() {
    for (n, max) in [(16, "3"), (100, "9"), (100, "10^18"), (100, "9223372036854775807")] {
        let all = table(&rows(points(max, true), n));
        let different: BTreeSet<&Vec<i64>> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{max}");
    }
    for longest in [None, Some("0"), Some("3"), Some("10^6")] {
        let most =
            longest.map_or(99, |text| if text == "10^6" { 99 } else { text.parse().unwrap() });
        for row in table(&rows(intervals(longest), 100)) {
            assert!(1 <= row[0] && row[0] <= row[1] && row[1] <= 100, "{row:?}");
            assert!(row[1] - row[0] <= most, "{row:?}");
        }
    }
}

#[test]
fn words_are_those_of_their_names() {
    let parts = |rule: &str, n| {
        let Kind::Text(mut ruled) = text(Pattern::Rule) else { unreachable!() };
        ruled.rule = rule.into();
        let all = recipe(vec![("t", Kind::Text(ruled))], vec![raw("t")], n);
        written(&all).trim_end().to_owned()
    };
    assert_eq!(parts("ba* c a*", 8), "babcaaaa");
    assert_eq!(parts("a b", 4), "abbb");
    assert_eq!(parts("abc b", 2), "ab");
    let word = |pattern| {
        let all = recipe(vec![("t", text(pattern))], vec![raw("t")], 16);
        written(&all).trim_end().to_owned()
    };
    assert_eq!(word(Pattern::Fibonacci), "abaababaabaababa");
    assert_eq!(word(Pattern::ThueMorse), "abbabaabbaababba");
    assert_eq!(word(Pattern::LastDiffers), "aaaaaaaaaaaaaaab");
    assert_eq!(word(Pattern::AllSame), "a".repeat(16));
    let periodic = word(Pattern::Periodic);
    assert_eq!(periodic, periodic[..2].repeat(8));
    assert!(word(Pattern::Random).chars().all(|c| "abc".contains(c)));
}

#[test]
fn accepted_spec_is_written_within_its_estimate() {
    let kinds: Vec<fn(usize) -> Kind> = vec![
        |i| numbers("n*n - 3", "-n", "n - 1", values()[i % 10]),
        |i| distinct("n", "1", "2*n", values()[i % 10]),
        |i| stepped("n", "3*n", ["7", "n"][i % 2], values()[i % 10]),
        |i| tree(values()[i % 6]),
        |i| {
            let edges = ["n", "2*n - 3", "n/2"][i % 3];
            graph(Some(edges), &promises().nth(i % 32).unwrap_or_default(), GraphShape::Random)
        },
        |i| {
            let edges = ["n", "n - 1"][i % 2];
            graph(Some(edges), &promises().nth(i % 32).unwrap_or_default(), GraphShape::Layered)
        },
        |i| matrix("n", ["n", "0", "n/3"][i % 3]),
        |i| grid("n", ["n", "0", "n/3"][i % 3]),
        |i| points(["n", "0", "10^18"][i % 3], i % 2 == 0),
        |i| shaped_points(["n", "0", "10^18"][i % 3], i % 2 == 0, PointsShape::Convex),
        |i| shaped_points(["n", "0", "10^18"][i % 3], i % 2 == 0, PointsShape::Line),
        |i| {
            let edges = ["n", "2*n - 3", "n/2", "n*n"][i % 4];
            graph(Some(edges), &promises().nth(i % 32).unwrap_or_default(), GraphShape::Band)
        },
        |i| intervals([None, Some("n/2"), Some("n - 3")][i % 3]),
        |_| between("n - 2", "2*n - 1"),
    ];
    each(600, (0..kinds.len(), 0..64_usize, 0..70_u64, any::<u32>(), any::<bool>()), |case| {
        let (kind, i, n, seed, flat) = case;
        let mut recipe = rows(kinds[kind](i), n);
        recipe.spec.seed = seed;
        if flat {
            recipe.spec.layout = vec![line(&["x", "n", "x"])];
        }
        if recipe.check().is_ok() {
            // This compares the bytes with the estimate.
            written(&recipe);
        }
    });
}

#[test]
fn input_depends_on_nothing_but_spec_seed_and_n() {
    let drawn = |n, seed| {
        let mut recipe = rows(
            graph(Some("2*n"), &Graph { simple: true, ..Graph::default() }, GraphShape::Random),
            n,
        );
        recipe.spec.seed = seed;
        written(&recipe)
    };
    let alone = drawn(50, 1);
    let _ = (drawn(49, 1), drawn(1000, 1));
    assert_eq!(drawn(50, 1), alone);
    assert_ne!(drawn(50, 2), alone);
    assert!(!drawn(51, 1).starts_with(&alone[..20]));
}

#[test]
fn recipe_comes_back_from_its_bytes() {
    let recipe = rows(graph(Some("n"), &Graph::default(), GraphShape::Random), 9);
    let bytes = postcard::to_stdvec(&recipe).unwrap();
    assert_eq!(postcard::from_bytes::<Recipe>(&bytes).unwrap(), recipe);
}
