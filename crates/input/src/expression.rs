//! Whole-number formulas. A text becomes code for a stack machine, which is worked out without recursion.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = sign { ("*" | "/" | "%") sign }
//! sign    = "-" sign | power
//! power   = atom [ "^" sign ]
//! atom    = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
//! ```

use crate::limits::{MAX_DEPTH, MAX_EXPRESSION_BYTES};

/// A step of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Push(i64),
    Load(Slot),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Min,
    Max,
    Abs,
    Log2,
    Sqrt,
}

/// Where the value of a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The size.
    N,
    /// A scalar of the spec, by its place among the values of the scope.
    Value(usize),
    /// A constant of the task.
    Constant(i64),
}

/// An expression, ready to be worked out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Code(Vec<Step>);

/// What names have as values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'v> {
    pub(crate) n: i64,
    /// Of each variable that is a scalar; nothing for one that could not be worked out.
    pub(crate) slots: &'v [Option<i64>],
}

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// For a reason of its own.
    Of(&'static str),
    /// It names a scalar that has none, which is said there.
    Named,
}

const OVERFLOW: &str = "does not fit into 64 bits";

impl Code {
    /// Reads an expression; `slot` says where a name's value stands, or what is wrong with the name.
    pub(crate) fn read(
        text: &str,
        slot: &dyn Fn(&str) -> Result<Slot, String>,
    ) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("is missing".into());
        }
        if text.len() > MAX_EXPRESSION_BYTES {
            let bytes = text.len();
            return Err(format!("{bytes} bytes are over the limit of {MAX_EXPRESSION_BYTES}"));
        }
        let mut reader = Reader { rest: text, slot, steps: Vec::new(), nested: 0, height: 0 };
        reader.sum()?;
        match reader.peek() {
            None => Ok(Self(reader.steps)),
            Some(_) => Err(reader.unexpected()),
        }
    }

    /// How many steps it takes.
    pub(crate) fn steps(&self) -> u64 {
        self.0.len() as u64
    }

    /// Its value.
    pub(crate) fn value(&self, values: Values<'_>) -> Result<i64, Fault> {
        let mut stack = [0; MAX_DEPTH];
        let mut height: usize = 0;
        for step in &self.0 {
            let arguments = step.arguments();
            // A reader makes no code that takes what is not there.
            let below = height.checked_sub(arguments).ok_or(Fault::Named)?;
            let (a, b) = match arguments {
                0 => (0, 0),
                1 => (stack[below], 0),
                _ => (stack[below], stack[below + 1]),
            };
            let place = stack.get_mut(below).ok_or(Fault::Of(OVERFLOW))?;
            *place = step.apply(a, b, values)?;
            height = below + 1;
        }
        Ok(stack[0])
    }
}

impl Step {
    fn arguments(self) -> usize {
        match self {
            Step::Push(_) | Step::Load(_) => 0,
            Step::Negate | Step::Abs | Step::Log2 | Step::Sqrt => 1,
            _ => 2,
        }
    }

    fn apply(self, a: i64, b: i64, values: Values<'_>) -> Result<i64, Fault> {
        let fits = |value: Option<i64>| value.ok_or(Fault::Of(OVERFLOW));
        match self {
            Step::Push(value) | Step::Load(Slot::Constant(value)) => Ok(value),
            Step::Load(Slot::N) => Ok(values.n),
            Step::Load(Slot::Value(place)) => {
                values.slots.get(place).copied().flatten().ok_or(Fault::Named)
            }
            Step::Negate => fits(a.checked_neg()),
            Step::Add => fits(a.checked_add(b)),
            Step::Subtract => fits(a.checked_sub(b)),
            Step::Multiply => fits(a.checked_mul(b)),
            Step::Divide | Step::Remainder if b == 0 => Err(Fault::Of("divides by zero")),
            Step::Divide => fits(a.checked_div(b).map(|q| q - i64::from(inexact(a, b)))),
            Step::Remainder => {
                Ok(a.checked_rem(b).map_or(0, |rest| if inexact(a, b) { rest + b } else { rest }))
            }
            Step::Power => match u32::try_from(b) {
                Ok(exponent) => fits(a.checked_pow(exponent)),
                Err(_) if b < 0 => Err(Fault::Of("has a negative exponent")),
                Err(_) if matches!(a, 0 | 1) => Ok(a),
                Err(_) if a == -1 => Ok(if b % 2 == 0 { 1 } else { -1 }),
                Err(_) => Err(Fault::Of(OVERFLOW)),
            },
            Step::Min => Ok(a.min(b)),
            Step::Max => Ok(a.max(b)),
            Step::Abs => fits(a.checked_abs()),
            Step::Log2 if a < 1 => Err(Fault::Of("takes log2 of a number below 1")),
            Step::Log2 => Ok(i64::from(a.ilog2())),
            Step::Sqrt => a.checked_isqrt().ok_or(Fault::Of("takes sqrt of a negative number")),
        }
    }
}

