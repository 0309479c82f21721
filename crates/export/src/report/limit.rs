//! The limit that a program met.

use profiler_proto::Word;
use profiler_proto::v1::{Evidence, LimitKind, SizeResult};

/// Names the limit that a size exceeded, or else its outcome, as the rest of a sentence about the
/// size. If a task's limit was widened, the task's own limit is named. `time` and `memory` format
/// limits in milliseconds and MiB.
pub(crate) fn why_stopped(
    size: &SizeResult,
    time: impl Fn(f64) -> String,
    memory: impl Fn(f64) -> String,
) -> String {
    let exceeded = || {
        let evidence = size.evidence.as_ref()?;
        let limit = evidence.limit_value? - evidence.grace.unwrap_or(0.0);
        Some(match evidence.limit() {
            LimitKind::Unspecified => return None,
            LimitKind::Time => format!("took over {}", time(limit)),
            LimitKind::Wall => format!(
                "took over {} of wall clock time, more than twice the time limit",
                time(limit)
            ),
            LimitKind::Cpu => format!("took over {} of processor time", time(limit)),
            LimitKind::Memory => format!("took over {}", memory(limit)),
            LimitKind::Output => format!("wrote over {}", memory(limit)),
        })
    };
    exceeded().unwrap_or_else(|| format!("has the outcome {}", size.outcome().name()))
}

/// Lists the parts of a widened limit, as the rest of a sentence; empty if it was not widened.
pub(crate) fn widened(evidence: &Evidence) -> String {
    let Some((limit, grace)) = evidence.limit_value.zip(evidence.grace) else {
        return String::new();
    };
    let (own, unit) = (limit - grace, evidence.unit().word());
    format!(" = the task's {own:.0} {unit} + {grace:.0} of grace")
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::Unit;

    #[test]
    fn widened_limit_is_explained() {
        let evidence = Evidence {
            limit: LimitKind::Time.into(),
            limit_value: Some(2250.0),
            unit: Unit::Ms.into(),
            grace: Some(250.0),
            ..Evidence::default()
        };
        assert_eq!(widened(&evidence), " = the task's 2000 ms + 250 of grace");
        assert_eq!(widened(&Evidence { grace: None, ..evidence.clone() }), "");
        let size = SizeResult { evidence: Some(evidence), ..SizeResult::default() };
        let number = |limit: f64| limit.to_string();
        assert_eq!(why_stopped(&size, number, number), "took over 2000");
    }
}
