//! Tasks about sequences.

use crate::checkers::random::Random;
use crate::checkers::task::{Instance, are_places, largest, numbers, sets};

/// A permutation of 1 to n in which no two neighbors are consecutive.
pub(super) fn permutation(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=9);
    let mut order = random.order(n);
    if is_right && random.is_head() {
        order = (2..=n).step_by(2).chain((1..=n).step_by(2)).collect();
        if random.is_head() {
            order.reverse();
        }
    }
    while is_right && !is_apart(&order) {
        random.shuffle(&mut order);
    }
    Instance::new(vec![n], order)
}

pub(super) fn is_permutation(data: &[usize], words: &[&str]) -> bool {
    let ([n], Some(given)) = (data, numbers(words)) else { return false };
    given.len() == *n && are_places(&given, *n) && is_apart(&given)
}

fn is_apart(order: &[usize]) -> bool {
    order.windows(2).all(|pair| pair[0].abs_diff(pair[1]) != 1)
}

/// A balanced sequence of n pairs of brackets, of the given depth.
pub(super) fn brackets(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(3..=9);
    let depth = random.among(1..=n);
    let first = if is_right { depth } else { 0 };
    let mut text = "(".repeat(first) + &")".repeat(first);
    for _ in first..n {
        let open = |at: usize| text[..at].matches('(').count() - text[..at].matches(')').count();
        let places = (0..=text.len()).filter(|&at| !is_right || open(at) < depth);
        let at = random.pick(places.collect());
        text.insert_str(at, "()");
    }
    Instance { answer: vec![text], ..Instance::new(vec![n, depth], []) }
}

/// Removes innermost pairs round by round. The number of rounds is the depth.
pub(super) fn are_brackets(data: &[usize], words: &[&str]) -> bool {
    let ([n, depth], [text]) = (data, words) else { return false };
    let (mut left, mut rounds) = ((*text).to_owned(), 0);
    while left.contains("()") {
        left = left.replace("()", "");
        rounds += 1;
    }
    left.is_empty() && rounds == *depth && text.len() == 2 * n
}

/// The places of a longest increasing subsequence.
pub(super) fn increasing(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(5..=11);
    let list = random.list(n, 1..=15);
    let all = sets(n, |places| is_increasing_at(&list, places));
    let places = random.pick(if is_right { largest(all) } else { all });
    Instance::new([&[n], &list[..]].concat(), places)
}

pub(super) fn is_increasing(data: &[usize], words: &[&str]) -> bool {
    let ([n, list @ ..], Some(given)) = (data, numbers(words)) else { return false };
    let mut lengths: Vec<usize> = Vec::new();
    for (at, number) in list.iter().enumerate() {
        let before = (0..at).filter(|&it| list[it] < *number).map(|it| lengths[it]).max();
        lengths.push(1 + before.unwrap_or(0));
    }
    let is_longest = lengths.iter().max() == Some(&given.len());
    is_longest && are_places(&given, *n) && is_increasing_at(list, &given)
}

fn is_increasing_at(list: &[usize], places: &[usize]) -> bool {
    places.windows(2).all(|it| it[0] < it[1] && list[it[0] - 1] < list[it[1] - 1])
}

/// The places of a largest set of intervals that do not overlap. They may touch.
pub(super) fn intervals(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=9);
    let mut ends = Vec::new();
    for _ in 0..n {
        let begin = random.below(18);
        ends.extend([begin, begin + random.among(1..=6)]);
    }
    let all = sets(n, |places| are_disjoint(&ends, places));
    let mut places = random.pick(if is_right { largest(all) } else { all });
    random.shuffle(&mut places);
    Instance::new([&[n], &ends[..]].concat(), places)
}

/// Compares with every set of intervals.
pub(super) fn are_intervals(data: &[usize], words: &[&str]) -> bool {
    let ([n, ends @ ..], Some(given)) = (data, numbers(words)) else { return false };
    let most = largest(sets(*n, |places| are_disjoint(ends, places)));
    let is_largest = most.iter().any(|places| places.len() == given.len());
    is_largest && are_places(&given, *n) && are_disjoint(ends, &given)
}

fn are_disjoint(ends: &[usize], places: &[usize]) -> bool {
    let interval = |place: usize| (ends[2 * place - 2], ends[2 * place - 1]);
    places.iter().enumerate().all(|(at, &one)| {
        places[at + 1..].iter().all(|&other| {
            let (one, other) = (interval(one), interval(other));
            one.1 <= other.0 || other.1 <= one.0
        })
    })
}
