//! The host's end of the channel to a runner.

use crate::error::SandboxFault;
use crate::limits::{ANSWER_MARGIN, COMPILE_FILE_BYTES, LEAST_FETCH_RATE, START_TIMEOUT, seconds};
use bytes::Bytes;
use futures::future::{BoxFuture, Fuse};
use futures::{FutureExt, SinkExt, StreamExt};
use runner_protocol::{
    Ask, Continue, Fetch, FetchStdout, File, Hello, MAX_FRAME_BYTES, MAX_PIECE_BYTES, Piece,
    Request, Response, SOURCES, Variant,
};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::{FramedRead, FramedWrite, LengthDelimitedCodec};

/// The host's end of the channel. Dropping it ends the runner and everything that the runner
/// started.
pub struct Channel {
    from: FramedRead<Box<dyn AsyncRead + Send + Unpin>, LengthDelimitedCodec>,
    to: FramedWrite<Box<dyn AsyncWrite + Send + Unpin>, LengthDelimitedCodec>,
    stopped: Fuse<BoxFuture<'static, String>>,
}

impl Channel {
    /// A channel over a runner's stdout and stdin.
    pub fn new(
        from: impl AsyncRead + Send + Unpin + 'static,
        to: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let codec = codec();
        Self {
            from: FramedRead::new(Box::new(from), codec.clone()),
            to: FramedWrite::new(Box::new(to), codec),
            stopped: std::future::pending().boxed().fuse(),
        }
    }

    /// Adds a watch for a runner that was stopped but has not ended, and would be silent for ever.
    /// `stopped` returns a description once this is seen from outside the channel.
    #[must_use]
    pub fn unless_stopped(self, stopped: impl Future<Output = String> + Send + 'static) -> Self {
        Self { stopped: stopped.boxed().fuse(), ..self }
    }

