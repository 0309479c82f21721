//! Results on stdout.

use crate::args::ResultFormat;
use crate::exit::Failure;
use profiler_export::{Palette, TextOptions};
use profiler_proto::json;
use serde::Serialize;
use std::env;
use std::io::{ErrorKind, IsTerminal, Write, stdout};
use terminal_size::{Width, terminal_size};

/// Writes a result to stdout.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(text.trim_end().as_bytes())
}

/// Writes a result to stdout: as JSON, or as the text that `table` makes of it.
pub(crate) fn print_as<T: Serialize>(
    format: ResultFormat,
    result: &T,
    table: impl FnOnce() -> String,
) -> Result<(), Failure> {
    print(&match format {
        ResultFormat::Json => json::pretty(result).map_err(Failure::broken("write the result"))?,
        ResultFormat::Table => table(),
    })
}

/// Writes a document to stdout, with a newline at its end unless it is empty. A reader that closes
/// the pipe early, as `head` does, is not a failure.
pub(crate) fn write(content: &[u8]) -> Result<(), Failure> {
    let end: &[u8] = if content.is_empty() || content.ends_with(b"\n") { b"" } else { b"\n" };
    let mut to = stdout().lock();
    match to.write_all(content).and_then(|()| to.write_all(end)).and_then(|()| to.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::broken("write to stdout")(cause))
        }
        _ => Ok(()),
    }
}

/// Returns the options of a text on stdout: in colours and as wide as the terminal, if stdout is
/// one.
pub(crate) fn text_options() -> TextOptions {
    TextOptions { palette: palette(), width: width(), ..TextOptions::default() }
}

/// The columns of the terminal; `None` if stdout is not a terminal.
fn width() -> Option<usize> {
    stdout().is_terminal().then(terminal_size)?.map(|(Width(columns), _)| columns.into())
}

/// The palette for stdout.
pub(crate) fn palette() -> Palette {
    palette_for(&stdout())
}

/// The palette for a stream: colours on a terminal, unless `NO_COLOR` is set.
pub(super) fn palette_for(stream: &impl IsTerminal) -> Palette {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !refused { Palette::coloured() } else { Palette::default() }
}
