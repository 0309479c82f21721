//! Tests of the changes in bodies of functions.

use super::*;

/// Returns the changed bodies of a function, without changes of flags.
fn bodies(body: &str) -> Vec<String> {
    let source = format!("#include <bits/stdc++.h>\nvoid f() {{ {body} }}\n");
    let code = Code::read(&source);
    let changes = of_source(&code).into_iter().map(|it| it.into_change(&code, &[]));
    let body = |change: Change| {
        let text = String::from_utf8(change.source).unwrap();
        let start = text.find("{ ").unwrap() + 2;
        text[start..].trim_end_matches(" }\n").to_owned()
    };
    changes.map(body).collect()
}

/// Checks that each body is changed in this way; empty: not at all.
fn check(all: &[(&str, &str)]) {
    for (body, expected) in all {
        let expected = Vec::from_iter(Some(*expected).filter(|it| !it.is_empty()));
        assert_eq!(bodies(body), expected, "{body}");
    }
}

#[test]
fn elements_of_loops_are_not_copied() {
    check(&[
        ("for (auto x : all) g(x);", "for (const auto& x : all) g(x);"),
        ("for (const std::string x : all) g(x);", "for (const std::string& x : all) g(x);"),
        ("for (auto [a, b] : all) g(a);", "for (const auto& [a, b] : all) g(a);"),
        ("for (auto& x : all) g(x);", ""),
        ("for (int x : all) g(x);", ""),
        ("vector<int> v(n); for (auto x : v) g(x);", ""),
        ("for (int i = b ? c : d; i < n; i++) g(i);", ""),
    ]);
}

#[test]
fn copies_of_elements_become_references_while_nothing_changes() {
    check(&[
        ("auto x = q.top(); g(x); q.pop();", "const auto& x = q.top(); g(x); q.pop();"),
        ("vector<int> x = v[i]; g(x);", "const vector<int>& x = v[i]; g(x);"),
        ("auto x = q.top(); q.pop(); g(x);", ""),
        ("vector<int> x = v[i]; x[0] = 1; g(x);", ""),
        ("vector<int> x = v[i]; v[j] = w; g(x);", ""),
        ("vector<int> x = h(i)[j]; g(x);", ""),
        ("int x = v[i]; g(x);", ""),
    ]);
}

#[test]
fn last_uses_are_moved() {
    check(&[
        (
            "vector<int> x = h(i); all.push_back(x);",
            "vector<int> x = h(i); all.push_back(std::move(x));",
        ),
        ("vector<int> x = h(i); all.push_back(x); g(x);", ""),
        ("vector<int>& x = h(i); all.push_back(x);", ""),
        ("int x = h(i); all.push_back(x);", ""),
    ]);
}

#[test]
fn strings_grow_in_their_places() {
    check(&[
        ("string s; s = s + c;", "string s; s += c;"),
        ("string s; s = s + c + \"x\";", "string s; s += c, s += \"x\";"),
        ("int s; s = s + c;", ""),
        ("string s; s = t + c;", ""),
        (
            "string s; while (n) { s = c + s; n--; } g(s);",
            "string s; while (n) { s += c; n--; } std::reverse(s.begin(), s.end()); g(s);",
        ),
        ("string s; s = a + b + s;", ""),
    ]);
}

#[test]
fn parts_of_strings_are_compared_in_their_places() {
    check(&[
        ("if (s.substr(i, 2) == t) g();", "if (s.compare(i, 2, t) == 0) g();"),
        (
            "if (a && s.substr(i) != t[j] && b) g();",
            "if (a && s.compare(i, std::string::npos, t[j]) != 0 && b) g();",
        ),
        ("string t = s.substr(i, 2);", ""),
    ]);
}

#[test]
fn bounds_are_computed_once() {
    check(&[
        (
            "for (int i = 0; i < strlen(s); i++) s[i] = 1;",
            "const auto limit_2 = strlen(s); for (int i = 0; i < limit_2; i++) s[i] = 1;",
        ),
        (
            "while (d <= sqrt(n) && x) d++;",
            "const auto limit_2 = sqrt(n); while (d <= limit_2 && x) d++;",
        ),
        ("while (d <= sqrt(n)) n /= d++;", ""),
        ("for (int i = 0; i < v.size(); i++) g(i);", ""),
        ("if (x) for (int i = 0; i < g(n); i++) h(i);", ""),
    ]);
}

