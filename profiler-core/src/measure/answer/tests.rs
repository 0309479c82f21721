use super::*;

fn ended(outcome: Outcome, text: &str) -> Answer {
    let written = Written {
        stdout_bytes: text.len() as u64,
        stdout_sha256: Sha256::digest(text).into(),
        stdout_head: text.into(),
        stdout_words_sha256: WordDigest::of(text.as_bytes()),
        ..Written::default()
    };
    let verdict = Verdict { outcome, ..Verdict::not_run() };
    Answer { verdict, written, sample: Sample::default() }
}

fn whole(text: &str) -> Answer {
    ended(Outcome::Ok, text)
}

/// The same absolute and relative error.
fn both(error: f64) -> Tolerance {
    Tolerance { absolute: error, relative: error }
}

fn expecting(output: &str) -> TestCase {
    TestCase { output: output.into(), ..TestCase::default() }
}

/// An answer that is cut after `kept` bytes.
fn cut(text: &str, kept: usize) -> Answer {
    let mut answer = whole(text);
    answer.written.stdout_head.truncate(kept);
    answer
}

#[test]
fn words_alone_count() {
    for (one, two, is_same) in [
        ("1 2\n3\n", "1 2\n3\n", true),
        ("1 2\n3\n", "\n 1\t2 3", true),
        ("", "\n", true),
        ("12", "1 2", false),
        ("1 2", "1 2 3", false),
        ("", "0", false),
    ] {
        assert_eq!(whole(one).agrees_with(&whole(two)), is_same, "{one:?} {two:?}");
        assert_eq!(cut(one, 0).agrees_with(&cut(two, 0)), is_same, "{one:?} {two:?}");
        for answer in [whole(one), cut(one, 0)] {
            let is_right = answer.is_right(&expecting(two), Checker::Words, both(0.0));
            assert_eq!(is_right, Some(is_same), "{one:?} {two:?}");
        }
    }
}

#[test]
fn each_checker_allows_what_it_says() {
    use Checker::{Caseless, Exact, Numbers, Words};
    for (answer, expected, (checker, tolerance), is_right) in [
        ("1 2\n", "1 2\n", (Exact, 0.0), true),
        ("1 2", "1 2\n", (Exact, 0.0), false),
        ("Yes  NO", "YES no\n", (Caseless, 0.0), true),
        ("Yes", "YES", (Words, 0.0), false),
        ("yes no", "yes", (Caseless, 0.0), false),
        ("0.3333333", "0.33333333333", (Numbers, 1e-6), true),
        ("0.333", "0.33333333333", (Numbers, 1e-6), false),
        ("1000001", "1000000", (Numbers, 1e-6), true),
        ("1e3 ok", "1000.0 ok", (Numbers, 0.0), true),
        ("-0.0", "0", (Numbers, 0.0), true),
        ("nan", "1", (Numbers, 1.0), false),
        ("nan inf", "nan inf", (Numbers, 1e-6), true),
        ("inf", "1e308", (Numbers, 1.0), false),
        ("1 2", "1", (Numbers, 1.0), false),
        ("", "", (Numbers, 1e-6), true),
    ] {
        let said = whole(answer).is_right(&expecting(expected), checker, both(tolerance));
        assert_eq!(said, Some(is_right), "{answer:?} {expected:?} {checker:?}");
        let texts = [answer, expected].map(str::as_bytes);
        let has_right_words = rejected_word(texts, checker, both(tolerance)).is_none();
        assert_eq!(has_right_words, is_right || checker == Exact, "{answer:?} {expected:?}");
    }
}

#[test]
fn first_rejected_word_has_its_number() {
    let found = |answer: &str, expected: &str| {
        let texts = [answer, expected].map(str::as_bytes);
        rejected_word(texts, Checker::Numbers, both(0.5)).unwrap()
    };
    let word = |text: &str| Some(text.as_bytes().to_vec());
    assert_eq!(found("1 2\n9", "1.5 2 3").number, 3);
    assert_eq!(found("1 2\n9", "1.5 2 3").words, [word("9"), word("3")]);
    assert_eq!(found("1", "1 2").words, [None, word("2")]);
}

#[test]
fn absolute_and_relative_errors_are_allowed_each_for_itself() {
    for (answer, expected, [absolute, relative], is_right) in [
        ("1000.5", "1000", [0.5, 0.0], true),
        ("1000.6", "1000", [0.5, 0.0], false),
        ("-999.4", "-1000", [0.5, 0.0], false),
        ("1001", "1000", [0.0, 1e-3], true),
        ("0.0010001", "0.001", [0.0, 1e-3], true),
        ("0.00102", "0.001", [0.0, 1e-3], false),
        ("1e-9", "0", [0.0, 1e-3], false),
        ("1e-9", "0", [1e-6, 1e-3], true),
        ("1001", "1000", [1e-6, 1e-3], true),
    ] {
        let tolerance = Tolerance { absolute, relative };
        let said = whole(answer).is_right(&expecting(expected), Checker::Numbers, tolerance);
        assert_eq!(said, Some(is_right), "{answer} {expected} {tolerance:?}");
    }
}

