//! The numbers of a message in JSON.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use prost_types::field_options::JsType;
use serde_json::Value;

/// Number of significant digits of a readable fraction. They give a second to the nanosecond.
const DIGITS: usize = 9;
/// Smallest number of the range in which readers that keep numbers as doubles lose digits.
const EXACT: u64 = 1 << 53;

/// Notation of numbers other than sizes. Sizes are always numbers in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// 64-bit numbers are strings, and fractions are exact.
    Canonical,
    /// Unsigned numbers below [`EXACT`] are numbers, and fractions have [`DIGITS`] digits.
    Readable,
}

/// Rewrites the numbers of a message in canonical JSON, however deep they are.
pub(super) fn rewrite(message: &mut Value, kind: &MessageDescriptor, style: Style) {
    let Some(fields) = message.as_object_mut() else { return };
    for (name, value) in fields {
        let Some(field) = kind.get_field_by_name(name) else { continue };
        match value {
            Value::Array(values) => {
                for value in values {
                    rewrite_one(value, &field, style);
                }
            }
            one => rewrite_one(one, &field, style),
        }
    }
}

fn rewrite_one(value: &mut Value, field: &FieldDescriptor, style: Style) {
    let is_readable = style == Style::Readable;
    let text = || value.as_str();
    let rewritten = match field.kind() {
        Kind::Message(kind) => return rewrite(value, &kind, style),
        Kind::Uint64 => text()
            .and_then(|text| text.parse::<u64>().ok())
            .filter(|number| is_size(field) || is_readable && *number < EXACT)
            .map(Value::from),
        Kind::Double if is_readable => value.as_f64().map(rounded).map(Value::from),
        _ => None,
    };
    if let Some(rewritten) = rewritten {
        *value = rewritten;
    }
}

fn is_size(field: &FieldDescriptor) -> bool {
    let options = field.field_descriptor_proto().options.as_ref();
    options.is_some_and(|options| options.jstype() == JsType::JsNumber)
}

/// Rounds the fractions in any JSON, however deep they are.
pub(super) fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(exact) = number.as_f64() {
                *value = Value::from(rounded(exact));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

/// Returns the value with nine digits, as in readable JSON. A whole number stays as it is, because
/// it can be a count of bytes.
pub fn rounded(value: f64) -> f64 {
    if value.fract() == 0.0 {
        return value;
    }
    let digits = DIGITS - 1;
    format!("{value:.digits$e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::{rounded, shorten};
    use serde_json::json;

    #[test]
    fn fractions_have_nine_digits() {
        let written = [1.792_938_000_000_000_1, -1_234.567_891_234, 1e-4 / 3.0]
            .map(|value| rounded(value).to_string());
        assert_eq!(written, ["1.792938", "-1234.56789", "0.0000333333333"]);
    }

    #[test]
    fn fractions_of_any_json_are_shortened() {
        let mut value = json!({"b": [1.889_945_520_831_895, 2, "1.5", null], "a": {"c": 1.0}});
        shorten(&mut value);
        assert_eq!(value.to_string(), r#"{"b":[1.88994552,2,"1.5",null],"a":{"c":1.0}}"#);
    }

    #[test]
    fn whole_numbers_and_infinity_stay() {
        for value in [0.0, 17_179_869_184.0, 1e300, f64::INFINITY] {
            assert_eq!(rounded(value).to_bits(), value.to_bits());
        }
    }
}
