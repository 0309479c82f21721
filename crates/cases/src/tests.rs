use super::*;
use profiler_core::limits::{MAX_ANSWER_BYTES, MAX_TEST_CASES, MAX_VIOLATIONS};
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

type Files<'f> = [(&'f str, &'f [u8])];

fn folder(files: &Files<'_>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The bytes of an archive. A name that ends with a slash is a folder.
fn zipped(files: &Files<'_>) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        if name.ends_with('/') {
            archive.add_directory(*name, SimpleFileOptions::default()).unwrap();
        } else {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
    }
    archive.finish().unwrap().into_inner()
}

/// Reads a file with this name and content.
fn file(name: &str, content: &[u8]) -> Result<Vec<TestCase>, Error> {
    read(&folder(&[(name, content)]).path().join(name))
}

/// The lines of the refusal, without the folder of the test.
fn refused(found: Result<Vec<TestCase>, Error>) -> Vec<String> {
    let said = match found.unwrap_err() {
        Error::Wrong(bad) => bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    };
    let names = ["tests.", "1.", "2.", "3."];
    let line = |line: &str| {
        let first = line.split(": ").next().unwrap_or_default();
        let begin = names.iter().filter_map(|name| first.find(&format!("/{name}"))).min();
        line[begin.map_or(0, |at| at + 1)..].to_owned()
    };
    said.lines().map(line).collect()
}

#[test]
fn links_to_other_folders_and_other_files_are_refused() {
    let (here, other) = (folder(&[("1.in", b"1"), ("1.out", b"x")]), folder(&[("secret", b"s")]));
    symlink(other.path().join("secret"), here.path().join("2.in")).unwrap();
    let _listener = UnixListener::bind(here.path().join("2.out")).unwrap();
    let expected =
        ["2.in: must be below the folder of the test cases", "2.out: must be a regular file"];
    assert_eq!(refused(read(here.path())), expected);
    let lines = here.path().join("tests.jsonl");
    let _other = UnixListener::bind(&lines).unwrap();
    assert_eq!(refused(read(&lines)), ["tests.jsonl: must be a folder or a regular file"]);
}

fn pairs_of(cases: &[TestCase]) -> Vec<(&str, &str)> {
    cases.iter().map(|it| (it.input.as_str(), it.output.as_str())).collect()
}

const NUMBERED: [(&str, &[u8]); 8] = [
    ("10.in", b"10"),
    ("10.out", b"x"),
    ("2.in", b"2"),
    ("2.ans", b"y"),
    ("01.in", b"1"),
    ("01.a", b"z"),
    ("notes.txt", b"\xff"),
    ("a.out", b"\x7fELF"),
];

#[test]
fn cases_are_in_the_order_of_their_numbers() {
    let in_order = [("1", "z"), ("2", "y"), ("10", "x")];
    assert_eq!(pairs_of(&read(folder(&NUMBERED).path()).unwrap()), in_order);
    assert_eq!(pairs_of(&file("tests.zip", &zipped(&NUMBERED)).unwrap()), in_order);
}

#[test]
fn every_file_that_is_wrong_is_named() {
    let long = vec![b'1'; MAX_ANSWER_BYTES + 1];
    let files: [(&str, &[u8]); 7] = [
        ("1.in", b"1"),
        ("2.in", b"1\xff"),
        ("2.out", b"a\n\xc3\xa9\xe9\n"),
        ("3.in", b"1"),
        ("3.out", &long),
        ("4.in", b"1"),
        ("4.out", b"1"),
    ];
    let expected = [
        "1.in: must have an expected output: .out, .ans or .a",
        "2.in: must be text in UTF-8, but byte 2 of line 1 is not",
        "2.out: must be text in UTF-8, but byte 3 of line 2 is not",
        "3.out: must have at most 16777216 bytes",
    ];
    assert_eq!(refused(read(folder(&files).path())), expected);
    let in_archive = expected[..3].iter().map(|line| format!("tests.zip/{line}"));
    assert!(refused(file("tests.zip", &zipped(&files[..3]))).into_iter().eq(in_archive));
}

#[test]
fn expected_output_is_not_chosen_among_several() {
    let files: [(&str, &[u8]); 3] = [("1.in", b"1"), ("1.out", b"2"), ("1.ans", b"1")];
    let expected = "1.in: must have only one expected output: .out, .ans or .a";
    assert_eq!(refused(read(folder(&files).path())), [expected]);
}

#[test]
fn test_cases_below_a_folder_are_refused() {
    let here = folder(&[("1.in", b"1"), ("1.out", b"1")]);
    let below = here.path().join("secret");
    fs::create_dir(&below).unwrap();
    fs::write(below.join("notes.txt"), "").unwrap();
    assert_eq!(read(here.path()).unwrap().len(), 1);
    fs::write(below.join("2.in"), "2").unwrap();
    let problem = "must have no test cases: only those of the folder itself are read";
    assert_eq!(refused(read(here.path())), [format!("{}: {problem}", below.display())]);
}

