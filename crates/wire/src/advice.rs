//! Maps advice to the wire.

use crate::figures::interval;
use profiler_core::report::{Advice, Speedup, TriedChange};
use profiler_proto::v1;

/// Maps what was tried.
pub(crate) fn advice(found: &Advice) -> v1::Advice {
    v1::Advice {
        size: found.n,
        candidate: found.candidate,
        given: found.given.iter().map(change).collect(),
        refused: found.refused.iter().map(change).collect(),
        left_out: found.left_out,
        problem: found.problem.clone().unwrap_or_default(),
    }
}

fn change(tried: &TriedChange) -> v1::TriedChange {
    v1::TriedChange {
        found: tried.found.clone(),
        remedy: tried.remedy.clone(),
        line: tried.line,
        before: tried.before.clone(),
        after: tried.after.clone(),
        changed_lines: tried.changed_lines,
        share: tried.share,
        speedup: tried.speedup.as_ref().map(speedup),
        why_not: tried.why_not.clone().unwrap_or_default(),
    }
}

fn speedup(found: &Speedup) -> v1::Speedup {
    v1::Speedup {
        times: found.times,
        interval: Some(interval(found.interval)),
        original_ms: found.original_ms,
        changed_ms: found.changed_ms,
        same_outputs: found.same_outputs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_statistics::Interval;

    #[test]
    fn every_field_is_on_the_wire() {
        let won = TriedChange {
            found: "it is slow".into(),
            remedy: "speed".into(),
            line: Some(3),
            before: "a".into(),
            after: "b".into(),
            changed_lines: 2,
            share: Some(0.5),
            speedup: Some(Speedup {
                times: 2.0,
                interval: Interval { low: 1.5, high: 2.5, level: 0.95 },
                original_ms: 4.0,
                changed_ms: 2.0,
                same_outputs: 5,
            }),
            why_not: None,
        };
        let lost = TriedChange { why_not: Some("it crashed".into()), ..TriedChange::default() };
        let told = advice(&Advice {
            n: Some(9),
            candidate: 1,
            given: vec![won],
            refused: vec![lost],
            left_out: 4,
            problem: Some("none".into()),
        });
        let won = v1::TriedChange {
            found: "it is slow".into(),
            remedy: "speed".into(),
            line: Some(3),
            before: "a".into(),
            after: "b".into(),
            changed_lines: 2,
            share: Some(0.5),
            speedup: Some(v1::Speedup {
                times: 2.0,
                interval: Some(v1::Interval { low: 1.5, high: 2.5, level: 0.95 }),
                original_ms: 4.0,
                changed_ms: 2.0,
                same_outputs: 5,
            }),
            why_not: String::new(),
        };
        let lost = v1::TriedChange { why_not: "it crashed".into(), ..v1::TriedChange::default() };
        let expected = v1::Advice {
            size: Some(9),
            candidate: 1,
            given: vec![won],
            refused: vec![lost],
            left_out: 4,
            problem: "none".into(),
        };
        assert_eq!(told, expected);
    }
}
