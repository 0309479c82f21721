//! Flattened keys: `uid:function` is `function` in the object `uid`, `trace::function` is the list of the
//! `function` of each entry of the list `trace`.

use super::Profile;
use super::chunks::each_resource;
use crate::error::Error;
use crate::items::text;
use serde_json::{Map, Value};

/// Parts of a flattened key that are objects inside one another.
const LEVEL: char = ':';
/// Between the key of a list and that of its entries.
const ENTRIES: &str = "::";

/// The resource with its flattened keys nested. The text that stands for a whole value beside its parts gives
/// way to them.
pub(super) fn nest(place: &str, flat: Map<String, Value>) -> Result<Map<String, Value>, Error> {
    if !flat.keys().any(|key| key.contains(LEVEL)) {
        return Ok(flat);
    }
    let mut nested = Map::new();
    let mut parts = Vec::new();
    for (key, value) in flat {
        if path(&key).is_some() {
            parts.push((key, value));
        } else {
            nested.insert(key, value);
        }
    }
    for (key, value) in parts {
        let Some((root, rest)) = path(&key) else { continue };
        let whole = nested.entry(root).or_insert(Value::Null);
        match (rest, value) {
            (Rest::Object(inner), value) => put(whole, &inner, value),
            (Rest::List(inner), Value::Array(values)) => {
                put_each(place, &key, whole, inner, values)?;
            }
            (Rest::List(_), _) => {
                return Err(Error::malformed(format!("{place}[{key:?}]"), "not a list"));
            }
        }
    }
    Ok(nested)
}

enum Rest<'a> {
    Object(Vec<&'a str>),
    List(&'a str),
}

/// The parts of a flattened key. A key that only happens to have a colon, as `std::` has, is none.
fn path(key: &str) -> Option<(&str, Rest<'_>)> {
    if let Some((root, inner)) = key.split_once(ENTRIES) {
        let plain = [root, inner].iter().all(|part| !part.is_empty() && !part.contains(LEVEL));
        return plain.then_some((root, Rest::List(inner)));
    }
    let (root, inner) = key.split_once(LEVEL)?;
    let parts: Vec<_> = inner.split(LEVEL).collect();
    (!root.is_empty() && parts.iter().all(|part| !part.is_empty()))
        .then_some((root, Rest::Object(parts)))
}

fn put(whole: &mut Value, path: &[&str], value: Value) {
    if !whole.is_object() {
        *whole = Value::Object(Map::new());
    }
    let Value::Object(object) = whole else { return };
    match path {
        [] => {}
        [last] => drop(object.insert((*last).to_owned(), value)),
        [first, rest @ ..] => put(object.entry(*first).or_insert(Value::Null), rest, value),
    }
}

fn put_each(
    place: &str,
    key: &str,
    whole: &mut Value,
    inner: &str,
    values: Vec<Value>,
) -> Result<(), Error> {
    if !whole.is_array() {
        *whole = vec![Value::Object(Map::new()); values.len()].into();
    }
    let Value::Array(list) = whole else { return Ok(()) };
    if list.len() != values.len() {
        return Err(Error::malformed(format!("{place}[{key:?}]"), "not as long as its list"));
    }
    for (entry, value) in list.iter_mut().zip(values) {
        put(entry, &[inner], value);
    }
    Ok(())
}

/// The resource with its objects and lists of objects flattened. A list whose entries do not all have the same
/// keys stays as it is.
fn flatten(nested: &Map<String, Value>) -> Map<String, Value> {
    let mut flat = Map::new();
    for (key, value) in nested {
        match value {
            Value::Object(object) if !object.is_empty() => flatten_object(key, object, &mut flat),
            Value::Array(list) => match columns(list) {
                Some(columns) => flat.extend(
                    columns
                        .into_iter()
                        .map(|(inner, values)| (format!("{key}{ENTRIES}{inner}"), values)),
                ),
                None => drop(flat.insert(key.clone(), value.clone())),
            },
            plain => drop(flat.insert(key.clone(), plain.clone())),
        }
    }
    flat
}

fn flatten_object(key: &str, object: &Map<String, Value>, flat: &mut Map<String, Value>) {
    for (inner, value) in object {
        let key = format!("{key}{LEVEL}{inner}");
        match value {
            Value::Object(object) if !object.is_empty() => flatten_object(&key, object, flat),
            value => drop(flat.insert(key, value.clone())),
        }
    }
}

/// The values of a list of objects by key, if all of them have the same keys.
fn columns(list: &[Value]) -> Option<Map<String, Value>> {
    let keys: Vec<_> = list.first()?.as_object()?.keys().collect();
    let column = |key: &&String| {
        let values = list.iter().map(|entry| {
            let entry = entry.as_object().filter(|entry| entry.len() == keys.len())?;
            entry.get(key.as_str()).cloned()
        });
        Some(((*key).clone(), values.collect::<Option<Vec<_>>>()?.into()))
    };
    keys.iter().map(column).collect::<Option<Map<_, _>>>().filter(|columns| !columns.is_empty())
}

impl Profile {
    /// The same profile with flattened resources.
    ///
    /// # Errors
    /// As [`Profile::from_document`]; and if a key of a nested value has a colon, which cannot be flattened.
    pub fn flattened(&self) -> Result<Self, Error> {
        let mut document = self.expanded()?.document;
        each_resource(&mut document, &mut |resource| *resource = flatten(resource));
        let flat = Self::from_document(document)?;
        for (before, after) in self.grouped().zip(flat.grouped()) {
            if before.fields != after.fields {
                let uid = before.fields.get("uid").map(text).unwrap_or_default();
                let problem = format!("a key of {uid:?} has a colon and cannot be flattened");
                return Err(Error::malformed(&before.place, problem));
            }
        }
        Ok(flat)
    }
}
