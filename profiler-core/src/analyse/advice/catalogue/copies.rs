//! Changes that turn copies into references or moves.

use super::edits::SourceChange;
use super::parameters::CONTAINERS;
use crate::analyse::advice::syntax::{Declaration, Loop, Syntax, is_one_of};
use std::ops::Range;

/// Types whose copies are as cheap as references to them.
const CHEAP: &str = "int long short char bool float double unsigned signed size_t int64_t uint64_t \
                     int32_t uint32_t uint8_t ll ull ld pair tuple";
/// Methods that return a reference to an element.
const ELEMENTS: &str = "top front back at";
/// Methods that take an element.
const TAKERS: &str = "push_back push push_front insert emplace_back emplace";
/// Maximum number of tokens of a type.
const MAX_TYPE_TOKENS: usize = 40;
/// Maximum number of changes of each kind. Far fewer are tried.
const MAX_CHANGES: usize = 16;

/// Makes the elements of range-based loops `const` references, one loop at a time.
pub(super) fn elements(syntax: &Syntax<'_, '_>, loops: &[Loop]) -> Vec<SourceChange> {
    loops.iter().filter_map(|it| element(syntax, it)).take(MAX_CHANGES).collect()
}

fn element(syntax: &Syntax<'_, '_>, it: &Loop) -> Option<SourceChange> {
    let Range { start, end } = it.header;
    let is_colon = |&at: &usize| {
        let is_double = syntax.code.before(at) == ":" || syntax.at(at + 1) == ":";
        syntax.at(at) == ":" && !is_double
    };
    let has_parts = (start..end).any(|at| syntax.at(at) == ";");
    let colon = (start..end).find(is_colon).filter(|_| !has_parts)?;
    // The name is a word or, in brackets, several.
    let name = if syntax.at(colon - 1) == "]" { syntax.partner(colon - 1)? } else { colon - 1 };
    let is_const = syntax.at(start) == "const";
    let kind = start + usize::from(is_const)..name;
    let copies = !kind.is_empty() && !matches!(syntax.code.before(name), "&" | "*");
    let is_cheap = |kind: &Range<usize>| is_cheap(syntax, kind);
    let of_values = (colon + 2 == end).then(|| declared(syntax, syntax.at(colon + 1))).flatten();
    let has_cheap = |values: Range<usize>| {
        let open = values.clone().find(|&at| syntax.at(at) == "<");
        open.map_or(syntax.text(&values).ends_with("string"), |open| {
            is_cheap(&(open + 1..values.end - 1))
        })
    };
    if !copies || is_cheap(&kind) || of_values.is_some_and(has_cheap) {
        return None;
    }
    let constant = (!is_const).then(|| syntax.insert(start, "const ")).flatten();
    let reference = syntax.append(kind.end - 1, "&")?;
    Some(SourceChange {
        found: format!("the loop copies each element to `{}`", syntax.text(&(name..colon))),
        remedy: "a `const` reference".into(),
        edits: constant.into_iter().chain([reference]).collect(),
        header: None,
        lines: syntax.lines(&(it.keyword..end)).collect(),
    })
}

