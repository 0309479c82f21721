//! The files that a program opens instead of reading its standard input and writing its output.

use runner_protocol::FileName;

/// Functions and classes that open a file. A class has the mode in which it opens the file.
const OPENERS: [(&str, Option<&str>); 4] =
    [("freopen", None), ("fopen", None), ("ifstream", Some(READ)), ("ofstream", Some(WRITE))];
/// Beginning of the mode of a file that is read.
const READ: &str = "r";
/// Beginning of the mode of a file that is written.
const WRITE: &str = "w";
/// Part of the mode of a file that is read and written.
const UPDATE: char = '+';

/// Maximum length of a path, in bytes.
const MAX_PATH_BYTES: usize = 100;

/// Returns the path of the first file that the source always opens to read it. A file that is
/// opened in a conditional block of the preprocessor, or after `if`, is for the author's own
/// machine. A sandbox may have a file with an absolute path, so such a path does not count.
pub(crate) fn opened_path(source: &[u8]) -> Option<String> {
    opened(source, &|mode| mode.starts_with(READ), |path| {
        !path.is_empty() && !path.starts_with('/') && path.len() <= MAX_PATH_BYTES
    })
}

/// Returns the first such file that a job can name as its input file.
pub fn opened_file(source: &[u8]) -> Option<String> {
    opened(source, &|mode| mode.starts_with(READ), |name| FileName::new(name).is_some())
}

/// Returns the name of the first file that the source opens to write it, by the same rules.
pub fn written_file(source: &[u8]) -> Option<String> {
    opened(source, &|mode| mode.starts_with(WRITE), |name| FileName::new(name).is_some())
}

/// Whether the source opens the file `name` to read it and to write it, by the same rules.
pub fn updates_file(source: &[u8], name: &str) -> bool {
    opened(source, &|mode| mode.contains(UPDATE), |opened| opened == name).is_some()
}

/// The first file that fits and that is opened in a mode that `is_wanted`.
fn opened(
    source: &[u8],
    is_wanted: &dyn Fn(&str) -> bool,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let source = String::from_utf8_lossy(source);
    let mut open_conditions = 0_u32;
    source.lines().find_map(|line| {
        if let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) {
            if directive.starts_with("if") {
                open_conditions = open_conditions.saturating_add(1);
            } else if directive.starts_with("endif") {
                open_conditions = open_conditions.saturating_sub(1);
            }
            return None;
        }
        named_file(line, is_wanted, &fits).filter(|_| open_conditions == 0).map(str::to_owned)
    })
}

/// The name of the first file that fits and that a line opens in a mode that `is_wanted`.
fn named_file<'l>(
    line: &'l str,
    is_wanted: &dyn Fn(&str) -> bool,
    fits: impl Fn(&str) -> bool,
) -> Option<&'l str> {
    let next = |text: &str| OPENERS.iter().filter_map(|(opener, _)| text.find(opener)).min();
    let (before, mut rest) = line.split_at(next(line)?);
    if ["if", "//", "/*"].iter().any(|it| before.contains(it)) {
        return None;
    }
    while let Some((opener, own)) = OPENERS.iter().find(|(opener, _)| rest.starts_with(opener)) {
        let (_, after) = rest.split_at(opener.len());
        let (call, others) = after.split_at(next(after).unwrap_or(after.len()));
        let mut literals = call.split('"').skip(1).step_by(2);
        let (name, given) = (literals.next(), literals.next());
        let has_mode = own.or(given).is_some_and(is_wanted);
        if let Some(name) = name.filter(|name| has_mode && fits(name)) {
            return Some(name);
        }
        rest = others;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_is_always_read_is_found() {
        for line in [
            "freopen(\"input.txt\", \"r\", stdin); freopen(\"output.txt\", \"w\", stdout);",
            "std::ifstream in(\"input.txt\");",
            "FILE* f = fopen(\"input.txt\", \"rb\");",
        ] {
            let source = format!("#include <cstdio>\nint main() {{\n    {line}\n}}\n");
            assert_eq!(opened_file(source.as_bytes()).as_deref(), Some("input.txt"), "{line}");
        }
    }

    #[test]
    fn file_that_is_written_is_another() {
        for line in [
            "freopen(\"in.txt\", \"r\", stdin); freopen(\"out.txt\", \"w\", stdout);",
            "std::ofstream out(\"out.txt\"); std::ifstream in(\"in.txt\");",
        ] {
            assert_eq!(opened_file(line.as_bytes()).as_deref(), Some("in.txt"), "{line}");
            assert_eq!(written_file(line.as_bytes()).as_deref(), Some("out.txt"), "{line}");
        }
        let in_folder = b"std::ifstream in(\"data/in.txt\");";
        assert_eq!((opened_file(in_folder), written_file(in_folder)), (None, None));
        assert_eq!(opened_path(in_folder).as_deref(), Some("data/in.txt"));
    }

    #[test]
    fn file_that_is_read_and_written_is_told_apart() {
        let opens = |mode: &str| format!("FILE* f = fopen(\"out.txt\", \"{mode}\");");
        for (mode, expected) in [("w+", true), ("wb+", true), ("a+", true), ("w", false)] {
            assert_eq!(updates_file(opens(mode).as_bytes(), "out.txt"), expected, "{mode}");
        }
        assert!(!updates_file(opens("w+").as_bytes(), "other.txt"));
        assert_eq!(written_file(opens("w+").as_bytes()).as_deref(), Some("out.txt"));
    }

    #[test]
    fn file_that_may_be_absent_is_no_input() {
        for source in [
            "#ifdef LOCAL\nfreopen(\"input.txt\", \"r\", stdin);\n#endif\n",
            "if (argc > 1) freopen(\"input.txt\", \"r\", stdin);",
            "// freopen(\"input.txt\", \"r\", stdin);",
            "freopen(\"output.txt\", \"w\", stdout);",
            "std::ifstream in(\"/dev/stdin\");",
            "std::ifstream in(argv[1]);",
        ] {
            assert_eq!(opened_file(source.as_bytes()), None, "{source}");
        }
    }
}
