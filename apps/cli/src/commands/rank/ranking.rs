//! Programs in order: of those that are right on all test cases, the one that is fastest at the
//! largest size comes first. Programs without a verdict follow, and those that are wrong.

mod markdown;
mod verdict;

use crate::exit::{Exit, Failure};
use profiler_compare::{Outputs, Program, Ratio, Verdict, compare_programs};
use profiler_export::{
    AT_LEAST_NOTE, Check, Column, Ending, Frame, Palette, Rightness, Table, TextOptions, figure,
    first_failure, flag, has_largest_process_only, lack_of_input, peak_figure, readable,
    readable_name, remedy, wrapped,
};
use profiler_growth::Class;
use profiler_proto::v1::{Outcome, ProfileReport, SizeResult};
use profiler_proto::{Word, json};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Factor between the ends of a ratio's interval. Above it, the runs scatter too much.
const WIDE: f64 = 1.2;
/// Title of the column of peaks.
const PEAK: &str = "peak MiB";
/// Columns: the title, whether the cells are words, and the place in the order in which columns are
/// left out on a narrow terminal.
const COLUMNS: [(&str, bool, Option<u8>); 6] = [
    ("program", true, None),
    ("at n", false, None),
    ("runtime ms", false, None),
    ("times", false, Some(1)),
    (PEAK, false, Some(0)),
    ("time grows like", true, Some(2)),
];

/// Programs in order. The fields are the keys of the JSON form.
#[derive(Debug, Serialize)]
pub(super) struct Ranking {
    programs: Vec<Ranked>,
    verdict: String,
}

/// One program, with its figures at the largest size at which it ended OK, among those at which a
/// second program was measured.
#[derive(Debug, Serialize)]
struct Ranked {
    program: String,
    size: Option<u64>,
    runtime_ms: Option<f64>,
    /// The runtime over that of the first program, if both are of the same size.
    times_the_first: Option<f64>,
    peak_memory_mb: Option<f64>,
    /// The growth class of the time; absent if it is undecided.
    growth: Option<String>,
    /// Verdict on the program, compared with the first one; absent for the first.
    verdict: Option<Verdict>,
    /// The ratio that the verdict rests on, with its interval.
    #[serde(skip)]
    ratio: Option<Ratio>,
    /// The program's most serious problem: it lacked input, ended early, was not right on all test
    /// cases, or failed at a size.
    problem: Option<String>,
    /// Whether a run's peak is only that of its largest process.
    peak_is_lower_bound: bool,
    /// Number of test cases on which the program is wrong.
    wrong_test_cases: usize,
    /// A size at which the program writes different words from the first one; for the first one,
    /// from any other.
    other_output_at: Option<u64>,
    /// Whether it is right on all test cases; absent without test cases. Also wrong if the checker
    /// rejects its output at a size.
    tests: Option<Rightness>,
    /// The largest size at which it ended OK and a second program was measured; `size`, if present.
    #[serde(skip)]
    shared_size: Option<u64>,
    /// Whether its output was not compared with the first program's at the deciding size.
    #[serde(skip)]
    is_uncompared: bool,
    /// Whether it was not fed what it reads, so that no verdict is possible.
    #[serde(skip)]
    lacks_input: bool,
    /// The reports of its runs.
    #[serde(skip)]
    runs: Program,
}

impl Ranking {
    /// Ranks programs by the endings of their runs.
    pub(super) fn of(
        programs: impl IntoIterator<Item = (String, Vec<Ending>)>,
        outputs: Outputs,
    ) -> Self {
        let mut programs: Vec<_> =
            programs.into_iter().map(|(name, endings)| Ranked::new(&name, endings)).collect();
        rank_at_shared_sizes(&mut programs);
        programs.sort_by(order);
        if let Some((first, others)) = programs.split_first_mut() {
            for other in others {
                other.compare_with(first, outputs);
            }
        }
        let verdict = if programs.iter().any(|it| it.lacks_input) {
            let remedy = remedy(flag);
            format!("no verdict: not every program got its input. {remedy}")
        } else {
            verdict::sentence(&programs)
        };
        Self { programs, verdict }
    }

    /// Returns the sentence about the first program.
    pub(super) fn verdict(&self) -> &str {
        &self.verdict
    }

    /// Returns the findings about a program, for continuous integration.
    pub(super) fn checks(&self, name: &str) -> Vec<Check> {
        let name = readable_name(name);
        let ranked = self.programs.iter().find(|it| it.program == name);
        let check = ranked.and_then(|it| it.other_output_at).map(|n| Check {
            name: "output".into(),
            sentence: format!("writes a different output than the other programs at n = {n}"),
            is_failure: true,
        });
        check.into_iter().collect()
    }

    /// Returns the exit code. Every program must have figures, be right on all test cases, and
    /// write the same output. A program without a verdict leaves the result open.
    pub(super) fn exit(&self) -> Exit {
        if self.programs.iter().any(|it| it.lacks_input) {
            Exit::CannotTell
        } else if self.programs.iter().any(Ranked::has_failed) {
            Exit::Unsuccessful
        } else if self.programs.iter().any(|it| !it.is_right()) || is_alone(&self.programs) {
            Exit::CannotTell
        } else {
            Exit::Done
        }
    }

