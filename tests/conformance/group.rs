//! Rows of one group of the table, as one test.
//!
//! Remains on the host, this process and a benign job are checked once after all rows. If anything
//! is wrong, each row runs again with a check of its own, which tells what it does to the host.

use crate::invariants::{self, Before};
use crate::table::Row;
use libtest_mimic::Failed;
use profiler_compare::{Outputs, Program, Verdict, compare_programs};
use profiler_core::build::CompileLimits;
use profiler_core::limits::PATIENCE;
use profiler_tests::harness::{Backend, Ended, SIZE};
use profiler_tests::model::{Case, Evidence, Group, is_counted};
use profiler_tests::remains;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Part of the sentence in [`Backend::not_enforced`] of a backend without a memory cgroup.
const NO_CGROUP: &str = "no memory cgroup";
/// Time limit of the compiler, or of the checker, in cases that exceed it.
const SHORT: Duration = Duration::from_secs(2 * PATIENCE as u64);

/// Repetitions of a case that is not [`Case::repeated`]: what one run leaves, the next ones could
/// find.
pub(crate) const FEW: u32 = 4;

/// Cases of one group, on one backend.
pub(crate) struct Rows {
    pub(crate) backend: &'static str,
    pub(crate) group: Group,
    pub(crate) cases: &'static [Case],
}

/// A case that has run.
struct Tried {
    case: &'static Case,
    row: Row,
    /// The whole answer, if it was not as expected.
    answer: Option<String>,
}

impl Tried {
    /// Describes a wrong answer of the case, which is called `name`.
    fn wrong(&self, name: &str) -> Option<String> {
        let answer = self.answer.as_ref()?;
        Some(format!("{name}: {}\ngot {answer}", self.row.wrong.join("\n")))
    }
}

impl Rows {
    /// Checks that every program's ending is an expected one, and that afterwards everything is as
    /// before. A wrong answer counts even if the row's second answer is right.
    pub(crate) async fn conform(
        &self,
        backend: &Backend,
        table: &Sender<Row>,
    ) -> Result<(), Failed> {
        let cases = self.answerable(backend);
        if cases.is_empty() {
            return Ok(());
        }
        let before = Before::now(backend, Vec::new()).await?;
        let mut tried = Vec::new();
        for case in cases {
            tried.push(self.tried(backend, case).await);
        }
        let changes = before.changes(backend).await;
        let mut wrong: Vec<_> =
            tried.iter().filter_map(|tried| tried.wrong(tried.case.program)).collect();
        let names: Vec<_> = tried.iter().map(|tried| tried.case.program).collect();
        let names = names.join(", ");
        wrong.extend(changes.iter().map(|change| format!("after {names}: {change}")));
        match &mut tried[..] {
            [only] => only.row.wrong.extend(changes),
            several if !wrong.is_empty() => {
                wrong.extend(self.one_by_one(backend, several, &changes).await);
            }
            _ => {}
        }
        for Tried { row, .. } in tried {
            table.send(row).expect("the table is printed at the end");
        }
        // No panic: its backtrace would enlarge this process, and the next check would find that.
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
    }

    /// Runs each row again between two checks, and describes what comes of it. `changes` is what
    /// all of them have done to the host.
    async fn one_by_one(
        &self,
        backend: &Backend,
        rows: &mut [Tried],
        changes: &[String],
    ) -> Vec<String> {
        let mut told = Vec::new();
        let mut is_found = false;
        for Tried { case, row, .. } in rows.iter_mut() {
            let alone = format!("{}, alone", case.program);
            let before = match Before::now(backend, remains::there().await).await {
                Ok(before) => before,
                Err(why) => {
                    told.push(format!("before {alone}: {why}"));
                    continue;
                }
            };
            let again = self.tried(backend, case).await;
            let changes = before.changes(backend).await;
            if again.answer.is_none() && changes.is_empty() {
                told.push(format!("{alone}: as expected"));
            }
            told.extend(again.wrong(&alone));
            told.extend(changes.iter().map(|change| format!("after {alone}: {change}")));
            is_found |= !changes.is_empty();
            if row.wrong.is_empty() {
                row.wrong = again.row.wrong;
            }
            row.wrong.extend(changes);
        }
        if !changes.is_empty() && !is_found {
            let together = "no row changes the host alone, but together they do";
            told.push(together.into());
            for tried in rows {
                tried.row.wrong.push(together.into());
            }
        }
        told
    }

