//! A task with several right answers.

use super::random::Random;
use std::collections::BTreeSet;

/// A task, its checker, and a judge that shares nothing with the checker.
pub(super) struct Task {
    pub(super) name: &'static str,
    /// Source of the checker after the beginning that all checkers share.
    pub(super) checker: &'static str,
    /// Source of a checker that includes testlib.h, if the task has one.
    pub(super) testlib: Option<&'static str>,
    /// Errors that the task allows, if its answers are real numbers.
    pub(super) errors: Option<Errors>,
    /// Makes an instance, whose answer is right or at least has the form of a right one.
    pub(super) make: fn(&mut Random, bool) -> Instance,
    pub(super) judge: Judge,
}

/// The absolute and the relative error of the checker NUMBERS.
#[derive(Debug, Clone, Copy)]
pub(super) struct Errors {
    pub(super) tolerance: Option<f64>,
    pub(super) relative_tolerance: Option<f64>,
}

/// Decides whether the words of an output are a right answer.
pub(super) enum Judge {
    Exact(fn(&[usize], &[&str]) -> bool),
    /// `None` if the error is so near to the allowed one that rounding decides.
    Near(fn(&[usize], &[&str]) -> Option<bool>),
}

/// Numbers that a task gives, and an answer.
#[derive(Debug, PartialEq)]
pub(super) struct Instance {
    pub(super) data: Vec<usize>,
    pub(super) answer: Vec<String>,
    /// The only right answer, if answers are real numbers.
    pub(super) expected: Vec<String>,
}

impl Task {
    /// Whether the words are a right answer; `None` if rounding decides.
    pub(super) fn judge(&self, data: &[usize], words: &[&str]) -> Option<bool> {
        match self.judge {
            Judge::Exact(is_right) => Some(is_right(data, words)),
            Judge::Near(is_right) => is_right(data, words),
        }
    }
}

impl Instance {
    pub(super) fn new(data: Vec<usize>, answer: impl IntoIterator<Item = usize>) -> Self {
        let answer = answer.into_iter().map(|number| number.to_string()).collect();
        Self { data, answer, expected: Vec::new() }
    }
}

/// Reads words that are all numbers.
pub(super) fn numbers(words: &[&str]) -> Option<Vec<usize>> {
    words.iter().map(|word| word.parse().ok()).collect()
}

/// Whether the numbers are different places of a list of `n`.
pub(super) fn are_places(given: &[usize], n: usize) -> bool {
    let different: BTreeSet<_> = given.iter().collect();
    different.len() == given.len() && given.iter().all(|place| (1..=n).contains(place))
}

/// Every set of places of a list of `n` that is good. The empty set is left out.
pub(super) fn sets(n: usize, is_good: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let set = |bits: usize| -> Vec<usize> {
        (1..=n).filter(|place| (bits >> (place - 1)) & 1 == 1).collect()
    };
    (1..1_usize << n).map(set).filter(|places| is_good(places)).collect()
}

/// The sets with the most places.
pub(super) fn largest(sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let most = sets.iter().map(Vec::len).max();
    sets.into_iter().filter(|places| Some(places.len()) == most).collect()
}
