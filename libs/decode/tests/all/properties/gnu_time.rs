//! The output of `/usr/bin/time -v`.

use crate::properties::config;
use profiler_decode::gnu_time::{GnuTime, ParseError};
use proptest::prelude::*;

const ELAPSED: &str = "Elapsed (wall clock) time";
const RESIDENT: &str = "Maximum resident set size";

/// Hundredths of a second as GNU time prints them: `m:ss.cc`, from one hour on `h:mm:ss`.
fn elapsed(hundredths: u32) -> String {
    let (seconds, rest) = (hundredths / 100, hundredths % 100);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}.{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The whole text, as `time` 1.9 prints it.
fn text(elapsed: &str, kilobytes: u32) -> String {
    format!(
        "\tCommand being timed: \"./main.out\"\n\tUser time (seconds): 0.01\n\
         \tSystem time (seconds): 0.00\n\tPercent of CPU this job got: 93%\n\
         \t{ELAPSED} (h:mm:ss or m:ss): {elapsed}\n\tAverage shared text size (kbytes): 0\n\
         \tAverage total size (kbytes): 0\n\t{RESIDENT} (kbytes): {kilobytes}\n\
         \tMajor (requiring I/O) page faults: 0\n\tPage size (bytes): 4096\n\tExit status: 0\n"
    )
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn printed_text_is_read(hundredths in 0..100_000_000_u32, kilobytes: u32) {
        let read = GnuTime::parse(&text(&elapsed(hundredths), kilobytes)).expect("it is complete");
        // From one hour on, hundredths are not printed.
        let printed = if hundredths < 360_000 { hundredths } else { hundredths / 100 * 100 };
        prop_assert!((read.elapsed_ms - f64::from(printed) * 10.0).abs() < 1e-6);
        prop_assert_eq!(read.max_resident_mb, f64::from(kilobytes) / 1024.0);
    }

    #[test]
    fn line_that_is_missing_is_named(hundredths in 0..100_000_000_u32, kilobytes: u32) {
        let whole = text(&elapsed(hundredths), kilobytes);
        let without = |field: &str| {
            let lines = whole.split_inclusive('\n').filter(|line| !line.contains(field));
            GnuTime::parse(&lines.collect::<String>())
        };
        prop_assert_eq!(without(ELAPSED), Err(ParseError(ELAPSED)));
        prop_assert_eq!(without(RESIDENT), Err(ParseError(RESIDENT)));
    }

    #[test]
    fn text_that_is_cut_is_no_other_text(hundredths in 0..100_000_000_u32, kilobytes: u32, at: prop::sample::Index) {
        let whole = text(&elapsed(hundredths), kilobytes);
        let cut = &whole[..at.index(whole.len())];
        // Only a number can lose digits and still be one.
        let within = cut.rfind('\n').map_or("", |line| &cut[line..]);
        match GnuTime::parse(cut) {
            Ok(read) if !within.contains(RESIDENT) => {
                prop_assert_eq!(Ok(read), GnuTime::parse(&whole));
            }
            Ok(read) => prop_assert!(read.max_resident_mb <= f64::from(kilobytes) / 1024.0),
            Err(ParseError(field)) => prop_assert!([ELAPSED, RESIDENT].contains(&field)),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        parts in prop::collection::vec(
            prop_oneof![
                Just(format!("{ELAPSED} (h:mm:ss or m:ss): ")),
                Just(format!("{RESIDENT} (kbytes): ")),
                "[0-9]{1,400}", "[0-9:.]{0,12}", "[1-9][0-9]{304,308}:00\\.00", "\\PC{0,12}", Just("\n".to_owned()),
            ],
            0..12,
        )
    ) {
        if let Ok(read) = GnuTime::parse(&parts.concat()) {
            prop_assert!(read.elapsed_ms.is_finite() && read.elapsed_ms >= 0.0);
            prop_assert!(read.max_resident_mb.is_finite() && read.max_resident_mb >= 0.0);
        }
    }
}
