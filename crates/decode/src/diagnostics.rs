//! The output of g++, its tools and the linker. It repeats what the author of the source wrote.
//!
//! It is read as text. `-fdiagnostics-format=json` has neither the source lines nor the chain of
//! template instantiations, is lost as a whole where the output is cut or the compiler dies, and is
//! not spoken by the linker and the other tools.

pub mod errors;

use regex::Regex;
use std::sync::LazyLock;

/// Most diagnostics in a result.
pub const MAX_DIAGNOSTICS: usize = 200;
/// `file:line:column: severity: message`, as GCC has printed it since version 4. The assembler
/// prints the same with a capital letter. A line that begins with a space quotes the source.
const DIAGNOSTIC: &str =
    r"^([^:\s][^:]*):(\d+):(?:(\d+):)? ((?i-u:fatal error|error|warning|note)): (.*)$";
/// `tool: severity: message`, as the driver and the linker print without a place in the source. The
/// linker's notes begin with `NOTE`.
const TOOL_DIAGNOSTIC: &str = r"^(g\+\+|cc1plus|as|collect2|/\S*\bld): (?:/\S+: )?(?:((?i-u:fatal error|error|warning|note)): )?(.*)$";
/// `file:(section+offset): message`, or with debug information `file:line: message`: what the
/// linker prints about a place. The first message about an object file does not begin with `ld: `.
/// Errors have no severity.
const LINKER_DIAGNOSTIC: &str = r"^(?:/\S*\bld: )?((?:[^:\s][^:]*?)?):?(?:(\d+)|\([^)]+\)): ((?:warning: |undefined reference|multiple definition|relocation truncated).*)$";
/// How the linker's warnings begin.
const LINKER_WARNING: &str = "warning: ";
/// A note on one candidate of an overloaded function. The reason follows, sometimes as an error.
const SUBSTITUTION_FAILED: &str = "deduction/substitution failed:";
/// How the linker introduces the messages about one function.
const IN_FUNCTION: &str = "in function `";

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test compiles them")]
static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [DIAGNOSTIC, LINKER_DIAGNOSTIC, TOOL_DIAGNOSTIC]
        .map(|pattern| Regex::new(pattern).expect("constant pattern"))
});

/// The severity of a message of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A remark about another message.
    Note,
    /// A warning.
    Warning,
    /// An error.
    Error,
    /// An error that ended the compilation at once.
    FatalError,
}

impl Severity {
    /// The compiler's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::FatalError => "fatal error",
        }
    }

    /// Whether the message is the reason why there is no binary.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::FatalError)
    }

    /// The severity that one of the patterns found. The assembler writes a capital letter.
    fn named(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "fatal error" => Self::FatalError,
            "warning" => Self::Warning,
            "note" => Self::Note,
            _ => Self::Error,
        }
    }
}

/// One message of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as the compiler names it.
    pub file: String,
    /// From 1; absent for messages of the linker without debug information.
    pub line: Option<u32>,
    /// From 1.
    pub column: Option<u32>,
    /// The text.
    pub message: String,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Writer {
    Compiler,
    Linker,
    /// A tool, about no place in the source. If another writer has an error too, it only sums up.
    Tool,
}

/// The messages in the compiler's output: those with a place, then the linker's, then those of
/// tools. At most [`MAX_DIAGNOSTICS`]; where there are more, the last notes and warnings are left
/// out first.
pub fn diagnostics(output: &str) -> Vec<Diagnostic> {
    let mut found: Vec<_> = lines(output).filter_map(|(_, message)| message).collect();
    found.sort_by_key(|(writer, _)| *writer);
    let errors = found.iter().filter(|(_, diagnostic)| diagnostic.severity.is_error()).count();
    let (mut others, most) = (0, MAX_DIAGNOSTICS.saturating_sub(errors));
    let diagnostics = found.into_iter().map(|(_, diagnostic)| diagnostic);
    let kept = diagnostics.filter(|diagnostic| {
        others += usize::from(!diagnostic.severity.is_error());
        diagnostic.severity.is_error() || others <= most
    });
    kept.take(MAX_DIAGNOSTICS).collect()
}

