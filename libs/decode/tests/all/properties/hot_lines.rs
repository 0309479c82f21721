//! gprof's listing, and the histogram with the lines of its addresses.

use crate::properties::config;
use profiler_decode::SOURCE_FILE;
use profiler_decode::addr2line::OwnFiles;
use profiler_decode::hot_lines::{HotLine, MAX_HOT_LINES, hot_lines};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use runner_protocol::Profile;
use std::collections::BTreeMap;

/// Functions as g++ spells them.
const FUNCTIONS: [&str; 3] = ["main", "work(int)", "inner(std::vector<double, A<double> >&)"];

/// Hundredths of a per cent by line, together at most the whole.
fn shares() -> impl Strategy<Value = BTreeMap<u32, u32>> {
    btree_map(1..5_000_u32, 1..=200_u32, 0..=MAX_HOT_LINES)
}

/// The invariants of every list.
fn is_ranked(found: &[HotLine]) -> bool {
    found.len() <= MAX_HOT_LINES
        && found.iter().all(|h| h.line > 0 && h.self_share > 0.0)
        && found.windows(2).all(|pair| pair[0].self_share >= pair[1].self_share)
        && found.windows(2).all(|pair| pair[0].cumulative_share < pair[1].cumulative_share)
        && found.last().is_none_or(|last| last.cumulative_share < 1.0 + 1e-9)
}

fn by_line(found: &[HotLine]) -> BTreeMap<u32, f64> {
    found.iter().map(|hotspot| (hotspot.line, hotspot.self_share)).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn gprof_listing_is_read(shares in shares(), of_others in 0..100_u32) {
        let mut listing = String::from("Flat profile:\n\n  %   cumulative   self\n");
        for (at, (line, share)) in shares.iter().enumerate() {
            let (whole, rest, function) = (share / 100, share % 100, FUNCTIONS[at % FUNCTIONS.len()]);
            listing += &format!(
                "{whole:3}.{rest:02}      0.03     0.03                             \
                 {function} ({SOURCE_FILE}:{line} @ 4011{at:02x})\n"
            );
        }
        listing += &format!(" 0.{of_others:02}  0.01  0.01       7     0.00     0.00  f() (stl.h:9 @ 401)\n");
        let found = hot_lines(&Profile::Listing(listing.into()), &OwnFiles::default()).expect("there is a profile");
        prop_assert!(is_ranked(&found));
        prop_assert_eq!(found.len(), shares.len());
        let sum = f64::from(shares.values().sum::<u32>() + of_others).max(10_000.0);
        for (line, share) in by_line(&found) {
            prop_assert!((share - f64::from(shares[&line]) / sum).abs() < 1e-9);
        }
    }

    #[test]
    fn samples_count_on_the_line_of_their_address(counts in btree_map(1..5_000_u32, 1..=999_u16, 1..=MAX_HOT_LINES)) {
        let samples: Vec<(u64, u16)> = counts.iter().map(|(&line, &c)| (0x40_0000 + u64::from(line), c)).collect();
        let lines: String = counts.keys()
            .map(|&line| format!("0x{:016x}\nf()\n/usr/include/c++/12/a.h:7\nmain\n/tmp/{SOURCE_FILE}:{line}\n", 0x40_0000 + line))
            .collect();
        let found = hot_lines(&Profile::Addresses { samples, lines: lines.into() }, &OwnFiles::default()).expect("a profile");
        prop_assert!(is_ranked(&found));
        let total: f64 = counts.values().map(|&count| f64::from(count)).sum();
        for (line, share) in by_line(&found) {
            prop_assert!((share - f64::from(counts[&line]) / total).abs() < 1e-9);
        }
    }

    #[test]
    fn any_listing_is_ranked(
        parts in vec(
            prop_oneof![
                "\\PC{0,30}", "[0-9.]{1,340}", Just(" 0.03 0.03    ".to_owned()), Just("\n ".to_owned()),
                (0..9_u32).prop_map(|line| format!("f() ({SOURCE_FILE}:{line} @ 40)\n")),
            ],
            0..40,
        )
    ) {
        let found = hot_lines(&Profile::Listing(parts.concat().into()), &OwnFiles::default()).expect("there is a profile");
        prop_assert!(is_ranked(&found), "{:?}", found);
    }

    #[test]
    fn any_addresses_are_ranked(
        samples in vec((0..4_u64, any::<u16>()), 0..20),
        parts in vec(prop_oneof![
            (0..4_u64).prop_map(|address| format!("0x{address:x}\n")),
            (0..9_u32).prop_map(|line| format!("f()\n/tmp/{SOURCE_FILE}:{line}\n")),
            "\\PC{0,30}\n",
        ], 0..40),
    ) {
        let lines = parts.concat().into();
        let found = hot_lines(&Profile::Addresses { samples, lines }, &OwnFiles::default()).expect("there is a profile");
        prop_assert!(is_ranked(&found), "{:?}", found);
    }
}
