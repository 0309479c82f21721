//! The arguments of a call, read one by one. All problems are collected, so that one answer names
//! them all.

use crate::failure::{Failure, Problem};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Maximum number of problems listed.
const MAX_PROBLEMS: usize = 16;
/// Maximum number of bytes that a message repeats of a wrong value.
const SHOWN_BYTES: usize = 40;
/// 2^53: below it, every whole number of JSON is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Arguments {
    given: Map<String, Value>,
    problems: Vec<Problem>,
}

impl Arguments {
    /// Takes the given arguments. Names that are not allowed are problems. An argument that is
    /// `null` counts as not given.
    pub(crate) fn new(mut given: Map<String, Value>, allowed: &[impl AsRef<str>]) -> Self {
        given.retain(|_, value| !value.is_null());
        let allowed: Vec<_> = allowed.iter().map(AsRef::as_ref).collect();
        let unknown = given.keys().filter(|name| !allowed.contains(&name.as_str()));
        let problem = format!("is not an argument of this tool, which has: {}", allowed.join(", "));
        let problems = unknown.map(|name| {
            Problem::new(crate::tool_result::clipped(name, SHOWN_BYTES), problem.clone())
        });
        let problems = problems.take(MAX_PROBLEMS).collect();
        Self { given, problems }
    }

    /// Adds a problem.
    pub(crate) fn refuse(&mut self, argument: &str, problem: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(argument, problem));
        }
    }

    /// Whether the argument is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Takes the value of an argument of any type.
    pub(crate) fn value(&mut self, name: &str) -> Option<Value> {
        self.given.remove(name)
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.given.remove(name)? {
            Value::String(text) => Some(text),
            other => self.wrong(name, "a string", &other),
        }
    }

    /// Refuses a call without the argument.
    pub(crate) fn need(&mut self, name: &str, wanted: &str) {
        if !self.has(name) {
            self.refuse(name, format!("is required and must be {wanted}"));
        }
    }

    /// Refuses a call that does not say which inputs are valid.
    pub(crate) fn need_input(&mut self) {
        if !self.has("input_spec") && !self.has("samples") {
            self.refuse(
                "input_spec",
                "is required if samples is absent: one of them says which inputs are valid",
            );
        }
    }

    /// Takes a text that must be given.
    pub(crate) fn needed_text(&mut self, name: &str) -> String {
        self.need(name, "a string");
        self.text(name).unwrap_or_default()
    }

    /// Takes a list of texts; empty if it is not given.
    pub(crate) fn texts(&mut self, name: &str) -> Vec<String> {
        self.list(name, "a list of strings", |item| item.as_str().map(str::to_owned))
    }

    /// Takes true or false; false if it is not given.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.given.remove(name) {
            None => false,
            Some(Value::Bool(value)) => value,
            Some(other) => self.wrong(name, "true or false", &other).unwrap_or_default(),
        }
    }

    /// Takes a whole number in a range.
    pub(crate) fn number(&mut self, name: &str, allowed: RangeInclusive<u64>) -> Option<u64> {
        let value = self.given.remove(name)?;
        let number = whole(&value).filter(|number| allowed.contains(number));
        let (low, high) = (allowed.start(), allowed.end());
        number.or_else(|| self.wrong(name, &format!("a whole number from {low} to {high}"), &value))
    }

    /// Takes a number in a range.
    pub(crate) fn real(&mut self, name: &str, allowed: &RangeInclusive<f64>) -> Option<f64> {
        let value = self.given.remove(name)?;
        let number = value.as_f64().filter(|number| allowed.contains(number));
        let (low, high) = (allowed.start(), allowed.end());
        number.or_else(|| self.wrong(name, &format!("a number from {low} to {high}"), &value))
    }

    /// Takes sizes, which ascend; empty if they are not given.
    pub(crate) fn sizes(&mut self, name: &str) -> Vec<u64> {
        let Some(value) = self.given.remove(name) else { return Vec::new() };
        let wanted = "an ascending list of whole numbers, such as [1000, \"1e5\"], or a range, \
                      such as \"1..10^6 x2\"";
        sizes(&value).or_else(|| self.wrong(name, wanted, &value)).unwrap_or_default()
    }

    /// Takes a list whose items `item` reads; empty if it is not given.
    pub(crate) fn list<T>(
        &mut self,
        name: &str,
        wanted: &str,
        item: fn(&Value) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.given.remove(name) else { return Vec::new() };
        let items: Option<Vec<_>> =
            value.as_array().and_then(|list| list.iter().map(item).collect());
        items.or_else(|| self.wrong(name, wanted, &value)).unwrap_or_default()
    }

    /// Takes one of several words.
    pub(crate) fn choice<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Option<T> {
        let value = self.given.remove(name)?;
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        let all: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let wanted = format!("one of {}", all.join(", "));
        found.map(|(_, value)| *value).or_else(|| self.wrong(name, &wanted, &value))
    }

    /// Returns an error if any argument was wrong.
    pub(crate) fn end(self) -> Result<(), Failure> {
        if self.problems.is_empty() { Ok(()) } else { Err(Failure::Arguments(self.problems)) }
    }

    fn wrong<T>(&mut self, name: &str, wanted: &str, value: &Value) -> Option<T> {
        let shown = crate::tool_result::clipped(&value.to_string(), SHOWN_BYTES);
        self.refuse(name, format!("must be {wanted}, not {shown}"));
        None
    }
}

