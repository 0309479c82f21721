//! The command line of this process, to be repeated with other options.

use crate::commands::check::quoted;
use std::env;

/// Words of a command line, without quotes.
#[derive(Debug, Clone)]
pub(super) struct CommandLine(Vec<String>);

impl CommandLine {
    /// Reads the command line of this process; `None` if a word is not text.
    pub(super) fn of_this_process() -> Option<Self> {
        let given = env::args_os().skip(1).map(|word| word.into_string().ok());
        let words = [Some("swiftprof".to_owned())].into_iter().chain(given);
        words.collect::<Option<_>>().map(Self)
    }

    #[cfg(test)]
    pub(super) fn new(words: Vec<String>) -> Self {
        Self(words)
    }

    /// Returns the value of an option; `None` if it is not given.
    pub(super) fn value(&self, option: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| is_option(word, option))?;
        let word = &self.0[at];
        value_in(word, option).or_else(|| self.0.get(at + 1).map(String::as_str))
    }

    /// Returns how often an option is given.
    pub(super) fn count(&self, option: &str) -> usize {
        self.0.iter().filter(|word| is_option(word, option)).count()
    }

    /// Removes an option with its value.
    pub(super) fn without(&self, option: &str) -> Self {
        let mut kept = Vec::new();
        let mut words = self.0.iter();
        while let Some(word) = words.next() {
            if word == option {
                words.next();
            } else if value_in(word, option).is_none() {
                kept.push(word.clone());
            }
        }
        Self(kept)
    }

    /// Removes an option that has no value.
    pub(super) fn without_switch(&self, option: &str) -> Self {
        Self(self.0.iter().filter(|word| *word != option).cloned().collect())
    }

    /// Returns the command with more options, as a shell takes it. They come before a word `--`,
    /// which ends the options.
    pub(super) fn with(&self, more: &[&str]) -> String {
        let end = self.0.iter().position(|word| word == "--").unwrap_or(self.0.len());
        let (options, files) = self.0.split_at(end);
        let [options, files] = [options, files].map(|words| words.iter().map(String::as_str));
        let words = options.chain(more.iter().copied()).chain(files);
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}

fn is_option(word: &str, option: &str) -> bool {
    word == option || value_in(word, option).is_some()
}

/// The value in a word like `--sizes=1,2`.
fn value_in<'a>(word: &'a str, option: &str) -> Option<&'a str> {
    word.strip_prefix(option)?.strip_prefix('=')
}
