//! Evaluation of an expression whose names have values.

use super::code::{Bindings, Code, Slot};

/// Evaluates an expression; `value_of` gives the values of its names. The error describes the
/// problem, such as an unknown name, a division by zero, or a result that does not fit 64 bits.
pub fn evaluate(text: &str, value_of: &dyn Fn(&str) -> Option<i64>) -> Result<i64, String> {
    let slot = |name: &str| {
        value_of(name).map(Slot::Constant).ok_or_else(|| format!("uses the unknown name {name}"))
    };
    let value = Code::read(text, &slot)?.value(Bindings { n: 0, slots: &[] });
    value.map_err(|fault| fault.to_string())
}