#[test]
fn digest_of_the_words_is_enough_to_judge() {
    let case = |output: &str| TestCase {
        output_words_sha256: WordDigest::of(output.as_bytes()).into(),
        ..TestCase::default()
    };
    for answer in [whole(" 1\n2"), cut("1 2", 0)] {
        assert_eq!(answer.is_right(&case("1 2\n"), Checker::Words, both(0.0)), Some(true));
        assert_eq!(answer.is_right(&case("1 3\n"), Checker::Words, both(0.0)), Some(false));
    }
}

#[test]
fn cut_answer_is_judged_only_if_its_rest_does_not_matter() {
    use Checker::{Caseless, Exact, Numbers};
    for (checker, kept, expected, is_right) in [
        (Exact, 0, "YES 2 3", Some(true)),
        (Exact, 7, "YES 2 3\n", Some(false)),
        (Caseless, 0, "YES\n2 3\n", Some(true)),
        (Caseless, 5, "yes 2 3", None),
        (Caseless, 5, "no 2 3", Some(false)),
        (Caseless, 6, "yes", Some(false)),
        (Numbers, 0, "YES 2 3", Some(true)),
        (Numbers, 6, "YES 2.5 3", None),
        (Numbers, 6, "YES 9 3", Some(false)),
        // The last word that was kept may be the beginning of a longer one.
        (Numbers, 5, "YES 9 3", None),
    ] {
        let said = cut("YES 2 3", kept).is_right(&expecting(expected), checker, both(0.5));
        assert_eq!(said, is_right, "{checker:?} {kept} {expected:?}");
    }
}

#[test]
fn first_difference_of_cut_answers_is_in_whole_words() {
    for (one, two, number) in [
        (cut("1 2 3 5", 5), cut("1 2 4 5", 5), None),
        (cut("1 2 3 5", 6), cut("1 2 4 5", 5), None),
        (cut("1 2 3 5", 6), cut("1 2 4 5", 6), Some(3)),
        (cut("1 2 35 5", 5), whole("1 2 31"), None),
        (cut("1 2 3 5", 5), whole("1"), Some(2)),
    ] {
        let found = one.first_difference(&two).map(|found| found.number);
        assert_eq!(found, number, "{one:?} {two:?}");
    }
}

#[test]
fn first_rejected_word_of_cut_answers_is_a_whole_word() {
    for (answer, expected, number) in [
        (whole("1 2 9"), whole("1.5 2 3"), Some(3)),
        (whole("1.5 2"), whole("1 2"), None),
        (whole("1"), whole("1 2"), Some(2)),
        (cut("1 2 35 5", 5), whole("1 2 9"), None),
        (cut("1 2 3 5", 6), whole("1 2 9"), Some(3)),
        // After the kept part, no word is known.
        (cut("1 2 3 5", 5), whole("1"), None),
    ] {
        let found = answer.first_rejected(&expected, Checker::Numbers, both(0.5));
        assert_eq!(found, number, "{answer:?} {expected:?}");
    }
}

#[test]
fn another_ending_than_ok_is_a_difference() {
    let crashed = ended(Outcome::RuntimeError, "1");
    assert!(!whole("1").agrees_with(&crashed) && !crashed.agrees_with(&crashed));
    assert_eq!(crashed.is_right(&expecting("1"), Checker::Words, both(0.0)), None);
}

#[test]
fn ending_is_repeated_by_the_same_ending() {
    let [crash, stop] =
        [Outcome::RuntimeError, Outcome::TimeLimit].map(|outcome| ended(outcome, ""));
    assert!(whole("1\n").is_repeated_by(&whole("1")));
    assert!(crash.is_repeated_by(&ended(Outcome::RuntimeError, "1")));
    assert!(!crash.is_repeated_by(&stop));
    assert!(!crash.is_repeated_by(&whole("1")) && !whole("1").is_repeated_by(&whole("2")));
}

#[test]
fn first_difference_has_its_number_and_both_words() {
    let found = whole("1 2 3").first_difference(&whole("1 2")).unwrap();
    assert_eq!((found.number, found.words), (3, [Some(b"3".to_vec()), None]));
    assert_eq!(whole("1 2").first_difference(&whole("1\n2\n")), None);
}
