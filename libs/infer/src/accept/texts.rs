//! Strings, and the rows to which queries can refer.

use super::words::{characters, take};
use super::{Reader, Rows};
use profiler_input::spec::Text;
use profiler_input::spec::variable::Kind;

impl<'i> Reader<'i> {
    /// Reads a string, as numbers.
    pub(super) fn text(&mut self, text: &Text, words: &mut &[&'i str]) -> Result<Vec<i64>, String> {
        // A text without characters leaves no word on the line.
        let word = if words.is_empty() { "" } else { take(words)? };
        if !text.format.is_empty() {
            let fits = text.has_form(word);
            let bytes = || word.bytes().map(i64::from).collect();
            return fits.then(bytes).ok_or(format!("{word} has another form"));
        }
        let len = self.text_length(text, word)?;
        characters(word, len, text.letters())
    }

    /// Whether a word can be a string of the text.
    pub(super) fn can_be(&self, text: &Text, word: &str) -> bool {
        let length = |most: &str| self.value(most).ok().and_then(|most| usize::try_from(most).ok());
        if !text.format.is_empty() {
            return text.has_form(word);
        }
        let least = if text.min_len.is_empty() { &text.len } else { &text.min_len };
        let (least, most) = (length(least), length(&text.len));
        least.zip(most).is_some_and(|(least, most)| (least..=most).contains(&word.len()))
            && word.chars().all(|character| text.letters().contains(character))
    }

    /// The length that a string of the text can have, nearest to that of the word.
    fn text_length(&mut self, text: &Text, word: &str) -> Result<usize, String> {
        if text.min_len.is_empty() {
            return self.count(&text.len, Some(word.len()));
        }
        let least = self.count(&text.min_len, None)?;
        let most = self.count(&text.len, Some(word.len()))?;
        Ok(word.len().min(most).max(least))
    }

    /// Keeps the rows of a text, a tree or a graph, to which queries can refer.
    pub(super) fn remember(&mut self, item: &'i str, rows: Rows) {
        let zero_based = match self.kind(item) {
            Some(Kind::Text(_)) => {
                self.texts.insert(item.trim(), rows.into_iter().collect());
                return;
            }
            Some(Kind::Tree(tree)) if !tree.parents => tree.zero_based,
            Some(Kind::Graph(graph)) => graph.zero_based,
            _ => return,
        };
        let pairs = rows.iter().filter_map(|row| Some((*row.first()?, *row.get(1)?)));
        self.edges.insert(item.trim(), (i64::from(!zero_based), pairs.collect()));
    }
}
