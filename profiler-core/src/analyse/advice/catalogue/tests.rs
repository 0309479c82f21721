use super::*;
use crate::job::Draft;

fn job(source: &str, flags: &[&str]) -> Job {
    let mut draft = Draft::new("t", source);
    let code = draft.request.code.get_or_insert_default();
    code.compiler_flags = flags.iter().map(ToString::to_string).collect();
    Job::try_from(draft).unwrap()
}

/// Returns the changes to a source.
fn of_source(source: &str) -> Vec<Change> {
    let mut all = changes(&job(source, &["-O3"]));
    assert!(all.iter().all(|it| it.flags == ["-O3"]));
    for change in &mut all {
        change.flags.clear();
    }
    all
}

fn changed(change: &Change) -> &str {
    std::str::from_utf8(&change.source).unwrap()
}

/// Returns the changed sources.
fn sources(source: &str) -> Vec<String> {
    of_source(source).iter().map(|it| changed(it).to_owned()).collect()
}

#[test]
fn streams_are_untied_at_the_start_of_main() {
    let source = "#include <iostream>\nint f() { return 1; }\nint main(int, char**) {\n    int n;\n    \
                  std::cin >> n;\n    std::cin >> n; std::cout << f();\n}\n";
    let [one] = &of_source(source)[..] else { panic!("one change") };
    let body = "int main(int, char**) { std::ios::sync_with_stdio(false); std::cin.tie(nullptr);\n";
    assert_eq!(changed(one), source.replace("int main(int, char**) {\n", body));
    assert_eq!(one.described.found, "`cin` and `cout` are synchronized with stdio");
    assert_eq!((one.described.line, one.described.changed_lines), (Some(3), 1));
    assert_eq!(
        (one.described.before.as_str(), one.described.after.as_str()),
        ("int main(int, char**) {", body.trim())
    );
    assert_eq!(Vec::from_iter(one.lines.clone()), [5, 6]);
}

#[test]
fn missing_statements_alone_are_put_in() {
    let main = |start: &str| {
        format!(
            "#include <iostream>\nint main() {{ {start} int n; std::cin >> n; std::cout << n; }}"
        )
    };
    let synced = main("std::ios_base::sync_with_stdio(0);");
    let [tied] = &of_source(&synced)[..] else { panic!("one change") };
    assert_eq!(tied.described.found, "`cout` is flushed before every read of `cin`");
    assert_eq!(changed(tied), synced.replacen('{', "{ std::cin.tie(nullptr);", 1));
    assert!(of_source(&main("std::ios::sync_with_stdio(0); std::cin.tie(0);")).is_empty());
    let [other] = &of_source(&main("std::tie(a, b) = c;"))[..] else { panic!("one change") };
    assert!(other.described.remedy.contains("cin.tie"), "{}", other.described.remedy);
}

#[test]
fn streams_stay_in_step_where_that_may_matter() {
    for source in [
        "#include <iostream>\nint main() { int n; std::cin >> n; printf(\"%d\", n); }",
        "#define FAST ios::sync_with_stdio(0); cin.tie(0);\nint main() { FAST int n; cin >> n; }",
        "int main() { /* cin >> n; */ puts(\"cin\"); } // cout",
        "int f() { int n; cin >> n; return n; }",
        "#define main solve\nint main() { int n; cin >> n; }",
    ] {
        assert_eq!(sources(source), [""; 0], "{source}");
    }
}

#[test]
fn line_ends_do_not_flush() {
    let source = "#include <cstdio>\nint main() {\n  cout << 1 << endl << std::endl; // endl\n  \
                  cout<<\"<< endl\"<<endl; flush(endl); int endl2; printf(\"\"); }";
    let [one] = &of_source(source)[..] else { panic!("one change") };
    assert_eq!(
        changed(one),
        source
            .replace("<< endl << std::endl;", "<< '\\n' << '\\n';")
            .replace("\"<<endl;", "\"<<'\\n';")
    );
    assert_eq!((one.described.line, one.described.changed_lines), (Some(3), 2));
    assert_eq!(Vec::from_iter(one.lines.clone()), [3, 4]);
    let defined = "#define endl '\\n'\nint main() { cout << 1 << endl; printf(\"\"); }";
    assert_eq!(sources(defined), [""; 0]);
}

