//! Specs of inputs as people write them: a file in JSON or YAML that holds one [`v1::InputSpec`],
//! or a list of them, in proto3 JSON. Two more forms are allowed: a whole number as an expression,
//! and the value of an enum without its prefix, in lower case and with hyphens. A number in place
//! of a text is not allowed, because 007 would be printed as 7.

mod fields;
mod foreign;
mod hints;
pub mod kinds;
mod place;
mod sources;

pub use foreign::{real_path_below, regular_file_below};
pub use place::{Place, Places, within};

use self::fields::{TEXTS, value_of, values};
use self::place::below;
use crate::json::{self, dynamic};
use crate::v1;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage};
use serde::de::DeserializeSeed;
use serde_json::{Map, Number, Value};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longest file of specs, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;
/// Character that programs on Windows write at the beginning of a text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';
/// Maximum number of values in a YAML file. A value that an alias repeats counts each time.
pub const MAX_YAML_VALUES: usize = 100_000;

/// Format that a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON alone.
    Json,
    /// YAML 1.2, which includes JSON.
    Yaml,
}

/// Reason why a file holds no specs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Failure to read the file.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// File that is too long.
    #[error("must have at most {0} bytes")]
    TooLong(u64),
    /// Text that is neither JSON nor YAML.
    #[error("{0}")]
    Syntax(String),
    /// Text that does not fit the message.
    #[error("{}", lines(.0))]
    Message(Vec<Fault>),
    /// Committed descriptor set that is broken.
    #[error(transparent)]
    Descriptor(#[from] json::Error),
}

/// Fault at one place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Place of the fault; `None` for a spec that is embedded in another file.
    pub place: Option<Place>,
    /// The path: `vars[0].array.len`. Empty for the whole file.
    pub path: String,
    /// Description of the problem, and what is allowed.
    pub problem: String,
    /// Whether the key is wrong, instead of its value.
    is_key: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.problem)
    }
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the specs in a file. The file is read as JSON if its name ends with `.json`, otherwise
/// as YAML. Other files that a spec names are in its folder or below it.
pub fn read(path: &Path) -> Result<Vec<v1::InputSpec>, Error> {
    parse_in(&text(path, MAX_FILE_BYTES)?, format_of(path), path.parent())
}

/// Returns the format of a file with this name.
fn format_of(path: &Path) -> Format {
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if json { Format::Json } else { Format::Yaml }
}

/// Returns the text of a file of at most `most` bytes, without its byte order mark.
pub(crate) fn text(path: &Path, most: u64) -> Result<String, Error> {
    let mut text = String::new();
    File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        return Err(Error::TooLong(most));
    }
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}

/// Returns the specs in a text that is not a file's.
pub fn parse(text: &str, format: Format) -> Result<Vec<v1::InputSpec>, Error> {
    parse_in(text, format, None)
}

fn parse_in(
    text: &str,
    format: Format,
    folder: Option<&Path>,
) -> Result<Vec<v1::InputSpec>, Error> {
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(Error::TooLong(MAX_FILE_BYTES));
    }
    specs_in(value(text, format)?, folder).map_err(|error| error.at(&Places::new(text), ""))
}

impl Error {
    /// Returns the error with the places of its faults, in the order of the file. `root` is the
    /// path of the specs in the file; empty if the file holds nothing else.
    #[must_use]
    pub fn at(self, places: &Places, root: &str) -> Self {
        let Self::Message(mut faults) = self else { return self };
        for fault in &mut faults {
            let path = within(root, &fault.path);
            let key = fault.is_key.then(|| places.key_of(&path)).flatten();
            fault.place = key.or_else(|| places.value_of(&path));
        }
        faults.sort_by(|a, b| (a.place, &a.path).cmp(&(b.place, &b.path)));
        Self::Message(faults)
    }

    /// Returns the error for a text that is not JSON, or that is JSON in another form than the
    /// required one.
    pub(crate) fn of_json(error: &serde_json::Error) -> Self {
        let place = Place { line: error.line(), column: error.column() };
        let end = format!(" at line {} column {}", place.line, place.column);
        Self::placed(&error.to_string(), place, &end)
    }

