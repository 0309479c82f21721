//! `input`: writes the input of a spec, proposes a spec for samples, and explains specs. `init`
//! writes a spec to edit.

mod confirm;
mod explain;
mod infer;
mod init;
mod write;

pub(crate) use confirm::confirm;
pub(crate) use init::init;

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};

/// Performs the task that the arguments name. They name exactly one.
pub(crate) async fn input(args: &InputArgs) -> Result<Exit, Failure> {
    match &args.file {
        Some(file) => write::write(file, args).await,
        None if args.kinds => explain::kinds(),
        None if args.schema => explain::schema(),
        None => match &args.example {
            Some(kind) => explain::example(kind),
            None => infer::infer(args),
        },
    }
}
