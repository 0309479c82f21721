use super::*;

/// Whether a small lean header serves this source.
fn serves(source: &str) -> bool {
    let names = ["__cpp_lib_filesystem", "hertz", "mutex", "regex"];
    let includes = ["cstdio", "vector"];
    Lean { names: names.map(str::as_bytes).into(), includes: includes.map(str::as_bytes).into() }
        .serves(source.as_bytes())
}

#[test]
fn lean_header_serves_source_that_names_nothing_of_the_omitted_ones() {
    for source in [
        "#include <bits/stdc++.h>\nusing namespace std;\nint main() { cout << 1; }\n",
        "#include<bits/stdc++.h>// all\r\n# include <vector>\n#define LOG(x) cerr << #x\n",
        "#define rep(i, n) \\\n    for (int i = 0; i < n; i++)\n",
        "#pragma GCC optimize(\"O3\")\n#\nchar wall = '#'; string row = \"#.#\";\n",
        "int regexes, my_mutex, number = 1e9, of = 0x1F;\n",
        "",
    ] {
        assert!(serves(source), "{source}");
    }
}

#[test]
fn lean_header_does_not_serve_source_that_may_notice_it() {
    for source in [
        "std::regex r;\n",
        "int mutex;\n",
        "#if __cpp_lib_filesystem\n",
        "auto pitch = 440hertz;\n",
        "// a regex\n",
        // Words that are put together.
        "std::re\\\ngex r;\n",
        "std::re\\ \r\ngex r;\n",
        "std::re\\\n\\\ngex r;\n",
        "#define NAME(a, b) a##b\n",
        "%:define X\n",
        "#define NAME(a, b) a??=??=b\n",
        // Includes of what the lean header may lack, in any spelling.
        "#include <thread>\n",
        "  #  include  <thread>\n",
        "#include \"main.cpp\"\n",
        "#include ALL\n",
        "#include_next <vector>\n",
        "#import <thread>\n",
        "#/**/include <thread>\n",
        "#\\\ninclude <thread>\n",
        "/**/ #include <thread>\n",
        // Values that depend on the headers before them.
        "#if __has_include(<thread>)\n",
        "int unique = __COUNTER__;\n",
    ] {
        assert!(!serves(source), "{source}");
    }
}
