//! The complexity that a task expects, as `expected_complexity` of its file says it, beside how the time grew.

mod form;

use crate::request::size_variable;
use form::Unread;
use profiler_export::readable;
use profiler_growth::Class;
use profiler_proto::v1::{GrowthClassification, Job, ProfileReport, Warning, WarningCode};

/// The warnings' codes.
const SLOWER: WarningCode = WarningCode::GrowsFasterThanExpected;
const UNREAD: WarningCode = WarningCode::ExpectedComplexity;
/// So many characters of a text that is not read are quoted.
const QUOTED: usize = 60;

/// What a task expects.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected(Result<Class, String>);

impl Expected {
    /// What a text like "O(n log n)" says of the job's size.
    pub(super) fn of(text: &str, job: &Job) -> Self {
        let size = size_variable(job);
        let bounded = |name: &str| job.input_bounds.contains_key(name);
        let quoted: String = readable(text).chars().take(QUOTED).collect();
        Self(form::read(text, |name| is_size(name, &size, bounded)).map_err(|unread| match unread {
            Unread::Variable(name) => format!(
                "expected_complexity \"{quoted}\" is not comparable: growth is over {size}, and it is over \
                 {} too",
                readable(&name),
            ),
            Unread::Form => {
                format!("expected_complexity \"{quoted}\" is not read: known are {}", form::KNOWN)
            }
        }))
    }

    /// Says in one line how the time grew beside what was expected. Growth that is faster, and a text that is not
    /// read, become warnings of the report, and the line is none.
    pub(super) fn compare(&self, report: &mut ProfileReport) -> Option<String> {
        let time = report.growth.as_ref().and_then(|growth| growth.time.as_ref());
        let (code, message) = match &self.0 {
            Err(problem) => (UNREAD, problem.clone()),
            Ok(expected) => match judged(*expected, time) {
                Ok(line) => return Some(line),
                Err(problem) => (SLOWER, problem),
            },
        };
        report.warnings.push(Warning { code: code.into(), message, ..Warning::default() });
        None
    }
}

/// The line where all is well or nothing is known, and what to warn of where the time grows faster.
fn judged(expected: Class, time: Option<&GrowthClassification>) -> Result<String, String> {
    let wanted = expected.name();
    let told = time.and_then(|time| Some((time, time.class()?)));
    let Some((time, grown)) = told else {
        return Ok(format!("the task expects {wanted}: whether time grows so cannot be told"));
    };
    let runner_up = time.runner_up_class().filter(|&class| class == expected);
    let runner_up = runner_up.and(time.runner_up_confidence);
    let runner_up = runner_up.map(|it| format!(", {wanted} {it:.2}")).unwrap_or_default();
    let confidence =
        time.confidence.map(|it| format!(" (confidence {it:.2}{runner_up})")).unwrap_or_default();
    let name = grown.name();
    if name == wanted {
        Ok(format!("the task expects {wanted}, and time grows so{confidence}"))
    } else if grown.rank() < expected.rank() {
        Ok(format!("the task expects {wanted}; time grows more slowly, like {name}{confidence}"))
    } else {
        Err(format!("the task expects {wanted}; time grows like {name}{confidence}"))
    }
}

/// Whether a name in the text is the size. Letters' case counts only where another variable differs by it.
fn is_size(name: &str, size: &str, bounded: impl Fn(&str) -> bool) -> bool {
    name == size || (name.eq_ignore_ascii_case(size) && !bounded(name))
}

#[cfg(test)]
mod tests;
