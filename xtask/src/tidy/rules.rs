//! The rules: what a crate's files and folders must look like.

use super::graph::circles;
use super::imports::between_files;
use super::source::Crate;
use crate::steps::failure::Failure;
use std::fs;
use std::mem;
use std::path::Path;

/// Maximum number of names in a folder: files and folders, where `foo.rs` and `foo/` are one name.
const MAX_NAMES: usize = 12;
/// Longest comment line, in columns.
const MAX_COMMENT_COLUMNS: usize = 100;
/// Longest file, in lines.
const MAX_LINES: usize = 400;
/// Words that open a clause without a head. A doc comment opens with a noun, or with a verb in the
/// third person.
const HEADLESS: [&str; 15] = [
    "As", "How", "It", "Least", "Most", "That", "They", "What", "When", "Where", "Which", "Who",
    "Whom", "Whose", "Why",
];
/// Mark that generators write at the top of their files.
const GENERATED: &str = "@generated";
/// A line with an address in it cannot be broken.
const ADDRESS: &str = "://";

/// Returns the faults of a crate, one sentence each. Paths are relative to `root`.
pub(crate) fn check(source: &Crate, root: &Path) -> Result<Vec<String>, Failure> {
    let name = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
    let names: Vec<String> = source.files.iter().map(|file| name(file)).collect();
    let mut wrong = Vec::new();
    for circle in circles(source.files.len(), &between_files(source)) {
        let members: Vec<&str> = circle.iter().map(|&file| names[file].as_str()).collect();
        wrong.push(format!("these files import each other: {}", members.join(", ")));
    }
    for (folder, seen) in source.folders() {
        if seen.len() > MAX_NAMES {
            let folder = name(&folder);
            wrong.push(format!("{folder} has {} names; at most {MAX_NAMES}", seen.len()));
        }
    }
    for (file, name) in source.files.iter().zip(&names) {
        let text = fs::read_to_string(file).map_err(Failure::file(name))?;
        if text.lines().next().is_some_and(|line| line.contains(GENERATED)) {
            continue;
        }
        wrong.extend(long_comments(&text).map(|(line, columns)| {
            format!("{name}:{line}: a comment of {columns} columns; at most {MAX_COMMENT_COLUMNS}")
        }));
        wrong.extend(headless(&text).map(|(line, word)| {
            format!(
                "{name}:{line}: a doc comment that opens with {word:?}, not with a noun or a verb"
            )
        }));
        let lines = text.lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{name} has {lines} lines; at most {MAX_LINES}"));
        }
    }
    Ok(wrong)
}

/// Comment lines that are too long, as line number from 1 and width in columns.
fn long_comments(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let comments = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("//"));
    let breakable = comments.filter(|(line, _)| !line.contains(ADDRESS));
    let measured = breakable.map(|(line, number)| (number, line.chars().count()));
    measured.filter(|(_, columns)| *columns > MAX_COMMENT_COLUMNS)
}

/// The doc comments that open with one of [`HEADLESS`]: the numbers of their first lines, from 1,
/// and the words.
fn headless(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_inside = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let comment = documentation(line);
        let opens = !mem::replace(&mut is_inside, comment.is_some());
        let word = comment.filter(|_| opens)?.trim().split([' ', '.', ',', ':']).next()?;
        HEADLESS.contains(&word).then_some((number, word))
    })
}

/// The text of a line of a doc comment.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}
