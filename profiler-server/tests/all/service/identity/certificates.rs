//! Certificates of a test.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, SanType, date_time_ymd};

/// An authority.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(super) pem: String,
}

/// A certificate and its key, in PEM.
pub(super) struct Pair {
    pub(super) certificate: String,
    pub(super) key: String,
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A certificate for these hosts.
    pub(super) fn issue(&self, hosts: &[&str]) -> Pair {
        let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
        self.sign(&CertificateParams::new(hosts).unwrap())
    }

    /// A certificate for a URI and a host.
    pub(super) fn issue_uri(&self, uri: &str) -> Pair {
        let mut params = CertificateParams::new(["ci.example.org".to_owned()]).unwrap();
        params.subject_alt_names.push(SanType::URI(uri.try_into().unwrap()));
        self.sign(&params)
    }

    /// A certificate for a host that was valid until 2020.
    pub(super) fn issue_expired(&self, host: &str) -> Pair {
        let mut params = CertificateParams::new([host.to_owned()]).unwrap();
        params.not_after = date_time_ymd(2020, 1, 1);
        self.sign(&params)
    }

    fn sign(&self, params: &CertificateParams) -> Pair {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Pair { certificate, key: key.serialize_pem() }
    }
}
