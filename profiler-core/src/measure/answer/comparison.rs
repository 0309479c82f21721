//! The word at which the answers of two programs to one input differ.

use super::{Answer, is_accepted, pairs};
use crate::job::{Options, Tolerance};
use profiler_proto::v1::Checker;

/// Comparison of two answers. By default they are compared word by word.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Comparison {
    checker: Checker,
    tolerance: Tolerance,
}

impl Comparison {
    /// The comparison that the options of a job name.
    pub(crate) fn of(options: &Options) -> Self {
        Self { checker: options.checker, tolerance: options.tolerance }
    }

    /// Returns the number of the first word that the checker rejects, from 1; `None` if it is not in
    /// the kept part of an answer.
    pub(crate) fn first_rejected(self, [answer, expected]: [&Answer; 2]) -> Option<usize> {
        let are_whole = answer.is_whole() && expected.is_whole();
        let is_rejected = |pair: [Option<&[u8]>; 2]| match pair {
            [Some(word), Some(expected)] => {
                !is_accepted(word, expected, self.checker, self.tolerance)
            }
            _ => are_whole,
        };
        let mut pairs = pairs(answer.whole_words(), expected.whole_words());
        pairs.position(is_rejected).map(|at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::whole;
    use super::*;

    fn numbers(absolute: f64) -> Comparison {
        let tolerance = Tolerance { absolute, relative: 0.0 };
        Comparison { checker: Checker::Numbers, tolerance }
    }

    #[test]
    fn numbers_agree_within_the_tolerance() {
        let answers = [whole("1.5 yes"), whole("1.501 yes")];
        let [answer, expected] = &answers;
        assert_eq!(numbers(0.01).first_rejected([answer, expected]), None);
        assert_eq!(numbers(0.0001).first_rejected([answer, expected]), Some(1));
    }

    #[test]
    fn missing_word_is_rejected_unless_an_answer_was_cut() {
        let mut answers = [whole("1 2"), whole("1 2 3")];
        let rejected =
            |[answer, expected]: &[Answer; 2]| numbers(1e-9).first_rejected([answer, expected]);
        assert_eq!(rejected(&answers), Some(3));
        answers[0].written.stdout_bytes = 1 << 20;
        assert_eq!(rejected(&answers), None);
    }
}
