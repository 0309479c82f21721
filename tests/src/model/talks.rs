//! The talks and their right endings.

use super::cases::{MEMORY, OK, SHORT_MS, TIME, case, ending, exit, saying, signal};
use super::{Case, Expected};
use profiler_core::report::Outcome;

/// Both did what they should.
const AGREED: Expected = Expected { interactor: Some(Outcome::Ok), ..OK };
/// The interactor did not accept.
const REJECTED: Expected =
    Expected { interactor: Some(Outcome::RuntimeError), ..ending(Outcome::ProtocolError) };
/// Each waited for the other.
const SILENCE: Expected = Expected { limits: &["wall"], hint: Some("silence"), ..TIME };
/// Little memory, but enough for all who do not ask for more.
const LITTLE_MB: u32 = 64;

pub(super) const TALKS: &[Case] = &[
    talk("talk_agrees", ("guesses", "judge"), &[AGREED]),
    talk("talk_final_check", ("ends_with_seven", "final_judge"), &[AGREED]),
    talk("talk_uses_scratch", ("scribbles", "final_judge"), &[AGREED]),
    talk("talk_program_segfaults", ("segfaults", "judge"), &[signal("SIGSEGV")]),
    talk("talk_program_aborts", ("crashes_at_once", "judge"), &[signal("SIGABRT")]),
    talk("talk_program_exits", ("gives_up", "judge"), &[exit(3)]),
    talk(
        "talk_program_leaves",
        ("leaves_early", "judge"),
        &[Expected { interactor_says: "no guess in turn 1", ..REJECTED }],
    ),
    talk("talk_last_word_to_nobody", ("says_66", "judge"), &[AGREED]),
    talk("talk_leaves_a_talker", ("leaves_early", "talkative_judge"), &[REJECTED]),
    talk("talk_silent_program", ("mute", "judge"), &[SILENCE]).ms(SHORT_MS),
    talk("talk_silent_interactor", ("guesses", "mute"), &[SILENCE]).ms(SHORT_MS),
    talk("talk_both_listen", ("listens", "judge"), &[SILENCE]).ms(SHORT_MS),
    talk("talk_interactor_crashes", ("guesses", "crashing_judge"), &[FAILED]),
    talk("talk_crash_and_loop", ("loops_on", "crashing_judge"), &[FAILED]).ms(SHORT_MS),
    talk("talk_crash_and_write", ("writes_on", "crashing_judge"), &[FAILED]),
    talk("talk_interactor_endless", ("guesses", "endless_judge"), &[FAILED_IN_TIME]).ms(SHORT_MS),
    talk("talk_interactor_eats", ("guesses", "eating_judge"), &[FAILED_IN_MEMORY]).mb(LITTLE_MB),
    talk("talk_rejected", ("guesses", "strict_judge"), &[WRONG]),
    talk("talk_rejected_and_writes", ("writes_on", "strict_judge"), &[WRONG]),
    talk("talk_rejected_and_loops", ("loops_on", "strict_judge"), &[WRONG]).ms(SHORT_MS),
    talk("talk_rejected_at_the_end", ("leaves_early", "final_judge"), &[UNFINISHED]),
    talk("talk_program_eats", ("eats", "judge"), &[MEMORY]).mb(LITTLE_MB),
    talk("talk_program_endless", ("endless_judge", "judge"), &[TIME]).ms(SHORT_MS),
    talk("talk_flood_is_read", ("writes_on", "listener"), &[TIME, FAILED_IN_TIME]).ms(SHORT_MS),
    talk("talk_flood_is_not_read", ("writes_on", "mute"), &[SILENCE]).ms(SHORT_MS),
    talk("talk_judge_floods", ("reads_on", "flooding_judge"), &[TIME, FAILED_IN_TIME]).ms(SHORT_MS),
    talk("talk_judge_floods_nobody", ("mute", "flooding_judge"), &[SILENCE]).ms(SHORT_MS),
    talk("talk_closes_stdout", ("closes_stdout", "judge"), &[REJECTED]),
    talk("talk_early_acceptance", ("computes_on", "hasty_judge"), &[AGREED]),
    talk("talk_early_end", ("writes_on", "hasty_judge"), &[signal("SIGPIPE"), exit(6)]),
    talk("talk_children_hold_pipes", ("leaves_holders", "listener"), &[AGREED]),
    talk("talk_bomb_holds_pipes", ("leaves_bomb", "listener"), &[AGREED]),
    talk("talk_judge_leaves_children", ("reads_on", "forking_judge"), &[AGREED]),
    talk("talk_interactor_bomb", ("guesses", "bombing_judge"), &[FAILED, FAILED_IN_TIME])
        .ms(SHORT_MS),
    talk("talk_program_spies", ("spies", "listener"), &[AGREED]),
    talk("talk_program_attacks", ("attacks", "judge"), &[AGREED]),
    talk("talk_interactor_attacks", ("computes_on", "attacking_judge"), &[AGREED]),
    talk(
        "talk_interactor_does_not_compile",
        ("guesses", "broken_judge"),
        &[saying("the interactor does not compile: 1 error(s), the first in line 1")],
    ),
];

const WRONG: Expected = Expected { interactor_says: "wrong answer: ", ..REJECTED };
const UNFINISHED: Expected = Expected { interactor_says: "the last number is no 7", ..REJECTED };
const FAILED: Expected =
    Expected { interactor: Some(Outcome::RuntimeError), ..ending(Outcome::InteractorFailed) };
const FAILED_IN_TIME: Expected = Expected { interactor: Some(Outcome::TimeLimit), ..FAILED };
const FAILED_IN_MEMORY: Expected = Expected { interactor: Some(Outcome::MemoryLimit), ..FAILED };

const fn talk(
    name: &'static str,
    pair: (&'static str, &'static str),
    expected: &'static [Expected],
) -> Case {
    Case { talk: Some(pair), ..case(name, expected) }
}
