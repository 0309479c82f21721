//! Flags of the compiler.

use crate::arguments::Arguments;
use serde_json::Value;

/// Default flags, each by its beginning and as a whole.
const DEFAULTS: [(&str, &str); 2] = [("-O", "-O2"), (STANDARD, "-std=c++17")];
/// Beginning of the flag that sets the standard of C++.
const STANDARD: &str = "-std=";
/// The standards of C++.
pub(crate) const STANDARDS: [(&str, &str); 5] = [
    ("c++11", "c++11"),
    ("c++14", "c++14"),
    ("c++17", "c++17"),
    ("c++20", "c++20"),
    ("c++23", "c++23"),
];

/// Reads flags and the standard; none if neither is given. A flag replaces only the default flag
/// that has the same beginning.
pub(super) fn read(arguments: &mut Arguments) -> Vec<String> {
    let mut given = match arguments.value("flags") {
        Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) if list.iter().all(Value::is_string) => {
            list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(_) => {
            arguments.refuse("flags", "must be a list of flags, such as [\"-O3\"]");
            Vec::new()
        }
        None => Vec::new(),
    };
    let has = |given: &[String], begin: &str| given.iter().any(|flag| flag.starts_with(begin));
    if let Some(standard) = arguments.choice("std", &STANDARDS) {
        if has(&given, STANDARD) {
            arguments.refuse("std", "cannot be used with a flag -std");
        }
        given.insert(0, format!("{STANDARD}{standard}"));
    }
    if given.is_empty() {
        return given;
    }
    let missing = DEFAULTS.iter().filter(|(begin, _)| !has(&given, begin));
    let missing: Vec<_> = missing.map(|(_, flag)| (*flag).to_owned()).collect();
    missing.into_iter().chain(given).collect()
}
