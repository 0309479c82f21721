//! Lines that wait until it is known that they say something.

use profiler_export::ended_the_run;
use profiler_proto::v1::Event;
use profiler_proto::v1::event::Kind;
use std::time::{Duration, Instant};

/// Time after compiling in which the lines of sizes wait. By its end it is usually known whether a
/// program lacks its input. If it does, the sizes that were measured so far are void.
const HELD_FOR: Duration = Duration::from_secs(1);

/// Lines of the first sizes.
#[derive(Default)]
pub(super) struct Held {
    lines: Vec<String>,
    /// The end of the time in which lines wait.
    until: Option<Instant>,
}

impl Held {
    /// Returns the lines to print at an event, which has this line of its own.
    pub(super) fn due(&mut self, event: &Event, line: Option<String>) -> Vec<String> {
        match &event.kind {
            Some(Kind::Compiled(_)) => self.until = Some(Instant::now() + HELD_FOR),
            Some(Kind::SizeMeasured(_)) if self.until.is_some_and(|end| Instant::now() < end) => {
                self.lines.extend(line);
                return Vec::new();
            }
            Some(Kind::Finished(report)) if ended_the_run(report) => self.lines.clear(),
            _ => {}
        }
        self.lines.drain(..).chain(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{
        CompileStep, InputCheck, InputUse, Outcome, ProfileReport, SizeResult,
    };

    fn due(held: &mut Held, kind: Kind, line: Option<&str>) -> Vec<String> {
        held.due(&Event { kind: Some(kind), ..Event::default() }, line.map(str::to_owned))
    }

    /// A program that has been compiled, and its first size.
    fn begun() -> Held {
        let mut held = Held::default();
        let compiled = Kind::Compiled(CompileStep::default());
        assert_eq!(due(&mut held, compiled, Some("compiled")), ["compiled"]);
        let none: [&str; 0] = [];
        assert_eq!(due(&mut held, measured(), Some("n = 0")), none);
        held
    }

    fn measured() -> Kind {
        Kind::SizeMeasured(SizeResult::default())
    }

    #[test]
    fn first_sizes_are_void_if_the_program_lacks_input() {
        let check = InputCheck {
            input_use: InputUse::Starved.into(),
            default_input: Some("9\n".into()),
            ..InputCheck::default()
        };
        let not_run = SizeResult { outcome: Outcome::NotRun.into(), ..SizeResult::default() };
        let report = ProfileReport {
            input_check: Some(check),
            sizes: vec![not_run],
            ..ProfileReport::default()
        };
        assert!(due(&mut begun(), Kind::Finished(report), None).is_empty());
    }

    #[test]
    fn first_sizes_are_shown_later() {
        let mut held = begun();
        held.until = Some(Instant::now());
        assert_eq!(due(&mut held, measured(), Some("n = 1")), ["n = 0", "n = 1"]);
        assert_eq!(due(&mut held, measured(), Some("n = 5")), ["n = 5"]);
        let finished = || Kind::Finished(ProfileReport::default());
        assert_eq!(due(&mut begun(), finished(), None), ["n = 0"]);
    }

    #[test]
    fn sizes_of_a_program_that_is_not_compiled_here_are_shown_at_once() {
        assert_eq!(due(&mut Held::default(), measured(), Some("n = 0")), ["n = 0"]);
    }
}