#[test]
fn values_leave_the_loops_that_do_not_change_them() {
    check(&[
        (
            "for (int i = 0; i < n; i++) { int m = g(v); h(m, i); }",
            "int m = g(v); for (int i = 0; i < n; i++) {  h(m, i); }",
        ),
        ("for (int i = 0; i < n; i++) { int m = g(v); v[i] = m; }", ""),
        ("for (int i = 0; i < n; i++) { int m = g(i); h(m); }", ""),
        ("for (int i = 0; i < n; i++) { int m = g(v); m++; h(m); }", ""),
        ("for (int i = 0; i < n; i++) { int m = read(); h(m); }", ""),
    ]);
}

#[test]
fn containers_are_used_again() {
    check(&[
        ("while (g()) { vector<int> v; h(v); }", "vector<int> v; while (g()) { v.clear(); h(v); }"),
        (
            "while (g()) { vector<int> v(n); h(v); }",
            "vector<int> v; while (g()) { v.assign(n, int()); h(v); }",
        ),
        (
            "while (g()) { vector<vector<int>> v(n, vector<int>(m, 1)); h(v); }",
            "vector<vector<int>> v; while (g()) { v.resize(n); for (auto& row : v) row.assign(m, 1); h(v); }",
        ),
        ("while (g()) { vector<int>& v = w; h(v); }", ""),
        ("while (g()) { stack<int> v; h(v); }", ""),
        ("while (g()) { auto f = [&](int) { vector<int> v; h(v); }; }", ""),
    ]);
}

#[test]
fn inner_loops_run_along_rows() {
    let body = "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { s += a[j][i]; } }";
    let swapped = "for (int j = 0; j < m; j++) { for (int i = 0; i < n; i++) { s += a[j][i]; } }";
    let triangle = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += a[j][i];";
    let two = "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) s += a[j][i]; g(i); }";
    check(&[(body, swapped), (swapped, ""), (triangle, ""), (two, "")]);
}

#[test]
fn memory_is_reserved_for_counted_loops() {
    check(&[
        (
            "vector<int> v; for (int i = 0; i < n; i++) v.push_back(i);",
            "vector<int> v; v.reserve(n); for (int i = 0; i < n; i++) v.push_back(i);",
        ),
        (
            "vector<int> v; for (int i = a; i <= 2 * n; i++) v.emplace_back(i);",
            "vector<int> v; v.reserve((2 * n) - a + 1); for (int i = a; i <= 2 * n; i++) \
             v.emplace_back(i);",
        ),
        (
            "vector<int> v; for (int x : w) v.push_back(x);",
            "vector<int> v; v.reserve(w.size()); for (int x : w) v.push_back(x);",
        ),
        ("vector<int> v; v.reserve(9); for (int x : w) v.push_back(x);", ""),
        ("vector<int> v; while (g(n)) v.push_back(1);", ""),
    ]);
}

#[test]
fn queues_take_from_their_start() {
    check(&[
        (
            "vector<int> v; g(v); v.erase(v.begin()); v.insert(v.begin(), 1);",
            "deque<int> v; g(v); v.pop_front(); v.push_front( 1);",
        ),
        ("vector<int> v; v.erase(v.begin() + 1);", ""),
    ]);
    let queue = "set<pair<int, int>> s; s.insert({1, 2}); int x = s.begin()->first + *s.begin(); \
                 s.erase(s.begin()); while (!s.empty()) g();";
    let found = bodies(queue).into_iter().find(|it| it.contains("priority_queue"));
    assert_eq!(
        found.as_deref(),
        Some(
            "priority_queue<pair<int, int>, std::vector<pair<int, int>>, std::greater<pair<int, \
             int>>> s; s.push({1, 2}); int x = s.top().first + s.top(); s.pop(); while (!s.empty()) g();"
        )
    );
    let searched = format!("{queue} s.find(x);");
    assert!(!bodies(&searched).iter().any(|it| it.contains("priority_queue")));
}

#[test]
fn small_powers_and_sums_of_remainders_are_cheaper() {
    check(&[
        ("s += std::pow(x, 3);", "s += (1.0 * x * x * x);"),
        ("s += pow(a[i] + 1, 3);", "s += (1.0 * (a[i] + 1) * (a[i] + 1) * (a[i] + 1));"),
        ("s += pow(g(x), 3) + pow(x, 2) + pow(x, y);", ""),
        ("s = (s + a[i]) % m;", "{ s += a[i]; if (s >= m) s -= m; }"),
        ("s[i] = (a + s[i]) % 7;", "{ s[i] += a; if (s[i] >= 7) s[i] -= 7; }"),
        ("s = (s + a * b) % m;", ""),
        ("s = (t + a) % m;", ""),
    ]);
}
