//! Commands that lead to a better result after a run.

mod command_line;

use crate::commands::check::quoted;
use command_line::CommandLine;
use profiler_core::limits::MAX_MEMORY_MB;
use profiler_core::{opened_file, updates_file, written_file};
use profiler_export::{TRIVIAL_SIZE, ended_the_run, failure_at_zero, lack_of_input};
use profiler_proto::v1::{Outcome, ProfileReport, RemedyKind, SizeResult};
use std::path::Path;

/// Remedies that this command line can be repeated with, the cheapest first.
const REMEDIES: [RemedyKind; 6] = [
    RemedyKind::CountedGrowth,
    RemedyKind::FullGrowth,
    RemedyKind::AutoSchedule,
    RemedyKind::SmallerSizes,
    RemedyKind::MoreSizes,
    RemedyKind::LargerSizes,
];
/// Factor of a memory limit that is too small.
const MORE_MEMORY: f64 = 2.0;

/// Returns the command to run next; `None` if the run has its result, or if no command is known to
/// lead to one.
pub(super) fn of(report: &ProfileReport, file: &Path) -> Option<String> {
    // A program from stdin is not there a second time.
    let line = CommandLine::of_this_process().filter(|_| file != Path::new("-"))?;
    let opens = report.input_check.as_ref().is_some_and(|check| check.opened_file.is_some());
    let is_to_declare = ended_the_run(report) && !opens;
    if is_to_declare { Some(with_spec(file, &line)) } else { after(report, &line) }
}

/// Returns the commands that infer a spec, and repeat the command line with it.
fn with_spec(file: &Path, line: &CommandLine) -> String {
    format!(
        "With a sample of its input in sample.txt:\n  \
         swiftprof input --infer sample.txt --program {} > spec.yaml\n  {}",
        quoted(&file.display().to_string()),
        line.with(&["--input-spec", "spec.yaml"])
    )
}

/// Returns the command to run after the run that `line` made.
fn after(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    let zero = || {
        let next = without_zero(report, line)?;
        Some(format!("If it does not, leave n = 0 out:\n  {next}"))
    };
    let crash =
        || Some(format!("To write the input of the crash, run:\n  {}", input(report, line)?));
    let memory = || Some(format!("To allow more memory, run:\n  {}", more_memory(report, line)?));
    let decide = || Some(format!("To decide, run:\n  {}", decisive(report, line)?));
    let file = || {
        let (name, next) = with_file(report, line)?;
        let is_said = lack_of_input(report).is_some();
        let opens = format!("The program reads nothing of its input; it opens {name}. ");
        let opens = if is_said { String::new() } else { opens };
        Some(format!("{opens}To give it the input there, run:\n  {next}"))
    };
    let rewrite = || write_only(report, line);
    file().or_else(rewrite).or_else(zero).or_else(crash).or_else(memory).or_else(decide)
}

/// Returns the file that the program opens in place of stdin, and the command line with this file
/// and the one that the program writes. `None` unless the program reads nothing of its stdin.
fn with_file(report: &ProfileReport, line: &CommandLine) -> Option<(String, String)> {
    let is_found = report.input_check.as_ref().is_some_and(|check| check.opened_file.is_some());
    let mut measured = report.sizes.iter().filter(|size| size.outcome() != Outcome::NotRun);
    let reads = |size: &SizeResult| size.input_read_bytes != Some(0);
    // Without the file, such a program usually crashes on the tests.
    let crashes = || crashes_on_tests(report);
    let reads_nothing = is_found || measured.next().map_or_else(crashes, |first| !reads(first));
    if line.value("--input-file").is_some() || !reads_nothing || measured.any(reads) {
        return None;
    }
    let name = sources(report).find_map(opened_file)?;
    let written = sources(report).find_map(written_file);
    let mut more = vec!["--input-file", &name];
    if let Some(written) = written.as_deref().filter(|_| line.value("--output-file").is_none()) {
        more.extend(["--output-file", written]);
    }
    let next = line.with(&more);
    Some((name, next))
}

/// Tells that the output file cannot be read, if the program crashes and opens it to read it too.
fn write_only(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    let name = line.value("--output-file")?;
    let mut sizes = report.sizes.iter();
    let crashes = sizes.any(|size| size.outcome() == Outcome::RuntimeError);
    let updates = sources(report).any(|source| updates_file(source, name));
    let is_cause = updates && (crashes || crashes_on_tests(report));
    is_cause.then(|| {
        format!(
            "The program opens {name} to read and write it, but can only write its output file. \
             Open the file with \"w\"."
        )
    })
}

fn crashes_on_tests(report: &ProfileReport) -> bool {
    report.test_cases.iter().any(|test| test.outcome() == Outcome::RuntimeError)
}

/// The texts of the program.
fn sources(report: &ProfileReport) -> impl Iterator<Item = &[u8]> {
    let files = report.files.iter().map(|file| file.text.as_str());
    [report.code_cpp.as_str()].into_iter().chain(files).map(str::as_bytes)
}