    pub(super) fn json(&self) -> Result<String, Failure> {
        json::pretty(self).map_err(Failure::broken("write the ranking"))
    }

    pub(super) fn csv(&self) -> Result<Vec<u8>, Failure> {
        let mut rows = csv::Writer::from_writer(Vec::new());
        for program in &self.programs {
            rows.serialize(program).map_err(Failure::broken("write the ranking"))?;
        }
        rows.into_inner().map_err(Failure::broken("write the ranking"))
    }

    /// Returns the explanation of the mark at peaks, if any peak has it.
    fn note(&self) -> Option<&'static str> {
        self.programs.iter().any(|it| it.peak_is_lower_bound).then_some(AT_LEAST_NOTE)
    }

    /// Returns the names and problems of the programs that are right on all test cases, or of the
    /// others.
    fn problems(&self, are_right: bool) -> impl Iterator<Item = (&str, &str)> {
        let chosen = self.programs.iter().filter(move |it| it.is_right() == are_right);
        chosen.filter_map(|it| Some((it.program.as_str(), it.problem.as_deref()?)))
    }

    /// Renders the ranking as a table. The verdicts on programs that are not right come before it,
    /// and other problems and the verdict on the first program below it.
    pub(super) fn text(&self, options: &TextOptions) -> String {
        let Palette { heading, bad, .. } = options.palette;
        let table = self.table(options);
        let problems = |are_right| {
            let problems = self.problems(are_right);
            problems.map(move |(program, problem)| format!("{bad}{program}{bad:#}: {problem}"))
        };
        let mut lines: Vec<_> =
            problems(false).map(|problem| wrapped(&problem, 0, options.width)).collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let title = lines.len();
        lines.extend(table.lines());
        lines[title] = format!("{heading}{}{heading:#}", lines[title]);
        let note = self.note().filter(|_| !table.left_out().contains(&PEAK));
        let notes = table.note("--wide").into_iter().chain(note.map(String::from));
        let notes = [String::new()].into_iter().chain(notes).chain(problems(true));
        let notes = notes.chain([self.verdict.clone()]);
        lines.extend(notes.map(|note| wrapped(&note, 0, options.width)));
        lines.join("\n")
    }

    fn table(&self, options: &TextOptions) -> Table {
        let rows: Vec<_> = self.programs.iter().map(Ranked::row).collect();
        let columns = COLUMNS.iter().enumerate().map(|(at, &(title, words, gives_way))| Column {
            words,
            gives_way,
            ..Column::numbers(title, rows.iter().map(|row| row[at].clone()))
        });
        Table::fitted(Frame::Blanks, columns.collect(), options.width)
    }
}

impl Ranked {
    /// Takes each figure of a program from the better of its runs. A program that was not fed what
    /// it reads has no figures.
    fn new(name: &str, endings: Vec<Ending>) -> Self {
        let name = readable_name(name);
        let (mut reports, mut problem) = (Vec::new(), None);
        for ending in endings {
            match ending {
                Ending::Report(report) => reports.push(*report),
                Ending::Error(error) => {
                    let why = format!("{}: {}", error.code().word(), readable(&error.message));
                    problem.get_or_insert(why);
                }
            }
        }
        let starved = reports.iter().find_map(lack_of_input);
        if starved.is_some() {
            reports.clear();
        }
        let runs = Program { name: name.clone(), reports };
        let reports = &runs.reports;
        let judged = runs.tests();
        let tests = judged.as_ref().map(|it| it.rightness);
        let not_right = judged.filter(|it| it.rightness != Rightness::Correct);
        let first = reports.first();
        let failed = first.and_then(first_failure);
        let failed = failed.map(|it| format!("{} at n = {}", it.outcome().name(), it.size));
        let growth = first.and_then(|report| report.growth.as_ref()?.time.as_ref()?.class());
        let mut ranked = Self {
            program: name,
            size: None,
            runtime_ms: None,
            times_the_first: None,
            peak_memory_mb: None,
            growth: growth.map(Class::name),
            verdict: None,
            ratio: None,
            lacks_input: starved.is_some(),
            problem: starved.or(problem).or(not_right.map(|it| it.sentence)).or(failed),
            peak_is_lower_bound: false,
            wrong_test_cases: runs.wrong_test_cases(),
            other_output_at: None,
            tests,
            shared_size: None,
            is_uncompared: false,
            runs,
        };
        ranked.take_figures(ranked.largest_ok(|_| true));
        ranked
    }

    /// The largest size that `counts` at which every candidate input ended OK.
    fn largest_ok(&self, counts: impl Fn(u64) -> bool) -> Option<u64> {
        let report = self.runs.reports.first()?;
        let chunks = report.sizes.chunk_by(|a, b| a.size == b.size);
        let ok = chunks.filter(|chunk| chunk.iter().all(is_ok)).filter_map(|chunk| chunk.first());
        ok.map(|it| it.size).rfind(|&n| counts(n))
    }

