use super::*;
use runner_protocol::Sample;

/// A run that ended well.
fn seen(instructions: u64, stdout: &str) -> Seen {
    let stdout = stdout.as_bytes();
    let mut stdout_sha256 = [0_u8; 32];
    // Stand-in for a hash, which differs if the text does.
    for (at, byte) in stdout.iter().enumerate() {
        stdout_sha256[at % 32] = byte.wrapping_add(stdout_sha256[at % 32].rotate_left(3));
    }
    Seen {
        execution: Execution {
            ending: Ending::Exited(0),
            sample: Sample { wall_ns: instructions, ..Sample::default() },
            oom_kills: 0,
            output_full: false,
        },
        instructions: Some(instructions),
        written: Written {
            stdout_bytes: stdout.len() as u64,
            stdout_sha256,
            stdout_head: stdout.into(),
            ..Written::default()
        },
    }
}

fn ended(ending: Ending, wall_ns: u64) -> Seen {
    let mut run = seen(0, "");
    run.execution.ending = ending;
    run.execution.sample.wall_ns = wall_ns;
    Seen { instructions: None, ..run }
}

fn uncounted(stdout: &str) -> Seen {
    Seen { instructions: None, ..seen(0, stdout) }
}

fn judged([given, near, far]: [Seen; 3]) -> Finding {
    Runs { given, near, far }.judge()
}

const ENOUGH: Finding = Finding::Settled(InputUse::Enough);
const READS_TO_END: Finding = Finding::Settled(InputUse::ReadsToEnd);
const STARVED: Finding = Finding::Settled(InputUse::Starved);
const UNKNOWN: Finding = Finding::Settled(InputUse::Unknown);

#[test]
fn same_work_is_enough_whatever_is_written() {
    assert_eq!(judged([seen(9000, "7"), seen(9000, "7"), seen(9000, "7")]), ENOUGH);
    // A clock that ticked once.
    assert_eq!(judged([seen(9000, "7"), seen(9000, "8"), seen(9000, "8")]), ENOUGH);
}

#[test]
fn blocks_that_are_read_are_no_work() {
    let digits_matter = Finding::StarvedIfDigitsMatter;
    assert_eq!(judged([seen(9000, "7"), seen(9300, "7"), seen(9700, "7")]), digits_matter);
    assert_eq!(judged([seen(9000, "7"), seen(90_000, "7"), seen(400_000, "7")]), READS_TO_END);
}

#[test]
fn reader_to_the_end_depends_on_far_bytes() {
    assert_eq!(judged([seen(9000, "7"), seen(90_000, "8"), seen(400_000, "9")]), READS_TO_END);
    let crash = ended(Ending::Signaled(11), 1);
    assert_eq!(judged([seen(9000, "7"), seen(90_000, "8"), crash]), READS_TO_END);
}

#[test]
fn another_answer_is_found_also_where_all_is_read() {
    let slurps = [seen(9000, "7"), seen(90_000, "8"), seen(400_000, "8")];
    assert_eq!(judged(slurps), Finding::StarvedByOutput);
    let uncounted = [uncounted("7"), uncounted("8"), uncounted("8")];
    assert_eq!(judged(uncounted), Finding::StarvedByOutput);
}

#[test]
fn first_answers_that_change_were_not_answers() {
    let answers = |first: &str, count| format!("{first}\n{}", "1\n".repeat(count));
    let streams = |given: &str, first: &str| {
        let given = seen(9000, given);
        judged([given, seen(90_000, &answers(first, 900)), seen(400_000, &answers(first, 999))])
    };
    assert_eq!(streams("0\n", "24"), Finding::StarvedByOutput);
    assert_eq!(streams("", "24"), Finding::StarvedByOutput);
    let mut crash = seen(0, &answers("24", 999));
    crash.execution.ending = Ending::Signaled(6);
    let crashes = [seen(9000, "0\n"), seen(90_000, &answers("24", 900)), crash];
    assert_eq!(judged(crashes), Finding::StarvedByOutput);
    assert_eq!(streams("24\n", "24"), READS_TO_END);
    let labels = [seen(9000, "sum: 7"), seen(90_000, "sum: 888"), seen(400_000, "sum: 999")];
    assert_eq!(judged(labels), READS_TO_END);
}

