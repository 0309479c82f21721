//! Hints at what the author of a file probably meant.

/// Words that people write instead of the kinds of variables.
const MEANT: [(&str, &str); 16] = [
    ("int", "scalar"),
    ("integer", "scalar"),
    ("number", "scalar"),
    ("num", "scalar"),
    ("value", "scalar"),
    ("list", "array"),
    ("ints", "array"),
    ("numbers", "array"),
    ("vector", "array"),
    ("string", "text"),
    ("str", "text"),
    ("word", "text"),
    ("perm", "permutation"),
    ("edges", "graph"),
    ("segments", "intervals"),
    ("operations", "queries"),
];
/// Similarity, from 0 to 1, above which a word is taken for another one.
const ALIKE: f64 = 0.8;

/// Returns `; did you mean …?` if a known word is similar to the written one; otherwise an empty
/// text.
pub(super) fn did_you_mean<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> String {
    let written = written.to_lowercase();
    let known: Vec<&str> = known.collect();
    let synonym = MEANT.iter().find(|(word, _)| *word == written).map(|(_, kind)| *kind);
    let likeness = |word: &str| strsim::jaro_winkler(&written, word);
    let like = known
        .iter()
        .copied()
        .filter(|word| likeness(word) > ALIKE)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match synonym.filter(|kind| known.contains(kind)).or(like) {
        Some(word) => format!("; did you mean {word}?"),
        None => String::new(),
    }
}

/// Describes the problem with an expression that YAML has cut, or that is in the notation of
/// another language.
pub(super) fn expression(text: &str) -> Option<String> {
    if text.contains("**") {
        return Some(format!("write a power with ^: {}", text.replace("**", "^")));
    }
    let count = |c: char| text.matches(c).count();
    (count('(') != count(')')).then(|| {
        "has unmatched brackets; put an expression that has a comma in quotes: \"max(2, n)\"".into()
    })
}

/// Describes the problem with a key that is the rest of an expression: `{value: max(2, n)}` has
/// `n)`.
pub(super) fn key(key: &str) -> Option<String> {
    (key.contains(')') && !key.contains('(')).then(|| {
        format!(
            "`{key}` is the rest of an expression that has a comma; put such an expression in \
             quotes: \"max(2, n)\""
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_words_are_proposed() {
        let kinds = || ["scalar", "array", "text", "graph"].into_iter();
        assert_eq!(did_you_mean("int", kinds()), "; did you mean scalar?");
        assert_eq!(did_you_mean("arrey", kinds()), "; did you mean array?");
        assert_eq!(did_you_mean("String", kinds()), "; did you mean text?");
        assert_eq!(did_you_mean("walk", kinds()), "");
        assert_eq!(did_you_mean("int", ["len", "min"].into_iter()), "");
    }

    #[test]
    fn expressions_of_other_languages_are_explained() {
        assert_eq!(expression("10**9").as_deref(), Some("write a power with ^: 10^9"));
        assert!(expression("max(2").is_some_and(|hint| hint.contains("quotes")));
        assert_eq!(expression("max(2, n)"), None);
        assert!(key("n)").is_some() && key("f(n)").is_none() && key("n").is_none());
    }
}
