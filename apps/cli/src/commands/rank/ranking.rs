//! Programs in order: of those that are right on all test cases, the one that is fastest at the
//! largest size comes first. Programs without a verdict follow, and those that are wrong.

mod markdown;
mod ranked;
mod verdict;

use crate::exit::{Exit, Failure};
use profiler_compare::Outputs;
use profiler_export::{
    AT_LEAST_NOTE, Check, Column, Ending, Frame, Palette, Table, TextOptions, flag, readable_name,
    remedy, wrapped,
};
use profiler_proto::json;
use ranked::{Ranked, is_alone};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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

/// Orders programs: first those that are right on all test cases, then those without a verdict,
/// then those that are wrong or have no figures. Among them, those at a shared size come first,
/// then a larger size, then a shorter time.
fn order(a: &Ranked, b: &Ranked) -> Ordering {
    let place = |it: &Ranked| (it.is_last(), !it.is_right(), it.shared_size.is_none());
    let time = |it: &Ranked| it.runtime_ms.unwrap_or(f64::INFINITY);
    place(a).cmp(&place(b)).then(b.size.cmp(&a.size)).then(time(a).total_cmp(&time(b)))
}

#[cfg(test)]
mod tests;
