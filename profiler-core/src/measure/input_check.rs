//! Checks whether the input holds all that the program reads, and no more, by an experiment at one
//! small size: the program runs on its input, on a continuation of its input, and on a declared
//! input without its end. None of these runs is timed.
//!
//! A program can tell that it is counted, and knows the small sizes. So if its input is n alone, it
//! also runs on a continued input of a measured size, uncounted.

mod cuts;
mod judgement;
pub(crate) mod opened_file;
pub(crate) mod trial;

use crate::error::SandboxFault;
use crate::job::{Inputs, Job, Point};
use crate::limits::{INPUT_CHECK_TIMEOUT, MAX_CHECKED_INPUT_BYTES};
use crate::measure::session::{InputOf, MeasureSession};
use judgement::{Cut, Finding, Runs, Seen};
use opened_file::{opened_file, written_file};
use profiler_proto::v1::{InputCheck, InputExperiment, InputUse};
use runner_protocol::{Counted, Ending};
use tokio::task::spawn_blocking;

/// The sizes that are tried if every size has an input. Both are small enough for an exponential
/// program on its continued input, and the second also for a factorial program.
const SIZES: [u64; 2] = [24, 4];
/// Bound of the term n³ in the number of words in the near part. The term is for programs that read
/// n³ words.
const CUBE: u64 = 24 * 24 * 24;
/// Word that fills the near part, the beginning of each continuation. Most programs can read this
/// word as whatever they lack: a number, a count, an index, a string, or a line of a grid.
const NEAR: &str = "1\n";
/// Another word, so long that reading it takes visibly more work than reading [`NEAR`].
const OTHER: &str = "9999999999999999999999999999999999999999\n";
/// A word as long as [`NEAR`], with a different digit.
const DIGIT: &str = "7\n";
/// Words that fill the far part, which follows the near part. They change the result of every
/// program that reads to the end, even if only the smallest, the middle, the most frequent or the
/// last word matters.
const FAR: &str = "31\n2\n31\n5\n-4\n31\n300\n";
const FAR_WORDS: u32 = 7;
/// Number of words in the far part, as a multiple of the number in the near part.
const FAR_TIMES: u32 = 3;
/// Maximum number of words in the near part, so that both parts stay within their limit of bytes.
const MAX_NEAR: u32 = 300_000;

/// Maximum number of cuts that are tried to find where the unread end of an input begins. Each cut
/// halves the range in question, so these are enough for thousands of words.
const MAX_CUTS: u32 = 12;

/// Number of times that the runs on the input and on the near part are repeated before a program is
/// said to lack input. Work that depends on a clock or on random numbers is rarely the same so
/// often.
const CONFIRMATIONS: u32 = 2;