/// The lines, each with the message that it is.
fn lines(output: &str) -> impl Iterator<Item = (&str, Option<(Writer, Diagnostic)>)> {
    let mut is_reason = false;
    output.lines().map(move |line| {
        let mut message = message(line);
        if let Some((_, diagnostic)) = &mut message {
            if is_reason && diagnostic.severity == Severity::Error {
                diagnostic.severity = Severity::Note;
            }
            is_reason = diagnostic.message.ends_with(SUBSTITUTION_FAILED);
        }
        (line, message)
    })
}

/// The message that a line is.
fn message(line: &str) -> Option<(Writer, Diagnostic)> {
    let [placed, linked, unplaced] = &*PATTERNS;
    if let Some(found) = placed.captures(line) {
        let diagnostic = Diagnostic {
            file: found[1].to_owned(),
            line: found[2].parse().ok(),
            column: found.get(3).and_then(|column| column.as_str().parse().ok()),
            severity: Severity::named(&found[4]),
            message: found[5].to_owned(),
        };
        return Some((Writer::Compiler, diagnostic));
    }
    if let Some(found) = linked.captures(line) {
        let (severity, message) = match found[3].strip_prefix(LINKER_WARNING) {
            Some(message) => (Severity::Warning, message),
            None => (Severity::Error, &found[3]),
        };
        let diagnostic = Diagnostic {
            file: found[1].to_owned(),
            line: found.get(2).and_then(|line| line.as_str().parse().ok()),
            column: None,
            severity,
            message: message.to_owned(),
        };
        return Some((Writer::Linker, diagnostic));
    }
    let found = unplaced.captures(line).filter(|_| !line.contains(IN_FUNCTION))?;
    let diagnostic = Diagnostic {
        file: found[1].to_owned(),
        line: None,
        column: None,
        severity: found.get(2).map_or(Severity::Error, |word| Severity::named(word.as_str())),
        message: found[3].to_owned(),
    };
    Some((Writer::Tool, diagnostic))
}

