//! Checks what the documents say: each command has a mark, and commands marked `test` run.
//!
//! | fence | meaning |
//! |---|---|
//! | `sh test` | a shell script; it must succeed, natively, in a folder that holds `examples/` |
//! | `console test` | a session; its lines that begin with `$ ` are such a script |
//! | `… by-hand DATE` | a person ran the commands on that day and saw what the document shows |
//! | `… not-run REASON` | nobody could run the commands, and why |
//! | `LANGUAGE from=FILE` | each line is a line of that file, in the same order |

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod commands;
mod fences;
mod links;

use crate::fences::{Mark, fences};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::swiftprof::file;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum length of documents that must stay short, in lines.
const LENGTHS: [(&str, usize); 3] =
    [("README.md", 150), ("ARCHITECTURE.md", 130), ("tests/README.md", 70)];
/// Maximum number of words in the glossary.
const WORDS: usize = 40;

/// The folders at which paths in ARCHITECTURE begin.
const ROOTS: [&str; 4] =
    ["", "profiler-core/src", "profiler-server/src", "sandbox-image/runner/src"];

/// A document, and its text.
struct Document {
    path: PathBuf,
    text: String,
}

/// All documents of the repository that people read in it.
fn documents() -> Vec<Document> {
    let folders = ["", "docs", "docs/decisions", "profiler-client/python", "tests"];
    let mut found = Vec::new();
    for folder in folders.map(file) {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).expect("a document is text");
                found.push(Document { path, text });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

fn document(name: &str) -> String {
    fs::read_to_string(file(name)).expect("the document is there")
}

#[test]
fn every_command_says_how_it_was_run() {
    let mut unmarked = Vec::new();
    for Document { path, text } in documents() {
        for fence in fences(&text) {
            if let Err(why) = fence.mark() {
                unmarked.push(format!("{}:{}: {why}", path.display(), fence.line));
            }
        }
    }
    assert!(unmarked.is_empty(), "{}", unmarked.join("\n"));
}

#[test]
fn excerpt_is_in_its_file() {
    let mut wrong = Vec::new();
    for Document { path, text } in documents() {
        for fence in fences(&text) {
            let Ok(Mark::From(source)) = fence.mark() else { continue };
            let source = document(source);
            let mut lines = source.lines().map(str::trim);
            let mut excerpt = fence.text.lines().map(str::trim).filter(|line| !line.is_empty());
            let missing = excerpt.find(|&line| !lines.any(|other| other == line));
            wrong.extend(missing.map(|line| format!("{}: {line}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "not in the named file, or not in this order:\n{}", wrong.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let mut dead = Vec::new();
    for Document { path, text } in documents() {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let found = links::dead(&text, folder);
        dead.extend(found.into_iter().map(|link| format!("{}: {link}", path.display())));
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = document("ARCHITECTURE.md");
    let words = text.split('`').skip(1).step_by(2);
    let exists = |path: &str| ROOTS.iter().any(|root| Path::new(&file(root)).join(path).exists());
    let gone: Vec<_> = words.filter(|word| word.contains('/') && !exists(word)).collect();
    assert!(gone.is_empty(), "not in the repository: {gone:?}");
}

#[test]
fn documents_stay_short() {
    for (name, most) in LENGTHS {
        let lines = document(name).lines().count();
        assert!(lines <= most, "{name} has {lines} lines, and may have {most}");
    }
    let rows = document("docs/glossary.md");
    let words = rows.lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert!(words <= WORDS, "the glossary has {words} words, and may have {WORDS}");
}

#[tokio::test]
async fn commands_marked_test_succeed() {
    if require::or_skip("native", Backend::select(Choice::Native).await).is_none() {
        return;
    }
    let mut scripts = 0;
    for Document { path, text } in documents() {
        let place = commands::Place::create();
        for fence in fences(&text) {
            let Some(script) = fence.script() else { continue };
            scripts += 1;
            if let Err(why) = place.run(&script).await {
                panic!("{}:{}:\n{script}\n{why}", path.display(), fence.line);
            }
        }
    }
    assert!(scripts > 0, "no document has a command that is tested");
}
