//! The programs of a stress test, and what judges their answers.

use crate::error::SandboxFault;
use crate::limits::MAX_CHECKED_BYTES;
use crate::measure::answer::Answer;
use crate::measure::program_session::ProgramSession;
use crate::measure::test_cases::Ruling;
use futures::future::try_join_all;
use profiler_proto::v1::{Checker, SanitizerFinding};
use profiler_search::Genome;
use std::time::{Duration, Instant};

/// Divisor. Runs with sanitizers take at most this part of the time.
const FOR_SANITIZERS: u32 = 4;
/// Time that runs with sanitizers may always take.
const LEAST_FOR_SANITIZERS: Duration = Duration::from_secs(1);

/// Kinds of errors that sanitizers can cause themselves, because they take more stack and memory
/// than the program. The program has just ended OK without them.
const CAUSED: [&str; 2] = ["stack-overflow", "out-of-memory"];

/// The programs of a stress test, all compiled, and what judges their answers.
///
/// The answers of two programs are compared as the options of the first program's job say, unless
/// there is a checker. Without a second program, the checker's file of the expected output is
/// empty. A checker that needs an answer fails, and does not accept every output.
pub struct Contestants<'a> {
    /// The program in doubt, and the program to check it against, if there is one.
    pub programs: Vec<&'a mut ProgramSession>,
    /// A checker of the first program's outputs.
    pub checker: Option<&'a mut ProgramSession>,
    /// The first program, built with sanitizers.
    pub sanitized: Option<&'a mut ProgramSession>,
    /// Whether the words of the first program's outputs must be sorted.
    pub must_sort: bool,
    /// The generators of the inputs, all compiled, at the places of their candidates.
    pub generators: Vec<Option<&'a mut ProgramSession>>,
}

/// Fault of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Complaint {
    /// A program failed, or the two answers differ.
    Differ,
    /// The judge of the outputs rejects the first program's; this is what it says.
    Rejected(String),
    /// A sanitizer found an error of the first program.
    Sanitizer(SanitizerFinding),
}

impl Complaint {
    /// Whether two complaints are of one kind. Errors that sanitizers find are of several kinds.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sanitizer(one), Self::Sanitizer(two)) => one.kind == two.kind,
            (Self::Differ, Self::Differ) | (Self::Rejected(_), Self::Rejected(_)) => true,
            _ => false,
        }
    }
}

impl<'a> From<[&'a mut ProgramSession; 2]> for Contestants<'a> {
    fn from(programs: [&'a mut ProgramSession; 2]) -> Self {
        let (programs, generators) = (programs.into(), Vec::new());
        Self { programs, checker: None, sanitized: None, must_sort: false, generators }
    }
}

impl Contestants<'_> {
    /// Runs the generator of a genome's candidate; `None` if there is none. The error is the
    /// generator's fault.
    pub(super) async fn generate(
        &mut self,
        n: u64,
        genome: &Genome,
    ) -> Result<Option<Result<Vec<u8>, String>>, SandboxFault> {
        match self.generators.get_mut(genome.candidate) {
            Some(Some(generator)) => generator.generate(n, genome.seed).await.map(Some),
            _ => Ok(None),
        }
    }

    /// Runs all programs on an input at the same time, and returns their answers.
    pub(super) async fn answers(&mut self, input: &[u8]) -> Result<Vec<Answer>, SandboxFault> {
        try_join_all(self.programs.iter_mut().map(|program| program.run(input))).await
    }

    /// Judges the answers to an input. The programs must not have run since. The error is the
    /// checker's fault.
    pub(super) async fn judge(
        &mut self,
        answers: &[Answer],
        input: &[u8],
    ) -> Result<Result<Option<Complaint>, String>, SandboxFault> {
        if !answers.iter().all(Answer::is_ok) {
            return Ok(Ok(Some(Complaint::Differ)));
        }
        let compares_words =
            self.programs.iter().all(|it| it.job.options.checker == Checker::Words);
        if self.checker.is_none() && !self.must_sort && compares_words {
            let [one, others @ ..] = answers else { return Ok(Ok(None)) };
            let agree = others.iter().all(|other| one.agrees_with(other));
            return Ok(Ok((!agree).then_some(Complaint::Differ)));
        }
        let mut outputs = Vec::new();
        for (program, answer) in self.programs.iter_mut().zip(answers) {
            let bytes = answer.written.stdout_bytes;
            if bytes > MAX_CHECKED_BYTES {
                let problem = format!("an output has more than {MAX_CHECKED_BYTES} bytes");
                return Ok(Err(problem));
            }
            outputs.push(program.output(bytes).await?);
        }
        let [output, others @ ..] = &outputs[..] else { return Ok(Ok(None)) };
        if self.must_sort && !is_sorted(output) {
            return Ok(Ok(Some(Complaint::Rejected("the output is not sorted".into()))));
        }
        let rejected = if let Some(checker) = &mut self.checker {
            let expected = others.first().map_or(&[][..], Vec::as_slice);
            checker.check([input, output, expected]).await?
        } else if let (Some(program), Some(expected)) = (self.programs.first(), others.first()) {
            Ruling::of_words([output, expected], &program.job.options).rejection()
        } else {
            Ok(None)
        };
        Ok(rejected.map(|said| said.map(Complaint::Rejected)))
    }
}

/// Runs of the first program with sanitizers, within their part of the time.
#[derive(Debug, Clone, Default)]
pub(super) struct SanitizedRuns {
    took: Duration,
    /// Number of inputs on which the sanitizers found an error, or the program ended well.
    pub(super) count: u32,
}

impl SanitizedRuns {
    /// Runs the first program with sanitizers on an input, if there is time for it in a search that
    /// has taken `so_far`.
    pub(super) async fn run(
        &mut self,
        contestants: &mut Contestants<'_>,
        input: &[u8],
        so_far: Duration,
    ) -> Result<Option<Complaint>, SandboxFault> {
        let Some(program) = &mut contestants.sanitized else { return Ok(None) };
        if self.took > LEAST_FOR_SANITIZERS.max(so_far / FOR_SANITIZERS) {
            return Ok(None);
        }
        let begun = Instant::now();
        let found = program.run_sanitized(input).await?;
        self.took += begun.elapsed();
        // A run that failed without a finding says nothing: a program can make its sanitizers fail.
        let is_judged = found.as_ref().err().is_none_or(|ending| ending.is_success());
        self.count += u32::from(is_judged);
        let own = |it: &SanitizerFinding| !CAUSED.contains(&it.kind.as_str());
        Ok(found.ok().filter(own).map(Complaint::Sanitizer))
    }
}

/// Whether the words of an output do not decrease: as numbers if all are integers or all are
/// decimals, else as bytes.
fn is_sorted(output: &[u8]) -> bool {
    let words = || output.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<i128>().ok();
    if let Some(numbers) = words().map(number).collect::<Option<Vec<_>>>() {
        return numbers.is_sorted();
    }
    let decimal = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<f64>().ok();
    match words().map(decimal).collect::<Option<Vec<_>>>() {
        Some(decimals) => decimals.is_sorted(),
        None => words().is_sorted(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_words_are_integers_or_texts() {
        for (output, expected) in [
            ("", true),
            ("2\n10 10", true),
            ("10 2", false),
            ("-3 -2", true),
            ("2.5 10.0", true),
            ("10.0 2.5", false),
            ("10 2 a", true),
            ("b a", false),
        ] {
            assert_eq!(is_sorted(output.as_bytes()), expected, "{output:?}");
        }
    }
}
