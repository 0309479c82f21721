//! Common part of heap and heat maps: addresses and amounts of a memory profile.

use crate::error::Error;
use crate::format::{Profile, Resource};
use crate::limits::{MAX_SPAN_ADDRESSES, MIN_SPAN_ADDRESSES};
use crate::number::Number;
use serde_json::Value;

/// The subtype of a resource that frees memory.
pub(super) const FREE: &str = "free";

/// The memory of a resource.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    pub(super) address: i128,
    /// In the unit of the profile, which must be bytes for addresses to make sense.
    pub(super) amount: i128,
}

impl Memory {
    pub(super) fn read(resource: &Resource) -> Result<Self, Error> {
        let whole = |key| match resource.number(key)? {
            Number::Integer(number) if number >= 0 => Ok(number),
            _ => Err(Error::malformed(&resource.place, format!("{key} must be a whole number"))),
        };
        Ok(Self { address: whole("address")?, amount: whole("amount")? })
    }

    /// The first address after the memory.
    pub(super) fn end(self) -> i128 {
        self.address + self.amount
    }
}

/// The unit of memory. Refuses profiles of another type.
pub(super) fn memory_unit(profile: &Profile) -> Result<Value, Error> {
    if profile.kind() != Some("memory") {
        return Err(Error::malformed("header.type", "must be memory"));
    }
    let unit = profile.unit("memory", None);
    unit.map(Value::from).ok_or_else(|| Error::malformed("header.units.memory", "is missing"))
}

/// The end of the addresses of a map, whose span has a minimum and a maximum.
pub(super) fn bounded_end(start: i128, end: i128) -> i128 {
    start + (end - start).clamp(MIN_SPAN_ADDRESSES, MAX_SPAN_ADDRESSES)
}

/// An integer from JSON, or a sum of such integers.
pub(super) fn json(number: i128) -> Value {
    Number::Integer(number).json().unwrap_or_else(|| (number as f64).into())
}
