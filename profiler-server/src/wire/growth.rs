//! How time and memory grow, as the wire says it.

use super::report::interval;

use profiler_growth::{Classification, Curve, Effort, Growth, Prediction, Signal};
use profiler_proto::v1;

/// How time and memory grow.
pub(super) fn growth(growth: &Growth) -> v1::GrowthReport {
    let effort = match growth.effort {
        Effort::Timed => v1::Growth::Timed,
        Effort::Full => v1::Growth::Full,
    };
    v1::GrowthReport {
        time: Some(told(&growth.time)),
        memory: Some(told(&growth.memory)),
        effort: effort.into(),
        spent_ms: growth.spent_ms,
    }
}

fn told(told: &Classification) -> v1::GrowthClassification {
    v1::GrowthClassification {
        function: told.class.map(Into::into),
        confidence: told.confidence,
        undecided: told.undecided.clone(),
        runner_up: told.runner_up.map(|second| second.0.into()),
        runner_up_confidence: told.runner_up.map(|second| second.1),
        exponent: told.exponent,
        exponent_interval: told.exponent_interval.map(interval),
        signals: told.signals.iter().map(signal).collect(),
        curve: told.curve.map(curve),
        prediction: told.prediction.map(prediction),
    }
}

fn signal(signal: &Signal) -> v1::GrowthSignal {
    let point = |&(size, value): &(u32, f64)| v1::GrowthPoint { size, value };
    v1::GrowthSignal {
        name: signal.name.clone(),
        function: signal.class.map(Into::into),
        confidence: signal.confidence,
        points: signal.points.iter().map(point).collect(),
    }
}

fn curve(curve: Curve) -> v1::GrowthCurve {
    let Curve { class, constant, coefficient } = curve;
    v1::GrowthCurve { function: Some(class.into()), constant, coefficient }
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
