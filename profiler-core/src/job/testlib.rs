//! Inclusion of `testlib.h`: a build has one source, so the header becomes a part of the checker's.

use profiler_decode::SOURCE_FILE;

/// Name of the header.
const HEADER: &str = "testlib.h";

/// Replaces the first line of `source` that includes `testlib.h` by the text of the header, and
/// empties the other ones, because the header is guarded. `#line` directives keep the names and the
/// line numbers of both files in the compiler's messages.
pub(super) fn with_testlib(source: &str, header: &str) -> String {
    let mut text = String::with_capacity(source.len() + header.len());
    let mut header = Some(header);
    for (line, next) in source.split_inclusive('\n').zip(2..) {
        if !includes_testlib(line) {
            text += line;
        } else if let Some(header) = header.take() {
            text.extend(["#line 1 \"", HEADER, "\"\n", header, "\n"]);
            text.extend(["#line ", &next.to_string(), " \"", SOURCE_FILE, "\"\n"]);
        } else {
            text += "\n";
        }
    }
    text
}

/// Whether a line of a source includes `testlib.h`.
pub fn includes_testlib(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
    let file = directive.and_then(|directive| directive.strip_prefix("include"));
    let name = file.and_then(|file| file.trim_start().strip_prefix(['"', '<']));
    let rest = name.and_then(|name| name.strip_prefix(HEADER));
    rest.is_some_and(|rest| rest.starts_with(['"', '>']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_stands_in_place_of_its_inclusion_and_lines_keep_their_numbers() {
        let source = "// a checker\n#include \"testlib.h\"\n#include <testlib.h>\nint main() {}\n";
        let text = with_testlib(source, "#define A\n");
        assert_eq!(
            text,
            "// a checker\n#line 1 \"testlib.h\"\n#define A\n\n#line 3 \"main.cpp\"\n\nint main() {}\n"
        );
        let other = "#include <vector>\nint main() {}";
        assert_eq!(with_testlib(other, "#define A\n"), other);
    }

    #[test]
    fn only_an_inclusion_of_the_header_is_one() {
        for line in
            ["#include \"testlib.h\"", " # include <testlib.h> // all", "#include\"testlib.h\"\r\n"]
        {
            assert!(includes_testlib(line), "{line}");
        }
        for line in
            ["// #include \"testlib.h\"", "#include \"testlib.hpp\"", "testlib.h", "#include"]
        {
            assert!(!includes_testlib(line), "{line}");
        }
    }
}
