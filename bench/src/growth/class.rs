//! The expected classes of a program, and whether the reported class is one of them.

use crate::failure::Failure;
use profiler_growth::Class;
use profiler_proto::v1::GrowthClassification;
use std::fmt;

/// Maximum difference of the exponents at which a reported power is right.
const NEAR: f64 = 0.1;
/// Maximum difference of the bases at which a reported exponential is right, as a share.
const NEAR_BASE: f64 = 0.05;
/// Separator of classes that are all right.
const OR: &str = " | ";

/// Whether a reported class is the right one.
fn is_right(right: Class, reported: Class) -> bool {
    match (right, reported) {
        (Class::Power(one), Class::Power(other)) => (one - other).abs() <= NEAR,
        (Class::Base(one), Class::Base(other)) => (one / other - 1.0).abs() <= NEAR_BASE,
        (one, other) => one == other,
    }
}

/// The right classes of a program, as its header lists them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Classes(Vec<Class>);

impl Classes {
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let classes = text.split(OR).map(|name| Class::parse(name).ok_or(name));
        let classes: Result<_, _> = classes.collect();
        classes.map(Self).map_err(|name| format!("{name:?} is no class").into())
    }

    /// Whether `reported` is one of them.
    pub(super) fn hold(&self, reported: Class) -> bool {
        self.0.iter().any(|&class| is_right(class, reported))
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|class| class.name()).collect();
        f.pad(&names.join(OR))
    }
}

/// The assessment of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    Wrong,
    CannotTell,
    /// The report has no growth.
    Absent,
}

impl Verdict {
    pub(super) const ALL: [Self; 4] = [Self::Right, Self::Wrong, Self::CannotTell, Self::Absent];

    pub(super) fn assess(expected: &Classes, reported: Option<&GrowthClassification>) -> Self {
        let Some(reported) = reported else { return Self::Absent };
        match reported.class() {
            None => Self::CannotTell,
            Some(class) if expected.hold(class) => Self::Right,
            Some(_) => Self::Wrong,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::CannotTell => "cannot tell",
            Self::Absent => "absent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Classes, GrowthClassification, Verdict};

    fn assessed(expected: &str, reported: &str) -> Verdict {
        let function = Class::parse(reported).map(Into::into);
        let reported = GrowthClassification { function, ..GrowthClassification::default() };
        Verdict::assess(&Classes::parse(expected).unwrap(), Some(&reported))
    }

    #[test]
    fn each_of_several_is_right_and_powers_may_be_near() {
        assert_eq!(assessed("n | n log n", "n log n"), Verdict::Right);
        assert_eq!(assessed("n log n", "n"), Verdict::Wrong);
        assert_eq!(assessed("n^1.58", "n^1.63"), Verdict::Right);
        assert_eq!(assessed("n^1.58", "n^1.8"), Verdict::Wrong);
        assert_eq!(assessed("n√n", "n^1.5"), Verdict::Wrong);
        assert_eq!(assessed("3.7ⁿ", "3.6ⁿ"), Verdict::Right);
        assert_eq!(assessed("3.7ⁿ", "4ⁿ"), Verdict::Wrong);
        assert_eq!(assessed("n", "n log² n"), Verdict::Wrong);
        assert_eq!(assessed("n", ""), Verdict::CannotTell);
        assert_eq!(Verdict::assess(&Classes::parse("n").unwrap(), None), Verdict::Absent);
    }

    #[test]
    fn unknown_class_is_refused() {
        for text in ["", "n |", "n|n²", "n^", "n^x", "O(n)"] {
            assert!(Classes::parse(text).is_err(), "{text:?}");
        }
    }
}
