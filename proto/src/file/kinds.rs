//! Reference of the kinds of variables: a table for people, and a JSON schema for editors. Both are
//! made from the messages in `input.proto` and their comments, so they always agree with the
//! messages.

use super::fields::{TEXTS, short, values};
use crate::json::{self, dynamic};
use crate::v1;
use prost_reflect::{
    EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor, ReflectMessage,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The dialect of the schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Name of the message that has either a layout or a generator.
const SPEC: &str = "InputSpec";
/// Extension that declares a field as required.
const REQUIRED: &str = "swiftsolve.profiler.v1.required";

/// A kind of variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindEntry {
    /// The name in a spec: `array`.
    pub name: String,
    /// Meaning of the kind, in one sentence.
    pub meaning: String,
    /// Fields of the kind, in the order of the message.
    pub fields: Vec<FieldEntry>,
}

/// A field of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldEntry {
    /// The name in a spec: `len`.
    pub name: String,
    /// Permitted form: `expression`, `true or false`, the values of an enum.
    pub form: String,
    /// Meaning of the field, with its default if it has one.
    pub meaning: String,
    /// Whether a spec must set the field.
    pub required: bool,
}

/// Every kind of variable, in the order of the message.
pub fn kinds() -> Result<Vec<KindEntry>, json::Error> {
    let variable = dynamic::<v1::Variable>()?.descriptor();
    let kinds = variable.fields().filter(|field| field.containing_oneof().is_some());
    Ok(kinds.map(|field| kind(&field)).collect())
}

fn kind(field: &FieldDescriptor) -> KindEntry {
    let fields = match field.kind() {
        Kind::Message(message) => message.fields().map(|field| entry(&field)).collect(),
        _ => Vec::new(),
    };
    KindEntry { name: field.name().into(), meaning: comment(field), fields }
}

fn entry(field: &FieldDescriptor) -> FieldEntry {
    let form = match field.kind() {
        Kind::Message(of) => {
            let fields: Vec<_> = of.fields().map(|field| field.name().to_owned()).collect();
            let map = format!("{{{}}}", fields.join(", "));
            if field.is_list() { format!("list of {map}") } else { map }
        }
        Kind::Enum(of) => values(&of),
        Kind::Bool => "true or false".into(),
        Kind::String if TEXTS.contains(&field.name()) => "text".into(),
        Kind::String => "expression".into(),
        _ => "number".into(),
    };
    FieldEntry {
        name: field.name().into(),
        form,
        meaning: comment(field).trim_start_matches("Expression: ").into(),
        required: is_required(field),
    }
}

fn is_required(field: &FieldDescriptor) -> bool {
    let extension = field.parent_pool().get_extension_by_name(REQUIRED);
    extension.is_some_and(|extension| field.options().has_extension(&extension))
}

/// The comment of a field, on one line.
fn comment(field: &FieldDescriptor) -> String {
    comment_at(&field.parent_message().parent_file(), field.path())
}

fn comment_at(file: &FileDescriptor, path: &[i32]) -> String {
    let source = &file.file_descriptor_proto().source_code_info;
    let all = source.iter().flat_map(|info| &info.location);
    let mut here = all.filter(|location| location.path == path);
    let text = here.find_map(|location| location.leading_comments.clone());
    let text = text.unwrap_or_default();
    let words = text.split_whitespace().map(|word| as_in_specs(file, word));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns a word of a comment. The value of an enum is returned in the notation of a spec:
/// `few-distinct` for `FEW_DISTINCT`.
fn as_in_specs(file: &FileDescriptor, word: &str) -> String {
    let name = word.trim_end_matches([',', ';', '.']);
    let is_upper = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let short = name.to_ascii_lowercase().replace('_', "-");
    let mut values = file.enums().flat_map(|of| spellings(&of));
    let is_value = is_upper && values.any(|value| value == short);
    if is_value { word.replace(name, &short) } else { word.into() }
}

/// The JSON schema of a file of specs: one spec, or a list of them.
pub fn schema() -> Result<Value, json::Error> {
    let spec = dynamic::<v1::InputSpec>()?.descriptor();
    let mut definitions = BTreeMap::new();
    define(&spec, &mut definitions);
    let one = reference(&spec);
    Ok(json!({
        "$schema": DIALECT,
        "title": "The inputs of a task",
        "oneOf": [one, {"type": "array", "minItems": 1, "items": one}],
        "$defs": definitions,
    }))
}

fn reference(message: &MessageDescriptor) -> Value {
    json!({"$ref": format!("#/$defs/{}", message.name())})
}

/// Defines a message, and every message that it uses.
fn define(message: &MessageDescriptor, definitions: &mut BTreeMap<String, Value>) {
    if definitions.contains_key(message.name()) {
        return;
    }
    definitions.insert(message.name().into(), Value::Null);
    let mut properties = Map::new();
    for field in message.fields() {
        if let Kind::Message(of) = field.kind() {
            define(&of, definitions);
        }
        properties.insert(field.name().into(), property(&field));
    }
    let file = message.parent_file();
    let mut definition = json!({
        "type": "object",
        "description": comment_at(&file, message.path()),
        "additionalProperties": false,
        "properties": properties,
    });
    let required: Vec<_> =
        message.fields().filter(is_required).map(|field| field.name().to_owned()).collect();
    if !required.is_empty() {
        definition["required"] = json!(required);
    }
    let choices: Vec<Value> = message
        .oneofs()
        .flat_map(|group| group.fields().map(|field| field.name().to_owned()).collect::<Vec<_>>())
        .map(|name| json!({"required": [name]}))
        .collect();
    if message.name() == SPEC {
        definition["anyOf"] = json!([{"required": ["layout"]}, {"required": ["generator"]}]);
    }
    if !choices.is_empty() {
        definition["oneOf"] = json!(choices);
    }
    definitions.insert(message.name().into(), definition);
}

fn property(field: &FieldDescriptor) -> Value {
    let mut one = match field.kind() {
        Kind::Message(of) => reference(&of),
        Kind::Enum(of) => json!({"enum": spellings(&of)}),
        Kind::Bool => json!({"type": "boolean"}),
        Kind::String if TEXTS.contains(&field.name()) => json!({"type": "string"}),
        Kind::String => json!({"type": ["string", "integer"]}),
        _ => json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
    };
    if field.is_list() {
        one = json!({"type": "array", "items": one});
    }
    let comment = comment(field);
    if !comment.is_empty() {
        one["description"] = json!(comment);
    }
    one
}

/// The values of an enum, in the short form and as on the wire.
fn spellings(of: &EnumDescriptor) -> Vec<String> {
    let all: Vec<String> = of.values().skip(1).map(|value| value.name().to_owned()).collect();
    all.iter().map(|name| short(of, name)).chain(all.iter().cloned()).collect()
}
