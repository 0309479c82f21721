//! The inputs that programs are fed, by name.

use std::fmt::Display;

/// Returns the maker of the input `name` of size n; `None` for `n`, the default input.
pub(crate) fn named(name: &str) -> Option<fn(u32) -> String> {
    Some(match name {
        "n" => return None,
        "bare_n" => |n| n.to_string(),
        "numbers" => numbers,
        "numbers_and_zero" => |n| numbers(n) + "0\n",
        "counted_numbers" => counted_numbers,
        "bare_numbers" => |n| counted_numbers(n).trim_end().to_owned(),
        "words" => words,
        "counted_words" => |n| format!("{n}\n{}", words(n)),
        "grid" => grid,
        "square" => |n| format!("{n}\n{}", numbers(n * n)),
        "tests" => |n| format!("{n}\n{}", "3\n5 6 7\n".repeat(n as usize)),
        "one_row" => |n| format!("{n}\n{}\n", numbers(n).trim_end().replace('\n', " ")),
        other => panic!("{other}: no such input"),
    })
}

fn numbers(n: u32) -> String {
    lines((0..n).map(|at| at * 7919 % 1000 + 10))
}

fn counted_numbers(n: u32) -> String {
    format!("{n}\n{}", numbers(n))
}

fn words(n: u32) -> String {
    lines((0..n).map(|at| format!("word{}", at * 31 % 97)))
}

fn grid(n: u32) -> String {
    let row: String = (0..n).map(|at| if at % 3 == 0 { '#' } else { '.' }).collect();
    format!("{n} {n}\n{}", format!("{row}\n").repeat(n as usize))
}

fn lines(values: impl Iterator<Item = impl Display>) -> String {
    values.fold(String::new(), |text, value| text + &format!("{value}\n"))
}
