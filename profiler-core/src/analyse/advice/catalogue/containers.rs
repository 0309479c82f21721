//! Ordered containers that become hashed ones.

use super::edits::{Edit, SourceChange};
use crate::analyse::advice::tokens::{Code, Token};
use std::collections::BTreeSet;

/// Replaces all uses of the ordered container `name` (`map` or `set`) by the hashed one. A program
/// that needs the order then does not compile, or writes a different output.
pub(super) fn hashed(code: &Code<'_>, name: &str) -> Option<SourceChange> {
    // The header has the same name as the container.
    let hashed = if name == "map" { "unordered_map" } else { "unordered_set" };
    if code.is_in_macro(name) {
        return None;
    }
    let is_type = |&at: &usize| {
        let before = code.before(at);
        let is_of_std = before != ":" || code.at(at.saturating_sub(3)) == "std";
        code.at(at + 1) == "<" && is_of_std && before != "." && before != ">"
    };
    let places: Vec<_> = code.places(name).filter(is_type).collect();
    let tokens = places.iter().filter_map(|&at| code.tokens.get(at));
    let edit = |token: &Token<'_>| Edit { at: token.start..token.end(), with: hashed.into() };
    let edits: Vec<_> = tokens.map(edit).collect();
    let names: BTreeSet<_> = places.iter().filter_map(|&at| declared(code, at)).collect();
    let lines = names.iter().flat_map(|name| code.places(name)).map(|at| code.line(at));
    (!edits.is_empty()).then(|| SourceChange {
        found: format!("`{name}` keeps its keys in order"),
        remedy: format!("`{hashed}` in its place"),
        edits,
        header: Some(hashed),
        lines: lines.collect(),
    })
}

/// Returns the name that is declared after the type at token `at`.
fn declared<'a>(code: &Code<'a>, at: usize) -> Option<&'a str> {
    let mut next = code.closing(at + 1)? + 1;
    while matches!(code.at(next), "&" | "*" | ">" | "const") {
        next += 1;
    }
    code.tokens.get(next).filter(|token| token.is_word()).map(|token| token.text)
}
