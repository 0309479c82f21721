//! A connection to a server, and its errors in the terms of the command line.

use crate::args::{CredentialArgs, JobArgs};
use crate::exit::{Failure, ServiceFailure};
use crate::job_request;
use crate::progress::Progress;
use crate::stderr::tell;
use profiler_client::{Client, Credentials, Error, Notice, Run, TlsFault};
use profiler_core::error::Violation;
use profiler_proto::v1::Event;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::{env, fs, iter};
use tonic::Code;

/// Environment variable with the token.
const TOKEN: &str = "SWIFTPROF_TOKEN";
/// Mode bit that lets everybody read a file.
const READ_BY_ALL: u32 = 0o004;

/// A server, and the credentials for it.
pub(crate) struct Server {
    endpoint: String,
    credentials: Credentials,
}

/// A client and the address of its server.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) endpoint: String,
}

impl Server {
    /// The server that a job names, if it names one.
    pub(crate) fn of_job(args: &JobArgs) -> Result<Option<Self>, Failure> {
        let CredentialArgs { ca, cert, key, token_file } = &args.credentials;
        let for_server =
            [("--ca", ca), ("--cert", cert), ("--key", key), ("--token-file", token_file)];
        match (&args.endpoint, for_server.iter().find(|(_, file)| file.is_some())) {
            (Some(endpoint), _) => Self::named(endpoint, &args.credentials).map(Some),
            (None, Some((flag, _))) => Err(Failure::argument(*flag, "needs --endpoint")),
            (None, None) => Ok(None),
        }
    }

    /// Returns the server at an endpoint, with the credentials that the files hold.
    pub(crate) fn named(endpoint: &str, args: &CredentialArgs) -> Result<Self, Failure> {
        let mut credentials = Credentials::new();
        if let Some(ca) = &args.ca {
            credentials = credentials.ca(read(ca)?);
        }
        if let (Some(cert), Some(key)) = (&args.cert, &args.key) {
            credentials = credentials.certificate(read(cert)?, read(key)?);
        }
        let token = match &args.token_file {
            Some(file) => Some(token_in(file)?),
            None => env::var(TOKEN).ok(),
        };
        if let Some(token) = token {
            credentials = credentials.token(token.trim_end());
        }
        Ok(Self { endpoint: endpoint.to_owned(), credentials })
    }

    /// Connects to the server. The progress shows retries.
    pub(crate) async fn connect(&self, progress: &Progress) -> Result<Connection, Failure> {
        let client = Client::connect_with(&self.endpoint, &self.credentials).await;
        let client = client.map_err(|error| failure(&self.endpoint, error))?;
        let progress = progress.clone();
        let client = client.with_listener(move |notice| show_notice(&progress, notice));
        Ok(Connection { client, endpoint: self.endpoint.clone() })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|cause| Failure::Unreadable { path: path.into(), cause })
}

/// Reads the token in a file. Warns if everybody can read the file.
fn token_in(file: &Path) -> Result<String, Failure> {
    let unreadable = |cause| Failure::Unreadable { path: file.into(), cause };
    let text = fs::read_to_string(file).map_err(unreadable)?;
    if fs::metadata(file).map_err(unreadable)?.mode() & READ_BY_ALL != 0 {
        let path = file.display();
        tell(format_args!(
            "swiftprof: everybody can read the token in {path}: run `chmod 600 {path}`"
        ));
    }
    Ok(text)
}

impl Connection {
    /// Returns the next event of a run. There is one until the last event has been taken.
    pub(crate) async fn next_event(&self, run: &mut Run) -> Result<Event, Failure> {
        let event = run.next().await;
        let event = event.and_then(|event| event.ok_or(Error::Incomplete("last event")));
        let event = event.map_err(|error| self.failure(error))?;
        Ok(Event {
            run_id: run.id().into(),
            sequence: event.sequence,
            time: Some(event.time.into()),
            kind: Some(event.kind),
        })
    }

    /// Translates an error of the client to the terms of the command line.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        failure(&self.endpoint, error)
    }
}

/// Shows that the client retries or reconnects.
fn show_notice(progress: &Progress, notice: &Notice<'_>) {
    match notice {
        Notice::Retrying { cause, after } => {
            progress.show_step(&format!("{cause}; trying again in {:.1} s", after.as_secs_f64()));
        }
        Notice::Reconnecting { cause, .. } => {
            progress.show_step(&format!("reconnecting… ({cause})"));
        }
        _ => {}
    }
}

