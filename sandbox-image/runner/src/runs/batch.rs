//! All runs of one size: a warm-up, perhaps under `/usr/bin/time -v`, then repetitions under a stop
//! rule.

mod stop_rule;

use crate::confine::run_cgroup::Account;
use crate::process::measure;
use crate::process::outputs;
use crate::process::run_program::{run_measured, run_program};
use crate::process::runner::Runner;
use crate::process::spec::{Place, Spec};
use crate::runs::interactive;
use crate::runs::warm_up_child::{self, Task};
use crate::sys::facts::{nanoseconds, now};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, Kept, WorkFile};
use crate::sys::{page_cache, proc_view, trim_self};
use runner_protocol::{
    BatchResult, Budget, Ending, Execution, FIRST_PART, Limits, MAX_SANITIZER_BYTES,
    MAX_STDERR_TAIL_BYTES, Run, Sample, Subject, Variant, read_frame, write_frame,
};
use std::cell::RefCell;
use std::os::fd::AsRawFd;
use std::time::Duration;
use stop_rule::StopRule;

pub(crate) const GNU_TIME: &str = "/usr/bin/time";
/// Maximum size of the kept part of GNU time's text, in bytes.
const MAX_TIME_BYTES: usize = 8 << 10;
/// Time for `/usr/bin/time` and for the runner's process in a warm-up, in addition to the limits of
/// the program.
const WARM_UP_MARGIN: Duration = Duration::from_secs(2);

/// Number of processes that start before the program in a warm-up: GNU time, and one of the runner.
const WARM_UP_PROCESSES: u32 = 2;

/// Makes all runs of one size.
pub(crate) fn run(runner: &Runner, request: &Run) -> Result<BatchResult> {
    let begun = now();
    files::place(request.input)?;
    trim_self::trim()?;
    runner.context.timed_cgroup().map_or(Ok(()), |cgroup| cgroup.limit(&request.limits))?;
    let is_first = request.warm_up || request.interactor.is_some();
    // Libraries in a root of programs are in memory.
    if is_first && runner.context.program_root.is_none() {
        page_cache::warm_libraries();
    }
    // Without its interactor, an interactive program would find the interactor's input on stdin.
    let (warm_up, gnu_time) = match request.warm_up && request.interactor.is_none() {
        true if request.gnu_time => warm_up_in_time(runner, request)?,
        true => (Some(repetition(runner, request)?), None),
        false => (None, None),
    };
    let mut batch = BatchResult { warm_up, gnu_time, ..BatchResult::default() };
    let first = batch.warm_up.as_ref().map(|it| Duration::from_nanos(it.sample.wall_ns));
    let (begun, budget) = match request.stop.budget {
        Budget::Whole(ns) => (begun, Duration::from_nanos(ns)),
        Budget::Repetitions(ns) => {
            (now(), Duration::from_nanos(ns) + first.unwrap_or_default() / FIRST_PART)
        }
    };
    let is_whole = matches!(request.stop.budget, Budget::Whole(_));
    if is_whole && first.is_some_and(|first| first > budget / 2) {
        batch.written = outputs::written(request.stdout_head)?;
        return Ok(batch);
    }
    let mut first_stdout = batch.warm_up.as_ref().map(|_| outputs::stdout_digests()).transpose()?;
    let mut stop_rule = StopRule::new(request);
    while batch.repetitions.len() < request.stop.most as usize && !stop_rule.is_met() {
        let failed = batch.interactor_runs.last().is_some_and(|run| !succeeded(&run.execution));
        match batch.repetitions.last().or(batch.warm_up.as_ref()) {
            Some(last) if failed || !succeeded(last) => break,
            Some(last) => {
                let wall_ns =
                    batch.interactor_runs.last().map_or(last.sample.wall_ns, |run| run.wall_ns);
                let predicted = Duration::from_nanos(wall_ns);
                if now().saturating_sub(begun) + predicted > budget {
                    break;
                }
            }
            // A program that killed or stopped the process that measured it may have spent the
            // budget, but still needs a verdict.
            None => {}
        }
        let repetition = match &request.interactor {
            None => repetition(runner, request)?,
            Some(limits) => {
                let (execution, interactor_run) = interactive::repetition(runner, request, limits)?;
                batch.interactor_runs.push(interactor_run);
                execution
            }
        };
        stop_rule.add(&repetition.sample);
        batch.repetitions.push(repetition);
        let Some((first, first_words)) = first_stdout else {
            // A single run has no other output to be compared with.
            first_stdout = (request.stop.most > 1).then(outputs::stdout_digests).transpose()?;
            continue;
        };
        if outputs::stdout_digest()? != first {
            batch.other_outputs += 1;
            batch.other_words += u32::from(outputs::stdout_digests()?.1 != first_words);
        }
    }
    if request.interactor.is_some() {
        let stderr = WorkFile::INTERACTOR_STDERR;
        batch.interactor_stderr_tail = outputs::tail(stderr, MAX_STDERR_TAIL_BYTES)?;
    }
    // Figures and output come from the same runs, so the output of a warm-up counts only if there
    // are no repetitions.
    batch.written = outputs::written(request.stdout_head)?;
    if request.subject == Subject::Build(Variant::Sanitized) {
        batch.written.stderr_tail = outputs::tail(WorkFile::STDERR, MAX_SANITIZER_BYTES)?;
    }
    Ok(batch)
}

