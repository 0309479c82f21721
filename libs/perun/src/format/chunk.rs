//! Chunks: a table of large values that resources name instead of repeating.
//!
//! The description of the format does not say how a value refers to the table. Here, a text that is
//! a name in the table is a reference, and chunks may refer to chunks. Perun resolves no
//! references, so profiles for Perun are expanded.

use crate::error::Error;
use crate::limits::{MAX_EXPANDED_BYTES, MAX_RESOURCE_DEPTH, VALUE_BYTES};
use serde_json::{Map, Value};

/// The region of chunks.
pub(super) const CHUNKS: &str = "chunks";

/// Resolves references, with a limit on the size of the result.
pub(super) struct Chunks<'a> {
    table: Option<&'a Map<String, Value>>,
    bytes_left: usize,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(table: Option<&'a Map<String, Value>>) -> Self {
        Self { table, bytes_left: MAX_EXPANDED_BYTES }
    }

    /// Counts bytes before they are copied.
    pub(super) fn charge(&mut self, place: &str, bytes: usize) -> Result<(), Error> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or_else(|| {
            Error::too_many(place, MAX_EXPANDED_BYTES, "bytes with what resources share")
        })?;
        Ok(())
    }

    /// The value that `value` refers to, or `value` itself.
    pub(super) fn resolve(&self, place: &str, mut value: &'a Value) -> Result<&'a Value, Error> {
        let Some(table) = self.table else { return Ok(value) };
        for _ in 0..=table.len() {
            match value.as_str().and_then(|name| table.get(name)) {
                Some(chunk) => value = chunk,
                None => return Ok(value),
            }
        }
        Err(Error::malformed(place, "must not refer to itself"))
    }

    /// A copy of an object with its references resolved.
    pub(super) fn object(
        &mut self,
        place: &str,
        object: &'a Map<String, Value>,
    ) -> Result<Map<String, Value>, Error> {
        if self.table.is_some_and(|table| !table.is_empty()) {
            return self.nested(place, object, MAX_RESOURCE_DEPTH);
        }
        // A clone keeps the hashes of the keys, which are most of the cost of a copy.
        let bytes = object_bytes(object, MAX_RESOURCE_DEPTH);
        self.charge(place, bytes.ok_or_else(|| too_deep(place))?)?;
        Ok(object.clone())
    }

    fn nested(
        &mut self,
        place: &str,
        object: &'a Map<String, Value>,
        levels: usize,
    ) -> Result<Map<String, Value>, Error> {
        let entry = |(key, value): (&String, &'a Value)| {
            self.charge(place, key.len())?;
            Ok((key.clone(), self.value(place, value, levels)?))
        };
        object.iter().map(entry).collect()
    }

    fn value(&mut self, place: &str, value: &'a Value, levels: usize) -> Result<Value, Error> {
        let inner = levels.checked_sub(1).ok_or_else(|| too_deep(place));
        let value = self.resolve(place, value)?;
        self.charge(place, VALUE_BYTES + value.as_str().map_or(0, str::len))?;
        match value {
            Value::Object(object) => Ok(Value::Object(self.nested(place, object, inner?)?)),
            Value::Array(list) => {
                let inner = inner?;
                let entries = list.iter().map(|value| self.value(place, value, inner));
                entries.collect::<Result<_, _>>().map(Value::Array)
            }
            plain => Ok(plain.clone()),
        }
    }
}

/// The approximate size of a copy in bytes; `None` if it nests deeper than `levels`.
pub(super) fn copy_bytes(value: &Value, levels: usize) -> Option<usize> {
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(list) => {
            let inner = levels.checked_sub(1)?;
            list.iter().try_fold(0, |sum, value| Some(sum + copy_bytes(value, inner)?))?
        }
        Value::Object(object) => object_bytes(object, levels.checked_sub(1)?)?,
        _ => 0,
    };
    Some(VALUE_BYTES + inside)
}

/// The approximate size of a copy of an object in bytes; `None` if its values nest deeper than
/// `levels`.
pub(super) fn object_bytes(object: &Map<String, Value>, levels: usize) -> Option<usize> {
    let entry =
        |sum, (key, value): (&String, _)| Some(sum + key.len() + copy_bytes(value, levels)?);
    object.iter().try_fold(0, entry)
}

/// The error of a resource with too many lists and objects inside one another.
fn too_deep(place: &str) -> Error {
    Error::too_many(place, MAX_RESOURCE_DEPTH, "levels")
}
