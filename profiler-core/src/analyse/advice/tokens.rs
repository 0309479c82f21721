//! Tokens of a C++ source, without comments, preprocessor lines and the content of literals.
//!
//! This is not a parser. It only ensures that a change touches nothing but code.

/// Text that stands for a literal in the list of tokens. No pattern of the catalogue matches it.
const LITERAL: &str = "\"";
/// Maximum number of tokens from an opening bracket to the one that closes it. Lists of parameters
/// and types are shorter. A hostile source with many brackets could make longer searches very slow.
const MAX_CLOSED_TOKENS: usize = 1000;
/// Prefixes of raw strings.
const RAW: [&str; 5] = ["R", "u8R", "uR", "UR", "LR"];

/// A word, a number, a literal, or one character of punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Byte offset in the source.
    pub(super) start: usize,
    /// Length in the source, in bytes. The text of a literal is shorter.
    length: usize,
    /// Number of the line, from 1.
    line: u32,
}

/// A source as tokens.
#[derive(Debug)]
pub(super) struct Code<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    /// The preprocessor lines.
    directives: Vec<&'a str>,
}

impl Token<'_> {
    /// Returns the byte offset of the end in the source.
    pub(super) fn end(self) -> usize {
        self.start + self.length
    }

    /// Whether the token is a word or a number.
    pub(super) fn is_word(self) -> bool {
        self.text.bytes().next().is_some_and(is_of_word)
    }
}

impl<'a> Code<'a> {
    /// Reads a source. A comment or raw string that is not closed extends to the end of the source.
    pub(super) fn read(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut code = Self { text, tokens: Vec::new(), directives: Vec::new() };
        let (mut at, mut line, mut is_line_blank) = (0, 1, true);
        while let Some(&byte) = bytes.get(at) {
            let rest = &text[at..];
            let is_comment = rest.starts_with("//") || rest.starts_with("/*");
            let is_blank = byte.is_ascii_whitespace() || is_comment;
            let (length, token) = match byte {
                b'/' if rest.starts_with("//") => (line_length(rest), None),
                b'/' if is_comment => (through(rest, 2, "*/"), None),
                _ if is_blank => (1, None),
                b'#' if is_line_blank => {
                    let length = line_length(rest);
                    code.directives.push(&rest[..length]);
                    (length, None)
                }
                b'"' | b'\'' => (quoted_length(rest.as_bytes()), Some(LITERAL)),
                _ if is_of_word(byte) => {
                    let length = word_length(rest.as_bytes());
                    match raw_length(rest, length) {
                        Some(raw) => (raw, Some(LITERAL)),
                        None => (length, Some(&rest[..length])),
                    }
                }
                _ => (1, Some(&rest[..1])),
            };
            code.tokens.extend(token.map(|text| Token { text, start: at, length, line }));
            is_line_blank = byte == b'\n' || (is_line_blank && is_blank);
            let line_ends = rest[..length].matches('\n').count();
            line += u32::try_from(line_ends).unwrap_or(u32::MAX);
            at += length;
        }
        code
    }

    /// Returns the text of the token at `index`; empty if there is no such token.
    pub(super) fn at(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text)
    }

    /// Returns the text of the token before the one at `index`.
    pub(super) fn before(&self, index: usize) -> &'a str {
        index.checked_sub(1).map_or("", |before| self.at(before))
    }

    /// Returns the indices of the tokens whose text is `word`.
    pub(super) fn places(&self, word: &str) -> impl Iterator<Item = usize> {
        self.tokens.iter().enumerate().filter(move |(_, it)| it.text == word).map(|(at, _)| at)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.places(word).next().is_some()
    }

    /// Whether the definition of some macro contains the word, so that the word may mean something
    /// else.
    pub(super) fn is_in_macro(&self, word: &str) -> bool {
        let is_define = |it: &&&str| it[1..].trim_start().starts_with("define");
        let mut words = self.directives.iter().filter(is_define).flat_map(|it| {
            it.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        });
        words.any(|it| it == word)
    }

    /// Whether the source includes `<header>`.
    pub(super) fn includes(&self, header: &str) -> bool {
        let named = format!("<{header}>");
        self.directives.iter().any(|it| it.contains("include") && it.contains(&named))
    }

    /// Returns the number of the line of the token at `index`, from 1.
    pub(super) fn line(&self, index: usize) -> u32 {
        self.tokens.get(index).map_or(1, |token| token.line)
    }

    /// Returns the index of the token that closes the bracket at `open`, which is `(`, `[`, `{` or,
    /// in a type, `<`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let in_type = self.at(open) == "<";
        let mut awaited = Vec::new();
        for (at, token) in self.tokens.iter().enumerate().skip(open).take(MAX_CLOSED_TOKENS) {
            match token.text {
                "(" => awaited.push(")"),
                "[" => awaited.push("]"),
                "{" => awaited.push("}"),
                "<" if in_type => awaited.push(">"),
                ";" if in_type => return None,
                ")" | "]" | "}" if awaited.pop() != Some(token.text) => return None,
                ">" if in_type && awaited.pop() != Some(">") => return None,
                _ => {}
            }
            if awaited.is_empty() {
                return Some(at);
            }
        }
        None
    }
}

