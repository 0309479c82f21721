//! Changes that take work out of loops, or change their order.

use super::edits::SourceChange;
use super::parameters::CONTAINERS;
use crate::analyse::advice::syntax::{Declaration, Loop, Syntax, is_one_of};
use std::ops::Range;

/// Methods of containers that take no time worth saving.
const QUICK: &str = "size length empty end cend rend min max abs int long size_t";
/// Containers that can be cleared and filled again.
const REUSABLE: &str =
    "vector string deque map set unordered_map unordered_set list multiset multimap";
/// Maximum number of tokens of an expression that is moved.
const MAX_TOKENS: usize = 60;

/// Computes the bounds of loops once, one loop at a time.
pub(super) fn bounds(syntax: &Syntax<'_, '_>, loops: &[Loop]) -> Vec<SourceChange> {
    loops.iter().filter_map(|it| bound(syntax, it)).collect()
}

fn bound(syntax: &Syntax<'_, '_>, it: &Loop) -> Option<SourceChange> {
    let condition = condition(syntax, it)?;
    let sign = condition
        .clone()
        .find(|&at| matches!(syntax.at(at), "<" | ">") && syntax.at(at + 1) != syntax.at(at))?;
    let start = sign + 1 + usize::from(syntax.at(sign + 1) == "=");
    let rest = start..condition.end;
    let joined = rest.clone().find(|&at| matches!(syntax.at(at), "&" | "|"));
    let bound = start..joined.unwrap_or(rest.end);
    let whole = it.header.start..it.body.end;
    let is_text = syntax.at(bound.start) == "strlen";
    let is_other = |name: &str| {
        // Only a `strlen` of a text whose letters change usually stays the same.
        if is_text { syntax.assigns(&whole, name) } else { syntax.changes(&whole, name) }
    };
    let is_fixed = !syntax.variables(&bound).into_iter().any(is_other);
    if !is_slow(syntax, &bound) || !is_fixed || !syntax.begins_statement(it.keyword) {
        return None;
    }
    let line = syntax.code.line(bound.start);
    let (name, text) = (format!("limit_{line}"), syntax.text(&bound));
    let before = syntax.insert(it.keyword, &format!("const auto {name} = {text}; "))?;
    Some(SourceChange {
        found: "the loop computes its bound in every step".into(),
        remedy: "the bound in a variable".into(),
        edits: vec![before, syntax.replace(bound, name)?],
        header: None,
        lines: [line].into(),
    })
}

/// Returns the condition of a loop. `None` for a range-based loop.
fn condition(syntax: &Syntax<'_, '_>, it: &Loop) -> Option<Range<usize>> {
    if syntax.at(it.keyword) == "while" {
        return Some(it.header.clone());
    }
    syntax.split(&it.header, ";").get(1).cloned()
}

/// Whether an expression with variables calls a function, other than a quick one.
fn is_slow(syntax: &Syntax<'_, '_>, value: &Range<usize>) -> bool {
    let is_call = |&at: &usize| {
        let name = at.saturating_sub(1);
        let arguments = at + 1..syntax.partner(at).unwrap_or(at + 1);
        syntax.at(at) == "("
            && syntax.is_word(name)
            && name >= value.start
            && !is_one_of(QUICK, syntax.at(name))
            && !(arguments.is_empty() && syntax.variables(value).is_empty())
    };
    let has_block = value.clone().any(|at| syntax.at(at) == "{");
    value.len() <= MAX_TOKENS && !has_block && value.clone().any(|at| is_call(&at))
}

