//! The arguments of commands that write files.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Folder for the files
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Folder for the files
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
