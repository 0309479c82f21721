//! The deadline of a call. tonic's own timer ignores streams and ends unary calls as `CANCELLED`,
//! so the server reads the header and the calls keep the deadline themselves.

use super::status::CallError;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tonic::{Request, Status};

/// The header with the time that is left.
const HEADER: &str = "grpc-timeout";
/// Maximum number of digits that the gRPC protocol allows in the header.
const MAX_DIGITS: usize = 8;
/// Margin by which our timer ends a unary call before tonic's, so that ours gives the reason.
const LEAD: Duration = Duration::from_millis(5);

/// Time at which a caller stops waiting; `None` means never.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Returns the deadline that [`stamp`] put on a request.
    pub(crate) fn from_request<T>(request: &Request<T>) -> Self {
        request.extensions().get().copied().unwrap_or_default()
    }

    /// Waits until the deadline has passed.
    pub(crate) async fn passed(self) {
        match self.0 {
            Some(instant) => sleep_until(instant).await,
            None => std::future::pending().await,
        }
    }
}

/// Puts the deadline on a request when its headers arrive, because the body may arrive much later.
pub(crate) fn stamp(mut request: Request<()>) -> Result<Request<()>, Status> {
    let arrival = Instant::now();
    let deadline = match request.metadata().get(HEADER) {
        None => Deadline(None),
        Some(value) => {
            let left = value.to_str().ok().and_then(parse).ok_or_else(malformed)?;
            Deadline(arrival.checked_add(left.saturating_sub(LEAD)))
        }
    };
    request.extensions_mut().insert(deadline);
    Ok(request)
}

/// Parses `TimeoutValue TimeoutUnit` of the gRPC protocol: `250m` is 250 milliseconds.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let plain = digits.len() <= MAX_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
    let value = digits.parse().ok().filter(|_| plain)?;
    Some(match unit {
        "H" => Duration::from_secs(value * 60 * 60),
        "M" => Duration::from_secs(value * 60),
        "S" => Duration::from_secs(value),
        "m" => Duration::from_millis(value),
        "u" => Duration::from_micros(value),
        "n" => Duration::from_nanos(value),
        _ => return None,
    })
}

fn malformed() -> Status {
    CallError::invalid(HEADER, "must be up to 8 digits and one of H, M, S, m, u, n".into()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_read() {
        let read = ["2H", "2M", "2S", "2m", "2u", "2n"].map(|text| parse(text).unwrap());
        let nanos = [7_200_000_000_000, 120_000_000_000, 2_000_000_000, 2_000_000, 2_000, 2];
        assert_eq!(read, nanos.map(Duration::from_nanos));
    }

    #[test]
    fn malformed_timeout_is_refused() {
        let read = ["", "S", "2", "2s", "-2S", "+2S", "123456789S", "2é"].map(parse);
        assert_eq!(read, [None; 8]);
    }
}
