//! Parses complexities as people write them: "O(n log n)", "O(N*sqrt(N))", "O(n²)".
//!
//! ```text
//! text ─ tokens ─> [Token] ─ product, factor ─> Product ─ class ─> Class
//! ```

use profiler_growth::Class;

/// Maximum depth of nested parentheses.
const MAX_DEPTH: usize = 8;
/// Superscript digits, by their value.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Reason why a text is not a supported form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormError {
    /// The text has a variable other than the size.
    Variable(String),
    /// The text has another form.
    Form,
}

/// Lists the supported forms, one for each class.
pub(super) fn supported() -> String {
    let forms = Class::NAMED.into_iter().map(|class| (class, format!("O({})", class.name())));
    let parsed = forms.filter(|(class, form)| parse(form, |name| name == "n") == Ok(*class));
    parsed.map(|(_, form)| form).collect::<Vec<_>>().join(", ")
}

/// Parses a text. `is_size` tells whether a name is the size variable.
pub(super) fn parse(text: &str, is_size: impl Fn(&str) -> bool) -> Result<Class, FormError> {
    let inside = text.trim().strip_prefix(['O', 'Θ']).map(str::trim);
    let inside =
        inside.and_then(|it| it.strip_prefix('(')?.strip_suffix(')')).ok_or(FormError::Form)?;
    let tokens = tokens(inside, &is_size).ok_or(FormError::Form)?;
    if let Some(Token::Other(name)) = tokens.iter().find(|token| matches!(token, Token::Other(_))) {
        return Err(FormError::Variable(name.clone()));
    }
    let mut rest = tokens.as_slice();
    let found = product(&mut rest, MAX_DEPTH).filter(|_| rest.is_empty()).ok_or(FormError::Form)?;
    found.class().ok_or(FormError::Form)
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Size,
    Number(f64),
    Log,
    Root,
    Other(String),
    Symbol(char),
}

/// Splits a text into tokens. Superscripts become powers.
fn tokens(text: &str, is_size: &impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let mut end = first.len_utf8();
        match first {
            'a'..='z' | 'A'..='Z' => {
                end = length(|c| c.is_ascii_alphanumeric() || c == '_');
                tokens.extend(words(&rest[..end], is_size));
            }
            '0'..='9' => {
                end = length(|c| c.is_ascii_digit() || c == '.');
                tokens.push(Token::Number(rest[..end].parse().ok()?));
            }
            'ⁿ' => tokens.extend([Token::Symbol('^'), Token::Size]),
            '√' => tokens.push(Token::Root),
            '·' | '×' => tokens.push(Token::Symbol('*')),
            '+' | '*' | '^' | '!' | '(' | ')' => tokens.push(Token::Symbol(first)),
            _ => {
                let digit = SUPERSCRIPTS.iter().position(|&digit| digit == first)?;
                tokens.extend([Token::Symbol('^'), Token::Number(digit as f64)]);
            }
        }
        rest = rest[end..].trim_start();
    }
    Some(tokens)
}

/// Splits a run of letters and digits into words, which may be joined as in "nlogn".
fn words(run: &str, is_size: &impl Fn(&str) -> bool) -> Vec<Token> {
    let word = |word: &str| match word.to_ascii_lowercase().as_str() {
        _ if is_size(word) => Some(Token::Size),
        "log" | "ln" | "lg" | "log2" | "log_2" => Some(Token::Log),
        "sqrt" => Some(Token::Root),
        _ => None,
    };
    let mut found = Vec::new();
    let mut rest = run;
    while !rest.is_empty() {
        // The longest word at the beginning.
        let Some((end, token)) =
            (1..=rest.len()).rev().find_map(|end| Some((end, word(&rest[..end])?)))
        else {
            return vec![Token::Other(run.into())];
        };
        found.push(token);
        rest = &rest[end..];
    }
    found
}

/// The product n^power · (log n)^logs, perhaps times an exponential or a factorial of n.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Product {
    power: f64,
    logs: f64,
    /// The base of the exponential; 0 without one.
    base: f64,
    factorial: bool,
}

const ONE: Product = Product { power: 0.0, logs: 0.0, base: 0.0, factorial: false };
const N: Product = Product { power: 1.0, ..ONE };

impl Product {
    fn times(self, other: Self) -> Self {
        Self {
            power: self.power + other.power,
            logs: self.logs + other.logs,
            base: self.base.max(other.base),
            factorial: self.factorial || other.factorial,
        }
    }

    fn raised(self, to: f64) -> Option<Self> {
        let plain = self.base == 0.0 && !self.factorial;
        plain.then_some(Self { power: self.power * to, logs: self.logs * to, ..self })
    }

    /// Whether it is only a power of n.
    fn is_power(&self) -> bool {
        self.power > 0.0 && *self == Self { power: self.power, ..ONE }
    }

    /// Returns the growth class. Next to an exponential or a factorial, n and n² change the class
    /// of 2ⁿ only.
    fn class(self) -> Option<Class> {
        match (self.base > 0.0, self.factorial) {
            (false, false) => Class::product(self.power, self.logs),
            (true, false) if self.logs == 0.0 => match (self.base, self.power) {
                (2.0, 2.0..) => Some(Class::ExponentialTimesNSquared),
                (2.0, power) if power > 0.0 => Some(Class::ExponentialTimesN),
                (base, _) => Class::exponential(base),
            },
            (false, true) if self.logs == 0.0 => Some(Class::Factorial),
            _ => None,
        }
    }
}

fn take(rest: &mut &[Token], symbol: char) -> bool {
    let is_there = rest.first() == Some(&Token::Symbol(symbol));
    is_there && rest.split_off_first().is_some()
}

/// Parses factors, with or without a multiplication sign between them.
fn product(rest: &mut &[Token], depth: usize) -> Option<Product> {
    let mut found = factor(rest, depth)?;
    loop {
        let sign = take(rest, '*');
        match rest.first() {
            None | Some(Token::Symbol(')')) if !sign => return Some(found),
            _ => found = found.times(factor(rest, depth)?),
        }
    }
}

/// Parses a number, n, a logarithm, a root, or a product in parentheses, perhaps raised to a power.
fn factor(rest: &mut &[Token], depth: usize) -> Option<Product> {
    let depth = depth.checked_sub(1)?;
    let found = match rest.split_off_first()? {
        Token::Size if take(rest, '!') => return Some(Product { factorial: true, ..ONE }),
        Token::Size => N,
        Token::Number(base) if take(rest, '^') => return power_of(*base, rest, depth),
        Token::Number(_) => return Some(ONE),
        Token::Log => {
            let logs = exponent(rest)?;
            return factor(rest, depth)?.is_power().then_some(Product { logs, ..ONE });
        }
        Token::Root => return factor(rest, depth)?.raised(0.5),
        Token::Symbol('(') => {
            let inside = product(rest, depth)?;
            take(rest, ')').then_some(inside)?
        }
        Token::Symbol(_) | Token::Other(_) => return None,
    };
    found.raised(exponent(rest)?)
}

/// Parses the number after a "^"; 1 without one.
fn exponent(rest: &mut &[Token]) -> Option<f64> {
    if !take(rest, '^') {
        return Some(1.0);
    }
    match rest.split_off_first()? {
        Token::Number(exponent) => Some(*exponent),
        _ => None,
    }
}

/// Parses the exponent of a number: n, or another number.
fn power_of(base: f64, rest: &mut &[Token], depth: usize) -> Option<Product> {
    match factor(rest, depth)? {
        to if to == N && base > 1.0 => Some(Product { base, ..ONE }),
        to => (to == ONE).then_some(ONE),
    }
}
