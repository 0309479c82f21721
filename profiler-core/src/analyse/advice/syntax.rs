//! Blocks, statements, declarations and loops of a source, as far as its tokens show them. A wrong
//! guess costs a trial: the changed program does not compile, or writes another output.

use super::change::Edit;
use super::tokens::Code;
use std::ops::{Range, RangeInclusive};

/// Maximum number of loops that are looked at. Far fewer changes are tried.
const MAX_LOOPS: usize = 64;
/// Maximum number of declarations that are looked at.
const MAX_DECLARATIONS: usize = 256;
/// Maximum number of tokens of a range in which the uses of a name are looked at, so that a hostile
/// source cannot make that slow.
const MAX_SEARCHED_TOKENS: usize = 2000;
/// Words that begin a statement which is no declaration, or one that has to stay in its place.
const NO_TYPE: &str = "return delete throw else goto using typedef case new if while for do switch \
                       operator static break continue";
/// Methods that change their object, or give access to what it holds.
const CHANGING: &str = "push_back pop_back push_front pop_front push pop emplace emplace_back \
                        emplace_front insert erase clear resize assign swap append begin rbegin \
                        data extract merge";

/// A source whose brackets are paired.
#[derive(Debug)]
pub(super) struct Syntax<'c, 'a> {
    pub(super) code: &'c Code<'a>,
    /// The partner of each bracket.
    partners: Vec<Option<usize>>,
    /// The innermost bracket that is open at each token.
    parents: Vec<Option<usize>>,
}

/// A `for` or `while` loop, as indices of tokens.
#[derive(Debug, Clone)]
pub(super) struct Loop {
    pub(super) keyword: usize,
    /// The tokens between the parentheses.
    pub(super) header: Range<usize>,
    /// The tokens of the body, with its braces.
    pub(super) body: Range<usize>,
}

/// A declaration of one variable, as indices of tokens.
#[derive(Debug, Clone)]
pub(super) struct Declaration<'a> {
    pub(super) first: usize,
    /// The tokens of the type, without `const`.
    pub(super) kind: Range<usize>,
    pub(super) name: &'a str,
    pub(super) is_reference: bool,
    pub(super) is_const: bool,
    /// The sign after the name: `=`, `(`, or `;`.
    pub(super) sign: &'a str,
    /// The tokens of the initial value: after `=`, or between the parentheses.
    pub(super) value: Range<usize>,
    /// The `;`.
    pub(super) end: usize,
}

impl<'c, 'a> Syntax<'c, 'a> {
    /// Pairs the brackets.
    pub(super) fn of(code: &'c Code<'a>) -> Self {
        let count = code.tokens.len();
        let (mut partners, mut parents) = (vec![None; count], vec![None; count]);
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in code.tokens.iter().enumerate() {
            let opening = match token.text {
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => "",
            };
            if let Some(&last) = open.last().filter(|&&last| code.at(last) == opening) {
                open.pop();
                (partners[last], partners[at]) = (Some(at), Some(last));
            }
            parents[at] = open.last().copied();
            if matches!(token.text, "(" | "[" | "{") {
                open.push(at);
            }
        }
        Self { code, partners, parents }
    }

