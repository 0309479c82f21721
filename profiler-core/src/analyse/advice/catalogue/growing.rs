//! Changes to how containers grow and shrink.

use super::edits::SourceChange;
use crate::analyse::advice::syntax::{Declaration, Loop, Syntax};
use std::collections::BTreeSet;
use std::ops::Range;

/// Sets that order their elements. Only a set of this kind can be a queue by priority.
const SETS: [&str; 2] = ["set", "multiset"];
/// Maximum number of variables that are looked at.
const MAX_VARIABLES: usize = 64;

/// Reserves the memory of vectors that a loop fills, one vector at a time.
pub(super) fn reserved(
    syntax: &Syntax<'_, '_>,
    loops: &[Loop],
    declarations: &[Declaration<'_>],
) -> Vec<SourceChange> {
    declarations.iter().filter_map(|it| reserve(syntax, loops, it)).collect()
}

fn reserve(syntax: &Syntax<'_, '_>, loops: &[Loop], it: &Declaration<'_>) -> Option<SourceChange> {
    let is_vector = it.kind.clone().take(4).any(|at| syntax.at(at) == "vector");
    let is_empty = it.sign == ";" && !it.is_reference;
    let uses = |range: &Range<usize>, method: &str| {
        let is_use = |&at: &usize| syntax.is(at, &[it.name, ".", method, "("]);
        range.clone().find(is_use)
    };
    let block = it.end..syntax.block_end(it.first)?;
    let is_sized = ["reserve", "resize", "assign"].iter().any(|it| uses(&block, it).is_some());
    if !is_vector || !is_empty || is_sized {
        return None;
    }
    let grown =
        |range: &Range<usize>| uses(range, "push_back").or_else(|| uses(range, "emplace_back"));
    let is_next_to = |around: &&Loop| {
        around.keyword > it.end && syntax.parent(around.keyword) == syntax.parent(it.first)
    };
    let filling = loops.iter().filter(is_next_to).find(|around| grown(&around.body).is_some())?;
    let place = grown(&filling.body)?;
    let count = steps(syntax, filling)?;
    if !syntax.begins_statement(filling.keyword) {
        return None;
    }
    let reserve = format!("{}.reserve({count}); ", it.name);
    Some(SourceChange {
        found: format!("`{}` grows step by step, and moves its elements", it.name),
        remedy: format!("`{}`", reserve.trim_end_matches("; ")),
        edits: vec![syntax.insert(filling.keyword, &reserve)?],
        header: None,
        lines: [syntax.code.line(place)].into(),
    })
}

/// Returns the number of steps of a `for` loop, as an expression.
fn steps(syntax: &Syntax<'_, '_>, it: &Loop) -> Option<String> {
    if syntax.at(it.keyword) != "for" {
        return None;
    }
    let parts = syntax.split(&it.header, ";");
    let [start, condition, _] = &parts[..] else {
        let Range { start, end } = it.header;
        // A container by its name.
        let is_range = end > start + 2 && syntax.at(end - 2) == ":" && syntax.is_name(end - 1);
        return is_range.then(|| format!("{}.size()", syntax.at(end - 1)));
    };
    let sign = start.clone().find(|&at| syntax.at(at) == "=")?;
    let (counter, first) = (syntax.at(sign - 1), syntax.text(&(sign + 1..start.end)));
    let is_plain = syntax.is(condition.start, &[counter, "<"])
        && condition.clone().all(|at| !matches!(syntax.at(at), "&" | "|"))
        && syntax.at(condition.start + 2) != "<";
    let inclusive = usize::from(syntax.at(condition.start + 2) == "=");
    let last = syntax.text(&(condition.start + 2 + inclusive..condition.end));
    let is_single = condition.end == condition.start + 3 + inclusive;
    let last = if is_single { last.to_owned() } else { format!("({last})") };
    let from = match first {
        "0" => String::new(),
        _ if sign + 2 == start.end => format!(" - {first}"),
        _ => format!(" - ({first})"),
    };
    let more = if inclusive == 1 { " + 1" } else { "" };
    is_plain.then(|| format!("{last}{from}{more}"))
}

/// Makes vectors that lose and get elements at their start double-ended queues, one at a time.
pub(super) fn double_ended(syntax: &Syntax<'_, '_>) -> Vec<SourceChange> {
    declared(syntax, &["vector"]).into_iter().filter_map(|it| deque(syntax, &it)).collect()
}

fn deque(syntax: &Syntax<'_, '_>, it: &Declared<'_>) -> Option<SourceChange> {
    let (name, mut edits, mut lines) = (it.name, Vec::new(), BTreeSet::new());
    for at in syntax.code.places(name) {
        if syntax.is(at, &[name, ".", "erase", "(", name, ".", "begin", "(", ")", ")"]) {
            edits.push(syntax.replace(at + 2..at + 10, "pop_front()")?);
        } else if syntax.is(at, &[name, ".", "insert", "(", name, ".", "begin", "(", ")", ","]) {
            edits.push(syntax.replace(at + 2..at + 10, "push_front(")?);
        } else {
            continue;
        }
        lines.insert(syntax.code.line(at));
    }
    let is_found = !edits.is_empty();
    edits.push(syntax.replace(it.kind..it.kind + 1, "deque")?);
    is_found.then(|| SourceChange {
        found: format!("all elements of the vector `{name}` move when the first one does"),
        remedy: "`deque` in its place".into(),
        edits,
        header: Some("deque"),
        lines,
    })
}

/// Makes sets of which only the first element is looked at queues by priority, one at a time.
pub(super) fn by_priority(syntax: &Syntax<'_, '_>) -> Vec<SourceChange> {
    declared(syntax, &SETS).into_iter().filter_map(|it| queue(syntax, &it)).collect()
}

fn queue(syntax: &Syntax<'_, '_>, it: &Declared<'_>) -> Option<SourceChange> {
    let (name, arguments) = (it.name, it.kind + 2..syntax.code.closing(it.kind + 1)?);
    let element = syntax.text(&arguments);
    let is_plain = syntax.at(it.at + 1) == ";" && is_one_type(syntax, &arguments);
    let mut edits = vec![syntax.replace(
        it.kind..arguments.end + 1,
        format!("priority_queue<{element}, std::vector<{element}>, std::greater<{element}>>"),
    )?];
    let (mut lines, mut is_taken) = (BTreeSet::new(), false);
    let mut at = it.at;
    for place in syntax.code.places(name).filter(|&place| place > it.at) {
        lines.insert(syntax.code.line(place));
        // A use within the last one.
        if place <= at {
            continue;
        }
        at = place;
        let first = [name, ".", "begin", "(", ")"];
        if syntax.is(place, &first) && syntax.code.before(place) == "*" {
            edits.push(syntax.replace(place - 1..place + 5, format!("{name}.top()"))?);
        } else if syntax.is(place, &first) && syntax.is(place + 5, &["-", ">"]) {
            edits.push(syntax.replace(place..place + 7, format!("{name}.top()."))?);
        } else if syntax.is(place, &[name, ".", "erase", "("]) && syntax.is(place + 4, &first) {
            edits.push(syntax.replace(place + 2..place + 10, "pop()")?);
            (is_taken, at) = (true, place + 4);
        } else if syntax.is(place, &[name, ".", "insert", "("]) {
            edits.push(syntax.replace(place + 2..place + 3, "push")?);
        } else if !["emplace", "empty", "size"]
            .into_iter()
            .any(|it| syntax.is(place, &[name, ".", it]))
        {
            return None;
        }
    }
    (is_plain && is_taken).then(|| SourceChange {
        found: format!("only the first element of the set `{name}` is looked at"),
        remedy: "`priority_queue` in its place".into(),
        edits,
        header: Some("queue"),
        lines,
    })
}

/// Whether the arguments of a template are a single type.
fn is_one_type(syntax: &Syntax<'_, '_>, arguments: &Range<usize>) -> bool {
    let mut at = arguments.start;
    while at < arguments.end {
        match syntax.at(at) {
            "<" => at = syntax.code.closing(at).unwrap_or(at),
            "," => return false,
            _ => {}
        }
        at += 1;
    }
    true
}

/// A variable of a container type, as indices of tokens.
struct Declared<'a> {
    name: &'a str,
    /// The word of the container.
    kind: usize,
    at: usize,
}

/// Returns the variables of these container types.
fn declared<'a>(syntax: &Syntax<'_, 'a>, kinds: &[&str]) -> Vec<Declared<'a>> {
    let code = syntax.code;
    let all = kinds.iter().flat_map(|kind| code.places(kind)).filter(|&at| code.at(at + 1) == "<");
    let variable = |kind: usize| {
        let at = code.closing(kind + 1)? + 1;
        let is_variable = syntax.is_name(at) && matches!(code.at(at + 1), ";" | "(" | "=" | "{");
        is_variable.then(|| Declared { name: code.at(at), kind, at })
    };
    all.filter_map(variable).take(MAX_VARIABLES).collect()
}
