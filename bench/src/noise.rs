//! How far the figures of one program differ from job to job.

pub(crate) mod estimators;
pub(crate) mod jobs;
pub(crate) mod samples;