    fn of_yaml(error: &serde_saphyr::Error) -> Self {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let Some(location) = error.location() else {
            return Self::Syntax(format!("yaml: {error}"));
        };
        let place = Place { line: number(location.line()), column: number(location.column()) };
        let end = format!(" at line {}, column {}", place.line, place.column);
        Self::placed(&error.to_string(), place, &end)
    }

    /// Returns a syntax error. `text` can name the place in its suffix `end`, which is cut off.
    fn placed(text: &str, place: Place, end: &str) -> Self {
        Self::Syntax(format!("{place}: {}", text.strip_suffix(end).unwrap_or(text)))
    }
}

/// Returns the specs in a value that is not a file's: one spec or a list of specs.
pub fn specs(value: Value) -> Result<Vec<v1::InputSpec>, Error> {
    specs_in(value, None)
}

/// Returns the specs in a value. Files that they name are in `folder`, the folder of the value's
/// file, or below it.
pub fn specs_in(value: Value, folder: Option<&Path>) -> Result<Vec<v1::InputSpec>, Error> {
    let mut faults = Vec::new();
    let is_list = value.is_array();
    let mut specs = match value {
        Value::Array(list) if list.is_empty() => {
            return Err(Error::Message(vec![fault("", "must not be an empty list", false)]));
        }
        Value::Array(list) => (0..)
            .zip(list)
            .map(|(i, value)| spec(value, &format!("[{i}]"), &mut faults))
            .collect::<Result<Vec<_>, _>>()?,
        value => vec![spec(value, "", &mut faults)?],
    };
    for (i, spec) in specs.iter_mut().enumerate() {
        let path = if is_list { format!("[{i}]") } else { String::new() };
        let wrong = sources::read(spec, folder).into_iter();
        faults.extend(wrong.map(|(field, problem)| fault(&below(&path, field), problem, false)));
    }
    if faults.is_empty() { Ok(specs) } else { Err(Error::Message(faults)) }
}

/// Returns the files that specs in a file name, and the headers that may be next to them. They need
/// not exist. Empty if the file cannot be read.
pub fn named_files(path: &Path) -> Vec<PathBuf> {
    let value = text(path, MAX_FILE_BYTES).and_then(|text| value(&text, format_of(path)));
    value.map_or_else(|_| Vec::new(), |value| sources::named_in(&value, path))
}

fn value(text: &str, format: Format) -> Result<Value, Error> {
    match format {
        Format::Json => serde_json::from_str(text).map_err(|error| Error::of_json(&error)),
        Format::Yaml => yaml(text),
    }
}

fn yaml(text: &str) -> Result<Value, Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_nodes: MAX_YAML_VALUES },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_YAML_VALUES },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| Error::of_yaml(&error))
}

fn fault(path: &str, problem: impl Into<String>, is_key: bool) -> Fault {
    Fault { place: None, path: path.into(), problem: problem.into(), is_key }
}

fn spec(value: Value, path: &str, faults: &mut Vec<Fault>) -> Result<v1::InputSpec, Error> {
    let kind = dynamic::<v1::InputSpec>()?.descriptor();
    let before = faults.len();
    let value = Reader { faults }.message(value, &kind, path);
    if faults.len() > before {
        return Ok(v1::InputSpec::default());
    }
    let wrong =
        |error: &dyn fmt::Display| Error::Message(vec![fault(path, error.to_string(), false)]);
    let message: DynamicMessage = kind.deserialize(value).map_err(|error| wrong(&error))?;
    message.transcode_to().map_err(|error| wrong(&error))
}

/// Converts what a person wrote to proto3 JSON, and collects the faults.
struct Reader<'f> {
    faults: &'f mut Vec<Fault>,
}

