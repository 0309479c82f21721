//! Whether a program's input holds all that it reads, on the native backend: no false alarm, and no
//! program missed.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod confirmation;
mod inputs;
mod program;

use profiler_core::sandbox::Choice;
use profiler_proto::v1::{GrowthClassification, InputCheck, InputUse, WarningCode};
use profiler_test_support::require;
use profiler_tests::harness::{Backend, Ended, Profiling};
use profiler_tests::specs;
use program::Program;

/// The one size that a program is profiled at.
const SIZE: u32 = 30;

async fn native() -> Option<Backend> {
    require::or_skip("native", Backend::select(Choice::Native).await)
}

async fn ran(backend: &Backend, program: &Program) -> Ended {
    match program.input {
        None => at_one_size(backend, program).await,
        Some(input) => ran_on(backend, program, input(SIZE)).await,
    }
}

async fn ran_on(backend: &Backend, program: &Program, input: String) -> Ended {
    at_one_size(backend, program).inputs(vec![(SIZE.into(), input.into_bytes())]).await
}

/// No class is judged at one size, so nothing is counted or repeated.
fn at_one_size<'a>(backend: &'a Backend, program: &Program) -> Profiling<'a> {
    let profiling = backend.profile_source(program.name, program.source.as_str());
    profiling.sizes(&[SIZE.into()]).timed().repetitions(1)
}

fn unread_bytes(ended: &Ended) -> Option<u64> {
    ended.report().input_check.as_ref().and_then(|check| check.unread_bytes)
}

fn is_alarmed(ended: &Ended) -> bool {
    ended.report().warnings.iter().any(|warning| warning.code() == WarningCode::InputExhausted)
}

fn input_use(ended: &Ended) -> Option<InputUse> {
    ended.report().input_check.as_ref().map(InputCheck::input_use)
}

#[tokio::test]
async fn complete_input_raises_no_alarm() {
    let Some(backend) = native().await else { return };
    let (programs, mut wrong) =
        (program::of_list(include_str!("complete.cpp")), Vec::<String>::new());
    for program in &programs {
        let ended = ran(&backend, program).await;
        if is_alarmed(&ended) || ended.error().is_some() {
            wrong.push(format!("{}: {:?}", program.name, ended.error_code()));
        }
    }
    assert!(programs.len() >= 15 && wrong.is_empty(), "of {}: {wrong:#?}", programs.len());
}

#[tokio::test]
async fn program_that_lacks_input_is_found() {
    let Some(backend) = native().await else { return };
    let (programs, mut missed) =
        (program::of_list(include_str!("starved.cpp")), Vec::<String>::new());
    for program in &programs {
        let ended = ran(&backend, program).await;
        if !is_alarmed(&ended) {
            missed.push(format!("{}: {:?}", program.name, input_use(&ended)));
        }
    }
    assert!(programs.len() >= 15 && missed.is_empty(), "of {}: {missed:#?}", programs.len());
}

/// Sizes at which the class of a program that reads n numbers is known.
const SIZES: [u64; 5] = [20_000, 50_000, 100_000, 200_000, 400_000];

/// The source of one of the programs.
fn source(name: &str) -> String {
    let programs = program::of_list(include_str!("starved.cpp"));
    let found = programs.into_iter().find(|program| program.name == name);
    found.expect("it is in the list").source
}

/// The growth of time and of memory.
fn classified(ended: &Ended) -> [&GrowthClassification; 2] {
    let growth = ended.report().growth.as_ref().expect("there are figures");
    [&growth.time, &growth.memory].map(|found| found.as_ref().expect("a classification"))
}

