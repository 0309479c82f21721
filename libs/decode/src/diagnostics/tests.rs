use super::*;

/// Output of g++ 12.2 under `LC_ALL=C`.
const ERROR: &str = "\
main.cpp: In function 'int main()':
main.cpp:4:5: error: expected initializer before 'return'
    4 |     return x;
      |     ^~~~~~
";
const NOTE_AND_WARNING: &str = "\
main.cpp: In function 'int main(int, char**)':
main.cpp:4:14: error: invalid conversion from 'const char*' to 'int' [-fpermissive]
    4 |     return f(\"x\");
      |              ^~~
      |              |
      |              const char*
main.cpp:1:11: note:   initializing argument 1 of 'int f(int)'
    1 | int f(int a) { return a; }
      |       ~~~~^
main.cpp:3:9: warning: unused variable 'unused' [-Wunused-variable]
    3 |     int unused;
      |         ^~~~~~
";
const FATAL: &str = "\
main.cpp:1:10: fatal error: bits/nothing.h: No such file or directory
    1 | #include <bits/nothing.h>
      |          ^~~~~~~~~~~~~~~~
compilation terminated.
";
const UNDEFINED: &str = "\
/usr/bin/ld: /tmp/cc1QcPCh.o: in function `main':
main.cpp:(.text.startup+0x7): undefined reference to `solve(int)'
/usr/bin/ld: main.cpp:(.text.startup+0x13): undefined reference to `other(int)'
collect2: error: ld returned 1 exit status
";
const UNDEFINED_WITH_DEBUG: &str = "\
/usr/bin/ld: /tmp/ccU52NTD.o: warning: relocation against `_ZTV1S' in read-only section `.text.startup'
/usr/bin/ld: /tmp/ccU52NTD.o: in function `main':
/code/main.cpp:3: undefined reference to `vtable for S'
/usr/bin/ld: /code/main.cpp:3: undefined reference to `S::f()'
/usr/bin/ld: warning: creating DT_TEXTREL in a PIE
collect2: error: ld returned 1 exit status
";
const NO_MAIN: &str = "\
/usr/bin/ld: /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/Scrt1.o: in function `_start':
(.text+0x17): undefined reference to `main'
collect2: error: ld returned 1 exit status
";
const TOO_BIG: &str = "\
/tmp/ccaH8NyN.o: in function `main':
main.cpp:(.text.startup+0x17): relocation truncated to fit: R_X86_64_PC32 against symbol `big' defined in .bss section in /tmp/ccaH8NyN.o
collect2: error: ld returned 1 exit status
";
const UNKNOWN_FLAG: &str = "g++: error: unrecognized command-line option '-fnothing'\n";

/// `file:line:column severity message`, with `-` for what is absent.
fn parsed(output: &str) -> Vec<String> {
    let number = |n: Option<u32>| n.map_or("-".into(), |n| n.to_string());
    diagnostics(output, false)
        .into_iter()
        .map(|d| {
            let (line, column) = (number(d.line), number(d.column));
            format!("{}:{line}:{column} {} {}", d.file, d.severity.as_str(), d.message)
        })
        .collect()
}

#[test]
fn error_has_its_place() {
    assert_eq!(parsed(ERROR), ["main.cpp:4:5 error expected initializer before 'return'"]);
}

#[test]
fn notes_and_warnings_are_kept_in_order() {
    assert_eq!(
        parsed(NOTE_AND_WARNING),
        [
            "main.cpp:4:14 error invalid conversion from 'const char*' to 'int' [-fpermissive]",
            "main.cpp:1:11 note   initializing argument 1 of 'int f(int)'",
            "main.cpp:3:9 warning unused variable 'unused' [-Wunused-variable]",
        ]
    );
}

#[test]
fn fatal_error_is_one() {
    assert_eq!(
        parsed(FATAL),
        ["main.cpp:1:10 fatal error bits/nothing.h: No such file or directory"]
    );
}

#[test]
fn undefined_references_come_before_the_tools_summary() {
    assert_eq!(
        parsed(UNDEFINED),
        [
            "main.cpp:-:- error undefined reference to `solve(int)'",
            "main.cpp:-:- error undefined reference to `other(int)'",
            "collect2:-:- error ld returned 1 exit status",
        ]
    );
}

#[test]
fn undefined_references_have_lines_with_debug_information() {
    assert_eq!(
        parsed(UNDEFINED_WITH_DEBUG),
        [
            "/code/main.cpp:3:- error undefined reference to `vtable for S'",
            "/code/main.cpp:3:- error undefined reference to `S::f()'",
            "/usr/bin/ld:-:- warning relocation against `_ZTV1S' in read-only section `.text.startup'",
            "/usr/bin/ld:-:- warning creating DT_TEXTREL in a PIE",
            "collect2:-:- error ld returned 1 exit status",
        ]
    );
}

#[test]
fn missing_main_is_named() {
    assert_eq!(parsed(NO_MAIN)[0], ":-:- error undefined reference to `main'");
}

