//! `state`: maintains the folder of a server, whether or not the server runs.

use crate::args::service::runs::{StateAction, StateArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::stderr::tell;
use profiler_export::readable;
use profiler_server::store::{Extent, Retention, StateFolder, Usage};
use serde_json::{Value, json};

const BYTES_PER_MIB: f64 = 1_048_576.0;

/// Runs a subcommand.
pub(crate) fn look_after(args: StateArgs) -> Result<Exit, Failure> {
    let state = StateFolder::open(args.state_dir)?;
    let text = match args.action {
        StateAction::Du { format } => {
            let (usage, is_served) = (state.usage()?, state.is_served()?);
            let json = in_json(&usage, is_served);
            output::print_as(format, &json, || table(&usage, is_served))?;
            return Ok(Exit::Done);
        }
        StateAction::Prune { runs, mb, days, dry_run } => {
            let keep = Retention::new(runs, mb, days);
            if dry_run {
                format!("would delete {}", extent(state.prunable(keep)?))
            } else {
                format!("deleted {}", extent(state.prune(keep)?))
            }
        }
        StateAction::Backup { file } => {
            state.back_up(&file)?;
            format!("wrote {}", file.display())
        }
        StateAction::Verify => {
            let found = state.verify()?;
            for problem in &found.problems {
                tell(format_args!("swiftprof: {problem}"));
            }
            let count = found.problems.len();
            let verdict = if count == 0 { "nothing is wrong" } else { "damaged, see above" };
            output::print(&format!("{} runs, {} events: {verdict}", found.runs, found.events))?;
            return Ok(if count == 0 { Exit::Done } else { Exit::Unsuccessful });
        }
        StateAction::Export { folder, run_id } => {
            let runs = state.export(run_id.as_deref(), &folder)?;
            format!("wrote {runs} runs to {}", folder.display())
        }
    };
    output::print(&text)?;
    Ok(Exit::Done)
}

fn extent(Extent { runs, bytes }: Extent) -> String {
    format!("{runs} runs of {} MiB", mib(bytes))
}

fn mib(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / BYTES_PER_MIB)
}

/// A line for each caller, the sum, and the files. The name comes last, because it may be long.
fn table(usage: &Usage, is_served: bool) -> String {
    let line = |runs: &str, events: &str, mib: &str, caller: &str| {
        format!("{runs:>8}  {events:>9}  {mib:>9}  {caller}")
    };
    let row = |runs: u64, events: u64, bytes, caller: &str| {
        line(&runs.to_string(), &events.to_string(), &mib(bytes), caller)
    };
    let mut lines = vec![line("runs", "events", "MiB", "caller")];
    let callers = &usage.callers;
    lines.extend(callers.iter().map(|it| row(it.runs, it.events, it.bytes, &readable(&it.caller))));
    let sum = |count: fn(&_) -> u64| callers.iter().map(count).sum();
    lines.push(row(sum(|it| it.runs), sum(|it| it.events), sum(|it| it.bytes), "(all)"));
    lines.push(format!(
        "database {} MiB, write-ahead log {} MiB; {}",
        mib(usage.database_bytes),
        mib(usage.log_bytes),
        if is_served { "a server uses the folder" } else { "no server uses the folder" }
    ));
    lines.join("\n")
}

fn in_json(usage: &Usage, is_served: bool) -> Value {
    let callers = usage.callers.iter().map(
        |it| json!({"caller": it.caller, "runs": it.runs, "events": it.events, "bytes": it.bytes}),
    );
    json!({
        "callers": callers.collect::<Vec<_>>(),
        "database_bytes": usage.database_bytes,
        "log_bytes": usage.log_bytes,
        "served": is_served,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_server::store::CallerUsage;

    #[test]
    fn sizes_are_aligned_and_added_up() {
        let caller = |caller: &str, runs, bytes| CallerUsage {
            caller: caller.into(),
            runs,
            events: 3 * runs,
            bytes,
        };
        let usage = Usage {
            callers: vec![caller("ci", 1000, 3 << 20), caller("me\n", 2, 1 << 19)],
            database_bytes: 4 << 20,
            log_bytes: 0,
        };
        assert_eq!(
            table(&usage, true),
            "    runs     events        MiB  caller\n    \
             1000       3000       3.00  ci\n       \
             2          6       0.50  me\n    \
             1002       3006       3.50  (all)\n\
             database 4.00 MiB, write-ahead log 0.00 MiB; a server uses the folder"
        );
    }
}
