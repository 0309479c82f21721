//! Flags: an accepted flag does nothing but compile.

use crate::properties::{config, few};
use profiler_core::job::{DEFAULT_FLAGS, check_flags};
use profiler_core::limits::{MAX_FLAG_BYTES, MAX_FLAGS, MAX_VIOLATIONS};
use proptest::collection::vec;
use proptest::prelude::*;

/// The field that contains the flags.
const FIELD: &str = "code.compiler_flags";

/// Beginnings of flags that load, write or read files, name programs, or end the compilation early.
const FORBIDDEN: [&str; 36] = [
    "@",
    "-o",
    "-I",
    "-i",
    "-L",
    "-l",
    "-B",
    "-x",
    "-X",
    "-M",
    "-S",
    "-E",
    "-c",
    "-T",
    "-u",
    "-wrapper",
    "-specs",
    "--",
    "-save",
    "-dump",
    "-d",
    "-print",
    "-shared",
    "-n",
    "-Wl,",
    "-Wa,",
    "-Wp,",
    "-fplugin",
    "-fdump",
    "-fprofile",
    "-fsanitize",
    "-flto",
    "-fuse-ld",
    "-fdiagnostics",
    "-gsplit-dwarf",
    "-fmodule",
];

/// Flags made of beginnings of allowed and forbidden ones, and of what may follow.
fn flag() -> impl Strategy<Value = String> {
    let allowed = ["-O", "-std=", "-W", "-g", "-D", "-U", "-m", "-f", "-pthread", "-static"];
    let begin = prop::sample::select([&allowed[..], &FORBIDDEN[..], &[""]].concat());
    let end =
        prop_oneof!["", "[a-z0-9]{1,8}", "[A-Za-z0-9=+_.:,/@ -]{0,12}", "\\PC{0,6}", ".{0,300}"];
    (begin, end).prop_map(|(begin, end)| format!("{begin}{end}"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn forbidden_flag_is_not_let_through(flag in flag()) {
        if check_flags(FIELD, vec![flag.clone()]).is_ok() {
            prop_assert!(!FORBIDDEN.iter().any(|begin| flag.starts_with(begin)), "{}", flag);
            prop_assert!(flag.starts_with('-') && flag.len() <= MAX_FLAG_BYTES);
            prop_assert!(!flag.contains(['\n', '\0']));
            let may_have_anything = flag.starts_with("-D") || flag.starts_with("-U");
            prop_assert!(may_have_anything || !flag.contains(['/', ',', '@', ' ']));
        }
    }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn each_flag_is_judged_alone_and_named_by_its_place(given in vec(flag(), 1..MAX_FLAGS)) {
        let mut bad: Vec<String> = (0..given.len())
            .filter(|&at| check_flags(FIELD, vec![given[at].clone()]).is_err())
            .map(|at| format!("code.compiler_flags[{at}]"))
            .collect();
        if bad.len() > MAX_VIOLATIONS {
            bad.truncate(MAX_VIOLATIONS);
            bad.push(String::new());
        }
        match check_flags(FIELD, given.clone()) {
            Ok(kept) => prop_assert_eq!((kept, bad), (given, Vec::new())),
            Err(found) => {
                prop_assert_eq!(found.into_iter().map(|v| v.field).collect::<Vec<_>>(), bad);
            }
        }
    }

    #[test]
    fn accepted_flags_are_accepted_again(given in vec(flag(), 0..4)) {
        if let Ok(kept) = check_flags(FIELD, given) {
            prop_assert!(!kept.is_empty());
            prop_assert_eq!(check_flags(FIELD, kept.clone()), Ok(kept));
        }
    }
}

#[test]
fn more_than_there_may_be_are_refused() {
    let given = |count| vec![DEFAULT_FLAGS[0].to_owned(); count];
    assert!(
        check_flags(FIELD, given(MAX_FLAGS)).is_ok()
            && check_flags(FIELD, given(MAX_FLAGS + 1)).is_err()
    );
}
