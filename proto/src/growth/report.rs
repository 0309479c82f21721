//! Converts the growth of time and memory to the messages of a report.

use crate::v1;
use profiler_growth::{
    Classification, Curve, Effort, Growth, Prediction, Reach, Remedy, Rival, Signal, SignalKind,
    Undecided,
};

impl From<&Growth> for v1::GrowthReport {
    fn from(growth: &Growth) -> Self {
        let effort = match growth.effort {
            Effort::Timed => v1::Growth::Timed,
            Effort::Counted => v1::Growth::Counted,
            Effort::Full => v1::Growth::Full,
        };
        Self {
            time: Some((&growth.time).into()),
            memory: Some((&growth.memory).into()),
            effort: effort.into(),
            spent_ms: growth.spent_ms,
        }
    }
}

impl From<&Classification> for v1::GrowthClassification {
    fn from(found: &Classification) -> Self {
        let Undecided { reason, remedies } = &found.undecided;
        let (kinds, words): (Vec<_>, Vec<_>) = remedies.iter().copied().map(remedy).unzip();
        let to_decide = if words.is_empty() { "" } else { ". To decide: " };
        Self {
            function: found.class.map(Into::into),
            confidence: found.confidence,
            // A sentence in the words of version 0.2.
            undecided: format!("{reason}{to_decide}{}", words.join(" or ")),
            undecided_reason: reason.clone(),
            remedies: kinds.into_iter().map(Into::into).collect(),
            runner_up: found.runner_up.map(|second| second.0.into()),
            runner_up_confidence: found.runner_up.map(|second| second.1),
            exponent: found.exponent,
            exponent_interval: found.exponent_interval.map(Into::into),
            signals: found.signals.iter().map(signal).collect(),
            curve: found.curve.map(curve),
            prediction: found.prediction.map(prediction),
            rivals: found.rivals.iter().map(rival).collect(),
            reach: found.reach.map(reach),
        }
    }
}

/// Returns the kind of a remedy, and its wording in version 0.2.
fn remedy(remedy: Remedy) -> (v1::RemedyKind, &'static str) {
    match remedy {
        Remedy::LargerSizes => (v1::RemedyKind::LargerSizes, "larger sizes"),
        Remedy::SmallerSizes => (v1::RemedyKind::SmallerSizes, "smaller sizes"),
        Remedy::MoreSizes => (v1::RemedyKind::MoreSizes, "more sizes"),
        Remedy::ChosenSizes => (v1::RemedyKind::AutoSchedule, "schedule AUTO"),
        Remedy::CountedGrowth => (v1::RemedyKind::CountedGrowth, "growth COUNTED"),
        Remedy::FullGrowth => (v1::RemedyKind::FullGrowth, "growth FULL"),
        Remedy::InputSpec => (v1::RemedyKind::InputSpec, "an InputSpec"),
    }
}

fn signal(signal: &Signal) -> v1::GrowthSignal {
    let point = |&(size, value): &(u64, f64)| v1::GrowthPoint { size, value };
    let (kind, line) = signal_kind(signal.kind);
    v1::GrowthSignal {
        kind: kind.into(),
        line,
        function: signal.class.map(Into::into),
        confidence: signal.confidence,
        points: signal.points.iter().map(point).collect(),
    }
}

fn signal_kind(kind: SignalKind) -> (v1::SignalKind, Option<u32>) {
    match kind {
        SignalKind::Runtime => (v1::SignalKind::Runtime, None),
        SignalKind::Instructions => (v1::SignalKind::Instructions, None),
        SignalKind::OwnInstructions => (v1::SignalKind::OwnInstructions, None),
        SignalKind::Line(line) => (v1::SignalKind::Line, Some(line)),
        SignalKind::PeakMemory => (v1::SignalKind::PeakMemory, None),
        SignalKind::DataStack => (v1::SignalKind::DataStack, None),
        SignalKind::HeapPeak => (v1::SignalKind::HeapPeak, None),
    }
}

fn curve(curve: Curve) -> v1::GrowthCurve {
    let Curve { class, constant, coefficient } = curve;
    v1::GrowthCurve { function: Some(class.into()), constant, coefficient }
}

fn rival(rival: &Rival) -> v1::GrowthRival {
    v1::GrowthRival { curve: Some(curve(rival.curve)), confidence: rival.confidence }
}

fn reach(Reach { size, low, high, limit }: Reach) -> v1::GrowthReach {
    v1::GrowthReach { size, low, high, limit }
}

fn prediction(of: Prediction) -> v1::GrowthPrediction {
    v1::GrowthPrediction {
        size: of.size,
        value: of.value,
        interval: Some(of.interval.into()),
        limit: of.limit,
        fits: of.fits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_growth::Class;
    use profiler_statistics::Interval;

    #[test]
    fn answer_and_its_evidence_are_published() {
        let signal = Signal {
            kind: SignalKind::Line(7),
            class: Some(Class::Linear),
            confidence: 0.6,
            points: vec![(10, 1.5)],
        };
        let interval = Interval { low: 1.5, high: 2.5, level: 0.95 };
        let found = Classification {
            class: Some(Class::Quadratic),
            confidence: Some(0.9),
            runner_up: Some((Class::Cubic, 0.1)),
            signals: vec![signal],
            curve: Some(Curve { class: Class::Quadratic, constant: 0.5, coefficient: 2.0 }),
            prediction: Some(Prediction {
                size: 9,
                value: 2.0,
                interval,
                limit: 3.0,
                fits: Some(true),
            }),
            reach: Some(Reach { size: 5, low: 4, high: 6, limit: 3.0 }),
            ..Classification::default()
        };
        let told = v1::GrowthClassification::from(&found);
        assert_eq!(told.class(), Some(Class::Quadratic));
        assert_eq!(
            (told.runner_up_class(), told.runner_up_confidence),
            (Some(Class::Cubic), Some(0.1))
        );
        let signal = &told.signals[0];
        assert_eq!((signal.kind(), signal.line), (v1::SignalKind::Line, Some(7)));
        assert_eq!((signal.class(), signal.points.len()), (Some(Class::Linear), 1));
        let curve = told.curve.unwrap();
        assert!((curve.constant + curve.coefficient - 2.5).abs() < 1e-9, "{curve:?}");
        let prediction = told.prediction.unwrap();
        assert_eq!((prediction.size, prediction.fits), (9, Some(true)));
        let reach = told.reach.unwrap();
        assert_eq!((reach.low, reach.size, reach.high), (4, 5, 6));
    }

    #[test]
    fn sentence_of_version_0_2_names_fields_of_a_job() {
        let undecided = Undecided {
            reason: "n (0.50) or 1 (0.40)".into(),
            remedies: vec![Remedy::LargerSizes, Remedy::FullGrowth],
        };
        let found = Classification { undecided, ..Classification::default() };
        let message = v1::GrowthClassification::from(&found);
        assert_eq!(
            message.undecided,
            "n (0.50) or 1 (0.40). To decide: larger sizes or growth FULL"
        );
        assert_eq!(message.undecided_reason, "n (0.50) or 1 (0.40)");
        let kinds: Vec<_> = message.remedies.iter().map(v1::Remedy::kind).collect();
        assert_eq!(kinds, [v1::RemedyKind::LargerSizes, v1::RemedyKind::FullGrowth]);
    }
}
