//! The tasks. The judges here share nothing with the checkers in `bench/checkers`.

mod graphs;
mod pairings;
mod plane;
mod reals;
mod sequences;
mod sums;

use super::task::Judge::{Exact, Near};
use super::task::{Instance, Judge, Task};
use crate::checkers::random::Random;

/// The checker of a task.
macro_rules! checker {
    ($path:literal) => {
        include_str!(concat!("../../checkers/", $path, ".cpp"))
    };
}

/// The tasks.
pub(super) static TASKS: [Task; 20] = [
    Task {
        testlib: Some(checker!("testlib/pair_sum")),
        ..task("pair sum", checker!("numbers/pair_sum"), sums::pair, Exact(sums::is_pair))
    },
    task("subset sum", checker!("numbers/subset_sum"), sums::subset, Exact(sums::is_subset)),
    task("halves", checker!("numbers/halves"), sums::halves, Exact(sums::are_halves)),
    task("factors", checker!("numbers/factors"), sums::factors, Exact(sums::are_factors)),
    Task {
        testlib: Some(checker!("testlib/permutation")),
        ..task(
            "permutation",
            checker!("sequences/permutation"),
            sequences::permutation,
            Exact(sequences::is_permutation),
        )
    },
    task(
        "brackets",
        checker!("sequences/brackets"),
        sequences::brackets,
        Exact(sequences::are_brackets),
    ),
    task(
        "increasing",
        checker!("sequences/increasing"),
        sequences::increasing,
        Exact(sequences::is_increasing),
    ),
    task(
        "intervals",
        checker!("sequences/intervals"),
        sequences::intervals,
        Exact(sequences::are_intervals),
    ),
    task(
        "shortest path",
        checker!("graphs/shortest_path"),
        graphs::shortest_path,
        Exact(graphs::is_shortest_path),
    ),
    task(
        "topological order",
        checker!("graphs/topological_order"),
        graphs::topological_order,
        Exact(graphs::is_topological_order),
    ),
    task(
        "spanning tree",
        checker!("graphs/spanning_tree"),
        graphs::spanning_tree,
        Exact(graphs::is_spanning_tree),
    ),
    task(
        "Euler path",
        checker!("graphs/euler_path"),
        graphs::euler_path,
        Exact(graphs::is_euler_path),
    ),
    task("coloring", checker!("graphs/coloring"), graphs::coloring, Exact(graphs::is_coloring)),
    task("matching", checker!("graphs/matching"), pairings::matching, Exact(pairings::is_matching)),
    task(
        "assignment",
        checker!("graphs/assignment"),
        pairings::assignment,
        Exact(pairings::is_assignment),
    ),
    task("hull", checker!("reals/hull"), plane::hull, Exact(plane::is_hull)),
    task("inside", checker!("reals/inside"), plane::inside, Exact(plane::is_inside)),
    Task {
        testlib: Some(checker!("testlib/root")),
        errors: Some(reals::ABSOLUTE),
        ..task("root", checker!("reals/root"), reals::root, Near(reals::is_root))
    },
    Task {
        errors: Some(reals::RELATIVE),
        ..task("distance", checker!("reals/distance"), reals::distance, Near(reals::is_distance))
    },
    Task {
        errors: Some(reals::DEFAULT),
        ..task("dice", checker!("reals/dice"), reals::dice, Near(reals::is_dice))
    },
];

