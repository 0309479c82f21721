//! Explanations of real compiler output: that of g++ 12.2 under `LC_ALL=C` for the sources in
//! `programs`.

use insta::assert_snapshot;
use profiler_decode::diagnostics::errors::{Errors, errors};

const COMMAND: &str = "g++ -O2 -std=c++17 main.cpp -o main.out";

/// Explains the compiler output for `programs/NAME.cpp`.
macro_rules! told {
    ($name:literal) => {
        told(include_str!(concat!("errors/outputs/", $name, ".txt")))
    };
}

fn told(output: &str) -> String {
    let Errors { sentence, text, .. } = errors(COMMAND, output, false);
    format!("{}\n\n{text}", sentence.unwrap_or_default())
}

#[test]
fn one_error_has_its_source_line() {
    assert_snapshot!(told!("one"));
}

#[test]
fn nine_wrong_calls_of_templates_are_nine_errors() {
    let output = include_str!("errors/outputs/templates.txt");
    let text = told(output);
    assert!(text.lines().count() * 10 < output.lines().count(), "{text}");
    assert_snapshot!(text);
}

#[test]
fn error_in_a_header_comes_after_the_programs_own_line() {
    assert_snapshot!(told!("in_a_header"));
}

#[test]
fn twenty_of_forty_errors_are_shown() {
    assert_snapshot!(told!("forty"));
}

#[test]
fn undefined_references_are_errors() {
    assert_snapshot!(told!("undefined"));
}

#[test]
fn function_that_is_missing_twice_is_one_error() {
    assert_snapshot!(told!("alternating"));
}

#[test]
fn sum_of_the_linkers_errors_is_no_error() {
    assert_snapshot!(told!("assembler"));
}

#[test]
fn program_without_main_is_told_so() {
    assert_snapshot!(told!("no_main"));
}

#[test]
fn header_of_ones_own_is_not_in_the_sandbox() {
    assert_snapshot!(told!("own_header"));
}

#[test]
fn header_of_the_system_may_be_a_mistake() {
    assert_snapshot!(told!("missing_header"));
}

#[test]
fn later_standard_is_named() {
    assert_snapshot!(told!("twenty"));
    assert_snapshot!(told!("twenty_header"));
    assert_snapshot!(told!("coroutine"));
}

#[test]
fn name_unknown_to_later_standards_needs_no_other_flag() {
    let output = include_str!("errors/outputs/twenty_header.txt");
    let Errors { text, standard, .. } = errors("g++ -std=gnu++20 main.cpp", output, false);
    assert!(!text.contains("hint") && standard.is_none(), "{text}");
    assert_eq!(errors(COMMAND, output, false).standard.as_deref(), Some("c++20"));
}

#[test]
fn short_note_is_shown() {
    assert_snapshot!(told!("include_missing"));
}

#[test]
fn short_chain_to_an_error_is_shown() {
    assert_snapshot!(told!("short_chain"));
}

#[test]
fn quoted_source_is_no_error() {
    assert_snapshot!(told!("hash_error"));
}

#[test]
fn compiler_that_stopped_may_have_found_more() {
    assert_snapshot!(told!("stops"));
}

#[test]
fn output_that_was_cut_may_have_had_more() {
    let output = include_str!("errors/outputs/forty.txt");
    let cut = errors(COMMAND, output, true);
    assert!(cut.sentence.unwrap().starts_with("at least 40 errors, the first in line 2: "));
    assert!(cut.text.ends_with("\n… and at least 20 more errors"), "{}", cut.text);
}

#[test]
fn output_without_errors_has_nothing_to_tell() {
    let nothing = Errors { sentence: None, text: String::new(), standard: None };
    assert_eq!(errors(COMMAND, "", false), nothing);
    assert_eq!(errors(COMMAND, "main.cpp:1:2: warning: odd\n", false), nothing);
}

/// g++ 14 quotes the line of the program under "required from here".
#[test]
fn cause_of_an_error_is_quoted_if_gcc_does() {
    let output = "\
In file included from /usr/include/c++/14/algorithm:60,
                 from main.cpp:1:
/usr/include/c++/14/bits/predefined_ops.h: In instantiation of 'bool less(A, B)':
/usr/include/c++/14/bits/stl_algo.h:1777:14:   required from 'void sort(I, I)'
 1777 |   if (less(a, b))
      |       ~~~~^~~~~~
main.cpp:6:14:   required from here
    6 |     std::sort(v.begin(), v.end());
      |     ~~~~~~~~~^~~~~~~~~~~~~~~~~~~~
/usr/include/c++/14/bits/predefined_ops.h:45:23: error: no match for 'operator<'
   45 |       { return *a < *b; }
      |                ~~~^~~~
";
    assert_snapshot!(told(output));
}

#[test]
fn long_lines_are_cut() {
    let output = format!("main.cpp:1:1: error: {}\n", "ä".repeat(1000));
    let Errors { sentence, text, .. } = errors(COMMAND, &output, false);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert_eq!((sentence.unwrap().chars().count(), longest), (401, Some(401)));
}
