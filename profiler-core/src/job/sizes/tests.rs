use super::*;

fn bounds(bounds: &[(&str, i64)]) -> BTreeMap<String, i64> {
    let owned = |&(name, bound): &(&str, i64)| (name.to_owned(), bound);
    bounds.iter().map(owned).collect()
}

/// The sizes, or the violations as text.
fn sizes(lists: v1::Job, of: &[(&str, i64)], variable: Option<&str>) -> Result<Vec<u64>, String> {
    let size_variable = variable.map(String::from);
    Sizes::try_new(&v1::Job { input_bounds: bounds(of), size_variable, ..lists })
        .map(|sizes| sizes.requested().to_vec())
        .map_err(|bad| bad.iter().map(|v| format!("{v}\n")).collect::<Vec<_>>().concat())
}

fn default_sizes(of: &[(&str, i64)], variable: Option<&str>) -> Result<Vec<u64>, String> {
    sizes(v1::Job::default(), of, variable)
}

fn exactly(exact: &[u64]) -> v1::Job {
    v1::Job { input_sizes: exact.into(), ..v1::Job::default() }
}

fn lists(scales: &[u64], corner_cases: &[u64]) -> v1::Job {
    v1::Job {
        input_scales: Some(v1::SizeList { values: scales.into() }),
        extra_corner_cases: Some(v1::SizeList { values: corner_cases.into() }),
        ..v1::Job::default()
    }
}

fn refused(text: &str) -> Result<Vec<u64>, String> {
    Err(format!("{text}\n"))
}

#[test]
fn defaults_end_at_n_max() {
    for (n_max, expected) in [
        (0, &[0, 1][..]),
        (999, &[0, 1]),
        (1_000, &[0, 1, 1_000]),
        (49_999, &[0, 1, 1_000, 5_000, 10_000]),
        (100_000, &[0, 1, 1_000, 5_000, 10_000, 50_000, 100_000]),
        (1_000_000_000, &[0, 1, 1_000, 5_000, 10_000, 50_000, 100_000]),
    ] {
        assert_eq!(default_sizes(&[("n", n_max)], None), Ok(expected.into()));
    }
}

#[test]
fn default_sizes_without_bounds_have_no_end() {
    assert_eq!(default_sizes(&[], None).map(|sizes| sizes.len()), Ok(7));
}

#[test]
fn largest_bound_is_allowed() {
    let n_max = |of: &[_]| {
        let request = v1::Job { input_bounds: bounds(of), ..v1::Job::default() };
        Sizes::try_new(&request).unwrap().n_max()
    };
    assert_eq!(n_max(&[("n", 1_000_000_000_000_000_000)]), Some(MAX_SIZE));
    assert_eq!(n_max(&[]), None);
}

#[test]
fn named_variable_is_the_size() {
    let of = [("m", 1_000), ("n", 5_000)];
    assert_eq!(default_sizes(&of, Some("m")), Ok(vec![0, 1, 1_000]));
}

#[test]
fn sole_variable_is_the_size() {
    assert_eq!(default_sizes(&[("q", 1_000)], None), Ok(vec![0, 1, 1_000]));
}

#[test]
fn n_is_the_size_among_several_variables() {
    let of = [("m", 1_000), ("n", 5_000)];
    assert_eq!(default_sizes(&of, None), Ok(vec![0, 1, 1_000, 5_000]));
}

#[test]
fn size_variable_without_n_must_be_named() {
    assert_eq!(
        default_sizes(&[("m", 1), ("q", 1)], None),
        refused("size_variable: must be one of m, q")
    );
}

