//! Programs that read letters.

use super::Reads::Letters;
use super::{Lines, Program};

pub(super) fn programs() -> [Program; 7] {
    let one = |name, steps, hand| Program { name, reads: Letters, steps, hand };
    [
        one("borders from the end", borders, |n| (0..n).map(|i| i64::from(i == 0)).collect()),
        one("unmatched to the left", unmatched, |n| vec![1; usize::try_from(n).unwrap()]),
        one("removal with restart", removal, halves),
        one("neighbouring suffixes", suffixes, |n| vec![0; usize::try_from(n).unwrap()]),
        one("runs times runs", runs, halves),
        one("middle differs", middle, |n| (0..n).map(|i| i64::from(i == n / 2)).collect()),
        one("alternation", alternation, |n| (0..n).map(|i| i % 2).collect()),
    ]
}

fn halves(n: i64) -> Vec<i64> {
    (0..n).map(|i| i64::from(i >= n / 2)).collect()
}

/// Seeks the longest border, and compares from the end.
fn borders(a: &[i64], lines: &mut Lines) {
    for len in (1..a.len()).rev() {
        let pairs = a[..len].iter().rev().zip(a[a.len() - len..].iter().rev());
        let equal = pairs.take_while(|(one, other)| one == other).count();
        lines.reach_often(1, equal + 1);
        if equal == len {
            break;
        }
    }
}

/// Matches each b with the nearest a to its left that has no match.
fn unmatched(a: &[i64], lines: &mut Lines) {
    let mut matched = vec![false; a.len()];
    for at in (0..a.len()).filter(|at| a[*at] == 1) {
        for before in (0..at).rev() {
            lines.reach(1);
            if a[before] == 0 && !matched[before] {
                matched[before] = true;
                break;
            }
        }
    }
}

/// Removes the first "ab" until there is none.
fn removal(a: &[i64], lines: &mut Lines) {
    let mut a = a.to_vec();
    loop {
        let found = a.windows(2).position(|pair| pair == [0, 1]);
        lines.reach_often(1, found.unwrap_or(a.len()) + 1);
        let Some(at) = found else { break };
        a.drain(at..at + 2);
    }
}

/// Compares each suffix with the next.
fn suffixes(a: &[i64], lines: &mut Lines) {
    for at in 0..a.len() {
        let pairs = a[at..].iter().zip(&a[at + 1..]);
        lines.reach_often(1, pairs.take_while(|(one, other)| one == other).count() + 1);
    }
}

/// Compares each a of a run with each b of the next run.
fn runs(a: &[i64], lines: &mut Lines) {
    for run in a.chunk_by(|one, other| one <= other) {
        let first = run.iter().filter(|it| **it == 0).count();
        lines.reach_often(1, first * (run.len() - first) + 1);
    }
}

/// For each position, expands as long as both sides are equal to each other but not to the middle.
fn middle(a: &[i64], lines: &mut Lines) {
    for at in 0..a.len() {
        let sides = a[..at].iter().rev().zip(&a[at + 1..]);
        let expands = sides.take_while(|(one, other)| one == other && **one != a[at]).count();
        lines.reach_often(1, (expands + 1) * (expands + 1));
    }
}

/// From each position, goes on while the letters alternate.
fn alternation(a: &[i64], lines: &mut Lines) {
    for at in 0..a.len() {
        let pairs = a[at..].windows(2);
        lines.reach_often(1, pairs.take_while(|pair| pair[0] != pair[1]).count() + 1);
    }
}
