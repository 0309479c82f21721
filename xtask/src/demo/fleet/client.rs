//! A client of a gateway: it writes events to stderr, and the report to stdout.

use crate::steps::failure::Failure;
use crate::steps::shell;
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

/// Words in a report's sentence about growth. Every such sentence has one of these.
const GROWTH: [&str; 2] = [" grows like ", "cannot tell how "];

/// A client under way. It is killed when it is dropped.
pub(super) struct Client {
    command: Command,
    child: Child,
    events: Lines<BufReader<ChildStderr>>,
    /// The lines so far that are not events.
    said: Vec<String>,
}

impl Client {
    pub(super) fn start(mut command: Command) -> Result<Self, Failure> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(shell::start(&command))?;
        let Some(events) = child.stderr.take() else {
            return Err(Failure::Missing("a client has no stderr".into()));
        };
        let events = BufReader::new(events).lines();
        Ok(Self { command, child, events, said: Vec::new() })
    }

    /// Reads events until `find` finds something in one.
    pub(super) fn wait_for<T>(&mut self, find: impl Fn(&Value) -> Option<T>) -> Result<T, Failure> {
        for line in self.events.by_ref() {
            let line = line.map_err(Failure::file("read a client's events"))?;
            match serde_json::from_str(&line) {
                Ok(event) => {
                    if let Some(found) = find(&event) {
                        return Ok(found);
                    }
                }
                Err(_) => self.said.push(line),
            }
        }
        let said = self.said.join("\n");
        Err(Failure::Missing(format!("the run ended before what was waited for\n{said}")))
    }

    /// Waits for the end, and returns the report as text.
    pub(super) fn ended(mut self) -> Result<String, Failure> {
        // Read all events, because the pipe of a client that nobody reads fills up. No event is a
        // string, so nothing is found.
        let _ = self.wait_for(|event| event.as_str().map(|_| ()));
        let mut report = String::new();
        let mut stdout = self.child.stdout.take();
        let read = stdout.as_mut().map_or(Ok(0), |stdout| stdout.read_to_string(&mut report));
        read.map_err(Failure::file("read a report"))?;
        let status = self.child.wait().map_err(shell::start(&self.command))?;
        if status.success() { Ok(report) } else { Err(shell::ended(&self.command, status)) }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The sentence of a report that says how the program grows; else its first line.
pub(super) fn conclusion(report: &str) -> &str {
    let mut lines = report.lines();
    let growth = lines.find(|line| GROWTH.iter().any(|words| line.contains(words)));
    growth.or_else(|| report.lines().next()).unwrap_or("the report is empty")
}