/// Returns the command line without n = 0, if the program fails there alone.
fn without_zero(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    failure_at_zero(report)?;
    let sizes = report.input_sizes.iter().filter(|&&size| size > 0).map(u64::to_string);
    let sizes = sizes.collect::<Vec<_>>().join(",");
    let others = ["--sizes", "--schedule"];
    let line = others.iter().fold(line.clone(), |line, option| line.without(option));
    Some(line.with(&["--sizes", &sizes]))
}

/// Returns the command that decides the class of time, or else that of memory.
fn decisive(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    let growth = report.growth.as_ref()?;
    let mut classes = [&growth.time, &growth.memory].into_iter().flatten();
    classes.find_map(|class| {
        let helps = |kind: &&RemedyKind| class.remedies.iter().any(|it| it.kind() == **kind);
        REMEDIES.iter().filter(helps).find_map(|kind| remedied(line, *kind))
    })
}

/// Returns the command line with a remedy; `None` if the run had it already.
fn remedied(line: &CommandLine, kind: RemedyKind) -> Option<String> {
    let with_growth = |word| {
        let line = line.without_switch("--quick").without("--growth");
        Some(line.with(&["--growth", word]))
    };
    match kind {
        RemedyKind::CountedGrowth => with_growth("counted"),
        RemedyKind::FullGrowth => with_growth("full"),
        _ if line.value("--schedule").is_some() || line.value("--inputs").is_some() => None,
        // The schedule begins with small sizes, and ends where a run takes too long.
        _ => Some(line.without("--sizes").with(&["--schedule", "auto"])),
    }
}

/// Returns the command line with a larger memory limit, if n = 0 or 1 needs more than the limit.
fn more_memory(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    let smallest = report.sizes.first()?;
    let is_trivial = smallest.size <= TRIVIAL_SIZE;
    if !is_trivial || smallest.outcome() != Outcome::MemoryLimit {
        return None;
    }
    let limit = smallest.evidence.as_ref()?.limit_value?;
    let more = (limit * MORE_MEMORY).ceil();
    let line = line.without("--memory-mb").without("--memory");
    (more <= MAX_MEMORY_MB.into()).then(|| line.with(&["--memory-mb", &more.to_string()]))
}

