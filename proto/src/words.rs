//! The lower-case words that people read for the wire's enums: `WARNING_CODE_NOISY` is "noisy".

use crate::v1;

/// An enum of the wire whose values have words.
pub trait Word: Sized {
    /// The word for this value; empty for `UNSPECIFIED`.
    fn word(self) -> String;

    /// The value that has this word; none if there is no such value.
    fn from_word(word: &str) -> Option<Self>;
}

/// The name of every enum's value 0 ends so, by buf's rules.
const UNSPECIFIED: &str = "UNSPECIFIED";

macro_rules! words {
    ($($name:ident),*) => {$(
        impl Word for v1::$name {
            fn word(self) -> String {
                if self == Self::Unspecified {
                    return String::new();
                }
                let name = self.as_str_name();
                name.strip_prefix(prefix(Self::Unspecified.as_str_name()))
                    .unwrap_or(name)
                    .to_ascii_lowercase()
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
    Severity,
    SignalKind
);

/// The symbols of units are not the lower-case names of the values.
impl Word for v1::Unit {
    fn word(self) -> String {
        match self {
            Self::Unspecified => "",
            Self::Ms => "ms",
            Self::Mib => "MiB",
        }
        .into()
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Ms, Self::Mib].into_iter().find(|unit| unit.word() == word)
    }
}

/// Returns the common prefix of the names of an enum's values, by the name of the value 0.
fn prefix(unspecified: &str) -> &str {
    unspecified.strip_suffix(UNSPECIFIED).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::v1::{DetectionMethod, KilledBy, Unit, WarningCode};

    #[test]
    fn word_has_no_prefix() {
        assert_eq!(WarningCode::NoStartUp.word(), "no_start_up");
        assert_eq!(DetectionMethod::PMemsz.word(), "p_memsz");
    }

    #[test]
    fn every_warning_is_found_by_its_word() {
        let all = (1..).map_while(|number| WarningCode::try_from(number).ok());
        let found: Vec<_> =
            all.clone().filter_map(|code| WarningCode::from_word(&code.word())).collect();
        assert!(found.len() > 20 && found == all.collect::<Vec<_>>(), "{found:?}");
    }

    #[test]
    fn unit_has_its_symbol() {
        for (unit, symbol) in [(Unit::Ms, "ms"), (Unit::Mib, "MiB")] {
            assert_eq!((unit.word().as_str(), Unit::from_word(symbol)), (symbol, Some(unit)));
        }
        assert_eq!((Unit::Unspecified.word(), Unit::from_word("")), (String::new(), None));
    }

    #[test]
    fn unspecified_value_has_no_word() {
        assert_eq!(KilledBy::Unspecified.word(), "");
        assert_eq!(KilledBy::from_word("unspecified"), None);
        assert_eq!(KilledBy::from_word(""), None);
    }
}
