//! Parsing of a counter's line. Shell scripts stand in for the counter.

use crate::subject::Subject;
use runner_protocol::File;
use runner_protocol::ask::Count;
use std::time::Duration;

/// Longer than a script takes.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A counter's behaviour, and what the runner reports about it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    script: &'static str,
    instructions: Result<u64, &'static str>,
    stdout: &'static str,
}

const fn row(
    name: &'static str,
    script: &'static str,
    instructions: Result<u64, &'static str>,
    stdout: &'static str,
) -> Row {
    Row { name, script, instructions, stdout }
}

pub(crate) const ROWS: &[Row] = &[
    row("counts", "\"$1\"; echo instructions 42 >&3", Ok(42), "hello\n"),
    row("cannot", "echo unsupported it uses avx >&3", Err("it uses avx"), ""),
    row("says_nothing", "\"$1\"; exit 7", Err("it exited with 7 under the counter"), "hello\n"),
    row("crashes", "kill -SEGV $$", Err("it ended by SIGSEGV under the counter"), ""),
    row(
        "babbles",
        "printf 'instructions 1\\ninstructions 2\\n' >&3",
        Err("it exited with 0 under the counter, whose output cannot be read"),
        "",
    ),
    row(
        "has_no_other_file",
        "for fd in 4 5 6 7 8 9; do (: >&$fd) 2>/dev/null && exit 1; done; echo instructions 1 >&3",
        Ok(1),
        "",
    ),
];

/// Checks that the counter's line is understood.
pub(crate) async fn holds(subject: &mut Subject, row: &Row) {
    subject.compile("memory").await;
    let script = format!("#!/bin/sh\n{}\n", row.script);
    subject.put(File::Counter, script.as_bytes()).await;
    let request = Count(subject.run("hello", TIMEOUT).await);
    let counted = subject.ask(request).await;
    assert_eq!(counted.instructions, row.instructions.map_err(String::from), "{counted:#?}");
    assert_eq!(counted.written.stdout_head, row.stdout.as_bytes(), "{counted:#?}");
}
