//! Commands that lead to a better result after a run.

use crate::args::JobArgs;
use crate::commands::check::quoted;
use profiler_export::{ended_the_run, failure_at_zero};
use profiler_proto::v1::ProfileReport;
use std::path::Path;

/// Returns the commands for a program that was not fed what it reads, or that fails at n = 0 alone;
/// `None` for other programs.
pub(super) fn of(report: &ProfileReport, file: &Path, args: &JobArgs) -> Option<String> {
    let file = quoted(&file.display().to_string());
    if ended_the_run(report) {
        return Some(format!(
            "With a sample of its input in sample.txt:\n  \
             swiftprof input --infer sample.txt --program {file} > spec.yaml\n  \
             swiftprof run {file} --input-spec spec.yaml"
        ));
    }
    failure_at_zero(report)?;
    let sizes = report.input_sizes.iter().filter(|&&size| size > 0).map(u64::to_string);
    let sizes = sizes.collect::<Vec<_>>().join(",");
    let options = [
        ("--task", args.task.as_slice()),
        ("--inputs", args.inputs.as_slice()),
        ("--input-spec", args.input_spec.as_slice()),
        ("--interactor", args.interactor.as_slice()),
    ];
    let options = options.into_iter().flat_map(|(flag, paths)| {
        paths.iter().map(move |path| format!(" {flag} {}", quoted(&path.display().to_string())))
    });
    let options: String = options.collect();
    Some(format!(
        "If it does not, leave n = 0 out:\n  swiftprof run {file}{options} --sizes {sizes}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use profiler_proto::v1::{Outcome, SizeResult};

    #[test]
    fn command_without_zero_keeps_what_the_program_reads() {
        let line = ["swiftprof", "run", "a b.cpp", "--input-spec", "s.yaml", "--n-max", "20"];
        let Command::Run(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let said = |outcomes: &[(u64, Outcome)]| {
            let size = |&(size, outcome): &(u64, Outcome)| SizeResult {
                size,
                outcome: outcome.into(),
                ..SizeResult::default()
            };
            let report = ProfileReport {
                input_sizes: outcomes.iter().map(|(size, _)| *size).collect(),
                sizes: outcomes.iter().map(size).collect(),
                ..ProfileReport::default()
            };
            of(&report, &args.files[0], &args.job)
        };
        assert_eq!(
            said(&[(0, Outcome::RuntimeError), (1, Outcome::Ok), (20, Outcome::Ok)]).unwrap(),
            "If it does not, leave n = 0 out:\n  \
             swiftprof run 'a b.cpp' --input-spec s.yaml --sizes 1,20"
        );
        assert_eq!(said(&[(0, Outcome::Ok), (1, Outcome::Ok)]), None);
    }
}
