//! The output of g++, its tools and the linker. It quotes what the author of the source wrote.
//!
//! It is read as text, because `-fdiagnostics-format=json` has neither the source lines nor the
//! chain of template instantiations. JSON would be lost as a whole if the output is cut or the
//! compiler dies, and the linker and the other tools do not write it.

pub mod dependencies;
pub mod errors;
pub mod sanitizer;

use regex::Regex;
use std::sync::LazyLock;

/// Maximum number of diagnostics in a result.
pub const MAX_DIAGNOSTICS: usize = 200;
/// `file:line:column: severity: message`, as GCC has printed it since version 4. The assembler
/// prints the severity with a capital letter. A line that begins with a space quotes the source.
const DIAGNOSTIC: &str =
    r"^([^:\s][^:]*):(\d+):(?:(\d+):)? ((?i-u:fatal error|error|warning|note)): (.*)$";
/// `tool: severity: message`, as the driver and the linker print messages without a place in the
/// source. The linker's notes begin with `NOTE`.
const TOOL_DIAGNOSTIC: &str = r"^(g\+\+|cc1plus|as|collect2|/\S*\bld): (?:/\S+: )?(?:((?i-u:fatal error|error|warning|note)): )?(.*)$";
/// `file:(section+offset): message`, or with debug information `file:line: message`: what the
/// linker prints about a place. The first message about an object file does not begin with `ld: `.
/// Errors have no severity.
const LINKER_DIAGNOSTIC: &str = r"^(?:/\S*\bld: )?((?:[^:\s][^:]*?)?):?(?:(\d+)|\([^)]+\)): ((?:warning: |undefined reference|multiple definition|relocation truncated).*)$";
/// Prefix of the linker's warnings.
const LINKER_WARNING: &str = "warning: ";
/// A note on one candidate of an overloaded function. The reason follows, sometimes as an error.
const SUBSTITUTION_FAILED: &str = "deduction/substitution failed:";
/// Prefixes of tool messages that are not errors. They have no severity, and neither do a tool's
/// errors.
const REMARKS: [&str; 3] = [
    "skipping incompatible ",
    "all warnings being treated as errors",
    "some warnings being treated as errors",
];
/// Introduction of the linker's messages about one function.
const IN_FUNCTION: &str = "in function `";

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test compiles them")]
static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [DIAGNOSTIC, LINKER_DIAGNOSTIC, TOOL_DIAGNOSTIC]
        .map(|pattern| Regex::new(pattern).expect("constant pattern"))
});

/// The severity of a message of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Severity of the message.
    pub severity: Severity,
    /// The file, as the compiler names it.
    pub file: String,
    /// Line number, from 1; absent for messages of the linker without debug information.
    pub line: Option<u32>,
    /// Column number, from 1.
    pub column: Option<u32>,
    /// The text.
    pub message: String,
}

/// Origin of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Writer {
    Compiler,
    Linker,
    /// A tool, whose message has no place in the source. If another writer has an error too, the
    /// tool only sums it up.
    Tool,
}

/// The messages in the compiler's output: those with a place, then the linker's, then those of
/// tools. At most [`MAX_DIAGNOSTICS`]; if there are more, the last notes and warnings are left out
/// first. If the compiler made a binary, no message is an error: tools print remarks as they print
/// errors, without a severity.
pub fn diagnostics(output: &str, made_binary: bool) -> Vec<Diagnostic> {
    let mut found: Vec<_> = lines(output).filter_map(|(_, message)| message).collect();
    found.sort_by_key(|(writer, _)| *writer);
    for (_, diagnostic) in &mut found {
        if made_binary && diagnostic.severity.is_error() {
            diagnostic.severity = Severity::Note;
        }
    }
    let errors = found.iter().filter(|(_, diagnostic)| diagnostic.severity.is_error()).count();
    let (mut others, most) = (0, MAX_DIAGNOSTICS.saturating_sub(errors));
    let diagnostics = found.into_iter().map(|(_, diagnostic)| diagnostic);
    let kept = diagnostics.filter(|diagnostic| {
        others += usize::from(!diagnostic.severity.is_error());
        diagnostic.severity.is_error() || others <= most
    });
    kept.take(MAX_DIAGNOSTICS).collect()
}

/// The lines of the output, each with its message if it is one.
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

/// The message in a line, if the line is one.
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
        severity: match found.get(2) {
            Some(word) => Severity::named(word.as_str()),
            None if REMARKS.iter().any(|remark| found[3].starts_with(remark)) => Severity::Note,
            None => Severity::Error,
        },
        message: found[3].to_owned(),
    };
    Some((Writer::Tool, diagnostic))
}

/// Whether one of the compiler's tools prints `text` in a message without a place. A quotation of
/// the source follows a place or a bar, so it does not count. A source that forges such a line
/// deceives only its own author.
pub fn tool_prints(output: &str, text: &str) -> bool {
    let unplaced = &PATTERNS[2];
    output.lines().filter_map(|line| unplaced.captures(line)).any(|found| found[3].contains(text))
}

#[cfg(test)]
mod tests;
