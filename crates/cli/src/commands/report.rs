//! `report`: prints a saved report in another format.

use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output::Documents;
use crate::saved_report;

/// Writes the documents of a saved report.
pub(crate) fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let ending = saved_report::read(&args.file)?;
    Documents::open(&args.document)?.write(&ending, None)?;
    Ok(Exit::Done)
}
