//! Fields of queries.

use profiler_proto::v1;
use std::fmt::Display;

/// A field of a query: this text.
pub fn literal(text: impl Into<String>) -> v1::QueryField {
    v1::QueryField { kind: Some(v1::query_field::Kind::Literal(text.into())) }
}

/// A field of a query: one number between two bounds, inclusive.
pub fn number(min: impl Display, max: impl Display) -> v1::QueryField {
    v1::QueryField { kind: Some(v1::query_field::Kind::Number(range(&min, &max))) }
}

/// Two fields of a query: two numbers between the bounds, inclusive, in ascending order.
pub fn interval(min: impl Display, max: impl Display) -> v1::QueryField {
    v1::QueryField { kind: Some(v1::query_field::Kind::Interval(range(&min, &max))) }
}

/// A field of a query: a list of numbers between the bounds. The field before is its length.
pub fn list(min: impl Display, max: impl Display) -> v1::QueryField {
    v1::QueryField { kind: Some(v1::query_field::Kind::List(range(&min, &max))) }
}

/// A field of a query: a string of this variable, and if `distinct`, another one than before.
pub fn element(of: impl Into<String>, distinct: bool) -> v1::QueryField {
    let element = v1::QueryElement { of: of.into(), distinct, ..Default::default() };
    v1::QueryField { kind: Some(v1::query_field::Kind::Element(element)) }
}

/// The same field with numbers that differ. A number differs from the one that [`not_below`] names.
pub fn distinct(mut field: v1::QueryField) -> v1::QueryField {
    use v1::query_field::Kind::{Interval, List, Number};
    if let Some(Number(range) | Interval(range) | List(range)) = &mut field.kind {
        range.distinct = true;
    }
    field
}

/// The same number, not below the field with this number of the line, counted from 1.
pub fn not_below(earlier: u32, mut field: v1::QueryField) -> v1::QueryField {
    if let Some(v1::query_field::Kind::Number(range)) = &mut field.kind {
        range.not_below = earlier;
    }
    field
}

fn range(min: &dyn Display, max: &dyn Display) -> v1::QueryRange {
    v1::QueryRange { min: min.to_string(), max: max.to_string(), ..Default::default() }
}
