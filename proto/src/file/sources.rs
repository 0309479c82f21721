//! Files that a spec names: the source of its generator, and testlib.h. A spec that is not in a
//! file has their texts instead. A text has several lines, and a name has one.

use super::foreign::regular_file_below;
use crate::v1;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Longest file that is read, in bytes. A longer source is refused anyway.
const MAX_SOURCE_BYTES: u64 = 1 << 20;
/// Fields that have a text or name a file.
const FIELDS: [&str; 2] = ["generator", "testlib_h"];
/// Name of the header that generators share.
const HEADER: &str = "testlib.h";
/// Problem of a file elsewhere.
const OUTSIDE: &str = "must be below the folder of the spec";

/// Replaces the names of files in a spec by their texts. The files are in `folder` or below it.
/// Without a folder, names are refused. Returns the fields that are wrong, each with its problem.
pub(super) fn read(spec: &mut v1::InputSpec, folder: Option<&Path>) -> Vec<(&'static str, String)> {
    let (mut beside, mut wrong) = (None, Vec::new());
    for (field, text) in FIELDS.into_iter().zip([&mut spec.generator, &mut spec.testlib_h]) {
        if text.is_empty() || text.contains('\n') {
            continue;
        }
        match named(text, folder) {
            Ok((file, content)) => {
                *text = content;
                beside.get_or_insert_with(|| file.with_file_name(HEADER));
            }
            Err(problem) => wrong.push((field, problem)),
        }
    }
    let wants_header = spec.testlib_h.is_empty() && includes_header(&spec.generator);
    if let (Some(header), Some(folder)) = (beside.filter(|_| wants_header), folder)
        && let Ok(header) = regular_file_below(&header, folder, OUTSIDE)
    {
        spec.testlib_h = text(&header).unwrap_or_default();
    }
    wrong
}

/// Returns the files that the specs in `value`, the file at `path`, name, and the headers that may
/// be next to them.
pub(super) fn named_in(value: &Value, path: &Path) -> Vec<PathBuf> {
    let mut names = Vec::new();
    collect_names(value, &mut names);
    let files = names.into_iter().map(|name| path.with_file_name(name));
    files.flat_map(|file| [file.with_file_name(HEADER), file]).collect()
}

/// Collects the names of files in a value and all values in it.
fn collect_names<'v>(value: &'v Value, names: &mut Vec<&'v str>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect_names(value, names)),
        Value::Object(fields) => {
            let texts = FIELDS.iter().filter_map(|field| fields.get(*field)?.as_str());
            names.extend(texts.filter(|text| !text.is_empty() && !text.contains('\n')));
            fields.values().for_each(|value| collect_names(value, names));
        }
        _ => {}
    }
}

/// The path and the text of a file below `folder`. The error says what is wrong with its name.
fn named(name: &str, folder: Option<&Path>) -> Result<(PathBuf, String), String> {
    let Some(folder) = folder else {
        return Err("must be the text itself, because this spec is not in a file".into());
    };
    let file = regular_file_below(&folder.join(name), folder, OUTSIDE)
        .map_err(|why| format!("{name} {why}"))?;
    let text = text(&file).ok_or_else(|| format!("{name} cannot be read"))?;
    Ok((file, text))
}

/// Reads a file, whose comments may have any encoding, up to one byte more than
/// [`MAX_SOURCE_BYTES`].
fn text(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn includes_header(source: &str) -> bool {
    source.lines().any(|line| line.trim_start().starts_with('#') && line.contains(HEADER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_are_named_by_specs_at_any_depth() {
        let named = |value: Value| named_in(&value, Path::new("specs.json"));
        let inline = "int main() {}\n// inline\n";
        let list = json!([{"generator": "lib/gen.cpp"}, {"generator": inline}]);
        assert_eq!(named(list), ["lib/testlib.h", "lib/gen.cpp"].map(PathBuf::from));
        let task = json!({"input": {"generator": "gen.cpp"}, "generator": 7});
        assert_eq!(named(task), ["testlib.h", "gen.cpp"].map(PathBuf::from));
    }
}
