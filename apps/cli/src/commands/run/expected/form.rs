//! Parses complexities as people write them: "O(n log n)", "O(N*sqrt(N))", "O(n²)".
//!
//! ```text
//! text ─ tokens ─> [Token] ─ product, factor ─> Product ─ class ─> Class
//! ```

use profiler_growth::Class;

/// The supported forms.
pub(super) const SUPPORTED: &str = "O(1), O(log n), O(sqrt n), O(n), O(n log n), O(n log^2 n), O(n sqrt n), O(n^2), O(n^2 log n), O(n^3), \
     O(2^n), O(n 2^n), O(3^n), O(n!)";
/// The deepest nesting of parentheses.
const MAX_DEPTH: usize = 8;

/// Reason why a text is not a supported form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormError {
    /// The text has a variable other than the size.
    Variable(String),
    /// The text has another form.
    Form,
}

/// Parses a text. `is_size` tells which names are the size.
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
            '²' => tokens.extend([Token::Symbol('^'), Token::Number(2.0)]),
            '³' => tokens.extend([Token::Symbol('^'), Token::Number(3.0)]),
            'ⁿ' => tokens.extend([Token::Symbol('^'), Token::Size]),
            '√' => tokens.push(Token::Root),
            '·' | '×' => tokens.push(Token::Symbol('*')),
            '+' | '*' | '^' | '!' | '(' | ')' => tokens.push(Token::Symbol(first)),
            _ => return None,
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
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Product {
    power: f64,
    logs: f64,
    /// The base of the exponential; 0 without one.
    base: f64,
    factorial: bool,
}

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
        let rest = Self { power: 0.0, ..*self };
        self.power > 0.0 && rest == Self::default()
    }

    /// The class. A power of n makes a difference next to 2ⁿ alone.
    fn class(self) -> Option<Class> {
        match (self.base > 0.0, self.factorial) {
            (false, false) => Class::product(self.power, self.logs),
            (true, false) if self.logs == 0.0 => Some(match self.base {
                3.0 => Class::TripleExponential,
                2.0 if self.power > 0.0 => Class::ExponentialTimesN,
                _ => Class::Exponential,
            }),
            (false, true) if self.logs == 0.0 => Some(Class::Factorial),
            _ => None,
        }
    }
}

fn taken<'t>(rest: &mut &'t [Token]) -> Option<&'t Token> {
    let (first, others) = rest.split_first()?;
    *rest = others;
    Some(first)
}

fn take(rest: &mut &[Token], symbol: char) -> bool {
    let there = rest.first() == Some(&Token::Symbol(symbol));
    if there {
        *rest = &rest[1..];
    }
    there
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
    let linear = Product { power: 1.0, ..Product::default() };
    let found = match taken(rest)? {
        Token::Size if take(rest, '!') => {
            return Some(Product { factorial: true, ..Product::default() });
        }
        Token::Size => linear,
        Token::Number(base) => {
            return if take(rest, '^') {
                power_of(*base, rest, depth)
            } else {
                Some(Product::default())
            };
        }
        Token::Log => {
            let times = exponent(rest)?;
            factor(rest, depth)?.is_power().then_some(())?;
            return Some(Product { logs: times, ..Product::default() });
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
    match take(rest, '^').then(|| taken(rest)) {
        None => Some(1.0),
        Some(Some(Token::Number(exponent))) => Some(*exponent),
        Some(_) => None,
    }
}

/// Parses the exponent of a number: n, or another number.
fn power_of(base: f64, rest: &mut &[Token], depth: usize) -> Option<Product> {
    let to = factor(rest, depth)?;
    let exponential = to == Product { power: 1.0, ..Product::default() } && base > 1.0;
    let base = if exponential { base } else { 0.0 };
    (exponential || to == Product::default()).then_some(Product { base, ..Product::default() })
}
