//! The reported classes of each program, one line each.

use super::answer::Answer;
use super::class::{Classes, Verdict};
use super::program::Folder;
use profiler_growth::Class;
use profiler_proto::v1::GrowthClassification;

/// Prints the programs of a folder.
pub(super) fn print(folder: Folder, answers: &[Answer<'_>]) {
    let heads = ["time", "memory"].map(|what| {
        format!("{what:<16} {:<9} {:>5}  {:<15} {:<11}", "reported", "conf.", "runner-up", "")
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

fn cells(
    expected: &Classes,
    (verdict, reported): (Verdict, Option<&GrowthClassification>),
) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    let class = reported.and_then(GrowthClassification::class);
    let name = class.map(Class::name).unwrap_or_default();
    let runner_up = reported.and_then(|it| it.runner_up_class().zip(it.runner_up_confidence));
    let second =
        runner_up.map_or_else(String::new, |(class, p)| format!("{} {p:.2}", class.name()));
    let confidence = number(reported.and_then(|reported| reported.confidence));
    format!("{expected:<16} {name:<9} {confidence:>5}  {second:<15} {:<11}", verdict.name())
}
