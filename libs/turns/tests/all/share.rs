//! Shares of room that callers have in common.

use profiler_turns::takes_too_much;

/// Number of places that a caller gets one after the other, if `free` of them are free.
fn taken(mut free: usize) -> usize {
    let mut own = 0;
    while free > 0 && !takes_too_much(own, 1, free) {
        (own, free) = (own + 1, free - 1);
    }
    own
}

#[test]
fn one_caller_gets_three_quarters_and_the_next_three_quarters_of_the_rest() {
    assert_eq!((taken(4096), taken(1024), taken(256)), (3072, 768, 192));
}

#[test]
fn last_place_is_for_a_caller_without_one() {
    assert!(takes_too_much(1, 1, 1));
    assert!(!takes_too_much(0, 1, 1));
}

#[test]
fn few_places_go_to_one_caller_except_for_the_last() {
    assert_eq!([1, 2, 3, 4].map(taken), [1, 1, 2, 3]);
}

#[test]
fn large_piece_of_the_rest_is_too_much() {
    assert!(takes_too_much(1, 60, 64));
    assert!(!takes_too_much(0, 60, 64));
}
