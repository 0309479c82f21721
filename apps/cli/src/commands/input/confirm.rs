//! Checks that a program reads exactly the inputs that a proposed spec writes.

use super::infer;
use crate::args::{InputArgs, ProgramArgs, Progress as Shown};
use crate::commands::run;
use crate::exit::{Exit, Failure};
use crate::job_request::{self, JobRequest, Program};
use crate::output;
use crate::progress::Progress;
use crate::stderr::tell;
use profiler_core::sandbox::Cores;
use profiler_export::{Ending, readable, readable_name};
use profiler_infer::Proposal;
use profiler_proto::v1::{Growth, InputUse, OnMemoryLimit, Outcome, ProfileReport};
use profiler_proto::{Word, v1};
use std::path::Path;

/// The sizes at which the program is run. Its use of the input is checked at the last of them, or
/// at the first if the last takes too long.
const SIZES: [u64; 2] = [4, 24];

/// Verdict on what the program did with the inputs of one reading of the samples.
struct Verdict {
    /// `Done` if the reading is confirmed.
    exit: Exit,
    text: String,
    /// Whether the program would do the same with the inputs of every reading.
    is_final: bool,
}

/// Proposes a spec for the samples, and feeds its inputs to the program. Proposes the likeliest
/// reading that the program confirms, or the likeliest one if the program confirms none.
pub(crate) async fn confirm(
    program: &Path,
    args: &InputArgs,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    let options = ProgramArgs::default();
    let request = job_request::of_program(&Program::at(program)?, &options, &args.infer)?;
    let readings = match infer::readings(&args.infer)? {
        Ok(readings) => readings,
        Err(refusal) => return Ok(infer::refuse(&refusal, &args.infer)),
    };
    let chosen = infer::chosen(&readings, args.reading)?;
    let first = chosen.unwrap_or(0);
    let most = if chosen.is_some() { 1 } else { readings.len() };
    let mut verdicts = Vec::new();
    for (at, reading) in readings.iter().enumerate().skip(first).take(most) {
        let request = fed(&request, reading);
        let progress = Progress::new(Shown::None);
        let profiled = run::profile(&args.sandbox, None, request, cores.clone(), &progress).await?;
        let ending = profiled.unstopped()?;
        let verdict = Verdict::of(program, &ending);
        if let Ending::Error(_) = ending {
            // No reading is to blame: the program does not compile, or the profiler is at fault.
            tell(format_args!("swiftprof: {}", verdict.text));
            return Ok(verdict.exit);
        }
        if verdict.exit == Exit::Done {
            return print(&readings, at, &verdict);
        }
        let is_final = verdict.is_final;
        verdicts.push(verdict);
        if is_final {
            break;
        }
    }
    let count = verdicts.len();
    let mut verdict = verdicts.swap_remove(0);
    if count > 1 {
        verdict.text = format!("{}; it confirms none of {count} readings", verdict.text);
    }
    print(&readings, first, &verdict)
}

/// The job that feeds the inputs of a proposal to the program.
fn fed(request: &JobRequest, proposal: &Proposal) -> JobRequest {
    let job = v1::Job {
        input_specs: vec![proposal.spec.clone()],
        input_sizes: SIZES.into(),
        growth: Growth::Timed.into(),
        // A program that is fed the inputs of a wrong reading can need much memory.
        on_memory_limit: OnMemoryLimit::Record.into(),
        ..request.job.clone()
    };
    JobRequest { job, ..request.clone() }
}

/// Prints a reading with its verdict. If the reading is not confirmed, stderr gets the verdict too.
fn print(readings: &[Proposal], chosen: usize, verdict: &Verdict) -> Result<Exit, Failure> {
    output::print(&infer::document(readings, chosen, Some(&verdict.text)))?;
    if verdict.exit != Exit::Done {
        tell(format_args!("swiftprof: {}", verdict.text));
    }
    Ok(verdict.exit)
}

impl Verdict {
    fn of(program: &Path, ending: &Ending) -> Self {
        let program = readable_name(&program.display().to_string());
        let (exit, did) = match ending {
            Ending::Report(report) => use_of_input(report),
            Ending::Error(error) => {
                let why = readable(&error.message);
                (Exit::from(ending), format!("ended early as {}: {why}", error.code().word()))
            }
        };
        let confirmed = if exit == Exit::Done { "confirmed" } else { "not confirmed" };
        let check = match ending {
            Ending::Report(report) => report.input_check.as_ref(),
            Ending::Error(_) => None,
        };
        let is_final = check.is_some_and(|check| check.input_use() == InputUse::ReadsToEnd);
        Self { exit, text: format!("{confirmed}: {program} {did}"), is_final }
    }
}

