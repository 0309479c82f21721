//! Shows the progress of a run on stderr.

mod held;
mod line;

use crate::args;
use crate::exit::Failure;
use crate::stderr::{tell, write_line};
use held::Held;
use indicatif::{ProgressBar, ProgressStyle};
use profiler_export::{readable, readable_name};
use profiler_proto::json;
use profiler_proto::v1::Event;
use profiler_proto::v1::event::Kind;
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Template of the bar if the number of sizes is known.
const KNOWN_COUNT: &str = "[{bar:24}] {pos}/{len} sizes  {wide_msg}";
/// Template of the bar if the number of sizes is not known.
const OPEN_ENDED: &str = "{pos} sizes  {wide_msg}";

/// First step of a run.
const COMPILING: &str = "compiling";
/// Template of the bar if no sizes are measured.
const STEPS: &str = "[{elapsed}] {wide_msg}";
/// Minimum time between two messages about the progress of one step.
const STEP_INTERVAL: Duration = Duration::from_secs(1);

/// A way to show progress. Clones share their output.
#[derive(Clone)]
pub(crate) struct Progress {
    form: Form,
    /// Prefix of a line; empty if there is only one program.
    label: String,
    /// The last announcement, to skip repetitions.
    announced: Arc<Mutex<String>>,
    /// Lines that wait, of a plain progress.
    held: Arc<Mutex<Held>>,
}

#[derive(Clone)]
enum Form {
    /// Redrawn at events only: a ticking bar would wake a processor during a measurement.
    Bar(ProgressBar),
    /// Holds the last line, to skip repetitions: a waiting run reports its place every few seconds.
    Plain(Arc<Mutex<String>>),
    Json,
    None,
}

impl Progress {
    pub(crate) fn new(choice: args::Progress) -> Self {
        let form = match choice {
            args::Progress::Auto if stderr().is_terminal() => Form::Bar(bar()),
            args::Progress::Bar => Form::Bar(bar()),
            args::Progress::Auto | args::Progress::Plain => Form::Plain(Arc::default()),
            args::Progress::Json => Form::Json,
            args::Progress::None => Form::None,
        };
        Self { form, label: String::new(), announced: Arc::default(), held: Arc::default() }
    }

    /// Returns the same progress, for a command that measures no sizes.
    pub(crate) fn without_sizes(self) -> Self {
        if let Form::Bar(bar) = &self.form {
            bar.set_style(style(STEPS));
        }
        self
    }

    /// Returns the same progress, with a label at the beginning of each line.
    pub(crate) fn labelled(&self, label: &str) -> Self {
        let held = Arc::default();
        Self { label: format!("{}  ", readable_name(label)), held, ..self.clone() }
    }

    /// Prints a message that is not an event, unless it repeats the last message. JSON output omits
    /// messages, because each of its lines is an event.
    pub(crate) fn announce(&self, text: &str) {
        match &self.form {
            Form::Bar(bar) => bar.suspend(|| print_once(&self.announced, text)),
            Form::Plain(_) => print_once(&self.announced, text),
            Form::Json | Form::None => {}
        }
    }

    /// Shows the progress of a step that has no events. A bar shows only the latest of these lines.
    pub(crate) fn show_step(&self, text: &str) {
        let text = format!("{}{}", self.label, readable(text));
        match &self.form {
            Form::Bar(bar) => {
                bar.set_message(text);
                bar.tick();
            }
            Form::Plain(last) => print_once(last, &text),
            Form::Json | Form::None => {}
        }
    }

    /// Returns a function that shows the progress of a step at most once in [`STEP_INTERVAL`].
    pub(crate) fn show_seldom(&self) -> impl FnMut(&dyn Fn() -> String) {
        let mut shown = Instant::now();
        move |text| {
            if shown.elapsed() >= STEP_INTERVAL {
                shown = Instant::now();
                self.show_step(&text());
            }
        }
    }

    /// Sets the number of sizes times candidates, if known, and begins at 0. A run without sizes
    /// has steps alone.
    pub(crate) fn set_length(&self, sizes: Option<usize>) {
        if let (Form::Bar(bar), Some(sizes)) = (&self.form, sizes) {
            bar.set_position(0);
            bar.set_length(sizes as u64);
            bar.set_style(style(if sizes == 0 { STEPS } else { KNOWN_COUNT }));
        }
    }

    /// Shows an event.
    pub(crate) fn show(&self, event: &Event) -> Result<(), Failure> {
        let described = line::describe(event).map(|line| format!("{}{line}", self.label));
        match &self.form {
            Form::Bar(bar) => {
                match (&event.kind, described) {
                    (Some(Kind::Restarted(_)), Some(line)) => {
                        // The line stays above the bar, because it says why the bar begins again.
                        bar.suspend(|| tell(format_args!("{line}")));
                        bar.set_position(0);
                        bar.set_message(format!("{}{COMPILING}", self.label));
                    }
                    (_, Some(line)) => bar.set_message(line),
                    (_, None) => {}
                }
                if matches!(event.kind, Some(Kind::SizeMeasured(_))) {
                    bar.inc(1);
                }
                bar.tick();
            }
            Form::Plain(last) => {
                let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                held.due(event, described).iter().for_each(|line| print_once(last, line));
            }
            Form::Json => {
                write_line(&json::to_string(event).map_err(Failure::broken("show an event"))?);
            }
            Form::None => {}
        }
        Ok(())
    }

    /// Clears the bar.
    pub(crate) fn finish(&self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }
}

/// Prints a line unless it repeats the last one.
fn print_once(last: &Mutex<String>, line: &str) {
    // Nothing panics while the lock is held, and a repeated line does no harm.
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    if *last != line {
        tell(format_args!("{line}"));
        line.clone_into(&mut last);
    }
}

fn bar() -> ProgressBar {
    ProgressBar::new_spinner().with_style(style(OPEN_ENDED)).with_message(COMPILING)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{Restarted, SizeResult};

    #[test]
    fn templates_are_sound() {
        for template in [KNOWN_COUNT, OPEN_ENDED, STEPS] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn restart_begins_the_bar_again() {
        let bar = ProgressBar::hidden();
        let form = Form::Bar(bar.clone());
        let progress = Progress { form, ..Progress::new(args::Progress::None) };
        let position_after = |kind| {
            progress.show(&Event { kind: Some(kind), ..Event::default() }).unwrap();
            bar.position()
        };
        let measured = || Kind::SizeMeasured(SizeResult::default());
        let restarted = Kind::Restarted(Restarted::default());
        let positions = [measured(), measured(), restarted, measured()].map(position_after);
        assert_eq!(positions, [1, 2, 0, 1]);
    }
}
