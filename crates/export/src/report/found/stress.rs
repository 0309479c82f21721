//! Result of a stress test.

use super::unreached;
use crate::report::counted;
use crate::text::explain_outcome;
use profiler_proto::v1::{Outcome, StressDifference, StressEnd, StressResult};

/// Names of the two programs in sentences.
const PROGRAMS: [&str; 2] = ["the program", "the reference"];

/// Returns the result of a stress test as a sentence without its full stop.
pub fn stress_sentence(found: &StressResult) -> String {
    let tried = counted(found.inputs.into(), "input");
    match &found.difference {
        Some(difference) => sentence(difference, &tried),
        None if found.agreed.is_empty() => "cannot tell: no input was tried".into(),
        None => {
            let sizes = found.agreed.iter().map(|it| it.size);
            let first = sizes.clone().min().unwrap_or_default();
            let last = sizes.max().unwrap_or_default();
            let seconds = found.seconds;
            let coverage = found.coverage.as_ref();
            let missed = coverage.and_then(|it| unreached(it, found.inputs));
            let missed = missed.map_or_else(String::new, |missed| format!("; {missed}"));
            format!(
                "no difference found: the program and the reference agree on {tried} with n from \
                 {first} to {last}, in {seconds:.1} s{missed}"
            )
        }
    }
}

fn sentence(found: &StressDifference, tried: &str) -> String {
    let at = format!("at n = {} (input {} of {tried})", found.size, found.number);
    let answers = [&found.answer, &found.expected].map(|it| it.clone().unwrap_or_default());
    let varies = PROGRAMS.iter().zip(&answers).find(|(_, answer)| answer.varies);
    if let Some((program, _)) = varies {
        return format!("cannot tell: {program} does not repeat its answer, {at}");
    }
    let failed =
        PROGRAMS.iter().zip(&answers).filter(|(_, answer)| answer.outcome() != Outcome::Ok);
    let failed: Vec<_> = failed
        .map(|(program, answer)| {
            let ending = explain_outcome(answer.outcome(), answer.evidence.as_ref(), "");
            format!("{program} ends with {ending}")
        })
        .collect();
    if failed.is_empty() {
        format!("the program is wrong {at}")
    } else {
        format!("{} {at}", failed.join(", and "))
    }
}

/// Names what ended a stress test, in a few words.
pub fn stress_end(found: &StressResult) -> &'static str {
    match found.end() {
        StressEnd::Unspecified => "unknown",
        StressEnd::Inputs => "the number of inputs",
        StressEnd::Time => "the time",
        StressEnd::NoMoreInputs => "no further input",
        StressEnd::NotRepeated => "an answer that was not repeated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{LineCoverage, LineRange, StressAnswer, StressedSize};

    fn answer(outcome: Outcome) -> StressAnswer {
        StressAnswer { outcome: outcome.into(), ..StressAnswer::default() }
    }

    fn found(answers: [StressAnswer; 2]) -> String {
        let [answer, expected] = answers.map(Some);
        let difference = StressDifference {
            size: 3,
            number: 7,
            answer,
            expected,
            ..StressDifference::default()
        };
        stress_sentence(&StressResult {
            inputs: 40,
            difference: Some(difference),
            ..StressResult::default()
        })
    }

    #[test]
    fn difference_is_told_with_its_origin() {
        let ok = || answer(Outcome::Ok);
        assert_eq!(found([ok(), ok()]), "the program is wrong at n = 3 (input 7 of 40 inputs)");
        let failed = found([answer(Outcome::TimeLimit), ok()]);
        assert!(failed.starts_with("the program ends with "), "{failed}");
        let both = found([answer(Outcome::TimeLimit), answer(Outcome::TimeLimit)]);
        assert!(both.contains(", and the reference ends with "), "{both}");
        let varies = StressAnswer { varies: true, ..ok() };
        let unknown = found([ok(), varies]);
        assert!(unknown.starts_with("cannot tell: the reference does not repeat"), "{unknown}");
    }

    #[test]
    fn agreement_is_no_proof() {
        let agreed = [1, 9].map(|size| StressedSize { size, inputs: 20 }).to_vec();
        let same = StressResult { inputs: 40, agreed, ..StressResult::default() };
        assert_eq!(
            stress_sentence(&same),
            "no difference found: the program and the reference agree on 40 inputs with n from 1 \
             to 9, in 0.0 s"
        );
        let unreached = vec![LineRange { first: 7, last: 7, ..LineRange::default() }];
        let coverage = LineCoverage { inputs: 40, unreached, ..LineCoverage::default() };
        let missed = stress_sentence(&StressResult { coverage: Some(coverage), ..same });
        assert!(missed.ends_with(", in 0.0 s; no input reached line 7"), "{missed}");
        let nothing = stress_sentence(&StressResult::default());
        assert_eq!(nothing, "cannot tell: no input was tried");
    }
}
