//! The arguments of `runs`.

use super::value::DEFAULT_LISTEN;
use super::{CredentialArgs, DocumentArgs, Progress, ResultFormat};
use clap::{Args, Subcommand};

/// A server, and what to do with its runs.
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) action: Action,
    /// Server: https://HOST:PORT, http://HOST:PORT or unix:PATH
    #[arg(long, global = true, default_value_t = format!("http://{DEFAULT_LISTEN}"))]
    #[arg(value_name = "URL")]
    pub(crate) endpoint: String,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// List the runs, the newest first
    List(ListArgs),
    /// Print the result of a run, or its state while it is live
    Show(ShowArgs),
    /// Follow a run until it ends, and print its result
    Watch(WatchArgs),
    /// Cancel a run
    Cancel(CancelArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Largest number of runs
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    pub(crate) limit: usize,
    /// Format of the list
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ResultFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Id of the run, as `runs list` prints it
    #[arg(value_name = "RUN")]
    pub(crate) run_id: String,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) progress: Progress,
}

#[derive(Debug, Args)]
pub(crate) struct CancelArgs {
    /// Id of the run, as `runs list` prints it
    #[arg(value_name = "RUN")]
    pub(crate) run_id: String,
}
