//! Maps a request to a job, or to the list of all its violations.

mod defaults;

pub use defaults::Defaults;

use profiler_core::error::Violations;
use profiler_core::job::{Draft, Job};
use profiler_proto::v1;
use std::mem;

/// Precision that the command line and the agents' tools ask for, because their callers wait for
/// the result.
pub const BRIEF_PRECISION: f64 = 0.1;
/// Maximum length, in bytes, of `request_id` and `same_pool_as` in a request.
pub const MAX_REQUEST_ID_BYTES: usize = 128;

/// Converts a request to a job. The server's defaults replace absent fields.
///
/// # Errors
/// Returns the violations of the wire format together with those that [`Job`] finds.
pub fn job(mut request: v1::Job, defaults: &Defaults) -> Result<Job, Violations> {
    let source = request.code.as_mut().map(|code| mem::take(&mut code.code_cpp));
    job_of(request, source.unwrap_or_default().into_bytes(), defaults)
}

/// Makes a job like [`job`], from a source that need not be UTF-8.
pub fn job_of(request: v1::Job, source: Vec<u8>, defaults: &Defaults) -> Result<Job, Violations> {
    let mut bad = Violations::default();
    refuse(&request, &mut bad);
    let mut draft = Draft { request, source, growth_share: None };
    defaults.apply(&mut draft);
    match bad.keep(Job::try_from(draft)) {
        Some(job) => bad.or(job),
        None => Err(bad),
    }
}

/// Checks the fields that a [`Job`] does not have.
fn refuse(request: &v1::Job, bad: &mut Violations) {
    let value = request.on_disconnect;
    let is_known = v1::OnDisconnect::try_from(value).is_ok();
    bad.check(is_known, "on_disconnect", || format!("unknown value {value}"));
    // Only a fleet has more than one pool, and its gateway reads `same_pool_as` from the message.
    for (field, id) in
        [("request_id", &request.request_id), ("same_pool_as", &request.same_pool_as)]
    {
        bad.check(id.len() <= MAX_REQUEST_ID_BYTES, field, || {
            format!("must have at most {MAX_REQUEST_ID_BYTES} bytes, not {}", id.len())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::limits::MOST_REPETITIONS;
    use profiler_proto::options::{Kind, of_field};
    use profiler_statistics::KNOWN_SHARE;

    fn job_of_one() -> v1::Job {
        let code_cpp = "int main() {}".to_owned();
        let code = v1::CodeMessage { task_id: "t".into(), code_cpp, ..v1::CodeMessage::default() };
        v1::Job { code: Some(code), input_sizes: vec![1], ..v1::Job::default() }
    }

    fn refused(wire: v1::Job) -> Vec<String> {
        let bad = job(wire, &Defaults::default()).unwrap_err();
        bad.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn declared_ranges_are_those_of_the_measuring() {
        let kind = |field| &of_field(field).unwrap().kind;
        let Kind::Count { range, .. } = kind("repetitions") else { panic!() };
        assert_eq!(range, &(1..=MOST_REPETITIONS));
        let Kind::Number { range, .. } = kind("precision") else { panic!() };
        assert_eq!(range, &(KNOWN_SHARE..=1.0));
    }

    #[test]
    fn declared_range_and_exclusion_are_refused_by_their_fields() {
        let (stdout_bytes, repetitions) = (4097, Some(0));
        let wire = v1::Job { stdout_bytes, repetitions, precision: Some(0.1), ..job_of_one() };
        assert_eq!(
            refused(wire),
            [
                "stdout_bytes: must be from 0 to 4096, not 4097",
                "repetitions: must be from 1 to 100, not 0",
                "precision: cannot be used with repetitions",
            ]
        );
    }

    #[test]
    fn runs_of_the_program_alone_are_refused_with_an_interactor() {
        let interactor = v1::Interactor { code_cpp: "int main() {}".into(), ..Default::default() };
        let wire = v1::Job {
            interactor: Some(interactor),
            debug: true,
            instructions: true,
            allocations: true,
            advice: true,
            ..job_of_one()
        };
        let said = ["debug", "instructions", "allocations", "advice"];
        let said = said.map(|field| format!("{field}: cannot be used with interactor"));
        assert_eq!(refused(wire), said);
    }

    #[test]
    fn input_seed_is_added_to_that_of_each_spec() {
        let inputs = |seed, input_seed| {
            let layout = vec![v1::Layout { kind: Some(v1::layout::Kind::Literal("1".into())) }];
            let input_specs = vec![v1::InputSpec { seed, layout, ..v1::InputSpec::default() }];
            let wire = v1::Job { input_specs, input_seed, ..job_of_one() };
            job(wire, &Defaults::default()).unwrap().inputs
        };
        assert_eq!(inputs(3, 5), inputs(8, 0));
        assert_eq!(inputs(u32::MAX, 1), inputs(0, 0));
        assert_ne!(inputs(3, 5), inputs(3, 0));
    }

    #[test]
    fn comparison_of_two_programs_has_no_search_and_no_advice() {
        let against = v1::OtherProgram { code_cpp: "int main() {}".into(), ..Default::default() };
        let wire = v1::Job { against: Some(against), advice: true, ..job_of_one() };
        assert_eq!(refused(wire), ["advice: cannot be used with against"]);
    }
}
