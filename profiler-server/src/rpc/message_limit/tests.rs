//! The walk through a message: it gives the same result however the bytes are cut into pieces, and
//! refuses a message that prost decodes only if the message exceeds a limit.

use super::walk::{Refused, Walk};
use super::{Arriving, limited};
use crate::rpc::limits::{
    ARRIVAL_LIMIT, MAX_MESSAGE_ELEMENTS, MAX_NESTED_MESSAGES, MAX_TEXT_FIELD_BYTES,
};
use futures::{StreamExt, stream};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use profiler_core::limits::{MAX_TEST_CASES, MAX_VIOLATIONS};
use profiler_proto::json::descriptors;
use profiler_proto::v1::{self, ProfileRequest};
use proptest::collection::vec;
use proptest::prelude::*;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};
use std::time::Duration;
use std::vec;
use tokio::time::{Instant, sleep};
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::{Code, Status};

/// A number that no message gives to a field.
const UNKNOWN: u32 = 1000;

fn request() -> MessageDescriptor {
    let named =
        descriptors().unwrap().get_message_by_name(&<ProfileRequest as prost::Name>::full_name());
    named.unwrap()
}

fn walk(pieces: &[&[u8]]) -> Result<(), Refused> {
    let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
    let mut walk = Walk::new(request(), bytes as u64);
    pieces.iter().try_for_each(|piece| walk.take(piece))
}

fn walk_request(job: v1::Job) -> Result<(), Refused> {
    walk(&[&ProfileRequest { job: Some(job) }.encode_to_vec()])
}

fn refused_field(refused: Result<(), Refused>) -> (String, String) {
    match refused {
        Err(Refused::Field { path, problem }) => (path, problem),
        other => panic!("{other:?}"),
    }
}

/// A value of this field with its tag.
fn delimited(number: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(content.len() as u64, &mut bytes);
    bytes.extend(content);
    bytes
}

/// The body of a request whose message, of `bytes`, arrives in as many pieces, one after each wait.
fn arriving(bytes: u8, wait: Duration) -> Body {
    let prefix = Bytes::copy_from_slice(&[0, 0, 0, 0, bytes]);
    let pieces = stream::iter(0..bytes).then(move |_| async move {
        sleep(wait).await;
        // A varint that goes on.
        Bytes::from_static(&[0x80])
    });
    let frames =
        stream::iter([prefix]).chain(pieces).map(|piece| Ok::<_, Status>(Frame::data(piece)));
    let body = Body::new(StreamBody::new(Box::pin(frames)));
    limited(body, request(), Arriving::default().of("slow"))
}

#[tokio::test(start_paused = true)]
async fn message_that_takes_too_long_to_arrive_is_refused() {
    let began = Instant::now();
    let ended = arriving(4, ARRIVAL_LIMIT / 3).collect().await;
    let status = ended.expect_err("it is late");
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert!(status.message().contains("did not arrive within"), "{}", status.message());
    let took = began.elapsed();
    assert!(took >= ARRIVAL_LIMIT && took < ARRIVAL_LIMIT * 4 / 3, "{took:?}");
    let in_time = arriving(2, ARRIVAL_LIMIT / 3).collect().await.expect("it is in time");
    assert_eq!(in_time.to_bytes().len(), 7);
}

#[test]
fn page_of_the_service_says_the_limits() {
    let page = include_str!("../../../../docs/service.md");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for promise in [
        format!("at most {MAX_MESSAGE_ELEMENTS} elements"),
        format!("at most {MAX_TEXT_FIELD_BYTES} bytes"),
        format!("at most {MAX_VIOLATIONS} fields"),
    ] {
        assert!(page.contains(&promise), "{promise}");
    }
}

#[test]
fn two_parts_of_one_message_are_refused() {
    let code = v1::CodeMessage { compiler_flags: vec!["-O2".into(); 64], ..Default::default() };
    let twice = [delimited(1, &code.encode_to_vec()), delimited(1, &code.encode_to_vec())].concat();
    let merged = v1::Job::decode(twice.as_slice()).unwrap().code.unwrap();
    assert_eq!(merged.compiler_flags.len(), 128);
    let (path, problem) = refused_field(walk(&[&delimited(1, &twice)]));
    assert_eq!((path.as_str(), problem.as_str()), ("job.code", "has more than one value"));
}

#[test]
fn long_text_is_refused_unless_it_is_a_file() {
    let long = "x".repeat(MAX_TEXT_FIELD_BYTES + 1);
    let program = long.clone().into_bytes();
    let code = v1::CodeMessage { code_cpp: long.clone(), program, ..Default::default() };
    assert_eq!(walk_request(v1::Job { code: Some(code), ..Default::default() }), Ok(()));
    let refused = walk_request(v1::Job { request_id: long, ..Default::default() });
    assert_eq!(refused_field(refused).0, "job.request_id");
}

#[test]
fn all_lists_together_are_bounded() {
    let queries = v1::Queries {
        variants: vec![
            v1::QueryVariant {
                fields: vec![v1::QueryField::default(); 16],
                weight: 1,
                ..Default::default()
            };
            16
        ],
        ..Default::default()
    };
    let kind = Some(v1::variable::Kind::Queries(queries));
    let variable = v1::Variable { name: "q".into(), kind };
    let spec = v1::InputSpec { vars: vec![variable; 16], ..Default::default() };
    let (path, problem) =
        refused_field(walk_request(v1::Job { input_specs: vec![spec], ..Default::default() }));
    // Each variable is an element, and so are its 16 variants and their 256 fields.
    assert_eq!(path, "job.input_specs[0].vars[7].queries.variants[7].fields");
    assert_eq!(problem, format!("the message must have at most {MAX_MESSAGE_ELEMENTS} elements"));
}

