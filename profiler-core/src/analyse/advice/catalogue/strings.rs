//! Changes to how strings are built and compared.

use super::edits::{Edit, SourceChange};
use crate::analyse::advice::syntax::Syntax;
use std::collections::BTreeSet;

/// Maximum number of strings that are looked at.
const MAX_STRINGS: usize = 64;
/// Maximum number of tokens of an operand.
const MAX_TOKENS: usize = 24;

/// Appends to strings in their places, one string at a time.
pub(super) fn appended(syntax: &Syntax<'_, '_>) -> Vec<SourceChange> {
    strings(syntax).iter().filter_map(|&at| append(syntax, syntax.at(at))).collect()
}

fn append(syntax: &Syntax<'_, '_>, name: &str) -> Option<SourceChange> {
    let (mut edits, mut lines) = (Vec::new(), BTreeSet::new());
    for at in assignments(syntax, name) {
        let sum = at + 2..syntax.statement_end(at)?;
        let parts = syntax.split(&sum, "+");
        if parts.len() < 2 || !syntax.is(parts[0].start, &[name]) || parts[0].len() != 1 {
            continue;
        }
        let each = parts[1..].iter().map(|part| format!("{name} += {}", syntax.text(part)));
        let each: Vec<_> = each.collect();
        edits.push(syntax.replace(at..sum.end, each.join(", "))?);
        lines.insert(syntax.code.line(at));
    }
    (!edits.is_empty()).then(|| SourceChange {
        found: format!("`{name}` is copied each time something is added to it"),
        remedy: "`+=`".into(),
        edits,
        header: None,
        lines,
    })
}

/// Builds strings that grow at their start in reverse, one string at a time.
pub(super) fn reversed(syntax: &Syntax<'_, '_>) -> Vec<SourceChange> {
    strings(syntax).iter().filter_map(|&at| reverse(syntax, at)).collect()
}

fn reverse(syntax: &Syntax<'_, '_>, declared: usize) -> Option<SourceChange> {
    let (name, block) = (syntax.at(declared), syntax.parent(declared)?);
    let (mut edits, mut lines, mut last) = (Vec::new(), BTreeSet::new(), None);
    for at in assignments(syntax, name) {
        let sum = at + 2..syntax.statement_end(at)?;
        let parts = syntax.split(&sum, "+");
        let [first, second] = &parts[..] else { continue };
        if second.len() == 1 && syntax.is(second.start, &[name]) && first.len() <= MAX_TOKENS {
            let with = format!("{name} += {}", syntax.text(first));
            edits.push(syntax.replace(at..sum.end, with)?);
            lines.insert(syntax.code.line(at));
            last = Some(at);
        }
    }
    // The statement of the block in which the string grows for the last time.
    let mut at = last?;
    while syntax.parent(at)? != block {
        at = syntax.parent(at)?;
    }
    let end = syntax.statement_end(at)?;
    edits.push(syntax.append(end, &format!(" std::reverse({name}.begin(), {name}.end());"))?);
    Some(SourceChange {
        found: format!("all letters of `{name}` move each time one is put before them"),
        remedy: "letters in reverse order, and `reverse`".into(),
        edits,
        header: Some("algorithm"),
        lines,
    })
}

/// Compares parts of strings in their places.
pub(super) fn compared(syntax: &Syntax<'_, '_>) -> Option<SourceChange> {
    let (mut edits, mut lines) = (Vec::new(), BTreeSet::new());
    for at in syntax.code.places("substr") {
        let Some(edit) = comparison(syntax, at) else { continue };
        edits.push(edit);
        lines.insert(syntax.code.line(at));
    }
    (!edits.is_empty()).then_some(SourceChange {
        found: "`substr` copies what is compared".into(),
        remedy: "`compare`".into(),
        edits,
        header: None,
        lines,
    })
}

fn comparison(syntax: &Syntax<'_, '_>, at: usize) -> Option<Edit> {
    let close = syntax.partner(at + 1).filter(|_| syntax.at(at + 1) == "(")?;
    let is_method = syntax.code.before(at) == ".";
    let sign = syntax.at(close + 1);
    if !is_method || syntax.at(close + 2) != "=" || !matches!(sign, "=" | "!") {
        return None;
    }
    let start = close + 3;
    let mut end = start;
    while !matches!(syntax.at(end), ")" | ";" | "," | "&" | "|" | "?" | "") {
        end = if matches!(syntax.at(end), "(" | "[") { syntax.partner(end)? } else { end } + 1;
    }
    let arguments = at + 2..close;
    let count = syntax.split(&arguments, ",").len();
    let whole = if count == 1 { ", std::string::npos" } else { "" };
    let (arguments, other) = (syntax.text(&arguments), syntax.text(&(start..end)));
    let with = format!("compare({arguments}{whole}, {other}) {sign}= 0");
    syntax.replace(at..end, with).filter(|_| end > start && count <= 2)
}

/// Returns the tokens that assign a sum to a variable.
fn assignments(syntax: &Syntax<'_, '_>, name: &str) -> Vec<usize> {
    let is_assigned = |&at: &usize| {
        syntax.is_name(at) && syntax.at(at + 1) == "=" && !matches!(syntax.at(at + 2), "=" | "")
    };
    syntax.code.places(name).filter(is_assigned).collect()
}

/// Returns the tokens that are the names of declared strings, each name once.
fn strings(syntax: &Syntax<'_, '_>) -> Vec<usize> {
    let mut names = BTreeSet::new();
    let after = syntax.code.places("string").map(|at| at + 1);
    let is_declared =
        |&at: &usize| syntax.is_name(at) && matches!(syntax.at(at + 1), ";" | "=" | "(" | ",");
    after.filter(is_declared).filter(|&at| names.insert(syntax.at(at))).take(MAX_STRINGS).collect()
}
