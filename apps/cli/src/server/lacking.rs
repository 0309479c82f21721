//! Placeholder for servers, in a build without the feature `service`.

use crate::args::JobArgs;
use crate::exit::Failure;

/// Server, which this build cannot ask.
pub(crate) enum Server {}

impl Server {
    /// The server that a job names, if it names one.
    pub(crate) fn of_job(args: &JobArgs) -> Result<Option<Self>, Failure> {
        match args.endpoint {
            Some(_) => Err(Failure::argument("--endpoint", "this build lacks the client")),
            None => Ok(None),
        }
    }
}
