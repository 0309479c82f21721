//! Prost's codec with one difference: the status of a message that does not decode, such as a
//! source that is not UTF-8, is `INVALID_ARGUMENT`, because the fault is the sender's. Tonic's own
//! codec answers `INTERNAL`.

use prost::Message;
use std::marker::PhantomData;
use tonic::Status;
use tonic::codec::{Codec as TonicCodec, DecodeBuf, Decoder as TonicDecoder};
use tonic_prost::ProstEncoder;

/// Sends `Sent` and receives `Received`.
#[derive(Default)]
pub(crate) struct Codec<Sent, Received>(PhantomData<(Sent, Received)>);

/// Decodes `Received`.
pub(crate) struct Decoder<Received>(PhantomData<Received>);

impl<Sent, Received> TonicCodec for Codec<Sent, Received>
where
    Sent: Message + Send + 'static,
    Received: Message + Default + Send + 'static,
{
    type Encode = Sent;
    type Decode = Received;
    type Encoder = ProstEncoder<Sent>;
    type Decoder = Decoder<Received>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Self::Decoder {
        Decoder(PhantomData)
    }
}

impl<Received: Message + Default> TonicDecoder for Decoder<Received> {
    type Item = Received;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Received>, Status> {
        let message = Received::decode(buffer);
        message.map(Some).map_err(|error| Status::invalid_argument(error.to_string()))
    }
}
