//! Texts of the sanitizers of g++ 12.2, on Debian 12.

use super::*;

/// Reads a report. Returns the sanitizer's first letter, and the rest of the finding.
fn read(text: &str) -> (char, String, String, u32, String) {
    let Finding { sanitizer, kind, detail, line, function, .. } =
        Finding::parse(text.as_bytes(), &OwnFiles::default()).expect("a finding");
    (sanitizer.chars().next().unwrap(), kind, detail, line, function)
}

/// The same from literals.
fn finding(
    sanitizer: char,
    [kind, detail]: [&str; 2],
    line: u32,
    function: &str,
) -> (char, String, String, u32, String) {
    (sanitizer, kind.into(), detail.into(), line, function.into())
}

const HEAP: &str = "\
so far so good
=================================================================
==8581==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6040000000c0 at pc 0x5555 bp 0x7 sp 0x7
READ of size 4 at 0x6040000000c0 thread T0
    #0 0x555555639c0f in std::vector<int, std::allocator<int> >::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123
    #1 0x55555563a14f in f /tmp/main.cpp:3
    #2 0x55555563a14f in main /tmp/main.cpp:4
    #3 0x7ffff7a45249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
    #4 0x55555555e410 in _start (/code/bin/sanitized+0xa410)

0x6040000000c0 is located 0 bytes to the right of 48-byte region [0x604000000090,0x6040000000c0)
allocated by thread T0 here:
    #0 0x5555555f2d78 in operator new(unsigned long) (/code/bin/sanitized+0x9ed78)
    #1 0x55555563a5de in other /tmp/main.cpp:9

SUMMARY: AddressSanitizer: heap-buffer-overflow /usr/include/c++/12/bits/stl_vector.h:1123 in std::vector<int, std::allocator<int> >::operator[](unsigned long)
Shadow bytes around the buggy address:
  0x0c087fff7fc0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
==8581==ABORTING
";

#[test]
fn access_has_its_size_and_the_innermost_line_of_the_source() {
    let expected = finding('A', ["heap-buffer-overflow", "read of 4 bytes"], 3, "f");
    assert_eq!(read(HEAP), expected);
    let written = HEAP.replace("READ of size 4", "WRITE of size 1");
    assert_eq!(read(&written).2, "write of 1 byte");
}

#[test]
fn text_that_is_cut_still_names_the_error() {
    let cut = &HEAP[..HEAP.find("    #1").unwrap()];
    assert_eq!(read(cut), finding('A', ["heap-buffer-overflow", "read of 4 bytes"], 0, ""));
    for end in 0..HEAP.len() {
        Finding::parse(&HEAP.as_bytes()[..end], &OwnFiles::default());
    }
}

#[test]
fn signal_tells_the_access() {
    let text = "\
AddressSanitizer:DEADLYSIGNAL
=================================================================
==13849==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5555 bp 0x1 sp 0x7 T0)
==13849==The signal is caused by a WRITE memory access.
==13849==Hint: address points to the zero page.
    #0 0x555555638e56 in walk(N*) /tmp/main.cpp:2

AddressSanitizer can not provide additional info.
SUMMARY: AddressSanitizer: SEGV /tmp/main.cpp:2 in walk(N*)
==13849==ABORTING
";
    assert_eq!(read(text), finding('A', ["SEGV", "write through a null pointer"], 2, "walk(N*)"));
}

#[test]
fn summary_gives_the_short_kind() {
    let freed = "\
==8536==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:
    #0 0x5555555f2bd8 in operator delete(void*, unsigned long) (/code/bin/sanitized+0x9ebd8)
    #1 0x555555638e4d in kill(int*) /tmp/main.cpp:2
    #2 0x555555638e76 in main /tmp/main.cpp:3

SUMMARY: AddressSanitizer: double-free (/code/bin/sanitized+0x9ebd8) in operator delete(void*, unsigned long)
==8536==ABORTING
";
    assert_eq!(read(freed), finding('A', ["double-free", ""], 2, "kill(int*)"));
    let large = "\
==8479==ERROR: AddressSanitizer: requested allocation size 0xffffffffffffffff (0x800 after adjustments for alignment, red zones etc.) exceeds maximum supported size of 0x10000000000 (thread T0)
    #0 0x5555555f2e88 in operator new[](unsigned long) (/code/bin/sanitized+0x9ee88)
    #1 0x555555639f95 in main /tmp/main.cpp:2

==8479==HINT: if you don't care about these errors you may set allocator_may_return_null=1
SUMMARY: AddressSanitizer: allocation-size-too-big (/code/bin/sanitized+0x9ee88) in operator new[](unsigned long)
==8479==ABORTING
";
    let expected = ["allocation-size-too-big", "18446744073709551615 bytes"];
    assert_eq!(read(large), finding('A', expected, 2, "main"));
}

