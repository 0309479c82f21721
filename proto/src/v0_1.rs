//! Messages that version 0.1 stored, as messages of today.
//!
//! Version 0.1 had words where today's messages have enums. Both ways of storing are read: bytes,
//! by the descriptors of version 0.1, and JSON.

use crate::Word;
use crate::json::{self, Error};
use crate::v1::{
    self, DetectionMethod, ErrorCode, FailureHint, HotspotsMethod, KilledBy, LimitKind, Severity,
    SignalKind, Unit, WarningCode,
};
use profiler_growth::Class;
use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, ReflectMessage, SerializeOptions};
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

/// Parses a message in the JSON of today or of version 0.1. An error is that of today's JSON.
pub fn parse_either<M: Message + Name + Default>(text: &str) -> Result<M, Error> {
    json::parse(text).or_else(|error| parse(text).map_err(|_| error))
}

fn from_value<M: Message + Name + Default>(mut value: Value) -> Result<M, Error> {
    upgrade(&mut value);
    let kind = json::dynamic::<M>()?.descriptor();
    Ok(DynamicMessage::deserialize(kind, value)?.transcode_to()?)
}

/// Replaces the words of version 0.1, however deep they are.
fn upgrade(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(upgrade),
        Value::Object(fields) => {
            // Warnings have a code too, but they are upgraded below.
            set_enum::<ErrorCode>(fields, "code");
            set_enum::<HotspotsMethod>(fields, "hotspots_method");
            set_enum::<Severity>(fields, "severity");
            set_left(fields);
            for (name, field) in fields.iter_mut() {
                match (name.as_str(), &mut *field) {
                    ("evidence", Value::Object(evidence)) => upgrade_evidence(evidence),
                    ("warnings", Value::Array(warnings)) => {
                        let warnings = warnings.iter_mut().filter_map(Value::as_object_mut);
                        warnings.for_each(|warning| set_enum::<WarningCode>(warning, "code"));
                    }
                    ("growth", Value::Object(growth)) => {
                        for figure in ["time", "memory"] {
                            if let Some(Value::Object(classified)) = growth.get_mut(figure) {
                                upgrade_classification(classified);
                            }
                        }
                    }
                    _ => upgrade(field),
                }
            }
        }
        _ => {}
    }
}

fn upgrade_evidence(evidence: &mut Map<String, Value>) {
    set_enum::<LimitKind>(evidence, "limit");
    set_enum::<Unit>(evidence, "unit");
    set_enum::<KilledBy>(evidence, "killed_by");
    set_enum::<DetectionMethod>(evidence, "method");
    set_enum::<FailureHint>(evidence, "hint");
}

fn upgrade_classification(classified: &mut Map<String, Value>) {
    set_function(classified, "name", "function");
    set_function(classified, "runner_up", "runner_up");
    if let Some(Value::Object(curve)) = classified.get_mut("curve") {
        set_function(curve, "name", "function");
    }
    if let Some(Value::Array(signals)) = classified.get_mut("signals") {
        for signal in signals.iter_mut().filter_map(Value::as_object_mut) {
            set_function(signal, "class", "function");
            set_signal_kind(signal);
        }
    }
}

/// Replaces the blocks that were left at the end. Version 0.1 did not tell them apart.
fn set_left(fields: &mut Map<String, Value>) {
    let [blocks, bytes] = ["leaked_blocks", "leaked_bytes"].map(|name| fields.remove(name));
    if let Some(blocks) = blocks.filter(|blocks| *blocks != json!("0")) {
        let kind = v1::LeftKind::Unknown as i32;
        fields.insert("left".into(), json!([{ "kind": kind, "blocks": blocks, "bytes": bytes }]));
    }
}

/// Replaces a signal's name by its kind. "`line_12`" is the kind LINE with the line 12.
fn set_signal_kind(signal: &mut Map<String, Value>) {
    let name = signal.remove("name");
    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
    let line = name.strip_prefix("line_").and_then(|line| line.parse::<u32>().ok());
    let kind = if line.is_some() { Some(SignalKind::Line) } else { SignalKind::from_word(name) };
    let kind = kind.map(|kind| ("kind".to_owned(), (kind as i32).into()));
    signal.extend(kind.into_iter().chain(line.map(|line| ("line".to_owned(), line.into()))));
}

/// Replaces the word in a field by the number of the enum's value. A word without a value, such as
/// the empty one, is removed.
fn set_enum<E: Word + Into<i32>>(fields: &mut Map<String, Value>, field: &str) {
    let word = fields.remove(field);
    let word = word.as_ref().and_then(Value::as_str).map(|word| word.replace(' ', "_"));
    if let Some(value) = word.as_deref().and_then(E::from_word) {
        let number: i32 = value.into();
        fields.insert(field.into(), number.into());
    }
}

/// Replaces the name of a class in the field `old` by a `GrowthFunction` in the field `new`.
fn set_function(fields: &mut Map<String, Value>, old: &str, new: &str) {
    let name = fields.remove(old);
    if let Some(class) = name.as_ref().and_then(Value::as_str).and_then(Class::parse) {
        let function = v1::GrowthFunction::from(class);
        let value = match function.exponent {
            Some(exponent) => {
                json!({ "growth_class": function.growth_class, "exponent": exponent })
            }
            None => json!({ "growth_class": function.growth_class }),
        };
        fields.insert(new.into(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
