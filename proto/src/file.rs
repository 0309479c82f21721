//! Specs of inputs as people write them: a file in JSON or YAML that holds one [`v1::InputSpec`],
//! or a list of them, in proto3 JSON. Two liberties are taken that proto3 JSON does not have: where
//! the message has an expression, a whole number may stand, and the value of an enum may stand
//! without its prefix, in small letters and with hyphens. Where it has a text, a number may not:
//! 007 would be printed as 7.

use crate::json::{self, dynamic};
use crate::v1;
use prost_reflect::{
    DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage,
};
use serde::de::DeserializeSeed;
use serde_json::{Map, Number, Value};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longest file, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;
/// Most values of a YAML file, those that aliases repeat counted each time.
pub const MAX_YAML_VALUES: usize = 100_000;

/// The fields that are texts; every other string is an expression.
const TEXTS: [&str; 5] = ["name", "alphabet", "literal", "grid", "raw"];

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON alone.
    Json,
    /// YAML 1.2, and so JSON too.
    Yaml,
}

/// A file holds no specs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// It is too long.
    #[error("is longer than {MAX_FILE_BYTES} bytes")]
    TooLong,
    /// It is no JSON or YAML.
    #[error("{0}")]
    Syntax(String),
    /// It is not the message: every path, and what is wrong there.
    #[error("{}", .0.join("; "))]
    Message(Vec<String>),
    /// The committed descriptor set is broken.
    #[error(transparent)]
    Descriptor(#[from] json::Error),
}

/// The specs in a file. One whose name ends with `.json` holds JSON, any other YAML.
pub fn read(path: &Path) -> Result<Vec<v1::InputSpec>, Error> {
    let mut text = String::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    parse(&text, if json { Format::Json } else { Format::Yaml })
}

/// The specs in a text.
pub fn parse(text: &str, format: Format) -> Result<Vec<v1::InputSpec>, Error> {
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(Error::TooLong);
    }
    let value = match format {
        Format::Json => {
            serde_json::from_str(text).map_err(|error| Error::Syntax(format!("json: {error}")))?
        }
        Format::Yaml => yaml(text)?,
    };
    specs(value)
}

/// The specs in a value: one, or a list.
pub fn specs(value: Value) -> Result<Vec<v1::InputSpec>, Error> {
    let mut faults = Vec::new();
    let specs = match value {
        Value::Array(list) if list.is_empty() => {
            return Err(Error::Message(vec!["holds an empty list".into()]));
        }
        Value::Array(list) => (0..)
            .zip(list)
            .map(|(i, value)| spec(value, &format!("[{i}]"), &mut faults))
            .collect::<Result<_, _>>()?,
        value => vec![spec(value, "", &mut faults)?],
    };
    if faults.is_empty() { Ok(specs) } else { Err(Error::Message(faults)) }
}

fn yaml(text: &str) -> Result<Value, Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_nodes: MAX_YAML_VALUES },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_YAML_VALUES },
    };
    serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| Error::Syntax(format!("yaml: {error}")))
}

fn spec(value: Value, path: &str, faults: &mut Vec<String>) -> Result<v1::InputSpec, Error> {
    let kind = dynamic::<v1::InputSpec>()?.descriptor();
    let before = faults.len();
    let value = Reader { faults }.message(value, &kind, path);
    if faults.len() > before {
        return Ok(v1::InputSpec::default());
    }
    let fault =
        |error: &dyn std::fmt::Display| Error::Message(vec![join(path, &error.to_string())]);
    let message: DynamicMessage = kind.deserialize(value).map_err(|error| fault(&error))?;
    message.transcode_to().map_err(|error| fault(&error))
}

fn join(path: &str, problem: &str) -> String {
    if path.is_empty() { problem.into() } else { format!("{path}: {problem}") }
}

/// Makes proto3 JSON of what a person wrote, and notes what is no such message.
struct Reader<'f> {
    faults: &'f mut Vec<String>,
}

