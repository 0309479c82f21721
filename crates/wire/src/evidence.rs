//! Maps evidence and warnings to the wire: each enum of the domain has one of the wire.

use profiler_core::report::{
    DetectionMethod, Evidence, Hint, KilledBy, LimitKind, Unit, Warning, WarningCode,
};
use profiler_proto::v1;

/// Maps the evidence for an outcome.
pub fn evidence(evidence: &Evidence) -> v1::Evidence {
    let met = evidence.met.as_ref();
    v1::Evidence {
        limit: met.map_or(v1::LimitKind::Unspecified, |met| limit_kind(met.kind)).into(),
        limit_value: met.map(|met| met.limit),
        met_value: met.map(|met| met.met),
        grace: met.and_then(|met| met.grace),
        unit: met.map_or(v1::Unit::Unspecified, |met| unit(met.kind.unit())).into(),
        killed_by: killed_by(evidence.killed_by).into(),
        method: met.map_or(v1::DetectionMethod::Unspecified, |met| method(met.method)).into(),
        signal: evidence.signal.map(Into::into),
        exit_code: evidence.exit_code,
        hint: evidence.hint.map_or(v1::FailureHint::Unspecified, hint).into(),
    }
}

fn limit_kind(kind: LimitKind) -> v1::LimitKind {
    match kind {
        LimitKind::Time => v1::LimitKind::Time,
        LimitKind::Wall => v1::LimitKind::Wall,
        LimitKind::Cpu => v1::LimitKind::Cpu,
        LimitKind::Memory => v1::LimitKind::Memory,
        LimitKind::Output => v1::LimitKind::Output,
    }
}

fn unit(unit: Unit) -> v1::Unit {
    match unit {
        Unit::Ms => v1::Unit::Ms,
        Unit::Mib => v1::Unit::Mib,
    }
}

fn killed_by(killed_by: KilledBy) -> v1::KilledBy {
    match killed_by {
        KilledBy::Itself => v1::KilledBy::Itself,
        KilledBy::Profiler => v1::KilledBy::Profiler,
        KilledBy::KernelOom => v1::KilledBy::KernelOom,
        KilledBy::KernelRlimit => v1::KilledBy::KernelRlimit,
    }
}

fn method(method: DetectionMethod) -> v1::DetectionMethod {
    match method {
        DetectionMethod::Timer => v1::DetectionMethod::Timer,
        DetectionMethod::Rlimit => v1::DetectionMethod::Rlimit,
        DetectionMethod::OomKill => v1::DetectionMethod::OomKill,
        DetectionMethod::PeakRss => v1::DetectionMethod::PeakRss,
        DetectionMethod::SegmentSizes => v1::DetectionMethod::PMemsz,
        DetectionMethod::Polled => v1::DetectionMethod::Polled,
        DetectionMethod::FileSize => v1::DetectionMethod::FileSize,
        DetectionMethod::CgroupPeak => v1::DetectionMethod::CgroupPeak,
    }
}

fn hint(hint: Hint) -> v1::FailureHint {
    match hint {
        Hint::Stack => v1::FailureHint::Stack,
        Hint::BadAlloc => v1::FailureHint::BadAlloc,
        Hint::Silence => v1::FailureHint::Silence,
    }
}

pub(crate) fn warning(warning: &Warning) -> v1::Warning {
    v1::Warning {
        code: warning_code(warning.code).into(),
        size: warning.size,
        message: warning.message.clone(),
        candidate: warning.candidate,
    }
}

fn warning_code(code: WarningCode) -> v1::WarningCode {
    match code {
        WarningCode::IncomparableFlag => v1::WarningCode::IncomparableFlag,
        WarningCode::OneCore => v1::WarningCode::OneCore,
        WarningCode::NoStartUp => v1::WarningCode::NoStartUp,
        WarningCode::ProbeDiffers => v1::WarningCode::ProbeDiffers,
        WarningCode::RuntimeFailure => v1::WarningCode::RuntimeFailure,
        WarningCode::Unstable => v1::WarningCode::Unstable,
        WarningCode::MemoryMismatch => v1::WarningCode::MemoryMismatch,
        WarningCode::WallClock => v1::WarningCode::WallClock,
        WarningCode::Noisy => v1::WarningCode::Noisy,
        WarningCode::Inconsistent => v1::WarningCode::Inconsistent,
        WarningCode::InstructionsUnsupported => v1::WarningCode::InstructionsUnsupported,
        WarningCode::NotDeterministic => v1::WarningCode::NotDeterministic,
        WarningCode::NotCounted => v1::WarningCode::NotCounted,
        WarningCode::TestCasesNotRun => v1::WarningCode::TestCasesNotRun,
        WarningCode::WrongAnswer => v1::WarningCode::WrongAnswer,
        WarningCode::GrowthUnsupported => v1::WarningCode::GrowthUnsupported,
        WarningCode::NoHotspots => v1::WarningCode::NoHotspots,
        WarningCode::PartialCallStacks => v1::WarningCode::PartialCallStacks,
        WarningCode::NoAllocations => v1::WarningCode::NoAllocations,
        WarningCode::AllocationsPartial => v1::WarningCode::AllocationsPartial,
        WarningCode::AllocationsLowerBounds => v1::WarningCode::AllocationsLowerBounds,
        WarningCode::LineDirectives => v1::WarningCode::LineDirectives,
        WarningCode::InputExhausted => v1::WarningCode::InputExhausted,
        WarningCode::TwoWays => v1::WarningCode::TwoWays,
        WarningCode::SlowSpell => v1::WarningCode::SlowSpell,
        WarningCode::MemoryBeside => v1::WarningCode::MemoryBeside,
        WarningCode::LargestProcess => v1::WarningCode::LargestProcess,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::Word;

    /// The domain and the wire use the same words for people.
    #[test]
    fn warning_has_one_word() {
        for code in WarningCode::ALL {
            assert_eq!(warning_code(code).word(), code.as_str());
        }
    }
}
