//! `report`: prints a saved report in another format, and checks it.

use super::compare::gate::Gate;
use crate::args::ReportArgs;
use crate::exit::{Exit, Failure};
use crate::output::Documents;
use crate::saved_report;
use profiler_export::Run;

/// Writes the documents of a saved report.
pub(crate) fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let gate = Gate::open(&args.gate)?;
    let ending = saved_report::read(&args.file)?;
    let findings = gate.apply(&ending);
    let run = Run { checks: &findings.checks, ..Run::from(&ending) };
    Documents::open(&args.document)?.write(run)?;
    findings.print();
    Ok(findings.exit)
}
