//! The lower-case words that people read for the values of the wire's enums: "noisy" for
//! `WARNING_CODE_NOISY`.

use crate::v1;
use std::sync::LazyLock;

/// An enum of the wire whose values have words.
pub trait Word: Copy + TryFrom<i32> {
    /// Returns the word for this value; empty for `UNSPECIFIED`.
    fn word(self) -> &'static str;

    /// Returns the value that has this word; `None` if there is no such value.
    fn from_word(word: &str) -> Option<Self> {
        named::<Self>().find(|value| value.word() == word)
    }
}

/// Returns every value but `UNSPECIFIED`. Values are numbered without a gap.
fn named<E: TryFrom<i32>>() -> impl Iterator<Item = E> {
    (1..).map_while(|number| E::try_from(number).ok())
}

/// The name of a value without the prefix that the names of its enum share. By buf's rules, the
/// name of the value 0 is this prefix followed by UNSPECIFIED.
macro_rules! own_name {
    ($of:ty, $value:expr) => {{
        let (value, zero): ($of, _) = ($value, <$of>::Unspecified.as_str_name());
        &value.as_str_name()[zero.len() - "UNSPECIFIED".len()..]
    }};
}

macro_rules! words {
    ($($name:ident),*) => {$(
        impl Word for v1::$name {
            fn word(self) -> &'static str {
                /// Words by number, without the word of `UNSPECIFIED`.
                static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
                    let names = named().map(|value| own_name!(v1::$name, value));
                    names.map(str::to_ascii_lowercase).collect()
                });
                let at = usize::try_from(self as i32 - 1).ok();
                at.and_then(|at| WORDS.get(at)).map_or("", String::as_str)
            }
        }
    )*};
}

words!(
    WarningCode,
    ErrorCode,
    LimitKind,
    KilledBy,
    DetectionMethod,
    FailureHint,
    HotspotsMethod,
    RuntimeClock,
    Severity,
    SignalKind,
    GrowthClass
);

/// The words of units are their symbols, which are not the lower-case names of the values.
impl Word for v1::Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::Ms => "ms",
            Self::Mib => "MiB",
        }
    }
}

/// The words of verdicts are those of judges.
impl Word for v1::TestVerdict {
    fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::Accepted => "AC",
            Self::WrongAnswer => "WA",
            Self::PresentationError => "PE",
            Self::TimeLimit => "TLE",
            Self::MemoryLimit => "MLE",
            Self::RuntimeError => "RE",
            Self::NotRun => "NOT_RUN",
        }
    }
}

impl v1::Outcome {
    /// Returns the name in tables and in `hotspots["_crash"]`, such as `TIME_LIMIT`. An outcome of
    /// a later version is `UNKNOWN`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unspecified => "UNKNOWN",
            known => own_name!(Self, known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::v1::{DetectionMethod, KilledBy, Outcome, TestVerdict, Unit, WarningCode};
    use prost::Message;
    use prost_types::{EnumValueDescriptorProto, FileDescriptorSet};

    #[test]
    fn word_has_no_prefix() {
        assert_eq!(WarningCode::NoStartUp.word(), "no_start_up");
        assert_eq!(DetectionMethod::PMemsz.word(), "p_memsz");
    }

    #[test]
    fn every_warning_is_found_by_its_word() {
        let all = (1..).map_while(|number| WarningCode::try_from(number).ok());
        let found: Vec<_> =
            all.clone().filter_map(|code| WarningCode::from_word(code.word())).collect();
        assert!(found.len() > 20 && found == all.collect::<Vec<_>>(), "{found:?}");
    }

    #[test]
    fn outcome_has_its_name() {
        assert_eq!(Outcome::TimeLimit.name(), "TIME_LIMIT");
        assert_eq!(Outcome::Unspecified.name(), "UNKNOWN");
    }

    #[test]
    fn unit_has_its_symbol() {
        for (unit, symbol) in [(Unit::Ms, "ms"), (Unit::Mib, "MiB")] {
            assert_eq!((unit.word(), Unit::from_word(symbol)), (symbol, Some(unit)));
        }
        assert_eq!((Unit::Unspecified.word(), Unit::from_word("")), ("", None));
    }

    #[test]
    fn verdict_has_the_word_of_judges() {
        for (verdict, word) in
            [(TestVerdict::PresentationError, "PE"), (TestVerdict::TimeLimit, "TLE")]
        {
            assert_eq!((verdict.word(), TestVerdict::from_word(word)), (word, Some(verdict)));
        }
    }

    /// [`Word::word`] finds a word by its number.
    #[test]
    fn values_are_numbered_without_a_gap() {
        let all = FileDescriptorSet::decode(crate::DESCRIPTOR).unwrap();
        let own = all.file.iter().filter(|file| file.package() == "swiftsolve.profiler.v1");
        for declared in own.flat_map(|file| &file.enum_type) {
            let mut numbers: Vec<_> =
                declared.value.iter().map(EnumValueDescriptorProto::number).collect();
            numbers.sort_unstable();
            let count = i32::try_from(numbers.len()).unwrap();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>(), "{}", declared.name());
        }
    }

    #[test]
    fn unspecified_value_has_no_word() {
        assert_eq!(KilledBy::Unspecified.word(), "");
        assert_eq!(KilledBy::from_word("unspecified"), None);
        assert_eq!(KilledBy::from_word(""), None);
    }
}
