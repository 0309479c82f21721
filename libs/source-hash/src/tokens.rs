//! The tokens of a file that reach the programs.

use proc_macro2::{Delimiter, Group, LexError, Spacing, TokenStream, TokenTree};

/// Attributes of items that are not compiled into the programs: tests, and parsers that only the
/// host uses.
const ABSENT: [&str; 2] = ["cfg(test)", "cfg(feature=\"host\")"];

/// Part of a file that a compiler sees.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// All tokens but documentation and absent items.
    pub(crate) text: String,
    /// The modules that the file declares and another file contains.
    pub(crate) modules: Vec<String>,
}

/// The tokens of `source` that reach the programs.
pub(crate) fn compiled_tokens(source: &str) -> Result<Tokens, LexError> {
    let mut tokens = Tokens::default();
    let stream: TokenStream = source.parse()?;
    let file: Vec<TokenTree> = stream.into_iter().collect();
    for three in without_absent(&file).windows(3) {
        if let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(end)] = three
            && word == "mod"
            && end.as_char() == ';'
        {
            tokens.modules.push(name.to_string());
        }
    }
    write(&file, &mut tokens.text);
    Ok(tokens)
}

fn write(tokens: &[TokenTree], text: &mut String) {
    for token in without_absent(tokens) {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(&group.stream().into_iter().collect::<Vec<_>>(), text);
                text.push_str(close);
            }
            // `& &` and `&&` are different operators.
            TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint => text.push(mark.as_char()),
            token => {
                text.push_str(&token.to_string());
                text.push(' ');
            }
        }
    }
}

/// These tokens without documentation and absent items, at this level of groups.
fn without_absent(mut tokens: &[TokenTree]) -> Vec<&TokenTree> {
    let mut left = Vec::new();
    while let Some((first, after)) = tokens.split_first() {
        let mut attributes = Vec::new();
        let mut item = tokens;
        while let Some((attribute, next)) = attribute(item) {
            attributes.push(attribute);
            item = next;
        }
        let is_absent = attributes.iter().any(Attribute::is_absent);
        if is_absent && let Some(length) = item_length(item) {
            tokens = &item[length..];
            continue;
        }
        if attributes.is_empty() {
            left.push(first);
            tokens = after;
            continue;
        }
        let kept = attributes.iter().filter(|attribute| !attribute.is_documentation());
        left.extend(kept.flat_map(|attribute| attribute.tokens));
        tokens = item;
    }
    left
}

/// `#[…]` or `#![…]`.
struct Attribute<'a> {
    tokens: &'a [TokenTree],
    content: &'a Group,
}

impl Attribute<'_> {
    fn is_absent(&self) -> bool {
        let words: String = self.content.stream().to_string().split_whitespace().collect();
        // `#![cfg(…)]` applies to what contains the attribute, and is rare.
        self.tokens.len() == 2 && ABSENT.contains(&words.as_str())
    }

    /// `/// …` is `#[doc = "…"]` among tokens.
    fn is_documentation(&self) -> bool {
        let first = self.content.stream().into_iter().next();
        matches!(first, Some(TokenTree::Ident(word)) if word == "doc")
    }
}

/// The attribute that `tokens` begin with, and the tokens after it.
fn attribute(tokens: &[TokenTree]) -> Option<(Attribute<'_>, &[TokenTree])> {
    let is_mark =
        |token: &TokenTree, mark| matches!(token, TokenTree::Punct(p) if p.as_char() == mark);
    let length = match tokens {
        [hash, bang, ..] if is_mark(hash, '#') && is_mark(bang, '!') => 3,
        [hash, ..] if is_mark(hash, '#') => 2,
        _ => return None,
    };
    let (tokens, after) = tokens.split_at_checked(length)?;
    match tokens.last() {
        Some(TokenTree::Group(content)) if content.delimiter() == Delimiter::Bracket => {
            Some((Attribute { tokens, content }, after))
        }
        _ => None,
    }
}

