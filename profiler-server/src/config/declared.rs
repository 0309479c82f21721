//! Every setting, as a row of data and as a field of a struct.

use super::kind::Kind;
use super::level::LogLevel;
use super::log_format::LogFormat;
use super::socket_mode::SocketMode;
use profiler_core::limits::{
    MAX_GROWTH_TIME_SHARE, MAX_MEMORY_MB, MAX_TIMEOUT, MIN_MEMORY_MB, MIN_TIMEOUT,
};
use profiler_wire::Defaults;
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Maximum that the settings allow for runs at the same time.
pub const MAX_RUNS: usize = 1024;
/// Maximum that the settings allow for waiting runs. A gateway of a fleet names those that its
/// callers hold in one message of less than 1 MiB.
pub const MAX_QUEUED: usize = 16_384;

/// A setting: its names, values and meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The name in the file, after the name of its table: `retention.runs`.
    pub key: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// The option of `swiftprof serve`, if there is one.
    pub option: Option<&'static str>,
    /// The values that are allowed.
    pub kind: Kind,
    /// Default if nobody sets it.
    pub default: DefaultValue,
    /// Whether SIGHUP changes it in a running server.
    pub reloads: bool,
    /// Description of its effect, with the unit.
    pub meaning: &'static str,
}

/// Default of a setting that nobody sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// A value, as it is written in the file.
    Value(&'static str),
    /// No value.
    Unset {
        /// Meaning of the absent value.
        means: &'static str,
        /// A value for the example file.
        example: &'static str,
    },
}

/// The longest time that a setting accepts, in seconds: a year.
const MAX_SEC: f64 = 365.0 * 86_400.0;
/// The shortest time that a quota accepts, in seconds.
const LEAST_SEC: f64 = 0.001;
/// The shortest time for which the logs of a fleet are kept, in days: a run lives for at most one.
const LEAST_LOG_DAYS: i64 = 2;
/// The longest time for which they are kept, in days: ten years.
const MAX_DAYS: i64 = 3650;
/// The least room for the logs of a fleet, in MiB.
const LEAST_LOG_MB: i64 = 64;
/// The largest count of runs and of mebibytes.
const MAX_COUNT: i64 = u32::MAX as i64;
const NO_LIMIT: &str = "no limit";
/// A count of runs that run at the same time.
#[expect(clippy::cast_possible_wrap, reason = "the constant is small")]
const RUNS: Kind = Kind::Count(1, MAX_RUNS as i64);
/// A count of waiting runs.
#[expect(clippy::cast_possible_wrap, reason = "the constant is small")]
const QUEUED: Kind = Kind::Count(1, MAX_QUEUED as i64);

/// Fields that most settings have in common.
const PLAIN: Setting = Setting {
    key: "",
    variable: "",
    option: None,
    kind: Kind::Count(1, MAX_COUNT),
    default: unset(NO_LIMIT, ""),
    reloads: false,
    meaning: "",
};

const fn unset(means: &'static str, example: &'static str) -> DefaultValue {
    DefaultValue::Unset { means, example }
}

