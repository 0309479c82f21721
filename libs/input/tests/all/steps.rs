//! Steps of cases, which are bounded and estimated.

use crate::common::{between, line, literal, recipe, variant};
use crate::problems::cases;
use profiler_input::Cause;
use profiler_input::limits::MAX_CASE_STEPS;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Queries, Split};

/// Builds as many kinds of queries as the limit allows, each of as many literals.
fn literals() -> Kind {
    let variants = vec![variant(1, vec![literal("x"); 16]); 16];
    Kind::Queries(Queries { len: "1".into(), variants, ..Queries::default() })
}

fn steps(count: &str, split: Split, vars: Vec<(&str, Kind)>) -> u64 {
    let layout = vec![cases(count, "0", split, vars, vec![line(&["x"])])];
    recipe(vec![], layout, 1_000_000_000).check().unwrap().steps
}

#[test]
fn cases_of_many_literals_are_too_many() {
    let names: Vec<String> = (0..19).map(|i| format!("x{i}")).collect();
    for split in [Split::Random, Split::Equal] {
        let vars = names.iter().map(|name| (name.as_str(), literals())).collect();
        let layout = vec![cases("100000", "0", split, vars, vec![line(&["x0"])])];
        let found = recipe(vec![], layout, 1_000_000_000).check().unwrap_err();
        assert_eq!((found.len(), found[0].cause), (1, Cause::TooLarge));
        assert_eq!(
            found[0].to_string(),
            "layout[0].repeat.count: must be smaller: 100000 cases of 4904 steps are too many \
             at n = 1000000000"
        );
    }
}

#[test]
fn steps_of_an_estimate_are_those_that_were_taken() {
    // The repetition, its count and its least size.
    let outside = 3;
    // The variable, its length and 256 literals; the line and its item.
    let body = 1 + 1 + 256 + 1 + 1;
    let all = |split| steps("1000", split, vec![("x", literals())]);
    assert_eq!(all(Split::Equal), outside + 1000 + body);
    assert_eq!(all(Split::OneLarge), outside + 1000 + 2 * body);
    let random = all(Split::Random);
    assert!((1000 + 900 * body..=outside + 1000 + 1000 * body).contains(&random), "{random}");
    let drawn = steps("1000", Split::Equal, vec![("x", between("1", "2"))]);
    assert_eq!(drawn, outside + 1000 + 1000 * (1 + 2 + 1 + 1));
    assert!(random < MAX_CASE_STEPS);
}

#[test]
fn steps_of_a_repetition_are_added_once() {
    let one =
        || cases("100", "0", Split::Equal, vec![("x", between("1", "2"))], vec![line(&["x"])]);
    let steps_of = |layout| recipe(vec![], layout, 100).check().unwrap().steps;
    assert_eq!(steps_of(vec![one(), one(), one()]), 3 * steps_of(vec![one()]));
}
