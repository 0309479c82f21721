//! Flattened keys: `uid:function` is `function` in the object `uid`, `trace::function` is the list
//! of the `function` of each entry of the list `trace`.

use crate::error::Error;
use serde_json::{Map, Value};

/// Separates the nested objects of a flattened key.
const LEVEL: char = ':';
/// Separates the key of a list from the key in its entries.
const ENTRIES: &str = "::";

/// Nests the flattened keys of a resource. If a value is given both by its parts and as one text,
/// the parts replace the text.
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
                return Err(Error::malformed(format!("{place}[{key:?}]"), "must be a list"));
            }
        }
    }
    Ok(nested)
}

enum Rest<'a> {
    Object(Vec<&'a str>),
    List(&'a str),
}

/// The parts of a flattened key. Other keys can also have colons, as in `std::`.
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
        return Err(Error::malformed(format!("{place}[{key:?}]"), "must be as long as its list"));
    }
    for (entry, value) in list.iter_mut().zip(values) {
        put(entry, &[inner], value);
    }
    Ok(())
}