/// Whether one of the compiler's tools prints `text` in a message without a place. A quotation of
/// the source follows a place or a bar, so it does not count. A source that forges such a line
/// lies about itself alone.
pub fn tool_prints(output: &str, text: &str) -> bool {
    let unplaced = &PATTERNS[2];
    output.lines().filter_map(|line| unplaced.captures(line)).any(|found| found[3].contains(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What g++ 12.2 prints under `LC_ALL=C`.
    const ERROR: &str = "\
main.cpp: In function 'int main()':
main.cpp:4:5: error: expected initializer before 'return'
    4 |     return x;
      |     ^~~~~~
";
    const NOTE_AND_WARNING: &str = "\
main.cpp: In function 'int main(int, char**)':
main.cpp:4:14: error: invalid conversion from 'const char*' to 'int' [-fpermissive]
    4 |     return f(\"x\");
      |              ^~~
      |              |
      |              const char*
main.cpp:1:11: note:   initializing argument 1 of 'int f(int)'
    1 | int f(int a) { return a; }
      |       ~~~~^
main.cpp:3:9: warning: unused variable 'unused' [-Wunused-variable]
    3 |     int unused;
      |         ^~~~~~
";
    const FATAL: &str = "\
main.cpp:1:10: fatal error: bits/nothing.h: No such file or directory
    1 | #include <bits/nothing.h>
      |          ^~~~~~~~~~~~~~~~
compilation terminated.
";
    const UNDEFINED: &str = "\
/usr/bin/ld: /tmp/cc1QcPCh.o: in function `main':
main.cpp:(.text.startup+0x7): undefined reference to `solve(int)'
/usr/bin/ld: main.cpp:(.text.startup+0x13): undefined reference to `other(int)'
collect2: error: ld returned 1 exit status
";
    const UNDEFINED_WITH_DEBUG: &str = "\
/usr/bin/ld: /tmp/ccU52NTD.o: warning: relocation against `_ZTV1S' in read-only section `.text.startup'
/usr/bin/ld: /tmp/ccU52NTD.o: in function `main':
/code/main.cpp:3: undefined reference to `vtable for S'
/usr/bin/ld: /code/main.cpp:3: undefined reference to `S::f()'
/usr/bin/ld: warning: creating DT_TEXTREL in a PIE
collect2: error: ld returned 1 exit status
";
    const NO_MAIN: &str = "\
/usr/bin/ld: /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/Scrt1.o: in function `_start':
(.text+0x17): undefined reference to `main'
collect2: error: ld returned 1 exit status
";
    const TOO_BIG: &str = "\
/tmp/ccaH8NyN.o: in function `main':
main.cpp:(.text.startup+0x17): relocation truncated to fit: R_X86_64_PC32 against symbol `big' defined in .bss section in /tmp/ccaH8NyN.o
collect2: error: ld returned 1 exit status
";
    const UNKNOWN_FLAG: &str = "g++: error: unrecognized command-line option '-fnothing'\n";

    /// `file:line:column severity message`, with `-` for what is absent.
    fn parsed(output: &str) -> Vec<String> {
        let number = |n: Option<u32>| n.map_or("-".into(), |n| n.to_string());
        diagnostics(output)
            .into_iter()
            .map(|d| {
                let (line, column) = (number(d.line), number(d.column));
                format!("{}:{line}:{column} {} {}", d.file, d.severity.as_str(), d.message)
            })
            .collect()
    }

    #[test]
    fn an_error_has_its_place() {
        assert_eq!(parsed(ERROR), ["main.cpp:4:5 error expected initializer before 'return'"]);
    }

    #[test]
    fn notes_and_warnings_are_kept_in_order() {
        assert_eq!(
            parsed(NOTE_AND_WARNING),
            [
                "main.cpp:4:14 error invalid conversion from 'const char*' to 'int' [-fpermissive]",
                "main.cpp:1:11 note   initializing argument 1 of 'int f(int)'",
                "main.cpp:3:9 warning unused variable 'unused' [-Wunused-variable]",
            ]
        );
    }

    #[test]
    fn a_fatal_error_is_one() {
        assert_eq!(
            parsed(FATAL),
            ["main.cpp:1:10 fatal error bits/nothing.h: No such file or directory"]
        );
    }

    #[test]
    fn undefined_references_come_before_the_tools_summary() {
        assert_eq!(
            parsed(UNDEFINED),
            [
                "main.cpp:-:- error undefined reference to `solve(int)'",
                "main.cpp:-:- error undefined reference to `other(int)'",
                "collect2:-:- error ld returned 1 exit status",
            ]
        );
    }

    #[test]
    fn undefined_references_have_lines_with_debug_information() {
        assert_eq!(
            parsed(UNDEFINED_WITH_DEBUG),
            [
                "/code/main.cpp:3:- error undefined reference to `vtable for S'",
                "/code/main.cpp:3:- error undefined reference to `S::f()'",
                "/usr/bin/ld:-:- warning relocation against `_ZTV1S' in read-only section `.text.startup'",
                "/usr/bin/ld:-:- warning creating DT_TEXTREL in a PIE",
                "collect2:-:- error ld returned 1 exit status",
            ]
        );
    }

    #[test]
    fn a_missing_main_is_named() {
        assert_eq!(parsed(NO_MAIN)[0], ":-:- error undefined reference to `main'");
    }

    #[test]
    fn arrays_too_big_to_link_are_named() {
        assert!(parsed(TOO_BIG)[0].starts_with("main.cpp:-:- error relocation truncated to fit"));
    }

    #[test]
    fn the_assembler_is_understood() {
        assert_eq!(
            parsed(
                "/tmp/ccL5Wm1a.s: Assembler messages:\n/tmp/ccL5Wm1a.s:5: Error: file not found: /x\n"
            ),
            ["/tmp/ccL5Wm1a.s:5:- error file not found: /x"]
        );
    }

    #[test]
    fn a_tool_has_no_place() {
        assert_eq!(
            parsed(UNKNOWN_FLAG),
            ["g++:-:- error unrecognized command-line option '-fnothing'"]
        );
    }

    /// A build that succeeds can say all of it.
    #[test]
    fn what_tools_say_besides_errors_is_no_error() {
        assert_eq!(
            parsed(
                "\
cc1plus: note: unrecognized command-line option '-Wno-nothing' may have been intended to silence earlier diagnostics
/usr/bin/ld: /tmp/ccLMU8cs.o: in function `main':
main.cpp:(.text.startup+0x1d): warning: the use of `tempnam' is dangerous, better use `mkstemp'
/usr/bin/ld: main.cpp:(.text.startup+0x7): warning: the use of `tmpnam' is dangerous, better use `mkstemp'
/usr/bin/ld: /code/main.cpp:3: warning: the use of `tmpnam' is dangerous, better use `mkstemp'
/usr/bin/ld: warning: /tmp/ccsgTrZY.o: missing .note.GNU-stack section implies executable stack
/usr/bin/ld: NOTE: This behaviour is deprecated and will be removed in a future version of the linker
"
            ),
            [
                "main.cpp:-:- warning the use of `tempnam' is dangerous, better use `mkstemp'",
                "main.cpp:-:- warning the use of `tmpnam' is dangerous, better use `mkstemp'",
                "/code/main.cpp:3:- warning the use of `tmpnam' is dangerous, better use `mkstemp'",
                "cc1plus:-:- note unrecognized command-line option '-Wno-nothing' may have been \
                 intended to silence earlier diagnostics",
                "/usr/bin/ld:-:- warning /tmp/ccsgTrZY.o: missing .note.GNU-stack section implies \
                 executable stack",
                "/usr/bin/ld:-:- note This behaviour is deprecated and will be removed in a future \
                 version of the linker",
            ]
        );
    }

    #[test]
    fn at_most_max_diagnostics() {
        for line in [FATAL, "main.cpp:1:1: warning: odd\n"] {
            let all = parsed(&line.repeat(MAX_DIAGNOSTICS + 1));
            assert_eq!(all, parsed(&line.repeat(MAX_DIAGNOSTICS)));
            assert_eq!(all.len(), MAX_DIAGNOSTICS);
        }
    }

    #[test]
    fn the_last_notes_are_left_out_before_errors() {
        let notes = |count| "main.cpp:1:1: note: more\n".repeat(count);
        let errors = ERROR.repeat(2);
        let most = MAX_DIAGNOSTICS - 2;
        let all = parsed(&format!("{}{errors}", notes(most + 1)));
        assert_eq!(all, parsed(&format!("{}{errors}", notes(most))));
        assert_eq!(all.len(), MAX_DIAGNOSTICS);
    }

    #[test]
    fn a_quotation_of_the_source_is_no_message() {
        let quoted = "main.cpp:4:5: error: no\n    4 | x // main.cpp:9:9: error: a forged one\n";
        assert_eq!(parsed(quoted), ["main.cpp:4:5 error no"]);
    }

    #[test]
    fn a_tools_own_line_is_told_from_a_quotation() {
        let killed = "g++: fatal error: Killed signal terminated program cc1plus\n";
        assert!(tool_prints(killed, "Killed signal"));
        let quoted = "main.cpp:1:2: error: #error Killed signal\n    1 | #error Killed signal\n";
        assert!(!tool_prints(quoted, "Killed signal"));
    }
}
