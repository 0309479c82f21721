//! Groups resources by type. Resources of one type differ only in values that are collected for
//! each record.

use super::resource::Resource;
use serde_json::Value;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

/// The keys of collected values. All other keys distinguish the types.
const COLLECTED: [&str; 11] = [
    "amount",
    "structure-unit-size",
    "call-order",
    "order",
    "address",
    "timestamp",
    "exclusive",
    "metric.iteration",
    "metric.value",
    "metric.score-value",
    "metric.percentile",
];

/// The resource types so far, numbered from 1 in order of appearance.
#[derive(Default)]
pub(super) struct ResourceTypes {
    /// By the hash of the shared fields: the number of the type, and its first resource.
    known: HashMap<u64, Vec<(usize, usize)>>,
    state: RandomState,
    count: usize,
}

impl ResourceTypes {
    /// The number of the type with these shared fields, sorted by key. The next of `resources` is
    /// the first of a new type.
    pub(super) fn number_of(
        &mut self,
        shared: &[(String, Value)],
        resources: &[Resource],
    ) -> usize {
        let mut hasher = self.state.build_hasher();
        for (key, value) in shared {
            key.hash(&mut hasher);
            hash(value, &mut hasher);
        }
        let hash = hasher.finish();
        let is_of = |&&(_, first): &&(usize, usize)| {
            resources.get(first).is_some_and(|first| has(first, shared))
        };
        if let Some(&(number, _)) = self.known.get(&hash).and_then(|all| all.iter().find(is_of)) {
            return number;
        }
        let number = self.next();
        self.known.entry(hash).or_default().push((number, resources.len()));
        number
    }

    /// The number of a new type.
    pub(super) fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }
}

/// Whether a key has a collected value.
pub(super) fn is_collected(key: &str) -> bool {
    COLLECTED.contains(&key)
}

/// Whether a resource has exactly these shared fields after its collected values.
fn has(resource: &Resource, shared: &[(String, Value)]) -> bool {
    let anew = resource.fields.len().checked_sub(shared.len());
    anew.is_some_and(|anew| {
        let fields = resource.fields.iter().skip(anew).zip(shared);
        fields
            .into_iter()
            .all(|((key, value), (other, shared))| key == other && same(value, shared))
    })
}

/// Hashes what [`same`] compares.
fn hash(value: &Value, into: &mut impl Hasher) {
    match value {
        Value::Null => into.write_u8(0),
        Value::Bool(is) => into.write_u8(1 + u8::from(*is)),
        Value::Number(number) => {
            number.hash(into);
            number.as_f64().map(f64::to_bits).hash(into);
        }
        Value::String(text) => text.hash(into),
        Value::Array(list) => {
            into.write_usize(list.len());
            for value in list {
                hash(value, into);
            }
        }
        Value::Object(object) => {
            into.write_usize(object.len());
            for (key, value) in object {
                key.hash(into);
                hash(value, into);
            }
        }
    }
}

/// Whether two values have the same JSON text: their keys have one order, and 0.0 differs from
/// -0.0.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other && one.as_f64().map(f64::to_bits) == other.as_f64().map(f64::to_bits)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let entry = |((key, value), (other, with)): ((&String, _), (&String, _))| {
                key == other && same(value, with)
            };
            one.len() == other.len() && one.iter().zip(other).all(entry)
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::resource::Place;
    use super::*;
    use serde_json::json;

    /// The type numbers of resources with these shared values.
    fn numbers(all: &[Value]) -> Vec<usize> {
        let (mut kinds, mut resources) = (ResourceTypes::default(), Vec::new());
        all.iter()
            .map(|value| {
                let shared = vec![("uid".to_owned(), value.clone())];
                let number = kinds.number_of(&shared, &resources);
                let anew = [("amount".to_owned(), json!(resources.len()))];
                let fields = anew.into_iter().chain(shared).collect();
                resources.push(Resource { place: Place::Global(0), snapshot: 0, fields });
                number
            })
            .collect()
    }

    #[test]
    fn types_differ_as_their_texts_do() {
        let values = [
            json!({"a": 1, "b": [true, null]}),
            json!({"b": [true, null], "a": 1}),
            json!({"a": 1.0, "b": [true, null]}),
            json!(0.0),
            json!(-0.0),
            json!("1"),
            json!([1, [2]]),
            json!([1, 2]),
        ];
        let expected: Vec<_> = (1..=values.len()).collect();
        assert_eq!(numbers(&values), expected);
        assert_eq!(
            numbers(&[values.clone(), values].concat()),
            [expected.clone(), expected].concat()
        );
    }
}