#[test]
fn arrays_too_big_to_link_are_named() {
    assert!(parsed(TOO_BIG)[0].starts_with("main.cpp:-:- error relocation truncated to fit"));
}

#[test]
fn assembler_is_understood() {
    assert_eq!(
        parsed(
            "/tmp/ccL5Wm1a.s: Assembler messages:\n/tmp/ccL5Wm1a.s:5: Error: file not found: /x\n"
        ),
        ["/tmp/ccL5Wm1a.s:5:- error file not found: /x"]
    );
}

#[test]
fn tool_has_no_place() {
    assert_eq!(
        parsed(UNKNOWN_FLAG),
        ["g++:-:- error unrecognized command-line option '-fnothing'"]
    );
}

/// A build that succeeds can print all of these messages.
#[test]
fn notes_and_warnings_of_tools_are_no_errors() {
    assert_eq!(
        parsed(
            "\
cc1plus: note: unrecognized command-line option '-Wno-nothing' may have been intended to silence earlier diagnostics
/usr/bin/ld: /tmp/ccLMU8cs.o: in function `main':
main.cpp:(.text.startup+0x1d): warning: the use of `tempnam' is dangerous, better use `mkstemp'
/usr/bin/ld: main.cpp:(.text.startup+0x7): warning: the use of `tmpnam' is dangerous, better use `mkstemp'
/usr/bin/ld: /code/main.cpp:3: warning: the use of `tmpnam' is dangerous, better use `mkstemp'
/usr/bin/ld: warning: /tmp/ccsgTrZY.o: missing .note.GNU-stack section implies executable stack
/usr/bin/ld: NOTE: This behaviour is deprecated and will be removed in a future version of the linker
"
        ),
        [
            "main.cpp:-:- warning the use of `tempnam' is dangerous, better use `mkstemp'",
            "main.cpp:-:- warning the use of `tmpnam' is dangerous, better use `mkstemp'",
            "/code/main.cpp:3:- warning the use of `tmpnam' is dangerous, better use `mkstemp'",
            "cc1plus:-:- note unrecognized command-line option '-Wno-nothing' may have been \
             intended to silence earlier diagnostics",
            "/usr/bin/ld:-:- warning /tmp/ccsgTrZY.o: missing .note.GNU-stack section implies \
             executable stack",
            "/usr/bin/ld:-:- note This behaviour is deprecated and will be removed in a future \
             version of the linker",
        ]
    );
}

#[test]
fn remarks_without_a_severity_are_notes() {
    assert_eq!(
        parsed(
            "\
In file included from main.cpp:1:
                 from other.h:2:
main.cpp:3:9: error: unused variable 'x' [-Werror=unused-variable]
cc1plus: all warnings being treated as errors
/usr/bin/ld: skipping incompatible /usr/lib32/libm.so when searching for -lm
/usr/bin/ld: cannot find -lnothing: No such file or directory
"
        ),
        [
            "main.cpp:3:9 error unused variable 'x' [-Werror=unused-variable]",
            "cc1plus:-:- note all warnings being treated as errors",
            "/usr/bin/ld:-:- note skipping incompatible /usr/lib32/libm.so when searching for \
             -lm",
            "/usr/bin/ld:-:- error cannot find -lnothing: No such file or directory",
        ]
    );
}

#[test]
fn build_that_made_a_binary_has_no_errors() {
    let said = diagnostics("/usr/bin/ld: whatever it remarks\nmain.cpp:1:1: warning: a\n", true);
    let severities: Vec<_> = said.iter().map(|it| it.severity).collect();
    assert_eq!(severities, [Severity::Warning, Severity::Note]);
}

#[test]
fn diagnostics_are_at_most_max() {
    for line in [FATAL, "main.cpp:1:1: warning: odd\n"] {
        let all = parsed(&line.repeat(MAX_DIAGNOSTICS + 1));
        assert_eq!(all, parsed(&line.repeat(MAX_DIAGNOSTICS)));
        assert_eq!(all.len(), MAX_DIAGNOSTICS);
    }
}

#[test]
fn last_notes_are_left_out_before_errors() {
    let notes = |count| "main.cpp:1:1: note: more\n".repeat(count);
    let errors = ERROR.repeat(2);
    let most = MAX_DIAGNOSTICS - 2;
    let all = parsed(&format!("{}{errors}", notes(most + 1)));
    assert_eq!(all, parsed(&format!("{}{errors}", notes(most))));
    assert_eq!(all.len(), MAX_DIAGNOSTICS);
}

#[test]
fn quotation_of_the_source_is_no_message() {
    let quoted = "main.cpp:4:5: error: no\n    4 | x // main.cpp:9:9: error: a forged one\n";
    assert_eq!(parsed(quoted), ["main.cpp:4:5 error no"]);
}

#[test]
fn tools_own_line_is_told_from_a_quotation() {
    let killed = "g++: fatal error: Killed signal terminated program cc1plus\n";
    assert!(tool_prints(killed, "Killed signal"));
    let quoted = "main.cpp:1:2: error: #error Killed signal\n    1 | #error Killed signal\n";
    assert!(!tool_prints(quoted, "Killed signal"));
}
