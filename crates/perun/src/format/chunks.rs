//! Chunks: a table of larger values that are named instead of repeated.
//!
//! The description leaves open how a value refers to the table. Here it is a text that is a name in the table;
//! what is referred to may refer on. Perun itself resolves nothing, so what is written for it is expanded.

use super::{Profile, too_deep};
use crate::error::Error;
use crate::limits::{MAX_EXPANDED_BYTES, MAX_RESOURCE_DEPTH, VALUE_BYTES};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The region of chunks.
pub(super) const CHUNKS: &str = "chunks";

/// Puts in what values refer to, with a bound of what comes out.
pub(super) struct Chunks<'a> {
    table: Option<&'a Map<String, Value>>,
    bytes_left: usize,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(table: Option<&'a Map<String, Value>>) -> Self {
        Self { table, bytes_left: MAX_EXPANDED_BYTES }
    }

    /// Counts bytes that are about to be copied.
    pub(super) fn charge(&mut self, place: &str, bytes: usize) -> Result<(), Error> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or_else(|| Error::TooMany {
            place: place.to_owned(),
            what: "bytes with what resources share",
            limit: MAX_EXPANDED_BYTES,
        })?;
        Ok(())
    }

    /// The value that `value` refers to, or itself.
    pub(super) fn resolve(&self, place: &str, mut value: &'a Value) -> Result<&'a Value, Error> {
        let Some(table) = self.table else { return Ok(value) };
        for _ in 0..=table.len() {
            match value.as_str().and_then(|name| table.get(name)) {
                Some(chunk) => value = chunk,
                None => return Ok(value),
            }
        }
        Err(Error::malformed(place, "a chunk that refers to itself"))
    }

    /// A copy of an object with everything put in.
    pub(super) fn object(
        &mut self,
        place: &str,
        object: &'a Map<String, Value>,
    ) -> Result<Map<String, Value>, Error> {
        if self.table.is_some_and(|table| !table.is_empty()) {
            return self.nested(place, object, MAX_RESOURCE_DEPTH);
        }
        // A clone takes over the hashes of the keys, which is most of what a copy costs.
        let bytes = weight_of(object, MAX_RESOURCE_DEPTH);
        self.charge(place, bytes.ok_or_else(|| too_deep(place, MAX_RESOURCE_DEPTH))?)?;
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
        let inner = levels.checked_sub(1).ok_or_else(|| too_deep(place, MAX_RESOURCE_DEPTH));
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

/// Bytes of a copy, roughly; `None` where more than `levels` are inside one another.
pub(super) fn weight(value: &Value, levels: usize) -> Option<usize> {
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(list) => {
            let inner = levels.checked_sub(1)?;
            list.iter().try_fold(0, |sum, value| Some(sum + weight(value, inner)?))?
        }
        Value::Object(object) => weight_of(object, levels.checked_sub(1)?)?,
        _ => 0,
    };
    Some(VALUE_BYTES + inside)
}

/// The same of an object.
pub(super) fn weight_of(object: &Map<String, Value>, levels: usize) -> Option<usize> {
    let entry = |sum, (key, value): (&String, _)| Some(sum + key.len() + weight(value, levels)?);
    object.iter().try_fold(0, entry)
}

impl Profile {
    /// The same profile with each trace and uid that is repeated written once, in `chunks`. For keeping: Perun
    /// itself does not read this.
    ///
    /// # Errors
    /// As [`Profile::from_document`].
    pub fn chunked(&self) -> Result<Self, Error> {
        let mut document = self.expanded()?.document;
        let mut found = Repeated::default();
        each_resource(&mut document, &mut |resource| found.note(resource));
        let mut table = Map::new();
        let mut names = HashMap::new();
        let mut number = 0_usize;
        for (text, value) in found.values {
            while found.texts.contains(&format!("#{number}")) {
                number += 1;
            }
            table.insert(format!("#{number}"), value);
            names.insert(text, format!("#{number}"));
            number += 1;
        }
        each_resource(&mut document, &mut |resource| {
            for value in resource.values_mut().filter(|value| value.is_object() || value.is_array())
            {
                if let Some(name) = names.get(&value.to_string()) {
                    *value = name.as_str().into();
                }
            }
        });
        document.insert(CHUNKS.into(), Value::Object(table));
        Self::from_document(document)
    }
}

/// What stands in more than one resource, and every text there is: a name must be none of them.
#[derive(Default)]
struct Repeated {
    once: HashSet<String>,
    values: Map<String, Value>,
    texts: HashSet<String>,
}

impl Repeated {
    fn note(&mut self, resource: &mut Map<String, Value>) {
        for value in resource.values() {
            self.texts(value);
            let nested = value.is_object() || value.is_array();
            if nested && !self.once.insert(value.to_string()) {
                self.values.insert(value.to_string(), value.clone());
            }
        }
    }

    fn texts(&mut self, value: &Value) {
        match value {
            Value::String(text) => drop(self.texts.insert(text.clone())),
            Value::Array(list) => list.iter().for_each(|value| self.texts(value)),
            Value::Object(object) => object.values().for_each(|value| self.texts(value)),
            _ => {}
        }
    }
}

/// Calls `each` with the resources of an expanded document.
pub(super) fn each_resource(
    document: &mut Map<String, Value>,
    each: &mut dyn FnMut(&mut Map<String, Value>),
) {
    let mut lists = Vec::new();
    for (key, region) in document.iter_mut() {
        match (key.as_str(), region) {
            ("snapshots", Value::Array(snapshots)) => {
                lists.extend(snapshots.iter_mut().filter_map(|it| it.get_mut("resources")));
            }
            ("global", Value::Object(global)) => lists.extend(global.get_mut("resources")),
            ("global" | "resources", list @ Value::Array(_)) => lists.push(list),
            _ => {}
        }
    }
    lists
        .into_iter()
        .filter_map(Value::as_array_mut)
        .flatten()
        .filter_map(Value::as_object_mut)
        .for_each(each);
}
