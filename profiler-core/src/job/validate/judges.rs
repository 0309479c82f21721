//! Checks of checkers, validators, generators and references, and sources with testlib.h.

use crate::error::Violations;
use crate::job::options::NOTHING_TO_JUDGE;
use crate::job::testlib::{TESTLIB_FLAGS, with_testlib};
use crate::job::{Options, OtherProgram};
use crate::limits::MAX_SOURCE_BYTES;
use profiler_input::InputSpec;
use profiler_proto::v1::{self, CheckerProgram, TestCase};

impl Violations {
    /// Checks a checker.
    pub(super) fn checker_program(
        &mut self,
        given: CheckerProgram,
        cases: &[TestCase],
        options: &Options,
    ) -> Option<OtherProgram> {
        let field = "checker_program";
        let has_answers = !cases.is_empty() || options.check_sizes;
        self.check(has_answers, field, || NOTHING_TO_JUDGE.into());
        let has_digest = cases.iter().any(|case| !case.output_words_sha256.is_empty());
        self.check(!has_digest, field, || {
            "cannot be used with output_words_sha256 of a test case".into()
        });
        self.judge_program(field, given)
    }

    /// Checks a validator.
    pub(super) fn validator_program(
        &mut self,
        given: CheckerProgram,
        has_inputs: bool,
    ) -> Option<OtherProgram> {
        let field = "validator_program";
        self.check(has_inputs, field, || "requires test cases, inputs or an input spec".into());
        self.judge_program(field, given)
    }

    /// Checks a reference.
    pub(super) fn reference(
        &mut self,
        given: v1::OtherProgram,
        check_sizes: bool,
    ) -> Option<OtherProgram> {
        let field = "reference";
        self.check(check_sizes, field, || "requires check_sizes".into());
        self.other_program(field, given)
    }

    /// Checks the generator of the spec with index `at`. `None` if the spec has none.
    pub(crate) fn generator(&mut self, at: usize, spec: &InputSpec) -> Option<OtherProgram> {
        let InputSpec { generator, testlib_h, .. } = spec;
        if generator.is_empty() {
            return None;
        }
        let (field, before) = (format!("input_specs[{at}]"), self.len());
        self.source(&format!("{field}.generator"), generator.as_bytes());
        if self.len() > before {
            return None;
        }
        let (code_cpp, testlib_h) = (generator.clone(), testlib_h.clone());
        let program = CheckerProgram { code_cpp, testlib_h, ..CheckerProgram::default() };
        self.judge_program(&field, program)
    }

    /// Checks a program, and makes testlib.h a part of its source.
    fn judge_program(&mut self, field: &str, given: CheckerProgram) -> Option<OtherProgram> {
        let CheckerProgram { code_cpp, compiler_flags, testlib_h } = given;
        self.check(testlib_h.len() <= MAX_SOURCE_BYTES, &format!("{field}.testlib_h"), || {
            format!("must have at most {MAX_SOURCE_BYTES} bytes, not {}", testlib_h.len())
        });
        if testlib_h.is_empty() {
            return self.single_source(field, code_cpp, compiler_flags);
        }
        let has_flags = !compiler_flags.is_empty();
        let flags = if has_flags { compiler_flags } else { TESTLIB_FLAGS.map(String::from).into() };
        let program = self.single_source(field, code_cpp, flags)?;
        let source = with_testlib(&String::from_utf8_lossy(&program.source), &testlib_h);
        Some(OtherProgram { source: source.into_bytes(), ..program })
    }
}
