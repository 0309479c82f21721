//! Classes of growth by their names, and whether the right one was told.

use crate::Failure;
use profiler_proto::v1;
use std::fmt;

/// The names that `GrowthClass.name` has beside powers.
const NAMES: [&str; 11] =
    ["1", "log n", "√n", "n", "n log n", "n√n", "n²", "n² log n", "n³", "2ⁿ", "n!"];
/// How a power begins.
const POWER: &str = "n^";
/// A power that was told is right when it is so near.
const NEAR: f64 = 0.1;
/// What stands between classes of which each is right.
const OR: &str = " | ";

/// A class of growth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Class {
    Named(&'static str),
    Power(f64),
}

impl Class {
    /// `None` where it is no class.
    pub(super) fn parse(name: &str) -> Option<Self> {
        if let Some(power) = name.strip_prefix(POWER) {
            return power.parse().ok().filter(|power: &f64| power.is_finite()).map(Self::Power);
        }
        NAMES.into_iter().find(|known| *known == name).map(Self::Named)
    }

    fn is(self, told: Self) -> bool {
        match (self, told) {
            (Self::Named(one), Self::Named(other)) => one == other,
            (Self::Power(one), Self::Power(other)) => (one - other).abs() <= NEAR,
            _ => false,
        }
    }
}

/// The classes of a program, of which each is right. Written as the header has them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Classes(Vec<Class>);

impl Classes {
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let classes = text.split(OR).map(|name| Class::parse(name).ok_or(name));
        let classes: Result<_, _> = classes.collect();
        classes.map(Self).map_err(|name| format!("{name:?} is no class").into())
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|class| match class {
            Class::Named(name) => (*name).to_owned(),
            Class::Power(power) => format!("{POWER}{power}"),
        });
        f.pad(&names.collect::<Vec<_>>().join(OR))
    }
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    Wrong,
    CannotTell,
    /// The report says nothing of it.
    Absent,
}

impl Verdict {
    pub(super) const ALL: [Self; 4] = [Self::Right, Self::Wrong, Self::CannotTell, Self::Absent];

    pub(super) fn of(expected: &Classes, told: Option<&v1::GrowthClass>) -> Self {
        let Some(told) = told else { return Self::Absent };
        if told.name.is_empty() {
            return Self::CannotTell;
        }
        let class = Class::parse(&told.name);
        let right = class.is_some_and(|told| expected.0.iter().any(|class| class.is(told)));
        if right { Self::Right } else { Self::Wrong }
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
    use super::{Classes, Verdict};
    use profiler_proto::v1::GrowthClass;

    fn judged(expected: &str, told: &str) -> Verdict {
        let told = GrowthClass { name: told.into(), ..GrowthClass::default() };
        Verdict::of(&Classes::parse(expected).unwrap(), Some(&told))
    }

    #[test]
    fn each_of_several_is_right_and_powers_may_be_near() {
        assert_eq!(judged("n | n log n", "n log n"), Verdict::Right);
        assert_eq!(judged("n log n", "n"), Verdict::Wrong);
        assert_eq!(judged("n^1.58", "n^1.63"), Verdict::Right);
        assert_eq!(judged("n^1.58", "n^1.8"), Verdict::Wrong);
        assert_eq!(judged("n√n", "n^1.5"), Verdict::Wrong);
        assert_eq!(judged("n", "n log² n"), Verdict::Wrong);
        assert_eq!(judged("n", ""), Verdict::CannotTell);
        assert_eq!(Verdict::of(&Classes::parse("n").unwrap(), None), Verdict::Absent);
    }

    #[test]
    fn what_is_no_class_is_refused() {
        for text in ["", "n |", "n|n²", "n^", "n^x", "O(n)"] {
            assert!(Classes::parse(text).is_err(), "{text:?}");
        }
    }
}
