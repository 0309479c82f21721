//! Logging. It goes to stderr, so that stdout stays free for results.
//!
//! INFO says what programs and the server do. WARN and ERROR call for action by the operator. An
//! event is one line, whatever it quotes.

use super::json_lines::JsonLines;
use crate::config::{LogFormat, LogLevel};
use profiler_export::readable;
use std::fmt;
use std::io::{IsTerminal, stderr};
use std::panic::{self, PanicHookInfo};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::{self, JsonFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, Registry};

/// The target of every log message of the profiler.
pub const TARGET: &str = "Profiler";
/// The target of messages about the start of a server, such as its address. They are logged at
/// every level.
pub const START: &str = "Profiler::start";

/// Starts logging: messages of the profiler at `level` and above, and warnings of its libraries. A
/// program calls this once, in `main`.
pub fn init(level: LogLevel, format: LogFormat) -> Result<LevelSwitch, TryInitError> {
    let (filter, handle) = reload::Layer::new(filter_of(level));
    tracing_subscriber::registry().with(lines(format)).with(filter).try_init()?;
    panic::set_hook(Box::new(log_panic));
    Ok(LevelSwitch(Box::new(move |level| handle.reload(filter_of(level)))))
}

/// Changes the level of the log.
pub struct LevelSwitch(Box<dyn Fn(LogLevel) -> Result<(), reload::Error> + Send + Sync>);

impl LevelSwitch {
    /// Logs messages at `level` and above.
    pub fn set(&self, level: LogLevel) {
        if let Err(error) = (self.0)(level) {
            tracing::warn!(target: TARGET, "cannot change the level of the log: {error}");
        }
    }
}

fn filter_of(level: LogLevel) -> Targets {
    let libraries = level.0.min(LevelFilter::WARN);
    Targets::new()
        .with_default(libraries)
        .with_target(TARGET, level.0)
        .with_target(START, level.0.max(LevelFilter::INFO))
}

/// Returns the layer that writes an event as a line.
fn lines(format: LogFormat) -> Box<dyn Layer<Registry> + Send + Sync> {
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr);
    match format {
        LogFormat::Text => {
            let field = |writer: &mut format::Writer<'_>,
                         field: &tracing::field::Field,
                         value: &dyn fmt::Debug| {
                let value = one_line(&format!("{value:?}"));
                match field.name() {
                    "message" => write!(writer, "{value}"),
                    name => write!(writer, "{name}={value}"),
                }
            };
            let fields = format::debug_fn(field).delimited(" ");
            lines.with_ansi(stderr().is_terminal()).fmt_fields(fields).boxed()
        }
        LogFormat::Json => {
            lines.with_ansi(false).fmt_fields(JsonFields::new()).event_format(JsonLines).boxed()
        }
    }
}

/// Logs a panic as an event, so that it has a time and is one line.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("a panic without a text");
    tracing::error!(target: TARGET, place, "panicked: {message}");
}

/// Escapes the control characters of a text, so that it stays one line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    readable(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_several_lines_is_one_line() {
        assert_eq!(one_line("a\nb\u{1b}[31m é\u{202e}"), "a\\nb\\u{1b}[31m é\u{fffd}");
    }
}
