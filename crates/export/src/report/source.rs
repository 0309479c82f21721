//! The submitted source.

use profiler_decode::is_submitted_source;
use profiler_proto::v1::{Hotspot, ProfileReport};

/// Whether a file that a report names is the submitted source, for which some fields are empty.
pub(crate) fn is_main(file: &str) -> bool {
    file.is_empty() || is_submitted_source(file)
}

/// Whether a file that debug information names is one of the program's. Their paths are relative.
pub(crate) fn is_own(file: &str) -> bool {
    !file.is_empty() && !file.starts_with('/')
}

/// Returns the text of one of the program's files; empty if the report does not have it.
pub(crate) fn text_of<'r>(report: &'r ProfileReport, file: &str) -> &'r str {
    if let Some(found) = report.files.iter().find(|found| found.path == file) {
        return &found.text;
    }
    if is_main(file) { &report.code_cpp } else { "" }
}

/// Names a line of the program: `line 7`, or `lib/a.h:7` in another file than the submitted source.
pub(crate) fn line_name(file: &str, line: u32) -> String {
    if is_main(file) { format!("line {line}") } else { format!("{file}:{line}") }
}

/// Returns the source line of a hotspot, without its indentation. If the hotspot is outside of the
/// program's files, returns the name of its function.
pub fn hot_line<'r>(report: &'r ProfileReport, hotspot: &'r Hotspot) -> &'r str {
    let line = hotspot.line.checked_sub(1).filter(|_| !hotspot.file.is_empty());
    let line = line.and_then(|at| text_of(report, &hotspot.file).lines().nth(at as usize));
    line.map_or(hotspot.function.as_str(), str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::SourceFile;

    #[test]
    fn line_comes_from_its_file() {
        let report = ProfileReport {
            code_cpp: "a\n b\n".into(),
            files: vec![SourceFile { path: "lib/main.cpp".into(), text: "c\n  d\n".into() }],
            ..ProfileReport::default()
        };
        for (file, line, text) in [
            ("main.cpp", 2, "b"),
            ("/tmp/main.cpp", 2, "b"),
            ("lib/main.cpp", 2, "d"),
            ("domain.cpp", 2, "f()"),
            ("main.cpp", 3, "f()"),
            ("main.cpp", 0, "f()"),
        ] {
            let (file, function) = (file.into(), "f()".into());
            let hotspot = Hotspot { file, line, function, ..Hotspot::default() };
            assert_eq!(hot_line(&report, &hotspot), text, "{hotspot:?}");
        }
        assert_eq!(line_name("main.cpp", 2), "line 2");
        assert_eq!(line_name("lib/a.h", 2), "lib/a.h:2");
    }
}
