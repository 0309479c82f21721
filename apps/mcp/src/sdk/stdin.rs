//! Notices the end of stdin. The SDK would let calls go on for seconds after it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Reader that cancels a token when it reaches its end.
#[derive(Debug)]
pub(super) struct Noticed<R> {
    reader: R,
    ended: CancellationToken,
}

impl<R> Noticed<R> {
    pub(super) fn new(reader: R, ended: CancellationToken) -> Self {
        Self { reader, ended }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Noticed<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.reader).poll_read(context, buffer);
        let is_end = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.capacity() > before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_end {
            self.ended.cancel();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn end_is_noticed_and_what_comes_before_it_is_not() {
        let ended = CancellationToken::new();
        let mut reader = Noticed::new(&b"ab"[..], ended.clone());
        assert_eq!(reader.read_u8().await.unwrap(), b'a');
        assert_eq!(reader.read_u8().await.unwrap(), b'b');
        assert!(!ended.is_cancelled());
        reader.read_u8().await.unwrap_err();
        assert!(ended.is_cancelled());
    }
}
