//! The TLS configuration, from the files of the settings.

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig};
use std::sync::Arc;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The protocols of gRPC and of agents, by their names in TLS handshakes (ALPN).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The configuration of TLS.
#[derive(Debug)]
pub(super) struct Tls {
    pub(super) config: Arc<ServerConfig>,
    /// Time at which the first certificate of the chain expires, in seconds since 1970.
    pub(super) expiry: Option<i64>,
}

/// Makes the configuration from the certificate chain, its key and, if they are given, the
/// authorities of clients, all in PEM.
pub(super) fn parse(contents: &[Vec<u8>]) -> Result<Tls, String> {
    let [certificate, key, authorities @ ..] = contents else {
        return Err("needs a certificate and a key".into());
    };
    let chain =
        certificates(certificate).ok_or("the certificate's file has no certificate in PEM")?;
    let key = PrivateKeyDer::from_pem_slice(key)
        .map_err(|_| "the key's file has no private key in PEM without a passphrase")?;
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = match authorities.first() {
        None => config.with_no_client_auth(),
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            let no_authority = || "the file of client authorities has no certificates in PEM";
            for authority in certificates(pem).ok_or_else(no_authority)? {
                roots.add(authority).map_err(|error| format!("the authorities: {error}"))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            // A caller without a certificate may have a token, or check the health.
            let verifier = verifier.allow_unauthenticated().build();
            config.with_client_cert_verifier(verifier.map_err(|error| error.to_string())?)
        }
    };
    let expiry = chain.iter().filter_map(|certificate| expiry(certificate)).min();
    let mut config = config
        .with_single_cert(chain, key)
        .map_err(|error| format!("the certificate and the key: {error}"))?;
    config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
    // A resumed session would admit a client whose authority is no longer trusted.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(Tls { config: Arc::new(config), expiry })
}

fn expiry(certificate: &[u8]) -> Option<i64> {
    let (_, certificate) = X509Certificate::from_der(certificate).ok()?;
    Some(certificate.validity().not_after.timestamp())
}

/// Returns the certificates of a text, if there are any and all can be read.
fn certificates(pem: &[u8]) -> Option<Vec<CertificateDer<'static>>> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    found.ok().filter(|found| !found.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair};

    fn pair() -> [Vec<u8>; 2] {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::default().self_signed(&key).unwrap();
        [certificate.pem().into(), key.serialize_pem().into()]
    }

    #[test]
    fn pair_and_authorities_are_read() {
        let [certificate, key] = pair();
        assert!(parse(&[certificate.clone(), key.clone()]).is_ok());
        assert!(parse(&[certificate.clone(), key, certificate]).is_ok());
    }

    #[test]
    fn chain_expires_with_its_first_certificate() {
        let key = KeyPair::generate().unwrap();
        let until = |year| {
            let mut params = CertificateParams::default();
            params.not_after = rcgen::date_time_ymd(year, 1, 1);
            params.self_signed(&key).unwrap().pem()
        };
        let chain = until(2100) + &until(2050);
        let read = parse(&[chain.into(), key.serialize_pem().into()]).unwrap();
        assert_eq!(read.expiry, Some(2_524_608_000), "2050-01-01");
    }

    #[test]
    fn mismatched_tls_file_is_named() {
        let ([certificate, key], [_, other]) = (pair(), pair());
        let cut = certificate[..certificate.len() / 2].to_vec();
        for (contents, expected) in [
            (vec![certificate.clone(), other], "the certificate and the key"),
            (vec![cut.clone(), key.clone()], "the certificate's file has no"),
            (vec![key.clone(), key.clone()], "the certificate's file has no"),
            (vec![certificate.clone(), certificate.clone()], "the key's file has no"),
            (vec![certificate.clone(), key.clone(), Vec::new()], "the file of client authorities"),
            (vec![certificate, key, cut], "the file of client authorities"),
        ] {
            let said = parse(&contents).unwrap_err();
            assert!(said.contains(expected), "{said}");
        }
    }
}
