//! The essentials of an answer as text, for clients that show the structured content to no model.
//!
//! The text has the summary, the figures by the names that they have in the structured content, and
//! the next step. If it is too long, its longest part is shortened until it fits.

use super::shortening::{clipped, largest};
use serde_json::{Map, Value};

/// Maximum length of the text of an answer, in bytes.
pub const MAX_TEXT_BYTES: usize = 2_048;
/// Figures that the summary or the next step already has.
const TOLD: [&str; 7] =
    ["verdict", "next", "wrong_arguments", "fault", "missing", "sizes_so_far", "shortened"];
/// List whose last items matter most: the largest sizes.
const SIZES: &str = "sizes";
/// Place of a figure that a row lacks.
const ABSENT: &str = "-";
/// Note at the end of a text from which something was left out.
const SHORTENED: &str = "(shortened; the whole is in the structured content and in report.json)";

/// Renders a summary, figures that may have been shortened, and the next step.
pub(super) fn text(
    summary: &str,
    (figures, mut is_shortened): (&Map<String, Value>, bool),
    next: &str,
) -> String {
    let next = if next.is_empty() { String::new() } else { format!("next: {next}") };
    let shown =
        figures.iter().filter(|(name, value)| !TOLD.contains(&name.as_str()) && !value.is_null());
    let mut parts: Vec<_> = shown.map(|(name, value)| (name.as_str(), value.clone())).collect();
    loop {
        let note = if is_shortened { SHORTENED } else { "" };
        let rendered = parts.iter().map(|(name, value)| entry(name, value));
        let lines = [summary.to_owned()].into_iter().chain(rendered);
        let lines = lines.chain([note.to_owned(), next.clone()]).filter(|line| !line.is_empty());
        let text = lines.collect::<Vec<_>>().join("\n");
        if text.len() <= MAX_TEXT_BYTES || parts.is_empty() {
            return clipped(&text, MAX_TEXT_BYTES);
        }
        is_shortened = true;
        shorten(&mut parts);
    }
}

/// Halves the longest part, or leaves it out if it cannot be shortened.
fn shorten(parts: &mut Vec<(&str, Value)>) {
    let by_length =
        parts.iter().enumerate().max_by_key(|(_, (name, value))| entry(name, value).len());
    let Some(at) = by_length.map(|(at, _)| at) else { return };
    let (name, value) = &mut parts[at];
    if let (SIZES, Value::Array(rows)) = (*name, &mut *value)
        && rows.len() > 1
    {
        rows.drain(..rows.len() / 2);
        return;
    }
    match largest(value) {
        Some(Value::String(text)) => *text = clipped(text, text.len() / 2),
        Some(Value::Array(list)) => list.truncate(list.len() / 2),
        _ => {
            parts.remove(at);
        }
    }
}

/// Renders a figure with its name.
fn entry(name: &str, value: &Value) -> String {
    match value {
        Value::Array(list) if list.iter().all(Value::is_object) && list.len() > 1 => {
            table(name, list)
        }
        Value::Array(list) if list.iter().all(Value::is_number) => {
            format!("{name}: {}", list.iter().map(cell).collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => {
            let items = list.iter().map(|item| match item {
                Value::Object(entries) => inline(entries),
                item => cell(item),
            });
            format!("{name}:\n  {}", items.collect::<Vec<_>>().join("\n  "))
        }
        Value::Object(entries) => format!("{name}: {}", inline(entries)),
        Value::String(text) if text.trim_end().contains('\n') => {
            format!("{name}:\n{}", text.trim_end())
        }
        value => format!("{name}: {}", cell(value)),
    }
}

/// Renders objects as rows, below a row with their names.
fn table(name: &str, list: &[Value]) -> String {
    let mut columns: Vec<&str> = Vec::new();
    let rows = || list.iter().filter_map(Value::as_object);
    for column in rows().flat_map(Map::keys) {
        if !columns.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    let row = |row: &Map<String, Value>| {
        let cells = columns.iter().map(|column| row.get(*column).map_or(ABSENT.into(), cell));
        cells.collect::<Vec<_>>().join(", ")
    };
    let rows = rows().map(row).collect::<Vec<_>>().join("\n  ");
    format!("{name} ({}):\n  {rows}", columns.join(", "))
}

fn inline(entries: &Map<String, Value>) -> String {
    let entries = entries.iter().filter(|(_, value)| !value.is_null());
    let entries = entries.map(|(name, value)| format!("{name} {}", cell(value)));
    entries.collect::<Vec<_>>().join(", ")
}

/// Renders a value in one line.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => ABSENT.into(),
        Value::String(text) if !text.contains('\n') => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::object;
    use super::super::shortening::CUT;
    use super::*;
    use serde_json::json;

    #[test]
    fn every_part_is_told_by_its_name() {
        let figures = json!({
            "run_id": "7",
            "verdict": "time grows like n²",
            "sizes": [
                { "n": 10, "outcome": "OK", "runtime_ms": 1.5 },
                { "n": 20, "outcome": "TIME_LIMIT", "why": "over 1 s" },
            ],
            "lines": [{ "line": 3, "source": "f();" }],
            "time": { "grows_like": "n²", "confidence": 1.0 },
            "compile_error": "line 3: a\nline 4: b\n",
            "advice": ["one", "two"],
            "counts": [1, 2],
        });
        assert_eq!(
            text("time grows like n²", (&object(figures), false), "change line 3"),
            "time grows like n²\nrun_id: 7\nsizes (n, outcome, runtime_ms, why):\n  10, OK, 1.5, -\n  \
             20, TIME_LIMIT, -, over 1 s\nlines:\n  line 3, source f();\ntime: grows_like n², \
             confidence 1.0\ncompile_error:\nline 3: a\nline 4: b\nadvice:\n  one\n  two\ncounts: 1, \
             2\nnext: change line 3"
        );
    }

    #[test]
    fn text_fits_and_keeps_the_ends_that_matter() {
        let rows: Vec<_> = (1..=200).map(|n| json!({ "n": n, "why": "x".repeat(30) })).collect();
        let input = "7 ".repeat(4000);
        let figures = object(json!({ "run_id": "7", "sizes": rows, "input": input }));
        let said = text("verdict", (&figures, false), "the next step");
        assert!(said.len() <= MAX_TEXT_BYTES, "{}", said.len());
        for part in ["verdict\n", "run_id: 7\n", "\n  200, x", "input: 7 7", CUT, SHORTENED] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(said.ends_with("\nnext: the next step") && !said.contains("\n  1, x"), "{said}");
        let long = text(&"é".repeat(3000), (&Map::new(), false), "");
        assert!(long.len() <= MAX_TEXT_BYTES);
    }
}
