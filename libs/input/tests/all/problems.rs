//! Problems of a spec are reported at once, with their paths.

use crate::common::{
    array, between, distinct, graph, grid, intervals, line, lines, literal, matrix, number,
    numbers, part, permutation, points, problems, raw, recipe, rows, shaped_points, stepped, text,
    value, variable, variant, written,
};
use profiler_input::limits::{MAX_N, MAX_PROBLEMS, MAX_VARIABLES};
use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, GraphShape, Layout, Order, Pattern, PointsShape, Queries, Repetition, Scalar,
    Split, Text,
};
use profiler_input::{Cause, Plan, Recipe};

#[test]
fn everything_that_is_wrong_at_every_n_is_said_at_once() {
    let vars = vec![
        ("n", value("1")),
        ("a b", value(" ")),
        ("k", value("k + 1")),
        ("m", value("later")),
        ("later", value("n_max + x_max")),
        ("k", numbers("n +", "m", "a", Order::AllEqual)),
        ("a", distinct("n", "1", "n", Order::AllEqual)),
        ("e", graph(Some("n"), &Graph::default(), GraphShape::Dense)),
    ];
    let layout = vec![line(&["k", "a", "zz"]), part(Part::Grid("a".into())), raw("q")];
    assert_eq!(
        problems(&recipe(vars, layout, 0)),
        [
            "vars[0].name: must not be n, which is the size",
            "vars[1].name: must consist of letters, digits and underscores, and begin with a letter",
            "vars[1].scalar.value: is missing",
            "vars[2].scalar.value: refers to itself",
            "vars[3].scalar.value: uses later before it is declared",
            "vars[4].scalar.value: uses the unknown name x_max",
            "vars[5].name: k is declared twice",
            "vars[5].array.len: ends too early",
            "vars[5].array.max: uses a before it is declared",
            "vars[6].array.order: cannot be used with distinct, because it repeats values",
            "vars[7].graph.edges: must be absent, because it follows from the shape",
            "layout[0].line.items[2]: uses the unknown name zz",
            "layout[1].grid: must name a matrix or grid, not \"a\"",
            "layout[2].raw: must name a text, not \"q\"",
        ]
    );
}

#[test]
fn problem_at_one_n_names_the_n() {
    let all = |n| {
        let vars = vec![
            ("a", numbers("10/n", "1", "n", Order::Random)),
            ("b", numbers("2", "1", "n", Order::Random)),
            ("c", distinct("3", "1", "2 + n - n", Order::Random)),
            ("d", numbers("n - 5", "1", "2", Order::Random)),
            (
                "e",
                graph(Some("7"), &Graph { simple: true, ..Graph::default() }, GraphShape::Random),
            ),
            (
                "f",
                graph(
                    Some("1"),
                    &Graph { connected: true, ..Graph::default() },
                    GraphShape::Random,
                ),
            ),
            ("g", points("n", true)),
            ("q", value("501")),
            ("h", intervals(Some("0 - 1"))),
        ];
        recipe(vars, vec![lines(&["b", "c"]), line(&["10^n*10^n"])], n)
    };
    assert_eq!(
        problems(&all(0)),
        [
            "vars[0].array.len: divides by zero at n = 0",
            "vars[1].array.min: must be at most max (0), not 1 at n = 0",
            "vars[2].array.len: must be at most 2, the number of distinct values, not 3 at n = 0",
            "vars[3].array.len: must be 0 or more, not -5 at n = 0",
            "vars[4].graph.edges: must be at most 0 for 0 nodes, not 7 at n = 0",
            "vars[5].graph.edges: must be at most 0 for 0 nodes, not 1 at n = 0",
            "vars[7].scalar: must be at most the task's bound 500, not 501 at n = 0",
        ]
    );
    assert_eq!(
        problems(&all(4)),
        [
            "vars[2].array.len: must be at most 2, the number of distinct values, not 3 at n = 4",
            "vars[3].array.len: must be 0 or more, not -1 at n = 4",
            "vars[4].graph.edges: must be at most 6 for 4 nodes, not 7 at n = 4",
            "vars[5].graph.edges: must be at least 3 to connect 4 nodes, not 1 at n = 4",
            "vars[7].scalar: must be at most the task's bound 500, not 501 at n = 4",
            "vars[8].intervals.max_length: must be 0 or more at n = 4",
        ]
    );
    assert!(
        problems(&all(10))
            .contains(&"layout[1].line.items[0]: does not fit into 64 bits at n = 10".to_owned())
    );
}

