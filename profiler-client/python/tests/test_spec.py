"""A spec has the same meaning as a mapping, a file or a message."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from swiftsolve_profiler import InputSpec, InvalidRequest, Violation, input_specs
from swiftsolve_profiler._gen import input_pb2
from swiftsolve_profiler.job.spec import TEXTS

ROOT = Path(__file__).parents[3]
TASKS = ROOT / "examples/tasks"
PROTO = ROOT / "proto/swiftsolve/profiler/v1/input.proto"
NOT_WHOLE = "must be a whole number within 64 bits"
QUOTES = "must be text; put it in quotes"

STRICT: dict[str, Any] = {
    "name": "worst",
    "seed": 7,
    "vars": [
        {"name": "k", "scalar": {"value": "5"}},
        {
            "name": "a",
            "array": {"len": "n", "min": "0", "max": "10^9", "order": "ORDER_ANTI_QUICKSORT"},
        },
        {"name": "s", "text": {"len": "n", "pattern": "PATTERN_THUE_MORSE", "alphabet": "01"}},
        {"name": "t", "tree": {"nodes": "n", "shape": "TREE_SHAPE_PATH"}},
        {"name": "g", "graph": {"nodes": "n", "edges": "-3", "shape": "GRAPH_SHAPE_GRID"}},
    ],
    "layout": [
        {"line": {"items": ["n", "k", "0"]}},
        {"literal": "12"},
        {"repeat": {"count": "2", "split": "SPLIT_ONE_LARGE", "layout": [{"raw": "s"}]}},
    ],
}
FREE: dict[str, Any] = {
    "name": "worst",
    "seed": 7,
    "vars": [
        {"name": "k", "scalar": {"value": 5}},
        {"name": "a", "array": {"len": "n", "min": 0, "max": "10^9", "order": "anti-quicksort"}},
        {"name": "s", "text": {"len": "n", "pattern": "thue-morse", "alphabet": "01"}},
        {"name": "t", "tree": {"nodes": "n", "shape": "path"}},
        {"name": "g", "graph": {"nodes": "n", "edges": -3, "shape": "grid"}},
    ],
    "layout": [
        {"line": {"items": ["n", "k", 0]}},
        {"literal": "12"},
        {"repeat": {"count": 2.0, "split": "one-large", "layout": [{"raw": "s"}]}},
    ],
}
YAML = """
# `no` is a name here, and 010 is ten.
vars:
  - {name: no, scalar: {value: 010}}
  - {name: b, scalar: {value: 1e18}}
  - {name: a, array: {len: n, distinct: true, order: few-distinct}}