fn failure(endpoint: &str, error: Error) -> Failure {
    let refused = match error {
        Error::Endpoint { cause, .. } | Error::Connect { cause, .. } => {
            let cause = reasons(&cause);
            format!("--endpoint {endpoint}: {cause}; is `swiftprof serve` running there?")
        }
        Error::Scheme(_) | Error::PlaintextToken(_) => {
            return Failure::argument("--endpoint", error.to_string());
        }
        Error::Credentials { field, problem } => {
            return Failure::argument(argument(field), problem);
        }
        Error::Tls { fault, cause } => {
            format!("--endpoint {endpoint}: {fault} ({cause}); {}", advice(fault))
        }
        Error::Unauthenticated { message, .. } => format!(
            "the server at {endpoint} does not know you: {message}; show a token with \
             --token-file, or a certificate with --cert and --key"
        ),
        Error::PermissionDenied { message, .. } => {
            format!("the server at {endpoint} does not let you do this: {message}")
        }
        Error::Invalid { violations, .. } if !violations.is_empty() => {
            let violations = violations
                .into_iter()
                .map(|bad| Violation { field: bad.field, problem: bad.problem });
            return job_request::violations_by_argument(violations);
        }
        Error::Invalid { message, .. } => format!("the server refused the job: {message}"),
        Error::Unavailable { message, .. } => {
            let endpoint = endpoint.to_owned();
            return ServiceFailure::Unavailable { endpoint, message }.into();
        }
        Error::Status(status)
            if matches!(status.code(), Code::NotFound | Code::FailedPrecondition) =>
        {
            return Failure::argument("RUN", status.message());
        }
        error => return Failure::broken("follow the run on the server")(error),
    };
    ServiceFailure::Refused(refused).into()
}

/// The argument that a part of the credentials comes from.
fn argument(field: &str) -> String {
    match field {
        "certificate" => "--cert".into(),
        "token" => format!("--token-file or {TOKEN}"),
        same => format!("--{same}"),
    }
}

fn advice(fault: TlsFault) -> &'static str {
    match fault {
        TlsFault::Untrusted => "name the authority that signed it with --ca",
        TlsFault::WrongName => "use the name that the certificate has",
        TlsFault::CertificateRequired => "show one with --cert and --key",
        TlsFault::Plaintext => "to connect without TLS, use http://",
        TlsFault::Encrypted => "use https://",
        TlsFault::KeyMismatch => "use the --key that belongs to --cert",
        _ => "ask the operator of the server",
    }
}

/// Renders an error with its causes. The transport's own text says only that there is an error, and
/// some errors repeat the text of their cause.
fn reasons(error: &dyn std::error::Error) -> String {
    let chain = iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).fold(String::new(), |said, cause| match said.rsplit_once(": ") {
        _ if said.is_empty() => cause,
        Some((before, last)) if cause.starts_with(last) => format!("{before}: {cause}"),
        _ => format!("{said}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::exit::Exit;

    #[test]
    fn fields_refused_by_the_server_name_their_arguments() {
        let refused = Error::Invalid {
            message: "invalid request".into(),
            violations: vec![profiler_client::Violation {
                field: "input_sizes[2]".into(),
                problem: "must increase, but 10 follows 10".into(),
            }],
            info: None,
        };
        let failure = failure("http://h:1", refused);
        assert_eq!(failure.to_string(), "--sizes: must increase, but 10 follows 10");
        assert_eq!(failure.exit(), Exit::BadInput);
    }

    #[test]
    fn credentials_that_are_refused_name_what_gives_them() {
        let said = |error| failure("https://h:1", error).to_string();
        let wrong = |field| said(Error::Credentials { field, problem: "is no PEM" });
        assert_eq!(wrong("certificate"), "--cert: is no PEM");
        assert_eq!(wrong("ca"), "--ca: is no PEM");
        assert_eq!(wrong("token"), "--token-file or SWIFTPROF_TOKEN: is no PEM");
        let tls = |fault| said(Error::Tls { fault, cause: "why".into() });
        assert_eq!(
            tls(TlsFault::Untrusted),
            "--endpoint https://h:1: no trusted authority signed the server's certificate (why); \
             name the authority that signed it with --ca"
        );
        assert!(tls(TlsFault::Plaintext).ends_with("use http://"));
        let expired = Error::Unauthenticated { message: "expired".into(), info: None };
        assert!(said(expired).contains("expired; show a token"));
        let token = said(Error::PlaintextToken("http://h:1".into()));
        assert!(token.starts_with("--endpoint: http://h:1: a token is sent only over"), "{token}");
    }

    #[test]
    fn token_is_read_without_the_end_of_its_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "t0ken\n").unwrap();
        let args =
            CredentialArgs { token_file: Some(file.path().into()), ..CredentialArgs::default() };
        let server = Server::named("https://h:1", &args).unwrap();
        assert!(!format!("{:?}", server.credentials).contains("t0ken"));
        let missing = CredentialArgs { ca: Some("/no/such".into()), ..CredentialArgs::default() };
        let refused = Server::named("https://h:1", &missing).err().unwrap().to_string();
        assert!(refused.contains("/no/such"), "{refused}");
    }

    #[test]
    fn repeated_cause_is_said_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{0}")]
        struct Caused(&'static str, #[source] Option<Box<Caused>>);
        let caused = |text, by| Caused(text, Some(Box::new(by)));
        let inner = caused("tcp connect error", Caused("refused", None));
        let outer = caused("transport error", caused("tcp connect error", inner));
        assert_eq!(reasons(&outer), "transport error: tcp connect error: refused");
    }

    #[tokio::test]
    async fn endpoint_without_a_listener_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let endpoint = format!("unix:{}", folder.path().join("nobody").display());
        let server = Server::named(&endpoint, &CredentialArgs::default()).unwrap();
        let failure = server.connect(&Progress::new(args::Progress::None)).await.err().unwrap();
        let text = failure.to_string();
        assert!(text.starts_with(&format!("--endpoint {endpoint}: ")), "{text}");
        assert!(text.contains("No such file"), "{text}");
        assert_eq!(failure.exit(), Exit::BadInput);
    }
}