#[test]
fn more_work_up_to_some_input_is_starved() {
    let works = [seen(9000, ""), seen(90_000, ""), seen(90_010, "")];
    assert_eq!(judged(works), Finding::StarvedByWork);
    let little = [seen(9000, ""), seen(9200, ""), seen(9200, "")];
    assert_eq!(judged(little), Finding::StarvedIfWordsMatter);
}

#[test]
fn more_input_can_mend_an_ending() {
    let crash = ended(Ending::Signaled(11), 1_000);
    assert_eq!(judged([crash.clone(), seen(900, "8"), seen(900, "8")]), STARVED);
    let stuck = ended(Ending::Stopped(Breach::Wall(9_000)), 9_000);
    assert_eq!(judged([stuck.clone(), seen(900, "8"), seen(900, "8")]), STARVED);
    assert_eq!(judged([stuck, seen(8_000, "8"), seen(8_000, "8")]), UNKNOWN);
    assert_eq!(judged([crash.clone(), crash.clone(), crash.clone()]), UNKNOWN);
    assert_eq!(judged([seen(900, "8"), crash.clone(), crash]), UNKNOWN);
}

#[test]
fn equal_answers_are_enough_without_counts() {
    assert_eq!(judged([uncounted("7"), uncounted("7"), uncounted("7")]), ENOUGH);
    assert_eq!(judged([uncounted("7"), uncounted("8"), uncounted("9")]), UNKNOWN);
}

#[test]
fn unrepeatable_finding_is_not_said() {
    let [given, near, far] = [seen(9000, "7"), seen(90_000, "8"), seen(90_000, "8")];
    let runs = Runs { given: given.clone(), near: near.clone(), far };
    let (by_output, by_work) = (Finding::StarvedByOutput, Finding::StarvedByWork);
    let same = [given.clone(), near.clone()];
    assert_eq!(runs.repeated(by_output, &same), by_output);
    assert_eq!(runs.repeated(by_work, &[seen(9050, "9"), seen(90_050, "9")]), by_work);
    // The program writes something else each time, but always works more on more input.
    assert_eq!(runs.repeated(by_output, &[seen(9000, "9"), near.clone()]), by_work);
    let random = seen(50_000, "9");
    for again in [[random.clone(), near.clone()], [given.clone(), random]] {
        assert_eq!(runs.repeated(by_output, &again), UNKNOWN);
        assert_eq!(runs.repeated(by_work, &again), UNKNOWN);
    }
    for finding in [Finding::StarvedIfWordsMatter, Finding::StarvedIfDigitsMatter] {
        assert_eq!(runs.repeated(finding, &[seen(9001, "7"), near.clone()]), UNKNOWN);
        assert_eq!(runs.repeated(finding, &[given.clone(), seen(90_001, "8")]), UNKNOWN);
        assert_eq!(runs.repeated(finding, &same), finding);
    }
}

#[test]
fn digit_that_matters_was_read() {
    let [given, near, far] = [seen(9000, "7"), seen(9200, "7"), seen(9300, "7")];
    let runs = Runs { given, near, far };
    assert_eq!(runs.judge_digits(&seen(9200, "7")), InputUse::Enough);
    assert_eq!(runs.judge_digits(&seen(9201, "7")), InputUse::Starved);
    assert_eq!(runs.judge_digits(&seen(9200, "8")), InputUse::Starved);
}

#[test]
fn word_that_matters_was_read() {
    let [given, near, far] = [seen(9000, "7"), seen(9200, "7"), seen(9200, "7")];
    let runs = Runs { given, near, far };
    assert_eq!(runs.judge_words(&seen(9240, "7")), InputUse::Enough);
    assert_eq!(runs.judge_words(&seen(9900, "7")), InputUse::Starved);
    assert_eq!(runs.judge_words(&seen(9200, "9")), InputUse::Starved);
}

#[test]
fn cut_that_changes_nothing_was_not_read() {
    let given = seen(9000, "7");
    let after = |cut: Seen, noise| cut.after_cut(&given, noise);
    assert_eq!(after(seen(9000, "7"), Some(0)), Cut::Unread);
    assert_eq!(after(seen(9000, "8"), Some(0)), Cut::Missed);
    assert_eq!(after(ended(Ending::Signaled(11), 1), Some(0)), Cut::Missed);
    assert_eq!(after(seen(9030, "7"), Some(0)), Cut::Unclear);
    assert_eq!(after(seen(9000, "7"), Some(5)), Cut::Unclear);
    assert_eq!(after(uncounted("7"), None), Cut::Unclear);
}
