//! Tests of reading the output of the instruction counter.

use super::*;

const COUNT: Count = Count { all: 54, own: Some(14) };
const NONCE: Nonce = *b"sixteen bytes...";

fn after_nonce(line: &str) -> Line {
    Line::parse(&NONCE, &[&NONCE[..], line.as_bytes()].concat())
}

/// A block of two instructions, a root and what it called.
fn said() -> Vec<u8> {
    let mut said: Vec<u8> = [1_u32, 2, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    said.extend(0x1000_u32.to_le_bytes());
    said.extend(7_u64.to_le_bytes());
    said.extend([2, 3, 5]);
    for node in [[NO_PARENT, 0, 0, 1], [0, 0x1008, 0x3fc0, 1]] {
        said.extend(node.iter().flat_map(|n| n.to_le_bytes()));
        said.extend([1_u64, 20].iter().flat_map(|n| n.to_le_bytes()));
    }
    said
}

#[test]
fn count_is_one_line() {
    let max = format!("instructions {}\n", u64::MAX);
    let most = Count { all: u64::MAX, own: None };
    assert_eq!(after_nonce(&max), Line::Instructions(most));
    let with_own = Line::Instructions(Count { all: 9, own: Some(7) });
    assert_eq!(after_nonce("instructions 9 own 7\n"), with_own);
    assert_eq!(after_nonce("instructions 9 own 18446744073709551616\n"), Line::TooLarge);
    assert_eq!(after_nonce("instructions 18446744073709551616\n"), Line::TooLarge);
    assert_eq!(after_nonce("instructions \n"), Line::TooLarge);
    assert_eq!(Line::parse(&NONCE, b""), Line::Absent);
    assert_eq!(Line::parse(&NONCE, &NONCE), Line::Absent);
    for malformed in [
        "instructions 7",
        "instructions +7\n",
        "instructions 7 \n",
        "instructions 7 own -1\n",
        "instructions 7 own 7 own 7\n",
        "instructions 7\ninstructions 8\n",
        "Instructions 7\n",
        "\n",
    ] {
        assert_eq!(after_nonce(malformed), Line::Malformed, "{malformed:?}");
    }
}

#[test]
fn reason_is_passed_on_if_it_is_plain() {
    let plain = Line::Unsupported("it uses avx".into());
    assert_eq!(after_nonce("unsupported it uses avx\n"), plain);
    let long = format!("unsupported {}\n", "x".repeat(MAX_LINE_BYTES));
    for odd in ["unsupported \u{1b}[2J\n", "unsupported \u{e9}\n", "unsupported a\nb\n", &long] {
        assert_eq!(after_nonce(odd), Line::Malformed, "{odd:?}");
    }
}

#[test]
fn output_without_the_nonce_is_malformed() {
    let other = [&[7; NONCE_BYTES][..], b"unsupported it forks\n"].concat();
    for forged in [&other[..], &NONCE[1..], b"instructions 9\n", b"unsupported a\n"] {
        assert_eq!(Line::parse(&NONCE, forged), Line::Malformed, "{forged:?}");
        assert_eq!(Line::split(&NONCE, forged).0, Line::Malformed, "{forged:?}");
        assert_eq!(read_series(&NONCE, forged, 9), (Vec::new(), Line::Malformed), "{forged:?}");
    }
    let honest = exited(0, &block());
    let forged = [&honest[..], &honest[NONCE_BYTES..]].concat();
    let (believed, last) = read_series(&NONCE, &forged, 9);
    assert_eq!((believed.len(), last), (1, Line::Malformed));
}

#[test]
fn output_that_may_be_cut_is_malformed() {
    let mut long = [&NONCE[..], b"instructions 7\n"].concat();
    long.resize(MAX_BYTES - 1, 0);
    assert!(matches!(Line::split(&NONCE, &long).0, Line::Instructions(_)));
    long.push(0);
    assert_eq!(Line::split(&NONCE, &long).0, Line::Malformed);
    let mut long = exited(0, &block());
    long.resize(MAX_BYTES, 0);
    assert_eq!(read_series(&NONCE, &long, 9), (Vec::new(), Line::Malformed));
}

/// Returns what the counter writes about an input on which the program exits.
fn exited(code: u8, blocks: &[u8]) -> Vec<u8> {
    let line = format!("exited {code} instructions 54 own 14\n");
    [&NONCE, line.as_bytes(), blocks].concat()
}

/// A block of two instructions.
fn block() -> Vec<u8> {
    [&1_u32.to_le_bytes()[..], &0x1000_u32.to_le_bytes(), &7_u64.to_le_bytes(), &[2, 3, 5]].concat()
}

#[test]
fn series_is_read_up_to_what_is_no_count() {
    let none = 0_u32.to_le_bytes();
    let counts = [exited(0, &block()), exited(255, &none)].concat();
    let refused = [&counts[..], &NONCE, b"unsupported it forks\n"].concat();
    let (both, last) = read_series(&NONCE, &refused, 9);
    assert_eq!(last, Line::Unsupported("it forks".into()));
    let said: Vec<_> = both.iter().map(|one| (one.code, one.count)).collect();
    assert_eq!(said, [(0, COUNT), (255, COUNT)]);
    let executed = Block { addresses: vec![0x1000, 0x1003], executions: 7 };
    assert_eq!(both[0].blocks().collect::<Vec<_>>(), [executed]);
    assert_eq!(both[1].blocks().count(), 0);
    assert_eq!(read_series(&NONCE, &counts, 1), (Vec::new(), Line::Malformed));
    assert_eq!(read_series(&NONCE, &counts, 2), (both.clone(), Line::Absent));
    let odd = ["exited 256 instructions 1\n", "exited 0 unsupported a\n", "exited 0", "\n"];
    let odd = odd.map(|odd| [&NONCE, odd.as_bytes(), &none].concat());
    let cut = (1..block().len()).map(|end| exited(0, &block()[..end]));
    let many = exited(0, &(MAX_BLOCKS + 1).to_le_bytes());
    for odd in odd.into_iter().chain(cut).chain([many]) {
        let forged = [&counts[..], &odd].concat();
        assert_eq!(read_series(&NONCE, &forged, 9), (both.clone(), Line::Malformed), "{odd:?}");
    }
}

#[test]
fn profile_follows_the_line() {
    let output = [&NONCE[..], b"instructions 7\nabc\n"].concat();
    let (line, rest) = Line::split(&NONCE, &output);
    assert_eq!((line, rest), (Line::Instructions(Count { all: 7, own: None }), &b"abc\n"[..]));
    assert_eq!(Line::split(&NONCE, b"").0, Line::Absent);
    assert_eq!(Line::split(&NONCE, &NONCE).0, Line::Absent);
}

#[test]
fn profile_has_blocks_and_a_call_tree() {
    let profile = read_profile(COUNT, &said()).unwrap();
    assert_eq!(profile.blocks, [Block { addresses: vec![0x1000, 0x1003], executions: 7 }]);
    let called = &profile.nodes[1];
    assert_eq!((called.parent, called.site), (Some(0), Some(0x1007)));
    assert_eq!(called.target, Target::Library(0x3fc0));
    assert_eq!(profile.addresses(), BTreeSet::from([0x1000, 0x1003, 0x1007]));
    assert_eq!(profile.pointers(), BTreeSet::from([0x3fc0]));
}

#[test]
fn profile_that_is_cut_or_too_long_is_none() {
    let said = said();
    for cut in 0..said.len() {
        assert_eq!(read_profile(COUNT, &said[..cut]), None, "{cut}");
    }
    assert_eq!(read_profile(COUNT, &[&said[..], &[0]].concat()), None);
}

#[test]
fn counts_and_parents_are_bounded() {
    let with = |at: usize, number: u32| {
        let mut said = said();
        said[at..at + 4].copy_from_slice(&number.to_le_bytes());
        read_profile(COUNT, &said)
    };
    assert_eq!(with(0, u32::MAX), None);
    assert_eq!(with(4, MAX_NODES + 1), None);
    // The second node's parent, which must come before it.
    let parent = said().len() - 32;
    assert!(with(parent, 0).is_some());
    assert_eq!(with(parent, 1), None);
}
