//! The worst inputs of the second set.

use super::text::{letters, line, rows};

/// Of the numbers up to 1000, the one that takes longest: all other remainders are seen before 0.
const MANY_REMAINDERS: u64 = 999;
/// The largest number in the input of `subtractions`.
const MOST_SUBTRACTED: u64 = 10_000;
/// The largest number in the input of `linked_list`.
const MOST: u64 = 1_000_000_000;
/// Sum of the letters that follow the common beginning of a name in `weak_hash`, where a is 0. More
/// names of four letters have this sum than any other.
const SUM_OF_LETTERS: u64 = 50;
/// Number of nodes at the end of `colouring` that are all connected, so three colours do not
/// suffice.
const CLIQUE: u64 = 4;

/// The hand-made worst input of size n. `None` if the set has no such program.
pub(super) fn second(program: &str, n: u64) -> Option<Vec<u8>> {
    Some(match program {
        "shell_sort" => line(n, (0..n).map(|i| reversed_bits(n - 1 - i, n))),
        // All numbers are in the first bucket.
        "bucket_sort" => line(n, (0..n).rev()),
        "rectangle" => line(n, (0..n).map(|_| MOST)),
        "matching" => matching(n),
        "dijkstra" => dijkstra(n),
        "colouring" => colouring(n),
        "ancestors" => {
            let edges = (1..n).map(|i| format!("{i} {}", i + 1));
            rows(&n.to_string(), edges.chain((0..n).map(|_| format!("1 {n}"))))
        }
        "subtractions" => rows(&n.to_string(), (0..n).map(|_| format!("{MOST_SUBTRACTED} 1"))),
        "ones_and_zeros" => line(n, (0..n).map(|_| MANY_REMAINDERS)),
        // Every way to divide the letters into words fails at the last letter.
        "words" => format!("{}b\na\naa\naaa\n", letters(n - 1)).into(),
        "weak_hash" => rows(&n.to_string(), names(n)),
        "linked_list" => rows(&n.to_string(), (0..n).map(|_| format!("+ {n} {MOST}"))),
        _ => return None,
    })
}

/// Reverses the bits of a number below n, a power of two. In this order, at every gap of the sort,
/// one of the two interleaved parts has all the larger numbers.
fn reversed_bits(number: u64, n: u64) -> u64 {
    number.reverse_bits() >> (n.leading_zeros() + 1)
}

/// Some people get a seat each and also like the next one's seat. The others like only the first
/// seat, and make everybody move in vain. The remaining edges also lead to the first seat.
fn matching(n: u64) -> Vec<u8> {
    let placed = n * 2 / 5;
    let own = (1..=placed).map(|i| format!("{i} {i}"));
    let following = (1..placed).map(|i| format!("{i} {}", i + 1));
    let vain = (placed + 1..=n).map(|i| format!("{i} 1"));
    let left = 2 * n - (2 * placed - 1) - (n - placed);
    let again = (0..left).map(|i| format!("{} 1", i % placed + 1));
    rows(&format!("{n} {}", 2 * n), own.chain(following).chain(vain).chain(again))
}

/// Half of the nodes lead to the last one, each by a shorter path than the nodes before it. So the
/// last node waits in the queue once for each of them, and it leads to all nodes.
fn dijkstra(n: u64) -> Vec<u8> {
    let feeders = n / 2;
    let near = (2..=feeders + 1).map(|i| format!("1 {i} {i}"));
    let far = (2..=feeders + 1).map(|i| format!("{i} {n} {}", 3 * n - 2 * i));
    let away = (1..n).map(|i| format!("{n} {i} {n}"));
    let rest = (2..).map(|i| format!("{i} {} {n}", i + 1));
    let edges = near.chain(far).chain(away).chain(rest);
    rows(&format!("{n} {}", 2 * n), edges.take(usize::try_from(2 * n).unwrap_or(0)))
}

/// The last nodes are all connected. The first ones are free, so all their colours are tried. The
/// remaining edges lead from a free node to one of the last nodes, from the last one on.
fn colouring(n: u64) -> Vec<u8> {
    let free = n - CLIQUE;
    let clique = (free + 1..=n).flat_map(|a| (a + 1..=n).map(move |b| format!("{a} {b}")));
    let rest = (free + 1..=n).rev().flat_map(|b| (1..=free).map(move |a| format!("{a} {b}")));
    let edges = clique.chain(rest).take(usize::try_from(2 * n).unwrap_or(0));
    rows(&format!("{n} {}", 2 * n), edges)
}

/// Different names with the same sum of letters and a long common beginning.
fn names(n: u64) -> impl Iterator<Item = String> {
    let letter = |number: u64| char::from(b'a' + u8::try_from(number).unwrap_or(0));
    let letters = || 0..26_u64;
    let all = [12, 13].into_iter().flat_map(move |first| {
        letters().flat_map(move |second| {
            letters().filter_map(move |third| {
                let fourth = SUM_OF_LETTERS.checked_sub(first + second + third)?;
                let last = [first, second, third, fourth].map(letter);
                (fourth < 26).then(|| format!("aaaa{}", last.iter().collect::<String>()))
            })
        })
    });
    all.take(usize::try_from(n).unwrap_or(0))
}
