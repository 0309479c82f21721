//! Every field of every request, and messages that hold one field alone.

use profiler_proto::json::descriptors;
use prost::bytes::{Buf, BufMut, Bytes};
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use std::collections::BTreeSet;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// The service whose requests these are.
const SERVICE: &str = "swiftsolve.profiler.v1.ProfilerService";

/// A field of a request.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) method: String,
    /// The fields around this one, the outermost first.
    around: Vec<FieldDescriptor>,
    pub(crate) descriptor: FieldDescriptor,
}

/// Every field of every request. A field that can occur at several places is at one of them.
pub(crate) fn all_fields() -> Vec<Field> {
    let service = descriptors().unwrap().get_service_by_name(SERVICE).unwrap();
    let mut found = Vec::new();
    for method in service.methods() {
        let path = format!("/{SERVICE}/{}", method.name());
        collect(&path, &method.input(), &[], &mut BTreeSet::new(), &mut found);
    }
    found
}

fn collect(
    method: &str,
    kind: &MessageDescriptor,
    around: &[FieldDescriptor],
    seen: &mut BTreeSet<String>,
    found: &mut Vec<Field>,
) {
    if !seen.insert(kind.full_name().to_owned()) {
        return;
    }
    for field in kind.fields() {
        found.push(Field {
            method: method.into(),
            around: around.to_vec(),
            descriptor: field.clone(),
        });
        if let Kind::Message(inner) = field.kind() {
            collect(method, &inner, &[around, &[field]].concat(), seen, found);
        }
    }
}

impl Field {
    pub(crate) fn is_repeated(&self) -> bool {
        self.descriptor.is_list() || self.descriptor.is_map()
    }

    pub(crate) fn holds_text(&self) -> bool {
        matches!(self.descriptor.kind(), Kind::String | Kind::Bytes)
    }

    /// The path by which a violation names the field.
    pub(crate) fn path(&self) -> String {
        let name = |field: &FieldDescriptor| {
            format!("{}{}.", field.name(), if field.is_list() { "[0]" } else { "" })
        };
        let around: String = self.around.iter().map(name).collect();
        format!("{}{}", around.strip_prefix("job.").unwrap_or(&around), self.descriptor.name())
    }

    /// A request whose field has this many empty elements.
    pub(crate) fn with_elements(&self, count: usize) -> Bytes {
        let wire = self.descriptor.kind().wire_type();
        let width = match wire {
            WireType::SixtyFourBit => 8,
            WireType::ThirtyTwoBit => 4,
            _ => 1,
        };
        let mut element = Vec::new();
        encode_key(self.descriptor.number(), wire, &mut element);
        element.extend([0].repeat(width));
        self.within(element.repeat(count))
    }

    /// A request in which `content` is the value of the field, or all values if they are packed
    /// numbers.
    pub(crate) fn with_value(&self, content: &[u8]) -> Bytes {
        self.within(delimited(&self.descriptor, content))
    }

    fn within(&self, content: Vec<u8>) -> Bytes {
        let around = self.around.iter().rev();
        around.fold(content, |content, field| delimited(field, &content)).into()
    }

    /// Sends this request, and returns the server's answer.
    pub(crate) async fn send(&self, channel: Channel, message: Bytes) -> Result<(), Status> {
        let mut stub = tonic::client::Grpc::new(channel);
        stub.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let path: PathAndQuery = self.method.parse().unwrap();
        stub.unary(Request::new(message), path, Raw).await.map(drop)
    }
}

fn delimited(field: &FieldDescriptor, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len() + 16);
    encode_key(field.number(), WireType::LengthDelimited, &mut bytes);
    encode_varint(content.len() as u64, &mut bytes);
    bytes.extend(content);
    bytes
}

/// Sends bytes, and ignores the answer.
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = ();
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<()>, Status> {
        from.advance(from.remaining());
        Ok(Some(()))
    }
}
