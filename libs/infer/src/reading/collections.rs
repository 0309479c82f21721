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

/// The operations with the numbers of elements that they add and remove, if the samples never
/// remove an element that is not there.
pub(crate) fn with_elements(operations: Vec<Operation>, rows: &[Row<'_>]) -> Vec<Operation> {
    let counted: Vec<Operation> = operations.iter().map(counted).collect();
    let removes = counted.iter().any(|one| one.removes > 0);
    let adds = counted.iter().any(|one| one.removes == 0 && one.adds > 0);
    let mut scopes = rows.chunk_by(|(one, _), (other, _)| std::ptr::eq(*one, *other));
    let valid = removes && adds && scopes.all(|rows| is_valid(&counted, rows));
    if valid { counted } else { operations }
}

fn counted(operation: &Operation) -> Operation {
    let code = operation.code.as_deref().unwrap_or_default().to_ascii_lowercase();
    let code = code.replace('_', "");
    let (adds, removes) = match operation.fields.as_slice() {
        [Argument::Number(..)] => (1, 0),
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
