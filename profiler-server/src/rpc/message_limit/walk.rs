//! Walks over the bytes of one message, by its descriptor, and counts elements. The bytes can
//! arrive in pieces of any size, and are not kept.
//!
//! The format: <https://protobuf.dev/programming-guides/encoding/>. Two things that it allows are
//! refused because no encoder writes them: groups, and a second value of a field that is not
//! repeated. Decoders would merge the two, so that lists grow beyond their counts.

use super::field_limits::{counts_in_message, holds_files, most_elements};
use crate::rpc::limits::{MAX_MESSAGE_ELEMENTS, MAX_NESTED_MESSAGES, MAX_TEXT_FIELD_BYTES};
use prost::encoding::WireType;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use std::collections::BTreeMap;
use std::mem;

/// Number of bits in the first nine bytes of a variable-length number. The tenth and last byte
/// holds one more bit.
const LAST_BITS: u32 = 63;

/// Reason for refusing a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The bytes are not a message of this kind.
    Malformed,
    /// A field breaks a limit.
    Field {
        /// Its path from the request on: `job.code.compiler_flags`.
        path: String,
        /// Description of the problem, and what is allowed.
        problem: String,
    },
}

/// A message of which some bytes have arrived.
pub struct Walk {
    /// The outermost message. `nested` has the messages inside it that are around the next byte.
    whole: Open,
    nested: Vec<(FieldDescriptor, Open)>,
    next: Next,
    number: Number,
    /// Number of bytes that have arrived.
    at: u64,
    /// Number of elements of all repeated fields that count in the message, and of unknown fields,
    /// so far.
    elements: usize,
}

/// A message whose end has not been reached.
struct Open {
    kind: MessageDescriptor,
    /// Offset at which the message ends.
    end: u64,
    /// Number of values of each field, by the field's number.
    values: BTreeMap<u32, usize>,
}

/// Part that the next byte belongs to.
enum Next {
    /// The number and the type of a field.
    Tag,
    /// A value that is a number.
    Value,
    /// The length of a value of this field; `None` for an unknown field.
    Length(Option<FieldDescriptor>),
    /// A value that has `left` more bytes, in which elements of the field `packed` end.
    Bytes { left: u64, packed: Option<FieldDescriptor> },
}

/// A number of variable length.
#[derive(Default)]
struct Number {
    value: u64,
    bits: u32,
}

impl Number {
    /// Takes the next byte. Returns the number if the byte is its last.
    fn take(&mut self, byte: u8) -> Result<Option<u64>, Refused> {
        if self.bits == LAST_BITS && byte > 1 {
            return Err(Refused::Malformed);
        }
        self.value |= u64::from(byte & 0x7f) << self.bits;
        self.bits += 7;
        Ok(ends_number(byte).then(|| mem::take(self).value))
    }
}

/// Whether a byte is the last of a number.
fn ends_number(byte: u8) -> bool {
    byte < 0x80
}

impl Walk {
    /// Begins before the first byte of a message of this length.
    pub fn new(kind: MessageDescriptor, bytes: u64) -> Self {
        Self {
            whole: Open { kind, end: bytes, values: BTreeMap::new() },
            nested: Vec::new(),
            next: Next::Tag,
            number: Number::default(),
            at: 0,
            elements: 0,
        }
    }

