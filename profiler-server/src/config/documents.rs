//! The texts that are made from the declarations: the example file, and the table of the documents.

use super::declared::{DefaultValue, SETTINGS, Setting};
use std::fmt::Write;

/// Precedes the settings in the example file.
const EXAMPLE_HEAD: &str = "\
# Settings of `swiftprof serve`. A line that begins with `#` and a name shows the default, or an
# example where the comment says so. `swiftprof serve --config FILE --check-config` checks a file
# and prints what holds. After a change: `systemctl reload` for the settings that say \"reload\", and
# `systemctl restart` for all. A variable of the environment overrides the file.
";
/// The first lines of the table.
const TABLE_HEAD: &str = "\
| in the file | in the environment | default | range | meaning |
|---|---|---|---|---|
";

/// A file that has every setting, commented out.
pub fn example() -> String {
    let mut text = EXAMPLE_HEAD.to_owned();
    let mut open = None;
    // Writing to a string cannot fail.
    for setting in SETTINGS {
        let (table, name) = setting.path();
        if table != open {
            open = table;
            let _ = writeln!(text, "\n[{}]", table.unwrap_or_default());
        } else if table.is_none() {
            text.push('\n');
        }
        let Setting { variable, meaning, kind, reloads, .. } = setting;
        let (value, unset) = match setting.default {
            DefaultValue::Value(value) => (value, String::new()),
            DefaultValue::Unset { means, example } => {
                (example, format!("; an example, the default is {means}"))
            }
        };
        let reload = if *reloads { ", reload" } else { "" };
        let _ = writeln!(text, "# {meaning} ({}, {variable}{reload}){unset}", kind.range());
        let _ = writeln!(text, "#{name} = {value}");
    }
    text
}

/// The table of all settings in Markdown.
pub fn table() -> String {
    let mut text = TABLE_HEAD.to_owned();
    for setting in SETTINGS {
        let Setting { key, variable, kind, meaning, option, reloads, .. } = setting;
        let default = match setting.default {
            DefaultValue::Value(value) => format!("`{value}`"),
            DefaultValue::Unset { means, .. } => means.to_owned(),
        };
        let option = option.map(|option| format!(", `{option}`")).unwrap_or_default();
        let reload = if *reloads { " ↻" } else { "" };
        let _ = writeln!(
            text,
            "| `{key}`{reload} | `{variable}`{option} | {default} | {} | {meaning} |",
            kind.range()
        );
    }
    text
}
