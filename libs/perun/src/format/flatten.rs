//! Flattens nested values into keys with colons; the reverse of [`super::nest`].

use super::nest::{ENTRIES, LEVEL};
use super::profile::Profile;
use super::resource::each_resource;
use crate::error::Error;
use crate::items::text;
use serde_json::{Map, Value};

/// Flattens the objects and lists of objects of a resource. A list stays if its entries have
/// different keys.
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

/// The values of a list of objects by key, if all objects have the same keys.
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
    /// The profile with flattened resources.
    ///
    /// # Errors
    /// As [`Profile::from_document`], or if a nested key has a colon, which cannot be flattened.
    pub fn flattened(&self) -> Result<Self, Error> {
        let mut document = self.expanded()?.into_document();
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