impl Reader<'_> {
    fn refuse(&mut self, path: &str, problem: &str) -> Value {
        self.faults.push(join(path, problem));
        Value::Null
    }

    fn message(&mut self, value: Value, kind: &MessageDescriptor, path: &str) -> Value {
        let Value::Object(entries) = value else {
            return self.refuse(path, &format!("the fields of {} are wanted here", kind.name()));
        };
        let mut fields = Map::new();
        for (key, value) in entries {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let field = kind.get_field_by_name(&key).or_else(|| kind.get_field_by_json_name(&key));
            let Some(field) = field else {
                self.refuse(&path, &format!("{} has no such field", kind.name()));
                continue;
            };
            let other = field.containing_oneof().and_then(|group| {
                group.fields().find(|other| fields.contains_key(other.name()) && *other != field)
            });
            if let Some(other) = other {
                self.refuse(&path, &format!("stands beside {}", other.name()));
                continue;
            }
            let value = self.field(value, &field, &path);
            fields.insert(field.name().into(), value);
        }
        Value::Object(fields)
    }

    fn field(&mut self, value: Value, field: &FieldDescriptor, path: &str) -> Value {
        match value {
            Value::Null => Value::Null,
            Value::Array(list) if field.is_list() => {
                let one = |(i, value)| self.one(value, field, &format!("{path}[{i}]"));
                Value::Array(list.into_iter().enumerate().map(one).collect())
            }
            _ if field.is_list() => self.refuse(path, "a list is wanted here"),
            value => self.one(value, field, path),
        }
    }

    fn one(&mut self, value: Value, field: &FieldDescriptor, path: &str) -> Value {
        match (field.kind(), value) {
            (Kind::Message(kind), value) => self.message(value, &kind, path),
            (Kind::Enum(kind), Value::String(name)) => match value_of(&kind, &name) {
                Some(known) => Value::String(known),
                None => self.refuse(path, &format!("unknown value {name}: {}", values(&kind))),
            },
            (Kind::Enum(kind), _) => {
                self.refuse(path, &format!("one is wanted here: {}", values(&kind)))
            }
            (Kind::String, value @ Value::String(_)) | (Kind::Bool, value @ Value::Bool(_)) => {
                value
            }
            (Kind::String, value) if TEXTS.contains(&field.name()) => self.no_text(&value, path),
            (Kind::String, Value::Number(number)) => match whole(&number) {
                Some(whole) => Value::String(whole.to_string()),
                None => self.refuse(path, "a number must be whole and within 64 bits here"),
            },
            (Kind::String, _) => self.refuse(path, "an expression or a number is wanted here"),
            (Kind::Bool, _) => self.refuse(path, "true or false is wanted here"),
            (Kind::Uint32, value) => match unsigned(&value) {
                Some(number) => number.into(),
                None => {
                    self.refuse(path, &format!("a whole number up to {} is wanted here", u32::MAX))
                }
            },
            (_, value) => value,
        }
    }

    fn no_text(&mut self, value: &Value, path: &str) -> Value {
        let hint = if value.is_number() { ": put it in quotes" } else { "" };
        self.refuse(path, &format!("a text is wanted here{hint}"))
    }
}

/// A number as it was meant, if it is a whole one that an expression may have: 1e5 is.
#[allow(clippy::cast_possible_truncation, reason = "a whole number of at most 63 bits")]
fn whole(number: &Number) -> Option<i64> {
    /// 2^63. Below it every whole f64 is an i64.
    const END: f64 = 9_223_372_036_854_775_808.0;
    match number.as_f64() {
        Some(value) if number.is_f64() => {
            (value.fract() == 0.0 && value.abs() < END).then_some(value as i64)
        }
        // An expression has no -2^63 but as a difference.
        _ => number.as_i64().filter(|value| *value != i64::MIN),
    }
}

fn unsigned(value: &Value) -> Option<u32> {
    whole(value.as_number()?).and_then(|number| number.try_into().ok())
}

/// The full name of an enum's value that may stand without its prefix: `anti-hash` for
/// `ORDER_ANTI_HASH`.
fn value_of(kind: &EnumDescriptor, name: &str) -> Option<String> {
    let mut all = kind.values();
    all.find(|value| value.name() == name || short(kind, value.name()) == name)
        .map(|value| value.name().to_owned())
}

fn short(kind: &EnumDescriptor, name: &str) -> String {
    let first = kind.default_value();
    let prefix = first.name().strip_suffix("UNSPECIFIED").unwrap_or_default();
    name.strip_prefix(prefix).unwrap_or(name).to_ascii_lowercase().replace('_', "-")
}

fn values(kind: &EnumDescriptor) -> String {
    kind.values().skip(1).map(|value| short(kind, value.name())).collect::<Vec<_>>().join(", ")
}