/// Whether a quotient that is cut off towards zero lies above the one that is rounded down.
fn inexact(a: i64, b: i64) -> bool {
    (a < 0) != (b < 0) && a.checked_rem(b).is_some_and(|rest| rest != 0)
}

/// A name from the start of the text on; empty where there is none.
pub(crate) fn name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &text[..end] }
}

struct Reader<'t> {
    rest: &'t str,
    slot: &'t dyn Fn(&str) -> Result<Slot, String>,
    steps: Vec<Step>,
    nested: usize,
    /// How many values the machine has at hand after these steps.
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

    /// All that nests comes through here.
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
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.step(Step::Push(digits.parse().map_err(|_| format!("{digits} {OVERFLOW}"))?))
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
            _ => return Err(format!("knows no function {function}")),
        };
        self.sum()?;
        if step.arguments() == 2 {
            if !self.take(',') {
                return Err(format!("gives {function} one argument instead of two"));
            }
            self.sum()?;
        }
        self.close()?;
        self.step(step)
    }
}

/// Refuses what is too deep.
fn shallow(depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("is nested deeper than {MAX_DEPTH}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let slot = |name: &str| match name {
            "n" => Ok(Slot::N),
            "k" => Ok(Slot::Value(0)),
            "n_max" => Ok(Slot::Constant(100)),
            _ => Err(format!("knows no {name}")),
        };
        let values = Values { n: 10, slots: &[Some(3)] };
        Code::read(text, &slot)?.value(values).map_err(|fault| match fault {
            Fault::Of(text) => text.into(),
            Fault::Named => "named".into(),
        })
    }

    #[test]
    fn formulas_have_their_values() {
        for (text, expected) in [
            ("2*n + k", 23),
            ("min(n, 200000)", 10),
            ("max(n, n_max) - 1", 99),
            ("10^9", 1_000_000_000),
            ("2^3^2", 512),
            ("-2^2", -4),
            ("2^-0", 1),
            ("(-1)^4294967297", -1),
            ("7/2", 3),
            ("-7/2", -4),
            ("7/-2", -4),
            ("-7%2", 1),
            ("7%-2", -1),
            ("-8/2", -4),
            ("log2(n)", 3),
            ("sqrt(99)", 9),
            ("abs(k - n)", 7),
            ("8 - 4 - 2", 2),
            ("-9223372036854775807 - 1", i64::MIN),
            ("(-9223372036854775807 - 1) % -1", 0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, problem) in [
            ("1/(n-10)", "divides by zero"),
            ("1%0", "divides by zero"),
            ("10^19", OVERFLOW),
            ("9223372036854775808", "9223372036854775808 does not fit into 64 bits"),
            ("(-9223372036854775807 - 1) / -1", OVERFLOW),
            ("2^-1", "has a negative exponent"),
            ("log2(0)", "takes log2 of a number below 1"),
            ("sqrt(-1)", "takes sqrt of a negative number"),
            ("", "is missing"),
            ("n n", "has an unexpected 'n'"),
            ("(n", "ends too early"),
            ("2n", "has an unexpected 'n'"),
            ("x", "knows no x"),
            ("sin(n)", "knows no function sin"),
            ("min(n)", "gives min one argument instead of two"),
            ("n + é", "has an unexpected 'é'"),
        ] {
            assert_eq!(value(text), Err(problem.into()), "{text}");
        }
    }

    #[test]
    fn nesting_and_length_are_bounded() {
        let nested = |depth: usize| format!("{}n{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(value(&nested(MAX_DEPTH - 1)), Ok(10));
        for text in [nested(MAX_DEPTH), "-".repeat(100) + "n", "1^".repeat(100) + "n"] {
            assert_eq!(value(&text), Err("is nested deeper than 32".into()), "{text}");
        }
        assert_eq!(value(&"1+(".repeat(31)), Err("ends too early".into()));
        let long = format!("n{}", "+1".repeat(128));
        assert_eq!(value(&long), Err("257 bytes are over the limit of 256".into()));
    }
}
