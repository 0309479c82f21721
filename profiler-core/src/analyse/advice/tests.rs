//! Tests of the judgement. Trials are tested with the real compiler.

use super::*;
use speedup::Round;

fn change(name: &str) -> Change {
    Change {
        described: TriedChange { found: name.into(), ..TriedChange::default() },
        ..Change::default()
    }
}

/// Rounds that scatter by 1 % about this speedup.
fn rounds(times: f64) -> (Vec<Round>, u32) {
    let near = [1.0, 1.01, 0.99, 1.0, 1.01, 0.99];
    let round = |it| Round { original_ms: 10.0 * times * it, changed_ms: 10.0 };
    (near.map(round).into(), 3)
}

fn judged(tried: Vec<Tried>) -> Advice {
    let changes: Vec<_> = (0..tried.len()).map(|at| change(&at.to_string())).collect();
    let mut advice = Advice::default();
    judge(&mut advice, &changes, tried);
    advice
}

fn names(changes: &[TriedChange]) -> Vec<(&str, &str)> {
    changes.iter().map(|it| (it.found.as_str(), it.why_not.as_str())).collect()
}

#[test]
fn largest_gains_are_given() {
    let all = [1.5, 4.0, 1.2, 2.0].map(|it| Ok(rounds(it))).into();
    let advice = judged(all);
    assert_eq!(names(&advice.given), [("1", ""), ("3", ""), ("0", "")]);
    assert_eq!(names(&advice.refused), [("2", "other changes gain more")]);
    assert!(advice.given.iter().all(|it| it.speedup.is_some()));
}

#[test]
fn change_not_clearly_faster_is_no_advice() {
    let scattered = [2.0, 0.7, 1.6, 0.8, 1.5, 0.9];
    let round = |it| Round { original_ms: it, changed_ms: 1.0 };
    let unclear = Ok((scattered.map(round).into(), 1));
    let lost = Err("it does not compile".to_owned());
    let advice = judged(vec![Ok(rounds(1.04)), unclear, lost, Ok(rounds(0.5))]);
    assert!(advice.given.is_empty());
    let why = [NOT_FASTER, NOT_FASTER, "it does not compile", NOT_FASTER];
    assert_eq!(names(&advice.refused).iter().map(|it| it.1).collect::<Vec<_>>(), why);
    assert!(advice.refused[1].speedup.is_some() && advice.refused[2].speedup.is_none());
}

#[test]
fn advice_without_a_comparable_size_tries_nothing() {
    assert_eq!(tried_size(&[]), Err("no size ended OK"));
}