/// Reads sizes: a list of numbers or texts, or one text such as `1000..10^6 x10`.
fn sizes(value: &Value) -> Option<Vec<u64>> {
    match value {
        Value::String(text) => profiler_input::sizes(text).ok(),
        Value::Array(list) => list.iter().map(whole).collect(),
        _ => None,
    }
}

/// Reads a whole number that is not negative, or a text such as 1e5, `100_000` or 10^6.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number below 2^53"
)]
fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|it| it.fract() == 0.0 && (0.0..EXACT).contains(it));
    match value {
        Value::String(text) => profiler_input::size(text).ok(),
        _ => value.as_u64().or_else(|| Some(float()? as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(given: Value) -> Arguments {
        Arguments::new(
            crate::tool_result::object(given),
            &["code", "sizes", "n", "growth", "hotspots", "share"],
        )
    }

    #[test]
    fn right_arguments_are_read() {
        let given = json!({ "code": "x", "sizes": [1, 1e5], "n": null, "share": 1e-6 });
        let mut all = arguments(given);
        assert_eq!(all.needed_text("code"), "x");
        assert_eq!(all.sizes("sizes"), [1, 100_000]);
        assert_eq!(all.number("n", 1..=9), None);
        assert_eq!(all.real("share", &(0.0..=1.0)), Some(1e-6));
        assert!(!all.flag("hotspots"));
        assert!(all.end().is_ok());
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |sizes: Value| {
            let mut all = arguments(json!({ "sizes": sizes, "n": "100_000" }));
            let read = (all.sizes("sizes"), all.number("n", 1..=1_000_000));
            all.end().map(|()| read).ok()
        };
        for (sizes, expected) in [
            (json!([1000, "1e5", "10^6"]), vec![1000, 100_000, 1_000_000]),
            (json!("10..1000 x10"), vec![10, 100, 1000]),
            (json!("1_000"), vec![1000]),
        ] {
            assert_eq!(read(sizes), Some((expected, Some(100_000))));
        }
        assert!(read(json!([1000, "many"])).is_none() && read(json!(7)).is_none());
    }

    #[test]
    fn every_wrong_argument_is_named_with_what_is_allowed() {
        let given = json!({
            "cod": 1, "sizes": "1..8", "n": 1.5, "growth": "fast", "hotspots": 1, "share": 2,
        });
        let mut all = arguments(given);
        all.needed_text("code");
        all.sizes("sizes");
        all.number("n", 1..=9);
        all.choice("growth", &[("timed", 1), ("full", 2)]);
        all.flag("hotspots");
        all.real("share", &(0.0..=1.0));
        let Err(Failure::Arguments(problems)) = all.end() else { panic!("accepted") };
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "cod: is not an argument of this tool, which has: code, sizes, n, growth, hotspots, \
                 share",
                "code: is required and must be a string",
                "sizes: must be an ascending list of whole numbers, such as [1000, \"1e5\"], or a \
                 range, such as \"1..10^6 x2\", not \"1..8\"",
                "n: must be a whole number from 1 to 9, not 1.5",
                "growth: must be one of timed, full, not \"fast\"",
                "hotspots: must be true or false, not 1",
                "share: must be a number from 0 to 1, not 2",
            ]
        );
    }
}
