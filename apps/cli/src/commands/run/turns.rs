//! Profiles programs in turn, so that a slowdown of the host favours none of them.

use super::profile;
use crate::args::JobArgs;
use crate::exit::Failure;
use crate::job_request::{self, Program};
use crate::progress::Progress;
use crate::server::Server;
use profiler_compare::Outputs;
use profiler_core::sandbox::Cores;
use profiler_export::Ending;
use profiler_proto::v1::OnMemoryLimit;
use std::path::Path;

/// Number of times that each program runs: once in the given order, then once in reverse, so that a
/// host that gradually slows down favours none.
const ROUNDS: usize = 2;

/// A program to profile, and its name in the progress.
pub(in crate::commands) struct Entry<'a> {
    pub(in crate::commands) file: &'a Path,
    pub(in crate::commands) label: &'a str,
}

/// Profiles the programs in turn, whose outputs must be as `outputs` says. The result has the
/// endings of each program. A program whose run ended early has no further run.
pub(in crate::commands) async fn profile_in_turn(
    args: &JobArgs,
    entries: &[Entry<'_>],
    outputs: Outputs,
    cores: Option<Cores>,
) -> Result<Vec<Vec<Ending>>, Failure> {
    if args.declared.0.reward {
        return Err(Failure::argument("--reward", "cannot be used with several programs"));
    }
    let progress = Progress::new(args.progress);
    let server = Server::of_job(args)?;
    let mut requests = Vec::new();
    for entry in entries {
        let others = entries.iter().map(|other| other.file).filter(|other| *other != entry.file);
        let others: Vec<_> = others.map(Path::to_path_buf).collect();
        let program = Program::at(entry.file)?;
        let mut request = job_request::from_args(&program, args, &others)?;
        // A program that exceeds the memory limit is the worse one. The comparison need not stop
        // for that.
        request.job.on_memory_limit = OnMemoryLimit::Record.into();
        request.judge_outputs(requests.first(), outputs);
        if request.job.reference.as_ref().is_some_and(|of_first| of_first.code_cpp.is_empty()) {
            let problem = "needs the source of the first program, whose outputs are expected";
            return Err(Failure::argument("--checker", problem));
        }
        requests.push(request);
    }
    let mut endings: Vec<Vec<Ending>> = vec![Vec::new(); entries.len()];
    for round in 0..ROUNDS {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for at in order {
            if endings[at].iter().any(|ending| matches!(ending, Ending::Error(_))) {
                continue;
            }
            let label = format!("{} {}/{ROUNDS}", entries[at].label, round + 1);
            let progress = progress.labelled(&label);
            let request = requests[at].clone();
            // One judgement of each program is enough.
            requests[at].leave_outputs();
            let profiled =
                profile(&args.sandbox, server.as_ref(), request, cores.clone(), &progress).await?;
            endings[at].push(profiled.unstopped()?);
        }
    }
    Ok(endings)
}
