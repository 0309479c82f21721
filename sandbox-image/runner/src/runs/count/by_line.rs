//! Counts by line, of one program on one input after another.
//!
//! A count keeps the program's profile. One request at the end returns the lines of all of them,
//! because the tool that knows the lines takes longer than a small count.

use super::forked::count_forked;
use super::{Report, count};
use crate::process::runner::Runner;
use crate::runs::trace::{line_costs, symbols};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use profiler_decode::counter_output::{Line, Nonce, Profile, read_profile};
use runner_protocol::{Counted, LineCounts, MAX_COUNTED_LINES, MAX_KEPT_BYTES, NamedFiles, Run};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::Write;

/// Size of the length before each profile, in bytes.
const LENGTH_BYTES: usize = 4;

/// Counts the program once and keeps its profile. The process is forked unless the program finds
/// its input in a file, which an earlier run may have changed.
pub(crate) fn count_by_line(runner: &mut Runner, request: &Run) -> Result<Counted> {
    let (counted, output) = if request.files == NamedFiles::default() {
        count_forked(runner, request, Report::Profile)?
    } else {
        count(runner, request, Report::Profile)?
    };
    if counted.instructions.is_ok() {
        keep(&output)?;
    }
    Ok(counted)
}

/// Appends a profile, or a profile of no bytes if it is too large to be kept.
fn keep(profile: &[u8]) -> Result<()> {
    let mut kept = WorkFile::PROFILES.append()?;
    let bytes = WorkFile::PROFILES.length()? + (LENGTH_BYTES + profile.len()) as u64;
    let profile = if bytes <= MAX_KEPT_BYTES { profile } else { &[] };
    let length = u32::try_from(profile.len()).unwrap_or(0).to_le_bytes();
    kept.write_all(&[&length, profile].concat()).stage("keep a profile")
}

/// Returns the lines of all profiles that were kept, and forgets these.
pub(crate) fn read_lines(runner: &Runner, request: &Run) -> Result<Vec<LineCounts>> {
    let most = usize::try_from(MAX_KEPT_BYTES).unwrap_or(usize::MAX);
    drop(WorkFile::PROFILES.append()?);
    let kept = files::read_at_most(WorkFile::PROFILES.open()?, most).stage("read the profiles")?;
    WorkFile::PROFILES.remove()?;
    let profiles = profiles(&kept);
    let executed = profiles.iter().flatten().flat_map(Profile::addresses);
    let addresses: BTreeSet<_> = executed.collect();
    let (program, _) = runner.program(request.subject);
    let symbols = symbols(runner, request, &program, &addresses)?;
    let lines = |profile: Option<&Profile>| match (profile, &symbols) {
        (Some(profile), Some(symbols)) => largest(line_costs(profile, symbols)),
        _ => Vec::new(),
    };
    Ok(profiles.iter().map(|profile| lines(profile.as_ref())).collect())
}

/// Splits what was kept. A profile that was not kept, or that cannot be read, is `None`.
fn profiles(mut kept: &[u8]) -> Vec<Option<Profile>> {
    let mut profiles = Vec::new();
    while let Some((length, rest)) = kept.split_first_chunk::<LENGTH_BYTES>() {
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
        let (profile, rest) = rest.split_at(length);
        profiles.push(read(profile));
        kept = rest;
    }
    profiles
}

fn read(output: &[u8]) -> Option<Profile> {
    let nonce: &Nonce = output.first_chunk()?;
    match Line::split(nonce, output) {
        (Line::Instructions(count), rest) => read_profile(count, rest),
        _ => None,
    }
}

/// The lines with the most instructions.
fn largest(mut lines: LineCounts) -> LineCounts {
    lines.sort_by_key(|&(line, instructions)| (Reverse(instructions), line));
    lines.truncate(MAX_COUNTED_LINES);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_that_were_not_kept_have_a_place() {
        let profile = b"sixteen bytes...instructions 9 own 2\n\0\0\0\0\0\0\0\0\0\0\0\0";
        let length = u32::try_from(profile.len()).unwrap().to_le_bytes();
        let kept = [&length, &profile[..], &[0; LENGTH_BYTES], &length, profile].concat();
        let counts = |kept| -> Vec<Option<u64>> {
            profiles(kept).iter().map(|it| it.as_ref().map(|it| it.count.all)).collect()
        };
        assert_eq!(counts(&kept), [Some(9), None, Some(9)]);
        assert_eq!(counts(&kept[..kept.len() - 1]), [Some(9), None, None]);
        assert_eq!(counts(&[]), []);
    }

    #[test]
    fn lines_are_the_largest() {
        let many: LineCounts = (1..=5000).map(|line| (line, u64::from(line % 4999))).collect();
        let lines = largest(many);
        assert_eq!((lines[0], lines.len()), ((4998, 4998), MAX_COUNTED_LINES));
    }
}
