//! Changes of how a program reads and writes.

use super::edits::{Edit, SourceChange};
use crate::analyse::advice::tokens::Code;
use std::collections::BTreeSet;

/// Names that read and write by stdio. Where both libraries are used, they must stay in step.
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
/// The streams that are in step with stdio.
const STREAMS: [&str; 2] = ["cin", "cout"];
const SYNC: &str = "std::ios::sync_with_stdio(false);";
const TIE: &str = "std::cin.tie(nullptr);";

/// Streams that are neither in step with stdio nor flushed before every read.
pub(super) fn untied(code: &Code<'_>) -> Option<SourceChange> {
    let used: Vec<_> = STREAMS.into_iter().filter(|stream| code.has(stream)).collect();
    let in_macro = STREAMS.iter().chain(&["main"]).any(|word| code.is_in_macro(word));
    let uses_both = STDIO.iter().any(|word| code.has(word) || code.is_in_macro(word));
    let is_called = |word| code.has(word) || code.is_in_macro(word);
    let synced = !is_called("sync_with_stdio");
    // `std::tie` is another function.
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
        format!("{} {verb} kept in step with stdio", names.join(" and "))
    } else {
        "`cout` is flushed before every read of `cin`".into()
    };
    let lines = used.iter().flat_map(|stream| code.places(stream)).map(|at| code.line(at));
    Some(SourceChange {
        found,
        remedy: format!("`{}` at the start of main", put.replace("std::", "")),
        edits: vec![Edit::insert(code.tokens.get(body)?.end(), &format!(" {put}"))],
        // `std::cin` needs it, also where only `cout` is used.
        header: Some("iostream").filter(|_| !code.includes("bits/stdc++.h")),
        lines: lines.collect(),
    })
}

/// The index of the `{` of main.
fn body_of_main(code: &Code<'_>) -> Option<usize> {
    code.places("main").find_map(|main| {
        let open = Some(main + 1).filter(|&open| code.at(open) == "(")?;
        let body = code.closing(open)? + 1;
        (code.before(main) == "int" && code.at(body) == "{").then_some(body)
    })
}

/// Line ends that do not flush.
pub(super) fn newlines(code: &Code<'_>) -> Option<SourceChange> {
    let is_written = |&at: &usize| {
        let first = if code.before(at) == ":" && code.at(at.saturating_sub(3)) == "std" {
            at.checked_sub(3)
        } else {
            Some(at)
        };
        first.is_some_and(|first| {
            code.before(first) == "<" && first.checked_sub(2).is_some_and(|it| code.at(it) == "<")
        })
    };
    if code.is_in_macro("endl") {
        return None;
    }
    let places: Vec<_> = code.places("endl").filter(is_written).collect();
    let edits = places.iter().filter_map(|&at| {
        let first = if code.before(at) == ":" { at.checked_sub(3)? } else { at };
        let range = code.tokens.get(first)?.start..code.tokens.get(at)?.end();
        Some(Edit { at: range, with: "'\\n'".into() })
    });
    let lines: BTreeSet<_> = places.iter().map(|&at| code.line(at)).collect();
    let edits: Vec<_> = edits.collect();
    (!edits.is_empty()).then(|| SourceChange {
        found: "`endl` flushes every line".into(),
        remedy: "`'\\n'` in its place".into(),
        edits,
        header: None,
        lines,
    })
}