/// Takes declarations out of loops: values that stay the same, and containers that can be used
/// again.
pub(super) fn declared(
    syntax: &Syntax<'_, '_>,
    loops: &[Loop],
    declarations: &[Declaration<'_>],
) -> Vec<SourceChange> {
    let hoisted = declarations.iter().filter_map(|it| {
        let around: Vec<_> =
            loops.iter().filter(|around| around.body.contains(&it.first)).collect();
        // A function between the loop and the declaration would be a lambda.
        let is_direct =
            around.last().is_some_and(|inner| syntax.parent(it.first) == Some(inner.body.start));
        is_direct.then(|| fixed(syntax, &around, it).or_else(|| reused(syntax, &around, it)))?
    });
    hoisted.collect()
}

/// Computes a value before the loops in which nothing visibly changes it.
fn fixed(syntax: &Syntax<'_, '_>, around: &[&Loop], it: &Declaration<'_>) -> Option<SourceChange> {
    let inner = around.last()?;
    let is_copied = syntax.changes(&(it.end..inner.body.end), it.name);
    let variables = syntax.variables(&it.value);
    if is_copied || variables.is_empty() || !is_slow(syntax, &it.value) {
        return None;
    }
    let is_fixed = |around: &&&Loop| {
        let (before, after) = (around.header.start..it.first, it.end..around.body.end);
        let changes = |name: &&str| syntax.changes(&before, name) || syntax.changes(&after, name);
        !variables.iter().any(changes)
    };
    let outer = around.iter().rev().take_while(is_fixed);
    let outermost = outer.filter(|it| syntax.begins_statement(it.keyword)).last()?;
    let whole = it.first..it.end + 1;
    let found = format!("`{}` is computed anew in every step", it.name);
    moved(syntax, outermost, whole, (syntax.text(&(it.first..it.end + 1)), ""), found)
}

/// Declares a container before the loops, and empties or fills it where it was declared.
fn reused(syntax: &Syntax<'_, '_>, around: &[&Loop], it: &Declaration<'_>) -> Option<SourceChange> {
    let kind = it.kind.clone();
    let first = kind.clone().find(|&at| CONTAINERS.contains(&syntax.at(at)))?;
    let is_std = first == kind.start || (first == kind.start + 3 && syntax.at(kind.start) == "std");
    if !is_std || it.is_reference || it.is_const || !is_one_of(REUSABLE, syntax.at(first)) {
        return None;
    }
    let (text, name) = (syntax.text(&kind), it.name);
    let again = match it.sign {
        ";" => format!("{name}.clear();"),
        "(" => filled(syntax, first, name, &it.value)?,
        _ => return None,
    };
    let outermost = around.iter().find(|it| syntax.begins_statement(it.keyword))?;
    let found = format!("the loop allocates `{name}` in every step");
    let declared = format!("{text} {name};");
    let mut change = moved(syntax, outermost, it.first..it.end + 1, (&declared, &again), found)?;
    let rest = it.end..around.last()?.body.end;
    let uses = rest.filter(|&at| syntax.at(at) == name);
    change.lines.extend(uses.map(|at| syntax.code.line(at)));
    Some(change)
}

/// Returns the statements that fill a vector or a string as its constructor does. Vectors of
/// vectors keep their rows.
fn filled(
    syntax: &Syntax<'_, '_>,
    kind: usize,
    name: &str,
    arguments: &Range<usize>,
) -> Option<String> {
    let is_text = syntax.at(kind) == "string";
    let element = if is_text { None } else { Some(kind + 2..syntax.code.closing(kind + 1)?) };
    let of_std = |range: &Range<usize>| {
        if syntax.at(range.start) == "std" { range.start + 3 } else { range.start }
    };
    if syntax.at(kind) != "vector" && !is_text {
        return None;
    }
    let parts = syntax.split(arguments, ",");
    let count = syntax.text(parts.first()?);
    let element = element.unwrap_or_default();
    let inner = of_std(&element);
    let is_nested = !element.is_empty() && CONTAINERS.contains(&syntax.at(inner));
    match &parts[..] {
        [_, value] if !is_nested => {
            Some(format!("{name}.assign({count}, {});", syntax.text(value)))
        }
        [_] if !is_nested && !is_text => {
            Some(format!("{name}.assign({count}, {}());", syntax.text(&element)))
        }
        [_] if syntax.at(inner) == "vector" => {
            Some(format!("{name}.resize({count}); for (auto& row : {name}) row.clear();"))
        }
        // `vector<T>(count, value)`
        [_, row] if syntax.at(inner) == "vector" => {
            let row_kind = of_std(row);
            let open = syntax.code.closing(row_kind + 1)? + 1;
            let is_row = syntax.at(row_kind) == "vector"
                && syntax.at(open) == "("
                && syntax.partner(open) == Some(row.end - 1);
            let fill = filled(syntax, row_kind, "row", &(open + 1..row.end - 1))?;
            // Not a vector of vectors of vectors.
            (is_row && fill.starts_with("row.assign"))
                .then(|| format!("{name}.resize({count}); for (auto& row : {name}) {fill}"))
        }
        _ => None,
    }
}

/// Puts a text before a loop, and another one in the place of a declaration in it.
fn moved(
    syntax: &Syntax<'_, '_>,
    to: &Loop,
    from: Range<usize>,
    (before, instead): (&str, &str),
    found: String,
) -> Option<SourceChange> {
    if !syntax.begins_statement(to.keyword) || from.len() > MAX_TOKENS {
        return None;
    }
    let lines = syntax.lines(&from).collect();
    Some(SourceChange {
        found,
        remedy: "its declaration before the loop".into(),
        edits: vec![
            syntax.insert(to.keyword, &format!("{before} "))?,
            syntax.replace(from, instead)?,
        ],
        header: None,
        lines,
    })
}

/// Swaps two nested loops if the inner one counts rows and the outer one columns.
pub(super) fn order(syntax: &Syntax<'_, '_>, loops: &[Loop]) -> Vec<SourceChange> {
    let pairs = loops.windows(2);
    pairs.filter_map(|pair| swapped(syntax, &pair[0], &pair[1])).collect()
}

fn swapped(syntax: &Syntax<'_, '_>, outer: &Loop, inner: &Loop) -> Option<SourceChange> {
    let braces = usize::from(syntax.at(outer.body.start) == "{");
    let is_alone = inner.keyword == outer.body.start + braces
        && inner.body.end + braces == outer.body.end
        && [outer, inner].iter().all(|it| syntax.at(it.keyword) == "for");
    let counter = |it: &Loop| {
        let first = syntax.split(&it.header, ";").into_iter().next()?;
        let sign = first.clone().find(|&at| syntax.at(at) == "=")?;
        Some(syntax.at(sign.checked_sub(1)?))
    };
    let (column, row) = (counter(outer)?, counter(inner)?);
    let mentions = |it: &Loop, name: &str| it.header.clone().any(|at| syntax.at(at) == name);
    if !is_alone || mentions(inner, column) || mentions(outer, row) {
        return None;
    }
    let indexed = |first: &str, second: &str| {
        let is_pair = |&at: &usize| syntax.is(at, &["[", first, "]", "[", second, "]"]);
        inner.body.clone().filter(is_pair).count()
    };
    if indexed(row, column) <= indexed(column, row) {
        return None;
    }
    let [outer_text, inner_text] = [outer, inner].map(|it| syntax.text(&it.header));
    Some(SourceChange {
        found: format!("the inner loop over `{row}` jumps from row to row"),
        remedy: format!("the loop over `{column}` inside"),
        edits: vec![
            syntax.replace(outer.header.clone(), inner_text)?,
            syntax.replace(inner.header.clone(), outer_text)?,
        ],
        header: None,
        lines: syntax.lines(&(inner.keyword..inner.body.end)).collect(),
    })
}