    /// Takes each figure at this size from the better of the runs.
    fn take_figures(&mut self, size: Option<u64>) {
        let reports = &self.runs.reports;
        let of_better = |get: fn(&SizeResult) -> Option<f64>| {
            let worst = |report| results_at(size, report).filter_map(get).reduce(f64::max);
            reports.iter().filter_map(worst).reduce(f64::min)
        };
        self.size = size;
        self.runtime_ms = of_better(|it| it.runtime_ms);
        self.peak_memory_mb = of_better(|it| it.peak_memory_mb);
        let mut results = reports.iter().flat_map(|report| results_at(size, report));
        self.peak_is_lower_bound = results.any(has_largest_process_only);
    }

    /// Whether a run was made at this size.
    fn was_measured_at(&self, n: u64) -> bool {
        let first = self.runs.reports.first();
        first.is_some_and(|report| results_at(Some(n), report).next().is_some())
    }

    /// Whether it is right on all test cases, if there are any, and at all sizes that were judged.
    fn is_right(&self) -> bool {
        matches!(self.tests, None | Some(Rightness::Correct))
    }

    fn has_failed(&self) -> bool {
        self.is_last() || self.other_output_at.is_some()
    }

    /// Whether it is wrong on a test case, or has no figures. A program without a verdict may have
    /// none.
    fn is_last(&self) -> bool {
        match self.tests {
            Some(Rightness::Wrong) => true,
            Some(Rightness::NoVerdict) => false,
            Some(Rightness::Correct) | None => self.size.is_none(),
        }
    }

    fn row(&self) -> [String; 6] {
        [
            self.program.clone(),
            self.size.map_or_else(|| figure(None, 0), |size| size.to_string()),
            figure(self.runtime_ms, 3),
            figure(self.times_the_first, 2),
            peak_figure(self.peak_memory_mb, self.peak_is_lower_bound),
            self.growth.clone().unwrap_or_else(|| figure(None, 0)),
        ]
    }

    /// Compares the program with the first one. Records different outputs for both programs,
    /// because it is unknown which of them is wrong.
    fn compare_with(&mut self, first: &mut Self, outputs: Outputs) {
        let comparison = compare_programs(&first.runs, &self.runs, outputs, flag);
        let largest = comparison.sizes.iter().filter(|it| it.verdict != Verdict::Unknown);
        self.ratio = largest.max_by_key(|it| it.size).and_then(|it| it.time);
        self.verdict = Some(comparison.verdict);
        self.is_uncompared = comparison.uncompared_at.is_some();
        self.other_output_at = comparison.other_output_at;
        first.other_output_at = first.other_output_at.or(comparison.other_output_at);
        let times = self.runtime_ms.zip(first.runtime_ms);
        let is_like = self.size == first.size && self.other_output_at.is_none();
        let times = times.filter(|_| is_like);
        self.times_the_first = times.map(|(own, first)| json::rounded(own / first));
    }
}

/// The results of a report at the size, one for each candidate.
fn results_at(size: Option<u64>, report: &ProfileReport) -> impl Iterator<Item = &SizeResult> {
    report.sizes.iter().filter(move |it| Some(it.size) == size)
}

fn is_ok(size: &SizeResult) -> bool {
    size.outcome() == Outcome::Ok
}

/// Takes the figures of each program from the largest size at which a second program was measured.
/// A schedule can give each program sizes of its own, at which nothing compares its output.
fn rank_at_shared_sizes(programs: &mut [Ranked]) {
    let mut counts = BTreeMap::<u64, usize>::new();
    for report in
        programs.iter().filter(|it| !it.is_last()).filter_map(|it| it.runs.reports.first())
    {
        for n in report.sizes.iter().map(|it| it.size).collect::<BTreeSet<_>>() {
            *counts.entry(n).or_default() += 1;
        }
    }
    for program in programs.iter_mut().filter(|it| !it.is_last()) {
        let is_shared = |n: u64| counts.get(&n).is_some_and(|&count| count > 1);
        program.shared_size = program.largest_ok(is_shared);
        program.take_figures(program.shared_size.or(program.size));
    }
}

/// Whether several programs have figures, but no two of them at one size.
fn is_alone(programs: &[Ranked]) -> bool {
    let ranked = || programs.iter().filter(|it| !it.is_last() && it.is_right());
    ranked().count() > 1 && ranked().all(|it| it.shared_size.is_none())
}

/// Orders programs: first those that are right on all test cases, then those without a verdict,
/// then those that are wrong or have no figures. Among them, those at a shared size come first, then
/// a larger size, then a shorter time.
fn order(a: &Ranked, b: &Ranked) -> Ordering {
    let place = |it: &Ranked| (it.is_last(), !it.is_right(), it.shared_size.is_none());
    let time = |it: &Ranked| it.runtime_ms.unwrap_or(f64::INFINITY);
    place(a).cmp(&place(b)).then(b.size.cmp(&a.size)).then(time(a).total_cmp(&time(b)))
}

#[cfg(test)]
mod tests;
