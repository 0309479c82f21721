//! Variations of an input.

use profiler_search::varied;
use std::collections::HashSet;

fn all(input: &str) -> HashSet<String> {
    (0..500).filter_map(|seed| varied(input.as_bytes(), seed)).collect()
}

#[test]
fn numbers_change_places_and_values() {
    let found = all("4\n3 -1 4 1\n");
    for expected in
        ["4\n-1 3 4 1\n", "4\n1 4 -1 3\n", "4\n3 -1 4 4\n", "4\n3 3 3 3\n", "4\n3 -1 5 1\n"]
    {
        assert!(found.contains(expected), "{expected:?}");
    }
    let shape = |text: &str| text.lines().map(|line| line.split(' ').count()).collect::<Vec<_>>();
    assert!(found.iter().all(|text| shape(text) == [1, 4] && text.ends_with('\n')));
}

#[test]
fn letters_become_others_of_the_input() {
    let found = all("aab");
    assert!(["baa", "bab", "aaa", "abb"].iter().all(|it| found.contains(*it)), "{found:?}");
    assert!(found.iter().all(|text| text.len() == 3 && text.chars().all(|c| "ab".contains(c))));
}

#[test]
fn seed_decides() {
    assert_eq!(varied(b"2\n5 6\n", 3), varied(b"2\n5 6\n", 3));
    assert_eq!(varied(&[0xff], 3), None);
    assert_eq!(varied(b"", 3), None);
    assert_eq!(varied(&[b'1'; 5000], 3), None);
}
