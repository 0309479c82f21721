use super::*;
use crate::limits::MAX_VIOLATIONS;

/// The field that holds the flags.
const FIELD: &str = "code.compiler_flags";

const ALLOWED_FLAGS: [&str; 40] = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Os",
    "-Og",
    "-Ofast",
    "-std=c++11",
    "-std=c++17",
    "-std=gnu++20",
    "-std=c++23",
    "-std=gnu++2a",
    "-W",
    "-Wall",
    "-Wextra",
    "-Wno-unused-result",
    "-Werror=return-type",
    "-Wshadow",
    "-g",
    "-g3",
    "-ggdb",
    "-gdwarf-4",
    "-DONLINE_JUDGE",
    "-DN=100000",
    "-DS=\"a b, c\"",
    "-DMAX(a,b)=((a)>(b)?(a):(b))",
    "-UNDEBUG",
    "-march=native",
    "-mavx2",
    "-m64",
    "-msse4.2",
    "-mtune=generic",
    "-fno-exceptions",
    "-fomit-frame-pointer",
    "-fopenmp",
    "-fPIC",
    "-fPIE",
    "-ftemplate-depth=2000",
    "-pthread",
    "-static",
];
const REFUSED_FLAGS: [&str; 50] = [
    // Text without the form of an allowed flag.
    "",
    " ",
    "-",
    "-O",
    "-O4",
    "-Oz",
    "-O2 ",
    " -O2",
    "-O2\n-S",
    "-std=c++98",
    "-std=c17",
    "-std=c++17x",
    "main.cpp",
    "/etc/passwd",
    "@flags",
    "-o",
    "-ofile",
    "-c",
    "-S",
    "-E",
    "-x",
    "-xc",
    "-I.",
    "-I/etc",
    "-include",
    "-L/",
    "-lm",
    "-B/",
    "-pg",
    "-pipe",
    "-save-temps",
    "--help",
    "-v",
    "-D",
    "-D1",
    "-DA\n-S",
    // Flags that load, write or read files, or pass options on.
    "-Wl,-z,now",
    "-Wp,-MD,x",
    "-Wa,-a=x",
    "-fplugin=x",
    "-fdump-tree-all",
    "-fprofile-use",
    "-fprofile-generate",
    "-fsanitize=address",
    "-flto",
    "-fuse-ld=gold",
    "-gsplit-dwarf",
    "-ftest-coverage",
    "-fmodules-ts",
    "-fdeps-file=x",
];

fn strings(flags: &[&str]) -> Vec<String> {
    flags.iter().map(ToString::to_string).collect()
}

#[test]
fn allowed_flags_stay_as_they_are() {
    assert_eq!(check(FIELD, strings(&ALLOWED_FLAGS)), Ok(strings(&ALLOWED_FLAGS)));
}

#[test]
fn every_refused_flag_is_refused() {
    for flag in REFUSED_FLAGS {
        assert!(check(FIELD, strings(&[flag])).is_err(), "{flag:?}");
    }
}

#[test]
fn refused_flag_says_why() {
    let problem = |flag: &str| check(FIELD, strings(&[flag])).unwrap_err()[0].problem.clone();
    assert_eq!(
        problem("-fsanitize=address"),
        "\"-fsanitize=address\" is not allowed, because it changes what is measured"
    );
    assert!(problem("-lm").contains("the allowed flags are -O*"), "{}", problem("-lm"));
}

#[test]
fn every_refused_flag_names_its_position() {
    let mixed = REFUSED_FLAGS.map(|flag| ["-O2", flag]);
    let mixed = mixed.chunks(MAX_VIOLATIONS).next().unwrap_or_default().concat();
    let named: Vec<_> =
        check(FIELD, strings(&mixed)).unwrap_err().into_iter().map(|v| v.field).collect();
    let odd: Vec<_> =
        (0..MAX_VIOLATIONS).map(|at| format!("code.compiler_flags[{}]", 2 * at + 1)).collect();
    assert_eq!(named, odd);
}

#[test]
fn empty_list_means_the_default_flags() {
    assert_eq!(check(FIELD, Vec::new()), Ok(strings(&["-O2", "-std=c++17"])));
}

#[test]
fn longest_flag_is_allowed() {
    let longest = format!("-D{}", "A".repeat(MAX_FLAG_BYTES - 2));
    assert!(check(FIELD, vec![longest]).is_ok());
}

#[test]
fn longer_flag_is_refused() {
    let longer = format!("-D{}", "A".repeat(MAX_FLAG_BYTES - 1));
    assert!(check(FIELD, vec![longer]).is_err());
}

#[test]
fn maximum_number_of_flags_is_allowed() {
    assert!(check(FIELD, vec!["-O2".into(); MAX_FLAGS]).is_ok());
}

#[test]
fn more_flags_are_refused() {
    let bad = check(FIELD, vec!["-O2".into(); MAX_FLAGS + 1]).unwrap_err();
    assert_eq!(bad[0].to_string(), "code.compiler_flags: must have at most 64 flags, not 65");
}

#[test]
fn incomparable_flags_are_found() {
    let given = strings(&["-O2", "-march=native", "-Ofast", "-mavx2"]);
    assert_eq!(incomparable(&given).collect::<Vec<_>>(), ["-march=native", "-Ofast"]);
}

#[test]
fn flags_beyond_the_limit_are_not_checked() {
    let mut flags = vec!["-O2".to_owned(); MAX_FLAGS];
    flags.extend(vec![String::new(); 1000]);
    let bad = check(FIELD, flags).unwrap_err();
    assert_eq!(bad.to_string(), "code.compiler_flags: must have at most 64 flags, not 1064");
}
