//! Groups resources by type. Resources of one type differ only in values that are collected for
//! each record.

use serde_json::Value;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

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
    /// The number of each type, by two hashes of the JSON text of its shared fields. In a text,
    /// keys have an order and 0.0 differs from -0.0. The texts of a hostile profile take gigabytes.
    known: HashMap<[u64; 2], usize>,
    hashes: RandomState,
    count: usize,
}

impl ResourceTypes {
    /// The number of the type with these shared fields, sorted by key.
    pub(super) fn number_of(&mut self, shared: &[(String, Value)]) -> usize {
        // Values of JSON always have a text.
        let text = serde_json::to_string(shared).unwrap_or_default();
        let key = [0_u8, 1].map(|salt| self.hashes.hash_one((salt, &text)));
        *self.known.entry(key).or_insert_with(|| {
            self.count += 1;
            self.count
        })
    }

    /// The number of a new type.
    pub(super) fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }
}

pub(super) fn is_collected(key: &str) -> bool {
    COLLECTED.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The type numbers of resources with these shared values.
    fn numbers(all: &[Value]) -> Vec<usize> {
        let mut types = ResourceTypes::default();
        all.iter().map(|value| types.number_of(&[("uid".to_owned(), value.clone())])).collect()
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
