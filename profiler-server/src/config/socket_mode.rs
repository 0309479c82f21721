//! The permissions of a socket file.

use serde::Deserialize;

/// Permissions of a socket file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SocketMode(pub(crate) u32);

impl std::str::FromStr for SocketMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777);
        let mode = mode.filter(|_| !text.starts_with('+'));
        mode.map(Self)
            .ok_or_else(|| format!("must be octal, such as 0660, and at most 0777, not {text:?}"))
    }
}

impl TryFrom<String> for SocketMode {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