#[test]
fn steps_and_shapes_name_what_does_not_fit() {
    let one = |kind, n| problems(&rows(kind, n));
    let few = Kind::Array(Array {
        step: "10".into(),
        distinct: true,
        ..array("n", "1", "100", Order::Sorted)
    });
    assert_eq!(one(few.clone(), 10), [""; 0]);
    for (kind, n, problem) in [
        (few, 11, "array.len: must be at most 10, the number of distinct values, not 11"),
        (stepped("n", "9", "n - 5", Order::Sorted), 5, "array.step: must be 1 or more, not 0"),
        (stepped("n", "9", "n - 5", Order::Sorted), 1, "array.step: must be 1 or more, not -4"),
        (
            stepped("n", "9", "2", Order::AntiHash),
            5,
            "array.step: must be 1 for the order anti-hash, which chooses its own multiples",
        ),
        (
            shaped_points("3", true, PointsShape::Convex),
            9,
            "points.len: must be at most 8, the number of corners of the convex shape, not 9",
        ),
        (
            shaped_points("3", true, PointsShape::Line),
            5,
            "points.len: must be at most 4, the number of points of the line, not 5",
        ),
        (graph(None, &Graph::default(), GraphShape::Band), 5, "graph.edges: is missing"),
    ] {
        let at = if problem.ends_with("missing") { String::new() } else { format!(" at n = {n}") };
        assert_eq!(one(kind, n), [format!("vars[0].{problem}{at}")]);
    }
    assert_eq!(one(stepped("n", "9", "n", Order::Sorted), 0), [""; 0]);
    assert_eq!(one(stepped("n", "9", "1", Order::AntiHash), 5), [""; 0]);
}

#[test]
fn lines_have_as_many_rows_in_every_item() {
    let vars = vec![("a", numbers("n", "1", "2", Order::Random)), ("b", matrix("n + 1", "2"))];
    let recipe = recipe(vars, vec![lines(&["a", "b", "n"])], 3);
    assert_eq!(
        problems(&recipe),
        [
            "layout[0].lines.items[1]: must have 3 rows, as the first item has, not 4 at n = 3",
            "layout[0].lines.items[2]: must have 3 rows, as the first item has, not 1 at n = 3",
        ]
    );
}

#[test]
fn n_may_be_the_value_of_a_line_and_not_a_length() {
    let value = |item: &str| recipe(vec![], vec![line(&[item])], MAX_N);
    assert_eq!(written(&value("n")), "1000000000000000000\n");
    assert_eq!(written(&value("sqrt(n)")), "1000000000\n");
    assert_eq!(
        problems(&value("n * n")),
        ["layout[0].line.items[0]: does not fit into 64 bits at n = 1000000000000000000"]
    );
    assert_eq!(
        problems(&rows(numbers("n", "1", "9", Order::Random), MAX_N)),
        ["vars[0].array.len: must be at most 2147483648, not 1000000000000000000 \
          at n = 1000000000000000000"]
    );
    let beyond = Recipe { n: MAX_N + 1, ..value("1") };
    assert_eq!(
        problems(&beyond),
        ["n: must be at most 1000000000000000000, not 1000000000000000001"]
    );
    let halves =
        recipe(vec![], vec![cases("2", "0", Split::Equal, vec![], vec![line(&["n"])])], MAX_N);
    assert_eq!(written(&halves), "500000000000000000\n500000000000000000\n");
}

#[test]
fn input_that_is_too_large_is_told_from_one_that_is_wrong() {
    let cause = |recipe: Recipe| {
        recipe.check().err().map(|all| all.iter().map(|p| p.cause).collect::<Vec<_>>())
    };
    let large = |text: &str| rows(numbers(text, "1", "10^9", Order::Random), 1);
    assert_eq!(cause(large("10^7")), None);
    assert_eq!(cause(large("10^8")), Some(vec![Cause::TooLarge]));
    assert_eq!(cause(large("10^18")), Some(vec![Cause::TooLarge]));
    assert_eq!(cause(large("10 * 10^18")), Some(vec![Cause::TooLarge]));
    assert_eq!(cause(large("-n")), Some(vec![Cause::Size]));
    assert_eq!(cause(large("x")), Some(vec![Cause::Spec]));
    assert_eq!(cause(rows(grid("10^9", "0"), 1)), Some(vec![Cause::TooLarge]));
    assert_eq!(cause(rows(grid("2^31", "2^31"), 1)), Some(vec![Cause::TooLarge]));
    let limit = "layout: must have at most 134217728 bytes, but can have 1100000001 at n = 1";
    assert_eq!(problems(&large("10^8")), [limit]);
}

