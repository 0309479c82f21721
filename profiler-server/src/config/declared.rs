//! Every setting, as data.

use super::kind::Kind;
use super::log_format::LogFormat;
use super::values::MAX_RUNS;
use profiler_core::limits::{
    MAX_GROWTH_TIME_SHARE, MAX_MEMORY_MB, MAX_TIMEOUT, MIN_MEMORY_MB, MIN_TIMEOUT,
};

/// A setting: its names, values and meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The name in the file, with the names of its tables: `retention.runs`.
    pub key: &'static str,
    /// The variable of the environment.
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
    /// A value, as the file has it.
    Value(&'static str),
    /// No value.
    Unset {
        /// Meaning of the absent value.
        means: &'static str,
        /// A value for the example file.
        example: &'static str,
    },
}

/// The longest time that a setting takes: a year, in seconds.
const MAX_SEC: f64 = 365.0 * 86_400.0;
/// The shortest time that a quota takes, in seconds.
const LEAST_SEC: f64 = 0.001;
/// The largest count of runs and of mebibytes.
const MAX_COUNT: i64 = u32::MAX as i64;
const NO_BOUND: &str = "no bound";
/// A count of runs that the server has at one time.
#[expect(clippy::cast_possible_wrap, reason = "the constant is small")]
const RUNS: Kind = Kind::Count(1, MAX_RUNS as i64);

/// Fields that most settings have in common.
const PLAIN: Setting = Setting {
    key: "",
    variable: "",
    option: None,
    kind: Kind::Count(1, MAX_COUNT),
    default: DefaultValue::Unset { means: NO_BOUND, example: "" },
    reloads: false,
    meaning: "",
};

