//! Classes in the order of their probability.

use crate::class::Class;

/// Maximum number of classes that are named if the class is undecided.
const RIVALS: usize = 2;
/// Share of the likeliest class's probability. A class with a smaller probability is not named as
/// its rival.
const RIVAL_SHARE: f64 = 1.0 / 3.0;

/// The named classes, all other powers as one class, and the exponential with this base; the most
/// likely first.
pub(crate) fn ranking(classes: &[f64], base: Option<f64>) -> Vec<(Class, f64)> {
    // Two decimal places, as in the name, so that a curve drawn from the name is the same.
    let rounded = |value: f64| (value * 100.0).round() / 100.0;
    let mut powers = (0.0, 0.0);
    let mut ranked = Vec::new();
    for (class, &p) in Class::all().zip(classes) {
        match class {
            Class::Power(exponent) => powers = (powers.0 + p, powers.1 + p * exponent),
            Class::Base(_) => ranked.extend(base.map(|base| (Class::Base(rounded(base)), p))),
            _ => ranked.push((class, p)),
        }
    }
    if powers.0 > 0.0 {
        ranked.push((Class::Power(rounded(powers.1 / powers.0)), powers.0));
    }
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

/// The first class of a ranking, and the next one if it is at least [`RIVAL_SHARE`] as likely.
pub(crate) fn rivals(ranked: &[(Class, f64)]) -> &[(Class, f64)] {
    let least = ranked.first().map_or(0.0, |best| best.1 * RIVAL_SHARE);
    let count = ranked.iter().take(RIVALS).take_while(|rival| rival.1 >= least).count();
    &ranked[..count]
}

/// Names the classes between which the series does not decide.
pub(crate) fn tie(ranked: &[(Class, f64)]) -> String {
    let named = |(class, p): &(Class, f64)| format!("{} ({p:.2})", class.name());
    match rivals(ranked) {
        [first, second] => format!("{} or {}", named(first), named(second)),
        [first] => format!("perhaps {}", named(first)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rival_classes_are_at_least_a_third_as_likely() {
        let said = |second| tie(&[(Class::Quadratic, 0.6), (Class::Constant, second)]);
        assert_eq!(said(0.1), "perhaps n² (0.60)");
        assert_eq!(said(0.25), "n² (0.60) or 1 (0.25)");
    }
}