#[test]
fn variable_stays_within_the_bound_of_its_name() {
    let most = |kind| problems(&recipe(vec![("q", kind)], vec![line(&["q"])], 1));
    assert_eq!(most(between("1", "500")), [""; 0]);
    let above = ["vars[0].scalar: must be at most the task's bound 500, not 501 at n = 1"];
    assert_eq!(most(between("1", "501")), above);
    let taken = recipe(vec![("q_max", value("1"))], vec![line(&["q_max"])], 1);
    assert_eq!(problems(&taken), ["vars[0].name: must not be q_max, which is a bound of the task"]);
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let half = Scalar { min: "1".into(), ..Scalar::default() };
    let both = Scalar { value: "1".into(), ..half.clone() };
    let neither = Scalar::default();
    let wide = Array { width: 21, ..array("n", "1", "2", Order::Random) };
    let few = Array { distinct_values: "3".into(), ..array("n", "1", "2", Order::Random) };
    let ruled = Array { rule: "deal 2 1".into(), ..array("n", "1", "2", Order::Sorted) };
    let parts = |rule: &str, pattern: Pattern| Text {
        len: "n".into(),
        rule: rule.into(),
        pattern: pattern.into(),
        ..Text::default()
    };
    let unruled = Array { rule: "deal 2".into(), ..array("n", "1", "2", Order::Rule) };
    let forest = &Graph { acyclic: true, ..Graph::default() };
    for (kind, problem) in [
        (Kind::Scalar(both), "scalar: must have either value, or min and max, not both"),
        (Kind::Scalar(half), "scalar.max: is missing"),
        (Kind::Scalar(neither), "scalar: must have either value, or min and max"),
        (Kind::Array(wide), "array.width: must be at most 20, not 21"),
        (Kind::Array(few), "array.distinct_values: requires the order few-distinct"),
        (Kind::Text(parts("a*", Pattern::Random)), "text.rule: requires the pattern rule"),
        (
            Kind::Text(parts("a* B", Pattern::Rule)),
            "text.rule: must have parts of the letters a to z, such as `a* b`",
        ),
        (Kind::Array(ruled), "array.rule: requires the order rule"),
        (Kind::Array(unruled), "array.rule: must have each rank from 1 to 1 once"),
        (permutation(Order::AntiHash), "permutation.order: cannot be used for a permutation"),
        (
            graph(None, forest, GraphShape::Grid),
            "graph.acyclic: must be false for an undirected grid, which has cycles",
        ),
        (graph(None, forest, GraphShape::Random), "graph.edges: is missing"),
    ] {
        assert_eq!(problems(&rows(kind, 1)), [format!("vars[0].{problem}")]);
    }
}

#[test]
fn queries_and_alphabets_are_looked_at() {
    let fields = vec![literal("a\nb"), literal(""), number("1", "y")];
    let variants = vec![variant(0, vec![]), variant(1, fields)];
    let queries = Kind::Queries(Queries { len: "n".into(), variants, ..Queries::default() });
    assert_eq!(
        problems(&rows(queries, 1)),
        [
            "vars[0].queries.variants[0].fields: must not be empty",
            "vars[0].queries.variants[1].fields[0].literal: must not have control characters, such as line ends",
            "vars[0].queries.variants[1].fields[1].literal: is missing",
            "vars[0].queries.variants[1].fields[2].number.max: uses the unknown name y",
        ]
    );
    let Kind::Text(mut one) = text(Pattern::Fibonacci) else { unreachable!() };
    for (alphabet, problem) in [
        ("a", "must have at least 2 characters"),
        ("aß", "must have only printable ASCII characters"),
    ] {
        one.alphabet = alphabet.into();
        let expected = format!("vars[0].text.alphabet: {problem}");
        assert_eq!(problems(&rows(Kind::Text(one.clone()), 1)), [expected]);
    }
}

