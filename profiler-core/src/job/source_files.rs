//! A program's headers and further sources: which of them are compiled, and what they include.

use profiler_decode::SOURCE_FILE;
use profiler_decode::addr2line::normalized;
use profiler_proto::v1::SourceFile;
use std::collections::BTreeSet;

/// Endings of sources.
const SOURCES: [&str; 3] = [".cpp", ".cc", ".cxx"];
/// Endings of headers, and of the parts of headers that have templates and tables.
const HEADERS: [&str; 11] =
    [".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".tcc", ".txx", ".c"];
/// Length of the beginning of a comment, in bytes.
const BEGIN_BYTES: usize = 2;

/// Whether a file with this name is a source.
pub fn is_source(path: &str) -> bool {
    SOURCES.iter().any(|ending| path.ends_with(ending))
}

/// Whether a program may have a file at this path: a header or a source by its ending, neither
/// hidden nor in a hidden folder. Others, such as expected outputs, are data of the host.
pub fn is_program_file(path: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    !is_hidden && SOURCES.iter().chain(&HEADERS).any(|ending| path.ends_with(ending))
}

/// Returns the rule of [`is_program_file`] for people.
pub fn program_files_rule() -> String {
    let endings = [&SOURCES[..], &HEADERS].concat().join(", ");
    format!("must end in one of {endings}, and no part of it may begin with a dot")
}

/// Returns the names in the `#include "…"` directives of a text.
pub fn local_includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let (name, _) =
            directive.strip_prefix("include")?.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(name)
    })
}

/// Returns the path of the file that the file at `from` includes as `name`. Both paths are relative
/// to the program's folder. `None` if the path leaves it.
pub fn included(from: &str, name: &str) -> Option<String> {
    if name.starts_with('/') {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    normalized(&format!("{folder}/{name}"))
}

/// Returns the memory that files take, in bytes.
pub(super) fn files_bytes(files: &[SourceFile]) -> usize {
    files.iter().map(|file| file.path.len() + file.text.len()).sum()
}

/// Whether a text defines a function `main`. Comments do not count.
pub fn defines_main(text: &str) -> bool {
    let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
    without_comments(text).lines().any(|line| {
        line.match_indices("main").any(|(at, name)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let is_word = !before.ends_with(is_in_name) && !before.ends_with(['.', ':', '"']);
            is_word && after.trim_start().starts_with('(')
        })
    })
}

/// Replaces each comment by a line break.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(begin) = [rest.find("//"), rest.find("/*")].into_iter().flatten().min() {
        let (before, comment) = rest.split_at(begin);
        let end = if comment.starts_with("//") { "\n" } else { "*/" };
        code.extend([before, "\n"]);
        rest = comment[BEGIN_BYTES..].split_once(end).map_or("", |(_, after)| after);
    }
    code + rest
}

/// Whether each file is compiled together with the first source: a source that no other file
/// includes.
pub(crate) fn compiled(source: &[u8], files: &[SourceFile]) -> Vec<bool> {
    let source = String::from_utf8_lossy(source);
    let texts = files.iter().map(|file| (file.path.as_str(), file.text.as_str()));
    let texts = texts.chain([(SOURCE_FILE, &*source)]);
    let includes = texts
        .flat_map(|(from, text)| local_includes(text).filter_map(move |name| included(from, name)));
    let includes: BTreeSet<_> = includes.collect();
    files.iter().map(|file| is_source(&file.path) && !includes.contains(&file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_is_relative_to_its_file() {
        let text = "#include <a.h>\n  # include \"b/c.h\" // x\n#include\"d.h\"\n#define \"e.h\"\n";
        assert!(local_includes(text).eq(["b/c.h", "d.h"]));
        for (from, name, path) in [
            ("main.cpp", "a.h", Some("a.h")),
            ("lib/a.h", "b.h", Some("lib/b.h")),
            ("lib/a.h", "../x/./b.h", Some("x/b.h")),
            ("lib/a.h", "../../b.h", None),
            ("main.cpp", "../main.cpp", None),
            ("main.cpp", "/etc/passwd", None),
        ] {
            assert_eq!(included(from, name).as_deref(), path, "{from} {name}");
        }
    }

    #[test]
    fn file_of_a_program_is_a_visible_header_or_source() {
        for path in ["a.h", "lib/a.hpp", "a b.tcc", "u.cxx", "my.tests/a.h"] {
            assert!(is_program_file(path), "{path}");
        }
        for path in
            ["t7/1.out", "t7/1.in", "1.ans", "a", "a.h.txt", ".env", ".git/config", ".x/a.h", ".h"]
        {
            assert!(!is_program_file(path), "{path}");
        }
    }

    #[test]
    fn main_is_found_in_code() {
        let rule = "//*****\nint main() {}";
        for text in
            [rule, "int main() {", "int\nmain (int n) {", "signed main(){", "/* x */ int main()"]
        {
            assert!(defines_main(text), "{text}");
        }
        for text in
            ["// int main()", "/* int main() */", "int domain()", "int main_loop()", "x.main()"]
        {
            assert!(!defines_main(text), "{text}");
        }
    }

    #[test]
    fn included_source_is_not_compiled() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let files = [
            file("a.cpp", ""),
            file("lib/b.cc", ""),
            file("lib/c.h", "#include \"b.cc\""),
            file("d.cxx", ""),
        ];
        let compiled = compiled(b"#include \"a.cpp\"", &files);
        assert_eq!(compiled, [false, false, false, true]);
    }
}
