//! The name of a caller in a client certificate.

use super::caller::is_name;
use std::time::{Duration, SystemTime};
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

/// Parts of a client certificate that a server needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Certificate {
    /// The kind and the text of the name.
    pub(super) name: (&'static str, String),
    /// The end of its validity. A connection can last longer.
    pub(super) expires: SystemTime,
}

impl Certificate {
    /// Reads a certificate that the handshake has verified. `None` if it names nobody. Its subject
    /// does not count as a name (RFC 9525, section 2).
    pub(super) fn read(der: &[u8]) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        let names = &certificate.subject_alternative_name().ok()??.value.general_names;
        let uri = names.iter().find_map(|name| match name {
            GeneralName::URI(uri) => Some(("uri", *uri)),
            _ => None,
        });
        let dns = names.iter().find_map(|name| match name {
            GeneralName::DNSName(dns) => Some(("dns", *dns)),
            _ => None,
        });
        let (kind, text) = uri.or(dns)?;
        if !is_name(text) {
            return None;
        }
        // A certificate that was valid until before 1970 has expired.
        let seconds = u64::try_from(certificate.validity().not_after.timestamp()).unwrap_or(0);
        let expires = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
        Some(Self { name: (kind, text.to_owned()), expires })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::MAX_NAME_BYTES;
    use rcgen::{CertificateParams, KeyPair, SanType};

    fn read(names: Vec<SanType>) -> Option<(&'static str, String)> {
        let mut params = CertificateParams::default();
        params.subject_alt_names = names;
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Certificate::read(certificate.der()).map(|found| found.name)
    }

    fn dns(name: &str) -> SanType {
        SanType::DnsName(name.try_into().unwrap())
    }

    fn uri(name: &str) -> SanType {
        SanType::URI(name.try_into().unwrap())
    }

    #[test]
    fn uri_comes_before_a_host() {
        let id = "spiffe://example.org/ci";
        assert_eq!(read(vec![dns("ci.example.org"), uri(id)]), Some(("uri", id.into())));
        assert_eq!(read(vec![dns("a.b"), dns("c.d")]), Some(("dns", "a.b".into())));
    }

    #[test]
    fn certificate_without_a_name_names_nobody() {
        assert_eq!(read(Vec::new()), None);
        assert_eq!(read(vec![SanType::IpAddress([127, 0, 0, 1].into())]), None);
    }

    #[test]
    fn name_is_printable_and_bounded() {
        let bad = ["", "spiffe://a\nb", "spiffe://a b", &"x".repeat(MAX_NAME_BYTES + 1)];
        for bad in bad {
            assert_eq!(read(vec![uri(bad), dns("a.b")]), None, "{bad:?}");
        }
    }

    #[test]
    fn malformed_certificate_names_nobody() {
        assert_eq!(Certificate::read(b"0\x82"), None);
    }
}
