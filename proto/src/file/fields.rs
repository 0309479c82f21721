//! Notation of the fields of a spec: the fields that are texts, and the values of enums without
//! their prefixes.

use prost_reflect::EnumDescriptor;

/// The fields that are texts; every other string is an expression.
pub(super) const TEXTS: [&str; 10] = [
    "name",
    "alphabet",
    "marks",
    "diagonal",
    "of",
    "literal",
    "grid",
    "raw",
    "generator",
    "testlib_h",
];

/// The full name of an enum's value, which can be written without its prefix: `ORDER_ANTI_HASH` for
/// `anti-hash`.
pub(super) fn value_of(kind: &EnumDescriptor, name: &str) -> Option<String> {
    let mut all = kind.values();
    all.find(|value| value.name() == name || short(kind, value.name()) == name)
        .map(|value| value.name().to_owned())
}

/// The value without its prefix: `anti-hash` for `ORDER_ANTI_HASH`.
pub(super) fn short(kind: &EnumDescriptor, name: &str) -> String {
    let first = kind.default_value();
    let prefix = first.name().strip_suffix("UNSPECIFIED").unwrap_or_default();
    name.strip_prefix(prefix).unwrap_or(name).to_ascii_lowercase().replace('_', "-")
}

/// Every value of an enum that can be written, separated by commas.
pub(super) fn values(kind: &EnumDescriptor) -> String {
    kind.values().skip(1).map(|value| short(kind, value.name())).collect::<Vec<_>>().join(", ")
}