/// Makes the struct of each table of the file, and [`SETTINGS`], from the same rows. The name of a
/// setting is the prefix of its table and the name of its field. A field without `=` begins as the
/// default of its type. The last rows are for fields of a struct in another crate.
macro_rules! settings {
    ($(
        $(#[$about:meta])*
        $table:ident $prefix:literal {
            $($field:ident: $type:ty $(= $value:literal)?, $meaning:literal {
                $($name:ident: $of:expr),* $(,)?
            })*
            $(+ $(#[$inner_about:meta])* $inner:ident: $inner_type:ident)*
        }
    )* $($other:literal = $other_value:literal, $other_meaning:literal {
        $($other_name:ident: $other_of:expr),* $(,)?
    })*) => {
        $(
            $(#[$about])*
            #[allow(clippy::doc_markdown, reason = "a meaning has the words of the documents")]
            #[derive(Debug, Clone, PartialEq, Deserialize)]
            #[serde(deny_unknown_fields, default)]
            pub struct $table {
                $(#[doc = $meaning] pub $field: $type,)*
                $($(#[$inner_about])* pub $inner: $inner_type,)*
            }

            impl Default for $table {
                fn default() -> Self {
                    Self {
                        $($field: value!($($value)?),)*
                        $($inner: Default::default(),)*
                    }
                }
            }
        )*

        /// Every setting. The settings of one table of the file are next to each other.
        #[allow(clippy::needless_update, reason = "some settings set every field")]
        pub const SETTINGS: &[Setting] = &[
            $($(Setting {
                key: concat!($prefix, stringify!($field)),
                meaning: $meaning,
                $(default: DefaultValue::Value(stringify!($value)),)?
                $($name: $of,)*
                ..PLAIN
            },)*)*
            $(Setting {
                key: $other,
                meaning: $other_meaning,
                default: DefaultValue::Value($other_value),
                $($other_name: $other_of,)*
                ..PLAIN
            },)*
        ];
    };
}

/// Makes the default of a field.
macro_rules! value {
    () => {
        Default::default()
    };
    ($value:literal) => {
        $value
    };
}

settings! {
    /// The server's settings.
    Config "" {
        concurrency: usize = 1, "maximum number of runs at the same time, each on a core of its own" {
            variable: "PROFILER_CONCURRENCY", kind: RUNS,
        }
        max_queued: usize = 4096, "maximum number of runs that wait" { variable: "PROFILER_MAX_QUEUED", kind: QUEUED }
        drain_grace_sec: f64 = 0.0,
            "seconds after SIGTERM until new runs are refused; health is NOT_SERVING" {
            variable: "PROFILER_DRAIN_GRACE_SEC", option: Some("--drain-grace"),
            kind: Kind::Number(0.0, MAX_SEC), reloads: true,
        }
        drain_sec: f64 = 10.0, "seconds that live runs have to end after that" {
            variable: "PROFILER_DRAIN_SEC", kind: Kind::Number(0.0, MAX_SEC), reloads: true,
        }
        state_dir: Option<PathBuf>, "folder that stores the runs; each server needs its own" {
            variable: "PROFILER_STATE_DIR", option: Some("--state-dir"), kind: Kind::Path,
            default: unset(
                "/var/lib/swiftprof for root, else ~/.local/state/swiftprof",
                "\"/var/lib/swiftprof\"",
            ),
        }
        log_level: LogLevel, "lowest level that is logged" {
            variable: "LOG_LEVEL", kind: Kind::Level, reloads: true,
            default: DefaultValue::Value("\"info\""),
        }
        log_format: LogFormat, "format of the log; json writes one object per line" {
            variable: "PROFILER_LOG_FORMAT", option: Some("--log-format"),
            kind: Kind::Word(LogFormat::NAMES), default: DefaultValue::Value("\"text\""),
        }
        metrics: Option<SocketAddr>,
            "address where Prometheus reads the metrics, without authentication" {
            variable: "PROFILER_METRICS", option: Some("--metrics"), kind: Kind::Address,
            default: unset("no metrics", "\"127.0.0.1:9464\""),
        }
        + /// The engine of a fleet.
        fleet: Fleet
        + /// Limits on the ended runs that are kept.
        retention: Retention
        + /// Limits on one caller.
        quota: Quota
        + /// TLS, and who may call.
        identity: Identity
        + /// The values for requests that omit a field.
        defaults: Defaults
    }

    /// The engine of a fleet, and how this process proves who it is.
    Fleet "fleet." {
        url: Option<String>,
            "the engine of a fleet; this server is then a gateway, and workers measure" {
            variable: "PROFILER_FLEET_URL", option: Some("--fleet"), kind: Kind::Engine,
            default: unset("this server measures by itself", "\"nats://127.0.0.1:4222\""),
        }
        nkey: Option<PathBuf>,
            "file with the seed of the nkey that identifies this process to the engine" {
            variable: "PROFILER_FLEET_NKEY", option: Some("--fleet-nkey"), kind: Kind::Path,
            default: unset("no key", "\"/etc/swiftprof/fleet.nk\""),
        }
        ca: Option<PathBuf>, "authority that signed the engine's certificate, in PEM" {
            variable: "PROFILER_FLEET_CA", option: Some("--fleet-ca"), kind: Kind::Path,
            default: unset("the system's authorities", "\"/etc/swiftprof/fleet-ca.pem\""),
        }
        log_days: Option<u32>,
            "days for which the engine keeps logs of runs, request IDs and large bytes" {
            variable: "PROFILER_FLEET_LOG_DAYS", kind: Kind::Count(LEAST_LOG_DAYS, MAX_DAYS),
            default: unset("as the engine has it, at first 7", "7"),
        }
        log_mb: Option<u64>,
            "maximum size of all logs in the engine, in MiB; ended runs are removed before that" {
            variable: "PROFILER_FLEET_LOG_MB", kind: Kind::Count(LEAST_LOG_MB, MAX_COUNT),
            default: unset("as the engine has it, at first 8192", "8192"),
        }
    }

    /// Limits on the ended runs that are kept. The oldest are deleted first.
    Retention "retention." {
        runs: u32 = 1000, "maximum number of ended runs to keep" { variable: "PROFILER_RETENTION_RUNS" }
        mb: u64 = 256, "maximum size of their events, in MiB" { variable: "PROFILER_RETENTION_MB" }
        days: Option<u32>, "days to keep them" {
            variable: "PROFILER_RETENTION_DAYS", default: unset("any age", "30"),
        }
    }

    /// Limits on one caller. An absent limit means no limit.
    Quota "quota." {
        live_runs: Option<usize>, "maximum number of runs of one caller that run or wait" {
            variable: "PROFILER_QUOTA_LIVE_RUNS", reloads: true, default: unset(NO_LIMIT, "8"),
        }
        queued_runs: Option<usize>, "maximum number of runs of one caller that wait" {
            variable: "PROFILER_QUOTA_QUEUED_RUNS", reloads: true, default: unset(NO_LIMIT, "4"),
        }
        hour_sec: Option<f64>, "maximum time of the runs of one caller in any hour, in seconds" {
            variable: "PROFILER_QUOTA_HOUR_SEC", reloads: true, kind: Kind::Number(LEAST_SEC, MAX_SEC),
            default: unset(NO_LIMIT, "1200.0"),
        }
        kept_mb: Option<u64>,
            "maximum size of one caller's kept runs, in MiB; above it, the caller must delete some" {
            variable: "PROFILER_QUOTA_KEPT_MB", reloads: true, default: unset(NO_LIMIT, "64"),
        }
        run_sec: Option<f64>, "maximum time of a run from its turn on, in seconds; it then ends as `deadline`" {
            variable: "PROFILER_QUOTA_RUN_SEC", reloads: true, kind: Kind::Number(LEAST_SEC, MAX_SEC),
            default: unset(NO_LIMIT, "300.0"),
        }
    }

    /// TLS, tokens, and what callers may do.
    Identity "identity." {
        tls_cert: Option<PathBuf>,
            "the server's certificate with its chain, in PEM; turns on TLS for TCP" {
            variable: "PROFILER_TLS_CERT", option: Some("--tls-cert"), kind: Kind::Path,
            default: unset("TCP is plain text", "\"/etc/swiftprof/cert.pem\""),
        }
        tls_key: Option<PathBuf>, "the key of the certificate, in PEM" {
            variable: "PROFILER_TLS_KEY", option: Some("--tls-key"), kind: Kind::Path,
            default: unset("no key", "\"/etc/swiftprof/key.pem\""),
        }
        tls_client_ca: Option<PathBuf>, "authorities that sign the certificates of callers, in PEM" {
            variable: "PROFILER_TLS_CLIENT_CA", option: Some("--tls-client-ca"), kind: Kind::Path,
            default: unset("no client certificates", "\"/etc/swiftprof/clients.pem\""),
        }
        tokens: Option<PathBuf>, "file with the tokens of callers, in TOML or as lines NAME:SHA256" {
            variable: "PROFILER_TOKENS", option: Some("--tokens"), kind: Kind::Path,
            default: unset("no tokens", "\"/etc/swiftprof/tokens.toml\""),
        }
        insecure: bool = false, "serve other hosts even if callers show no identity, or show it in plain text" {
            variable: "PROFILER_INSECURE", option: Some("--insecure"), kind: Kind::Flag,
        }
        admins: Vec<String>, "certificates and users that see the runs of all callers" {
            variable: "PROFILER_ADMINS", kind: Kind::Callers,
            default: unset("root and the user of the server", "[\"uid 1000\"]"),
        }
        x_caller: Vec<String>, "callers whose header `x-caller` is trusted" {
            variable: "PROFILER_X_CALLER", kind: Kind::Callers,
            default: unset("root and the user of the server", "[\"token gateway\"]"),
        }
        socket_mode: Option<SocketMode>, "permissions of a socket file" {
            variable: "PROFILER_SOCKET_MODE", option: Some("--socket-mode"), kind: Kind::Mode,
            default: unset("0660", "\"0660\""),
        }
        socket_group: Option<String>, "group of a socket file, by name or number" {
            variable: "PROFILER_SOCKET_GROUP", option: Some("--socket-group"), kind: Kind::Name,
            default: unset("the group of the process", "\"swiftprof\""),
        }
    }

    "defaults.sandbox_timeout_sec" = "2.0", "time limit of one run of the program, in seconds" {
        variable: "SANDBOX_TIMEOUT_SEC", reloads: true,
        kind: Kind::Number(MIN_TIMEOUT.as_secs_f64(), MAX_TIMEOUT.as_secs_f64()),
    }
    "defaults.sandbox_mem_mb" = "512", "memory limit of one run of the program, in MiB" {
        variable: "SANDBOX_MEM_MB", reloads: true,
        kind: Kind::Count(MIN_MEMORY_MB as i64, MAX_MEMORY_MB as i64),
    }
    "defaults.input_scales" = "[1000, 5000, 10000, 50000, 100000]", "sizes to measure" {
        variable: "INPUT_SCALES", kind: Kind::Sizes, reloads: true,
    }
    "defaults.extra_corner_cases" = "[0, 1]", "sizes to measure before these" {
        variable: "EXTRA_CORNER_CASES", kind: Kind::Sizes, reloads: true,
    }
    "defaults.growth_share" = "0.25",
        "additional time for counting for growth, as a share of a job's own time" {
        variable: "GROWTH_SHARE", reloads: true, kind: Kind::Number(0.0, MAX_GROWTH_TIME_SHARE),
    }
}

impl Setting {
    /// Returns the table of the setting, if it has one, and the name in it.
    pub(super) fn path(&self) -> (Option<&'static str>, &'static str) {
        match self.key.split_once('.') {
            Some((table, name)) => (Some(table), name),
            None => (None, self.key),
        }
    }

    /// Returns the value of the setting in a parsed file, if the file has it.
    pub(super) fn find<'a>(&self, root: &'a toml::Table) -> Option<&'a toml::Value> {
        match self.path() {
            (None, name) => root.get(name),
            (Some(table), name) => root.get(table)?.get(name),
        }
    }
}
