//! The tokens that callers may show. The file has only their digests, so reading it does not
//! suffice to call.

use super::caller::{MAX_NAME_BYTES, Scope, is_name};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::time::SystemTime;
use subtle::ConstantTimeEq;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Maximum number of tokens in a file. Each call compares its token with all of them.
const MAX_TOKENS: usize = 1024;
const DIGEST_BYTES: usize = 32;

/// The tokens of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tokens(Vec<Token>);

/// One token, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) name: String,
    digest: [u8; DIGEST_BYTES],
    expires: Option<SystemTime>,
    pub(super) scopes: Vec<Scope>,
}

/// A file in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    tokens: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    sha256: String,
    expires: Option<toml::value::Datetime>,
    #[serde(default = "usual_scopes")]
    scopes: Vec<Scope>,
}

fn usual_scopes() -> Vec<Scope> {
    Scope::USUAL.into()
}

impl Tokens {
    /// Reads the text of a file: tables `[[tokens]]` in TOML, or lines `NAME:SHA256`. An error
    /// describes the problem without any digest.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let entries = match entries_of_lines(text) {
            Some(entries) => entries,
            None => toml::from_str::<File>(text).map_err(|error| broken(text, &error))?.tokens,
        };
        if entries.len() > MAX_TOKENS {
            return Err(format!("must have at most {MAX_TOKENS} tokens, not {}", entries.len()));
        }
        let mut tokens: Vec<Token> = Vec::with_capacity(entries.len());
        for (at, entry) in entries.into_iter().enumerate() {
            let token = entry.check().map_err(|problem| format!("token {}: {problem}", at + 1))?;
            // A name may have several tokens, so that a token can be replaced without a gap.
            if let Some(other) = tokens.iter().find(|other| other.digest == token.digest) {
                return Err(format!("token {}: is the same as that of {:?}", at + 1, other.name));
            }
            tokens.push(token);
        }
        Ok(Self(tokens))
    }

    /// Finds a token. The duration of the search does not depend on the digests.
    pub(super) fn find(&self, shown: &[u8]) -> Option<&Token> {
        let digest = Sha256::digest(shown);
        let mut found = None;
        for token in &self.0 {
            if bool::from(token.digest.ct_eq(&digest)) {
                found = Some(token);
            }
        }
        found
    }
}

impl Token {
    pub(super) fn has_expired(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|end| end <= now)
    }
}

impl Entry {
    fn check(self) -> Result<Token, String> {
        let Self { name, sha256, expires, scopes } = self;
        if !is_name(&name) {
            return Err(format!(
                "name must be 1 to {MAX_NAME_BYTES} visible ASCII characters, without spaces"
            ));
        }
        let digest = parse_digest(&sha256).ok_or_else(|| {
            format!("{name}: sha256 must be {} hexadecimal digits", 2 * DIGEST_BYTES)
        })?;
        let expires = expires.map(|end| {
            let end = OffsetDateTime::parse(&end.to_string(), &Rfc3339);
            end.map(SystemTime::from).map_err(|_| {
                format!(
                    "{name}: expires must be a time with its zone, such as 2027-01-31T00:00:00Z"
                )
            })
        });
        if scopes.is_empty() {
            return Err(format!(
                "{name}: scopes must have at least one of submit, read, cancel, admin"
            ));
        }
        Ok(Token { expires: expires.transpose()?, name, digest, scopes })
    }
}

/// Describes a fault in TOML by the number of its line. The parser's own text quotes the line,
/// which may contain a secret.
fn broken(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("line {line}: {}", error.message())
}

/// Returns the entries of a file that has only lines `NAME:SHA256`.
fn entries_of_lines(text: &str) -> Option<Vec<Entry>> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (name, sha256) = line.rsplit_once(':')?;
        let is_plain = !name.contains(['=', '[', '"', '\'']);
        is_plain.then(|| Entry {
            name: name.trim().into(),
            sha256: sha256.trim().into(),
            expires: None,
            scopes: usual_scopes(),
        })
    };
    lines.map(entry).collect()
}

fn parse_digest(hex: &str) -> Option<[u8; DIGEST_BYTES]> {
    if hex.len() != 2 * DIGEST_BYTES || !hex.is_ascii() {
        return None;
    }
    let mut digest = [0; DIGEST_BYTES];
    for (at, byte) in digest.iter_mut().enumerate() {
        let pair = &hex[2 * at..2 * at + 2];
        // `from_str_radix` would accept a sign.
        *byte = u8::from_str_radix(pair, 16).ok().filter(|_| !pair.starts_with('+'))?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests;
