//! The arguments of `runs`, which asks a server, and of `state`, which opens a server's folder.

use super::serve::DEFAULT_LISTEN;
use crate::args::{CredentialArgs, DocumentArgs, Progress, ResultFormat};
use clap::{ArgGroup, Args, Subcommand};
use std::path::PathBuf;

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
    List {
        /// Maximum number of runs
        #[arg(long, default_value_t = 20, value_name = "COUNT")]
        limit: usize,
        /// Format of the list
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ResultFormat,
    },
    /// Print the result of a run, or its state while it is live
    Show(ShowArgs),
    /// Follow a run until it ends, and print its result
    Watch(WatchArgs),
    /// Cancel a run
    Cancel {
        /// Id of the run, as `runs list` prints it
        #[arg(value_name = "RUN")]
        run_id: String,
    },
    /// Delete ended runs, with all that the server keeps of them
    Delete {
        /// Ids of the runs, as `runs list` prints them
        #[arg(value_name = "RUN", required = true)]
        run_ids: Vec<String>,
    },
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

/// A state folder, and what to do with it.
#[derive(Debug, Args)]
pub(crate) struct StateArgs {
    #[command(subcommand)]
    pub(crate) action: StateAction,
    /// Folder that stores the runs [default: /var/lib/swiftprof for root, else
    /// ~/.local/state/swiftprof]
    #[arg(long, global = true, value_name = "DIR", env = "PROFILER_STATE_DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateAction {
    /// Print the size of the runs and of the files
    Du {
        /// Format of the sizes
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: ResultFormat,
    },
    /// Delete the oldest ended runs beyond a bound
    #[command(group(ArgGroup::new("bound").required(true).multiple(true)))]
    Prune {
        /// Maximum number of ended runs to keep
        #[arg(long, value_name = "COUNT", group = "bound")]
        runs: Option<u32>,
        /// Maximum size of their events, in MiB
        #[arg(long, value_name = "MIB", group = "bound")]
        mb: Option<u64>,
        /// Keep the runs that ended in the last DAYS days
        #[arg(long, value_name = "DAYS", group = "bound")]
        days: Option<u32>,
        /// Delete nothing, and print what would be deleted
        #[arg(long)]
        dry_run: bool,
    },
    /// Copy all runs, as they are at one moment, to a new file
    Backup {
        /// File to write; it must not exist
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Read everything, and report what is wrong
    Verify,
    /// Write each run to a file of JSON lines: the run, then its events
    Export {
        /// Folder for the files
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Id of the only run to write
        #[arg(long = "run", value_name = "RUN")]
        run_id: Option<String>,
    },
}
