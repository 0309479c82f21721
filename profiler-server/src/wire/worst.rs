//! Maps the worst input to the wire.

use super::growth::classification;
use super::spec_message::spec_message;
use profiler_core::report::{
    FailedInputs, RandomInstructions, SearchEnd, SizeCounts, SlowLine, WorstInput,
};
use profiler_proto::v1;

/// Maps what a search has found.
pub fn worst(found: &WorstInput) -> v1::WorstInput {
    let growth = found.growth.as_deref();
    v1::WorstInput {
        measured_size: found.measured_n,
        searched_size: found.searched_n,
        instructions: found.instructions,
        random: found.random.map(random),
        random_growth: growth.map(|[random, _]| classification(random)),
        worst_growth: growth.map(|[_, worst]| classification(worst)),
        looks: found.looks.clone(),
        spec: found.spec.as_ref().map(spec_message),
        input: found.input.clone(),
        input_bytes: found.input_bytes,
        line: found.line.as_ref().map(line),
        points: found.points.iter().map(point).collect(),
        executions: found.executions,
        searched_executions: found.searched_executions,
        seconds: found.took.as_secs_f64(),
        seed: found.seed,
        end: end(found.end).into(),
        problem: found.problem.clone().unwrap_or_default(),
        failures: found.failures.as_ref().map(failures),
    }
}

fn random(counts: RandomInstructions) -> v1::RandomInstructions {
    v1::RandomInstructions { median: counts.median, most: counts.most }
}

fn line(line: &SlowLine) -> v1::SlowLine {
    v1::SlowLine {
        line: line.line,
        function: line.function.clone(),
        size: line.n,
        worst: line.worst,
        random: line.random,
    }
}

fn point(point: &SizeCounts) -> v1::WorstPoint {
    v1::WorstPoint {
        size: point.n,
        random: point.of_random().map(random),
        instructions: point.worst.map(|worst| worst.all),
    }
}

fn end(end: Option<SearchEnd>) -> v1::SearchEnd {
    match end {
        None => v1::SearchEnd::Unspecified,
        Some(SearchEnd::Executions) => v1::SearchEnd::Executions,
        Some(SearchEnd::Time) => v1::SearchEnd::Time,
        Some(SearchEnd::NothingBetter) => v1::SearchEnd::NothingBetter,
    }
}

fn failures(failed: &FailedInputs) -> v1::FailedInputs {
    v1::FailedInputs {
        count: failed.count,
        ended: failed.ended.clone(),
        size: failed.n,
        looks: failed.looks.clone(),
        spec: failed.spec.as_ref().map(spec_message),
    }
}
