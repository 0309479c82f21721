//! Reads messages that version 0.1 stored, as messages of the current version.
//!
//! Version 0.1 had strings where the current messages have enums. Both forms of storage are read:
//! bytes, by the descriptors of version 0.1, and JSON.

use crate::json::{self, Error};
use crate::v1;
use profiler_growth::Class;
use prost::{Message, Name};
use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    ReflectMessage, SerializeOptions,
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static POOL: LazyLock<Result<DescriptorPool, String>> = LazyLock::new(|| {
    let descriptors = include_bytes!("v0_1/descriptor.bin").as_slice();
    DescriptorPool::decode(descriptors).map_err(|error| error.to_string())
});

/// Decodes an event that version 0.1 encoded.
pub fn decode_event(bytes: &[u8]) -> Result<v1::Event, Error> {
    let name = v1::Event::full_name();
    let pool = POOL.as_ref().map_err(|text| Error::Descriptor(text.clone()))?;
    let kind = pool.get_message_by_name(&name).ok_or(Error::Unknown(name))?;
    let event = DynamicMessage::decode(kind, bytes)?;
    let options = SerializeOptions::new().use_proto_field_name(true);
    from_value(event.serialize_with_options(serde_json::value::Serializer, &options)?)
}

/// Parses a message in the JSON of version 0.1.
pub fn parse<M: Message + Name + Default>(text: &str) -> Result<M, Error> {
    from_value(serde_json::from_str(text)?)
}

/// Parses a message in the JSON of the current version or of version 0.1. An error is the error of
/// the current JSON.
pub fn parse_either<M: Message + Name + Default>(text: &str) -> Result<M, Error> {
    json::parse(text).or_else(|error| parse(text).map_err(|_| error))
}

fn from_value<M: Message + Name + Default>(mut value: Value) -> Result<M, Error> {
    let kind = json::dynamic::<M>()?.descriptor();
    upgrade(&mut value, &kind);
    Ok(DynamicMessage::deserialize(kind, value)?.transcode_to()?)
}

/// Turns the fields of version 0.1 into the fields of the current message, at every depth.
fn upgrade(message: &mut Value, kind: &MessageDescriptor) {
    let Value::Object(fields) = message else { return };
    match kind.name() {
        "AllocationReport" | "AllocationSite" => set_left(fields),
        "GrowthClassification" => {
            set_function(fields, "name", "function");
            set_function(fields, "runner_up", "runner_up");
        }
        "GrowthCurve" => set_function(fields, "name", "function"),
        "GrowthSignal" => {
            set_function(fields, "class", "function");
            set_signal_kind(fields);
        }
        _ => {}
    }
    for field in kind.fields().filter(|field| !field.is_map()) {
        match (field.kind(), fields.get_mut(field.name())) {
            (Kind::Message(kind), Some(Value::Array(all))) => {
                for one in all {
                    upgrade(one, &kind);
                }
            }
            (Kind::Message(kind), Some(one)) => upgrade(one, &kind),
            (Kind::Enum(values), Some(Value::String(word))) if !was_enum(&field) => {
                match name_of(&values, word) {
                    Some(name) => *word = name,
                    None => drop(fields.remove(field.name())),
                }
            }
            _ => {}
        }
    }
}

/// Whether this field was an enum in version 0.1, instead of a string.
fn was_enum(field: &FieldDescriptor) -> bool {
    let pool = POOL.as_ref().ok();
    let old = pool.and_then(|pool| pool.get_message_by_name(field.parent_message().full_name()));
    let old = old.and_then(|message| message.get_field_by_name(field.name()));
    old.is_some_and(|old| matches!(old.kind(), Kind::Enum(_)))
}

/// Returns the name of an enum's value, given its word or its name; `None` if no value has the
/// word, as for an empty word.
fn name_of(values: &EnumDescriptor, word: &str) -> Option<String> {
    let prefix = values.default_value().name().strip_suffix("UNSPECIFIED")?.to_owned();
    let name = prefix + &word.replace(' ', "_").to_ascii_uppercase();
    [word.to_owned(), name].into_iter().find(|name| values.get_value_by_name(name).is_some())
}

/// Replaces the fields for blocks that were left at the end. Version 0.1 did not distinguish
/// between kinds of such blocks.
fn set_left(fields: &mut Map<String, Value>) {
    let [blocks, bytes] = ["leaked_blocks", "leaked_bytes"].map(|name| fields.remove(name));
    if let Some(blocks) = blocks.filter(|blocks| *blocks != json!("0")) {
        let kind = v1::LeftKind::Unknown as i32;
        fields.insert("left".into(), json!([{ "kind": kind, "blocks": blocks, "bytes": bytes }]));
    }
}

/// Replaces a signal's name by its kind. "`line_12`" is the kind LINE with the line 12.
fn set_signal_kind(signal: &mut Map<String, Value>) {
    let mut kind = signal.remove("name").unwrap_or_default();
    let line = kind.as_str().and_then(|name| name.strip_prefix("line_")?.parse::<u32>().ok());
    if let Some(line) = line {
        signal.insert("line".into(), line.into());
        kind = "line".into();
    }
    signal.insert("kind".into(), kind);
}