#[tokio::test]
async fn default_input_gives_no_class() {
    let Some(backend) = native().await else { return };
    let ended = backend.profile_source("default", source("array_by_scanf")).sizes(&SIZES).await;
    let classified = classified(&ended);
    assert!(classified.iter().all(|found| found.function.is_none()), "{classified:#?}");
    let check = ended.report().input_check.as_ref();
    assert_eq!(check.and_then(|check| check.default_input.as_deref()), Some("400000\n"));
    let warnings = &ended.report().warnings;
    let warning = warnings.iter().find(|warning| warning.code() == WarningCode::InputExhausted);
    let message = &warning.expect("it is warned of").message;
    assert!(message.contains(r#"only "400000\n" (7 bytes)"#), "{message}");
}

#[tokio::test]
async fn declared_input_that_lacks_something_keeps_its_class() {
    let Some(backend) = native().await else { return };
    let spec = "{vars: [{name: a, array: {len: n, min: 1, max: 1000}}], \
                layout: [{line: {items: [n]}}, {line: {items: [a]}}]}";
    let profiling = backend.profile_source("declared", source("lacks_a_number")).sizes(&SIZES);
    let ended = profiling.described(specs::parsed(spec)).await;
    assert!(is_alarmed(&ended), "{:#?}", ended.report().input_check);
    let [_, memory] = classified(&ended);
    assert!(memory.function.is_some(), "{memory:#?}");
}

/// Text after the input that a program reads.
const MORE: &str = "7 8\n";
/// Inputs whose numbers or lines are counted, so that no program reads what follows them.
const COUNTED: [&str; 7] =
    ["counted_numbers", "bare_numbers", "counted_words", "grid", "square", "tests", "one_row"];

#[tokio::test]
async fn unread_input_of_a_program_is_counted() {
    let Some(backend) = native().await else { return };
    let (mut wrong, mut known, mut all) = (Vec::<String>::new(), 0, 0);
    for program in program::of_list(include_str!("complete.cpp")) {
        let Some(input) = program.input.filter(|_| COUNTED.contains(&program.feed)) else {
            continue;
        };
        let input = format!("{}\n", input(SIZE).trim_end());
        for (more, expected) in [("", 0..=0), (MORE, 1..=MORE.len() as u64)] {
            let ended = ran_on(&backend, &program, input.clone() + more).await;
            let unread = unread_bytes(&ended);
            all += 1;
            known += u32::from(unread.is_some());
            if unread.is_some_and(|bytes| !expected.contains(&bytes)) || is_alarmed(&ended) {
                wrong.push(format!("{}: {unread:?}, not {expected:?}", program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{known} of {all} known: {wrong:#?}");
    assert!(all >= 24 && known * 4 >= all * 3, "{known} of {all} are known");
}

/// The length of the inputs of `positions.cpp`, and the ways in which it reads them, in order.
const POSITIONS_BYTES: usize = 100_000;
const WAYS: &str = "cfsgrmob";

#[tokio::test]
async fn program_that_reads_less_of_a_larger_input_is_told() {
    let Some(backend) = native().await else { return };
    let all = Some(POSITIONS_BYTES as u64);
    let inputs = (1..).zip(WAYS.chars()).map(|(size, way)| {
        let words = " 1".repeat(POSITIONS_BYTES / 2 - 1);
        (size, format!("{way}{words}\n").into_bytes())
    });
    let inputs: Vec<(u64, _)> = inputs.collect();
    let sizes: Vec<_> = inputs.iter().map(|(size, _)| *size).collect();
    let profiling = backend.profile_source("positions", include_str!("positions.cpp"));
    let ended = profiling.sizes(&sizes).inputs(inputs).timed().untried().repetitions(1).await;
    assert_eq!(ended.error(), None);
    let read: Vec<_> = ended.report().sizes.iter().map(|size| size.input_read_bytes).collect();
    let [whole @ .., mapped, opened, block] = &read[..] else { panic!("{read:?}") };
    assert_eq!(whole, [all; 5]);
    assert_eq!([mapped, opened], [&None; 2]);
    assert!(block.is_some_and(|block| (1..10_000).contains(&block)), "{block:?}");
    let doubts = ended.report().warnings.iter();
    let doubts = doubts.filter(|warning| warning.code() == WarningCode::ReadsLessInput);
    let doubted: Vec<_> = doubts.map(|warning| warning.size).collect();
    assert_eq!(doubted, [Some(WAYS.len() as u64)], "{:#?}", ended.report().warnings);
}
