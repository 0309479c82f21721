//! Tasks about sums and products.

use crate::checkers::random::Random;
use crate::checkers::task::{Instance, are_places, numbers, sets};

const PRIMES: [usize; 8] = [2, 2, 3, 5, 7, 11, 13, 29];

fn sum_at(list: &[usize], places: &[usize]) -> usize {
    places.iter().map(|place| list[place - 1]).sum()
}

/// Two places of a list whose numbers have the given sum.
pub(super) fn pair(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(4..=9);
    let list = random.list(n, 1..=20);
    let one = random.below(n);
    let sum = list[one] + list[(one + 1 + random.below(n - 1)) % n];
    let pair = if is_right {
        random.pick(pairs(&list, sum))
    } else {
        [random.among(1..=n), random.among(1..=n)]
    };
    Instance::new([&[n, sum], &list[..]].concat(), pair)
}

pub(super) fn is_pair(data: &[usize], words: &[&str]) -> bool {
    let [_, sum, list @ ..] = data else { return false };
    let right = pairs(list, *sum);
    numbers(words).is_some_and(|given| right.iter().any(|pair| pair[..] == given[..]))
}

fn pairs(list: &[usize], sum: usize) -> Vec<[usize; 2]> {
    let n = list.len();
    let all = (1..=n).flat_map(|one| (1..=n).map(move |other| [one, other]));
    all.filter(|pair| pair[0] != pair[1] && sum_at(list, pair) == sum).collect()
}

/// Places of a list whose numbers have the given sum.
pub(super) fn subset(random: &mut Random, is_right: bool) -> Instance {
    let n = random.among(5..=10);
    let list = random.list(n, 1..=15);
    let sum = sum_at(&list, &random.pick(sets(n, |_| true)));
    let is_good = |places: &[usize]| !is_right || sum_at(&list, places) == sum;
    let mut places = random.pick(sets(n, is_good));
    random.shuffle(&mut places);
    Instance::new([&[n, sum], &list[..]].concat(), places)
}

pub(super) fn is_subset(data: &[usize], words: &[&str]) -> bool {
    let [n, sum, list @ ..] = data else { return false };
    numbers(words).is_some_and(|given| are_places(&given, *n) && sum_at(list, &given) == *sum)
}

/// Division of a list into the parts 1 and 2, which have the same sum.
pub(super) fn halves(random: &mut Random, is_right: bool) -> Instance {
    let count = random.among(3..=8);
    let mut list = random.list(count, 1..=9);
    let [mut one, mut other] = [0_usize; 2];
    for number in &list {
        *(if random.is_head() { &mut one } else { &mut other }) += number;
    }
    match usize::abs_diff(one, other) {
        0 => list.extend([3, 3]),
        missing => list.push(missing),
    }
    random.shuffle(&mut list);
    let (n, total) = (list.len(), list.iter().sum::<usize>());
    let is_half = |places: &[usize]| !is_right || 2 * sum_at(&list, places) == total;
    let second = random.pick(sets(n, is_half));
    let parts = (1..=n).map(|place| if second.contains(&place) { 2 } else { 1 });
    Instance::new([&[n], &list[..]].concat(), parts)
}

pub(super) fn are_halves(data: &[usize], words: &[&str]) -> bool {
    let [n, list @ ..] = data else { return false };
    let Some(parts) = numbers(words).filter(|parts| parts.len() == *n) else { return false };
    let sum = |part| {
        let own = list.iter().zip(&parts).filter(|(_, own)| **own == part);
        own.map(|(number, _)| number).sum::<usize>()
    };
    parts.iter().all(|part| [1, 2].contains(part)) && sum(1) == sum(2)
}

/// The prime factors of a number, in any order.
pub(super) fn factors(random: &mut Random, is_right: bool) -> Instance {
    let count = random.among(2..=5);
    let mut factors: Vec<usize> = (0..count).map(|_| random.pick(PRIMES.to_vec())).collect();
    let product: usize = factors.iter().product();
    if !is_right && random.is_head() {
        factors.push(1);
    } else if !is_right {
        let last = factors.pop().unwrap_or(1);
        factors[0] *= last;
    }
    random.shuffle(&mut factors);
    Instance::new(vec![product], factors)
}

pub(super) fn are_factors(data: &[usize], words: &[&str]) -> bool {
    let (&[number], Some(mut given)) = (data, numbers(words)) else { return false };
    let (mut left, mut factor, mut factors) = (number, 2, Vec::new());
    while left > 1 {
        if left % factor == 0 {
            factors.push(factor);
            left /= factor;
        } else {
            factor += 1;
        }
    }
    given.sort_unstable();
    given == factors
}