layout: [{line: {items: [no, b]}}]
"""


def test_the_liberties_mean_the_strict_form() -> None:
    strict = json_format.ParseDict(STRICT, InputSpec())
    assert input_specs(FREE) == [strict]
    assert input_specs(STRICT) == [strict]
    assert input_specs(strict) == [strict]


def test_a_json_file_means_the_same(tmp_path: Path) -> None:
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(FREE))
    assert input_specs(file) == input_specs(str(file)) == input_specs(STRICT)


def test_a_yaml_file_has_the_scalars_of_its_current_version(tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text(YAML)
    (spec,) = input_specs(file)
    assert [v.name for v in spec.vars] == ["no", "b", "a"]
    assert [v.scalar.value for v in spec.vars] == ["10", "1000000000000000000", ""]
    assert spec.vars[2].array.distinct
    assert list(spec.layout[0].line.items) == ["no", "b"]


def test_a_file_may_hold_several(tmp_path: Path) -> None:
    (tmp_path / "specs.json").write_text(json.dumps([FREE, {"name": "other"}]))
    names = [spec.name for spec in input_specs([tmp_path / "specs.json", {"name": "third"}])]
    assert names == ["worst", "other", "third"]


def test_every_example_is_read() -> None:
    files = sorted(TASKS.glob("*.yaml"))
    assert len(files) >= 10
    assert all(spec.layout for file in files for spec in input_specs(file))


@pytest.mark.parametrize(
    ("spec", "field", "problem"),
    [
        (5, "", "must be a mapping with fields of InputSpec"),
        ({"vars": "a"}, ".vars", "must be a list"),
        ({"vars": ["a"]}, ".vars[0]", "must be a mapping with fields of Variable"),
        (
            {"vras": []},
            ".vras",
            "is not a field of InputSpec; its fields are name, seed, vars, layout, n_min, n_max, "
            "generator, testlib_h",
        ),
        ({"seed": -1}, ".seed", "must be a whole number from 0 to 4294967295"),
        ({"seed": "1"}, ".seed", "must be a whole number from 0 to 4294967295"),
        ({"name": True}, ".name", "must be text"),
        ({"name": 1}, ".name", QUOTES),
        ({"vars": [{"name": 1.0}]}, ".vars[0].name", QUOTES),
        ({"vars": [{"text": {"alphabet": 1}}]}, ".vars[0].text.alphabet", QUOTES),
        ({"vars": [{"grid": {"alphabet": 1}}]}, ".vars[0].grid.alphabet", QUOTES),
        (
            {"vars": [{"queries": {"variants": [{"fields": [{"literal": 1}]}]}}]},
            ".vars[0].queries.variants[0].fields[0].literal",
            QUOTES,
        ),
        ({"layout": [{"literal": 12}]}, ".layout[0].literal", QUOTES),
        ({"layout": [{"grid": 1}]}, ".layout[0].grid", QUOTES),
        ({"layout": [{"raw": 1}]}, ".layout[0].raw", QUOTES),
        (
            {"vars": [{"array": {"len": True}}]},
            ".vars[0].array.len",
            "must be an expression or a number",
        ),
        ({"vars": [{"array": {"len": 1.5}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"vars": [{"array": {"len": 2.0**63}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"vars": [{"array": {"len": -(2.0**63)}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"vars": [{"array": {"len": 10**5000}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"vars": [{"array": {"len": float("inf")}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"vars": [{"array": {"len": float("nan")}}]}, ".vars[0].array.len", NOT_WHOLE),
        ({"layout": [{"line": {"items": ["n", 0.5]}}]}, ".layout[0].line.items[1]", NOT_WHOLE),
        (
            {"vars": [{"array": {"distinct": 1}}]},
            ".vars[0].array.distinct",
            "must be true or false",
        ),
        (
            {"vars": [{"scalar": {}, "array": {}}]},
            ".vars[0].array",
            "cannot be used with scalar",
        ),
        (
            {"vars": [{"text": {"pattern": "upwards"}}]},
            ".vars[0].text.pattern",
            "must be one of random, all-same, periodic, fibonacci, thue-morse, last-differs, "
            "balanced, rule, not upwards",
        ),
    ],
)
def test_what_is_no_spec_is_said_with_its_place(spec: Any, field: str, problem: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        input_specs([spec])
    assert error.value.violations == (Violation(f"input_specs[0]{field}", problem),)


def test_texts_are_the_strings_that_the_contract_does_not_call_expressions() -> None:
    strings = {
        (kind.name, field.name)
        for kind in input_pb2.DESCRIPTOR.message_types_by_name.values()
        for field in kind.fields
        if field.type == field.TYPE_STRING
    }
    called, kind, is_expression = {("Items", "items")}, "", False
    for line in PROTO.read_text().splitlines():
        if opened := re.match(r"message (\w+)", line):
            kind = opened[1]
        if is_expression and (field := re.match(r" +string (\w+) =", line)):
            called.add((kind, field[1]))
        is_comment = line.lstrip().startswith("//")
        is_expression = "// Expression" in line or (is_expression and is_comment)
    assert called == {(kind, name) for kind, name in strings if name not in TEXTS}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (5, "5"),
        (-3, "-3"),
        (2.0, "2"),
        (-0.0, "0"),
        (1e18, "1000000000000000000"),
        (-1e18, "-1000000000000000000"),
        ("1e18", "1000000000000000000"),
        ("-1E+3", "-1000"),
        ("1.5e3", "1500"),
        ("9.223372036854775807e18", "9223372036854775807"),
        # These are the profiler's to refuse.
        ("1e19", "1e19"),
        ("1e-3", "1e-3"),
        ("1e999", "1e999"),
        ("10^9", "10^9"),
        ("007", "007"),
    ],
)
def test_a_number_in_place_of_an_expression(written: object, meant: str) -> None:
    (spec,) = input_specs(
        {"vars": [{"scalar": {"value": written}}], "layout": [{"line": {"items": [written]}}]}
    )
    assert spec.vars[0].scalar.value == meant
    assert list(spec.layout[0].line.items) == [meant]


def test_a_number_in_quotes_is_a_text() -> None:
    (spec,) = input_specs({"name": "1e3", "layout": [{"literal": "1e3"}]})
    assert (spec.name, spec.layout[0].literal) == ("1e3", "1e3")


def test_an_empty_list_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "specs.json"
    file.write_text("[]")
    with pytest.raises(InvalidRequest) as error:
        input_specs([])
    assert error.value.violations == (Violation("input_specs", "must not be an empty list"),)
    with pytest.raises(InvalidRequest) as error:
        input_specs([{"name": "other"}, file])
    assert error.value.violations == (
        Violation("input_specs[1]", f"{file}: must not be an empty list"),
    )


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InvalidRequest) as error:
        input_specs([{"a": 1, "b": 2}, {"vars": None, "seed": 1.5}])
    fields = [violation.field for violation in error.value.violations]
    assert fields == ["input_specs[0].a", "input_specs[0].b", "input_specs[1].seed"]


@pytest.mark.parametrize(("name", "text"), [("a.json", "{"), ("b.yml", "a: [}"), ("c.json", "[5]")])
def test_a_file_that_is_no_spec_is_said(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidRequest):
        input_specs(tmp_path / name)


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"nothing\.json"):
        input_specs(tmp_path / "nothing.json")


def test_yaml_without_its_extra_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text(YAML)
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(InvalidRequest, match=r"swiftsolve-profiler\[yaml\]"):
        input_specs(tmp_path / "a.yaml")


def test_a_generator_is_a_file_below_the_folder_of_its_spec(tmp_path: Path) -> None:
    task = tmp_path / "task"
    task.mkdir()
    source = '#include "testlib.h"\nint main() {}\n'
    (task / "gen.cpp").write_text(source)
    (task / "testlib.h").write_text("int header;\n")
    (tmp_path / "outside.cpp").write_text(source)

    def generated(name: str) -> InputSpec:
        (task / "spec.json").write_text(json.dumps({"generator": name}))
        return input_specs(task / "spec.json")[0]

    spec = generated("gen.cpp")
    assert (spec.generator, spec.testlib_h) == (source, "int header;\n")
    for name in ("../outside.cpp", ".", "none.cpp"):
        with pytest.raises(InvalidRequest, match=re.escape(f"generator: {name} must be")):
            generated(name)
    assert input_specs({"generator": source})[0].generator == source
    with pytest.raises(InvalidRequest, match="must be the text itself"):
        input_specs({"generator": "gen.cpp"})


def test_a_header_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (tmp_path / "secret.txt").write_text("secret\n")
    (task / "testlib.h").symlink_to("../secret.txt")
    (task / "gen.cpp").write_text('#include "testlib.h"\nint main() {}\n')
    (task / "spec.json").write_text(json.dumps({"generator": "gen.cpp"}))
    assert input_specs(task / "spec.json")[0].testlib_h == ""


@pytest.mark.parametrize("first", ["[0, 0]", "[*a0]"])
def test_aliases_of_yaml_repeat_values_up_to_a_bound(tmp_path: Path, first: str) -> None:
    levels = [f"a{level}: &a{level} [*a{level - 1}, *a{level - 1}]" for level in range(1, 40)]
    (tmp_path / "a.yaml").write_text("\n".join([f"a0: &a0 {first}", *levels]))
    with pytest.raises(InvalidRequest, match="at most 100000 values"):
        input_specs(tmp_path / "a.yaml")


def test_merge_keys_of_yaml_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: &a {seed: 1}\nb: {!!merge <<: [*a, *a]}")
    with pytest.raises(InvalidRequest, match="merge"):
        input_specs(tmp_path / "a.yaml")