#[test]
fn abort_has_the_last_words_of_the_program() {
    let text = "\
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 12) >= this->size() (which is 12)
AddressSanitizer:DEADLYSIGNAL
=================================================================
==14029==ERROR: AddressSanitizer: ABRT on unknown address 0x0000000036cd (pc 0x7ffff7aa8eec bp 0x7 sp 0x7 T0)
    #0 0x7ffff7aa8eec in __pthread_kill_implementation nptl/pthread_kill.c:44
    #1 0x7ffff7a44471 in __GI_abort stdlib/abort.c:79
    #2 0x7ffff7c9d918  (/lib/x86_64-linux-gnu/libstdc++.so.6+0x9d918)
    #3 0x55555563a3ef in h(int) /tmp/main.cpp:3

SUMMARY: AddressSanitizer: ABRT nptl/pthread_kill.c:44 in __pthread_kill_implementation
==14029==ABORTING
";
    let said = "what():  vector::_M_range_check: __n (which is 12) >= this->size() (which is 12)";
    assert_eq!(read(text), finding('A', ["abort", said], 3, "h(int)"));
}

#[test]
fn undefined_behavior_has_its_line_and_function() {
    let trace = "\
    #0 0x55555563a12d in add(int, int) /tmp/main.cpp:3
    #1 0x55555563a12d in main /tmp/main.cpp:5
";
    for (message, kind, detail) in [
        (
            "signed integer overflow: 12 + 2147483647 cannot be represented in type 'int'",
            "signed integer overflow",
            "12 + 2147483647 cannot be represented in type 'int'",
        ),
        ("division by zero", "division by zero", ""),
        (
            "index 10 out of bounds for type 'int [10]'",
            "index 10 out of bounds for type 'int [10]'",
            "",
        ),
    ] {
        let text = format!("main.cpp:3:14: runtime error: {message}\n{trace}\n");
        assert_eq!(read(&text), finding('U', [kind, detail], 3, "add(int, int)"));
    }
}

#[test]
fn error_in_a_header_has_the_line_of_its_caller() {
    let text = "\
/usr/include/c++/12/bits/stl_vector.h:1123:9: runtime error: reference binding to null pointer of type 'int'
    #0 0x1 in std::vector<int, std::allocator<int> >::operator[](unsigned long) /usr/include/c++/12/bits/stl_vector.h:1123
    #1 0x2 in main /tmp/main.cpp:7
";
    let kind = "reference binding to null pointer of type 'int'";
    assert_eq!(read(text), finding('U', [kind, ""], 7, "main"));
}

#[test]
fn line_of_another_file_has_its_path() {
    let place = |text: &str| {
        let own = OwnFiles::new(["util.cpp", "lib/a.h"].map(String::from));
        let found = Finding::parse(text.as_bytes(), &own).expect("a finding");
        (found.file, found.line, found.function)
    };
    let crash =
        HEAP.replace("#1 0x55555563a14f in f /tmp/main.cpp:3", "#1 0x1 in g /tmp/util.cpp:3");
    assert_eq!(place(&crash), ("util.cpp".into(), 3, "g".into()));
    let header = "\
lib/../lib/a.h:9:5: runtime error: division by zero
    #0 0x1 in h(int) /tmp/lib/../lib/a.h:9
    #1 0x2 in main /tmp/main.cpp:7
";
    assert_eq!(place(header), ("lib/a.h".into(), 9, "h(int)".into()));
    let foreign =
        "lib/b.h:9:5: runtime error: division by zero\n    #0 0x2 in main /tmp/main.cpp:7\n";
    assert_eq!(place(foreign), (String::new(), 7, "main".into()));
}

#[test]
fn last_report_counts() {
    let forged = format!("{HEAP}main.cpp:8:1: runtime error: division by zero\n");
    assert_eq!(read(&forged), finding('U', ["division by zero", ""], 8, ""));
    let after = format!("main.cpp:8:1: runtime error: division by zero\n{HEAP}");
    assert_eq!(read(&after).1, "heap-buffer-overflow");
}

#[test]
fn hostile_text_is_bounded_and_clean() {
    let none = OwnFiles::default();
    for text in ["", "terminate called", "==1==ERROR: LeakSanitizer: x", "runtime error: x"] {
        assert_eq!(Finding::parse(text.as_bytes(), &none), None, "{text:?}");
    }
    let long = format!(":{RUNTIME_ERROR}\x1b[31m{}\n", "é".repeat(5000));
    let found = Finding::parse(long.as_bytes(), &none).unwrap();
    assert!(found.kind.starts_with("[31mé") && found.kind.chars().count() == MAX_CHARS);
    let bytes = [b"\xff".repeat(9), format!("=={ERROR}\u{a0}").into()].concat();
    assert_eq!(Finding::parse(&bytes, &none).unwrap().kind, "");
}