/// Returns the command that writes the input of the first crash, if a spec describes it.
fn input(report: &ProfileReport, line: &CommandLine) -> Option<String> {
    let has_crashed = |size: &&SizeResult| size.outcome() == Outcome::RuntimeError;
    let crashed = report.sizes.iter().find(has_crashed)?;
    let spec = line.value("--input-spec")?;
    // A task has bounds, and a seed changes the seeds of the specs.
    if line.count("--input-spec") > 1 || line.value("--task").is_some() || report.input_seed != 0 {
        return None;
    }
    let n = crashed.size.to_string();
    let mut words = vec!["swiftprof", "input", spec, "--n", &n];
    if let Some(bound) = line.value("--n-max") {
        words.extend(["--n-max", bound]);
    }
    if crashed.candidate > 0 {
        let name = report.candidates.get(crashed.candidate as usize)?;
        let is_known = report.candidates.iter().filter(|it| *it == name).count() == 1;
        let name = Some(name.as_str()).filter(|it| is_known && !it.is_empty())?;
        words.extend(["--name", name]);
    }
    let command: Vec<_> = words.into_iter().map(quoted).collect();
    Some(format!("{} > {n}.in", command.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{
        Evidence, GrowthClassification, GrowthReport, InputCheck, InputUse, SourceFile,
    };

    fn line(options: &str) -> CommandLine {
        let words = format!("swiftprof run a.cpp {options}");
        CommandLine::new(words.split_whitespace().map(str::to_owned).collect())
    }

    fn undecided(kinds: &[RemedyKind]) -> ProfileReport {
        let remedies = kinds.iter().map(|kind| (*kind).into()).collect();
        let time = GrowthClassification { remedies, ..GrowthClassification::default() };
        let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
        ProfileReport { growth: Some(growth), ..ProfileReport::default() }
    }

    #[test]
    fn undecided_class_is_decided_by_this_command_line() {
        use RemedyKind::{CountedGrowth, FullGrowth, LargerSizes};
        let next = |kinds: &[RemedyKind], options| after(&undecided(kinds), &line(options));
        assert_eq!(
            next(&[LargerSizes, CountedGrowth], "--quick --sizes=1,2").unwrap(),
            "To decide, run:\n  swiftprof run a.cpp --sizes=1,2 --growth counted"
        );
        assert_eq!(
            next(&[LargerSizes, FullGrowth], "--growth counted --n-max 20").unwrap(),
            "To decide, run:\n  swiftprof run a.cpp --n-max 20 --growth full"
        );
        assert_eq!(
            next(&[LargerSizes], "--sizes 1,2 --backend native").unwrap(),
            "To decide, run:\n  swiftprof run a.cpp --backend native --schedule auto"
        );
        assert_eq!(next(&[LargerSizes], "--schedule auto"), None);
        assert_eq!(next(&[], ""), None);
    }

    #[test]
    fn command_without_zero_keeps_the_other_options() {
        let next = |outcomes: &[(u64, Outcome)]| {
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
            after(&report, &line("--input-spec s.yaml --n-max 20"))
        };
        assert_eq!(
            next(&[(0, Outcome::RuntimeError), (1, Outcome::Ok), (20, Outcome::Ok)]).unwrap(),
            "If it does not, leave n = 0 out:\n  \
             swiftprof run a.cpp --input-spec s.yaml --n-max 20 --sizes 1,20"
        );
        assert_eq!(next(&[(0, Outcome::Ok), (1, Outcome::Ok)]), None);
    }

    #[test]
    fn command_with_a_spec_keeps_the_other_options() {
        let line = line("--backend native --std c++20");
        assert_eq!(
            with_spec(Path::new("a.cpp"), &line),
            "With a sample of its input in sample.txt:\n  \
             swiftprof input --infer sample.txt --program a.cpp > spec.yaml\n  \
             swiftprof run a.cpp --backend native --std c++20 --input-spec spec.yaml"
        );
    }

    #[test]
    fn options_are_added_before_the_end_of_options() {
        let words = ["swiftprof", "run", "--quick", "--", "-a.cpp"];
        let line = CommandLine::new(words.map(str::to_owned).into());
        let next = after(&undecided(&[RemedyKind::CountedGrowth]), &line);
        assert!(next.unwrap().ends_with("swiftprof run --growth counted -- -a.cpp"));
    }

    #[test]
    fn opened_file_becomes_the_input() {
        let size = |read| SizeResult {
            size: 9,
            outcome: Outcome::Ok.into(),
            input_read_bytes: Some(read),
            ..SizeResult::default()
        };
        let code_cpp = "int main() { freopen(\"input.txt\", \"r\", stdin); }".to_owned();
        let report = ProfileReport { sizes: vec![size(0)], code_cpp, ..ProfileReport::default() };
        let next = after(&report, &line("--n-max 9")).unwrap();
        assert!(next.ends_with("\n  swiftprof run a.cpp --n-max 9 --input-file input.txt"));
        assert_eq!(after(&report, &line("--input-file in.txt")), None);
        let writes = SourceFile {
            path: "a.h".into(),
            text: "freopen(\"output.txt\", \"w\", stdout);".into(),
        };
        let check = InputCheck {
            input_use: InputUse::Starved.into(),
            opened_file: Some("input.txt".into()),
            ..InputCheck::default()
        };
        let ended =
            ProfileReport { files: vec![writes], input_check: Some(check), ..report.clone() };
        assert_eq!(
            after(&ended, &line("")).unwrap(),
            "To give it the input there, run:\n  \
             swiftprof run a.cpp --input-file input.txt --output-file output.txt"
        );
        let reads = ProfileReport { sizes: vec![size(2)], ..report };
        assert_eq!(after(&reads, &line("")), None);
    }

    #[test]
    fn output_file_that_is_read_too_is_told() {
        let after = |code: &str, outcome: Outcome| {
            let size = SizeResult { size: 9, outcome: outcome.into(), ..SizeResult::default() };
            let report = ProfileReport {
                sizes: vec![size],
                code_cpp: code.into(),
                ..ProfileReport::default()
            };
            after(&report, &line("--input-file in.txt --output-file out.txt"))
        };
        let update = "FILE* f = fopen(\"out.txt\", \"w+\");";
        let told = "The program opens out.txt to read and write it, but can only write its output \
                    file. Open the file with \"w\".";
        assert_eq!(after(update, Outcome::RuntimeError).as_deref(), Some(told));
        assert_eq!(after(update, Outcome::Ok), None);
        assert_eq!(after(&update.replace('+', ""), Outcome::RuntimeError), None);
    }

    #[test]
    fn memory_limit_is_doubled() {
        let evidence = Evidence { limit_value: Some(512.0), ..Evidence::default() };
        let size = SizeResult {
            outcome: Outcome::MemoryLimit.into(),
            evidence: Some(evidence),
            ..SizeResult::default()
        };
        let report = ProfileReport { sizes: vec![size], ..ProfileReport::default() };
        assert_eq!(
            after(&report, &line("--memory 512m")).unwrap(),
            "To allow more memory, run:\n  swiftprof run a.cpp --memory-mb 1024"
        );
    }

    #[test]
    fn input_of_a_crash_is_written_by_its_spec() {
        let crash = SizeResult {
            size: 1000,
            candidate: 1,
            outcome: Outcome::RuntimeError.into(),
            ..SizeResult::default()
        };
        let candidates = vec!["random".to_owned(), "one letter".to_owned()];
        let report = ProfileReport { sizes: vec![crash], candidates, ..ProfileReport::default() };
        assert_eq!(
            after(&report, &line("--input-spec s.yaml")).unwrap(),
            "To write the input of the crash, run:\n  \
             swiftprof input s.yaml --n 1000 --name 'one letter' > 1000.in"
        );
        assert_eq!(after(&report, &line("")), None);
    }
}