/// Makes copies of elements `const` references. The container must not visibly change while the
/// copy is used.
pub(super) fn locals(
    syntax: &Syntax<'_, '_>,
    declarations: &[Declaration<'_>],
) -> Vec<SourceChange> {
    declarations.iter().filter_map(|it| local(syntax, it)).take(MAX_CHANGES).collect()
}

fn local(syntax: &Syntax<'_, '_>, it: &Declaration<'_>) -> Option<SourceChange> {
    let last = it.value.end.checked_sub(1).filter(|_| it.sign == "=" && !it.is_reference)?;
    let open = syntax.partner(last).filter(|&open| open > it.value.start)?;
    let is_method = syntax.at(last) == ")"
        && syntax.at(open.saturating_sub(2)) == "."
        && is_one_of(ELEMENTS, syntax.at(open - 1));
    let is_element = is_method || syntax.at(last) == "]";
    // A call may return a value, which ends with the statement.
    let has_call = (it.value.start..open).any(|at| syntax.at(at) == "(");
    let is_heavy = is_heavy(syntax, &it.kind) || (is_method && syntax.text(&it.kind) == "auto");
    if !is_element || has_call || !is_heavy || !syntax.is_name(it.value.start) {
        return None;
    }
    let rest = it.end + 1..syntax.block_end(it.first)?;
    let used = rest.clone().rev().find(|&at| syntax.at(at) == it.name)?;
    let while_used = rest.start..used + 1;
    let (holder, is_changed) = (syntax.at(it.value.start), syntax.changes(&rest, it.name));
    if is_changed || syntax.changes(&while_used, holder) {
        return None;
    }
    let constant = (!it.is_const).then(|| syntax.insert(it.first, "const ")).flatten();
    let reference = syntax.append(it.kind.end - 1, "&")?;
    Some(SourceChange {
        found: format!("`{}` is a copy of an element of `{holder}`", it.name),
        remedy: "a `const` reference".into(),
        edits: constant.into_iter().chain([reference]).collect(),
        header: None,
        lines: syntax.lines(&(it.first..it.end)).collect(),
    })
}

/// Moves local values into containers where they are not used afterwards.
pub(super) fn last_uses(
    syntax: &Syntax<'_, '_>,
    declarations: &[Declaration<'_>],
) -> Vec<SourceChange> {
    declarations.iter().filter_map(|it| last_use(syntax, it)).take(MAX_CHANGES).collect()
}

fn last_use(syntax: &Syntax<'_, '_>, it: &Declaration<'_>) -> Option<SourceChange> {
    if it.is_reference || it.is_const || !is_heavy(syntax, &it.kind) {
        return None;
    }
    let rest = it.end + 1..syntax.block_end(it.first)?;
    let used = rest.rev().find(|&at| syntax.at(at) == it.name)?;
    let method = used.checked_sub(2)?;
    let is_taken = syntax.is(used + 1, &[")", ";"])
        && syntax.is(used - 1, &["("])
        && is_one_of(TAKERS, syntax.at(method))
        && syntax.code.before(method) == ".";
    // In an inner loop, it would be moved more than once.
    if !is_taken || syntax.parent(used - 1) != syntax.parent(it.first) {
        return None;
    }
    Some(SourceChange {
        found: format!("`{}` is copied where it is used for the last time", it.name),
        remedy: "`std::move`".into(),
        edits: vec![syntax.replace(used..used + 1, format!("std::move({})", it.name))?],
        header: Some("utility"),
        lines: syntax.lines(&(used..used + 1)).collect(),
    })
}

/// Returns the tokens of the type of the first declaration of a variable.
fn declared(syntax: &Syntax<'_, '_>, name: &str) -> Option<Range<usize>> {
    let code = syntax.code;
    let is_declared = |&at: &usize| {
        let is_after_type = code.before(at) == ">" || code.before(at) == "string";
        at > 0 && is_after_type && matches!(syntax.at(at + 1), "(" | "=" | ";" | "{" | "," | ")")
    };
    let at = code.places(name).find(is_declared)?;
    if code.before(at) == "string" {
        return Some(at - 1..at);
    }
    // The outermost `<` before the name is the one that its `>` closes.
    let mut before = at.saturating_sub(MAX_TYPE_TOKENS)..at;
    let open = before.find(|&open| syntax.at(open) == "<" && code.closing(open) == Some(at - 1))?;
    Some(open.saturating_sub(1)..at)
}

/// Whether values of a type are as cheap to copy as a reference, as far as its name shows.
fn is_cheap(syntax: &Syntax<'_, '_>, kind: &Range<usize>) -> bool {
    let mut words = kind.clone().filter(|&at| syntax.is_word(at)).map(|at| syntax.at(at));
    words.all(|word| word == "std" || is_one_of(CHEAP, word))
}

/// Whether copies of a type may cost more: it is or holds a container, or the source defines it.
pub(super) fn is_heavy(syntax: &Syntax<'_, '_>, kind: &Range<usize>) -> bool {
    let code = syntax.code;
    let is_defined =
        |word: &str| code.places(word).any(|at| matches!(code.before(at), "struct" | "class"));
    let mut words = kind.clone().filter(|&at| syntax.is_word(at)).map(|at| syntax.at(at));
    words.any(|word| CONTAINERS.contains(&word) || is_defined(word))
}
