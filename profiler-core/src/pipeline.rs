//! The way of the data.
use crate::error::SandboxError;
use crate::job::Job;
use crate::report::ProfileReport;
use crate::run::{Events, Stopped};
use crate::sandbox::Pool;
pub(crate) async fn profile(
    _: &Job,
    _: &Pool,
    _: &mut Events,
    _: &mut Stopped,
) -> Result<ProfileReport, SandboxError> {
    std::future::pending().await
}
