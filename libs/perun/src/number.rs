//! Numbers as in Python: integers whose products stay exact, and floats.

use serde_json::{Number as Json, Value};
use std::cmp::Ordering;

/// A figure of a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    /// An exact integer. Products that do not fit become floats.
    Integer(i128),
    Float(f64),
}

impl Number {
    /// The number in a value, if it is one.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        let number = value.as_number()?;
        let integer = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
        integer.map(Self::Integer).or(number.as_f64().map(Self::Float))
    }

    pub(crate) fn float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }

    /// The product; exact if both are integers and it fits.
    pub(crate) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => {
                a.checked_mul(b).map_or_else(|| Self::Float(a as f64 * b as f64), Self::Integer)
            }
            (a, b) => Self::Float(a.float() * b.float()),
        }
    }

    /// The power, rounded once for a float.
    pub(crate) fn power(self, exponent: u8) -> Self {
        match self {
            Self::Integer(_) => (1..exponent).fold(self, |power, _| power.times(self)),
            Self::Float(float) => Self::Float(float.powf(exponent.into())),
        }
    }

    /// The number as JSON. An integer stays an integer. `None` if JSON cannot represent it.
    pub(crate) fn json(self) -> Option<Value> {
        match self {
            Self::Integer(integer) => Json::from_i128(integer).map(Value::Number),
            Self::Float(float) => Json::from_f64(float).map(Value::Number),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(b)),
            (a, b) => a.float().partial_cmp(&b.float()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_integers_are_exact_while_they_fit() {
        let cube = Number::Integer(1_000_003).power(3);
        assert_eq!(cube, Number::Integer(1_000_009_000_027_000_027));
        assert!(matches!(Number::Integer(i128::from(u64::MAX)).power(4), Number::Float(_)));
    }

    #[test]
    fn integers_beyond_53_bits_are_told_apart() {
        let of = |text: &str| Number::from_value(&serde_json::from_str(text).unwrap()).unwrap();
        assert!(of("18446744073709551614") < of("18446744073709551615"));
        assert!(of("9007199254740993").times(of("1")) == of("9007199254740993"));
    }
}