/// Describes what the program did with its input, and what that means for the reading.
fn use_of_input(report: &ProfileReport) -> (Exit, String) {
    let Some(check) = &report.input_check else {
        return (Exit::CannotTell, "is too large to run".into());
    };
    let (exit, did) = match (check.input_use(), check.unread_bytes) {
        (InputUse::Enough, Some(0)) => (Exit::Done, "reads all of it and asks for no more".into()),
        (InputUse::Enough, Some(bytes)) => {
            (Exit::Unsuccessful, format!("leaves at least {bytes} bytes unread"))
        }
        (InputUse::Enough, None) => {
            (Exit::CannotTell, "asks for no more, but may leave bytes unread".into())
        }
        (InputUse::Starved, _) => {
            let opens = |file| format!("reads nothing of it, and opens {}", readable(file));
            let did = check.opened_file.as_deref().map(opens);
            (Exit::Unsuccessful, did.unwrap_or_else(|| "asks for more".into()))
        }
        (InputUse::ReadsToEnd, _) => (Exit::CannotTell, "reads to the end of any input".into()),
        (InputUse::Unknown | InputUse::Unspecified, _) => (Exit::CannotTell, failure(report)),
    };
    (exit, format!("{did} (n = {})", check.size))
}

/// Explains why it is not known how the program uses its input.
fn failure(report: &ProfileReport) -> String {
    let failed = report.sizes.iter().map(v1::SizeResult::outcome).find(|it| *it != Outcome::Ok);
    failed.map_or_else(
        || "takes longer than the check allows, or behaves differently each time".into(),
        |outcome| format!("ended as {}", outcome.name()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{ErrorCode, InputCheck, SandboxError, SizeResult};

    fn verdict(input_use: InputUse, unread_bytes: Option<u64>, outcome: Outcome) -> (Exit, String) {
        let check = InputCheck {
            input_use: input_use.into(),
            size: 24,
            unread_bytes,
            ..InputCheck::default()
        };
        let size = SizeResult { outcome: outcome.into(), ..SizeResult::default() };
        let report = ProfileReport {
            input_check: Some(check),
            sizes: vec![size],
            ..ProfileReport::default()
        };
        let verdict = Verdict::of(Path::new("P.cpp"), &Ending::Report(Box::new(report)));
        (verdict.exit, verdict.text)
    }

    #[test]
    fn program_confirms_by_reading_all_and_no_more() {
        use InputUse::{Enough, ReadsToEnd, Starved, Unknown};
        let ok = Outcome::Ok;
        let confirmed = "confirmed: P.cpp reads all of it and asks for no more (n = 24)";
        assert_eq!(verdict(Enough, Some(0), ok), (Exit::Done, confirmed.into()));
        for (input_use, unread, outcome, exit, did) in [
            (Enough, Some(12), ok, Exit::Unsuccessful, "leaves at least 12 bytes unread"),
            (Starved, None, ok, Exit::Unsuccessful, "asks for more"),
            (Enough, None, ok, Exit::CannotTell, "may leave bytes unread"),
            (ReadsToEnd, None, ok, Exit::CannotTell, "reads to the end"),
            (Unknown, None, Outcome::RuntimeError, Exit::CannotTell, "ended as"),
            (Unknown, None, ok, Exit::CannotTell, "takes longer than the check allows"),
        ] {
            let (said_exit, said) = verdict(input_use, unread, outcome);
            assert!(said.starts_with("not confirmed: P.cpp ") && said.contains(did), "{said}");
            assert_eq!(said_exit, exit, "{said}");
        }
    }

    #[test]
    fn program_that_does_not_compile_confirms_nothing() {
        let error = SandboxError {
            code: ErrorCode::Compile.into(),
            message: "g++ failed".into(),
            ..SandboxError::default()
        };
        let verdict = Verdict::of(Path::new("P.cpp"), &Ending::Error(Box::new(error)));
        assert_eq!(verdict.exit, Exit::Unsuccessful);
        assert_eq!(verdict.text, "not confirmed: P.cpp ended early as compile: g++ failed");
    }
}
