//! Maps the worst input to the wire.

use crate::growth::classification;
use crate::spec_message;
use profiler_core::job::WorstGoal;
use profiler_core::report::{
    FailedInputs, RandomCosts, SearchEnd, SizeCosts, SlowLine, WorstInput,
};
use profiler_proto::v1;

/// Maps what a search has found.
pub fn worst(found: &WorstInput) -> v1::WorstInput {
    let growth = found.growth.as_deref();
    let (goal, goal_line) = goal(found.goal);
    // The fields of 0.2 promise instructions.
    let is_count = found.goal == WorstGoal::Instructions;
    v1::WorstInput {
        goal: goal.into(),
        goal_line,
        cost: found.cost.filter(|_| !is_count),
        random_cost: found.random.filter(|_| !is_count).map(random_cost),
        measured_size: found.measured_n,
        searched_size: found.searched_n,
        instructions: found.cost.filter(|_| is_count),
        random: found.random.filter(|_| is_count).map(random),
        random_growth: growth.map(|[random, _]| classification(random)),
        worst_growth: growth.map(|[_, worst]| classification(worst)),
        looks: found.looks.clone(),
        spec: found.spec.as_ref().map(spec_message),
        input: found.input.clone(),
        input_bytes: found.input_bytes,
        line: found.line.as_ref().map(line),
        points: found.points.iter().map(|it| point(it, is_count)).collect(),
        executions: found.executions,
        searched_executions: found.searched_executions,
        seconds: found.took.as_secs_f64(),
        seed: found.seed,
        end: end(found.end).into(),
        problem: found.problem.clone().unwrap_or_default(),
        failures: found.failures.as_ref().map(failures),
    }
}

/// A goal, and its line.
fn goal(goal: WorstGoal) -> (v1::WorstGoal, u32) {
    match goal {
        WorstGoal::Instructions => (v1::WorstGoal::Instructions, 0),
        WorstGoal::Memory => (v1::WorstGoal::Memory, 0),
        WorstGoal::Allocations => (v1::WorstGoal::Allocations, 0),
        WorstGoal::Line(line) => (v1::WorstGoal::Line, line),
    }
}

fn random(costs: RandomCosts) -> v1::RandomInstructions {
    v1::RandomInstructions { median: costs.median, most: costs.most }
}

fn random_cost(costs: RandomCosts) -> v1::RandomCosts {
    v1::RandomCosts { median: costs.median, most: costs.most }
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

fn point(point: &SizeCosts, is_count: bool) -> v1::WorstPoint {
    let (costs, worst) = (point.of_random(), point.worst.map(|worst| worst.all));
    v1::WorstPoint {
        size: point.n,
        random: costs.filter(|_| is_count).map(random),
        instructions: worst.filter(|_| is_count),
        random_cost: costs.filter(|_| !is_count).map(random_cost),
        cost: worst.filter(|_| !is_count),
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
    use profiler_core::report::RunCost;
    use profiler_input::Spec;
    use std::time::Duration;

    /// A worst input that was found at one n only.
    fn found() -> WorstInput {
        let counted = |all| RunCost { all, own: None };
        WorstInput {
            goal: WorstGoal::Instructions,
            measured_n: Some(20),
            searched_n: 20,
            cost: Some(90),
            random: Some(RandomCosts { median: 30, most: 40 }),
            growth: None,
            looks: vec!["a: falling".into()],
            spec: Some(Spec::default()),
            input: b"2 1".into(),
            input_bytes: 3,
            line: Some(SlowLine { line: 4, function: "f".into(), n: 20, worst: 50, random: 5 }),
            points: vec![SizeCosts {
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
            points: vec![v1::WorstPoint {
                size: 20,
                random: Some(random),
                instructions: Some(90),
                ..v1::WorstPoint::default()
            }],
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
            goal: v1::WorstGoal::Instructions.into(),
            goal_line: 0,
            cost: None,
            random_cost: None,
        };
        assert_eq!(told, expected);
        assert!(told.spec.is_some());
    }

    #[test]
    fn cost_of_another_goal_is_not_called_instructions() {
        let told = worst(&WorstInput { goal: WorstGoal::Line(4), ..found() });
        let random = v1::RandomCosts { median: 30, most: 40 };
        assert_eq!((told.goal(), told.goal_line), (v1::WorstGoal::Line, 4));
        assert_eq!((told.instructions, told.random), (None, None));
        assert_eq!((told.cost, told.random_cost), (Some(90), Some(random)));
        let point = v1::WorstPoint {
            size: 20,
            random_cost: Some(random),
            cost: Some(90),
            ..v1::WorstPoint::default()
        };
        assert_eq!(told.points, [point]);
    }
}
