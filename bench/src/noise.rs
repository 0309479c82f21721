//! The differences of one program's figures from job to job.

pub(crate) mod estimators;
pub(crate) mod jobs;
pub(crate) mod outside;
pub(crate) mod samples;