/// Returns the number of tokens of the item that `tokens` begin with.
///
/// `None` if it is not an item (but a field, an arm or a statement). Such tokens stay, so the hash
/// may change needlessly, but no change is missed.
fn item_length(tokens: &[TokenTree]) -> Option<usize> {
    let words = tokens.iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let mut words = words.skip_while(|word| word == "pub").take(2);
    let (first, second) = (words.next()?, words.next());
    let ends_with_braces = match first.as_str() {
        "mod" | "fn" | "async" | "unsafe" | "struct" | "enum" | "impl" | "trait" => true,
        "const" => matches!(second.as_deref(), Some("fn" | "async" | "unsafe")),
        "use" | "static" | "type" => false,
        _ => return None,
    };
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => ends_with_braces && group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens.iter().position(is_end).map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::{Tokens, compiled_tokens};

    fn tokens(source: &str) -> Tokens {
        compiled_tokens(source).unwrap()
    }

    const CODE: &str = "mod other; pub fn twice(x: u32) -> u32 { 2 * x }";

    #[test]
    fn comments_and_documentation_are_no_tokens() {
        let commented = "//! A crate.\n#![doc = \"of\"]\n mod other; // Another.\n
            /// Doubles.\n#[doc(hidden)] pub fn twice(x: u32) -> u32 { /* two */ 2 * x }";
        assert_eq!(tokens(commented), tokens(CODE));
    }

    #[test]
    fn tests_and_what_only_the_host_compiles_are_no_tokens() {
        for absent in [
            "#[cfg(test)] mod tests { fn f() {} }",
            "#[cfg(test)] mod tests;",
            "#[cfg(test)]\n/// Documented.\n#[derive(Debug)] pub(crate) struct S { x: u8 }",
            "#[cfg(test)] pub struct S(u8);",
            "#[cfg(test)] pub use a::{b, c};",
            "#[cfg(test)] const A: u8 = { 1 };",
            "#[cfg(test)] pub(crate) const fn f() -> u8 { 1 }",
            "#[cfg(feature = \"host\")] pub mod host;",
        ] {
            assert_eq!(tokens(&format!("{absent}{CODE}")), tokens(CODE), "{absent}");
            assert_eq!(tokens(&format!("{CODE}{absent}")), tokens(CODE), "{absent}");
        }
        let inside = "impl S { fn a() {} #[cfg(test)] fn b() {} fn c() {} }";
        assert_eq!(tokens(inside), tokens("impl S { fn a() {} fn c() {} }"));
    }

    #[test]
    fn code_is_tokens() {
        let others = [
            "mod other; pub fn twice(x: u32) -> u32 { 3 * x }",
            "mod other; pub fn twice(x: u64) -> u32 { 2 * x }",
            "mod other; #[inline] pub fn twice(x: u32) -> u32 { 2 * x }",
            "mod other; #[cfg(unix)] pub fn twice(x: u32) -> u32 { 2 * x }",
            "mod another; pub fn twice(x: u32) -> u32 { 2 * x }",
        ];
        for other in others {
            assert_ne!(tokens(other), tokens(CODE));
        }
        assert_ne!(tokens("f(a && b)"), tokens("f(a & &b)"));
        assert_ne!(tokens("f((a, b))"), tokens("f(a, b)"));
    }

    /// If the parser does not understand an attribute, it hashes the tokens after it. A needless
    /// change of the hash is better than a missed one.
    #[test]
    fn attribute_on_no_item_stays() {
        let field = "struct S { #[cfg(test)] a: u8, b: u8 }";
        assert_ne!(tokens(field), tokens("struct S { b: u8 }"));
        assert_ne!(tokens("#[cfg(all(test, unix))] fn f() {}"), tokens(""));
    }

    #[test]
    fn modules_of_other_files_are_named() {
        let source = "#[cfg(test)] mod tests; pub(crate) mod a; mod b { } mod c;";
        assert_eq!(tokens(source).modules, ["a", "c"]);
    }
}
