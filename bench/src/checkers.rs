//! Outputs of tasks with several right answers, judged by checkers and by an independent judge.
//!
//! The program under test copies its input, so the input of a test case is the output to judge, and
//! the file of the expected output has the numbers of the task.

mod outputs;
mod random;
mod task;
mod tasks;

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use clap::Args;
use outputs::{Output, outputs};
use profiler_core::cancel::cancel_signal;
use profiler_core::report::Events;
use profiler_core::sandbox::Pool;
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::Word;
use profiler_proto::options::tools_job;
use profiler_proto::v1::{
    Checker, CheckerProgram, CodeMessage, Growth, InputExperiment, Job, TestCase, TestCaseResult,
    TestOrder, TestVerdict,
};
use profiler_wire as wire;
use std::{env, fs};
use task::{Errors, Task};
use tasks::TASKS;

/// A program that copies its input.
const COPY: &str = "#include <cstdio>\n\
    int main() { for (int c; (c = std::getchar()) != EOF;) std::putchar(c); }\n";
/// Beginning of every checker without testlib.
const COMMON: &str = include_str!("../checkers/common.h");
/// Variable with the path of testlib.h.
const TESTLIB: &str = "PROFILER_TEST_TESTLIB";
/// Maximum number of outputs that are shown of those that a checker judges otherwise.
const SHOWN: usize = 3;
/// Precision at which a size runs only once.
const ONE_RUN: f64 = 1.0;

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct CheckersArgs {
    /// Tasks, by name [default: all]
    names: Vec<String>,
    /// Outputs of each task
    #[arg(long, default_value_t = 100)]
    outputs: usize,
    /// Seed of the outputs
    #[arg(long, default_value_t = 1)]
    seed: u32,
    #[command(flatten)]
    backend: BackendArgs,
}

/// A checker of a task.
enum Way {
    Program(CheckerProgram),
    Numbers(Errors),
}

/// Prints how many outputs each checker judges as the independent judge does. Fails if one is
/// judged otherwise.
pub(crate) async fn run(args: &CheckersArgs) -> Result<(), Failure> {
    if let Some(name) = args.names.iter().find(|name| TASKS.iter().all(|it| it.name != **name)) {
        return Err(format!("there is no task {name}").into());
    }
    let testlib = env::var_os(TESTLIB).map(fs::read).transpose()?;
    let testlib = testlib.map(|text| String::from_utf8_lossy(&text).into_owned());
    let chosen = TASKS
        .iter()
        .filter(|it| args.names.is_empty() || args.names.iter().any(|name| name == it.name));
    let chosen: Vec<&Task> = chosen.collect();
    let (mut all, mut disagreed) = (0, 0);
    for backend in args.backend.backends().await? {
        println!("\n{}: {} outputs of each task, seed {}", backend.name(), args.outputs, args.seed);
        println!(
            "{:<30} {:>6} {:>6} {:>7} {:>10}",
            "task", "right", "wrong", "agreed", "disagreed"
        );
        let profiler = Profiler::new(Pool::new(backend, 0), None);
        for task in &chosen {
            let outputs = outputs(task, args.seed, args.outputs);
            for (name, way) in ways(task, testlib.as_deref()) {
                let results = judged(&profiler, &outputs, way).await?;
                all += outputs.len();
                disagreed += print(&name, &outputs, &results);
            }
        }
        profiler.pool.close().await;
    }
    println!("\n{} of {all} outputs are judged alike", all - disagreed);
    if disagreed > 0 {
        return Err(format!("{disagreed} outputs are judged otherwise").into());
    }
    Ok(())
}

/// The checkers of a task, with their names in the table.
fn ways(task: &Task, testlib: Option<&str>) -> Vec<(String, Way)> {
    let program = |code_cpp, testlib_h: &str| {
        let testlib_h = testlib_h.to_owned();
        Way::Program(CheckerProgram { code_cpp, testlib_h, ..CheckerProgram::default() })
    };
    let source = format!("{COMMON}#line 1 \"checker.cpp\"\n{}", task.checker);
    let plain = (task.name.to_owned(), program(source, ""));
    let with_testlib = task.testlib.zip(testlib).map(|(source, header)| {
        (format!("{}, testlib", task.name), program(source.to_owned(), header))
    });
    let numbers =
        task.errors.map(|errors| (format!("{}, numbers", task.name), Way::Numbers(errors)));
    [plain].into_iter().chain(with_testlib).chain(numbers).collect()
}

/// Judges the outputs in one job.
async fn judged(
    profiler: &Profiler,
    outputs: &[Output],
    way: Way,
) -> Result<Vec<TestCaseResult>, Failure> {
    let case = |output: &Output| TestCase {
        input: output.text.clone(),
        output: match way {
            Way::Program(_) => output.data.clone(),
            Way::Numbers(_) => output.expected.clone(),
        },
        ..TestCase::default()
    };
    let mut job = Job {
        code: Some(CodeMessage {
            task_id: "copy".into(),
            code_cpp: COPY.into(),
            ..CodeMessage::default()
        }),
        input_sizes: vec![1],
        test_cases: outputs.iter().map(case).collect(),
        test_order: TestOrder::All.into(),
        input_experiment: InputExperiment::Off.into(),
        growth: Growth::Timed.into(),
        precision: Some(ONE_RUN),
        ..tools_job()
    };
    match way {
        Way::Program(checker) => job.checker_program = Some(checker),
        Way::Numbers(Errors { tolerance, relative_tolerance }) => {
            job.checker = Checker::Numbers.into();
            (job.tolerance, job.relative_tolerance) = (tolerance, relative_tolerance);
        }
    }
    let job = wire::job(job, &wire::Defaults::default()).map_err(|bad| bad.to_string())?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    let report = done.map_err(|error| format!("{}: {}", error.code().word(), error.message))?;
    Ok(report.test_cases)
}

/// Prints the row of a checker, and the first outputs that it judges otherwise. Returns how many it
/// judges otherwise. An output without a verdict is one of them.
fn print(name: &str, outputs: &[Output], results: &[TestCaseResult]) -> usize {
    let is_alike = |output: &Output, result: Option<&TestCaseResult>| {
        result.is_some_and(|it| match it.judged() {
            TestVerdict::Accepted => output.is_right,
            TestVerdict::WrongAnswer | TestVerdict::PresentationError => !output.is_right,
            _ => false,
        })
    };
    let pairs = outputs.iter().enumerate().map(|(at, output)| (output, results.get(at)));
    let others: Vec<_> = pairs.filter(|&(output, result)| !is_alike(output, result)).collect();
    let right = outputs.iter().filter(|output| output.is_right).count();
    let (wrong, alike) = (outputs.len() - right, outputs.len() - others.len());
    println!("{name:<30} {right:>6} {wrong:>6} {alike:>7} {:>10}", others.len());
    for (Output { data, text, is_right, .. }, result) in others.iter().take(SHOWN) {
        let truth = if *is_right { "right" } else { "wrong" };
        let said = result.map(|it| (it.judged().word(), &it.checker_message, &it.reason));
        println!("  {truth}, but {said:?}: {text:?} for {data:?}");
    }
    others.len()
}
