//! Converts amounts to one unit, or to shares of the greatest amount.

use crate::error::Error;
use crate::format::{Profile, Resource};
use crate::items::text;
use crate::number::Number;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Units of time, with their sizes in nanoseconds.
const TIME: &[(&str, u64)] =
    &[("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
/// Units of memory, with their sizes in bytes.
const MEMORY: &[(&str, u64)] = &[
    ("B", 1),
    ("kB", 1_000),
    ("KB", 1_000),
    ("KiB", 1 << 10),
    ("MB", 1_000_000),
    ("MiB", 1 << 20),
    ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
];
/// The unit of a ratio.
const RATIO: &str = "1";

/// A unit that amounts can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    name: &'static str,
    /// Its size in the smallest unit of its table.
    size: u64,
    table: &'static [(&'static str, u64)],
}

impl Unit {
    /// The unit of that name: `ns`, `us`, `ms`, `s`, `B`, `kB`, `KiB`, `MB`, `MiB`, `GB`, `GiB`.
    pub fn from_name(name: &str) -> Option<Self> {
        [TIME, MEMORY].into_iter().find_map(|table| {
            let &(name, size) = table.iter().find(|(known, _)| *known == name)?;
            Some(Self { name, size, table })
        })
    }

    fn same_dimension(self, other: Self) -> bool {
        self.table == other.table
    }

    /// Converts an amount to another unit. An integer stays an integer if this unit is a multiple
    /// of the other.
    fn convert(self, amount: Number, to: Self) -> Number {
        if self.size.is_multiple_of(to.size) {
            amount.times(Number::Integer((self.size / to.size).into()))
        } else {
            Number::Float(amount.float() * self.size as f64 / to.size as f64)
        }
    }
}

/// The profile with all amounts as numbers in the unit of their type, or in `wanted` if it has the
/// same dimension. An amount can carry its own unit (`0.616s`).
///
/// # Errors
/// If an amount is not a number, has a unit of another dimension than its type, or has no known
/// unit although `wanted` is given.
pub fn unify(profile: &Profile, wanted: Option<Unit>) -> Result<Profile, Error> {
    let mut units: HashMap<String, Unit> = HashMap::new();
    let changed = change_amounts(profile, |resource| {
        let (amount, own) = amount_of(resource)?;
        let (key, declared) = declared(profile, resource);
        let known = declared.and_then(Unit::from_name);
        let Some(from) = own.or(known) else {
            return match wanted {
                None => amount.json().ok_or_else(|| no_number(resource)),
                Some(_) => {
                    Err(Error::malformed(&resource.place, "the amount must have a known unit"))
                }
            };
        };
        let to = wanted.filter(|to| to.same_dimension(from)).or(known).unwrap_or(from);
        if !to.same_dimension(from) || *units.entry(key).or_insert(to) != to {
            let problem =
                format!("the amount is in {}, but other amounts of its type are not", from.name);
            return Err(Error::malformed(&resource.place, problem));
        }
        let amount = if from == to { amount } else { from.convert(amount, to) };
        amount.json().ok_or_else(|| no_number(resource))
    })?;
    with_units(&changed, units.into_iter().map(|(key, unit)| (key, unit.name)))
}

/// The profile with amounts as shares (0 to 1) of the greatest amount of their snapshot and type.
///
/// # Errors
/// If an amount is not a number.
pub fn to_unit_interval(profile: &Profile) -> Result<Profile, Error> {
    let profile = unify(profile, None)?;
    let group = |resource: &Resource| {
        (resource.snapshot, resource.text("type").unwrap_or_default().to_owned())
    };
    let mut greatest: HashMap<(u64, String), f64> = HashMap::new();
    let mut keys = HashMap::new();
    for resource in profile.resources() {
        let most = greatest.entry(group(resource)).or_insert(0.0);
        *most = most.max(resource.number("amount")?.float());
        keys.insert(declared(&profile, resource).0, RATIO);
    }
    let scaled = change_amounts(&profile, |resource| {
        let amount = resource.number("amount")?.float();
        let most = greatest.get(&group(resource)).copied().filter(|&most| most > 0.0);
        Number::Float(amount / most.unwrap_or(1.0)).json().ok_or_else(|| no_number(resource))
    })?;
    let mut scaled = with_units(&scaled, keys)?;
    scaled.add_models(vec![], json!({"name": "normalizer", "params": {}}))?;
    Ok(scaled)
}

/// The key of a resource's unit in the header, and its value.
fn declared<'a>(profile: &'a Profile, resource: &Resource) -> (String, Option<&'a str>) {
    let kind = resource.text("type").unwrap_or_default();
    let units = profile.document().get("header").and_then(|header| header.get("units"));
    let narrow = resource.text("subtype").map(|subtype| format!("{kind}({subtype})"));
    let narrow = narrow.filter(|key| units.is_some_and(|units| units.get(key).is_some()));
    (narrow.unwrap_or_else(|| kind.to_owned()), profile.unit(kind, resource.text("subtype")))
}

