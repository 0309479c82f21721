//! Forms for continuous integration. They hold one run, or the runs of several programs.

mod finding;
mod github;
mod junit;
mod sarif;
#[cfg(test)]
mod tests;

use crate::ending::Run;
use crate::error::Error;

/// A form for continuous integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiForm {
    /// JUnit's XML: a suite for each program, and a case for each of its steps and sizes.
    Junit,
    /// SARIF 2.1.0: a result for each finding.
    Sarif,
    /// Annotations of GitHub Actions: one for each finding.
    Github,
}

/// Writes the runs in one of the forms.
///
/// # Errors
/// If the document cannot be written as JSON.
pub fn ci_document(runs: &[Run<'_>], form: CiForm) -> Result<Vec<u8>, Error> {
    Ok(match form {
        CiForm::Junit => junit::document(runs).into_bytes(),
        CiForm::Sarif => sarif::document(runs)?,
        CiForm::Github => github::annotations(runs).into_bytes(),
    })
}
