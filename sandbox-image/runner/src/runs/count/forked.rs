//! Counts of one program on one input after another, each in a process of its own that is forked
//! from an *origin*: a process of the counter in which the program has not read any input yet.
//! Loading, linking and translating take the origin as long as one count, and a fork takes little.
//!
//! A forked process is a child of the runner. It has the confinement and the resource limits of the
//! origin, and its stdin, stdout, stderr, result, time limit, process id and end are its own, as in
//! a run that is started. If anything about the origin or about a forked process is unusual, all
//! processes are killed, and from then on the program is counted in processes that are started.
//!
//! A program that finds the counter's memory can also change the origin, before its input.
//! With that it can forge the counts of all inputs, as it can forge the count of each.

use super::{Report, WithOutput, counted_of, read_output, result_file};
use crate::process::measure;
use crate::process::origin::{Inherited, Living, Origin};
use crate::process::outputs;
use crate::process::run_program::run_swept;
use crate::process::runner::Runner;
use crate::process::spawn::{Child, Started, above_result, spawn};
use crate::process::spec::{Place, Scratch, Spec};
use crate::process::sweep::{self, Leftovers};
use crate::sys::facts;
use crate::sys::fault::{Result, Stage};
use crate::sys::files;
use crate::sys::process_set::ProcessSet;
use profiler_decode::counter_output::ORIGIN;
use runner_protocol::{Breach, Counted, Ending, Execution, File as PutFile, Piece, Request, Run};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

/// Ends the origin if it must not live during this request.
pub(crate) fn end_before(runner: &mut Runner, request: &Request) -> Result<()> {
    let is_input =
        matches!(request, Request::Put(Piece { file: PutFile::Input | PutFile::Recipe, .. }));
    let goes_on = is_input
        || matches!(
            request,
            Request::Generate(_)
                | Request::Continue(_)
                | Request::CountForked(_)
                | Request::CountByLine(_)
                | Request::FetchStdout(_)
                | Request::Fetch(_)
        );
    if goes_on { Ok(()) } else { runner.origin.end(Origin::None) }
}

/// Counts the program once, if possible in a forked process.
pub(crate) fn count_forked(
    runner: &mut Runner,
    request: &Run,
    report: Report,
) -> Result<WithOutput> {
    let other =
        |origin: &Living| origin.serves != Inherited::of(request, report == Report::Profile);
    if matches!(&runner.origin, Origin::Living(origin) if other(origin)) {
        runner.origin.end(Origin::None)?;
    }
    if matches!(runner.origin, Origin::None) {
        runner.origin = start(runner, request, report)?;
    }
    if let Origin::Living(origin) = &runner.origin {
        if let Some((counted, is_usual)) = count_in(runner, origin, request, report)? {
            if !is_usual {
                runner.origin.end(Origin::Refused)?;
            }
            return Ok(counted);
        }
        runner.origin.end(Origin::Refused)?;
    }
    super::count(runner, request, report)
}

fn start(runner: &Runner, request: &Run, report: Report) -> Result<Origin> {
    // Only a cgroup limits the memory of all that an origin starts.
    if runner.context.oom.version().is_none() {
        return Ok(Origin::Refused);
    }
    let (program, None) = runner.program(request.subject) else { return Ok(Origin::Refused) };
    let (socket, theirs) = UnixStream::pair().stage("make a socket pair")?;
    socket.set_nonblocking(true).stage("make a socket pair")?;
    let theirs = above_result(&theirs)?;
    let socket_number = theirs.as_raw_fd().to_string();
    let words = ["counter", ORIGIN, &socket_number].into_iter().chain(report.word());
    let spec = Spec {
        path: files::counter(),
        is_at_random: true,
        argv: words.chain([program.as_str()]).map(String::from).collect(),
        limits: Some(&request.limits),
        core: request.core,
        ..Spec::default()
    };
    let null = || File::options().read(true).write(true).open("/dev/null").stage("open /dev/null");
    let place = Place {
        stdio: Some([null()?, null()?, null()?]),
        result: Some(result_file()?.0),
        kept: vec![theirs],
        ..Place::default()
    };
    runner.pids.pass_program()?;
    Ok(match spawn(&runner.context, &spec, &place)? {
        Started::Running(Child { pid, .. }) => Origin::Living(Living {
            pid,
            socket,
            serves: Inherited::of(request, report == Report::Profile),
        }),
        Started::Killed(_) => Origin::Refused,
    })
}

/// Counts the program in a process that is forked from `origin`. Returns the count, and whether
/// nothing else is alive then, or in scratch. `None` if a process that is started must be counted
/// instead.
fn count_in(
    runner: &Runner,
    origin: &Living,
    request: &Run,
    report: Report,
) -> Result<Option<(WithOutput, bool)>> {
    files::place(request.input)?;
    let limits = &request.limits;
    let (result, nonce) = result_file()?;
    let measure = || {
        let [stdin, stdout, stderr] = files::stdio(request.input)?;
        let files = [stdin, stdout, stderr, result];
        let (context, channel) = (&runner.context, Some(&runner.channel));
        let Some(child) = origin.fork(context, channel, &files, limits)? else { return Ok(None) };
        let (pid, sampled) = (child.pid, ProcessSet::OutsideSession(origin.pid));
        let execution = measure::until_concluded(context, child, sampled, (limits, None), channel)?;
        let is_alone = facts::last_pid() == Some(pid);
        Ok(Some((execution, is_alone && sweep::is_scratch_empty()?)))
    };
    let sweep = |measured: &Option<(Execution, bool)>| match measured {
        Some((_, true)) => Ok(Leftovers::default()),
        _ => sweep::kill_everything(),
    };
    // Nothing is wiped while the origin lives, because it could write at the same time.
    run_swept(runner, Scratch::Kept, measure, sweep, |measured, aftermath| {
        let Some((mut execution, is_usual)) = measured else { return Ok(None) };
        aftermath.add_to(&mut execution, limits);
        execution.output_full = outputs::any_is_full(limits.file_bytes)?;
        let output = read_output(report.most_bytes())?;
        let counted = counted_of(request, execution, report.line(&nonce, &output))?;
        Ok(is_final(&counted).then_some(((counted, output), is_usual)))
    })
}

/// Whether a process that is started would do no better. A stop by the time limit is not repeated,
/// because it takes too long.
fn is_final(counted: &Counted) -> bool {
    let is_late = |ending| matches!(ending, Ending::Stopped(Breach::Time(_) | Breach::Wall(_)));
    counted.instructions.is_ok() || is_late(counted.execution.ending)
}
