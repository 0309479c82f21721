//! Integer expressions. The parser compiles a text to code, and the code is evaluated for each n.

mod code;
mod evaluation;
mod parser;
mod sizes;

pub(crate) use code::{Bindings, Code, Expression, Fault, Slot};
pub use evaluation::evaluate;
pub(crate) use parser::name;
pub use sizes::{size, sizes};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_DEPTH;

    fn value(text: &str) -> Result<i64, String> {
        let slot = |name: &str| match name {
            "n" => Ok(Slot::N),
            "k" => Ok(Slot::Value(0)),
            "n_max" => Ok(Slot::Constant(100)),
            _ => Err(format!("knows no {name}")),
        };
        let values = Bindings { n: 10, slots: &[Some(3)] };
        Code::read(text, &slot)?.value(values).map_err(|fault| fault.to_string())
    }

    #[test]
    fn formulas_have_their_values() {
        for (text, expected) in [
            ("2*n + k", 23),
            ("min(n, 200000)", 10),
            ("max(n, n_max) - 1", 99),
            ("10^9", 1_000_000_000),
            ("200_000", 200_000),
            ("1e6", 1_000_000),
            ("2E5 + 1_0", 200_010),
            ("1_0e1_0", 100_000_000_000),
            ("1e18", 1_000_000_000_000_000_000),
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
    fn expression_without_a_value_says_why() {
        for (text, problem) in [
            ("1/(n-10)", "divides by zero"),
            ("1%0", "divides by zero"),
            ("10^19", "does not fit into 64 bits"),
            ("9223372036854775808", "9223372036854775808 does not fit into 64 bits"),
            ("(-9223372036854775807 - 1) / -1", "does not fit into 64 bits"),
            ("2^-1", "has a negative exponent"),
            ("log2(0)", "takes log2 of a number below 1"),
            ("sqrt(-1)", "takes sqrt of a negative number"),
            ("", "is missing"),
            ("n n", "has an unexpected 'n'"),
            ("(n", "ends too early"),
            ("2n", "has an unexpected 'n'"),
            ("2e", "has an unexpected 'e'"),
            ("2e-1", "has an unexpected 'e'"),
            ("1.5", "has an unexpected '.'"),
            ("1__0", "has an unexpected '_'"),
            ("1_", "has an unexpected '_'"),
            ("_1", "has an unexpected '_'"),
            ("1e19", "1e19 does not fit into 64 bits"),
            ("1e99999999999", "1e99999999999 does not fit into 64 bits"),
            ("10_000e15", "10_000e15 does not fit into 64 bits"),
            ("x", "knows no x"),
            ("sin(n)", "uses the unknown function sin"),
            ("min(n)", "calls min with one argument instead of two"),
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
            assert_eq!(value(&text), Err("is nested more than 32 levels deep".into()), "{text}");
        }
        assert_eq!(value(&"1+(".repeat(31)), Err("ends too early".into()));
        let long = format!("n{}", "+1".repeat(128));
        assert_eq!(value(&long), Err("must have at most 256 bytes, not 257".into()));
    }
}
