//! The worst inputs of the first set.

use super::text::{letters, line, rows};

/// The largest number in most programs' arrays.
const MOST: u64 = 1_000_000_000;
/// Of the numbers up to 10^6, the one with the longest Collatz sequence.
const LONGEST_COLLATZ: u64 = 837_799;
/// The largest prime below 10^6.
const PRIME: u64 = 999_983;
/// The 86th and the 87th Fibonacci number: the largest below 10^18.
const FIBONACCI: [u64; 2] = [420_196_140_727_489_673, 679_891_637_638_612_258];

/// The hand-made worst input of size n. `None` if the set has no such program.
pub(super) fn first(program: &str, n: u64) -> Option<Vec<u8>> {
    Some(match program {
        "tree_insert" | "piles" => line(n, (0..n).map(|i| MOST - n + i)),
        "insertion_sort" | "next_greater" => line(n, (0..n).map(|i| MOST - i)),
        // The pivot is the largest of its part, so every other number is swapped.
        "quicksort_first" => line(n, [MOST].into_iter().chain((1..n).map(|i| MOST - n + i))),
        "quicksort_middle" => {
            let mut order: Vec<u64> = (0..n).map(|i| MOST - n + i).collect();
            (2..order.len()).for_each(|i| order.swap(i, i / 2));
            line(n, order.into_iter())
        }
        "hash_power" => line(n, (0..n).map(|i| i * 1024)),
        "cycles" => line(n, (0..n).map(|i| (i + 1) % n + 1)),
        "find_string" => format!("{}\n{}b\n", letters(n), letters(n / 2 - 1)).into(),
        "borders" | "palindromes" => (letters(n) + "\n").into(),
        // Every way to divide the text among the stars fails, and only after the last letter fits.
        "wildcards" => format!("****a\n{}b\n", letters(n - 1)).into(),
        "depths" => rows(&n.to_string(), (1..n).map(|i| format!("{i} {}", i + 1))),
        "spfa" => spfa(n),
        "union_find" => rows(&n.to_string(), (1..=n).map(|i| format!("1 {}", i.min(n)))),
        "euclid" => format!("{n} {} {}\n", FIBONACCI[0], FIBONACCI[1]).into(),
        "collatz" => format!("{n} {LONGEST_COLLATZ}\n").into(),
        "trial_division" => format!("{n} {PRIME}\n").into(),
        "two_sum" => [b"2000 ".to_vec(), line(n, (0..n).map(|_| 999))].concat(),
        // Even numbers never make an odd sum, and small numbers are tried with more sums.
        "subset_sum" => [b"9999 ".to_vec(), line(n, (0..n).map(|_| 2))].concat(),
        "gift_wrapping" => {
            let half = i64::try_from(n / 2).unwrap_or(0);
            let points = (-half..half).map(|x| format!("{x} {}", x * x));
            rows(&n.to_string(), points)
        }
        "stabbing" => rows(&n.to_string(), (0..n).map(|_| format!("1 {n}"))),
        "flood" => {
            let row = ".".repeat(usize::try_from(n).unwrap_or(0));
            rows(&n.to_string(), (0..n).map(|_| row.clone()))
        }
        "paths" => {
            let edges = (1..n).map(|i| format!("{i} {}", i + 1));
            let longer = (1..n - 1).map(|i| format!("{i} {}", i + 2));
            rows(&format!("{n} {}", 2 * n - 3), edges.chain(longer))
        }
        _ => return None,
    })
}

/// The first node leads to all others, to the last one first, and each node to the following one.
/// Nodes wait from the last to the first, so every round shortens each path by one edge only. No
/// input makes more visits: a node is visited at most as often as its shortest path has edges.
fn spfa(n: u64) -> Vec<u8> {
    let far = (1..n).rev().map(|i| format!("1 {} {}", i + 1, 3 * i));
    let near = (1..n).map(|i| format!("{i} {} 1", i + 1));
    let rest = ["1 1 1".to_owned(), "1 1 1".to_owned()];
    rows(&format!("{n} {}", 2 * n), far.chain(near).chain(rest))
}
