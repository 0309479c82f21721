//! Texts that are made from the declared settings: the example file, and the table in
//! `docs/settings.md`.

use super::declared::{DefaultValue, SETTINGS, Setting};
use std::fmt::Write;

/// Precedes the settings in the example file.
const EXAMPLE_HEAD: &str = "\
# Settings of `swiftprof serve`. Each has its meaning, its variable and its range. The variable
# overrides the file. A setting that is commented out shows its default, or an example where the
# comment says what holds without it. `swiftprof serve --config FILE --check-config` checks a file
# and prints what holds. `systemctl reload` changes those that say \"reload\", and
# `systemctl restart` changes all.
";
/// The first lines of the table.
const TABLE_HEAD: &str = "\
| in the file | in the environment | default | range | meaning |
|---|---|---|---|---|
";

/// Writes a file that has every setting, commented out.
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
            DefaultValue::Unset { means, example } => (example, format!("; without it: {means}")),
        };
        let reload = if *reloads { "; reload" } else { "" };
        let _ = writeln!(text, "# {meaning}{unset}");
        let _ = writeln!(text, "#   {variable}, {}{reload}", kind.range());
        let _ = writeln!(text, "#{name} = {value}");
    }
    text
}

/// Writes the table of all settings in Markdown.
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
