//! Kinds of values that a setting can have, with the parser and the range of each.

use super::level::LogLevel;
use super::socket_mode::SocketMode;
use profiler_core::limits::{MAX_SIZE, MAX_SIZES};
use std::fmt;
use std::net::SocketAddr;
use toml::Value;

/// Values that a setting accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number in this range, inclusive.
    Count(i64, i64),
    /// A number in this range, inclusive.
    Number(f64, f64),
    /// A path.
    Path,
    /// A level of the log.
    Level,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An IP address with a port.
    Address,
    /// Yes or no.
    Flag,
    /// A name that is not empty.
    Name,
    /// Permissions of a file.
    Mode,
    /// Identities of callers.
    Callers,
    /// The engine of a fleet: addresses of its servers.
    Engine,
    /// Input sizes. The job's own rules apply in addition.
    Sizes,
}

impl Kind {
    /// Parses a value from the environment or the command line.
    pub(super) fn parse(self, text: &str) -> Result<Value, String> {
        let wrong_type = || format!("{self}, not {text:?}");
        let value = match self {
            Self::Count(..) => Value::Integer(text.parse().map_err(|_| wrong_type())?),
            Self::Number(..) => Value::Float(text.parse().map_err(|_| wrong_type())?),
            Self::Flag => Value::Boolean(text.parse().map_err(|_| wrong_type())?),
            Self::Callers => {
                let callers = items(text).map(|item| item.trim_matches('"'));
                let given = callers.filter(|caller| !caller.is_empty());
                Value::Array(given.map(Value::from).collect())
            }
            Self::Sizes => {
                let wrong = |item: &str| format!("{self}, not {item:?}");
                let size = |item: &str| item.parse().map(Value::Integer).map_err(|_| wrong(item));
                Value::Array(items(text).map(size).collect::<Result<_, _>>()?)
            }
            _ => Value::String(text.to_owned()),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// Checks that a value is in range. A wrong type in the file is found earlier, when it is read.
    pub(super) fn check(self, value: &Value) -> Result<(), String> {
        let is_in_range = match (self, value) {
            (Self::Count(least, most), Value::Integer(count)) => (least..=most).contains(count),
            (Self::Number(least, most), Value::Float(number)) => (least..=most).contains(number),
            #[expect(clippy::cast_precision_loss, reason = "no range ends at such a number")]
            (Self::Number(least, most), Value::Integer(number)) => {
                (least..=most).contains(&(*number as f64))
            }
            (Self::Path | Self::Name, Value::String(name)) => !name.is_empty(),
            (Self::Engine, Value::String(servers)) => servers.split(',').all(is_server),
            (Self::Mode, Value::String(mode)) => return mode.parse::<SocketMode>().map(drop),
            (Self::Flag, Value::Boolean(_)) => true,
            (Self::Callers, Value::Array(callers)) => callers.iter().all(Value::is_str),
            (Self::Level, Value::String(level)) => return level.parse::<LogLevel>().map(drop),
            (Self::Word(words), Value::String(word)) => words.contains(&word.as_str()),
            (Self::Address, Value::String(address)) => address.parse::<SocketAddr>().is_ok(),
            (Self::Sizes, Value::Array(sizes)) => {
                sizes.iter().all(|size| size.as_integer().is_some_and(|size| size >= 0))
            }
            _ => false,
        };
        match self {
            _ if is_in_range => Ok(()),
            // The URL may contain a password.
            Self::Engine => Err(self.to_string()),
            _ => Err(format!("{self}, not {value}")),
        }
    }

    /// Returns the range, as the documents show it.
    pub(super) fn range(self) -> String {
        match self {
            Self::Count(least, most) => format!("{least}–{most}"),
            Self::Number(least, most) => format!("{least}–{most}"),
            Self::Path => "a path".into(),
            Self::Level => "trace, debug, info, warn, error, off".into(),
            Self::Word(words) => words.join(", "),
            Self::Address => "IP:PORT".into(),
            Self::Flag => "true, false".into(),
            Self::Name => "a name".into(),
            Self::Engine => "nats://HOST:PORT or tls://HOST:PORT, separated by commas".into(),
            Self::Mode => "octal, at most 0777".into(),
            Self::Callers => "callers, each with its kind: `uri`, `dns`, `uid`, `token`".into(),
            Self::Sizes => format!("at most {MAX_SIZES} increasing sizes, each at most 10^18"),
        }
    }
}

/// Whether this is the address of a server of a fleet's engine.
fn is_server(text: &str) -> bool {
    let host = ["nats://", "tls://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
}

/// Writes the requirement on a value.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(least, most) => write!(f, "must be from {least} to {most}"),
            Self::Number(least, most) => write!(f, "must be from {least} to {most}"),
            Self::Path => f.write_str("must be a path"),
            Self::Level => f.write_str("must be a level of the log"),
            Self::Word(words) => write!(f, "must be one of {}", words.join(", ")),
            Self::Address => f.write_str("must be IP:PORT"),
            Self::Flag => f.write_str("must be true or false"),
            Self::Name => f.write_str("must be a name"),
            Self::Engine => f.write_str("must be nats://HOST:PORT or tls://HOST:PORT"),
            Self::Mode => f.write_str("must be permissions in octal, such as 0660"),
            Self::Callers => f.write_str("must be callers, such as \"uid 1000\""),
            Self::Sizes => write!(f, "must be sizes from 0 to {MAX_SIZE}"),
        }
    }
}

/// Returns the items of a list such as `1000,5000`, also with spaces, and in brackets as Python
/// writes a list.
fn items(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let items = inner.unwrap_or(text).split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}
