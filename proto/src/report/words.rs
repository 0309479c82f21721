//! The lower-case words that people read for the wire's enums: `WARNING_CODE_NOISY` is "noisy".

use crate::v1;
use std::sync::LazyLock;

/// An enum of the wire whose values have words.
pub trait Word: Sized {
    /// Returns the word for this value; empty for `UNSPECIFIED`.
    fn word(self) -> &'static str;

    /// Returns the value that has this word; none if there is no such value.
    fn from_word(word: &str) -> Option<Self>;
}

/// The name of every enum's value 0 ends so, by buf's rules.
const UNSPECIFIED: &str = "UNSPECIFIED";

/// The name of a value without the prefix that the names of its enum share.
macro_rules! own_name {
    ($of:ty, $value:expr) => {{
        let name = $value.as_str_name();
        name.strip_prefix(prefix(<$of>::Unspecified.as_str_name())).unwrap_or(name)
    }};
}

macro_rules! words {
    ($($name:ident),*) => {$(
        impl Word for v1::$name {
            fn word(self) -> &'static str {
                // By number. Values are numbered without a gap.
                static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
                    let values = (1..).map_while(|number| v1::$name::try_from(number).ok());
                    values.map(|value| own_name!(v1::$name, value).to_ascii_lowercase()).collect()
                });
                let at = usize::try_from(self as i32 - 1).ok();
                at.and_then(|at| WORDS.get(at)).map_or("", String::as_str)
            }

            fn from_word(word: &str) -> Option<Self> {
                let prefix = prefix(Self::Unspecified.as_str_name());
                let value = Self::from_str_name(&(prefix.to_owned() + &word.to_ascii_uppercase()))?;
                (value != Self::Unspecified).then_some(value)
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
    SignalKind
);

/// The symbols of units are not the lower-case names of the values.
impl Word for v1::Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "",
            Self::Ms => "ms",
            Self::Mib => "MiB",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Ms, Self::Mib].into_iter().find(|unit| unit.word() == word)
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

/// Returns the common prefix of the names of an enum's values, by the name of the value 0.
fn prefix(unspecified: &str) -> &str {
    unspecified.strip_suffix(UNSPECIFIED).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::v1::{DetectionMethod, KilledBy, Outcome, Unit, WarningCode};
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