/// Makes one measured run. Afterwards nothing of it is left except its output.
pub(crate) fn repetition(runner: &Runner, request: &Run) -> Result<Execution> {
    let (spec, context) = (runner.spec(request), &runner.context);
    let cgroup = context.timed_cgroup();
    let stdio = files::stdio(request.input)?;
    let outputs = &Kept::get()?.outputs;
    let account = match cgroup {
        Some(cgroup) => Account::open(Some(cgroup), outputs)?,
        None => Account::open_beside(context.run_cgroup.as_ref(), &context.counted, outputs)?,
    };
    let account = account.map(RefCell::new);
    let place = Place { stdio: Some(stdio), cgroup, account, ..Place::default() };
    let (mut execution, ()) = run_program(runner, &spec, &place, &request.limits, |_| Ok(()))?;
    add_traces(&mut execution.sample, &place)?;
    Ok(execution)
}

/// Adds what a run has left behind at its place, once it has ended: the most memory that it held,
/// if a cgroup counted it, and the position of stdin.
fn add_traces(sample: &mut Sample, place: &Place<'_>) -> Result<()> {
    let account = place.account.as_ref();
    sample.held_bytes = account.and_then(|account| account.borrow_mut().peak()).unwrap_or(0);
    sample.stdin_position = place.stdio.as_ref().map_or(Ok(0), files::stdin_position)?;
    Ok(())
}

fn succeeded(execution: &Execution) -> bool {
    execution.ending.is_success() && !execution.output_full && execution.oom_kills == 0
}

/// Makes the warm-up: `/usr/bin/time -v` starts a process of the runner, which measures the program
/// as in every other run. So GNU time's figures are only a cross-check, and no verdict depends on
/// parsed text.
fn warm_up_in_time(runner: &Runner, request: &Run) -> Result<(Option<Execution>, Option<Vec<u8>>)> {
    let (binary, _) = runner.program(request.subject);
    let line = proc_view::duplicate()?;
    let proc_view = line.as_ref().map(AsRawFd::as_raw_fd);
    let (limits, core, files) = (request.limits, request.core, request.files);
    let task = Task { binary, limits, core, files, proc_view };
    write_frame(&mut WorkFile::WARM_UP.create()?, &task).stage("write the warm-up's task")?;
    WorkFile::WARM_UP_RESULT.remove()?;
    WorkFile::TIME.create()?;
    let time_file = WorkFile::TIME.path();
    let time_file = time_file.to_string_lossy();
    let argv = ["time", "-v", "-o", &time_file, runner.path, warm_up_child::ARGUMENT];
    let argv = argv.map(String::from).into();
    let spec = Spec { path: GNU_TIME.into(), argv, ..Spec::default() };
    let stdio = files::stdio(request.input)?;
    let outputs = &Kept::get()?.outputs;
    let (context, channel) = (&runner.context, Some(&runner.channel));
    let account = Account::open_beside(context.run_cgroup.as_ref(), &context.counted, outputs)?;
    let account = account.map(RefCell::new);
    let kept = line.into_iter().collect();
    let place = Place { stdio: Some(stdio), kept, account, ..Place::default() };
    let wall_ns = request.limits.wall_ns + nanoseconds(WARM_UP_MARGIN);
    let around = Limits { wall_ns, time_ns: wall_ns, ..request.limits };
    let measure = || {
        runner.pids.set_back(WARM_UP_PROCESSES)?;
        measure::measure(context, &spec, &place, &around, channel)
    };
    let (ended, result) = run_measured(runner, place.scratch, measure, |ended, aftermath| {
        let file = WorkFile::WARM_UP_RESULT.open().ok();
        let mut result = file.and_then(|mut file| read_frame::<Execution>(&mut file).ok()?);
        if let Some(execution) = &mut result {
            aftermath.add_to(execution, &request.limits);
            execution.output_full = outputs::any_is_full(request.limits.file_bytes)?;
            add_traces(&mut execution.sample, &place)?;
        }
        Ok((ended, result))
    })?;
    let text = match ended.ending {
        Ending::Exited(_) => WorkFile::TIME.open().ok(),
        _ => None,
    };
    let text = text
        .map(|file| files::read_at_most(file, MAX_TIME_BYTES))
        .transpose()
        .stage("read the time")?
        .filter(|text| !text.is_empty());
    // A program can see how much space these files leave, so repetitions must find them as the
    // warm-up did: absent or empty.
    WorkFile::WARM_UP_RESULT.remove()?;
    WorkFile::TIME.create()?;
    Ok((result, text))
}
