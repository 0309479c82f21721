//! Flattens nested values into pairs of a key and a plain value, with the same texts as Perun.

use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The ranks of the keys of a uid, from the whole to its parts. Other keys come last.
const RANKS: [(&str, u8); 14] = [
    ("bin", 0),
    ("file", 1),
    ("source", 1),
    ("package", 1),
    ("module", 2),
    ("class", 3),
    ("struct", 3),
    ("structure", 3),
    ("function", 4),
    ("func", 4),
    ("method", 4),
    ("procedure", 4),
    ("line", 5),
    ("instruction", 6),
];
/// The highest of these ranks.
const LAST_RANK: u32 = 6;
/// Floats of at least this size are written with an exponent, as in Python.
const LARGE: f64 = 1e16;
/// Floats below this size are written with an exponent, as in Python.
const SMALL: f64 = 1e-4;

/// The parent of a flattened value: a key, or a position in a list. At a position there is no pair
/// for the whole value.
#[derive(Clone, Copy)]
enum Root<'a> {
    Key(&'a str),
    At(usize),
}

/// The flattened items of a resource or a model: `uid:function`, and then `uid` with all of its
/// parts as one text.
pub fn items(object: &Map<String, Value>) -> Vec<(String, Value)> {
    let mut pairs = Vec::new();
    for (key, value) in object {
        flatten_into(Root::Key(key), value, &mut pairs);
    }
    pairs
}

/// Every value that a key has in a resource or a model. A colon leads into an object
/// (`uid:function`), two colons lead into each entry of a list (`trace::function`).
pub fn values_under<'a>(object: &'a Map<String, Value>, key: &str) -> Vec<&'a Value> {
    let mut levels = key.split(':');
    let mut found: Vec<_> = levels.next().and_then(|level| object.get(level)).into_iter().collect();
    for level in levels {
        found = match level {
            "" => found.into_iter().filter_map(Value::as_array).flatten().collect(),
            _ => found.into_iter().filter_map(|value| value.as_object()?.get(level)).collect(),
        };
    }
    found
}

/// Turns a nested value into one plain value, as in the uid of a model.
pub(crate) fn flat(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::String(joined(items(object))),
        Value::Array(list) => Value::String(listed(list)),
        plain => plain.clone(),
    }
}

/// The text of a plain value as Python prints it. Perun joins these texts.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float_text(float),
            _ => number.to_string(),
        },
        nested => nested.to_string(),
    }
}

/// A text that equal values share. The order of keys does not matter, and 1 equals 1.0.
pub(crate) fn identity(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let mut pairs: Vec<_> =
                object.iter().map(|(key, value)| format!("{key:?}:{}", identity(value))).collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(identity).collect::<Vec<_>>().join(","))
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 => format!("{float}"),
            _ => number.to_string(),
        },
        plain => plain.to_string(),
    }
}

fn flatten_into(root: Root<'_>, value: &Value, pairs: &mut Vec<(String, Value)>) {
    let key = match root {
        Root::Key(key) => key.to_owned(),
        Root::At(at) => at.to_string(),
    };
    match value {
        Value::Object(object) => {
            let nested = items(object);
            for (inner, value) in &nested {
                pairs.push((format!("{key}:{inner}"), value.clone()));
            }
            if let Root::Key(_) = root {
                pairs.push((key, Value::String(joined(nested))));
            }
        }
        Value::Array(list) => match named(list) {
            Some(object) => flatten_into(root, &Value::Object(object), pairs),
            None => pairs.push((key, Value::String(listed(list)))),
        },
        plain => pairs.push((key, plain.clone())),
    }
}

/// The object that a list of names and values stands for, as in the coefficients of a model.
fn named(list: &[Value]) -> Option<Map<String, Value>> {
    let pair = |entry: &Value| {
        let entry = entry.as_object().filter(|entry| entry.len() == 2)?;
        Some((text(entry.get("name")?), entry.get("value")?.clone()))
    };
    list.iter().map(pair).collect::<Option<Map<_, _>>>().filter(|object| !object.is_empty())
}

/// The entries of a list as one text: commas between entries, colons within an entry.
fn listed(list: &[Value]) -> String {
    let entry = |(at, value)| {
        let mut pairs = Vec::new();
        flatten_into(Root::At(at), value, &mut pairs);
        pairs.iter().map(|(_, value)| text(value)).collect::<Vec<_>>().join(":")
    };
    list.iter().enumerate().map(entry).collect::<Vec<_>>().join(",")
}

/// The values of an object as one text, the whole before its parts: `main.cpp:main:22`.
fn joined(mut pairs: Vec<(String, Value)>) -> String {
    pairs.sort_by_cached_key(|(key, _)| rank(key));
    pairs.iter().map(|(_, value)| text(value)).collect::<Vec<_>>().join(":")
}

/// The rank of a key in a uid. Perun joins the character codes of an unknown key into one number,
/// so more digits mean a larger number.
fn rank(key: &str) -> (usize, String) {
    let known = RANKS.iter().find(|(name, _)| *name == key);
    let digits = known.map_or_else(
        || {
            key.chars().fold(String::new(), |mut digits, letter| {
                let _ = write!(digits, "{}", u32::from(letter) + LAST_RANK);
                digits
            })
        },
        |(_, rank)| rank.to_string(),
    );
    (digits.len(), digits)
}

/// The shortest digits that identify a float, with an exponent of at least two digits.
fn float_text(float: f64) -> String {
    let size = float.abs();
    if size == 0.0 || (SMALL..LARGE).contains(&size) {
        return format!("{float:?}");
    }
    let text = format!("{float:e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn floats_read_as_python_prints_them() {
        let shown = |float: f64| text(&json!(float));
        assert_eq!(shown(13.0), "13.0");
        assert_eq!(shown(0.616), "0.616");
        assert_eq!(shown(1e16), "1e+16");
        assert_eq!(shown(1.5e-7), "1.5e-07");
        assert_eq!(shown(0.0001), "0.0001");
        assert_eq!(shown(-2.5e300), "-2.5e+300");
    }

    #[test]
    fn whole_comes_before_its_parts_and_unknown_keys_last() {
        let uid = json!({"zz": 9, "line": 22, "a": 8, "function": "main", "source": "m.c"});
        assert_eq!(flat(&uid), json!("m.c:main:22:8:9"));
    }

    #[test]
    fn coefficients_are_one_object() {
        let model = json!({"coeffs": [{"name": "b0", "value": 1}, {"name": "b1", "value": 2.5}]});
        let pairs = items(model.as_object().unwrap());
        let keys: Vec<_> = pairs.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["coeffs:b0", "coeffs:b1", "coeffs"]);
    }

    #[test]
    fn equal_values_have_one_identity() {
        assert_eq!(identity(&json!({"a": 1, "b": [2.0]})), identity(&json!({"b": [2], "a": 1.0})));
        assert_ne!(identity(&json!("1")), identity(&json!(1)));
    }
}
