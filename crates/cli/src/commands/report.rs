//! `report`: prints a saved report in another format, and checks it.

use super::compare::check::Checks;
use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output::Documents;
use crate::saved_report;

/// Writes the documents of a saved report.
pub(crate) fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let checks = Checks::open(&args.check)?;
    let ending = saved_report::read(&args.file)?;
    Documents::open(&args.document)?.write(&ending, None)?;
    let findings = checks.apply(&ending);
    findings.print();
    Ok(findings.exit)
}
