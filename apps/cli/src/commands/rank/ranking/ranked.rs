//! A program of a ranking.

use profiler_compare::{Outputs, Program, Ratio, Verdict, compare_programs};
use profiler_export::{
    Ending, Rightness, figure, first_failure, flag, has_largest_process_only, lack_of_input,
    peak_figure, readable, readable_name,
};
use profiler_growth::Class;
use profiler_proto::v1::{Outcome, ProfileReport, SizeResult};
use profiler_proto::{Word, json};
use serde::Serialize;

/// Factor between the ends of a ratio's interval. Above it, the runs scatter too much.
pub(super) const WIDE: f64 = 1.2;

/// One program, with its figures at the largest size at which it ended OK, among those at which a
/// second program was measured.
#[derive(Debug, Serialize)]
pub(super) struct Ranked {
    pub(super) program: String,
    pub(super) size: Option<u64>,
    pub(super) runtime_ms: Option<f64>,
    /// The runtime over that of the first program, if both are of the same size.
    pub(super) times_the_first: Option<f64>,
    pub(super) peak_memory_mb: Option<f64>,
    /// The growth class of the time; absent if it is undecided.
    pub(super) growth: Option<String>,
    /// Verdict on the program, compared with the first one; absent for the first.
    pub(super) verdict: Option<Verdict>,
    /// The ratio that the verdict rests on, with its interval.
    #[serde(skip)]
    pub(super) ratio: Option<Ratio>,
    /// The program's most serious problem: it lacked input, ended early, was not right on all test
    /// cases, or failed at a size.
    pub(super) problem: Option<String>,
    /// Whether a run's peak is only that of its largest process.
    pub(super) peak_is_lower_bound: bool,
    /// Number of test cases on which the program is wrong.
    pub(super) wrong_test_cases: usize,
    /// A size at which the program writes different words from the first one; for the first one,
    /// from any other.
    pub(super) other_output_at: Option<u64>,
    /// Whether it is right on all test cases; absent without test cases. Also wrong if the checker
    /// rejects its output at a size.
    pub(super) tests: Option<Rightness>,
    /// The largest size at which it ended OK and a second program was measured; `size`, if present.
    #[serde(skip)]
    pub(super) shared_size: Option<u64>,
    /// Whether its output was not compared with the first program's at the deciding size.
    #[serde(skip)]
    pub(super) is_uncompared: bool,
    /// Whether it was not fed what it reads, so that no verdict is possible.
    #[serde(skip)]
    pub(super) lacks_input: bool,
    /// The reports of its runs.
    #[serde(skip)]
    pub(super) runs: Program,
}

impl Ranked {
    /// Takes each figure of a program from the better of its runs. A program that was not fed what
    /// it reads has no figures.
    pub(super) fn new(name: &str, endings: Vec<Ending>) -> Self {
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
    pub(super) fn largest_ok(&self, counts: impl Fn(u64) -> bool) -> Option<u64> {
        let report = self.runs.reports.first()?;
        let chunks = report.sizes.chunk_by(|a, b| a.size == b.size);
        let ok = chunks.filter(|chunk| chunk.iter().all(is_ok)).filter_map(|chunk| chunk.first());
        ok.map(|it| it.size).rfind(|&n| counts(n))
    }

    /// Takes each figure at this size from the better of the runs.
    pub(super) fn take_figures(&mut self, size: Option<u64>) {
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
    pub(super) fn was_measured_at(&self, n: u64) -> bool {
        let first = self.runs.reports.first();
        first.is_some_and(|report| results_at(Some(n), report).next().is_some())
    }

    /// Whether it is right on all test cases, if there are any, and at all sizes that were judged.
    pub(super) fn is_right(&self) -> bool {
        matches!(self.tests, None | Some(Rightness::Correct))
    }

    pub(super) fn has_failed(&self) -> bool {
        self.is_last() || self.other_output_at.is_some()
    }

    /// Whether it is wrong on a test case, or has no figures. A program without a verdict may have
    /// none.
    pub(super) fn is_last(&self) -> bool {
        match self.tests {
            Some(Rightness::Wrong) => true,
            Some(Rightness::NoVerdict) => false,
            Some(Rightness::Correct) | None => self.size.is_none(),
        }
    }

    pub(super) fn row(&self) -> [String; 6] {
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
    pub(super) fn compare_with(&mut self, first: &mut Self, outputs: Outputs) {
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
pub(super) fn results_at(
    size: Option<u64>,
    report: &ProfileReport,
) -> impl Iterator<Item = &SizeResult> {
    report.sizes.iter().filter(move |it| Some(it.size) == size)
}

pub(super) fn is_ok(size: &SizeResult) -> bool {
    size.outcome() == Outcome::Ok
}

/// Whether several programs have figures, but no two of them at one size.
pub(super) fn is_alone(programs: &[Ranked]) -> bool {
    let ranked = || programs.iter().filter(|it| !it.is_last() && it.is_right());
    ranked().count() > 1 && ranked().all(|it| it.shared_size.is_none())
}
