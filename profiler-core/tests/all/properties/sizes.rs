//! Sizes that follow from lists and bounds, and the order in which they are measured.

use crate::properties::config;
use profiler_core::job::{EXTRA_CORNER_CASES, INPUT_SCALES, Sizes};
use profiler_core::limits::{MAX_SIZE, MAX_SIZES, MAX_VIOLATIONS};
use profiler_proto::v1::{Job, SizeList};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A strictly rising list.
fn rising(most: usize) -> impl Strategy<Value = Vec<u64>> {
    btree_set(0..=MAX_SIZE, 0..most).prop_map(Vec::from_iter)
}

fn n_is(bound: u64) -> BTreeMap<String, i64> {
    BTreeMap::from([("n".into(), bound.cast_signed())])
}

fn is_allowed(list: &[u64]) -> bool {
    list.len() <= MAX_SIZES
        && list.iter().all(|&size| size <= MAX_SIZE)
        && list.windows(2).all(|pair| pair[0] < pair[1])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn made_lists_are_those_of_a_set(
        scales in prop::option::of(rising(30)),
        corner_cases in prop::option::of(rising(30)),
        n_max in 0..=MAX_SIZE,
    ) {
        let expected: BTreeSet<u64> = corner_cases.clone().unwrap_or(EXTRA_CORNER_CASES.into()).into_iter()
            .chain(scales.clone().unwrap_or(INPUT_SCALES.into()).into_iter().filter(|&s| s <= n_max))
            .collect();
        let list = |values: Option<Vec<u64>>| values.map(|values| SizeList { values });
        let request = Job {
            input_scales: list(scales),
            extra_corner_cases: list(corner_cases),
            input_bounds: n_is(n_max),
            ..Job::default()
        };
        match Sizes::try_new(&request) {
            Ok(sizes) => prop_assert_eq!(sizes.requested(), Vec::from_iter(expected)),
            Err(_) => prop_assert!(expected.is_empty() || expected.len() > MAX_SIZES),
        }
    }

    #[test]
    fn exact_lists_are_taken_as_they_are_or_refused(exact in vec(0..MAX_SIZE + 3, 1..70), rises: bool) {
        let mut exact = exact;
        if rises {
            exact.sort_unstable();
            exact.dedup();
        }
        let request = Job { input_sizes: exact.clone(), ..Job::default() };
        match Sizes::try_new(&request) {
            Ok(sizes) => {
                prop_assert!(is_allowed(&exact));
                prop_assert_eq!(sizes.requested(), exact);
            }
            Err(bad) => {
                prop_assert!(!is_allowed(&exact));
                prop_assert!(!bad.is_empty());
                let mut named = bad.iter().take(MAX_VIOLATIONS);
                prop_assert!(named.all(|violation| violation.field.starts_with("input_sizes")));
            }
        }
    }

    #[test]
    fn exact_list_is_promised(exact in rising(MAX_SIZES).prop_filter("one", |list| !list.is_empty())) {
        let request = Job { input_sizes: exact.clone(), ..Job::default() };
        let sizes = Sizes::try_new(&request).expect("it rises");
        prop_assert_eq!(sizes.promised(), Some(exact.len()));
        prop_assert_eq!(sizes.requested(), exact);
    }

    #[test]
    fn any_bounds_are_used_or_named(
        bounds in prop::collection::btree_map("[a-c]|n", any::<i64>(), 0..4),
        variable in prop::option::of("[a-d]|n"),
    ) {
        let named = variable.as_deref();
        let (input_bounds, size_variable) = (bounds.clone(), variable.clone());
        let sizes = Sizes::try_new(&Job { input_bounds, size_variable, ..Job::default() });
        let key = named.or(if bounds.len() == 1 { bounds.keys().next().map(String::as_str) } else { Some("n") });
        let bound = key.and_then(|key| bounds.get(key));
        let valid = bound.map(|&bound| (0..=MAX_SIZE.cast_signed()).contains(&bound));
        prop_assert_eq!(sizes.is_ok(), valid.unwrap_or(bounds.is_empty() && named.is_none()));
        for violation in sizes.err().into_iter().flatten() {
            prop_assert!(["size_variable", "input_bounds["].iter().any(|f| violation.field.starts_with(f)));
        }
    }
}
