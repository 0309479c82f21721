//! Interactive tasks and their right endings.

use super::case::{Case, Expected};
use super::endings::{MEMORY, OK, SHORT_MS, TIME, case, ending, exit, saying, signal};
use super::patterns::KEPT_OUTPUT;
use profiler_proto::v1::Outcome;

/// Both programs ended well.
const AGREED: Expected = Expected { interactor: Some(Outcome::Ok), ..OK };
/// The interactor did not accept the program's answers.
const REJECTED: Expected =
    Expected { interactor: Some(Outcome::RuntimeError), ..ending(Outcome::ProtocolError) };
/// Each program waited for the other.
const SILENCE: Expected = Expected { limits: &["wall"], hint: Some("silence"), ..TIME };
/// Little memory, but enough for a program that does not ask for more.
const LITTLE_MB: u32 = 64;

pub(super) const INTERACTIVE: &[Case] = &[
    interactive("interactive_agrees", ("guesses", "judge"), &[AGREED]),
    interactive("interactive_final_check", ("ends_with_seven", "final_judge"), &[AGREED]),
    interactive("interactive_uses_scratch", ("scribbles", "final_judge"), &[AGREED]),
    interactive("interactive_program_segfaults", ("segfaults", "judge"), &[signal("SIGSEGV")]),
    interactive("interactive_program_aborts", ("crashes_at_once", "judge"), &[signal("SIGABRT")]),
    interactive("interactive_program_exits", ("gives_up", "judge"), &[exit(3)]),
    interactive(
        "interactive_program_leaves",
        ("leaves_early", "judge"),
        &[Expected { interactor_says: "no guess in turn 1", ..REJECTED }],
    ),
    interactive("interactive_last_word_to_nobody", ("says_66", "judge"), &[AGREED]),
    interactive("interactive_leaves_a_talker", ("leaves_early", "talkative_judge"), &[REJECTED]),
    interactive("interactive_silent_program", ("mute", "judge"), &[SILENCE]).ms(SHORT_MS),
    interactive("interactive_silent_interactor", ("guesses", "mute"), &[SILENCE]).ms(SHORT_MS),
    interactive("interactive_both_listen", ("listens", "judge"), &[SILENCE]).ms(SHORT_MS),
    interactive("interactive_interactor_crashes", ("guesses", "crashing_judge"), &[FAILED]),
    interactive("interactive_crash_and_loop", ("loops_on", "crashing_judge"), &[FAILED])
        .ms(SHORT_MS)
        .retried(LATE),
    interactive("interactive_crash_and_write", ("writes_on", "crashing_judge"), &[FAILED]),
    interactive("interactive_interactor_endless", ("guesses", "endless_judge"), &[FAILED_IN_TIME])
        .ms(SHORT_MS),
    interactive("interactive_interactor_eats", ("guesses", "eating_judge"), &[FAILED_IN_MEMORY])
        .mb(LITTLE_MB),
    interactive("interactive_rejected", ("guesses", "strict_judge"), &[WRONG]),
    interactive("interactive_rejected_and_writes", ("writes_on", "strict_judge"), &[WRONG]),
    interactive("interactive_rejected_and_loops", ("loops_on", "strict_judge"), &[WRONG])
        .ms(SHORT_MS)
        .retried(LATE),
    interactive("interactive_rejected_at_the_end", ("leaves_early", "final_judge"), &[UNFINISHED]),
    interactive("interactive_program_eats", ("eats", "judge"), &[MEMORY]).mb(LITTLE_MB),
    interactive("interactive_children_eat", ("eats_in_children", "judge"), &[MEMORY]).mb(LITTLE_MB),
    interactive("interactive_program_shares", ("shares", "judge"), &[exit(3)]).mb(LITTLE_MB),
    interactive("interactive_program_endless", ("endless_judge", "judge"), &[TIME]).ms(SHORT_MS),
    interactive("interactive_flood_is_read", ("writes_on", "listener"), &[TIME, FAILED_IN_TIME])
        .ms(SHORT_MS),
    interactive("interactive_flood_is_not_read", ("writes_on", "mute"), &[SILENCE]).ms(SHORT_MS),
    interactive(
        "interactive_judge_floods",
        ("reads_on", "flooding_judge"),
        &[TIME, FAILED_IN_TIME],
    )
    .ms(SHORT_MS),
    interactive("interactive_judge_floods_nobody", ("mute", "flooding_judge"), &[SILENCE])
        .ms(SHORT_MS),
    interactive("interactive_closes_stdout", ("closes_stdout", "judge"), &[REJECTED]),
    interactive("interactive_early_acceptance", ("computes_on", "hasty_judge"), &[AGREED]),
    interactive(
        "interactive_early_end",
        ("writes_on", "hasty_judge"),
        &[signal("SIGPIPE"), exit(6)],
    ),
    interactive("interactive_children_hold_pipes", ("leaves_holders", "listener"), &[AGREED]),
    interactive("interactive_bomb_holds_pipes", ("leaves_bomb", "listener"), &[AGREED]),
    interactive("interactive_judge_leaves_children", ("reads_on", "forking_judge"), &[AGREED]),
    interactive(
        "interactive_interactor_bomb",
        ("guesses", "bombing_judge"),
        &[FAILED, FAILED_IN_TIME],
    )
    .ms(SHORT_MS),
    interactive(
        "interactive_works_once",
        ("works_once", "judge"),
        &[Expected { least_ms: 150.0, ..AGREED }],
    )
    .cheats(&[KEPT_OUTPUT]),
    interactive("interactive_program_spies", ("spies", "listener"), &[AGREED]),
    interactive("interactive_program_attacks", ("attacks", "judge"), &[AGREED]),
    interactive("interactive_interactor_attacks", ("computes_on", "attacking_judge"), &[AGREED]),
    interactive(
        "interactive_interactor_does_not_compile",
        ("guesses", "broken_judge"),
        &[saying("the interactor does not compile: line 1")],
    ),
];

/// Reason to retry a row in which the interactor ends and the program never does.
const LATE: &str = "a host that stands still meets the short limit before the interactor has ended";
const WRONG: Expected = Expected { interactor_says: "wrong answer: ", ..REJECTED };
const UNFINISHED: Expected = Expected { interactor_says: "the last number is no 7", ..REJECTED };
const FAILED: Expected =
    Expected { interactor: Some(Outcome::RuntimeError), ..ending(Outcome::InteractorFailed) };
const FAILED_IN_TIME: Expected = Expected { interactor: Some(Outcome::TimeLimit), ..FAILED };
const FAILED_IN_MEMORY: Expected = Expected { interactor: Some(Outcome::MemoryLimit), ..FAILED };

const fn interactive(
    name: &'static str,
    pair: (&'static str, &'static str),
    expected: &'static [Expected],
) -> Case {
    Case { interactive: Some(pair), ..case(name, expected) }
}
