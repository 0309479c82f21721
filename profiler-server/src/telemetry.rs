//! Telemetry of the server for an operator: [log lines](logging), and metrics that Prometheus
//! scrapes. Nothing here runs on a measured core, and nothing is written between the repetitions of
//! a size.

pub(crate) mod calls;
mod json_lines;
pub mod logging;
pub(crate) mod metrics;
pub(crate) mod run_record;
pub(crate) mod scrape;
#[cfg(feature = "otlp")]
pub mod traces;
