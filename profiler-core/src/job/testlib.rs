//! Inclusion of `testlib.h`: a build has one source, so the header becomes a part of the source of
//! a checker or a validator.

use profiler_decode::SOURCE_FILE;

/// Name of the header.
const HEADER: &str = "testlib.h";
/// Mark that some editors put at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// Maximum number of inclusions that the text of the header replaces. Several of them are usually
/// branches of a condition.
const MAX_INCLUSIONS: usize = 4;
/// Default flags of a source that includes the header. Most of its compilation is the code of the
/// header's functions, few of which are used. In a whole program, g++ leaves the others out.
pub(super) const TESTLIB_FLAGS: [&str; 3] = ["-O1", "-std=c++17", "-fwhole-program"];

/// Replaces the first [`MAX_INCLUSIONS`] lines of `source` that include `testlib.h` by the text of
/// the header, which is guarded, and empties the other ones. `#line` directives keep the names and
/// the line numbers of both files in the compiler's messages.
pub(super) fn with_testlib(source: &str, header: &str) -> String {
    let mut text = String::with_capacity(source.len() + header.len());
    let mut headers = [unmarked(header); MAX_INCLUSIONS].into_iter();
    for (line, next) in source.split_inclusive('\n').zip(2..) {
        if !includes_testlib(line) {
            text += line;
        } else if let Some(header) = headers.next() {
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
    let directive = unmarked(line).trim_start().strip_prefix('#').map(str::trim_start);
    let file = directive.and_then(|directive| directive.strip_prefix("include"));
    let name = file.and_then(|file| file.trim_start().strip_prefix(['"', '<']));
    let rest = name.and_then(|name| name.strip_prefix(HEADER));
    rest.is_some_and(|rest| rest.starts_with(['"', '>']))
}

fn unmarked(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_stands_in_place_of_its_inclusion_and_lines_keep_their_numbers() {
        let source = "// a checker\n#include \"testlib.h\"\nint main() {}\n";
        let text = with_testlib(source, "#define A\n");
        assert_eq!(
            text,
            "// a checker\n#line 1 \"testlib.h\"\n#define A\n\n#line 3 \"main.cpp\"\nint main() {}\n"
        );
        let other = "#include <vector>\nint main() {}";
        assert_eq!(with_testlib(other, "#define A\n"), other);
    }

    #[test]
    fn each_branch_of_a_condition_has_the_header() {
        let include = "#include \"testlib.h\"\n";
        let text = with_testlib(&format!("#ifdef LOCAL\n{include}#else\n{include}#endif\n"), "A");
        let [local, other] =
            [3, 5].map(|next| format!("#line 1 \"testlib.h\"\nA\n#line {next} \"main.cpp\"\n"));
        assert_eq!(text, format!("#ifdef LOCAL\n{local}#else\n{other}#endif\n"));
        let many = with_testlib(&include.repeat(MAX_INCLUSIONS + 2), "A");
        assert_eq!(many.matches("A\n").count(), MAX_INCLUSIONS);
        assert!(many.ends_with("#line 5 \"main.cpp\"\n\n\n"), "{many}");
    }

    #[test]
    fn byte_order_mark_is_left_out() {
        let text = with_testlib("\u{feff}#include \"testlib.h\"\n", "\u{feff}A");
        assert_eq!(text, "#line 1 \"testlib.h\"\nA\n#line 2 \"main.cpp\"\n");
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
