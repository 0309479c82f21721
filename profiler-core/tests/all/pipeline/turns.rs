//! `against`: two programs are measured in turns, in one run.

use crate::pipeline::harness::*;
use profiler_core::job::{Draft, Job};
use profiler_proto::v1::{CheckerProgram, Interactor, OtherProgram, SizeResult};
use runner_protocol::{Request, Variant};

const OWN: &str = "int main() { return 1; }";
const OTHER: &str = "int main() { return 2; }";

fn compared() -> Draft {
    let against = OtherProgram {
        code_cpp: OTHER.into(),
        compiler_flags: vec!["-O1".into()],
        files: Vec::new(),
    };
    let draft = asking(over(&[1_000, 2_000]), |job| job.against = Some(against));
    Draft { source: OWN.into(), ..draft }
}

#[tokio::test]
async fn both_programs_have_two_turns_and_watchers_hear_of_one() {
    let told = profile(compared(), linear()).await;
    let report = told.report();
    let all = [std::slice::from_ref(report), &report.turns[..]].concat();
    let sources: Vec<_> = all.iter().map(|turn| turn.code_cpp.as_str()).collect();
    assert_eq!(sources, [OWN, OTHER, OTHER, OWN]);
    assert!(all.iter().all(|turn| turn.sizes.len() == 2));
    assert!(report.turns.iter().all(|turn| turn.turns.is_empty() && turn.run_id == report.run_id));
    assert_eq!(told.kinds(), ["compiled", "size_measured", "size_measured", "finished"]);
    let flags = told.heard.iter().filter_map(|it| match it {
        Request::Compile(it) if it.variant == Variant::Plain => Some(it.flags.join(" ")),
        _ => None,
    });
    let flags: Vec<_> = flags.collect();
    assert!(flags[1].contains("-O1") && !flags[0].contains("-O1"), "{flags:?}");
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

/// The job's own program is the reference of the other, so it is compiled once more.
#[tokio::test]
async fn outputs_of_both_programs_are_judged_once() {
    let checker = CheckerProgram { code_cpp: OWN.into(), ..CheckerProgram::default() };
    let draft = asking(compared(), |job| {
        (job.checker_program, job.check_sizes) = (Some(checker), true);
    });
    let told = profile(draft, linear()).await;
    let report = told.report();
    let all = [std::slice::from_ref(report), &report.turns[..]].concat();
    let is_judged = |size: &SizeResult| size.output_check.is_some();
    let judged = all.iter().map(|turn| turn.sizes.iter().all(is_judged));
    assert_eq!(judged.collect::<Vec<_>>(), [true, true, false, false]);
    let is_plain =
        |it: &&Request| matches!(it, Request::Compile(it) if it.variant == Variant::Plain);
    let compiled = told.heard.iter().filter(is_plain).count();
    assert_eq!(compiled, 4 + 2 + 1, "the turns, the checker twice, and the reference");
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn other_program_may_end_the_run() {
    let refused = with_compiler(|nth| nth == 3, |compiled| compiled.binary = None);
    let told = profile(compared(), refused).await;
    let error = told.ended.as_ref().unwrap_err();
    assert!(error.message.starts_with("against: "), "{error:?}");
    assert_eq!((told.report().sizes.len(), told.report().turns.len()), (2, 0));
}

#[test]
fn bad_fields_are_named() {
    let against = OtherProgram {
        code_cpp: String::new(),
        compiler_flags: vec!["-o".into()],
        files: Vec::new(),
    };
    let bad = Job::try_from(asking(compared(), |job| job.against = Some(against))).unwrap_err();
    let fields: Vec<_> = bad.iter().map(|bad| bad.field.as_str()).collect();
    for field in ["against.code_cpp", "against.compiler_flags[0]"] {
        assert!(fields.contains(&field), "{field}: {fields:?}");
    }
    let with_interactor = asking(compared(), |job| job.interactor = Some(Interactor::default()));
    assert!(Job::try_from(with_interactor).is_err(), "an empty interactor is refused");
}
