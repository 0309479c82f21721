//! Changes to how a program reads and writes.

use super::edits::{Edit, SourceChange};
use crate::analyse::advice::tokens::Code;
use std::collections::BTreeSet;

/// Names of stdio. A program that uses both stdio and streams may need them to be synchronised.
const STDIO: [&str; 16] = [
    "scanf",
    "printf",
    "getchar",
    "putchar",
    "getchar_unlocked",
    "putchar_unlocked",
    "puts",
    "gets",
    "fgets",
    "fputs",
    "fread",
    "fwrite",
    "fscanf",
    "fprintf",
    "stdin",
    "stdout",
];
/// Streams that are synchronised with stdio by default.
const STREAMS: [&str; 2] = ["cin", "cout"];
const SYNC: &str = "std::ios::sync_with_stdio(false);";
const TIE: &str = "std::cin.tie(nullptr);";

/// Makes the streams neither synchronised with stdio nor flushed before every read.
pub(super) fn untied(code: &Code<'_>) -> Option<SourceChange> {
    let used: Vec<_> = STREAMS.into_iter().filter(|stream| code.has(stream)).collect();
    let in_macro = STREAMS.iter().chain(&["main"]).any(|word| code.is_in_macro(word));
    let uses_both = STDIO.iter().any(|word| code.has(word) || code.is_in_macro(word));
    let is_called = |word| code.has(word) || code.is_in_macro(word);
    let synced = !is_called("sync_with_stdio");
    // `std::tie` is an unrelated function.
    let is_untied = code.places("tie").any(|at| code.before(at) == ".") || code.is_in_macro("tie");
    let both = used.len() == STREAMS.len();
    if used.is_empty() || in_macro || uses_both || (!synced && (is_untied || !both)) {
        return None;
    }
    let body = body_of_main(code)?;
    let put = match (synced, is_untied) {
        (true, false) => format!("{SYNC} {TIE}"),
        (true, true) => SYNC.into(),
        (false, _) => TIE.into(),
    };
    let names: Vec<_> = used.iter().map(|stream| format!("`{stream}`")).collect();
    let found = if synced {
        let verb = if used.len() == 1 { "is" } else { "are" };
        format!("{} {verb} synchronized with stdio", names.join(" and "))
    } else {
        "`cout` is flushed before every read of `cin`".into()
    };
    let lines = used.iter().flat_map(|stream| code.places(stream)).map(|at| code.line(at));
    Some(SourceChange {
        found,
        remedy: format!("`{}` at the start of main", put.replace("std::", "")),
        edits: vec![Edit::insert(code.tokens.get(body)?.end(), &format!(" {put}"))],
        // The inserted `std::cin` needs it, even if the program uses only `cout`.
        header: Some("iostream"),
        lines: lines.collect(),
    })
}

/// Returns the index of the token `{` that opens the body of main.
fn body_of_main(code: &Code<'_>) -> Option<usize> {
    code.places("main").find_map(|main| {
        let open = Some(main + 1).filter(|&open| code.at(open) == "(")?;
        let body = code.closing(open)? + 1;
        (code.before(main) == "int" && code.at(body) == "{").then_some(body)
    })
}

/// Replaces `endl` by line ends that do not flush.
pub(super) fn newlines(code: &Code<'_>) -> Option<SourceChange> {
    if code.is_in_macro("endl") {
        return None;
    }
    let written = |at: usize| {
        let is_of_std = code.before(at) == ":" && code.at(at.saturating_sub(3)) == "std";
        let first = at.checked_sub(if is_of_std { 3 } else { 0 })?;
        let is_after_sign =
            first >= 2 && [first - 2, first - 1].iter().all(|&it| code.at(it) == "<");
        let range = code.tokens.get(first)?.start..code.tokens.get(at)?.end();
        let edit = Edit { at: range, with: "'\\n'".into() };
        is_after_sign.then(|| (edit, code.line(at)))
    };
    let (edits, lines): (Vec<_>, BTreeSet<_>) = code.places("endl").filter_map(written).unzip();
    (!edits.is_empty()).then_some(SourceChange {
        found: "`endl` flushes every line".into(),
        remedy: "`'\\n'` in its place".into(),
        edits,
        header: None,
        lines,
    })
}
