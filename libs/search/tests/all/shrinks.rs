//! Inputs whose values become smaller.

use profiler_search::Shrink;

/// The smallest input that fails.
fn shrunk(input: &str, allowed: impl Fn(&str) -> bool, fails: impl Fn(&str) -> bool) -> String {
    let mut shrink = Shrink::new(input.as_bytes()).unwrap();
    let (mut best, mut runs) = (input.to_owned(), 0);
    while let Some(next) = shrink.propose(&allowed).map(str::to_owned) {
        runs += 1;
        if fails(&next) {
            best = next;
            shrink.keep();
        }
    }
    assert!(runs < 400, "{runs}");
    best
}

fn numbers(text: &str) -> Vec<i64> {
    text.lines().nth(1).unwrap().split(' ').map(|it| it.parse().unwrap()).collect()
}

/// A length, and as many numbers in 1 … 10^9.
fn is_list(text: &str) -> bool {
    let (head, list) = (text.lines().next().unwrap(), numbers(text));
    head.parse() == Ok(list.len()) && list.iter().all(|it| (1..=1_000_000_000).contains(it))
}

#[test]
fn equal_numbers_stay_equal() {
    let fails = |text: &str| numbers(text).windows(2).any(|pair| pair[0] == pair[1]);
    let found = shrunk("4\n17 930 930 8\n", is_list, fails);
    assert_eq!(found, "4\n1 1 1 1\n");
}

#[test]
fn number_at_a_border_is_found() {
    let fails = |text: &str| numbers(text).iter().sum::<i64>() > 70_000;
    let found = numbers(&shrunk("3\n99 800000 5\n", is_list, fails));
    assert_eq!(found.iter().sum::<i64>(), 70_001, "{found:?}");
}

#[test]
fn numbers_move_together() {
    let fails = |text: &str| numbers(text).windows(2).any(|pair| pair[1] == pair[0] + 1);
    assert_eq!(shrunk("2\n99998 99999\n", is_list, fails), "2\n1 2\n");
}

#[test]
fn letters_become_smaller() {
    let fails = |text: &str| text.starts_with(text.chars().nth(2).unwrap());
    assert_eq!(shrunk("xyx\n", |_| true, fails), "aaa\n");
}

#[test]
fn other_inputs_are_not_edited() {
    assert!(Shrink::new(&[0xff]).is_none() && Shrink::new(&[b'1'; 5 << 10]).is_none());
    let mut blanks = Shrink::new(b"a  5\n\n7 \n").unwrap();
    assert_eq!(blanks.propose(|text| text.ends_with("\n\n7 \n")), Some("a  0\n\n7 \n"));
}