    pub(super) fn at(&self, index: usize) -> &'a str {
        self.code.at(index)
    }

    /// Returns the index of the bracket that closes or opens the one at `at`.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }

    /// Returns the index of the innermost bracket around the token at `at`.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.parents.get(at).copied().flatten()
    }

    /// Returns the index of the `}` that ends the innermost block around the token at `at`.
    pub(super) fn block_end(&self, at: usize) -> Option<usize> {
        let open = self.parent(at).filter(|&open| self.at(open) == "{")?;
        self.partner(open)
    }

    /// Whether the tokens at and after `at` are these.
    pub(super) fn is(&self, at: usize, texts: &[&str]) -> bool {
        texts.iter().enumerate().all(|(offset, text)| self.at(at + offset) == *text)
    }

    /// Returns the source of a range of tokens.
    pub(super) fn text(&self, tokens: &Range<usize>) -> &'a str {
        let bytes = self.bytes(tokens);
        self.code.text.get(bytes).unwrap_or_default()
    }

    /// Makes an edit that replaces a range of tokens, which has no line ends.
    pub(super) fn replace(&self, tokens: Range<usize>, with: impl Into<String>) -> Option<Edit> {
        let is_on_a_line = !self.text(&tokens).contains('\n');
        is_on_a_line.then(|| Edit { at: self.bytes(&tokens), with: with.into() })
    }

    /// Makes an edit that inserts text before the token at `at`.
    pub(super) fn insert(&self, at: usize, with: &str) -> Option<Edit> {
        Some(Edit::insert(self.code.tokens.get(at)?.start, with))
    }

    /// Makes an edit that inserts text after the token at `at`.
    pub(super) fn append(&self, at: usize, with: &str) -> Option<Edit> {
        Some(Edit::insert(self.code.tokens.get(at)?.end(), with))
    }

    fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let token = |at: usize| self.code.tokens.get(at);
        let start = token(tokens.start).map_or(0, |first| first.start);
        let end = tokens.end.checked_sub(1).and_then(token).map_or(start, |last| last.end());
        start..end.max(start)
    }

    /// Returns the lines of a range of tokens.
    pub(super) fn lines(&self, tokens: &Range<usize>) -> RangeInclusive<u32> {
        self.code.line(tokens.start)..=self.code.line(tokens.end.saturating_sub(1))
    }

    /// Whether a statement could be put before the token at `at`.
    pub(super) fn begins_statement(&self, at: usize) -> bool {
        let is_in_block = self.parent(at).is_some_and(|open| self.at(open) == "{");
        is_in_block && matches!(self.code.before(at), "{" | "}" | ";") && self.at(at) != "else"
    }

    /// Returns the index of the last token of the statement that contains the token at `at`, which
    /// is in no bracket that the statement opens.
    pub(super) fn statement_end(&self, at: usize) -> Option<usize> {
        let mut next = at;
        loop {
            match self.at(next) {
                ";" if self.at(next + 1) != "else" => return Some(next),
                "(" | "[" => next = self.partner(next)?,
                "{" => {
                    next = self.partner(next)?;
                    let is_value =
                        matches!(self.at(next + 1), ";" | "," | "." | "(" | "[" | "else");
                    if !is_value {
                        return Some(next);
                    }
                }
                "}" | "" => return None,
                _ => {}
            }
            next += 1;
        }
    }

    /// Returns the loops, in their order.
    pub(super) fn loops(&self) -> Vec<Loop> {
        let keywords = (0..self.code.tokens.len())
            .filter(|&at| matches!(self.at(at), "for" | "while") && self.at(at + 1) == "(");
        let found = keywords.filter_map(|keyword| {
            let close = self.partner(keyword + 1)?;
            let end = self.statement_end(close + 1)?;
            let (header, body) = (keyword + 2..close, close + 1..end + 1);
            // The end of a `do` has no body.
            (body.len() > 1).then_some(Loop { keyword, header, body })
        });
        found.take(MAX_LOOPS).collect()
    }

    /// Returns the declarations of blocks, in their order.
    pub(super) fn declarations(&self) -> Vec<Declaration<'a>> {
        let starts = (0..self.code.tokens.len()).filter(|&at| self.begins_statement(at));
        starts.filter_map(|at| self.declaration(at)).take(MAX_DECLARATIONS).collect()
    }

    /// Returns the parts of a range that are separated by a sign outside of all brackets in it.
    pub(super) fn split(&self, tokens: &Range<usize>, sign: &str) -> Vec<Range<usize>> {
        let (mut parts, mut from, mut at) = (Vec::new(), tokens.start, tokens.start);
        while at < tokens.end {
            match self.at(at) {
                "(" | "[" | "{" => at = self.partner(at).unwrap_or(at),
                text if text == sign => {
                    parts.push(from..at);
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        parts.push(from..tokens.end);
        parts
    }

    /// Returns the declaration that begins at the token at `first`. `None` if there is none, or if
    /// it declares several variables.
    pub(super) fn declaration(&self, first: usize) -> Option<Declaration<'a>> {
        let code = self.code;
        let is_const = matches!(self.at(first), "const" | "constexpr");
        let start = first + usize::from(is_const);
        if is_one_of(NO_TYPE, self.at(start)) {
            return None;
        }
        let (mut at, mut is_reference) = (start, false);
        while matches!(self.at(at + 1), ":" | "<" | "&" | "*") || self.is_word(at + 1) {
            match self.at(at) {
                "&" | "*" => is_reference = true,
                ":" | ">" => {}
                _ if self.is_word(at) => {}
                _ => return None,
            }
            at += 1;
            if self.at(at) == "<" {
                at = code.closing(at)?;
            }
        }
        let name = Some(at).filter(|&at| at > start && self.is_word(at))?;
        let sign = self.at(name + 1);
        let end = self.statement_end(name + 1).filter(|&end| self.at(end) == ";")?;
        let value = match sign {
            ";" => end..end,
            "=" if self.at(name + 2) != "=" => name + 2..end,
            "(" if self.partner(name + 1) == Some(end - 1) => name + 2..end - 1,
            _ => return None,
        };
        let is_one = sign == "(" || self.split(&value, ",").len() == 1;
        let kind = start..name;
        let name = self.at(name);
        is_one.then_some(Declaration {
            first,
            kind,
            name,
            is_reference,
            is_const,
            sign,
            value,
            end,
        })
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.code.tokens.get(at).is_some_and(|token| token.is_word())
    }

    /// Whether the token at `at` is a name that is no member and no number.
    pub(super) fn is_name(&self, at: usize) -> bool {
        let is_member = self.code.before(at) == "."
            || (self.code.before(at) == ">" && self.at(at.saturating_sub(2)) == "-");
        let is_number = self.at(at).starts_with(|first: char| first.is_ascii_digit());
        self.is_word(at) && !is_member && !is_number
    }

    /// Returns the variables that a range of tokens uses.
    pub(super) fn variables(&self, tokens: &Range<usize>) -> Vec<&'a str> {
        let is_variable = |&at: &usize| self.is_name(at) && !matches!(self.at(at + 1), "(" | ":");
        tokens.clone().filter(is_variable).map(|at| self.at(at)).collect()
    }

    /// Whether a range of tokens visibly changes a variable, or what it holds. A long range counts
    /// as changing it.
    pub(super) fn changes(&self, tokens: &Range<usize>, name: &str) -> bool {
        tokens.len() > MAX_SEARCHED_TOKENS
            || tokens.clone().any(|at| self.at(at) == name && self.is_changed(at, true))
    }

    /// Whether a range of tokens visibly gives a variable another value.
    pub(super) fn assigns(&self, tokens: &Range<usize>, name: &str) -> bool {
        tokens.len() > MAX_SEARCHED_TOKENS
            || tokens.clone().any(|at| self.at(at) == name && self.is_changed(at, false))
    }

    /// Returns the token after the index or the member at `at`.
    fn part(&self, at: usize) -> Option<usize> {
        match self.at(at) {
            "[" => Some(self.partner(at)? + 1),
            "." => {
                let is_kept = self.at(at + 2) == "(" && !is_one_of(CHANGING, self.at(at + 1));
                (self.is_word(at + 1) && !is_kept).then_some(at + 2)
            }
            _ => None,
        }
    }

    /// Whether the variable at `at` is changed there; `with_content`: or a part of it.
    fn is_changed(&self, at: usize, with_content: bool) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.at(at));
        let mut next = at + 1;
        while let Some(after) = self.part(next).filter(|_| with_content) {
            if self.at(next) == "." && is_one_of(CHANGING, self.at(next + 1)) {
                return true;
            }
            next = after;
        }
        let [sign, second, third] = [0, 1, 2].map(|ahead| self.at(next + ahead));
        let is_assigned = match sign {
            "=" => second != "=",
            "+" | "-" => second == "=" || second == sign,
            "*" | "/" | "%" | "&" | "|" | "^" => second == "=",
            "<" | ">" => second == sign && third == "=",
            _ => false,
        };
        let is_read_into = before(1) == ">" && before(2) == ">";
        let is_stepped = matches!(before(1), "+" | "-") && before(1) == before(2);
        let is_pointed_at = before(1) == "&" && matches!(before(2), "(" | "," | "=");
        is_assigned || is_read_into || is_stepped || is_pointed_at
    }
}