    /// Waits for the runner's first frame, and refuses a runner built from other sources. `place`
    /// says where the runner was found, and `mend` says what to do about another version.
    pub async fn greet(&mut self, place: &str, mend: &str) -> Result<Hello, SandboxFault> {
        match self.receive(START_TIMEOUT).await? {
            Response::Hello(hello) if hello.sources == SOURCES => Ok(hello),
            Response::Hello(_) => {
                Err(SandboxFault::OtherRunner { place: place.into(), mend: mend.into() })
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Puts a file into the sandbox, piece by piece.
    pub async fn put(&mut self, file: File, content: &[u8]) -> Result<(), SandboxFault> {
        self.put_ahead(file, content).await?;
        self.flush().await
    }

    /// Puts a file for the next request. Its last piece goes out together with that request, so
    /// that the runner wakes up once for both.
    pub(crate) async fn put_ahead(
        &mut self,
        file: File,
        content: &[u8],
    ) -> Result<(), SandboxFault> {
        let empty = content.is_empty().then_some(content);
        for (at, piece) in content.chunks(MAX_PIECE_BYTES).chain(empty).enumerate() {
            let bytes = piece.to_vec();
            self.feed(&Request::Put(Piece { file, first: at == 0, bytes })).await?;
        }
        Ok(())
    }

    /// Makes the runner keep to these processors from now on.
    pub async fn keep_to(&mut self, cores: &[u32]) -> Result<(), SandboxFault> {
        self.send(&Request::KeepTo(cores.into())).await
    }

    /// Makes the runner continue an input, see [`runner_protocol::Input::Continued`].
    pub async fn continue_input(&mut self, request: Continue) -> Result<(), SandboxFault> {
        self.send(&Request::Continue(request)).await
    }

    /// Reads the binary of a build, which has `length` bytes.
    pub async fn fetch(&mut self, variant: Variant, length: u64) -> Result<Vec<u8>, SandboxFault> {
        self.fetch_by(length, |offset| Fetch { variant, offset }).await
    }

    /// Reads the stdout of the last run, which has `length` bytes.
    pub async fn fetch_stdout(&mut self, length: u64) -> Result<Vec<u8>, SandboxFault> {
        self.fetch_by(length, |offset| FetchStdout { offset }).await
    }

    /// Reads a file of `length` bytes, piece by piece.
    async fn fetch_by<R: Ask<Answer = Vec<u8>>>(
        &mut self,
        length: u64,
        part_from: impl Fn(u64) -> R,
    ) -> Result<Vec<u8>, SandboxFault> {
        let fetched = async {
            let mut file = Vec::new();
            while (file.len() as u64) < length {
                let piece = self.ask(part_from(file.len() as u64), ANSWER_MARGIN).await?;
                if piece.is_empty() {
                    return Err(SandboxFault::Lost("the runner sent half a file".into()));
                }
                file.extend(piece);
            }
            Ok(file)
        };
        // One limit for the whole file, so that a runner cannot gain time with small pieces. No
        // file is longer than the compiler may write, whatever length the runner gave.
        let within = ANSWER_MARGIN + seconds(length.min(COMPILE_FILE_BYTES) / LEAST_FETCH_RATE);
        let silent = |_| SandboxFault::Silent(within.as_millis());
        tokio::time::timeout(within, fetched).await.map_err(silent)?
    }

    /// Sends a request and waits for its answer, at most `within`.
    pub async fn ask<R: Ask>(
        &mut self,
        request: R,
        within: Duration,
    ) -> Result<R::Answer, SandboxFault> {
        self.send(&request.into_request()).await?;
        R::read_answer(self.receive(within).await?).map_err(|other| unexpected(&other))
    }

    /// Waits until the runner is gone or stopped. A runner that waits for its job says nothing, so
    /// anything that it sends ends the wait too.
    pub async fn ended(&mut self) {
        tokio::select! {
            _ = self.from.next() => {}
            _ = &mut self.stopped => {}
        }
    }

    /// Whether the runner, which waits for a request, is known to be gone or stopped.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.ended().now_or_never().is_some()
    }

    async fn send(&mut self, request: &Request) -> Result<(), SandboxFault> {
        self.feed(request).await?;
        self.flush().await
    }

    /// Adds a request to those that go out next.
    async fn feed(&mut self, request: &Request) -> Result<(), SandboxFault> {
        let bytes = runner_protocol::encode(request).map_err(lost)?;
        tokio::select! {
            biased;
            fed = self.to.feed(Bytes::from(bytes)) => fed.map_err(lost),
            // A stopped runner reads nothing, so a pipe that is full stays full.
            seen = &mut self.stopped => Err(SandboxFault::Lost(seen)),
        }
    }

    async fn flush(&mut self) -> Result<(), SandboxFault> {
        tokio::select! {
            biased;
            sent = SinkExt::<Bytes>::flush(&mut self.to) => sent.map_err(lost),
            seen = &mut self.stopped => Err(SandboxFault::Lost(seen)),
        }
    }

    async fn receive(&mut self, within: Duration) -> Result<Response, SandboxFault> {
        let frame = tokio::select! {
            biased;
            frame = self.from.next() => frame,
            seen = &mut self.stopped => return Err(SandboxFault::Lost(seen)),
            () = tokio::time::sleep(within) => {
                return Err(SandboxFault::Silent(within.as_millis()));
            }
        };
        let bytes = frame
            .ok_or_else(|| SandboxFault::Lost("the channel to the runner ended".into()))?
            .map_err(lost)?;
        match runner_protocol::decode(&bytes).map_err(lost)? {
            Response::Broken(cause) => Err(SandboxFault::Failed { stage: "use the runner", cause }),
            response => Ok(response),
        }
    }
}

/// The codec of both ends of a channel.
pub(super) fn codec() -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().little_endian().max_frame_length(MAX_FRAME_BYTES).new_codec()
}

fn lost(cause: impl std::fmt::Display) -> SandboxFault {
    SandboxFault::Lost(cause.to_string())
}

/// The fault of a runner that answered a different request.
fn unexpected(response: &Response) -> SandboxFault {
    let text = format!("{response:?}");
    let kind = text.split(['(', ' ']).next().unwrap_or_default();
    SandboxFault::Lost(format!("unexpected {kind} from the runner"))
}

#[cfg(test)]
mod tests;
