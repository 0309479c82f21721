//! The limit that a program met.

use profiler_proto::Word;
use profiler_proto::v1::{Evidence, LimitKind, SizeResult};

/// The limit that the size exceeded, in milliseconds or MiB; absent if it ended otherwise. Of a
/// task's limit that was widened, it is the task's own.
pub(crate) fn exceeded(size: &SizeResult) -> Option<(LimitKind, f64)> {
    let evidence = size.evidence.as_ref()?;
    let limit = evidence.limit_value? - evidence.grace.unwrap_or(0.0);
    Some((evidence.limit(), limit)).filter(|(limit, _)| *limit != LimitKind::Unspecified)
}

/// Names the time that a limit of time is about, as the rest of a sentence; empty if it is the time
/// limit that the job named.
pub(crate) fn which_time(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::Wall => " of wall clock time, more than twice the time limit",
        LimitKind::Cpu => " of processor time",
        _ => "",
    }
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
        assert_eq!(exceeded(&size), Some((LimitKind::Time, 2000.0)));
    }
}
