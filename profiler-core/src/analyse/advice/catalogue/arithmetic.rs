//! Changes to arithmetic.

use super::edits::SourceChange;
use crate::analyse::advice::syntax::Syntax;
use std::collections::BTreeSet;
use std::ops::Range;

/// Powers that become products. The compiler does this itself for squares.
const POWERS: [(&str, usize); 4] = [("3", 3), ("4", 4), ("5", 5), ("6", 6)];
/// Maximum number of tokens of an operand.
const MAX_TOKENS: usize = 12;

/// Makes small powers products.
pub(super) fn products(syntax: &Syntax<'_, '_>) -> Option<SourceChange> {
    let (mut edits, mut lines) = (Vec::new(), BTreeSet::new());
    for at in syntax.code.places("pow").filter(|&at| syntax.is_name(at)) {
        let Some((factor, times, whole)) = power(syntax, at) else { continue };
        let text = syntax.text(&factor);
        let factor = if factor.len() == 1 { text.to_owned() } else { format!("({text})") };
        // The result stays a floating-point number.
        let product = format!("(1.0{})", format!(" * {factor}").repeat(times));
        edits.extend(syntax.replace(whole, product));
        lines.insert(syntax.code.line(at));
    }
    (!edits.is_empty()).then_some(SourceChange {
        found: "`pow` computes any power".into(),
        remedy: "a product".into(),
        edits,
        header: None,
        lines,
    })
}

/// Returns the base, the exponent and all tokens of the call of `pow` at `at`.
fn power(syntax: &Syntax<'_, '_>, at: usize) -> Option<(Range<usize>, usize, Range<usize>)> {
    let close = syntax.partner(at + 1).filter(|_| syntax.at(at + 1) == "(")?;
    let [base, exponent] = &syntax.split(&(at + 2..close), ",")[..] else { return None };
    let times = POWERS.iter().find(|(text, _)| *text == syntax.text(exponent))?.1;
    // A call may do more than compute.
    let is_plain = base.len() <= MAX_TOKENS
        && base.clone().all(|at| !matches!(syntax.at(at), "(" | "=" | "{") && !is_step(syntax, at));
    let start = if syntax.is(at.saturating_sub(3), &["std", ":", ":"]) { at - 3 } else { at };
    is_plain.then(|| (base.clone(), times, start..close + 1))
}

/// Whether the token is the first of a `++` or a `--`.
fn is_step(syntax: &Syntax<'_, '_>, at: usize) -> bool {
    matches!(syntax.at(at), "+" | "-") && syntax.at(at) == syntax.at(at + 1)
}

/// Makes the remainders of sums differences: `a = (a + b) % m` subtracts m at most once if both are
/// below m.
pub(super) fn differences(syntax: &Syntax<'_, '_>) -> Option<SourceChange> {
    let (mut edits, mut lines) = (Vec::new(), BTreeSet::new());
    for at in syntax.code.places("%") {
        let Some((whole, with)) = difference(syntax, at) else { continue };
        edits.extend(syntax.replace(whole, with));
        lines.insert(syntax.code.line(at));
    }
    (!edits.is_empty()).then_some(SourceChange {
        found: "`%` divides sums of two remainders".into(),
        remedy: "a comparison and a difference".into(),
        edits,
        header: None,
        lines,
    })
}

/// Returns the statement around the `%` at `at`, and its replacement.
fn difference(syntax: &Syntax<'_, '_>, at: usize) -> Option<(Range<usize>, String)> {
    let open = syntax.partner(at.checked_sub(1)?).filter(|&open| syntax.at(open) == "(")?;
    let end = syntax.statement_end(at).filter(|&end| syntax.at(end) == ";")?;
    let (sum, modulus) = (open + 1..at - 1, at + 1..end);
    let sign = open.checked_sub(1).filter(|&sign| syntax.at(sign) == "=")?;
    let from = sign.saturating_sub(MAX_TOKENS);
    let begins = |at: &usize| matches!(syntax.at(*at), ";" | "{" | "}" | ")");
    let target = (from..sign).rev().find(begins)? + 1..sign;
    let is_plain = |range: &Range<usize>| {
        let is_operand = |at: usize| {
            syntax.is_word(at) || matches!(syntax.at(at), "[" | "]" | "." | "+" | "-" | "\"")
        };
        !range.is_empty()
            && range.len() <= 2 * MAX_TOKENS
            && range.clone().all(|at| is_operand(at) && !is_step(syntax, at))
    };
    let parts = syntax.split(&sum, "+");
    let [first, second] = &parts[..] else { return None };
    let name = syntax.text(&target);
    let added = match (syntax.text(first).trim(), syntax.text(second).trim()) {
        (same, other) | (other, same) if same == name => other,
        _ => return None,
    };
    let is_single = modulus.len() == 1;
    let modulus = syntax.text(&modulus);
    let with = format!("{{ {name} += {added}; if ({name} >= {modulus}) {name} -= {modulus}; }}");
    ([&target, first, second].into_iter().all(is_plain) && is_single)
        .then_some((target.start..end + 1, with))
}