/// Every setting. Those of a table of the file are next to each other.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "concurrency",
        variable: "PROFILER_CONCURRENCY",
        kind: RUNS,
        default: DefaultValue::Value("1"),
        meaning: "runs at the same time, each on a core of its own",
        ..PLAIN
    },
    Setting {
        key: "max_queued",
        variable: "PROFILER_MAX_QUEUED",
        kind: RUNS,
        default: DefaultValue::Value("16"),
        meaning: "runs that wait",
        ..PLAIN
    },
    Setting {
        key: "drain_grace_sec",
        variable: "PROFILER_DRAIN_GRACE_SEC",
        option: Some("--drain-grace"),
        kind: Kind::Number(0.0, MAX_SEC),
        default: DefaultValue::Value("0.0"),
        reloads: true,
        meaning: "seconds from SIGTERM, with health NOT_SERVING, until runs are refused",
    },
    Setting {
        key: "drain_sec",
        variable: "PROFILER_DRAIN_SEC",
        kind: Kind::Number(0.0, MAX_SEC),
        default: DefaultValue::Value("10.0"),
        reloads: true,
        meaning: "seconds that live runs get after that",
        ..PLAIN
    },
    Setting {
        key: "state_dir",
        variable: "PROFILER_STATE_DIR",
        option: Some("--state-dir"),
        kind: Kind::Path,
        default: DefaultValue::Unset {
            means: "/var/lib/swiftprof for root, else ~/.local/state/swiftprof",
            example: "\"/var/lib/swiftprof\"",
        },
        meaning: "folder of the runs, one for each server",
        ..PLAIN
    },
    Setting {
        key: "log_level",
        variable: "LOG_LEVEL",
        kind: Kind::Level,
        default: DefaultValue::Value("\"info\""),
        reloads: true,
        meaning: "least severe level that is logged",
        ..PLAIN
    },
    Setting {
        key: "log_format",
        variable: "PROFILER_LOG_FORMAT",
        option: Some("--log-format"),
        kind: Kind::Word(LogFormat::NAMES),
        default: DefaultValue::Value("\"text\""),
        meaning: "form of the log; json is one object a line",
        ..PLAIN
    },
    Setting {
        key: "metrics",
        variable: "PROFILER_METRICS",
        option: Some("--metrics"),
        kind: Kind::Address,
        default: DefaultValue::Unset { means: "no metrics", example: "\"127.0.0.1:9464\"" },
        meaning: "where Prometheus reads the metrics, without authentication",
        ..PLAIN
    },
    Setting {
        key: "fleet.url",
        variable: "PROFILER_FLEET_URL",
        option: Some("--fleet"),
        kind: Kind::Engine,
        default: DefaultValue::Unset {
            means: "this server measures by itself",
            example: "\"nats://127.0.0.1:4222\"",
        },
        meaning: "the engine of a fleet; this server is a gateway, and workers measure",
        ..PLAIN
    },
    Setting {
        key: "fleet.nkey",
        variable: "PROFILER_FLEET_NKEY",
        option: Some("--fleet-nkey"),
        kind: Kind::Path,
        default: DefaultValue::Unset { means: "no key", example: "\"/etc/swiftprof/fleet.nk\"" },
        meaning: "file with the seed of the nkey that names this process to the engine",
        ..PLAIN
    },
    Setting {
        key: "fleet.ca",
        variable: "PROFILER_FLEET_CA",
        option: Some("--fleet-ca"),
        kind: Kind::Path,
        default: DefaultValue::Unset {
            means: "the system's authorities",
            example: "\"/etc/swiftprof/fleet-ca.pem\"",
        },
        meaning: "authority in PEM that signed the certificate of the engine",
        ..PLAIN
    },
    Setting {
        key: "retention.runs",
        variable: "PROFILER_RETENTION_RUNS",
        default: DefaultValue::Value("1000"),
        meaning: "ended runs that are kept",
        ..PLAIN
    },
    Setting {
        key: "retention.mb",
        variable: "PROFILER_RETENTION_MB",
        default: DefaultValue::Value("256"),
        meaning: "MiB of their events",
        ..PLAIN
    },
    Setting {
        key: "retention.days",
        variable: "PROFILER_RETENTION_DAYS",
        default: DefaultValue::Unset { means: "any age", example: "30" },
        meaning: "days since they ended",
        ..PLAIN
    },
    Setting {
        key: "quota.live_runs",
        variable: "PROFILER_QUOTA_LIVE_RUNS",
        default: DefaultValue::Unset { means: NO_BOUND, example: "8" },
        meaning: "runs of one caller that run or wait",
        ..PLAIN
    },
    Setting {
        key: "quota.queued_runs",
        variable: "PROFILER_QUOTA_QUEUED_RUNS",
        default: DefaultValue::Unset { means: NO_BOUND, example: "4" },
        meaning: "runs of one caller that wait; without it 64 in a fleet",
        ..PLAIN
    },
    Setting {
        key: "quota.hour_sec",
        variable: "PROFILER_QUOTA_HOUR_SEC",
        kind: Kind::Number(LEAST_SEC, MAX_SEC),
        default: DefaultValue::Unset { means: NO_BOUND, example: "1200.0" },
        meaning: "seconds that the runs of one caller take in any hour",
        ..PLAIN
    },
    Setting {
        key: "quota.kept_mb",
        variable: "PROFILER_QUOTA_KEPT_MB",
        default: DefaultValue::Unset { means: NO_BOUND, example: "64" },
        meaning: "MiB of one caller's kept runs, from which on it has to delete some",
        ..PLAIN
    },
    Setting {
        key: "quota.run_sec",
        variable: "PROFILER_QUOTA_RUN_SEC",
        kind: Kind::Number(LEAST_SEC, MAX_SEC),
        default: DefaultValue::Unset { means: NO_BOUND, example: "300.0" },
        meaning: "seconds of a run from its turn on; then it ends as `deadline`",
        ..PLAIN
    },
    Setting {
        key: "identity.tls_cert",
        variable: "PROFILER_TLS_CERT",
        option: Some("--tls-cert"),
        kind: Kind::Path,
        default: DefaultValue::Unset {
            means: "TCP is plain text",
            example: "\"/etc/swiftprof/cert.pem\"",
        },
        meaning: "the server's certificate with its chain, in PEM; TCP then has TLS",
        ..PLAIN
    },
    Setting {
        key: "identity.tls_key",
        variable: "PROFILER_TLS_KEY",
        option: Some("--tls-key"),
        kind: Kind::Path,
        default: DefaultValue::Unset { means: "no key", example: "\"/etc/swiftprof/key.pem\"" },
        meaning: "the key of the certificate, in PEM",
        ..PLAIN
    },
    Setting {
        key: "identity.tls_client_ca",
        variable: "PROFILER_TLS_CLIENT_CA",
        option: Some("--tls-client-ca"),
        kind: Kind::Path,
        default: DefaultValue::Unset {
            means: "no client certificates",
            example: "\"/etc/swiftprof/clients.pem\"",
        },
        meaning: "authorities in PEM whose certificates name callers",
        ..PLAIN
    },
    Setting {
        key: "identity.tokens",
        variable: "PROFILER_TOKENS",
        option: Some("--tokens"),
        kind: Kind::Path,
        default: DefaultValue::Unset {
            means: "no tokens",
            example: "\"/etc/swiftprof/tokens.toml\"",
        },
        meaning: "file of tokens that name callers",
        ..PLAIN
    },
    Setting {
        key: "identity.insecure",
        variable: "PROFILER_INSECURE",
        option: Some("--insecure"),
        kind: Kind::Flag,
        default: DefaultValue::Value("false"),
        meaning: "serve other hosts without TLS or identity",
        ..PLAIN
    },
    Setting {
        key: "identity.admins",
        variable: "PROFILER_ADMINS",
        kind: Kind::Callers,
        default: DefaultValue::Unset {
            means: "root and the user of the server",
            example: "[\"uid 1000\"]",
        },
        meaning: "certificates and users who see everybody's runs",
        ..PLAIN
    },
    Setting {
        key: "identity.x_caller",
        variable: "PROFILER_X_CALLER",
        kind: Kind::Callers,
        default: DefaultValue::Unset {
            means: "root and the user of the server",
            example: "[\"token gateway\"]",
        },
        meaning: "callers whose `x-caller` counts",
        ..PLAIN
    },
    Setting {
        key: "identity.socket_mode",
        variable: "PROFILER_SOCKET_MODE",
        option: Some("--socket-mode"),
        kind: Kind::Mode,
        default: DefaultValue::Unset { means: "0660", example: "\"0660\"" },
        meaning: "permissions of a socket file",
        ..PLAIN
    },
    Setting {
        key: "identity.socket_group",
        variable: "PROFILER_SOCKET_GROUP",
        option: Some("--socket-group"),
        kind: Kind::Name,
        default: DefaultValue::Unset {
            means: "the group of the process",
            example: "\"swiftprof\"",
        },
        meaning: "group of a socket file, by its name or number",
        ..PLAIN
    },
    Setting {
        key: "defaults.sandbox_timeout_sec",
        variable: "SANDBOX_TIMEOUT_SEC",
        kind: Kind::Number(MIN_TIMEOUT.as_secs_f64(), MAX_TIMEOUT.as_secs_f64()),
        default: DefaultValue::Value("2.0"),
        reloads: true,
        meaning: "seconds of one run of the program",
        ..PLAIN
    },
    Setting {
        key: "defaults.sandbox_mem_mb",
        variable: "SANDBOX_MEM_MB",
        kind: Kind::Count(MIN_MEMORY_MB as i64, MAX_MEMORY_MB as i64),
        default: DefaultValue::Value("512"),
        reloads: true,
        meaning: "MiB of one run of the program",
        ..PLAIN
    },
    Setting {
        key: "defaults.input_scales",
        variable: "INPUT_SCALES",
        kind: Kind::Sizes,
        default: DefaultValue::Value("[1000, 5000, 10000, 50000, 100000]"),
        reloads: true,
        meaning: "sizes that are measured",
        ..PLAIN
    },
    Setting {
        key: "defaults.extra_corner_cases",
        variable: "EXTRA_CORNER_CASES",
        kind: Kind::Sizes,
        default: DefaultValue::Value("[0, 1]"),
        reloads: true,
        meaning: "sizes that are measured before these",
        ..PLAIN
    },
    Setting {
        key: "defaults.growth_share",
        variable: "GROWTH_SHARE",
        kind: Kind::Number(0.0, MAX_GROWTH_TIME_SHARE),
        default: DefaultValue::Value("0.25"),
        reloads: true,
        meaning: "share of a job's own time that counting for growth takes on top",
        ..PLAIN
    },
];

impl Setting {
    /// The names of the tables, and the name in the last of them.
    pub(super) fn path(&self) -> (Option<&'static str>, &'static str) {
        match self.key.split_once('.') {
            Some((table, name)) => (Some(table), name),
            None => (None, self.key),
        }
    }

    /// The value in a parsed file, if it has one.
    pub(super) fn find<'a>(&self, root: &'a toml::Table) -> Option<&'a toml::Value> {
        match self.path() {
            (None, name) => root.get(name),
            (Some(table), name) => root.get(table)?.get(name),
        }
    }
}
