//! Bounds of a request while it arrives: of the values in its JSON, and of its time. Read into
//! memory, a value can take 160 times its bytes.

use http_body::{Body as HttpBody, Frame};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Sleep, sleep};
use tonic::body::Body;
use tonic::codegen::{Bytes, StdError as BoxError};

/// Maximum number of values in a request, and of their names. A call with a long spec has hundreds.
const MAX_VALUES: usize = 20_000;

/// Reason for refusing a request.
#[derive(Debug, thiserror::Error)]
#[error("the message must have at most {MAX_VALUES} JSON values")]
pub(super) struct TooManyValues;

/// Time from the headers of a request until the end of its body.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(300);

/// Another reason for refusing a request.
#[derive(Debug, thiserror::Error)]
#[error("the message did not arrive within {} s", ARRIVAL_LIMIT.as_secs())]
struct TooSlow;

/// Body that fails at the first frame with which it has too many values, or when it has taken too
/// long to arrive.
#[derive(Debug)]
pub(super) struct Counted {
    body: Body,
    values: ValueCounter,
    exceeds: Arc<AtomicBool>,
    late: Pin<Box<Sleep>>,
}

impl Counted {
    /// Counts the values of `body`. If there are too many, `exceeds` becomes true.
    pub(super) fn new(body: Body, exceeds: Arc<AtomicBool>) -> Self {
        let late = Box::pin(sleep(ARRIVAL_LIMIT));
        Self { body, values: ValueCounter::default(), exceeds, late }
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.late.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(TooSlow.into())));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(piece) = frame.data_ref()
        {
            self.values.read(piece);
            if self.values.count > MAX_VALUES {
                self.exceeds.store(true, Ordering::Relaxed);
                return Poll::Ready(Some(Err(TooManyValues.into())));
            }
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)))
    }
}

/// Counter of the values and names in JSON that arrives in pieces. Outside of strings, each of them
/// but the first value follows a bracket, a comma or a colon.
#[derive(Debug, Default)]
struct ValueCounter {
    count: usize,
    is_in_string: bool,
    is_escaped: bool,
}

impl ValueCounter {
    fn read(&mut self, piece: &[u8]) {
        for byte in piece {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = self.is_in_string,
                b'"' => self.is_in_string = !self.is_in_string,
                b'[' | b'{' | b',' | b':' if !self.is_in_string => self.count += 1,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::future::poll_fn;

    /// Bytes of a frame of [`Endless`].
    const FRAME: &[u8] = b"[[[[[[[[";

    /// Body without an end.
    struct Endless;

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(FRAME)))))
        }
    }

    /// Body that stays away.
    struct Silent;

    impl HttpBody for Silent {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Pending
        }
    }

    #[tokio::test(start_paused = true)]
    async fn body_that_takes_too_long_to_arrive_is_refused() {
        let mut body = Counted::new(Body::new(Silent), Arc::default());
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        assert!(frame.unwrap().unwrap_err().is::<TooSlow>());
    }

    #[tokio::test]
    async fn body_is_not_read_beyond_the_bound() {
        let exceeds = Arc::new(AtomicBool::new(false));
        let mut body = Counted::new(Body::new(Endless), exceeds.clone());
        for _ in 0..MAX_VALUES / FRAME.len() {
            let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
            assert!(frame.unwrap().is_ok());
        }
        assert!(!exceeds.load(Ordering::Relaxed));
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        assert!(frame.unwrap().is_err());
        assert!(exceeds.load(Ordering::Relaxed));
    }

    #[test]
    fn values_and_names_are_counted_wherever_the_text_is_divided() {
        for (text, expected) in [
            ("", 0),
            ("7", 0),
            ("[1, 2, [3]]", 4),
            (r#"{"a": 1, "b": [{}]}"#, 6),
            (r#"["[,:{", "\"[,", "\\", "\\\"[", 1]"#, 5),
        ] {
            for at in 0..=text.len() {
                let mut values = ValueCounter::default();
                let (first, second) = text.as_bytes().split_at(at);
                values.read(first);
                values.read(second);
                assert_eq!(values.count, expected, "{text} divided at {at}");
            }
        }
    }
}
