//! Hotspots of the sample.

use profiler_proto::v1;

pub(super) fn lines() -> Vec<v1::Hotspot> {
    let mut sum = 0.0;
    let line =
        |line: u32, function: &str, self_share: f64, inclusive: f64, count: u64| v1::Hotspot {
            file: "main.cpp".into(),
            line,
            function: function.into(),
            self_share,
            cumulative_share: 0.0,
            count: Some(count),
            instructions: Some((self_share * 122_430_118.0) as u64),
            inclusive_share: Some(inclusive),
            ..v1::Hotspot::default()
        };
    let merge = "merge(std::vector<unsigned int>&, std::vector<unsigned int>&, unsigned long, unsigned long)";
    let mut lines = vec![
        line(15, "read(unsigned long)", 0.372, 0.372, 200_000),
        line(28, merge, 0.214, 0.214, 3_526_000),
        line(42, "pairs(std::vector<unsigned int> const&, unsigned long)", 0.127, 0.127, 200_000),
        line(29, merge, 0.078, 0.078, 1_803_000),
        line(32, merge, 0.066, 0.066, 1_723_000),
        line(27, merge, 0.058, 0.058, 3_726_000),
        line(35, merge, 0.031, 0.031, 199_999),
        line(16, "read(unsigned long)", 0.021, 0.021, 200_000),
        line(31, merge, 0.012, 0.012, 1_723_000),
        line(25, merge, 0.007, 0.462, 199_999),
        line(43, "pairs(std::vector<unsigned int> const&, unsigned long)", 0.006, 0.006, 200_000),
        line(53, "main", 0.000_1, 0.394, 1),
        line(56, "main", 0.000_1, 0.466, 1),
    ];
    for line in &mut lines {
        sum += line.self_share;
        line.cumulative_share = sum;
    }
    lines
}

pub(super) fn functions() -> Vec<v1::HotspotFunction> {
    let function = |name: &str, line, own, inclusive, calls| v1::HotspotFunction {
        file: "main.cpp".into(),
        line,
        name: name.into(),
        self_share: own,
        inclusive_share: inclusive,
        calls,
        instructions: Some((own * 122_430_118.0) as u64),
    };
    let numbers = "std::vector<unsigned int, std::allocator<unsigned int> >";
    vec![
        function("main", 49, 0.002, 1.0, Some(1)),
        function(
            &format!("merge({numbers}&, {numbers}&, unsigned long, unsigned long)"),
            21,
            0.466,
            0.466,
            Some(399_999),
        ),
        function("read(unsigned long)", 11, 0.394, 0.394, None),
        function(&format!("pairs({numbers} const&, unsigned long)"), 38, 0.134, 0.134, Some(1)),
    ]
}

pub(super) fn stacks() -> Vec<v1::CallStack> {
    let stack = |frames: &[&str], instructions| v1::CallStack {
        frames: frames.iter().map(|frame| (*frame).into()).collect(),
        instructions,
    };
    let mut stacks = vec![
        stack(&["main"], 240_000),
        stack(&["main", "read(unsigned long)"], 2_100_000),
        stack(
            &["main", "read(unsigned long)", "std::istream::operator>>(unsigned int&)"],
            11_500_000,
        ),
        stack(
            &[
                "main",
                "read(unsigned long)",
                "std::istream::operator>>(unsigned int&)",
                "std::num_get<char>::_M_extract_int",
            ],
            27_900_000,
        ),
        stack(
            &[
                "main",
                "read(unsigned long)",
                "std::istream::operator>>(unsigned int&)",
                "std::istream::sentry::sentry",
            ],
            4_100_000,
        ),
        stack(
            &[
                "main",
                "read(unsigned long)",
                "std::vector<unsigned int>::_M_realloc_insert",
                "__memmove_avx_unaligned",
            ],
            1_900_000,
        ),
        stack(&["main", "pairs(Numbers const&, unsigned long)"], 2_300_000),
        stack(
            &[
                "main",
                "pairs(Numbers const&, unsigned long)",
                "std::_Hashtable::_M_insert_unique_node",
            ],
            5_600_000,
        ),
        stack(
            &[
                "main",
                "pairs(Numbers const&, unsigned long)",
                "std::_Hashtable::_M_insert_unique_node",
                "std::_Hashtable::_M_rehash",
            ],
            4_400_000,
        ),
        stack(
            &[
                "main",
                "pairs(Numbers const&, unsigned long)",
                "std::_Hashtable::_M_insert_unique_node",
                "operator new(unsigned long)",
                "malloc",
            ],
            3_700_000,
        ),
        stack(&["main", "std::ostream::operator<<"], 12_000),
    ];
    let mut frames = vec!["main"];
    for depth in 0..17u64 {
        frames.push("merge(Numbers&, Numbers&, unsigned long, unsigned long)");
        stacks.push(stack(&frames, 3_100_000 + depth * 14_000));
        let copy = [frames.as_slice(), &["std::copy", "__memmove_avx_unaligned"]].concat();
        stacks.push(stack(&copy, 120_000));
    }
    stacks
}
