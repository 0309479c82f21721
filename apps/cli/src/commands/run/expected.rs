//! The complexity that a task expects, compared with the measured growth of the time.

mod form;

use crate::job_request::size_variable;
use form::FormError;
use profiler_export::readable;
use profiler_growth::Class;
use profiler_proto::v1::{GrowthClassification, Job, Warning, WarningCode};

/// Maximum number of characters that a message quotes of an unreadable text.
const MAX_QUOTED: usize = 60;

/// The complexity that a task expects, or why it cannot be compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected(Result<Class, String>);

/// The result of the comparison with the measured growth.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Finding {
    /// A sentence: the growth is not faster than expected, or unknown.
    Note(String),
    /// The growth is faster than expected, or the expected complexity cannot be compared.
    Warning(Warning),
}

impl Expected {
    /// Reads a text like "O(n log n)", in which the job's size variable may have any name.
    pub(super) fn parse(text: &str, job: &Job) -> Self {
        let size = size_variable(job);
        let bounded = |name: &str| job.input_bounds.contains_key(name);
        let quoted: String = readable(text).chars().take(MAX_QUOTED).collect();
        Self(form::parse(text, |name| is_size(name, &size, bounded)).map_err(|error| match error {
            FormError::Variable(name) => format!(
                "expected_complexity \"{quoted}\" cannot be compared: growth is measured over {size}, but \
                 the text also has {}",
                readable(&name),
            ),
            FormError::Form => format!(
                "expected_complexity \"{quoted}\" is not supported; supported are {}",
                form::supported()
            ),
        }))
    }

    /// Compares the measured growth of the time with the expected class.
    pub(super) fn compare(&self, time: Option<&GrowthClassification>) -> Finding {
        let warning = |code: WarningCode, message| {
            Finding::Warning(Warning { code: code.into(), message, ..Warning::default() })
        };
        let expected = match &self.0 {
            Ok(expected) => *expected,
            Err(problem) => return warning(WarningCode::ExpectedComplexity, problem.clone()),
        };
        let name = expected.name();
        let Some((time, class)) = time.and_then(|time| Some((time, time.class()?))) else {
            return Finding::Note(format!(
                "the task expects {name}; the growth of time is unknown"
            ));
        };
        let manner = class.manner();
        let confidence = confidence(time, expected);
        if class.is_near(expected) {
            Finding::Note(format!("the task expects {name}, and time grows like that{confidence}"))
        } else if class.rank() < expected.rank() {
            Finding::Note(format!(
                "the task expects {name}; time grows more slowly, {manner}{confidence}"
            ))
        } else {
            let message = format!("the task expects {name}; time grows {manner}{confidence}");
            warning(WarningCode::GrowsFasterThanExpected, message)
        }
    }
}

/// Renders the confidence in parentheses. Adds the confidence of the expected class if that class
/// is the runner-up.
fn confidence(time: &GrowthClassification, expected: Class) -> String {
    let runner_up = time.runner_up_class().filter(|&class| class == expected);
    let runner_up = runner_up.and(time.runner_up_confidence);
    let name = expected.name();
    let runner_up = runner_up.map(|it| format!(", {name} {it:.2}")).unwrap_or_default();
    time.confidence.map(|it| format!(" (confidence {it:.2}{runner_up})")).unwrap_or_default()
}

/// Whether a name in the text is the size variable. Case is ignored, unless the name is exactly
/// that of another bounded variable.
fn is_size(name: &str, size: &str, bounded: impl Fn(&str) -> bool) -> bool {
    name == size || (name.eq_ignore_ascii_case(size) && !bounded(name))
}

#[cfg(test)]
mod tests;