/// The amount, and its own unit if it has one.
fn amount_of(resource: &Resource) -> Result<(Number, Option<Unit>), Error> {
    let Some(shown) = resource.text("amount") else {
        return Ok((resource.number("amount")?, None));
    };
    let end = shown.trim_end_matches(|letter: char| letter.is_alphabetic()).len();
    let (number, unit) = shown.split_at(end);
    let number = number.trim();
    let whole = number.parse().map(Number::Integer);
    let amount =
        whole.or_else(|_| number.parse().map(Number::Float)).map_err(|_| no_number(resource));
    let unknown = || {
        Error::malformed(
            &resource.place,
            format!("the unit of the amount must be known, unlike {unit:?}"),
        )
    };
    let unit = match unit {
        "" => None,
        unit => Some(Unit::from_name(unit).ok_or_else(unknown)?),
    };
    Ok((amount?, unit))
}

fn no_number(resource: &Resource) -> Error {
    let shown = resource.fields.get("amount").map(text).unwrap_or_default();
    Error::malformed(&resource.place, format!("amount must be a number, not {shown:?}"))
}

/// The profile with changed amounts.
fn change_amounts(
    profile: &Profile,
    mut change: impl FnMut(&Resource) -> Result<Value, Error>,
) -> Result<Profile, Error> {
    let mut changed = profile.clone();
    for resource in changed.resources_mut() {
        let amount = change(resource)?;
        resource.fields.insert("amount".into(), amount);
    }
    changed.expanded()
}

fn with_units(
    profile: &Profile,
    units: impl IntoIterator<Item = (String, &'static str)>,
) -> Result<Profile, Error> {
    let mut document = profile.document().clone();
    if let Some(Value::Object(header)) = document.get_mut("header") {
        let all = header.entry("units").or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(all) = all else {
            return Err(Error::malformed("header.units", "must be an object"));
        };
        all.extend(units.into_iter().map(|(key, unit)| (key, unit.into())));
    }
    Profile::from_document(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(units: &Value, amounts: &[Value]) -> Profile {
        let resource = |amount| json!({"type": "time", "uid": "a", "amount": amount});
        let resources: Vec<_> = amounts.iter().map(resource).collect();
        let document = json!({
            "header": {"type": "time", "units": units},
            "snapshots": [{"time": "0.0", "resources": resources}],
        });
        Profile::from_document(document.as_object().unwrap().clone()).unwrap()
    }

    fn amounts(profile: &Profile) -> Vec<&Value> {
        profile.resources().iter().map(|resource| &resource.fields["amount"]).collect()
    }

    #[test]
    fn amounts_with_units_of_their_own_get_their_types() {
        let mixed = profile(&json!({"time": "ms"}), &[json!("0.616s"), json!("5us"), json!(7)]);
        let one = unify(&mixed, None).unwrap();
        assert_eq!(amounts(&one), [&json!(616.0), &json!(0.005), &json!(7)]);
        assert_eq!(one.unit("time", None), Some("ms"));
    }

    #[test]
    fn wanted_unit_replaces_the_headers() {
        let seconds = profile(&json!({"time": "s"}), &[json!(2), json!("5ms")]);
        let one = unify(&seconds, Unit::from_name("ns")).unwrap();
        assert_eq!(amounts(&one), [&json!(2_000_000_000_u64), &json!(5_000_000)]);
        assert_eq!(one.unit("time", None), Some("ns"));
    }

    #[test]
    fn unit_of_something_else_names_the_place() {
        let wrong = profile(&json!({"time": "s"}), &[json!(1), json!("5kB")]);
        let problem = unify(&wrong, None).unwrap_err().to_string();
        assert!(problem.starts_with("snapshots[0].resources[1]:"), "{problem}");
        let words = profile(&json!({"time": "s"}), &[json!("soon")]);
        assert!(unify(&words, None).is_err());
    }

    #[test]
    fn amounts_become_parts_of_the_greatest() {
        let times = profile(&json!({"time": "s"}), &[json!(0.5), json!(2.0), json!(0)]);
        let parts = to_unit_interval(&times).unwrap();
        assert_eq!(amounts(&parts), [&json!(0.25), &json!(1.0), &json!(0.0)]);
        assert_eq!(parts.unit("time", None), Some("1"));
        let none = profile(&json!({"time": "s"}), &[json!(0)]);
        assert_eq!(amounts(&to_unit_interval(&none).unwrap()), [&json!(0.0)]);
    }
}
