//! Maps the growth of time and memory to the wire.

use crate::figures::interval;
use profiler_growth::{
    Classification, Curve, Effort, Growth, Prediction, Rival, Signal, SignalKind,
};
use profiler_proto::v1;

pub(crate) fn growth(growth: &Growth) -> v1::GrowthReport {
    let effort = match growth.effort {
        Effort::Timed => v1::Growth::Timed,
        Effort::Counted => v1::Growth::Counted,
        Effort::Full => v1::Growth::Full,
    };
    v1::GrowthReport {
        time: Some(classification(&growth.time)),
        memory: Some(classification(&growth.memory)),
        effort: effort.into(),
        spent_ms: growth.spent_ms,
    }
}

pub(crate) fn classification(found: &Classification) -> v1::GrowthClassification {
    v1::GrowthClassification {
        function: found.class.map(Into::into),
        confidence: found.confidence,
        undecided: found.undecided.clone(),
        runner_up: found.runner_up.map(|second| second.0.into()),
        runner_up_confidence: found.runner_up.map(|second| second.1),
        exponent: found.exponent,
        exponent_interval: found.exponent_interval.map(interval),
        signals: found.signals.iter().map(signal).collect(),
        curve: found.curve.map(curve),
        prediction: found.prediction.map(prediction),
        rivals: found.rivals.iter().map(rival).collect(),
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

fn prediction(of: Prediction) -> v1::GrowthPrediction {
    v1::GrowthPrediction {
        size: of.size,
        value: of.value,
        interval: Some(interval(of.interval)),
        limit: of.limit,
        fits: of.fits,
    }
}
