//! The loop: one request, one answer, until the channel ends.

use crate::confine::confinement;
use crate::confine::landlock::FileRules;
use crate::confine::run_cgroup::Divided;
use crate::confine::seccomp;
use crate::process::context::ProcessContext;
use crate::process::origin::Origin;
use crate::process::runner::Runner;
use crate::process::runner::host_counters::HostCounters;
use crate::process::spawn;
use crate::process::sweep;
use crate::runs::allocations;
use crate::runs::batch;
use crate::runs::check;
use crate::runs::compile;
use crate::runs::count::{self, Report, by_line, forked, series};
use crate::runs::generate;
use crate::runs::memory_probe;
use crate::runs::profile;
use crate::runs::tools;
use crate::runs::trace::{self, fault, sampling};
use crate::sys::facts;
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files;
use crate::sys::pid_counter::PidCounter;
use nix::sys::personality::{self, Persona};
use nix::sys::prctl;
use nix::unistd::{Pid, dup2_stdin, dup2_stdout, getpid};
use runner_protocol::{
    CountSeries, Hello, Request, Response, Run, SOURCES, SampleLines, read_frame, write_frame,
};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

/// Serves the channel on stdin and stdout until it ends.
pub(crate) fn serve(path: &'static str, run_cgroup: Divided) -> Result<()> {
    // Sweeping kills every process that this one can see, so only pid 1 of a namespace of its own
    // may do it.
    if getpid() != Pid::from_raw(1) {
        return Err(Fault::new("start", "must be pid 1 of a sandbox"));
    }
    // No process may trace the runner or read its memory, not even one of the same user.
    prctl::set_dumpable(false).stage("set undumpable")?;
    let (channel, mut answers) = take_channel()?;
    files::prepare()?;
    // Children inherit this. It has no effect on a process that already runs.
    personality::set(Persona::ADDR_NO_RANDOMIZE).stage("switch off address randomisation")?;
    let context = ProcessContext::prepare(run_cgroup)?;
    seccomp::confine_runner()?;
    let pids = PidCounter::open();
    let (counters, compiler, origin) = (HostCounters::default(), None, Origin::None);
    let mut runner = Runner { channel, path, context, pids, counters, compiler, origin };
    write_frame(&mut answers, &Response::Hello(hello(&runner))).stage("answer")?;
    while let Some(request) = read_frame(&mut runner.channel).stage("request")? {
        let done = answer(&mut runner, request);
        let done = done.unwrap_or_else(|fault| Some(Response::Broken(fault.to_string())));
        if let Some(answer) = done {
            write_frame(&mut answers, &answer).stage("answer")?;
        }
    }
    sweep::kill_everything().map(drop)
}

/// Does what the host requests. Returns the answer, if the host waits for one.
fn answer(runner: &mut Runner, request: Request) -> Result<Option<Response>> {
    forked::end_before(runner, &request)?;
    if let Some(run) = run_of(&request) {
        runner.counters.move_once(&runner.context, run.core)?;
    }
    Ok(Some(match request {
        Request::KeepTo(cores) => {
            runner.context.cores.set(spawn::pin(&cores)?);
            return Ok(None);
        }
        Request::Put(piece) => return files::put(&piece).map(|()| None),
        Request::Continue(request) => return files::continue_input(&request).map(|()| None),
        Request::Compile(request) => Response::Compiled(compile::compile(runner, &request)?),
        Request::Fetch(part) => Response::Fetched(files::fetch(part)?),
        Request::Generate(request) => Response::Generated(generate::generate(runner, &request)?),
        Request::Run(run) => Response::Batch(batch::run(runner, &run)?),
        Request::Probe(run) => Response::Probed(memory_probe::probe(runner, &run)?),
        Request::Count(run) => Response::Counted(count::count(runner, &run, Report::Total)?.0),
        Request::CountForked(run) => {
            Response::Counted(forked::count_forked(runner, &run, Report::Total)?.0)
        }
        Request::CountByLine(run) => Response::Counted(by_line::count_by_line(runner, &run)?),
        Request::ReadLines(run) => Response::Lines(by_line::read_lines(runner, &run)?),
        Request::CountSeries(request) => {
            Response::CountedSeries(series::count_series(runner, &request)?)
        }
        Request::FindFault(run) => Response::Faulted(fault::find_fault(runner, &run)?),
        Request::SampleLines(request) => {
            Response::SampledLines(sampling::sample_lines(runner, &request)?)
        }
        Request::Trace(run) => Response::Traced(trace::trace(runner, &run)?),
        Request::Profile(run) => Response::Profiled(profile::profile(runner, &run)?),
        Request::Allocate(run) => Response::Allocated(allocations::record(runner, &run)?),
        Request::FetchStdout(part) => Response::Fetched(files::fetch_stdout(part)?),
        Request::Check(request) => Response::Checked(check::check(runner, &request)?),
        Request::Make(request) => Response::Made(generate::make(runner, &request)?),
    }))
}

/// The run of the submitted program that the request wants.
fn run_of(request: &Request) -> Option<&Run> {
    match request {
        Request::Run(run)
        | Request::Probe(run)
        | Request::Count(run)
        | Request::CountForked(run)
        | Request::CountByLine(run)
        | Request::CountSeries(CountSeries { run, .. })
        | Request::Trace(run)
        | Request::FindFault(run)
        | Request::SampleLines(SampleLines { run, .. })
        | Request::Profile(run)
        | Request::Allocate(run) => Some(run),
        Request::KeepTo(_)
        | Request::Put(_)
        | Request::Compile(_)
        | Request::Fetch(_)
        | Request::Generate(_)
        | Request::Continue(_)
        | Request::ReadLines(_)
        | Request::FetchStdout(_)
        | Request::Check(_)
        | Request::Make(_) => None,
    }
}

/// Moves the channel away from stdin and stdout, so that no child can inherit it.
fn take_channel() -> Result<(File, File)> {
    let own = |fd: BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
    let ends = own(io::stdin().as_fd()).and_then(|i| Ok((i, own(io::stdout().as_fd())?)));
    let null = File::options().read(true).write(true).open("/dev/null").stage("open /dev/null")?;
    dup2_stdin(&null).stage("close stdin")?;
    dup2_stdout(&null).stage("close stdout")?;
    ends.stage("take the channel")
}

fn hello(runner: &Runner) -> Hello {
    let tools = [compile::COMPILER, tools::GPROF, batch::GNU_TIME];
    let processors = facts::Processors::read();
    let missing = tools.into_iter().filter(|tool| !Path::new(tool).exists());
    Hello {
        sources: SOURCES.into(),
        own_user: confinement::has_own_user(),
        cgroup: runner.context.oom.version(),
        no_run_cgroup: runner.context.no_run_cgroup.clone(),
        schedstat: facts::Schedule::of_self().is_some(),
        landlock: FileRules::is_possible(),
        missing_tools: missing.map(String::from).collect(),
        kernel: facts::kernel(),
        cpu_model: processors.model,
        cpu_flags: processors.flags,
        cpus: processors.count,
    }
}
