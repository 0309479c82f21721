//! What was told of each program, a line each.

use super::Answer;
use super::class::{Classes, Verdict};
use super::program::Folder;
use profiler_proto::v1::GrowthClass;

/// Prints the programs of a folder.
pub(super) fn print(folder: Folder, answers: &[Answer<'_>]) {
    let heads = ["time", "memory"].map(|what| {
        format!("{what:<16} {:<9} {:>5}  {:<15} {:<11}", "told", "conf.", "runner-up", "")
    });
    println!("\n{:<18} {}", folder.name(), heads.join("  "));
    for answer in answers.iter().filter(|answer| answer.program.folder == folder) {
        let program = answer.program;
        match &answer.failure {
            Some(failure) => println!("{:<18} failed: {failure}", program.name),
            None => println!(
                "{:<18} {}  {}",
                program.name,
                cells(&program.time, answer.time()),
                cells(&program.memory, answer.memory())
            ),
        }
    }
}

fn cells(expected: &Classes, (verdict, told): (Verdict, Option<&GrowthClass>)) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    let (name, confidence) = told.map_or(("", None), |told| (told.name.as_str(), told.confidence));
    let second = told.filter(|told| !told.runner_up.is_empty()).map_or_else(String::new, |told| {
        format!("{} {}", told.runner_up, number(told.runner_up_confidence))
    });
    let confidence = number(confidence);
    format!("{expected:<16} {name:<9} {confidence:>5}  {second:<15} {:<11}", verdict.name())
}
