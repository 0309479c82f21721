//! Whether a program's input holds all that it reads, on the native backend: no false alarm, and no
//! program missed.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod inputs;
mod program;

use profiler_core::report::{InputUse, WarningCode};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::{Backend, Ended};
use program::Program;

/// The one size that a program is profiled at.
const SIZE: u32 = 30;

async fn native() -> Option<Backend> {
    require::or_skip("native", Backend::select(Choice::Native).await)
}

async fn ran(backend: &Backend, program: &Program) -> Ended {
    let profiling = backend.profile_source(program.name, program.source.as_str()).sizes(&[SIZE]);
    match program.input {
        None => profiling.await,
        Some(input) => profiling.inputs(vec![(SIZE, input(SIZE).into_bytes())]).await,
    }
}

fn is_alarmed(ended: &Ended) -> bool {
    ended.report().warnings.iter().any(|warning| warning.code == WarningCode::InputExhausted)
}

fn input_use(ended: &Ended) -> Option<InputUse> {
    ended.report().input_check.as_ref().map(|check| check.input_use)
}

#[tokio::test]
async fn a_complete_input_raises_no_alarm() {
    let Some(backend) = native().await else { return };
    let (programs, mut wrong) =
        (program::of_list(include_str!("complete.cpp")), Vec::<String>::new());
    for program in &programs {
        let ended = ran(&backend, program).await;
        println!("{}: {:?}", program.name, input_use(&ended));
        if is_alarmed(&ended) || ended.error().is_some() {
            wrong.push(format!("{}: {:?}", program.name, ended.error_code()));
        }
    }
    assert!(programs.len() >= 15 && wrong.is_empty(), "of {}: {wrong:#?}", programs.len());
}

#[tokio::test]
async fn a_program_that_lacks_input_is_found() {
    let Some(backend) = native().await else { return };
    let (programs, mut missed) =
        (program::of_list(include_str!("starved.cpp")), Vec::<String>::new());
    for program in &programs {
        let ended = ran(&backend, program).await;
        println!("{}: {:?}", program.name, input_use(&ended));
        if !is_alarmed(&ended) {
            missed.push(format!("{}: {:?}", program.name, input_use(&ended)));
        }
    }
    assert!(programs.len() >= 15 && missed.is_empty(), "of {}: {missed:#?}", programs.len());
}
