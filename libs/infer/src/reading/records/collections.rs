//! Operations on a collection, such as a stack: those without an argument need an element, which
//! those with one number have added.

use crate::reading::content::{Argument, Operation};
use crate::reading::view::Row;

/// Operations that look at an element and leave it.
const LOOKS: [&str; 10] =
    ["top", "front", "back", "peek", "first", "last", "min", "max", "getmin", "getmax"];
/// Operations that need no element although they have no argument.
const NEEDS_NOTHING: [&str; 9] =
    ["size", "len", "length", "count", "empty", "isempty", "print", "clear", "exit"];

/// Beginnings of the words for operations that change a collection.
const CHANGES: [&str; 10] =
    ["push", "pop", "enqueue", "dequeue", "insert", "add", "append", "remove", "delete", "erase"];

/// Those of them that add something.
const ADDITIONS: [&str; 5] = ["push", "enqueue", "insert", "add", "append"];

/// Whether words are operations on a collection, so that few lines tell them from texts.
pub(crate) fn are_known(codes: &[String]) -> bool {
    codes.iter().filter(|code| is_change(code)).count() > 1
}

/// Whether a code is that of an operation which changes a collection.
pub(crate) fn is_change(code: &str) -> bool {
    code == "+" || code == "-" || CHANGES.iter().any(|word| simple(code).starts_with(word))
}

/// Whether a code is that of an operation which adds something to a collection.
pub(crate) fn is_addition(code: &str) -> bool {
    code == "+" || ADDITIONS.iter().any(|word| simple(code).starts_with(word))
}

/// A code in lower case, without underscores.
fn simple(code: &str) -> String {
    code.to_ascii_lowercase().replace('_', "")
}

/// The operations with the numbers of elements that they add and remove, if the samples never need
/// an element that is not there. As many operations as possible remove an element, because inputs
/// for a program that removes too few are valid; others look at one.
pub(crate) fn with_elements(operations: Vec<Operation>, rows: &[Row<'_>]) -> Vec<Operation> {
    let counted: Vec<Operation> = operations.iter().map(counted).collect();
    let free: Vec<usize> = (0..counted.len()).filter(|at| counted[*at].removes == 1).collect();
    let adds = counted.iter().any(|one| one.removes == 0 && one.adds > 0);
    if free.is_empty() || !adds {
        return operations;
    }
    let mut looks: Vec<u32> = (0..1 << free.len()).collect();
    looks.sort_by_key(|which: &u32| (which.count_ones(), u32::MAX - which));
    let scopes = || rows.chunk_by(|(one, _), (other, _)| std::ptr::eq(*one, *other));
    let choices = looks.into_iter().map(|which| {
        let mut chosen = counted.clone();
        for (bit, at) in free.iter().enumerate() {
            chosen[*at].adds |= which >> bit & 1;
        }
        chosen
    });
    let mut valid = choices.filter(|chosen| scopes().all(|rows| is_valid(chosen, rows)));
    valid.next().unwrap_or(operations)
}

fn counted(operation: &Operation) -> Operation {
    let code = simple(operation.code.as_deref().unwrap_or_default());
    let (adds, removes) = match operation.fields.as_slice() {
        [Argument::Number(..) | Argument::Word] => (1, 0),
        [] if NEEDS_NOTHING.contains(&&*code) => (0, 0),
        [] if LOOKS.contains(&&*code) => (1, 1),
        [] => (0, 1),
        _ => (0, 0),
    };
    Operation { adds, removes, ..operation.clone() }
}

/// Whether the operations of these rows remove only what earlier ones have added.
fn is_valid(operations: &[Operation], rows: &[Row<'_>]) -> bool {
    let mut there = 0_u32;
    rows.iter().all(|(_, row)| {
        let code = row.first().map(|word| word.text.as_str());
        let Some(operation) = operations.iter().find(|one| one.code.as_deref() == code) else {
            return false;
        };
        let left = there.checked_sub(operation.removes);
        there = left.unwrap_or_default() + operation.adds;
        left.is_some()
    })
}