    /// Walks over the bytes that arrived next.
    ///
    /// # Errors
    ///
    /// Returns why the message is refused. Nothing may be taken after that.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<(), Refused> {
        while let [first, rest @ ..] = bytes {
            bytes = match mem::replace(&mut self.next, Next::Tag) {
                Next::Bytes { left, packed } => {
                    let here = usize::try_from(left).map_or(bytes.len(), |n| n.min(bytes.len()));
                    let (these, rest) = bytes.split_at(here);
                    self.take_bytes(left, packed, these)?;
                    rest
                }
                next => {
                    self.take_number(next, *first)?;
                    rest
                }
            };
        }
        Ok(())
    }

    fn take_bytes(
        &mut self,
        left: u64,
        packed: Option<FieldDescriptor>,
        these: &[u8],
    ) -> Result<(), Refused> {
        if let Some(field) = &packed {
            self.count(field, these.iter().filter(|byte| ends_number(**byte)).count())?;
        }
        self.at += these.len() as u64;
        let left = left - these.len() as u64;
        self.next = if left > 0 { Next::Bytes { left, packed } } else { Next::Tag };
        Ok(())
    }

    fn take_number(&mut self, next: Next, byte: u8) -> Result<(), Refused> {
        if matches!(next, Next::Tag) && self.number.bits == 0 {
            while self.nested.pop_if(|(_, open)| open.end == self.at).is_some() {}
        }
        if self.at == self.top().end {
            return Err(Refused::Malformed);
        }
        self.at += 1;
        self.next = match (self.number.take(byte)?, next) {
            (None, unfinished) => unfinished,
            (Some(tag), Next::Tag) => self.field(tag)?,
            (Some(length), Next::Length(field)) => self.value(field, length)?,
            (Some(_), Next::Value | Next::Bytes { .. }) => Next::Tag,
        };
        Ok(())
    }

    /// Begins a field.
    fn field(&mut self, tag: u64) -> Result<Next, Refused> {
        let tag = u32::try_from(tag).map_err(|_| Refused::Malformed)?;
        let wire = WireType::try_from(u64::from(tag & 7)).map_err(|_| Refused::Malformed)?;
        let field = match tag >> 3 {
            0 => return Err(Refused::Malformed),
            number => self.top().kind.get_field(number),
        };
        match &field {
            Some(field) if wire == field.kind().wire_type() => self.count(field, 1)?,
            // Packed elements are counted later.
            Some(field) if field.is_list() && wire == WireType::LengthDelimited => {}
            Some(_) => return Err(Refused::Malformed),
            // Skipping unknown fields takes time, so they count as elements too.
            None => self.count_element(None)?,
        }
        match wire {
            WireType::Varint => Ok(Next::Value),
            WireType::ThirtyTwoBit => self.bytes(4, None),
            WireType::SixtyFourBit => self.bytes(8, None),
            WireType::LengthDelimited => Ok(Next::Length(field)),
            WireType::StartGroup | WireType::EndGroup => Err(Refused::Malformed),
        }
    }

    /// Starts reading a length-delimited value.
    fn value(&mut self, field: Option<FieldDescriptor>, length: u64) -> Result<Next, Refused> {
        let Some(field) = field else {
            return self.bytes(length, None);
        };
        match field.kind() {
            Kind::Message(kind) => {
                let end = self.end_after(length)?;
                if self.nested.len() == MAX_NESTED_MESSAGES {
                    let problem =
                        format!("is nested more than {MAX_NESTED_MESSAGES} messages deep");
                    return Err(self.refused(&field, problem));
                }
                self.nested.push((field, Open { kind, end, values: BTreeMap::new() }));
                Ok(Next::Tag)
            }
            Kind::String | Kind::Bytes => {
                if length > MAX_TEXT_FIELD_BYTES as u64 && !holds_files(field.full_name()) {
                    let problem =
                        format!("must have at most {MAX_TEXT_FIELD_BYTES} bytes, not {length}");
                    return Err(self.refused(&field, problem));
                }
                self.bytes(length, None)
            }
            packed => match packed.wire_type() {
                WireType::Varint => self.bytes(length, Some(field)),
                wire => {
                    let width = if wire == WireType::ThirtyTwoBit { 4 } else { 8 };
                    self.count(&field, usize::try_from(length / width).unwrap_or(usize::MAX))?;
                    self.bytes(length, None)
                }
            },
        }
    }

    fn bytes(&self, left: u64, packed: Option<FieldDescriptor>) -> Result<Next, Refused> {
        self.end_after(left)?;
        Ok(if left > 0 { Next::Bytes { left, packed } } else { Next::Tag })
    }

    /// Returns the offset at which a value of this length ends. Fails if that is after its message.
    fn end_after(&self, length: u64) -> Result<u64, Refused> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.top().end);
        end.ok_or(Refused::Malformed)
    }

    /// Counts values of a field of the innermost message.
    fn count(&mut self, field: &FieldDescriptor, more: usize) -> Result<(), Refused> {
        let open = self.nested.last_mut().map_or(&mut self.whole, |(_, open)| open);
        let values = open.values.entry(field.number()).or_default();
        *values = values.saturating_add(more);
        let values = *values;
        if !field.is_list() && !field.is_map() {
            return match values {
                0 | 1 => Ok(()),
                _ => Err(self.refused(field, "has more than one value".into())),
            };
        }
        let most = most_elements(field.full_name()).unwrap_or(0);
        if values > most {
            return Err(self.refused(field, format!("must have at most {most} elements")));
        }
        if !counts_in_message(field.full_name()) {
            return Ok(());
        }
        (0..more).try_for_each(|_| self.count_element(Some(field)))
    }

    fn count_element(&mut self, field: Option<&FieldDescriptor>) -> Result<(), Refused> {
        self.elements += 1;
        if self.elements <= MAX_MESSAGE_ELEMENTS {
            return Ok(());
        }
        let problem = format!("the message must have at most {MAX_MESSAGE_ELEMENTS} elements");
        Err(match field {
            Some(field) => self.refused(field, problem),
            None => Refused::Field { path: String::new(), problem },
        })
    }

    fn top(&self) -> &Open {
        self.nested.last().map_or(&self.whole, |(_, open)| open)
    }

    fn refused(&self, field: &FieldDescriptor, problem: String) -> Refused {
        let around = [&self.whole].into_iter().chain(self.nested.iter().map(|(_, open)| open));
        let names = around.zip(&self.nested).map(|(open, (field, _))| {
            match open.values.get(&field.number()).filter(|_| field.is_list()) {
                Some(values) => format!("{}[{}].", field.name(), values - 1),
                None => format!("{}.", field.name()),
            }
        });
        let path = names.chain([field.name().to_owned()]).collect();
        Refused::Field { path, problem }
    }
}
