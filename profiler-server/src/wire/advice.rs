//! Maps advice to the wire.

use super::figures::interval;
use profiler_core::report::{Advice, Speedup, TriedChange};
use profiler_proto::v1;

/// Maps what was tried.
pub(super) fn advice(found: &Advice) -> v1::Advice {
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
