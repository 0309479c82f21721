//! proto3 JSON, with the names of the .proto files, as `--format json` prints it and files hold it.
//! Infinity is `"Infinity"`, as the mapping says. A field without presence is written even where it
//! is zero or empty, so that a reader never has to know defaults; a figure that was not measured is
//! absent.
//!
//! Sizes, which the .proto files mark with `jstype = JS_NUMBER`, are numbers. On one line, other
//! 64-bit numbers are strings and fractions are exact, which is the canonical mapping. Indented
//! JSON is for people and their tools: unsigned numbers below 2^53 are numbers, and fractions have
//! nine digits. Every parser of proto3 JSON reads both.

mod numbers;

use crate::DESCRIPTOR;
use crate::v1::ProfileReport;
use numbers::Style;
pub use numbers::rounded;
use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, ReflectMessage, SerializeOptions};
use serde::Serialize;
use serde_json::Value;
use std::sync::LazyLock;

static POOL: LazyLock<Result<DescriptorPool, String>> =
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTOR).map_err(|error| error.to_string()));

/// Failure to convert a message to JSON, or JSON to a message.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The JSON does not fit the message; the text says where.
    #[error("json: {0}")]
    Json(#[from] serde_json::Error),
    /// The committed descriptor set is broken.
    #[error("descriptor set: {0}")]
    Descriptor(String),
    /// The descriptor set lacks the message.
    #[error("the descriptor set has no {0}")]
    Unknown(String),
    /// The message does not fit its descriptor.
    #[error("transcode: {0}")]
    Transcode(#[from] prost::DecodeError),
}

/// The message as JSON, indented and readable.
pub fn to_string_pretty<M: Message + Name>(message: &M) -> Result<String, Error> {
    Ok(serde_json::to_string_pretty(&readable(message)?)?)
}

/// The message as a part of other JSON, with numbers as in [`to_string_pretty`].
pub fn readable<M: Message + Name>(message: &M) -> Result<Value, Error> {
    value(message, Style::Readable)
}

/// Fields of SwiftSolve's `ProfileReport`, whose pydantic model forbids any other key.
const STRICT: [&str; 9] = [
    "type",
    "task_id",
    "iteration",
    "timestamp_utc",
    "schema_version",
    "input_sizes",
    "runtime_ms",
    "peak_memory_mb",
    "hotspots",
];

/// The strict report: the fields of SwiftSolve's own report, indented, with exact fractions.
pub fn strict(report: &ProfileReport) -> Result<String, Error> {
    // The rest of a report can have tens of megabytes.
    let own = ProfileReport {
        r#type: report.r#type.clone(),
        task_id: report.task_id.clone(),
        iteration: report.iteration,
        schema_version: report.schema_version.clone(),
        input_sizes: report.input_sizes.clone(),
        runtime_ms: report.runtime_ms.clone(),
        peak_memory_mb: report.peak_memory_mb.clone(),
        ..ProfileReport::default()
    };
    let mut value = value(&own, Style::Canonical)?;
    // A map of a dynamic message has no order.
    value["hotspots"] = serde_json::to_value(&report.hotspots)?;
    value["timestamp_utc"] = report.timestamp_utc.unwrap_or_default().to_string().into();
    let fields = STRICT.into_iter().map(|name| (name.to_owned(), value[name].take()));
    Ok(serde_json::to_string_pretty(&fields.collect::<Value>())?)
}

/// Any value as JSON, indented, with fractions as in [`to_string_pretty`].
pub fn pretty<T: Serialize>(value: &T) -> Result<String, Error> {
    let mut value = serde_json::to_value(value)?;
    numbers::shorten(&mut value);
    Ok(serde_json::to_string_pretty(&value)?)
}

/// The message as JSON on one line.
pub fn to_string<M: Message + Name>(message: &M) -> Result<String, Error> {
    Ok(serde_json::to_string(&value(message, Style::Canonical)?)?)
}

/// The message in JSON. An unknown field is an error, and so is anything after the message.
pub fn parse<M: Message + Name + Default>(json: &str) -> Result<M, Error> {
    let mut from = serde_json::Deserializer::from_str(json);
    let kind = dynamic::<M>()?.descriptor();
    let message = DynamicMessage::deserialize(kind, &mut from)?;
    from.end()?;
    Ok(message.transcode_to()?)
}

fn value<M: Message + Name>(message: &M, style: Style) -> Result<Value, Error> {
    let options = SerializeOptions::new().use_proto_field_name(true).skip_default_fields(false);
    let mut dynamic = dynamic::<M>()?;
    dynamic.transcode_from(message)?;
    let mut value = dynamic.serialize_with_options(serde_json::value::Serializer, &options)?;
    numbers::rewrite(&mut value, &dynamic.descriptor(), style);
    Ok(value)
}

/// The descriptors of the package and of everything that it imports.
pub fn descriptors() -> Result<&'static DescriptorPool, Error> {
    POOL.as_ref().map_err(|text| Error::Descriptor(text.clone()))
}

/// Returns an empty dynamic message of the type `M`.
pub(crate) fn dynamic<M: Name>() -> Result<DynamicMessage, Error> {
    let name = M::full_name();
    descriptors()?.get_message_by_name(&name).map(DynamicMessage::new).ok_or(Error::Unknown(name))
}