    /// The cases that this backend can answer.
    fn answerable(&self, backend: &Backend) -> Vec<&'static Case> {
        let lacking = backend.not_enforced();
        let has_cgroup = !lacking.iter().any(|sentence| sentence.contains(NO_CGROUP));
        let (can, cannot): (Vec<&Case>, Vec<&Case>) =
            self.cases.iter().partition(|case| has_cgroup || !case.needs_cgroup);
        for Case { program, .. } in cannot {
            println!("left out {}::{program}: {NO_CGROUP}", self.backend);
        }
        can
    }

    /// Runs a case. One that declares a retry runs once more if it ended wrongly.
    async fn tried(&self, backend: &Backend, case: &'static Case) -> Tried {
        let (mut ended, mut took) = self.profile(backend, case).await;
        let mut retried = None;
        if let Some(reason) = case.retry
            && !invariants::is_expected(case, &ended)
        {
            retried = Some(format!("{reason}: {ended:#?}"));
            (ended, took) = self.profile(backend, case).await;
        }
        let mut row = Row::of(self.backend, (self.group, case), &ended, took);
        row.wrong = invariants::of_answer(case, &ended);
        row.wrong.extend(belief(backend, case, &ended).await);
        row.retried = retried;
        let answer = (!row.wrong.is_empty()).then(|| format!("{ended:#?}"));
        Tried { case, row, answer }
    }

    /// Runs the case's job, and returns how long it took. Cases about the compiler never use the
    /// cache.
    async fn profile(&self, backend: &Backend, case: &Case) -> (Ended, Duration) {
        let limited;
        let backend = if self.group == Group::Compile {
            let usual = CompileLimits::default();
            let cpu = if case.short_limit { SHORT } else { usual.cpu };
            limited = backend.without_cache(CompileLimits { cpu, ..usual });
            &limited
        } else if case.short_limit {
            limited = backend.judging_within(SHORT);
            &limited
        } else {
            backend
        };
        let mut profiling = match (case.interactive, case.checked) {
            (Some((program, interactor)), _) => backend.profile_interactive(program, interactor),
            (None, Some((program, checker))) => backend.profile_checked(program, checker),
            (None, None) => backend.profile(case.program),
        };
        if let Some(validator) = case.validator {
            profiling = profiling.validated(validator);
        }
        if let Some(reference) = case.reference {
            profiling = profiling.judging_sizes(reference);
        }
        profiling = match case.evidence {
            Evidence::Usual => profiling,
            Evidence::Hotspots => profiling.debug(),
            Evidence::Instructions => profiling.instructions(),
            Evidence::Allocations => profiling.allocations(),
        };
        if !is_counted(case) {
            profiling = profiling.timed().untried();
        }
        if !case.repeated {
            profiling = profiling.repetitions(FEW);
        }
        let profiling = profiling
            .sizes(&[case.before, &[SIZE], case.later].concat())
            .flags(case.flags)
            .timeout_ms(case.timeout_ms)
            .memory_mb(case.memory_mb)
            .recording_memory_limit();
        let begun = Instant::now();
        let ended = profiling.await;
        (ended, begun.elapsed())
    }
}

/// Compares the case's program with the honest one that the case names, and describes a verdict
/// that trusts the figures of a wrong program.
async fn belief(backend: &Backend, case: &Case, ended: &Ended) -> Option<String> {
    let name = case.against?;
    let honest = backend.profile(name).timed().untried().repetitions(FEW).await;
    let [honest, wrong] = [(name, &honest), (case.program, ended)]
        .map(|(name, ended)| Program { name: name.into(), reports: vec![ended.report().clone()] });
    let found = compare_programs(&honest, &wrong, Outputs::Agree, |_| String::new()).verdict;
    (found != Verdict::OtherOutput).then(|| format!("compared with {name}, it is {found:?}"))
}