#[test]
fn output_without_an_input_is_named() {
    let numbered: [(&str, &[u8]); 6] = [
        ("1.in", b"1"),
        ("1.out", b"1"),
        ("2.in", b"1"),
        ("2.ans", b"1"),
        ("3.out", b"1"),
        ("solution2.out", b"\x7fELF"),
    ];
    let orphan = "3.out: must have an input: .in";
    assert_eq!(refused(read(folder(&numbered).path())), [orphan]);
    assert_eq!(refused(file("tests.zip", &zipped(&numbered))), [format!("tests.zip/{orphan}")]);
    let words: [(&str, &[u8]); 4] =
        [("small.in", b"1"), ("small.out", b"1"), ("tests.out", b"1"), ("a.out", b"\x7fELF")];
    let said = refused(read(folder(&words).path()));
    assert_eq!(said, ["tests.out: must have an input: .in"]);
    // Another folder has names of its own.
    let folders: [(&str, &[u8]); 3] = [("a/1.in", b"1"), ("a/1.out", b"1"), ("b/2.out", b"1")];
    assert_eq!(file("tests.zip", &zipped(&folders)).unwrap().len(), 1);
}

#[test]
fn folder_or_archive_without_test_cases_is_refused() {
    for said in [
        refused(read(folder(&[("1.txt", b"")]).path())),
        refused(file("tests.zip", &zipped(&[("1.txt", b""), ("1.in/", b"")]))),
    ] {
        assert!(said[0].contains("must have 1 to 10000 test cases"), "{said:?}");
    }
}

#[test]
fn archive_may_have_folders_and_hidden_files() {
    let files: [(&str, &[u8]); 7] = [
        ("tests/", b""),
        ("tests/sample/1.in", b"1"),
        ("tests/sample/1.out", b"x"),
        ("tests/big/1.in", b"2"),
        ("tests/big/1.out", b"y"),
        ("__MACOSX/tests/sample/._1.in", b"\xff"),
        ("tests/big/1.out.txt", b""),
    ];
    let cases = file("tests.zip", &zipped(&files)).unwrap();
    assert_eq!(pairs_of(&cases), [("2", "y"), ("1", "x")]);
}

#[test]
fn archive_has_each_file_once() {
    let files: [(&str, &[u8]); 4] =
        [("a//1.in", b"1"), ("a//1.out", b"1"), ("a/1.in", b"2"), ("b.txt", b"")];
    let said = refused(file("tests.zip", &zipped(&files)));
    assert_eq!(said, ["tests.zip: must have each file once, but has a//1.in and a/1.in"]);
    let renamed = |from: &[u8], to: &[u8]| {
        let files: [(&str, &[u8]); 5] =
            [("1.in", b"1"), ("2.in", b"2"), ("1.out", b"x"), ("a.txt", b""), ("b.txt", b"")];
        let mut archive = zipped(&files);
        for at in 0..archive.len() - from.len() {
            if archive[at..].starts_with(from) {
                archive[at..at + to.len()].copy_from_slice(to);
            }
        }
        file("tests.zip", &archive)
    };
    let said = refused(renamed(b"2.in", b"1.in"));
    assert_eq!(said, ["tests.zip: must have each file once, but has 1.in and 1.in"]);
    let said = refused(renamed(b"b.txt", b"a.txt"));
    assert_eq!(said, ["tests.zip/2.in: must have an expected output: .out, .ans or .a"]);
}

/// A megabyte of zeros takes a kilobyte in an archive.
#[test]
fn bomb_is_refused_before_it_is_unpacked() {
    let mib = vec![b'0'; 1 << 20];
    let many: Vec<_> = (0..25).flat_map(|n| [format!("{n}.in"), format!("{n}.out")]).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (&name[..], &mib[..])).collect();
    let bomb = zipped(&many);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let all = "tests.zip: must have at most 50331648 bytes of inputs and outputs";
    assert_eq!(refused(file("tests.zip", &bomb)), [all]);
    let long = vec![b'0'; MAX_ANSWER_BYTES + 1];
    let bomb = zipped(&[("1.in", b"1"), ("1.out", &long)]);
    let one = "tests.zip/1.out: must have at most 16777216 bytes";
    assert_eq!(refused(file("tests.zip", &bomb)), [one]);
    // An entry that declares less than it has.
    let (declared, less) = ((MAX_ANSWER_BYTES + 1).to_le_bytes(), 7_u32.to_le_bytes());
    let mut lying = bomb.clone();
    for at in 0..bomb.len() - less.len() {
        if bomb[at..].starts_with(&declared[..less.len()]) {
            lying[at..at + less.len()].copy_from_slice(&less);
        }
    }
    assert_ne!(lying, bomb);
    let said = refused(file("tests.zip", &lying));
    assert!(said[0].contains("tests.zip/1.out"), "{said:?}");
}

