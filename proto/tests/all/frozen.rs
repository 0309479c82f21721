//! The wire of version 0.2 is frozen: what its contract has stays in today's, and today's may only
//! add to it.
//!
//! The fixture is the descriptor set of 0.2. Until 0.2 is released, whoever changes the contract
//! refreshes it: `cp proto/src/gen/descriptor.bin proto/tests/fixtures/contract-0.2.bin`. After the
//! release it stays as it is.

use profiler_proto::DESCRIPTOR;
use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::field_options::JsType;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FieldOptions, FileDescriptorProto,
    FileDescriptorSet,
};
use std::collections::BTreeSet;

const CONTRACT_0_2: &[u8] = include_bytes!("../fixtures/contract-0.2.bin");
const PACKAGE: &str = "swiftsolve.profiler.v1";

fn files(set: &[u8]) -> Vec<FileDescriptorProto> {
    let mut files = FileDescriptorSet::decode(set).unwrap().file;
    files.retain(|file| file.package() == PACKAGE);
    assert!(!files.is_empty());
    files
}

/// Returns the promises on which a peer may rely, one sentence for each message, field, number,
/// value and method.
fn promises(files: &[FileDescriptorProto]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        file.message_type.iter().for_each(|message| message_promises("", message, &mut found));
        file.enum_type.iter().for_each(|values| enum_promises("", values, &mut found));
        for service in &file.service {
            for method in &service.method {
                found.insert(format!(
                    "method {}.{}: {} (stream {}) returns {} (stream {})",
                    service.name(),
                    method.name(),
                    method.input_type(),
                    method.client_streaming(),
                    method.output_type(),
                    method.server_streaming()
                ));
            }
        }
    }
    found
}

fn message_promises(outer: &str, message: &DescriptorProto, found: &mut BTreeSet<String>) {
    let name = format!("{outer}{}", message.name());
    found.insert(format!("message {name}"));
    for field in &message.field {
        let oneof =
            field.oneof_index.and_then(|at| message.oneof_decl.get(usize::try_from(at).ok()?));
        found.insert(format!(
            "field {name}.{} = {}: {:?} {:?} {} of oneof {:?}, in JSON {:?} {:?}",
            field.name(),
            field.number(),
            field.label(),
            field.r#type(),
            field.type_name(),
            oneof.map(prost_types::OneofDescriptorProto::name),
            field.json_name(),
            js_type(field)
        ));
    }
    // The last number of a message's range is not in it.
    for number in message.reserved_range.iter().flat_map(|range| range.start()..range.end()) {
        found.insert(format!("reserved {name} = {number}"));
    }
    let inner = format!("{name}.");
    message.nested_type.iter().for_each(|nested| message_promises(&inner, nested, found));
    message.enum_type.iter().for_each(|values| enum_promises(&inner, values, found));
}

/// Returns the type of a number in JavaScript, if it is not the usual one.
fn js_type(field: &FieldDescriptorProto) -> Option<JsType> {
    field.options.as_ref().map(FieldOptions::jstype).filter(|it| *it != JsType::JsNormal)
}

fn enum_promises(outer: &str, values: &EnumDescriptorProto, found: &mut BTreeSet<String>) {
    let name = format!("{outer}{}", values.name());
    for value in &values.value {
        found.insert(format!("value {name}.{} = {}", value.name(), value.number()));
    }
    for number in values.reserved_range.iter().flat_map(|range| range.start()..=range.end()) {
        found.insert(format!("reserved {name} = {number}"));
    }
}

/// Returns the promises of `then` that `now` does not keep.
fn broken(then: &[FileDescriptorProto], now: &[FileDescriptorProto]) -> Vec<String> {
    promises(then).difference(&promises(now)).cloned().collect()
}

#[test]
fn contract_0_2_stays_whole() {
    let broken = broken(&files(CONTRACT_0_2), &files(DESCRIPTOR));
    assert!(broken.is_empty(), "the wire of 0.2 is frozen, and these are gone: {broken:#?}");
}

/// A change of the contract.
type Change = fn(&mut FileDescriptorProto);

fn run(file: &mut FileDescriptorProto) -> &mut DescriptorProto {
    file.message_type.iter_mut().find(|message| message.name() == "Run").unwrap()
}

#[test]
fn every_change_that_breaks_a_peer_is_found() {
    let cases: [(&str, Change); 11] = [
        ("field Run.caller = 3", |file| run(file).field.retain(|field| field.name() != "caller")),
        ("field Run.run_id = 1", |file| run(file).field[0].number = Some(99)),
        ("field Run.run_id = 1", |file| run(file).field[0].name = Some("id".into())),
        ("field Run.run_id = 1", |file| run(file).field[0].json_name = Some("id".into())),
        ("field Run.run_id = 1", |file| run(file).field[0].set_label(Label::Repeated)),
        ("field Run.run_id = 1", |file| run(file).field[0].set_type(Type::Bytes)),
        ("reserved Run = 10", |file| run(file).reserved_range.clear()),
        ("message Run", |file| file.message_type.retain(|message| message.name() != "Run")),
        ("value RunState.RUN_STATE_QUEUED = 1", |file| file.enum_type[0].value[1].number = Some(9)),
        ("method ProfilerService.Profile:", |file| drop(file.service[0].method.remove(0))),
        ("method ProfilerService.Profile:", |file| {
            file.service[0].method[0].server_streaming = Some(true);
        }),
    ];
    for (promise, change) in cases {
        let mut changed = files(CONTRACT_0_2);
        let file = changed.iter_mut().find(|file| !file.service.is_empty()).unwrap();
        change(file);
        let broken = broken(&files(CONTRACT_0_2), &changed);
        assert!(broken.iter().any(|it| it.starts_with(promise)), "{promise}: {broken:?}");
    }
}

#[test]
fn additions_break_nobody() {
    let mut changed = files(CONTRACT_0_2);
    let file = changed.iter_mut().find(|file| !file.service.is_empty()).unwrap();
    let mut added = run(file).field[0].clone();
    (added.name, added.number) = (Some("added".into()), Some(100));
    run(file).field.push(added);
    let mut method = file.service[0].method[0].clone();
    method.name = Some("Added".into());
    file.service[0].method.push(method);
    assert_eq!(broken(&files(CONTRACT_0_2), &changed), [] as [String; 0]);
}
