//! Changes that turn copied parameters into references.

use super::edits::{Edit, SourceChange};
use crate::analyse::advice::tokens::Code;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Types whose copies cost time in proportion to their content.
pub(super) const CONTAINERS: [&str; 14] = [
    "vector",
    "string",
    "map",
    "set",
    "unordered_map",
    "unordered_set",
    "multimap",
    "multiset",
    "deque",
    "list",
    "queue",
    "priority_queue",
    "stack",
    "array",
];
/// Maximum number of parameters that become changes. Far fewer changes are tried.
const MAX_PARAMETERS: usize = 64;
/// Maximum number of characters that a report shows of a name.
const NAME_CHARS: usize = 60;
/// Words after which a parenthesis does not begin a list of parameters.
const NO_FUNCTION: [&str; 8] =
    ["if", "for", "while", "switch", "catch", "return", "sizeof", "decltype"];
/// Tokens that follow a list of parameters.
const AFTER_PARAMETERS: [&str; 8] =
    ["{", ";", ":", "-", "const", "noexcept", "override", "mutable"];

/// Makes each container that is passed by value a `const` reference. The declarations of a function
/// change together with its definition.
pub(super) fn by_reference(code: &Code<'_>) -> Vec<SourceChange> {
    let mut found: BTreeMap<(usize, usize), SourceChange> = BTreeMap::new();
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    for open in code.places("(") {
        let Some((name, close)) = function(code, open) else { continue };
        // Lambdas have no names, so each counts as a separate function.
        let first = if name == "]" { open } else { *first_of.entry(name).or_insert(open) };
        for (number, (from, to)) in parameters(code, open, close).into_iter().enumerate() {
            let Some(parameter) = copied(code, from, to) else { continue };
            let is_full = found.len() == MAX_PARAMETERS;
            match found.entry((first, number)) {
                Entry::Occupied(change) => change.into_mut().edits.extend(parameter.edits),
                Entry::Vacant(_) if is_full => {}
                Entry::Vacant(place) => {
                    place.insert(change(code, name, parameter));
                }
            }
        }
    }
    found.into_values().collect()
}

/// A parameter that is a container passed by value.
struct Copied<'a> {
    container: &'a str,
    name: &'a str,
    /// Edits that make the parameter a `const` reference.
    edits: Vec<Edit>,
}

/// Returns the name before the list of parameters that begins at token `open`, or `]` for a lambda,
/// and the token that ends the list.
fn function<'a>(code: &Code<'a>, open: usize) -> Option<(&'a str, usize)> {
    let before = code.tokens.get(open.checked_sub(1)?)?;
    let is_name = before.is_word() && !NO_FUNCTION.contains(&before.text);
    if !is_name && before.text != "]" {
        return None;
    }
    let close = code.closing(open)?;
    AFTER_PARAMETERS.contains(&code.at(close + 1)).then_some((before.text, close))
}

/// Returns the first and the last token of each parameter between two parentheses.
fn parameters(code: &Code<'_>, open: usize, close: usize) -> Vec<(usize, usize)> {
    let (mut all, mut from, mut at) = (Vec::new(), open + 1, open + 1);
    while at < close {
        match code.at(at) {
            "(" | "[" | "{" | "<" => at = code.closing(at).map_or(at, |end| end.min(close - 1)),
            "," => {
                all.push((from, at - 1));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if from < close {
        all.push((from, close - 1));
    }
    all
}

/// Returns the container that a parameter copies. `None` unless the parameter is a container type,
/// followed by nothing but a name and a default.
fn copied<'a>(code: &Code<'a>, from: usize, to: usize) -> Option<Copied<'a>> {
    let mut at = from;
    let is_const = code.at(at) == "const";
    at += usize::from(is_const);
    let constant = Edit::insert(code.tokens.get(at)?.start, "const ");
    if code.at(at) == "std" && code.at(at + 1) == ":" && code.at(at + 2) == ":" {
        at += 3;
    }
    let container = CONTAINERS.into_iter().find(|name| *name == code.at(at))?;
    let last = match code.at(at + 1) {
        "<" => code.closing(at + 1)?,
        _ if container == "string" => at,
        _ => return None,
    };
    let name = code.tokens.get(last + 1).filter(|token| token.is_word() && last < to);
    let end = last + 1 + usize::from(name.is_some());
    let reference = Edit::insert(code.tokens.get(last)?.end(), "&");
    (end > to || code.at(end) == "=").then(|| Copied {
        container,
        name: name.map_or("", |name| name.text),
        edits: if is_const { vec![reference] } else { vec![constant, reference] },
    })
}

fn change(code: &Code<'_>, function: &str, parameter: Copied<'_>) -> SourceChange {
    let short = |name: &str| name.chars().take(NAME_CHARS).collect::<String>();
    let of = if function == "]" { "a lambda" } else { &format!("`{}`", short(function)) };
    let calls = code.places(function).filter(|&at| function != "]" && code.at(at + 1) == "(");
    SourceChange {
        found: format!(
            "{of} copies its {} `{}` in every call",
            parameter.container,
            short(parameter.name)
        ),
        remedy: "a `const` reference".into(),
        edits: parameter.edits,
        header: None,
        lines: calls.map(|at| code.line(at)).collect(),
    }
}