#[test]
fn parameters_become_references() {
    let main = "int main() {}\n";
    for (source, expected) in [
        (
            "int f(vector<int> v) { return 1; }\n",
            vec!["int f(const vector<int>& v) { return 1; }\n"],
        ),
        ("int f(const std::string s, int x);\n", vec!["int f(const std::string& s, int x);\n"]),
        (
            "int f(int x, std::vector<std::pair<int, int>> a, string b = {}) {}\n",
            vec![
                "int f(int x, const std::vector<std::pair<int, int>>& a, string b = {}) {}\n",
                "int f(int x, std::vector<std::pair<int, int>> a, const string& b = {}) {}\n",
            ],
        ),
        (
            "int f(vector<int>);\nint f(vector<int> v) {}\n",
            vec!["int f(const vector<int>&);\nint f(const vector<int>& v) {}\n"],
        ),
        (
            "auto f = [&](deque<int> d) -> int { return 1; };\n",
            vec!["auto f = [&](const deque<int>& d) -> int { return 1; };\n"],
        ),
        ("int f(vector<int>& v, const string& s, vector<int>* p, vector<int>&& r) {}\n", vec![]),
        ("int f() { for (auto& s : all) {} if (string s = g()) {} catch (string s) {} }\n", vec![]),
        ("// int f(vector<int> v) {}\nconst char* t = \"int f(string s) {}\";\n", vec![]),
        ("vector<int> v(10); int x = f(vector<int>(3)); f(string(s));\n", vec![]),
        ("function<int(vector<int>)> f;\n", vec![]),
    ] {
        let expected: Vec<_> = expected.iter().map(|it| format!("{it}{main}")).collect();
        assert_eq!(sources(&format!("{source}{main}")), expected, "{source}");
    }
}

#[test]
fn copied_parameter_names_its_function_and_its_calls() {
    let source = "int f(vector<int> v) {\n  return f(v);\n}\nint main() {\n  f({});\n}\n";
    let [one] = &of_source(source)[..] else { panic!("one change") };
    assert_eq!(one.described.found, "`f` copies its vector `v` in every call");
    assert_eq!((one.described.line, one.described.changed_lines), (Some(1), 1));
    assert!(one.lines.contains(&2) && one.lines.contains(&5), "{:?}", one.lines);
}

#[test]
fn ordered_containers_become_hashed_ones() {
    let source = "#include <map>\nstd::map<int, vector<int>> m;\nvoid f(map<int, int>& o) { m[1]; }\n\
                  multimap<int, int> mm; unordered_map<int, int> u; x.map<int>(); my::map<int> y;\n";
    let [one] = &of_source(source)[..] else { panic!("one change") };
    let expected = source
        .replace("std::map<int, vector", "std::unordered_map<int, vector")
        .replace("(map<int", "(unordered_map<int");
    assert_eq!(changed(one), format!("#include <unordered_map>\n{expected}"));
    assert_eq!((one.described.line, one.described.changed_lines), (Some(2), 2));
    assert_eq!(one.described.after, "std::unordered_map<int, vector<int>> m;");
    assert_eq!(Vec::from_iter(one.lines.clone()), [2, 3]);
    let all = "#include <bits/stdc++.h>\nset<int> s;\n";
    assert_eq!(sources(all), ["#include <bits/stdc++.h>\nunordered_set<int> s;\n"]);
    assert_eq!(
        sources("// set<int>\nint set = 1 < 2;\n#define x map<int, int>\nmap<int, int> y;\n"),
        [""; 0]
    );
}

#[test]
fn level_is_raised_once() {
    for (flags, expected) in [
        (&["-std=c++17"][..], Some("-O2 -std=c++17")),
        (&["-O0", "-g"], Some("-O2 -g")),
        (&["-O3", "-O1"], Some("-O2")),
        (&["-std=c++17", "-O2"], Some("-O3 -std=c++17")),
        (&["-O2", "-O3"], None),
        (&["-Ofast"], None),
    ] {
        let found = changes(&job("int main() {}", flags));
        let flags = found.first().map(|it| it.flags.join(" "));
        assert_eq!(flags.as_deref(), expected);
    }
}

#[test]
fn low_level_is_tried_first_and_a_high_one_last() {
    let source = "int main() { cout << 1 << endl; }";
    let lines = |flag| {
        changes(&job(source, &[flag])).iter().map(|it| it.described.line).collect::<Vec<_>>()
    };
    assert_eq!(lines("-O0"), [None, Some(1), Some(1)]);
    assert_eq!(lines("-O2"), [Some(1), Some(1), None]);
}

#[test]
fn source_that_is_no_text_has_flags_alone() {
    let draft = Draft::new("t", b"int main() { cout << \"\xff\" << endl; }");
    let found = changes(&Job::try_from(draft).unwrap());
    assert_eq!(found.iter().map(|it| it.described.line).collect::<Vec<_>>(), [None]);
}