#[test]
fn test_cases_have_a_bound_of_their_own() {
    let case = v1::TestCase { input: "1".into(), output: "1".into(), ..Default::default() };
    let job = |cases: usize| v1::Job {
        input_sizes: (0..64).collect(),
        test_cases: vec![case.clone(); cases],
        ..Default::default()
    };
    assert_eq!(walk_request(job(MAX_TEST_CASES)), Ok(()));
    let (path, problem) = refused_field(walk_request(job(MAX_TEST_CASES + 1)));
    assert_eq!(path, "job.test_cases");
    assert_eq!(problem, format!("must have at most {MAX_TEST_CASES} elements"));
}

#[test]
fn unknown_fields_are_bounded() {
    let unknown = delimited(UNKNOWN, b"new").repeat(MAX_MESSAGE_ELEMENTS);
    assert_eq!(walk(&[&unknown]), Ok(()));
    let (path, _) = refused_field(walk(&[&unknown, &delimited(UNKNOWN, b"new")]));
    assert_eq!(path, "");
}

#[test]
fn deep_nesting_is_refused() {
    let mut layout = Vec::new();
    for _ in 0..MAX_NESTED_MESSAGES {
        layout = delimited(6, &delimited(5, &layout));
    }
    let spec = delimited(4, &layout);
    let (_, problem) = refused_field(walk(&[&delimited(1, &delimited(18, &spec))]));
    assert_eq!(problem, format!("is nested more than {MAX_NESTED_MESSAGES} messages deep"));
}

#[test]
fn bytes_of_no_message_are_malformed() {
    let group = [delimited(UNKNOWN, b""), vec![0x0b, 0x0c]].concat();
    let rows: [&[u8]; 7] = [
        &[0x00],                   // field 0
        &[0x0e],                   // type 6
        &[0x08, 0x00],             // a number where a message must be
        &[0x0a, 0x7f],             // longer than what is around it
        &[0xff; 11],               // a number of eleven bytes
        &[0x0a, 0x01, 0x0a, 0x00], // a length outside of its message
        &group,
    ];
    for row in rows {
        assert_eq!(walk(&[row]), Err(Refused::Malformed), "{row:02x?}");
        assert!(row == group || ProfileRequest::decode(row).is_err(), "{row:02x?}");
    }
}

/// Builds a message of this kind. `choices` decide its content.
fn compose(kind: &MessageDescriptor, choices: &mut vec::IntoIter<u8>) -> Vec<u8> {
    let fields: Vec<FieldDescriptor> = kind.fields().collect();
    let mut bytes = Vec::new();
    for _ in 0..choices.next().unwrap_or(0) % 8 {
        let choice = usize::from(choices.next().unwrap_or(0));
        let Some(field) = fields.get(choice % (fields.len() + 1)) else {
            bytes.extend(delimited(UNKNOWN, &[0xff]));
            continue;
        };
        let repeat = usize::from(choices.next().unwrap_or(0) % 70);
        match field.kind() {
            Kind::Message(inner) => {
                bytes.extend(delimited(field.number(), &compose(&inner, choices)));
            }
            Kind::String | Kind::Bytes => {
                bytes.extend(delimited(field.number(), b"text"));
            }
            _ if field.is_list() => {
                bytes.extend(delimited(field.number(), &[0x80, 0x01].repeat(repeat)));
            }
            one => {
                encode_key(field.number(), one.wire_type(), &mut bytes);
                match one.wire_type() {
                    WireType::SixtyFourBit => bytes.extend([1; 8]),
                    WireType::ThirtyTwoBit => bytes.extend([1; 4]),
                    _ => encode_varint(300, &mut bytes),
                }
            }
        }
    }
    bytes
}

/// The longest list in a message.
fn longest(message: &DynamicMessage) -> usize {
    let of = |value: &Value| match value {
        Value::Message(inner) => longest(inner),
        Value::List(list) => {
            let inner = list.iter().filter_map(|one| one.as_message()).map(longest).max();
            inner.unwrap_or(0).max(list.len())
        }
        _ => 0,
    };
    message.fields().map(|(_, value)| of(value)).max().unwrap_or(0)
}

proptest! {
    #[test]
    fn message_that_prost_decodes_is_not_malformed(choices in vec(any::<u8>(), 0..200)) {
        let bytes = compose(&request(), &mut choices.into_iter());
        let decoded = DynamicMessage::decode(request(), bytes.as_slice());
        let decoded = decoded.expect("it is well formed");
        let refused = walk(&[&bytes]);
        prop_assert_ne!(&refused, &Err(Refused::Malformed));
        prop_assert!(refused.is_err() || longest(&decoded) <= 64, "{decoded:?}");
    }

    #[test]
    fn pieces_do_not_matter(
        choices in vec(any::<u8>(), 0..200),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cuts in vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let mut bytes = compose(&request(), &mut choices.into_iter());
        for (at, byte) in changes.into_iter().filter(|_| !bytes.is_empty()).collect::<Vec<_>>() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<_> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        prop_assert_eq!(walk(&pieces), walk(&[&bytes]));
    }
}
