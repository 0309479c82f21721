"""The full report as a message, a data frame and a picture."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from figures import RIGHT, WRONG, ok, two_candidates, with_tests
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from swiftsolve_profiler import FullReport, ProfileReport
from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report import table


def test_the_strict_form_has_the_sizes_asked_for() -> None:
    strict = two_candidates().strict()
    assert strict.input_sizes == [0, 10, 100]
    assert strict.runtime_ms == [0.0, 2.0, math.inf]
    assert strict.peak_memory_mb == [3.0, 4.0, math.inf]
    assert strict.hotspots == {"_crash": "TIME_LIMIT"}
    assert strict.timestamp_utc.isoformat() == "2023-11-14T22:13:20+00:00"


def test_json_has_the_contracts_names() -> None:
    tree = json.loads(two_candidates().to_json())
    assert tree["sizes"][-1]["runtime_ms"] == "Infinity"
    assert tree["candidates"] == ["random", "worst"]


def test_the_largest_size_is_a_number_in_every_form() -> None:
    n = 10**18
    warning = pb.Warning(size=n)
    full = FullReport(pb.ProfileReport(input_sizes=[n], sizes=[ok(n, 0, 1, 3)], warnings=[warning]))
    tree = json.loads(full.to_json())
    assert tree["input_sizes"] == [n]
    assert tree["sizes"][0]["size"] == tree["warnings"][0]["size"] == n
    figures = {"task_id": "t", "iteration": 0, "runtime_ms": [1.0], "peak_memory_mb": [3.0]}
    strict = ProfileReport.model_validate_json(json.dumps({**figures, "input_sizes": [n]}))
    assert ProfileReport.model_validate_json(strict.model_dump_json()).input_sizes == [n]
    assert full.sizes[0].n == n
    assert list(full.to_dataframe()["size"]) == [n]


def test_json_has_what_is_zero_and_not_what_was_not_measured() -> None:
    tree = json.loads(two_candidates().to_json())
    assert tree["sizes"][0]["size"] == 0
    assert tree["sizes"][0]["candidate"] == 0
    assert tree["warnings"] == []
    assert "net_runtime_ms" not in tree["sizes"][-1]


def test_a_frame_has_a_row_per_size_and_candidate() -> None:
    frame = two_candidates().to_dataframe()
    assert list(frame["size"]) == [0, 0, 10, 10, 100, 100]
    assert list(frame["name"]) == ["random", "worst"] * 3
    row = frame.iloc[3]
    assert row["outcome"] == "OK"
    assert row["runtime_ms"] == pytest.approx(2.0)
    assert row["runtime_low_ms"] == pytest.approx(1.8)
    assert row["runtime_high_ms"] == pytest.approx(2.4)
    assert row["wall_ms"] == pytest.approx(3.0)
    assert row["peak_memory_low_mb"] == pytest.approx(3.6)
    assert row["repetitions"] == 5
    assert row["stdout_bytes"] == 7


def test_a_frame_begins_with_the_verdict() -> None:
    frame = with_tests(RIGHT, WRONG, sizes=2).to_dataframe()
    assert frame.columns[0] == "verdict"
    verdict = "wrong on 1 of 2 tests; first: test 2 printed 4, expected 3"
    assert list(frame["verdict"]) == [verdict, verdict]
    assert two_candidates().to_dataframe()["verdict"].isna().all()


def test_a_worst_input_is_there_if_one_was_searched() -> None:
    report = two_candidates()
    assert report.worst is None
    report.message.worst.looks.append("a: falling")
    assert report.worst is not None
    assert list(report.worst.looks) == ["a: falling"]


def test_advice_is_there_if_it_was_asked_for() -> None:
    report = two_candidates()
    assert report.advice is None
    report.message.advice.given.add(found="`endl` flushes every line")
    assert report.advice is not None
    assert report.advice.given[0].found.startswith("`endl`")


def test_a_fault_is_there_if_its_place_is_known() -> None:
    report = two_candidates()
    assert report.fault is None
    report.message.code_cpp = "int main() {\n  a[i] = x;\n}\n"
    report.message.fault.calls.add(function="main", line=2, times=1)
    assert report.fault is not None
    assert report.fault.calls[0].function == "main"
    assert "it crashes in line 2: a[i] = x;" in report.feedback()


def test_turns_are_reports() -> None:
    report = two_candidates()
    assert report.turns == []
    report.message.turns.add(task_id="other")
    assert [turn.message.task_id for turn in report.turns] == ["other"]


def test_infinite_is_infinite_and_what_was_not_measured_is_missing() -> None:
    frame = two_candidates().to_dataframe()
    last = frame.iloc[-1]
    assert last["runtime_ms"] == last["peak_memory_mb"] == math.inf
    assert (last["outcome"], last["limit"], last["signal"]) == ("TIME_LIMIT", "time", "SIGKILL")
    missing = [
        "runtime_low_ms",
        "wall_ms",
        "blocked_ms",
        "net_runtime_ms",
        "instructions",
        "exit_code",
    ]
    assert frame[missing].iloc[-1].isna().all()


def test_counts_stay_exact() -> None:
    assert two_candidates().to_dataframe()["instructions"].iloc[0] == 1 << 60


def test_every_column_is_documented_and_no_other() -> None:
    documented = {
        name
        for line in (table.__doc__ or "").splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line)
    }
    assert set(two_candidates().to_dataframe().columns) == documented


def test_an_empty_report_has_the_same_columns() -> None:
    frame = FullReport(pb.ProfileReport()).to_dataframe()
    assert list(frame.columns) == list(two_candidates().to_dataframe().columns)
    assert len(frame) == 0


def test_a_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    two_candidates().plot(file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_candidates_are_series_and_failures_are_marked() -> None:
    figure = Figure()
    FigureCanvasAgg(figure)
    time, memory = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2)
    assert two_candidates().plot(ax=(time, memory)) is figure
    for axes, unit in ((time, "ms"), (memory, "MiB")):
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert unit in axes.get_title(loc="left")
        assert [text.get_text() for text in axes.texts] == ["time limit"]
    legend = time.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["random", "worst"]
    drawn = [list(container.lines[0].get_xdata()) for container in time.containers]  # type: ignore[attr-defined]
    assert drawn == [[10, 100], [10]]


def test_a_name_is_no_formula() -> None:
    report = two_candidates()
    report.message.candidates[0] = r"$\bad$"
    assert 'src="data:image/png' in report._repr_html_()


def test_one_candidate_needs_no_legend(tmp_path: Path) -> None:
    report = FullReport(pb.ProfileReport(task_id="t", sizes=[ok(10, 0, 1, 3.1), ok(20, 0, 2, 3.2)]))
    figure = report.plot(tmp_path / "picture.svg")
    assert figure.axes[0].get_legend() is None


def test_candidates_without_names_are_numbered() -> None:
    report = FullReport(pb.ProfileReport(candidates=["", ""]))
    assert [report.candidate(index) for index in (0, 1, 2)] == ["", "1", "2"]


@pytest.mark.parametrize("sizes", [[], [ok(0, 0, 1, 3)], [ok(5, 0, 1, 3)], [pb.SizeResult(size=5)]])
def test_there_may_be_little_to_draw(tmp_path: Path, sizes: list[pb.SizeResult]) -> None:
    file = tmp_path / "picture.png"
    FullReport(pb.ProfileReport(task_id="t", sizes=sizes)).plot(file)
    assert file.stat().st_size > 1000