const fn task(
    name: &'static str,
    checker: &'static str,
    make: fn(&mut Random, bool) -> Instance,
    judge: Judge,
) -> Task {
    Task { name, checker, testlib: None, errors: None, make, judge }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each task its numbers, right outputs, and wrong ones.
    const JUDGED: [(&str, &str, &[&str], &[&str]); 20] = [
        ("pair sum", "4 5 1 4 2 3", &["1 2", "4 3"], &["1 3", "1 1", "1 2 3", ""]),
        ("subset sum", "4 5 1 4 2 3", &["1 2", "4 3"], &["1 2 2", "5", "1"]),
        ("halves", "3 1 2 3", &["1 1 2", "2 2 1"], &["1 2 1", "1 1", "3 3 3"]),
        ("factors", "12", &["2 3 2", "3 2 2"], &["4 3", "2 2 3 1", "2 3"]),
        ("permutation", "4", &["2 4 1 3", "3 1 4 2"], &["1 2 3 4", "2 4 1", "2 4 1 1"]),
        ("brackets", "3 2", &["(())()", "(()())"], &["((()))", "()()()", "(())", "())(()"]),
        ("increasing", "4 1 3 2 4", &["1 2 4", "1 3 4"], &["1 4", "1 2 3", "2 1 4"]),
        ("intervals", "3 0 2 2 4 1 5", &["1 2", "2 1"], &["3", "1 3", "1 1"]),
        ("shortest path", "3 3 1 2 1 2 3 1 1 3 2", &["1 3", "1 2 3"], &["3 1", "1 2", "1 2 1 3"]),
        ("topological order", "3 2 1 2 1 3", &["1 2 3", "1 3 2"], &["2 1 3", "1 2", "1 2 2"]),
        ("spanning tree", "3 3 1 2 1 2 3 1 1 3 1", &["1 2", "3 1"], &["1", "1 1", "1 2 3", "4 1"]),
        ("Euler path", "3 3 1 2 2 3 3 1", &["1 2 3 1", "2 1 3 2"], &["1 2 3", "1 2 1 3"]),
        ("coloring", "3 2 1 2 2 3", &["1 2 1", "2 1 2"], &["1 1 2", "1 2", "0 3 0"]),
        ("matching", "2 2 3 1 1 2 1 2 2", &["1 1 2 2", "2 2 1 1"], &["2 1", "1 1 2 1", "1 2"]),
        ("assignment", "2 1 1 2 2", &["1 2", "2 1"], &["1 1", "1", "2 3"]),
        (
            "hull",
            "5 0 0 2 0 2 2 0 2 1 0",
            &["0 0 2 0 2 2 0 2", "2 2 0 2 0 0 2 0"],
            &["0 0 0 2 2 2 2 0", "0 0 1 0 2 0 2 2 0 2", "0 0 2 0 2 2"],
        ),
        ("inside", "3 0 0 4 0 0 4", &["1 1", "1.999999 2"], &["2 2", "0 1", "3 3", "1"]),
        ("root", "2", &["1.414213562", "1.4142145"], &["1.414215", "-1.414213562", "nan"]),
        ("distance", "0 0 300 400", &["500", "500.0004"], &["500.0006", "-500", "500 1"]),
        (
            "dice",
            "2 12",
            &["0.0277777 36", "0.027778 36.00003"],
            &["0.02778 36", "0.0277777 36.0001"],
        ),
    ];

    #[test]
    fn judges_know_what_is_right() {
        for (task, (name, data, right, wrong)) in TASKS.iter().zip(JUDGED) {
            assert_eq!(task.name, name);
            let data: Vec<usize> = data.split(' ').map(|it| it.parse().unwrap()).collect();
            let judged = |output: &&str| {
                let words: Vec<&str> = output.split_whitespace().collect();
                task.judge(&data, &words)
            };
            for output in right {
                assert_eq!(judged(output), Some(true), "{name}: {output}");
            }
            for output in wrong {
                assert_eq!(judged(output), Some(false), "{name}: {output}");
            }
        }
    }

    #[test]
    fn error_at_the_border_is_not_judged() {
        for (name, data, output) in [
            ("root", [4].as_slice(), ["2.000001000"].as_slice()),
            ("distance", &[0, 0, 300, 400], &["500.0005"]),
            ("dice", &[1, 4], &["0.500001", "2"]),
        ] {
            let task = TASKS.iter().find(|task| task.name == name).unwrap();
            assert_eq!(task.judge(data, output), None, "{name}");
        }
    }
}
