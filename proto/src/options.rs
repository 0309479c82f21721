//! Options of a job: the fields of a job, with the names that callers use. Each is declared once,
//! with its names, its range and its meaning, at its field in the .proto files; see `option.proto`.

use crate::v1;
use std::ops::RangeInclusive;

include!("gen/options.rs");

/// Field of a [`v1::Job`] that callers set.
#[derive(Debug)]
pub struct JobOption {
    /// Path of the field in a job, such as `limits.timeout_ms`.
    pub field: &'static str,
    /// Flag of `swiftprof run` without the dashes; empty if there is no flag.
    pub flag: &'static str,
    /// Argument of the tools for agents; empty if there is no argument.
    pub argument: &'static str,
    /// Placeholder of the flag's value in the help.
    pub value_name: &'static str,
    /// Heading of the flag in the help.
    pub heading: v1::OptionHeading,
    /// Whether the flag is left out of the short help.
    pub is_advanced: bool,
    /// Meaning of the option: a paragraph whose first sentence is the short help.
    pub meaning: &'static str,
    /// Fields that cannot be set with this one.
    pub excludes: &'static [Exclusion],
    /// Values of the option.
    pub kind: Kind,
}

/// Field that cannot be set together with another one.
#[derive(Debug)]
pub struct Exclusion {
    /// Path of the field in a job.
    pub field: &'static str,
    /// Whether a job sets both fields.
    pub has_both: fn(&v1::Job) -> bool,
}

/// Values of an option, with the access to its field.
#[derive(Debug)]
pub enum Kind {
    /// Yes or no.
    Switch {
        /// Writes the field.
        set: fn(&mut v1::Job, bool),
    },
    /// Whole number.
    Count {
        /// Allowed values.
        range: RangeInclusive<u32>,
        /// Reads the field.
        get: fn(&v1::Job) -> Option<u32>,
        /// Writes the field.
        set: fn(&mut v1::Job, u32),
    },
    /// Fraction or other real number.
    Number {
        /// Allowed values.
        range: RangeInclusive<f64>,
        /// Reads the field.
        get: fn(&v1::Job) -> Option<f64>,
        /// Writes the field.
        set: fn(&mut v1::Job, f64),
    },
    /// Text.
    Text {
        /// Writes the field.
        set: fn(&mut v1::Job, String),
    },
    /// One of several words.
    Choice {
        /// Allowed words.
        values: &'static [Value],
        /// Word that applies on the command line and in the tools for agents if no word is given;
        /// empty if the default has no word.
        default: &'static str,
        /// Writes the number of a word's value.
        set: fn(&mut v1::Job, i32),
    },
    /// Message, list or map, or a field inside a message. Each client has its own way to read it.
    Structured,
}

/// Word that an option can have.
#[derive(Debug)]
pub struct Value {
    /// Word, as people type it.
    pub word: &'static str,
    /// Number of the enum's value.
    pub number: i32,
    /// Meaning of the value.
    pub meaning: &'static str,
}

impl v1::Job {
    /// Whether the job names a comparison of answers other than the default one, word by word.
    pub fn names_comparison(&self) -> bool {
        !matches!(self.checker(), v1::Checker::Unspecified | v1::Checker::Words)
    }
}

impl JobOption {
    /// Returns the first sentence of the meaning, without its period.
    pub fn summary(&self) -> &'static str {
        summary(self.meaning)
    }

    fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.field);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

impl Value {
    /// Returns the first sentence of the meaning, without its period.
    pub fn summary(&self) -> &'static str {
        summary(self.meaning)
    }
}

fn summary(meaning: &'static str) -> &'static str {
    let first = meaning.split(". ").next().unwrap_or_default();
    first.strip_suffix('.').unwrap_or(first)
}

/// Returns the innermost option that contains the field at this path, which can have indices.
pub fn of_field(path: &str) -> Option<&'static JobOption> {
    OPTIONS.iter().filter(|option| option.holds(path)).max_by_key(|option| option.field.len())
}

/// Returns the fields of a job that are outside their declared range or exclude each other, each
/// with its problem.
pub fn problems(job: &v1::Job) -> Vec<(&'static str, String)> {
    let of = |option: &'static JobOption| {
        let excluded = option.excludes.iter().filter(|it| (it.has_both)(job));
        let excluded = excluded.map(|it| format!("cannot be used with {}", it.field));
        excluded.chain(out_of_range(option, job)).map(|problem| (option.field, problem))
    };
    OPTIONS.iter().flat_map(of).collect()
}

fn out_of_range(option: &JobOption, job: &v1::Job) -> Option<String> {
    let (value, low, high) = match &option.kind {
        Kind::Count { range, get, .. } => {
            (f64::from(get(job)?), f64::from(*range.start()), f64::from(*range.end()))
        }
        Kind::Number { range, get, .. } => (get(job)?, *range.start(), *range.end()),
        _ => return None,
    };
    let is_good = (low..=high).contains(&value);
    (!is_good).then(|| format!("must be from {low} to {high}, not {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn innermost_option_holds_a_field() {
        let flag = |path| of_field(path).map(|option| option.flag);
        assert_eq!(flag("limits.timeout_ms"), Some("timeout"));
        assert_eq!(flag("input_sizes[3]"), Some("sizes"));
        assert_eq!(flag("worst.line"), Some("for line"));
        assert_eq!(flag("worst.seconds_ago"), Some("worst"));
        assert_eq!(flag("input_size"), None);
    }

    #[test]
    fn numbers_have_their_range() {
        for (precision, is_good) in
            [(0.01, true), (1.0, true), (0.009, false), (1.1, false), (f64::NAN, false)]
        {
            let job = v1::Job { precision: Some(precision), ..v1::Job::default() };
            assert_eq!(problems(&job).is_empty(), is_good, "{precision}");
        }
        let job = v1::Job { repetitions: Some(101), ..v1::Job::default() };
        assert_eq!(problems(&job), [("repetitions", "must be from 1 to 100, not 101".to_owned())]);
    }

    #[test]
    fn excluded_field_is_named() {
        let job = v1::Job { precision: Some(0.1), repetitions: Some(3), ..v1::Job::default() };
        assert_eq!(problems(&job), [("precision", "cannot be used with repetitions".to_owned())]);
    }

    #[test]
    fn flags_are_unique() {
        let flags = OPTIONS.iter().map(|option| option.flag).filter(|flag| !flag.is_empty());
        let mut flags: Vec<_> = flags.collect();
        let all = flags.len();
        flags.sort_unstable();
        flags.dedup();
        assert_eq!(flags.len(), all, "{flags:?}");
    }

    #[test]
    fn default_is_a_value() {
        for option in &OPTIONS {
            if let Kind::Choice { values, default, .. } = &option.kind {
                let is_known = values.iter().any(|value| value.word == *default);
                assert!(default.is_empty() || is_known, "{}", option.field);
            }
        }
    }

    #[test]
    fn summary_is_the_first_sentence() {
        let growth = of_field("growth").unwrap();
        assert_eq!(growth.summary(), "Effort of classifying the growth of time and memory");
        assert_eq!(of_field("schedule").unwrap().summary(), "Choice of the sizes");
    }
}