impl Reader<'_> {
    fn refuse(&mut self, path: &str, problem: &str) -> Value {
        self.faults.push(fault(path, problem, false));
        Value::Null
    }

    fn refuse_key(&mut self, path: &str, problem: String) {
        self.faults.push(fault(path, problem, true));
    }

    fn message(&mut self, value: Value, kind: &MessageDescriptor, path: &str) -> Value {
        let Value::Object(entries) = value else {
            let names = names(kind).join(", ");
            let problem = format!("must be a mapping with the fields of {}: {names}", noun(kind));
            return self.refuse(path, &problem);
        };
        let mut fields = Map::new();
        for (key, value) in entries {
            let path = below(path, &key);
            let field = kind.get_field_by_name(&key).or_else(|| kind.get_field_by_json_name(&key));
            let Some(field) = field else {
                self.refuse_key(&path, unknown(&key, kind));
                continue;
            };
            let other = field.containing_oneof().and_then(|group| {
                group.fields().find(|other| fields.contains_key(other.name()) && *other != field)
            });
            if let Some(other) = other {
                let problem = format!("cannot be used with {}", other.name());
                self.refuse_key(&path, problem);
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
            _ if field.is_list() => self.refuse(path, "must be a list"),
            value => self.one(value, field, path),
        }
    }

    fn one(&mut self, value: Value, field: &FieldDescriptor, path: &str) -> Value {
        match (field.kind(), value) {
            (Kind::Message(kind), value) => self.message(value, &kind, path),
            (Kind::Enum(kind), Value::String(name)) => {
                let Some(known) = value_of(&kind, &name) else {
                    let all = values(&kind);
                    let meant = hints::did_you_mean(&name, all.split(", "));
                    return self.refuse(path, &format!("must be one of {all}, not {name}{meant}"));
                };
                Value::String(known)
            }
            (Kind::Enum(kind), _) => {
                self.refuse(path, &format!("must be one of {}", values(&kind)))
            }
            (Kind::String, Value::String(text)) => {
                let is_text = TEXTS.contains(&field.name());
                match hints::expression(&text).filter(|_| !is_text) {
                    Some(problem) => self.refuse(path, &problem),
                    None => Value::String(text),
                }
            }
            (Kind::Bool, value @ Value::Bool(_)) => value,
            (Kind::String, value) if TEXTS.contains(&field.name()) => self.no_text(&value, path),
            (Kind::String, Value::Number(number)) => match whole(&number) {
                Some(whole) => Value::String(whole.to_string()),
                None => self.refuse(path, "must be a whole number within 64 bits"),
            },
            (Kind::String, _) => self.refuse(path, "must be an expression or a number"),
            (Kind::Bool, _) => self.refuse(path, "must be true or false"),
            (Kind::Uint32, value) => match unsigned(&value) {
                Some(number) => number.into(),
                None => {
                    self.refuse(path, &format!("must be a whole number from 0 to {}", u32::MAX))
                }
            },
            (_, value) => value,
        }
    }

    fn no_text(&mut self, value: &Value, path: &str) -> Value {
        let hint = if value.is_number() { "; put it in quotes" } else { "" };
        self.refuse(path, &format!("must be text{hint}"))
    }
}

/// Describes the problem with a key that is not a field.
fn unknown(key: &str, kind: &MessageDescriptor) -> String {
    if let Some(problem) = hints::key(key) {
        return problem;
    }
    let known = names(kind);
    let meant = hints::did_you_mean(key, known.iter().map(String::as_str));
    let known = known.join(", ");
    match kind.name() {
        "Variable" => format!("`{key}` is not a kind; a variable has {known}{meant}"),
        _ => format!("`{key}` is not a field of {}, which has {known}{meant}", noun(kind)),
    }
}

fn names(kind: &MessageDescriptor) -> Vec<String> {
    kind.fields().map(|field| field.name().to_owned()).collect()
}

/// Returns the name of a message for people: "a query variant" for `QueryVariant`.
fn noun(kind: &MessageDescriptor) -> String {
    if kind.name() == "InputSpec" {
        return "a spec".into();
    }
    let spaced = kind.name().chars().fold(String::new(), |mut words, c| {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
        words
    });
    let article = if spaced.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {spaced}")
}

/// Returns the whole number that is meant, if an expression can contain it: 100000 for 1e5.
#[allow(clippy::cast_possible_truncation, reason = "a whole number of at most 63 bits")]
fn whole(number: &Number) -> Option<i64> {
    /// 2^63. Below it every whole f64 is an i64.
    const END: f64 = 9_223_372_036_854_775_808.0;
    match number.as_f64() {
        Some(value) if number.is_f64() => {
            (value.fract() == 0.0 && value.abs() < END).then_some(value as i64)
        }
        // An expression can write -2^63 only as a difference.
        _ => number.as_i64().filter(|value| *value != i64::MIN),
    }
}

fn unsigned(value: &Value) -> Option<u32> {
    whole(value.as_number()?).and_then(|number| number.try_into().ok())
}
