//! The fenced blocks of a document, and the marks on them.

/// The first and the last line of a block begin with this.
const FENCE: &str = "```";
/// Precedes a command in a session.
const PROMPT: &str = "$ ";
/// The languages whose blocks hold commands.
const COMMANDS: [&str; 2] = ["sh", "console"];

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fence<'a> {
    /// The line that opens the block, from 1.
    pub(crate) line: usize,
    /// The text after the backticks: a language, and perhaps a mark.
    info: &'a str,
    /// The lines of the block.
    pub(crate) text: String,
}

/// Check that was made of a block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mark<'a> {
    /// A test runs its commands.
    Test,
    /// A person ran its commands, or nobody could; the mark says which.
    Stated,
    /// Its lines are from this file.
    From(&'a str),
    /// The block has no commands.
    None,
}

/// All fenced blocks of a document.
pub(crate) fn fences(document: &str) -> Vec<Fence<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    for (index, line) in document.lines().enumerate() {
        match (open.take(), line.strip_prefix(FENCE)) {
            (None, Some(info)) => {
                open = Some(Fence { line: index + 1, info: info.trim(), text: String::new() });
            }
            (None, None) => {}
            (Some(fence), Some(_)) => found.push(fence),
            (Some(mut fence), None) => {
                fence.text.push_str(line);
                fence.text.push('\n');
                open = Some(fence);
            }
        }
    }
    assert_eq!(open, None, "a block is not closed");
    found
}

impl Fence<'_> {
    /// The mark, or what is missing.
    pub(crate) fn mark(&self) -> Result<Mark<'_>, String> {
        let (language, mark) = self.info.split_once(' ').unwrap_or((self.info, ""));
        if let Some(source) = mark.strip_prefix("from=") {
            return Ok(Mark::From(source));
        }
        if !COMMANDS.contains(&language) {
            let prompt = self.text.lines().find(|line| line.starts_with(PROMPT));
            return match prompt {
                Some(line) => Err(format!("`{line}` is a command: make it a `console` block")),
                None => Ok(Mark::None),
            };
        }
        match mark.split_once(' ').unwrap_or((mark, "")) {
            ("test", "") => Ok(Mark::Test),
            ("by-hand", day) if is_date(day) => Ok(Mark::Stated),
            ("not-run", reason) if !reason.is_empty() => Ok(Mark::Stated),
            _ => Err(format!("`{mark}` is not `test`, `by-hand YYYY-MM-DD` or `not-run REASON`")),
        }
    }

    /// The commands for a test, if the block is marked `test`.
    pub(crate) fn script(&self) -> Option<String> {
        if self.mark() != Ok(Mark::Test) {
            return None;
        }
        if self.info.starts_with("sh") {
            return Some(self.text.clone());
        }
        let commands = self.text.lines().filter_map(|line| line.strip_prefix(PROMPT));
        Some(commands.collect::<Vec<_>>().join("\n"))
    }
}

/// Whether the text has the form `2026-11-22`.
fn is_date(day: &str) -> bool {
    let parts: Vec<_> = day.split('-').collect();
    let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.iter().all(digits)
}

#[cfg(test)]
mod tests {
    use super::{Mark, fences};

    fn only(document: &str) -> Result<bool, String> {
        let found = fences(document);
        assert_eq!(found.len(), 1, "one block");
        found[0].mark().map(|mark| mark == Mark::Test)
    }

    #[test]
    fn command_without_a_mark_is_refused() {
        for document in [
            "```sh\nls\n```",
            "```console\n$ ls\n```",
            "```text\n$ ls\n```",
            "```sh by-hand\nls\n```",
            "```sh by-hand yesterday\nls\n```",
            "```sh not-run\nls\n```",
        ] {
            assert!(only(document).is_err(), "{document}");
        }
    }

    #[test]
    fn mark_says_whether_a_test_runs_the_commands() {
        assert_eq!(only("```sh test\nls\n```"), Ok(true));
        assert_eq!(only("```console by-hand 2026-11-22\n$ ls\n```"), Ok(false));
        assert_eq!(only("```text\na table\n```"), Ok(false));
    }

    #[test]
    fn session_is_run_without_what_it_printed() {
        let found = fences("before\n```console test\n$ ls a\na\n$ ls b\nb\n```\n");
        assert_eq!(found[0].line, 2);
        assert_eq!(found[0].script().as_deref(), Some("ls a\nls b"));
    }
}