pub(crate) fn cases(
    count: &str,
    min_size: &str,
    split: Split,
    vars: Vec<(&str, Kind)>,
    layout: Vec<Layout>,
) -> Layout {
    let vars = vars.into_iter().map(|(name, kind)| variable(name, kind)).collect();
    let (count, min_size, split) = (count.into(), min_size.into(), split.into());
    part(Part::Repeat(Repetition { count, split, min_size, vars, layout }))
}

#[test]
fn cases_name_their_number_and_size() {
    let body = || vec![("a", numbers("10/n", "1", "2", Order::Random))];
    let repeated = |count: &str, least: &str| {
        recipe(vec![], vec![cases(count, least, Split::OneLarge, body(), vec![line(&["a"])])], 10)
    };
    assert_eq!(
        problems(&repeated("3", "0")),
        ["layout[0].repeat.vars[0].array.len: divides by zero in case 2, of size 0, at n = 10"]
    );
    assert_eq!(problems(&repeated("3", "3")), [""; 0]);
    assert_eq!(
        problems(&repeated("3", "4")),
        ["layout[0].repeat.count: must be at most 2 for cases of size 4 or more, not 3 at n = 10"]
    );
    assert_eq!(
        problems(&repeated("0", "1")),
        ["layout[0].repeat.count: must be 1 or more, not 0 at n = 10"]
    );
    let many = repeated("100001", "0").check().unwrap_err();
    assert_eq!(many[0].cause, Cause::TooLarge);
    let nested =
        cases("1", "0", Split::Equal, vec![], vec![repeated("1", "1").spec.layout[0].clone()]);
    assert_eq!(
        problems(&recipe(vec![], vec![nested], 1)),
        ["layout[0].repeat.layout[0].repeat: must not be inside another repetition"]
    );
}

#[test]
fn size_has_the_name_of_its_variable_too() {
    let mut named =
        recipe(vec![("a", numbers("m", "1", "m", Order::AllEqual))], vec![line(&["m"])], 5);
    assert_eq!(problems(&named).len(), 3);
    named.scope.size_variable = "m".into();
    assert_eq!(written(&named), "5\n");
    named.spec.vars.insert(0, variable("m", value("n + 1")));
    assert_eq!(written(&named), "6\n");
}

#[test]
fn spec_is_wrong_once_and_not_once_a_size() {
    let wrong = rows(numbers("nn", "1", "2", Order::Random), 1);
    assert!(Plan::new(&wrong.spec, &wrong.scope).is_err());
    let right = rows(numbers("6/n", "1", "2", Order::Random), 1);
    let plan = Plan::new(&right.spec, &right.scope).unwrap();
    assert!(plan.check(0).is_err() && plan.check(1).is_ok());
}

#[test]
fn problems_end_with_a_sentence() {
    let found = problems(&recipe(vec![("a", value("")); MAX_VARIABLES], vec![line(&["a"])], 0));
    assert_eq!(found.len(), MAX_PROBLEMS + 1);
    assert_eq!(found.last().unwrap(), "has more problems, which are not listed");
}

#[test]
fn bounds_of_a_spec_limit_n() {
    let of = |n_min: &str, n_max: &str, n| {
        let vars = vec![("m", value("min(n, n_max)"))];
        let mut recipe = recipe(vars, vec![line(&["n", "m"])], n);
        recipe.scope.bounds.remove("n");
        recipe.spec.n_min = n_min.into();
        recipe.spec.n_max = n_max.into();
        recipe
    };
    assert_eq!(written(&of("2", "2e5", 200_000)), "200000 200000\n");
    for (n_min, n_max, n, problem) in [
        ("2", "5", 1, "n_min: is 2, so that there is no input at n = 1"),
        ("2", "5", 6, "n_max: is 5, so that there is no input at n = 6"),
        ("0 - 1", "5", 3, "n_min: must be 0 or more, not -1"),
        ("", "n", 3, "n_max: uses the unknown name n"),
        ("6", "5", 3, "n_max: must be at least n_min (6), not 5"),
    ] {
        assert_eq!(problems(&of(n_min, n_max, n))[0], problem);
    }
    let cause = |n| of("2", "5", n).check().unwrap_err()[0].cause;
    assert_eq!((cause(1), cause(6)), (Cause::Size, Cause::TooLarge));
}
