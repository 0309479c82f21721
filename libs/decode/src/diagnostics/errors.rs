//! The errors among the compiler's messages, as short as possible for a person or a model to repair
//! the program. One wrong call of a template is often explained by a hundred lines of notes.

use super::{Diagnostic, Severity, Writer, lines};
use crate::{SOURCE_FILE, is_submitted_source};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Maximum number of errors that are shown.
const MAX_SHOWN: usize = 20;
/// Maximum number of lines of notes that are shown. If there are more, they are only counted.
const MAX_NOTES: usize = 4;
/// Longest line that is shown, in characters.
const MAX_LINE: usize = 400;
/// Beginning of a line that quotes the source, or that underlines or corrects the quotation.
const QUOTATION: &str = r"^ +(?:\d+ |\+{3} )?\|";
/// Pattern of the words in which messages name a later standard than the one in use.
const STANDARD: &str = r"(?:-std=(?:c|gnu)\+\+|from C\+\+)(2[0-9ab])";
/// Beginning of the line that g++ prints if it stops at the number of errors that a flag names.
const STOPPED: &str = "compilation terminated due to -";
/// The standards from 2020 on, as flags name them. Earlier standards lack what they added to the
/// library, and g++ 12 does not say so.
const FROM_2020: [&str; 4] = ["2a", "20", "2b", "23"];
const UNKNOWN_NAME: &str = r"^'(?:std::)?(?:ranges|views|span|format|jthread|source_location|numbers|bit_cast|midpoint|ssize|erase_if|popcount|has_single_bit|strong_ordering|weak_ordering|partial_ordering)' (?:is not a member of 'std'|has not been declared)";
/// Message of the header that g++ refuses without C++20.
const COROUTINES: &str = "the coroutine header requires -fcoroutines";
const NO_HEADER: &str = ": No such file or directory";
const NO_MAIN: &str = "undefined reference to `main'";
/// The tool that sums up the linker's messages.
const LINKER_DRIVER: &str = "collect2";

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test compiles them")]
static PATTERNS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    // A place in the program's own source, which an error in a header comes from.
    let own_place = format!(r"\b{}:(\d+)[:,]", regex::escape(SOURCE_FILE));
    [QUOTATION, &own_place, STANDARD, UNKNOWN_NAME]
        .map(|pattern| Regex::new(pattern).expect("constant pattern"))
});

/// The errors of a program that does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    /// Number of errors and the first one, in one sentence. Absent without errors.
    pub sentence: Option<String>,
    /// The first errors, each with its place, message and source lines. Longer notes are counted
    /// instead of shown. The last line may be a hint. Empty without errors.
    pub text: String,
    /// The later standard that the program needs, as a flag names it, if that is the hint.
    pub standard: Option<String>,
}

