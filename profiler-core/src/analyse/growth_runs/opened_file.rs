//! The file that a program opens instead of reading its standard input.

/// Functions and a class that open a file.
const OPENERS: [&str; 3] = ["freopen", "fopen", "ifstream"];
/// The opener that takes no mode, because it only reads.
const READER: &str = "ifstream";
/// Maximum length of a file name, in bytes.
const MAX_NAME_BYTES: usize = 100;

/// Returns the name of the first file that the source opens to read it, whatever the program finds.
/// A file that is opened in a conditional block of the preprocessor, or after `if`, is for the
/// author's own machine. No sandbox has the file, unless its path is absolute.
pub fn opened_file(source: &[u8]) -> Option<String> {
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
        named_file(line).filter(|_| open_conditions == 0).map(str::to_owned)
    })
}

/// The name of the file that a line opens to read it.
fn named_file(line: &str) -> Option<&str> {
    let (at, opener) = OPENERS.iter().find_map(|opener| Some((line.find(opener)?, *opener)))?;
    let (before, call) = line.split_at(at);
    if ["if", "//", "/*"].iter().any(|it| before.contains(it)) {
        return None;
    }
    let mut literals = call.split('"').skip(1).step_by(2);
    let (name, mode) = (literals.next()?, literals.next());
    let is_read = opener == READER || mode.is_some_and(|mode| mode.starts_with('r'));
    let is_relative = !name.is_empty() && !name.starts_with('/');
    (is_read && is_relative && name.len() <= MAX_NAME_BYTES).then_some(name)
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
