//! Single runs, and those of the build with sanitizers.

use super::side_limits::wall_limited;
use super::{InputOf, MeasureSession};
use crate::error::SandboxFault;
use crate::limits::{SANITIZED_BYTES, SANITIZED_MEMORY};
use runner_protocol::{Execution, Limits, Run, Subject, Variant, Written};
use std::time::Duration;

impl MeasureSession<'_> {
    /// Runs the build with sanitizers once, for at most `within` of wall clock.
    pub(crate) async fn sanitized(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<(Execution, Written), SandboxFault> {
        let run = self.on(input).await?;
        let limits = Limits {
            resident_bytes: sanitized_bytes(run.limits.resident_bytes),
            // AddressSanitizer reserves 16 TiB of address space.
            address_space_bytes: u64::MAX,
            ..wall_limited(run.limits, within)
        };
        let run = Run { subject: Subject::Build(Variant::Sanitized), limits, ..run };
        self.single(run, within).await
    }

    /// Makes one run.
    pub(super) async fn single(
        &mut self,
        run: Run,
        within: Duration,
    ) -> Result<(Execution, Written), SandboxFault> {
        let ran = self.batch(run, within).await?;
        let lost = || SandboxFault::Lost("a run was not made".into());
        Ok((ran.repetitions.into_iter().next().ok_or_else(lost)?, ran.written))
    }
}

/// Returns the memory limit of a run with sanitizers, if the program's own is `memory_bytes`.
pub(crate) fn sanitized_bytes(memory_bytes: u64) -> u64 {
    memory_bytes.saturating_mul(SANITIZED_MEMORY).saturating_add(SANITIZED_BYTES)
}