/// The errors in the output of a compiler's `command`. If `truncated`, only the beginning of the
/// output is known.
pub fn errors(command: &str, output: &str, truncated: bool) -> Errors {
    let all = blocks(output);
    let mut errors: Vec<_> =
        all.iter().filter(|block| block.diagnostic.severity.is_error()).collect();
    // Tools only sum up what others found. Among tools, the linker's driver only sums up.
    let preferred: [fn(&&Block<'_>) -> bool; 2] =
        [|error| error.writer != Writer::Tool, |error| error.diagnostic.file != LINKER_DRIVER];
    for is_preferred in preferred {
        if errors.iter().any(is_preferred) {
            errors.retain(is_preferred);
        }
    }
    // One wrong call of a template can be an error at several places of a header.
    let mut calls = HashSet::new();
    errors.retain(|error| error.call().is_none_or(|call| calls.insert(call)));
    let Some(first) = errors.first() else {
        return Errors { sentence: None, text: String::new(), standard: None };
    };
    let is_part = truncated || output.lines().any(|line| line.starts_with(STOPPED));
    let least = if is_part { "at least " } else { "" };
    let mut lines: Vec<_> = errors.iter().take(MAX_SHOWN).flat_map(|error| error.shown()).collect();
    if let Some(more @ 1..) = errors.len().checked_sub(MAX_SHOWN) {
        lines.push(format!("… and {least}{more} more {}", noun("error", more)));
    }
    let hint = lack(&errors);
    let standard = if hint.is_none() { later_standard(command, &errors) } else { None };
    let needs = |it: &String| format!("this needs {}: compile with -std={it}", it.to_uppercase());
    let hint = hint.or_else(|| standard.as_ref().map(needs));
    lines.extend(hint.map(|hint| format!("hint: {hint}")));
    Errors {
        sentence: Some(shortened(&sentence(first, errors.len(), least))),
        text: lines.iter().map(|line| shortened(line)).collect::<Vec<_>>().join("\n"),
        standard,
    }
}

fn sentence(first: &Block<'_>, count: usize, least: &str) -> String {
    let message = &first.diagnostic.message;
    match first.place() {
        Some(place) if count == 1 && least.is_empty() => format!("{place}: {message}"),
        Some(place) => {
            format!("{least}{count} {}, the first in {place}: {message}", noun("error", count))
        }
        None if count == 1 => message.clone(),
        None => format!("{least}{count} errors, the first: {message}"),
    }
}

fn noun(noun: &str, count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{noun}{plural}")
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A message, and the lines that belong to it. The message is a note only if no other message came
/// before it.
struct Block<'a> {
    writer: Writer,
    diagnostic: Diagnostic,
    /// Lines before the message: the function, the including files, or the instantiations.
    context: Vec<&'a str>,
    /// The message itself.
    head: &'a str,
    /// The source that the message quotes.
    quotation: Vec<&'a str>,
    notes: Vec<&'a str>,
}

fn blocks(output: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut context = Vec::new();
    for (line, message) in lines(output) {
        match (message, blocks.last_mut()) {
            (Some((_, Diagnostic { severity: Severity::Note, .. })), Some(block)) => {
                block.notes.append(&mut context);
                block.notes.push(line);
            }
            (Some((writer, diagnostic)), _) => {
                let context = std::mem::take(&mut context);
                let (quotation, notes) = (Vec::new(), Vec::new());
                blocks.push(Block { writer, diagnostic, context, head: line, quotation, notes });
            }
            (None, Some(block)) if context.is_empty() && is_quotation(line) => {
                if block.notes.is_empty() {
                    block.quotation.push(line);
                } else {
                    block.notes.push(line);
                }
            }
            (None, _) => context.push(line),
        }
    }
    // The linker prints a message for every call of a function that it lacks.
    let mut seen = HashSet::new();
    blocks.retain(|block| block.writer != Writer::Linker || seen.insert(block.diagnostic.clone()));
    blocks
}

fn is_quotation(line: &str) -> bool {
    PATTERNS[0].is_match(line)
}

impl Block<'_> {
    /// The line that names the place in the program's own source from which the header with the
    /// error was used. `None` for an error in the source itself, and if the place is not known.
    fn call(&self) -> Option<&str> {
        self.own_place().first().copied().filter(|_| !self.is_own())
    }

    /// Whether the message is about one of the program's own files.
    fn is_own(&self) -> bool {
        is_submitted_source(&self.diagnostic.file) || self.is_in_file()
    }

    /// Whether the message is about another file of the program. Only these have relative paths.
    fn is_in_file(&self) -> bool {
        let Diagnostic { file, line, .. } = &self.diagnostic;
        self.writer == Writer::Compiler
            && line.is_some()
            && !file.starts_with('/')
            && file != SOURCE_FILE
    }

    /// The line of the program that the message is about, or that led to it: `line 7`, or
    /// `lib/a.h:7` in another file than the submitted source.
    fn place(&self) -> Option<String> {
        let led_to_it = || {
            let place = self.own_place().first().copied()?;
            PATTERNS[1].captures(place)?[1].parse().ok()
        };
        if self.is_in_file() {
            let Diagnostic { file, line, .. } = &self.diagnostic;
            return line.map(|line| format!("{file}:{line}"));
        }
        let line: Option<u32> = self.diagnostic.line.filter(|_| self.is_own()).or_else(led_to_it);
        line.map(|line| format!("line {line}"))
    }

    /// The last line of the context that has a place in the program's own source, with its
    /// quotation.
    fn own_place(&self) -> &[&str] {
        let at = self.context.iter().rposition(|line| PATTERNS[1].is_match(line));
        let place = at.map_or(&[][..], |at| &self.context[at..]);
        let quoted = place.iter().skip(1).take_while(|line| is_quotation(line)).count();
        &place[..place.len().min(1 + quoted)]
    }

    /// The standard that the message or one of its notes says is needed.
    fn later_standard(&self) -> Option<String> {
        let said = [self.head].into_iter().chain(self.notes.iter().copied());
        let mut named = said
            .filter(|line| !is_quotation(line))
            .filter_map(|line| PATTERNS[2].captures(line).map(|found| found[1].to_owned()));
        named.next()
    }

    /// Whether the message is about something that C++20 added.
    fn is_of_2020(&self) -> bool {
        let message = &self.diagnostic.message;
        PATTERNS[3].is_match(message) || message.contains(COROUTINES)
    }

    fn shown(&self) -> Vec<String> {
        if self.writer == Writer::Linker {
            let Diagnostic { file, line, message, .. } = &self.diagnostic;
            let place = match line {
                Some(line) => format!("{file}:{line}: "),
                None if file.is_empty() => String::new(),
                None => format!("{file}: "),
            };
            return vec![format!("{place}error: {message}")];
        }
        let own_place = self.own_place();
        // The name of the function alone does not count as a note.
        let context = if self.context.len() > 1 { &self.context[..] } else { own_place };
        let notes = context.len() - own_place.len() + self.notes.len();
        let is_folded = notes > MAX_NOTES;
        let context = if is_folded { own_place } else { context };
        let lines = context.iter().chain([&self.head]).chain(&self.quotation);
        let mut lines: Vec<_> = lines.map(|line| (*line).to_owned()).collect();
        if is_folded {
            lines.push(format!("  (… {notes} {} of notes)", noun("line", notes)));
        } else {
            lines.extend(self.notes.iter().map(|line| (*line).to_owned()));
        }
        lines
    }
}

/// Returns what the program lacks if swiftprof compiles it, which g++ does not say.
fn lack(errors: &[&Block<'_>]) -> Option<String> {
    let own_header = errors.iter().find_map(|error| {
        let name = error.diagnostic.message.strip_suffix(NO_HEADER)?;
        let is_own = error.quotation.iter().any(|line| line.contains(&format!("\"{name}\"")));
        is_own.then_some(name)
    });
    if let Some(name) = own_header {
        return Some(format!("{name} is not among the program's files"));
    }
    let has_no_main = errors.iter().any(|error| error.diagnostic.message == NO_MAIN);
    has_no_main.then(|| "the program has no function main".into())
}

/// Returns the later standard that has the features that the program uses.
fn later_standard(command: &str, errors: &[&Block<'_>]) -> Option<String> {
    let named = errors.iter().find_map(|error| error.later_standard());
    let year = match named.as_deref() {
        Some("2a") => "20",
        Some("2b") => "23",
        Some(named) => named,
        None if FROM_2020.iter().any(|year| command.contains(&format!("++{year}"))) => return None,
        None => errors.iter().any(|error| error.is_of_2020()).then_some("20")?,
    };
    Some(format!("c++{year}"))
}
