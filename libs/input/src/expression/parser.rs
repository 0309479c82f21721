//! Compiles the text of an expression.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = sign { ("*" | "/" | "%") sign }
//! sign    = "-" sign | power
//! power   = atom [ "^" sign ]
//! atom    = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
//! number  = digits [ "e" digits ]
//! digits  = digit { [ "_" ] digit }
//! ```

use crate::expression::code::{Code, Fault, Slot, Step};
use crate::limits::{MAX_DEPTH, MAX_EXPRESSION_BYTES};

impl Code {
    /// Compiles an expression. `slot` resolves a name, or says what is wrong with the name.
    pub(crate) fn read(
        text: &str,
        slot: &dyn Fn(&str) -> Result<Slot, String>,
    ) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("is missing".into());
        }
        if text.len() > MAX_EXPRESSION_BYTES {
            let bytes = text.len();
            return Err(format!("must have at most {MAX_EXPRESSION_BYTES} bytes, not {bytes}"));
        }
        let mut reader = Reader { rest: text, slot, steps: Vec::new(), nested: 0, height: 0 };
        reader.sum()?;
        match reader.peek() {
            None => Ok(Self(reader.steps)),
            Some(_) => Err(reader.unexpected()),
        }
    }
}

/// The name at the start of the text, or an empty string.
pub(crate) fn name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &text[..end] }
}

struct Reader<'t> {
    rest: &'t str,
    slot: &'t dyn Fn(&str) -> Result<Slot, String>,
    steps: Vec<Step>,
    nested: usize,
    /// Height of the machine's stack after these steps.
    height: usize,
}

impl<'t> Reader<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn unexpected(&mut self) -> String {
        match self.peek() {
            Some(c) => format!("has an unexpected {c:?}"),
            None => "ends too early".into(),
        }
    }

    fn step(&mut self, step: Step) -> Result<(), String> {
        self.height = self.height + 1 - step.arguments();
        self.steps.push(step);
        shallow(self.height)
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        loop {
            let step = match self.peek() {
                Some('+') => Step::Add,
                Some('-') => Step::Subtract,
                _ => return Ok(()),
            };
            self.rest = &self.rest[1..];
            self.product()?;
            self.step(step)?;
        }
    }

    fn product(&mut self) -> Result<(), String> {
        self.sign()?;
        loop {
            let step = match self.peek() {
                Some('*') => Step::Multiply,
                Some('/') => Step::Divide,
                Some('%') => Step::Remainder,
                _ => return Ok(()),
            };
            self.rest = &self.rest[1..];
            self.sign()?;
            self.step(step)?;
        }
    }

    /// Every nested expression passes through this function, so it checks the depth.
    fn sign(&mut self) -> Result<(), String> {
        self.nested += 1;
        shallow(self.nested)?;
        if self.take('-') {
            self.sign()?;
            self.step(Step::Negate)?;
        } else {
            self.atom()?;
            if self.take('^') {
                self.sign()?;
                self.step(Step::Power)?;
            }
        }
        self.nested -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Result<(), String> {
        match self.peek() {
            Some('(') => {
                self.rest = &self.rest[1..];
                self.sum()?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(),
            _ => Err(self.unexpected()),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        if self.take(')') { Ok(()) } else { Err(self.unexpected()) }
    }

    fn number(&mut self) -> Result<(), String> {
        let (whole, digits) = (self.rest, self.digits());
        let exponent = match self.rest.strip_prefix(['e', 'E']) {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                self.rest = rest;
                self.digits()
            }
            _ => "0".into(),
        };
        let power = exponent.parse().ok().and_then(|exponent| 10_i64.checked_pow(exponent));
        let value = digits.parse::<i64>().ok().zip(power).and_then(|(n, ten)| n.checked_mul(ten));
        let written = &whole[..whole.len() - self.rest.len()];
        self.step(Step::Push(value.ok_or_else(|| format!("{written} {}", Fault::Overflow))?))
    }

    /// Digits, without the underscores between them.
    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(digit) = self.rest.chars().next().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.rest = &self.rest[1..];
            let grouped = self.rest.strip_prefix('_');
            if let Some(rest) =
                grouped.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            {
                self.rest = rest;
            }
        }
        digits
    }

    fn word(&mut self) -> Result<(), String> {
        let word: &'t str = name(self.rest);
        self.rest = &self.rest[word.len()..];
        if self.take('(') {
            return self.call(word);
        }
        let slot = (self.slot)(word)?;
        self.step(Step::Load(slot))
    }

    fn call(&mut self, function: &str) -> Result<(), String> {
        let step = match function {
            "min" => Step::Min,
            "max" => Step::Max,
            "abs" => Step::Abs,
            "log2" => Step::Log2,
            "sqrt" => Step::Sqrt,
            _ => return Err(format!("uses the unknown function {function}")),
        };
        self.sum()?;
        if step.arguments() == 2 {
            if !self.take(',') {
                return Err(format!("calls {function} with one argument instead of two"));
            }
            self.sum()?;
        }
        self.close()?;
        self.step(step)
    }
}

/// Checks the limit on depth.
fn shallow(depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("is nested more than {MAX_DEPTH} levels deep"));
    }
    Ok(())
}
