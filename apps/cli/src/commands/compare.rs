//! `compare`: tells which of two programs, or of two saved reports, is faster, and whether the
//! difference is real.
//!
//! Programs are profiled in turn. A server does that in one job, because the next job may be
//! measured on another host.

pub(super) mod gate;

use super::run::profile;
use super::run::turns::{Entry, profile_in_turn};
use crate::args::{CompareArgs, SEVERAL_ANSWERS};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::server::Server;
use crate::{job_request, output, saved_report};
use profiler_compare::{Program, Verdict, compare_programs};
use profiler_core::sandbox::Cores;
use profiler_export::{Ending, flag};
use profiler_proto::v1;
use std::path::{Path, PathBuf};
use std::slice;

/// Extension of a saved report.
const SAVED_EXTENSION: &str = "json";

/// Compares two programs or reports, and prints the result.
pub(crate) async fn compare(args: &CompareArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let [a, b] = Box::pin(programs(args, cores)).await?;
    let comparison = compare_programs(&a, &b, args.outputs.required(), flag);
    output::print_as(args.format, &comparison, || {
        let text = profiler_compare::text(&comparison, &output::text_options());
        match comparison.verdict {
            Verdict::OtherOutput => format!("{}\n{SEVERAL_ANSWERS}", text.trim_end()),
            _ => text,
        }
    })?;
    Ok(match comparison.verdict {
        Verdict::Slower | Verdict::OtherOutput => Exit::Unsuccessful,
        Verdict::Faster | Verdict::Same => Exit::Done,
        Verdict::Unknown if comparison.wrong_answer => Exit::Unsuccessful,
        Verdict::Unknown => Exit::CannotTell,
    })
}

async fn programs(args: &CompareArgs, cores: Option<Cores>) -> Result<[Program; 2], Failure> {
    match [&args.a, &args.b].map(|file| is_saved(file)) {
        [true, true] => {
            Ok([saved_report::read_program(&args.a)?, saved_report::read_program(&args.b)?])
        }
        [false, false] => Box::pin(in_turn(args, cores)).await,
        _ => Err(Failure::argument(
            "B",
            "must be of the same kind as A: two programs, or two reports saved as .json",
        )),
    }
}

fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SAVED_EXTENSION)
}

/// Profiles both programs in turn, in the order A, B, B, A.
async fn in_turn(args: &CompareArgs, cores: Option<Cores>) -> Result<[Program; 2], Failure> {
    if let Some(server) = Server::of_job(&args.job)? {
        return on_server(args, &server).await;
    }
    let entries = [Entry { file: &args.a, label: "A" }, Entry { file: &args.b, label: "B" }];
    let outputs = args.outputs.required();
    let mut endings = profile_in_turn(&args.job, &entries, outputs, cores).await?.into_iter();
    let [a, b] = entries.map(|entry| (entry.file, endings.next().unwrap_or_default()));
    Ok([program(a.0, a.1)?, program(b.0, b.1)?])
}

/// Profiles both programs in turn, in one job of a server.
async fn on_server(args: &CompareArgs, server: &Server) -> Result<[Program; 2], Failure> {
    let CompareArgs { a, b, job, .. } = args;
    let progress = Progress::new(job.progress);
    let of = |file: &Path, other: &PathBuf| {
        job_request::from_args(&job_request::Program::at(file)?, job, slice::from_ref(other))
    };
    let mut request = of(a, b)?;
    let other = of(b, a)?;
    let codes = [&request, &other].map(|it| it.job.code.as_ref());
    if codes.into_iter().flatten().any(|code| !code.program.is_empty()) {
        let problem = "compares sources; leave it out to compare compiled programs here";
        return Err(Failure::argument("--endpoint", problem));
    }
    let v1::CodeMessage { compiler_flags, files, .. } = other.job.code.unwrap_or_default();
    let code_cpp = String::from_utf8(other.source)
        .map_err(|_| Failure::argument(b.display().to_string(), "is not UTF-8"))?;
    request.job.against = Some(v1::OtherProgram { code_cpp, compiler_flags, files });
    // A program that exceeds the memory limit is the worse one. The comparison need not stop for
    // that.
    request.job.on_memory_limit = v1::OnMemoryLimit::Record.into();
    request.judge_outputs(None, args.outputs.required());
    let progress = progress.labelled("A, B, B, A");
    let profiled = profile(&job.sandbox, Some(server), request, None, &progress).await?;
    let [own, other] = [a, b].map(|file| job_request::source_name(file));
    match profiled.unstopped()? {
        Ending::Report(report) => Program::in_turns(*report, [&own, &other]).ok_or_else(|| {
            Failure::argument(
                "--endpoint",
                "the server has an older version, which cannot compare programs",
            )
        }),
        Ending::Error(error) => {
            let name = if Program::is_other_at_fault(&error) { other } else { own };
            Err(Failure::ended_early(&name, &error))
        }
    }
}

/// Builds a program from its runs. Fails if a run ended early, because it has no report.
fn program(file: &Path, endings: Vec<Ending>) -> Result<Program, Failure> {
    let name = job_request::source_name(file);
    let report = |ending| match ending {
        Ending::Report(report) => Ok(*report),
        Ending::Error(error) => Err(Failure::ended_early(&name, &error)),
    };
    let reports = endings.into_iter().map(report).collect::<Result<_, _>>()?;
    Ok(Program { name, reports })
}
