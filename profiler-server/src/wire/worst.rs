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

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::report::CountedRun;
    use profiler_input::Spec;
    use std::time::Duration;

    /// A worst input that was found at one n only.
    fn found() -> WorstInput {
        let counted = |all| CountedRun { all, own: None };
        WorstInput {
            measured_n: Some(20),
            searched_n: 20,
            instructions: Some(90),
            random: Some(RandomInstructions { median: 30, most: 40 }),
            growth: None,
            looks: vec!["a: falling".into()],
            spec: Some(Spec::default()),
            input: b"2 1".into(),
            input_bytes: 3,
            line: Some(SlowLine { line: 4, function: "f".into(), n: 20, worst: 50, random: 5 }),
            points: vec![SizeCounts {
                n: 20,
                random: vec![counted(30), counted(40)],
                worst: Some(counted(90)),
                input_bytes: 3,
            }],
            executions: 12,
            searched_executions: 9,
            took: Duration::from_millis(1500),
            seed: 6,
            end: Some(SearchEnd::Time),
            problem: Some("it varies".into()),
            failures: Some(FailedInputs {
                count: 2,
                ended: "SIGSEGV".into(),
                n: 20,
                looks: Vec::new(),
                spec: None,
            }),
        }
    }

    #[test]
    fn every_field_is_on_the_wire() {
        let told = worst(&found());
        let random = v1::RandomInstructions { median: 30, most: 40 };
        let expected = v1::WorstInput {
            measured_size: Some(20),
            searched_size: 20,
            instructions: Some(90),
            random: Some(random),
            random_growth: None,
            worst_growth: None,
            looks: vec!["a: falling".into()],
            spec: told.spec.clone(),
            input: b"2 1".into(),
            input_bytes: 3,
            line: Some(v1::SlowLine {
                line: 4,
                function: "f".into(),
                size: 20,
                worst: 50,
                random: 5,
            }),
            points: vec![v1::WorstPoint { size: 20, random: Some(random), instructions: Some(90) }],
            executions: 12,
            searched_executions: 9,
            seconds: 1.5,
            seed: 6,
            end: v1::SearchEnd::Time.into(),
            problem: "it varies".into(),
            failures: Some(v1::FailedInputs {
                count: 2,
                ended: "SIGSEGV".into(),
                size: 20,
                ..v1::FailedInputs::default()
            }),
        };
        assert_eq!(told, expected);
        assert!(told.spec.is_some());
    }
}
