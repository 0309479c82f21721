use super::*;
use crate::limits::JUDGE_TIMEOUT;
use crate::measure::test_cases::judge_program::limits;
use runner_protocol::{Breach, Ending, Execution, Sample};

fn ended(ending: Ending, message: &str) -> Ruling {
    let sample = Sample::default();
    let execution = Execution { ending, sample, oom_kills: 0, output_full: false };
    Ruling::of(&Checked { execution, message: message.into() }, &limits(JUDGE_TIMEOUT))
}

fn exited(code: i32, message: &str) -> Ruling {
    ended(Ending::Exited(code), message)
}

#[test]
fn exit_codes_are_those_of_testlib() {
    for (code, verdict) in [
        (0, TestVerdict::Accepted),
        (WRONG_ANSWER, TestVerdict::WrongAnswer),
        (PRESENTATION_ERROR, TestVerdict::PresentationError),
        (8, TestVerdict::PresentationError),
    ] {
        let ruling = exited(code, "ok 3 numbers\nmore\n");
        assert_eq!((ruling.verdict, ruling.message.as_str()), (Ok(verdict), "ok 3 numbers"));
        assert_eq!(ruling.points, None);
    }
}

#[test]
fn points_accept_an_answer_unless_there_are_none() {
    for (message, points, verdict) in [
        ("points 0.5 half", Some(0.5), Ok(TestVerdict::Accepted)),
        ("40", Some(40.0), Ok(TestVerdict::Accepted)),
        ("points 0 nothing", Some(0.0), Ok(TestVerdict::WrongAnswer)),
        ("points", None, Err("gave no points on stderr".to_owned())),
        ("points inf", None, Err("gave no points on stderr".to_owned())),
        ("", None, Err("gave no points on stderr".to_owned())),
    ] {
        let ruling = exited(POINTS, message);
        assert_eq!((ruling.points, ruling.verdict), (points, verdict), "{message}");
    }
}

#[test]
fn every_other_ending_is_the_checkers_fault() {
    for (ending, fault) in [
        (Ending::Exited(3), "ended with exit code 3"),
        (Ending::Exited(99), "ended with exit code 99"),
        (Ending::Signaled(11), "ended with SIGSEGV"),
        (Ending::Stopped(Breach::Time(1)), "ended with TIME_LIMIT"),
        (Ending::Stopped(Breach::Wall(1)), "ended with TIME_LIMIT"),
        (Ending::Stopped(Breach::Resident(1)), "ended with MEMORY_LIMIT"),
    ] {
        assert_eq!(ended(ending, "").verdict, Err(fault.to_owned()), "{ending:?}");
    }
}

#[test]
fn fault_leaves_no_verdict() {
    let mut result = TestCaseResult::default();
    let warning = exited(3, "FAIL bad test\n").apply("test 2", b"7".into(), &mut result).unwrap();
    assert_eq!((result.correct, result.answer.as_slice()), (None, &b"7"[..]));
    assert_eq!(warning.code(), WarningCode::CheckerFailed);
    let why = "the checker ended with exit code 3: FAIL bad test";
    assert_eq!((result.reason.as_str(), result.checker_message.as_str()), (why, "FAIL bad test"));
    assert_eq!(warning.message, format!("test 2 is not judged, because {why}"));
}

#[test]
fn answer_that_is_rejected_has_the_word_and_the_message_of_the_checker() {
    for (message, said) in [
        ("they differ\n", "test 2 printed 7: they differ"),
        ("", "test 2 printed 7, which the checker rejects"),
    ] {
        let mut result = TestCaseResult::default();
        let ruling = exited(PRESENTATION_ERROR, message);
        let warning = ruling.apply("test 2", b"7\n".into(), &mut result).unwrap();
        assert_eq!(warning.code(), WarningCode::WrongAnswer);
        assert_eq!(warning.message, said);
        assert_eq!(result.verdict(), TestVerdict::PresentationError);
        assert_eq!(result.correct, Some(false));
    }
}
