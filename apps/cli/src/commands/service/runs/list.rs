//! Runs as a table.

use profiler_export::{Column, Frame, Table, readable, readable_name};
use profiler_proto::Word;
use profiler_proto::v1::{Run, RunState};

const HEADER: [&str; 6] = ["run", "state", "accepted (UTC)", "took s", "caller", "task"];
/// The length of a date and time without fractions of a second.
const SECONDS: usize = "2026-01-01 00:00:00".len();

/// One line for each run. The names come last, because they may be long.
pub(super) fn table(runs: &[Run]) -> String {
    let rows: Vec<_> = runs.iter().map(row).collect();
    let columns = HEADER.into_iter().enumerate();
    let columns =
        columns.map(|(at, title)| Column::words(title, rows.iter().map(|row| row[at].clone())));
    Table::fitted(Frame::Blanks, columns.collect(), None).lines().join("\n")
}

fn row(run: &Run) -> [String; 6] {
    let accepted = run.accepted_time.map(|time| time.to_string().replace('T', " "));
    let accepted = accepted.map(|time| time.chars().take(SECONDS).collect::<String>());
    let seconds = |time: prost_types::Timestamp| time.seconds as f64 + f64::from(time.nanos) / 1e9;
    let took = run.accepted_time.zip(run.ended_time);
    // The clocks of a gateway and of a worker may differ.
    let took = took.map(|(from, to)| format!("{:.1}", (seconds(to) - seconds(from)).max(0.0)));
    [
        readable(&run.run_id),
        state(run),
        accepted.unwrap_or_default(),
        took.unwrap_or_default(),
        readable(&run.caller),
        readable_name(&run.task_id),
    ]
}

/// The state; for a run that ended early, the code of its error.
fn state(run: &Run) -> String {
    match run.state() {
        RunState::Unspecified => "unknown".into(),
        RunState::Queued => "queued".into(),
        RunState::Running => "running".into(),
        RunState::Finished => "finished".into(),
        RunState::Failed => run.error_code().word().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::ErrorCode;

    #[test]
    fn runs_are_aligned() {
        let at = |seconds| Some(prost_types::Timestamp { seconds, nanos: 500_000_000 });
        let run = |id: &str, state: RunState, ended_time| Run {
            run_id: id.into(),
            task_id: "sort".into(),
            caller: "me".into(),
            state: state.into(),
            accepted_time: at(1_700_000_000),
            ended_time,
            error_code: ErrorCode::Compile.into(),
            ..Run::default()
        };
        let failed = run("b", RunState::Failed, at(1_700_000_002));
        let text = table(&[run("a1", RunState::Running, None), failed]);
        assert_eq!(
            text,
            "run  state    accepted (UTC)       took s  caller  task\n\
             a1   running  2023-11-14 22:13:20          me      sort\n\
             b    compile  2023-11-14 22:13:20  2.0     me      sort"
        );
    }
}
