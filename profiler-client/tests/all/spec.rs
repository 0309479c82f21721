//! A spec is the same, whether it is built, read from JSON or read from YAML.

use profiler_client::spec::{
    Repeat, Spec, array, between, distinct, element, graph, grid, interval, intervals, list,
    literal, matrix, not_below, number, permutation, points, queries, scalar, text, tree,
};
use profiler_client::v1;
use profiler_client::v1::{GraphShape, Order, Pattern, PointsShape, Split, TreeShape};
use profiler_proto::file::{Format, parse};
use profiler_proto::json;

fn built() -> v1::InputSpec {
    Spec::new("all")
        .seed(9)
        .sizes(1, "2 * 10^5")
        .var("q", scalar(5))
        .var("w", between(1, "q"))
        .var("a", array("n").between(1, "10^9").distinct().order(Order::AntiQuicksort).width(10))
        .var("b", array("n").between(-5, 5).few_distinct(3).decimals(2))
        .var("h", array("n").between(0, "10^9").step(1024).order(Order::AntiMiddlePivot))
        .var("p", permutation("n").base(0).order(Order::OrganPipe).width(2))
        .var("m", matrix(2, "n").between(0, 1).width(1))
        .var("v", matrix("n", "n").between(1, 9).symmetric().zero_diagonal())
        .var("g", grid("n", "n", "..#").marks("SE"))
        .var("s", text("n").alphabet("ab").periodic(3))
        .var("aa", array("n").between(0, 9).rule("blocks 2 1!"))
        .var("pp", permutation("n").rule("grow 12~24"))
        .var("ss", text("n").rule("a* b"))
        .var("f", text("n").pattern(Pattern::Fibonacci))
        .var("y", text("2 * n").alphabet("()").pattern(Pattern::Balanced))
        .var("z", tree("n").parents().root(0).any_order())
        .var("r", grid("n", "n", "01").symmetric().diagonal("0"))
        .var("j", text(9).rows("n", 2).distinct())
        .var("k", graph("n").edges("n").other_side("2 * n").simple())
        .var("t", tree("n").shape(TreeShape::Broom).weights(1, 9).zero_based())
        .var(
            "e",
            graph("n")
                .edges("2 * n")
                .directed()
                .acyclic()
                .connected()
                .simple()
                .bipartite()
                .shape(GraphShape::Layered)
                .weights(1, 9)
                .zero_based(),
        )
        .var("d", graph("n").edges("2 * n").shape(GraphShape::Band))
        .var("c", points("n").between(0, 100).distinct())
        .var("o", points("n").between(0, "10^6").shape(PointsShape::Convex))
        .var("l", points("n").between(0, 100).shape(PointsShape::Line))
        .var("i", intervals("n").between(0, 100).max_length(7).distinct())
        .var(
            "u",
            queries("n")
                .variant(2, [literal("add"), number(1, "n")])
                .variant(0, [literal("sum"), interval(1, "n")])
                .variant(
                    0,
                    [
                        number(0, 3),
                        distinct(list(1, "n")),
                        not_below(1, number(0, "n")),
                        element("j", false),
                        element("j", true),
                    ],
                )
                .operation([1, 0], [literal("push")])
                .operation([0, 1], [literal("pop")]),
        )
        .line(["n", "q", "2*q"])
        .line_if_any(["a"])
        .lines(["u"])
        .grid("g")
        .raw("s")
        .literal("END")
        .repeat(
            Repeat::new("q").split(Split::OneLarge).min_size(1).var("x", scalar("n")).line(["x"]),
        )
        .into()
}

#[test]
fn generator_replaces_variables_and_layout() {
    let source = "int main() {\n}\n";
    let built: v1::InputSpec = Spec::new("made").sizes(1, 9).generator(source, None).into();
    let yaml = "{name: made, n_min: 1, n_max: 9, generator: \"int main() {\\n}\\n\"}";
    assert_eq!(parse(yaml, Format::Yaml).unwrap(), [built]);
}

#[test]
fn builder_json_and_yaml_say_the_same() {
    let yaml = parse(include_str!("spec/all.yaml"), Format::Yaml).unwrap();
    assert_eq!(yaml, [built()]);
    let written = json::to_string_pretty(&built()).unwrap();
    for format in [Format::Json, Format::Yaml] {
        assert_eq!(parse(&written, format).unwrap(), [built()]);
    }
}
