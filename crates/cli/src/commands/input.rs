//! `input`: writes the input of a spec, proposes a spec for samples, and explains specs. `init`
//! writes a spec to edit.

mod confirm;
mod explain;
mod infer;
mod init;
mod write;

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
pub(crate) use init::init;
use profiler_core::sandbox::Cores;
use std::path::Path;

/// Does what the arguments ask for. Exactly one of them does.
pub(crate) fn input(args: &InputArgs) -> Result<Exit, Failure> {
    match &args.file {
        Some(file) => write::write(file, args),
        None if args.kinds => explain::kinds(),
        None if args.schema => explain::schema(),
        None => match &args.example {
            Some(kind) => explain::example(kind),
            None => infer::infer(&args.infer),
        },
    }
}

/// Proposes a spec that `program` confirms. It runs on one of `cores`.
pub(crate) async fn confirm(
    program: &Path,
    args: &InputArgs,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    confirm::confirm(program, args, cores).await
}