/// Replaces the name of a class in the field `old` by a `GrowthFunction` in the field `new`.
fn set_function(fields: &mut Map<String, Value>, old: &str, new: &str) {
    let name = fields.remove(old);
    let class = name.as_ref().and_then(Value::as_str).and_then(Class::parse);
    let function = class.and_then(|it| json::readable(&v1::GrowthFunction::from(it)).ok());
    fields.extend(function.map(|function| (new.to_owned(), function)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{
        ErrorCode, HotspotsMethod, KilledBy, LimitKind, Severity, SignalKind, Unit, WarningCode,
    };

    const REPORT: &str = include_str!("../tests/fixtures/v0.1/report.json");

    #[test]
    fn saved_report_has_its_classes_and_codes() {
        let old: Value = serde_json::from_str(REPORT).unwrap();
        let report: v1::ProfileReport = parse(REPORT).unwrap();
        let time = report.growth.unwrap().time.unwrap();
        assert_eq!(
            (time.class(), &old["growth"]["time"]["name"]),
            (Some(Class::Quadratic), &json!("n²"))
        );
        assert_eq!(time.curve.unwrap().class(), Some(Class::Quadratic));
        assert_eq!(time.runner_up.and_then(|it| it.class()), Some(Class::QuadraticLog));
        assert!(time.signals.iter().any(|signal| signal.class().is_some()));
        let kinds: Vec<_> =
            time.signals.iter().map(|signal| (signal.kind(), signal.line)).collect();
        assert_eq!(kinds, [(SignalKind::Runtime, None)]);
        let codes: Vec<_> = report.warnings.iter().map(v1::Warning::code).collect();
        assert_eq!(codes, [WarningCode::Noisy; 2]);
        let evidence = report.sizes[0].evidence.as_ref().unwrap();
        let found = (evidence.killed_by(), evidence.limit(), evidence.exit_code);
        assert_eq!(found, (KilledBy::Itself, LimitKind::Unspecified, Some(0)));
    }

    #[test]
    fn figures_stay_as_they_are() {
        let old: Value = serde_json::from_str(REPORT).unwrap();
        let report: v1::ProfileReport = parse(REPORT).unwrap();
        let mut new: Value = serde_json::from_str(&json::to_string(&report).unwrap()).unwrap();
        // Version 0.1 had no such fields.
        for field in ["error_text", "remedies"] {
            assert!(new["compile"].as_object_mut().unwrap().remove(field).is_some(), "{field}");
        }
        for field in ["method_version", "counted_cpu"] {
            assert!(new["host"].as_object_mut().unwrap().remove(field).is_some(), "{field}");
        }
        for field in ["runtime_ms", "peak_memory_mb", "hotspots", "compile", "host", "start_up"] {
            assert!(!old[field].is_null() && old[field] == new[field], "{field}");
        }
        assert_eq!(old["sizes"][1]["figures"], new["sizes"][1]["figures"]);
    }

    #[test]
    fn power_and_an_unknown_word() {
        let old =
            r#"{"warnings": [{"code": "new_in_0_9"}], "growth": {"time": {"name": "n^1.58"}}}"#;
        let report: v1::ProfileReport = parse(old).unwrap();
        assert_eq!(report.warnings[0].code(), WarningCode::Unspecified);
        assert_eq!(report.growth.unwrap().time.unwrap().class(), Some(Class::Power(1.58)));
    }

    #[test]
    fn error_keeps_its_code_and_the_compilers_messages() {
        let old = r#"{"code": "deadline", "partial": {
            "hotspots_method": "gprof",
            "compile": {"diagnostics": [{"severity": "fatal error"}, {"severity": "note"}]},
            "sizes": [{"evidence": {"limit": "memory", "unit": "MiB"}}]}}"#;
        let error: v1::SandboxError = parse(old).unwrap();
        assert_eq!(error.code(), ErrorCode::Deadline);
        let partial = error.partial.unwrap();
        assert_eq!(partial.hotspots_method(), HotspotsMethod::Gprof);
        let diagnostics = partial.compile.unwrap().diagnostics;
        let found: Vec<_> = diagnostics.iter().map(v1::Diagnostic::severity).collect();
        assert_eq!(found, [Severity::FatalError, Severity::Note]);
        assert_eq!(partial.sizes[0].evidence.as_ref().map(v1::Evidence::unit), Some(Unit::Mib));
    }

    #[test]
    fn blocks_that_were_left_are_of_unknown_kind() {
        let old = r#"{"allocations": {"leaked_blocks": "2", "leaked_bytes": "48",
            "sites": [{"leaked_blocks": "2"}, {"leaked_blocks": "0", "leaked_bytes": "0"}]}}"#;
        let allocations = parse::<v1::ProfileReport>(old).unwrap().allocations.unwrap();
        let left = |bytes| v1::LeftBlocks { kind: v1::LeftKind::Unknown.into(), blocks: 2, bytes };
        assert_eq!(allocations.left, [left(48)]);
        assert_eq!(allocations.sites[0].left, [left(0)]);
        assert_eq!(allocations.sites[1].left, []);
    }

    #[test]
    fn malformed_message_is_an_error() {
        assert!(parse::<v1::ProfileReport>("[]").is_err());
        assert!(parse::<v1::ProfileReport>(r#"{"growth": 1}"#).is_err());
        assert!(decode_event(&[0xff]).is_err());
    }
}