/// Whether a byte can be part of a word. Names can contain non-ASCII letters.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Returns the length of the word or number at the start of `rest`. A number can have quotes
/// between its digits.
fn word_length(rest: &[u8]) -> usize {
    let is_number = rest.first().is_some_and(u8::is_ascii_digit);
    let is_inner = |at: usize| match rest[at] {
        b'.' => is_number,
        b'\'' => is_number && rest.get(at + 1).is_some_and(|&next| is_of_word(next)),
        byte => is_of_word(byte),
    };
    (0..rest.len()).find(|&at| !is_inner(at)).unwrap_or(rest.len())
}

/// Returns the length up to the end of the line. A backslash at the end of a line continues it.
fn line_length(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

/// Returns the length of the quoted text at the start of `rest`, with its quotes.
fn quoted_length(rest: &[u8]) -> usize {
    let quote = rest[0];
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            // An apostrophe in text that is not compiled, such as under `#if 0`, may never be
            // closed.
            b'\n' => return at,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Returns the length of the raw string whose prefix is the first `word` bytes of `rest`. `None` if
/// they are not the prefix of one.
fn raw_length(rest: &str, word: usize) -> Option<usize> {
    let quoted = rest[word..].strip_prefix('"').filter(|_| RAW.contains(&&rest[..word]))?;
    let end = format!("){}\"", &quoted[..quoted.find('(')?]);
    Some(through(rest, word + 1, &end))
}

/// Returns the length up to and including the first `end` after `from` bytes.
fn through(rest: &str, from: usize, end: &str) -> usize {
    rest[from..].find(end).map_or(rest.len(), |found| from + found + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        Code::read(source).tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_literals_and_directives_are_no_code() {
        for (source, expected) in [
            ("a // endl\nb", &["a", "b"][..]),
            ("a // endl \\\n endl\nb", &["a", "b"]),
            ("a /* endl\n endl */ b", &["a", "b"]),
            ("a \"endl \\\" endl\" b", &["a", "\"", "b"]),
            ("a R\"x(endl)\" endl)x\" b", &["a", "\"", "b"]),
            ("'\"' endl '\\''", &["\"", "endl", "\""]),
            ("1'000.5 + x", &["1'000.5", "+", "x"]),
            ("#define endl '\\n' \\\n more\n  # include <map>\nx", &["x"]),
            ("/* a */ #define M endl\nx", &["x"]),
            ("größe<<x", &["größe", "<", "<", "x"]),
            ("/* open", &[]),
            ("\"open\nendl", &["\"", "endl"]),
            ("R\"(open", &["\""]),
        ] {
            assert_eq!(texts(source), expected, "{source}");
        }
    }

    #[test]
    fn macros_and_headers_are_known() {
        let code = Code::read("#include <map>\n#  define endl '\\n'\n#undef x\nint x;");
        assert!(code.is_in_macro("endl") && !code.is_in_macro("x") && !code.is_in_macro("end"));
        assert!(code.includes("map") && !code.includes("unordered_map"));
        assert_eq!(code.line(code.places("x").next().unwrap_or_default()), 4);
        let code = Code::read("/* a\n b */ \"c\\\nd\" R\"(e\n)\"\nx");
        assert_eq!(code.line(code.places("x").next().unwrap_or_default()), 5);
    }

    #[test]
    fn signs_are_closed() {
        let code = Code::read("map<int, vector<pair<int,int>>> f(int (*g)(int)) { a < b; }");
        let closed = |open: &str, nth| {
            code.places(open).nth(nth).and_then(|open| code.closing(open)).map(|it| code.line(it))
        };
        assert_eq!((closed("<", 0), closed("(", 0), closed("{", 0)), (Some(1), Some(1), Some(1)));
        assert_eq!(closed("<", 3), None, "a comparison is no type");
        assert_eq!(Code::read("f(]").closing(1), None);
        let far = format!("f({})", "x ".repeat(MAX_CLOSED_TOKENS));
        assert_eq!(Code::read(&far).closing(1), None);
    }
}