#[test]
fn unknown_variable_is_refused() {
    assert_eq!(
        default_sizes(&[("m", 1), ("q", 1)], Some("n")),
        refused(r#"size_variable: must be one of m, q, not "n""#)
    );
}

#[test]
fn bound_that_is_no_size_is_refused() {
    for bound in [-1, 1_000_000_000_000_000_001, i64::MAX] {
        assert_eq!(
            default_sizes(&[("n", bound)], None),
            refused(&format!("input_bounds[\"n\"]: must be from 0 to {MAX_SIZE}, not {bound}"))
        );
    }
}

#[test]
fn exact_sizes_are_taken_as_they_are() {
    let far = sizes(exactly(&[3, 7, 200_000]), &[("n", 10)], None);
    assert_eq!(far, Ok(vec![3, 7, 200_000]));
}

#[test]
fn lists_are_joined_sorted_and_deduplicated() {
    let joined = sizes(lists(&[1, 10, 100], &[0, 1, 20]), &[("n", 10)], None);
    assert_eq!(joined, Ok(vec![0, 1, 10, 20]));
}

#[test]
fn lists_that_do_not_rise_are_refused_at_each_place() {
    assert_eq!(
        sizes(exactly(&[1, 1, 5, 2]), &[], None),
        refused(
            "input_sizes[1]: must increase, but 1 follows 1\n\
             input_sizes[3]: must increase, but 2 follows 5"
        )
    );
}

#[test]
fn scales_and_corner_cases_must_rise_too() {
    assert_eq!(
        sizes(lists(&[2, 1], &[1, 0]), &[], None),
        refused(
            "input_scales.values[1]: must increase, but 1 follows 2\n\
             extra_corner_cases.values[1]: must increase, but 0 follows 1"
        )
    );
}

#[test]
fn size_over_the_limit_is_refused() {
    assert_eq!(
        sizes(exactly(&[MAX_SIZE + 1]), &[], None),
        refused("input_sizes[0]: must be at most 1000000000000000000, not 1000000000000000001")
    );
}

#[test]
fn too_many_sizes_are_refused() {
    let many: Vec<u64> = (0..=64).collect();
    assert_eq!(
        sizes(exactly(&many), &[], None),
        refused("input_sizes: must have at most 64 sizes, not 65")
    );
}

#[test]
fn too_many_sizes_together_are_refused() {
    let (low, high): (Vec<u64>, Vec<u64>) = ((0..40).collect(), (40..80).collect());
    assert_eq!(
        sizes(lists(&high, &low), &[], None),
        refused("input_scales: must result in 1 to 64 sizes, not 80")
    );
}

#[test]
fn no_size_at_all_is_refused() {
    assert_eq!(
        sizes(lists(&[10], &[]), &[("n", 9)], None),
        refused("input_scales: must result in 1 to 64 sizes, not 0")
    );
}

#[test]
fn bad_list_and_a_bad_variable_are_named_at_once() {
    assert_eq!(
        sizes(exactly(&[2, 1]), &[("m", 1)], Some("n")),
        refused(
            "input_sizes[1]: must increase, but 1 follows 2\n\
             size_variable: must be one of m, not \"n\""
        )
    );
}

#[test]
fn auto_is_the_corner_cases_and_rungs_up_to_the_bound() {
    let auto = || v1::Job { schedule: Schedule::Auto.into(), ..v1::Job::default() };
    let bounded = v1::Job { input_bounds: bounds(&[("n", 45)]), ..auto() };
    let sizes = Sizes::try_new(&bounded).unwrap();
    assert_eq!((sizes.promised(), sizes.requested().len()), (None, 42));
    assert_eq!(sizes.requested().last(), Some(&45));
    let unbounded = Sizes::try_new(&auto()).unwrap();
    assert_eq!(unbounded.requested().last(), Some(&MAX_CHOSEN_SIZE));
    let input_scales = Some(v1::SizeList { values: vec![2] });
    let both = v1::Job { input_sizes: vec![1], input_scales, ..auto() };
    let problem = "cannot be used with the schedule AUTO";
    let expected = format!("input_sizes: {problem}\ninput_scales: {problem}");
    assert_eq!(super::tests::sizes(both, &[], None), refused(&expected));
}

#[test]
fn preferred_sizes_rise_to_the_bound() {
    for n_max in [0, 1, 9, 40, 41, 100, 12_345, MAX_SIZE] {
        let rungs = preferred_sizes(n_max);
        assert!(rungs.windows(2).all(|pair| pair[0] < pair[1]), "{n_max}");
        assert_eq!(rungs.last(), Some(&n_max));
    }
    assert_eq!(preferred_sizes(130)[40..], [40, 50, 63, 80, 100, 125, 130]);
    assert!(preferred_sizes(MAX_SIZE).ends_with(&[
        MAX_SIZE / 100 * 63,
        MAX_SIZE / 10 * 8,
        MAX_SIZE
    ]));
}

#[test]
fn growing_schedule_keeps_to_powers_of_two() {
    let growing = |exact: &[u64]| {
        let sizes = Sizes::try_new(&exactly(exact)).unwrap();
        sizes.growing(9, 600).possible().to_vec()
    };
    assert_eq!(growing(&[0, 1, 64, 128, 1024]), [16, 32, 64, 128, 256, 512]);
    for others in [&[0, 1, 64, 128][..], &[64, 128, 1000], &[64, 128, 1024, 1025]] {
        assert_eq!(growing(others), preferred_sizes(600)[10..], "{others:?}");
    }
}