/// Whether a word is in a list of words.
pub(super) fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(code: &Code<'_>, word: &str) -> usize {
        code.places(word).next().unwrap_or_default()
    }

    #[test]
    fn loops_have_headers_and_bodies() {
        let text = "int f() { for (int i = 0; i < n; i++) { a(); } while (x) if (y) b(); else c(); \
                    do { d(); } while (z); e(); }";
        let code = Code::read(text);
        let syntax = Syntax::of(&code);
        let found: Vec<_> = syntax.loops().iter().map(|it| syntax.text(&it.body)).collect();
        assert_eq!(found, ["{ a(); }", "if (y) b(); else c();"]);
        let header = &syntax.loops()[0].header;
        assert_eq!(syntax.split(header, ";").len(), 3);
        assert!(syntax.begins_statement(first(&code, "for")));
        assert!(!syntax.begins_statement(first(&code, "b")));
        assert_eq!(syntax.block_end(first(&code, "a")), Some(first(&code, "while") - 1));
    }

    #[test]
    fn declarations_have_types_and_values() {
        for (text, expected) in [
            ("std::vector<int> a(n, 0);", Some(("std::vector<int>", "a", "n, 0"))),
            ("const auto b = f(x, y);", Some(("auto", "b", "f(x, y)"))),
            ("long long c = 3;", Some(("long long", "c", "3"))),
            ("map<int, vector<int>> d;", Some(("map<int, vector<int>>", "d", ""))),
            ("int& e = g[1];", Some(("int&", "e", "g[1]"))),
            ("int h = 1, i = 2;", None),
            ("return f(x);", None),
            ("j(k);", None),
            ("l = m;", None),
            ("cout << n;", None),
            ("o[1] = 2;", None),
        ] {
            let text = format!("{{ {text} }}");
            let code = Code::read(&text);
            let syntax = Syntax::of(&code);
            let found = syntax.declaration(1);
            let found = found.map(|it| (syntax.text(&it.kind), it.name, syntax.text(&it.value)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn visible_changes_are_seen() {
        for (text, changes, assigns) in [
            ("x = 1", true, true),
            ("x += 1", true, true),
            ("++x", true, true),
            ("x--", true, true),
            ("x >>= 1", true, true),
            ("cin >> x", true, true),
            ("f(&x)", true, true),
            ("x[1][2] = 3", true, false),
            ("x.push_back(1)", true, false),
            ("x == 1", false, false),
            ("y <= x", false, false),
            ("y = x + 1", false, false),
            ("f(x[1], x.size())", false, false),
        ] {
            let code = Code::read(text);
            let (syntax, all) = (Syntax::of(&code), 0..code.tokens.len());
            assert_eq!(syntax.changes(&all, "x"), changes, "{text}");
            assert_eq!(syntax.assigns(&all, "x"), assigns, "{text}");
        }
    }
}