/// Texts that continue the input of a run, each with the number of its repetitions.
type Continuation = [(&'static str, u32)];

/// Finds out whether the input holds all that the program reads; `None` for an interactive task, in
/// which the interactor has the input.
pub(crate) async fn check(
    session: &mut MeasureSession<'_>,
) -> Result<Option<InputCheck>, SandboxFault> {
    if session.job.interactor.is_some() {
        return Ok(None);
    }
    if let Some(check) = other_file(session).await? {
        return Ok(Some(check));
    }
    session.place_counter().await?;
    let mut check = InputCheck { input_use: InputUse::Unknown.into(), ..InputCheck::default() };
    for point in points(session.job) {
        let (input_use, unread_bytes) = Experiment::at(session, point).run().await?;
        check = InputCheck { input_use: input_use.into(), size: point.size, unread_bytes, ..check };
        if check.input_use() != InputUse::Unknown {
            break;
        }
    }
    if check.input_use() != InputUse::Starved
        && let Some(point) = measured_point(session.job)
        && Experiment::at(session, point).lacks_input_uncounted().await?
    {
        let input_use = InputUse::Starved.into();
        check = InputCheck { input_use, size: point.size, unread_bytes: None, ..check };
    }
    Ok(Some(check))
}

/// Finds out whether the program reads nothing of its input, and opens a file instead. One run
/// shows it: a program that reads moves the position of stdin. `None` if the program reads its
/// input, or if the job does not ask early.
async fn other_file(session: &mut MeasureSession<'_>) -> Result<Option<InputCheck>, SandboxFault> {
    let job = session.job;
    if job.options.input_experiment != InputExperiment::First || job.options.files.input.is_some() {
        return Ok(None);
    }
    let (Some(opened), Some(point)) = (job.sources().find_map(opened_file), points(job).pop())
    else {
        return Ok(None);
    };
    let (execution, _) = session.run(InputOf::Point(point), INPUT_CHECK_TIMEOUT).await?;
    let is_fed = session.fed().is_some_and(|fed| fed.bytes > 0);
    session.forget_input();
    // A program that was stopped might have read later.
    let has_ended = !matches!(execution.ending, Ending::Stopped(_));
    Ok((is_fed && has_ended && execution.sample.stdin_position == 0).then(|| InputCheck {
        input_use: InputUse::Starved.into(),
        size: point.size,
        opened_file: Some(opened),
        written_file: job.sources().find_map(written_file),
        ..InputCheck::default()
    }))
}

/// The sizes to try, in this order. All candidates have the same format, so the first one
/// represents them.
fn points(job: &Job) -> Vec<Point> {
    let requested = job.sizes.requested();
    let largest = requested.last().copied().unwrap_or(0);
    let has_input = |size: u64| match &job.inputs {
        Inputs::Size => true,
        Inputs::Explicit(_) => false,
        Inputs::Described(candidates) => candidates.reach(size),
    };
    let mut sizes: Vec<u64> = SIZES.into();
    sizes.retain(|&size| size <= largest && has_input(size));
    if sizes.is_empty() {
        let small = requested.iter().find(|&&size| size > 1);
        sizes.extend(small.or(requested.last()));
    }
    sizes.into_iter().map(|size| Point { size, candidate: 0 }).collect()
}

/// The smallest measured size above [`SIZES`], or the largest one below, if the input is n alone.
/// It is never the largest size: nothing may run on that before it is counted.
fn measured_point(job: &Job) -> Option<Point> {
    let (_, smaller) = job.sizes.requested().split_last()?;
    let above = smaller.iter().find(|&&size| size > SIZES[0]);
    let size = above.or_else(|| smaller.iter().rfind(|size| !SIZES.contains(size)))?;
    matches!(job.inputs, Inputs::Size).then_some(Point { size: *size, candidate: 0 })
}

/// Experiment at one size.
struct Experiment<'a, 'b> {
    session: &'a mut MeasureSession<'b>,
    point: Point,
    /// Number of words in the near part.
    near: u32,
    /// Whether the program's instructions can be counted.
    counts: bool,
}

impl<'a, 'b> Experiment<'a, 'b> {
    fn at(session: &'a mut MeasureSession<'b>, point: Point) -> Self {
        let n = point.size;
        let squares = n.saturating_mul(n).max(n.saturating_pow(3).min(CUBE));
        let words = squares.saturating_add(n.saturating_mul(16)).saturating_add(64);
        let near = u32::try_from(words).map_or(MAX_NEAR, |words| words.min(MAX_NEAR));
        Self { session, point, near, counts: true }
    }

    /// Returns how the program uses its input, and how many bytes at the end of the input it does
    /// not read.
    async fn run(mut self) -> Result<(InputUse, Option<u64>), SandboxFault> {
        let given = self.see(&[]).await?;
        // An input that is too long to be copied is too long for a small experiment.
        if self.session.fed().is_none_or(|fed| fed.bytes > MAX_CHECKED_INPUT_BYTES) {
            return Ok((InputUse::Unknown, None));
        }
        let input_use = self.continued(given.clone()).await?;
        let unread = match input_use {
            InputUse::Enough => self.unread(&given).await?,
            _ => None,
        };
        self.session.forget_input();
        Ok((input_use, unread))
    }

    /// Whether the program lacks input, by what it writes in runs that are not counted.
    async fn lacks_input_uncounted(mut self) -> Result<bool, SandboxFault> {
        self.counts = false;
        let given = self.see(&[]).await?;
        if !given.is_ok() || self.see(&far(self.near)).await?.wrote_like(&given) {
            return Ok(false);
        }
        Ok(self.continued(given).await? == InputUse::Starved)
    }

    /// Judges the effect of continuing the input of the run `given`.
    async fn continued(&mut self, given: Seen) -> Result<InputUse, SandboxFault> {
        let with_near = self.see(&[(NEAR, self.near)]).await?;
        if !given.is_ok() && !with_near.is_ok() {
            return Ok(InputUse::Unknown);
        }
        let far = self.see(&far(self.near)).await?;
        let runs = Runs { given, near: with_near, far };
        let mut finding = runs.judge();
        for _ in 0..CONFIRMATIONS {
            if !matches!(finding, Finding::Settled(_)) {
                let again = [self.see(&[]).await?, self.see(&[(NEAR, self.near)]).await?];
                finding = runs.repeated(finding, &again);
            }
        }
        match finding {
            // The first run may have been stopped only because the host was busy.
            Finding::Settled(InputUse::Starved) if self.see(&[]).await?.is_ok() => {
                return Ok(InputUse::Unknown);
            }
            Finding::Settled(input_use) => return Ok(input_use),
            Finding::StarvedByOutput | Finding::StarvedByWork => return Ok(InputUse::Starved),
            Finding::StarvedIfWordsMatter | Finding::StarvedIfDigitsMatter => {}
        }
        let by_digits = runs.judge_digits(&self.see(&[(DIGIT, self.near)]).await?);
        if finding == Finding::StarvedIfDigitsMatter || by_digits == InputUse::Starved {
            return Ok(by_digits);
        }
        Ok(runs.judge_words(&self.see(&[others(self.near)]).await?))
    }

    /// Returns the number of bytes at the end of a declared input that change nothing; `None` if it
    /// is not known. The number is a lower bound, because a program may look at the first byte of a
    /// word that it does not need.
    async fn unread(&mut self, given: &Seen) -> Result<Option<u64>, SandboxFault> {
        let Some(input) = declared_input(self.session.job, self.point).await else {
            return Ok(None);
        };
        let words = cuts::beginnings(&input);
        let Some(&last) = words.last() else { return Ok(Some(0)) };
        let again = self.see(&[]).await?;
        if !again.wrote_like(given) {
            return Ok(None);
        }
        let noise = again.work_from(given);
        let cut = self.see_cut(&input[..last]).await?;
        match cut.after_cut(given, noise) {
            Cut::Missed => Ok(Some(0)),
            Cut::Unread => {
                let unread = self.first_unread(&input, &words, given).await?;
                Ok(Some((input.len() - unread) as u64))
            }
            Cut::Unclear => {
                if self.continued(cut).await? == InputUse::Starved {
                    return Ok(Some(0));
                }
                // A program that reads whole lines still gets the beginning of the last line, so
                // cut off all of it.
                let rest = self.see_cut(&input[..cuts::line_of(&input, last)]).await?;
                let is_missed = rest.after_cut(given, noise) == Cut::Missed
                    || self.continued(rest).await? == InputUse::Starved;
                Ok(is_missed.then_some(0))
            }
        }
    }

    /// Returns the offset of the first of the `words` that changes nothing. The caller has found
    /// that the last word changes nothing, and that every run on the whole input takes as many
    /// instructions as `given`.
    async fn first_unread(
        &mut self,
        input: &[u8],
        words: &[usize],
        given: &Seen,
    ) -> Result<usize, SandboxFault> {
        let (mut read, mut unread) = (0, words.len() - 1);
        for _ in 0..MAX_CUTS {
            if read == unread {
                break;
            }
            let middle = usize::midpoint(read, unread);
            match self.see_cut(&input[..words[middle]]).await?.after_cut(given, Some(0)) {
                Cut::Unread => unread = middle,
                Cut::Missed | Cut::Unclear => read = middle + 1,
            }
        }
        Ok(words[unread])
    }

    /// Runs the program once on another input.
    async fn see_cut(&mut self, input: &[u8]) -> Result<Seen, SandboxFault> {
        self.session.replace_input(self.point, input).await?;
        self.see(&[]).await
    }

    /// Runs the program once on the input, continued by `parts`.
    async fn see(&mut self, parts: &Continuation) -> Result<Seen, SandboxFault> {
        let input = || InputOf::Continued(self.point, parts);
        if self.counts {
            let Counted { execution, instructions, written, .. } =
                self.session.count_forked(input(), INPUT_CHECK_TIMEOUT).await?;
            self.counts = instructions.is_ok() || !matches!(execution.ending, Ending::Exited(_));
            if self.counts {
                return Ok(Seen { execution, instructions: instructions.ok(), written });
            }
        }
        let (execution, written) = self.session.run(input(), INPUT_CHECK_TIMEOUT).await?;
        Ok(Seen { execution, instructions: None, written })
    }
}

/// The declared input of a point, which is no longer than [`MAX_CHECKED_INPUT_BYTES`].
async fn declared_input(job: &Job, point: Point) -> Option<Vec<u8>> {
    match &job.inputs {
        Inputs::Size => None,
        Inputs::Explicit(inputs) => inputs.get(&point.size).cloned(),
        Inputs::Described(candidates) => {
            if let Some(made) = candidates.made(point) {
                return Some(made.to_vec());
            }
            let recipe = candidates.recipe(point)?;
            let made = spawn_blocking(move || {
                let mut bytes = Vec::new();
                recipe.write(&mut bytes).is_ok().then_some(bytes)
            });
            made.await.ok()?
        }
    }
}

/// Returns the near part of `words` words, and a far part of [`FAR_TIMES`] as many.
fn far(words: u32) -> [(&'static str, u32); 2] {
    [(NEAR, words), (FAR, (words * FAR_TIMES).div_ceil(FAR_WORDS))]
}

/// Returns a near part made of [`OTHER`], about as long in bytes as `words` words of [`NEAR`].
fn others(words: u32) -> (&'static str, u32) {
    let times = words as usize * NEAR.len() / OTHER.len();
    (OTHER, u32::try_from(times).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_CONTINUATION_BYTES;

    fn bytes(parts: &Continuation) -> usize {
        parts.iter().map(|&(text, times)| text.len() * times as usize).sum()
    }

    #[test]
    fn longest_continuation_is_within_its_limit() {
        assert!(bytes(&far(MAX_NEAR)) as u64 <= MAX_CONTINUATION_BYTES);
        assert_eq!(FAR.lines().count(), FAR_WORDS as usize);
    }

    #[test]
    fn most_of_the_far_part_differs_from_the_near_one() {
        let parts = far(700);
        assert_eq!(parts[0], (NEAR, 700));
        assert_eq!(parts[1].1 * FAR_WORDS, FAR_TIMES * 700);
        assert!(FAR.lines().all(|word| word != NEAR.trim_end()));
    }

    #[test]
    fn other_words_take_as_many_bytes() {
        let difference = bytes(&[(NEAR, 14_000)]) - bytes(&[others(14_000)]);
        assert!(difference < OTHER.len(), "{difference}");
    }
}
