//! What is shown on stderr while a run is under way.

mod line;

use crate::args;
use crate::exit::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use profiler_proto::json;
use profiler_proto::v1::Event;
use profiler_proto::v1::event::Kind;
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, PoisonError};

/// The bar where the number of sizes is known, and where it is not.
const MEASURED: &str = "[{bar:24}] {pos}/{len} sizes  {wide_msg}";
const OPEN_ENDED: &str = "{pos} sizes  {wide_msg}";

/// A way to show progress. Clones show it in the same place.
#[derive(Clone)]
pub(crate) enum Progress {
    /// Drawn anew at events alone: a bar that ticks would wake a processor while one is measured.
    Bar(ProgressBar),
    /// The last line, which is not said twice: one that waits hears its place every few seconds.
    Plain(Arc<Mutex<String>>),
    Json,
    None,
}

impl Progress {
    pub(crate) fn new(choice: args::Progress) -> Self {
        match choice {
            args::Progress::Auto if stderr().is_terminal() => Self::Bar(bar()),
            args::Progress::Bar => Self::Bar(bar()),
            args::Progress::Auto | args::Progress::Plain => Self::Plain(Arc::default()),
            args::Progress::Json => Self::Json,
            args::Progress::None => Self::None,
        }
    }

    /// Says something that is no event. Where every line is JSON there is no room for it.
    pub(crate) fn announce(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            Self::Plain(_) | Self::None => eprintln!("{text}"),
            Self::Json => {}
        }
    }

    /// Says how a step that is no event goes on. A bar shows the last such line alone.
    pub(crate) fn mention(&self, text: &str) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(text.to_owned());
                bar.tick();
            }
            Self::Plain(said) => say(said, text),
            Self::Json | Self::None => {}
        }
    }

    /// So many sizes will be measured, each with every candidate, where that is known.
    pub(crate) fn expect(&self, sizes: Option<usize>) {
        if let (Self::Bar(bar), Some(sizes)) = (self, sizes) {
            bar.set_length(sizes as u64);
            bar.set_style(style(MEASURED));
        }
    }

    /// Shows an event.
    pub(crate) fn show(&self, event: &Event) -> Result<(), Failure> {
        match self {
            Self::Bar(bar) => {
                if let Some(line) = line::of(event) {
                    bar.set_message(line);
                }
                match event.kind {
                    Some(Kind::SizeMeasured(_)) => bar.inc(1),
                    // The sizes before it are void.
                    Some(Kind::Restarted(_)) => bar.set_position(0),
                    _ => {}
                }
                bar.tick();
            }
            Self::Plain(said) => line::of(event).iter().for_each(|line| say(said, line)),
            Self::Json => {
                let line = json::to_string(event).map_err(Failure::broken("show an event"))?;
                eprintln!("{line}");
            }
            Self::None => {}
        }
        Ok(())
    }

    /// Leaves stderr as it was.
    pub(crate) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn say(said: &Mutex<String>, line: &str) {
    // Nothing panics while it is held, and a line said twice does no harm.
    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
    if *said != line {
        eprintln!("{line}");
        line.clone_into(&mut said);
    }
}

fn bar() -> ProgressBar {
    ProgressBar::new_spinner().with_style(style(OPEN_ENDED)).with_message("compiling")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_sound() {
        for template in [MEASURED, OPEN_ENDED] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