#[test]
fn file_that_is_no_archive_is_named() {
    let said = refused(file("tests.zip", b"1 2 3"));
    assert!(said[0].starts_with("tests.zip: must be a zip of files such as 1.in"), "{said:?}");
    let mut broken = zipped(&[("1.in", b"1 2 3"), ("1.out", b"1")]);
    let at = broken.windows(4).position(|bytes| bytes == b"1.in").unwrap() + 4;
    broken[at] ^= 0xff;
    let said = refused(file("tests.zip", &broken));
    assert!(said[0].contains("tests.zip/1.in: "), "{said:?}");
}

#[test]
fn line_is_a_test_case() {
    let digest = "0a".repeat(32);
    let text = format!(
        "{{\"input\": \"1\\n\", \"output\": \"2\"}}\r\n\n\
         {{\"explanation\": [1], \"output\": \"\", \"input\": \"3\"}}\n\
         {{\"input\": \"4\", \"output_words_sha256\": \"{digest}\"}}"
    );
    let cases = file("tests.jsonl", text.as_bytes()).unwrap();
    assert_eq!(pairs_of(&cases), [("1\n", "2"), ("3", ""), ("4", "")]);
    assert_eq!(cases[2].output_words_sha256, [10; 32]);
    // Programs on Windows write a byte order mark first.
    let marked = format!("\u{feff}{text}");
    assert_eq!(file("tests.jsonl", marked.as_bytes()).unwrap(), cases);
}

#[test]
fn line_that_is_no_test_case_is_named_with_what_is_allowed() {
    let text = "{\"input\": \"1\", \"output\": \"1\"}\n\
        {\"input\": \"1\", \"outptu\": \"1\"}\n\
        {\"output\": \"1\"}\n\
        {\"input\": \"1\"}\n\
        {\"input\": \"1\", \"output_words_sha256\": \"0a\"}\n\
        [1]\n";
    let allowed = "a line must be an object with input, and either output or \
                   output_words_sha256; explanation is ignored";
    let said = refused(file("tests.jsonl", text.as_bytes()));
    let unknown = "unknown field `outptu`, expected one of `input`, `output`, \
                   `output_words_sha256`, `explanation`";
    assert!(said[0].starts_with("tests.jsonl: line 2, column "), "{said:?}");
    assert!(said[0].ends_with(&format!(": {unknown}; {allowed}")), "{said:?}");
    assert_eq!(
        said[1],
        format!("tests.jsonl: line 3, column 15: missing field `input`; {allowed}")
    );
    let one_of = "tests.jsonl: line 4: a test case must have either output or output_words_sha256";
    assert_eq!(said[2], one_of);
    let digits = "tests.jsonl: line 5: output_words_sha256 must have 64 hexadecimal digits";
    assert_eq!(said[3], digits);
    assert!(said[4].starts_with("tests.jsonl: line 6, column "), "{said:?}");
    let many = "{}\n".repeat(MAX_VIOLATIONS + 5);
    assert_eq!(refused(file("tests.jsonl", many.as_bytes())).len(), MAX_VIOLATIONS + 1);
}

#[test]
fn number_of_lines_is_bounded() {
    let line = "{\"input\": \"1\", \"output\": \"1\"}\n";
    assert_eq!(file("tests.jsonl", line.repeat(5_000).as_bytes()).unwrap().len(), 5_000);
    for count in [0, MAX_TEST_CASES + 1] {
        let said = refused(file("tests.jsonl", line.repeat(count).as_bytes()));
        let expected = format!("tests.jsonl: must have 1 to 10000 lines, not {count}: a line must");
        assert!(said[0].starts_with(&expected), "{said:?}");
    }
}

#[test]
fn test_cases_of_a_task_need_no_other_keys() {
    let cases = file("tests.json", br#"{"unit_tests": [{"input": "1", "output": "2"}]}"#).unwrap();
    assert_eq!(pairs_of(&cases), [("1", "2")]);
    let said = refused(file("tests.json", b"{\"test_cases\": [\n{\"input\": \"1\"}]}"));
    let one_of = "a test case must have either output or output_words_sha256";
    assert_eq!(said, [format!("tests.json: line 2, column 14: {one_of}")]);
}

#[test]
fn other_files_are_refused_with_the_allowed_ones() {
    let said = refused(file("tests.tar", b""));
    let allowed = "must be a folder, or a file whose name ends in .zip, .jsonl or .json";
    assert_eq!(said, [format!("tests.tar: {allowed}")]);
    let gone = read(Path::new("/nowhere/tests.zip")).unwrap_err().to_string();
    assert!(gone.starts_with("cannot read /nowhere/tests.zip: "), "{gone}");
}
