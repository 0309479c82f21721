"""The full report as typed Python, as a sentence, and in a notebook."""

from __future__ import annotations

import math
import sys

import pytest
from figures import classified, ok, two_candidates

from swiftsolve_profiler import FullReport, Growth, ReportWarning
from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import FUNCTIONS, NOT_CLASSIFIED, SUBLINEAR
from swiftsolve_profiler.report.verdict.sentence import clause

QUADRATIC = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_QUADRATIC)
LINEAR = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_LINEAR)
CONSTANT = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_CONSTANT)
DECIDED = pb.GrowthClassification(
    function=QUADRATIC,
    confidence=0.9,
    runner_up=LINEAR,
    runner_up_confidence=0.1,
    signals=[
        pb.GrowthSignal(kind=pb.SIGNAL_KIND_INSTRUCTIONS, function=QUADRATIC, confidence=0.99),
        pb.GrowthSignal(kind=pb.SIGNAL_KIND_RUNTIME, confidence=0.4),
    ],
)
UNDECIDED = pb.GrowthClassification(
    undecided_reason="n (0.50) or 1 (0.40)",
    remedies=[pb.Remedy(kind=pb.REMEDY_KIND_FULL_GROWTH)],
    confidence=0.5,
    runner_up=LINEAR,
    runner_up_confidence=0.5,
)
WHY = 'n (0.50) or 1 (0.40). To decide, use growth="full"'


def test_every_class_of_the_contract_has_a_name() -> None:
    unnamed = {pb.GROWTH_CLASS_UNSPECIFIED, pb.GROWTH_CLASS_POWER}
    assert set(pb.GrowthClass.values()) - unnamed == set(FUNCTIONS)
    assert set(FUNCTIONS.values()) >= SUBLINEAR


def test_a_decided_class_has_its_evidence() -> None:
    time = classified(DECIDED).time
    assert (time.complexity, time.confidence) == ("O(n^2)", 0.9)
    assert time.why == "instructions: O(n^2) (0.99)"
    assert time.ranking == (("O(n^2)", 0.9), ("O(n)", 0.1))
    assert time.message == DECIDED


def test_an_undecided_class_says_why() -> None:
    time = classified(UNDECIDED).time
    assert (time.complexity, time.confidence) == (None, None)
    assert time.why == WHY
    assert time.ranking == (("O(n)", 0.5),)


def test_undecided_class_of_an_older_server_says_why() -> None:
    older = pb.GrowthClassification(undecided="n (0.50). To decide: growth FULL")
    assert classified(older).time.why == older.undecided


def test_warnings_name_options() -> None:
    kinds = (pb.REMEDY_KIND_INPUT_SPEC, pb.REMEDY_KIND_INTERACTOR)
    warning = pb.Warning(
        message="it reads on: declare its input with an InputSpec",
        reason="it reads on",
        remedies=[pb.Remedy(kind=kind) for kind in kinds],
    )
    (told,) = FullReport(pb.ProfileReport(warnings=[warning])).warnings
    assert str(told) == "it reads on; use input_specs= or interactor= if it talks to a judge"


def test_every_remedy_of_the_contract_is_an_option() -> None:
    for kind in set(pb.RemedyKind.values()) - {pb.REMEDY_KIND_UNSPECIFIED}:
        remedy = pb.Remedy(kind=kind, argument="c++20")
        undecided = pb.GrowthClassification(undecided_reason="odd", remedies=[remedy])
        why = classified(undecided).time.why
        assert why.startswith("odd. To decide, use "), why
        assert "newer" not in why, why


def test_a_power_has_its_exponent() -> None:
    power = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_POWER, exponent=1.585)
    assert classified(pb.GrowthClassification(function=power)).memory.complexity is None
    assert classified(pb.GrowthClassification(function=power)).time.complexity == "O(n^1.58)"


def test_an_exponential_has_its_base() -> None:
    function = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_EXPONENTIAL, base=3.7012)
    report = classified(pb.GrowthClassification(function=function, confidence=0.9))
    assert report.time.complexity == "O(3.7^n)"
    said = "time grows exponentially, with a base of about 3.7 (confidence 0.90)"
    assert clause("time", report.time) == said


def test_a_report_without_growth_says_why() -> None:
    unknown = two_candidates().memory
    assert unknown == Growth(None, None, NOT_CLASSIFIED, (), pb.GrowthClassification())


def test_sizes_are_typed() -> None:
    sizes = two_candidates().sizes
    assert [(s.n, s.candidate, s.outcome) for s in sizes][-2:] == [
        (100, 0, "OK"),
        (100, 1, "TIME_LIMIT"),
    ]
    good, bad = sizes[-2:]
    assert (good.runtime_ms, good.runtime_interval_ms) == (10.0, (9.0, 12.0))
    assert (good.net_runtime_ms, good.instructions) == (9.5, 1 << 60)
    assert (bad.runtime_ms, bad.peak_memory_mb) == (math.inf, math.inf)
    assert [bad.runtime_interval_ms, bad.net_runtime_ms, bad.instructions] == [None] * 3
    assert FullReport(pb.ProfileReport(sizes=[pb.SizeResult()])).sizes[0].runtime_ms is None


def test_warnings_are_typed() -> None:
    messages = [
        pb.Warning(code=pb.WARNING_CODE_NOISY, message="the size is noisy", size=5, candidate=1),
        pb.Warning(code=999, message="a new kind"),  # type: ignore[arg-type]
    ]
    noisy, new = FullReport(pb.ProfileReport(warnings=messages)).warnings
    assert noisy == ReportWarning("noisy", "the size is noisy", 5, 1)
    assert str(noisy) == "the size is noisy"
    assert (new.code, new.size, new.candidate) == ("unknown", None, None)


def test_a_report_is_a_sentence() -> None:
    report = classified(DECIDED, pb.GrowthClassification(function=CONSTANT, confidence=0.7))
    assert str(report) == (
        "time grows like n^2 (confidence 0.90); memory does not grow with n (confidence 0.70)"
    )
    assert str(classified(UNDECIDED)) == (
        f"cannot tell how time grows: {WHY}.\ncannot tell how memory grows: {NOT_CLASSIFIED}."
    )
    once = f"cannot tell how time and memory grow: {WHY}."
    assert str(classified(UNDECIDED, UNDECIDED)) == once


def test_an_undecided_class_keeps_its_prediction() -> None:
    predicted = pb.GrowthClassification()
    predicted.CopyFrom(UNDECIDED)
    prediction = pb.GrowthPrediction(size=1_000_000, value=1900.0, limit=1000.0, fits=False)
    predicted.prediction.CopyFrom(prediction)
    assert str(classified(predicted, UNDECIDED)) == (
        f"cannot tell how time grows: {WHY}.\n"
        "time at n = 1000000 about 1.9 s: over the limit of 1 s; "
        f"cannot tell how memory grows: {WHY}."
    )


def test_a_program_without_its_input_is_named_first() -> None:
    report = classified(UNDECIDED)
    check = pb.InputCheck(input_use=pb.INPUT_USE_STARVED, default_input="100000\n")
    report.message.input_check.CopyFrom(check)
    assert str(report).startswith(
        'The program was not measured on its task: it was fed only "100000\\n" and asked for more. '
        "Declare its input with input_specs=, or use interactor= if it talks to a judge.\n"
        "cannot tell how time grows"
    )
    opens = pb.InputCheck(
        input_use=pb.INPUT_USE_STARVED, opened_file="in.txt", written_file="out.txt"
    )
    report.message.input_check.CopyFrom(opens)
    assert str(report).startswith(
        "The program was not measured on its task: it reads nothing of its input, and opens "
        "in.txt. Name the file with input_file='in.txt' and output_file='out.txt'.\n"
    )
    check.input_use = pb.INPUT_USE_READS_TO_END
    report.message.input_check.CopyFrom(check)
    assert str(report).startswith(
        'note: the program reads its input to the end, and was fed only "100000\\n". '
        "If its task has more input, declare it with input_specs=.\ncannot tell how time grows"
    )
    for silent in (
        pb.InputCheck(input_use=pb.INPUT_USE_READS_TO_END),
        pb.InputCheck(input_use=pb.INPUT_USE_ENOUGH, default_input="9\n"),
    ):
        report.message.input_check.CopyFrom(silent)
        assert str(report).startswith("cannot tell how time grows")


def test_an_endless_program_is_called_endless() -> None:
    late = [pb.SizeResult(size=n, outcome=pb.OUTCOME_TIME_LIMIT) for n in (1, 1000)]
    endless = FullReport(pb.ProfileReport(sizes=late))
    assert str(endless).startswith("even n = 1 does not end within the time limit: an endless loop")
    assert str(endless).endswith("; correct the loop")
    check = pb.InputCheck(default_input="1\n")
    fed = FullReport(pb.ProfileReport(sizes=late, input_check=check))
    assert str(fed).endswith("; correct the loop, or declare the input with input_specs=")
    assert str(FullReport(pb.ProfileReport(sizes=late[1:]))).startswith("0 of 1 size ended OK")


def test_failures_are_in_the_sentence() -> None:
    assert str(two_candidates()) == "5 of 6 sizes ended OK; TIME_LIMIT at n = 100"
    assert str(FullReport(pb.ProfileReport())) == "0 of 0 sizes ended OK"


def test_a_failure_at_zero_alone_is_a_question() -> None:
    zero, crash = (pb.SizeResult(size=n, outcome=pb.OUTCOME_RUNTIME_ERROR) for n in (0, 100))
    alone = FullReport(pb.ProfileReport(sizes=[zero, ok(1, 0, 1, 3)]))
    question = "\nDoes the task allow n = 0? The program fails there: RUNTIME_ERROR."
    assert str(alone) == f"1 of 2 sizes ended OK{question}"
    assert alone.meets({"runtime_limit": 1000}).met is True
    other = FullReport(pb.ProfileReport(sizes=[zero, ok(1, 0, 1, 3), crash]))
    assert str(other) == f"1 of 3 sizes ended OK; RUNTIME_ERROR at n = 100{question}"
    assert other.meets({}).met is False
    broken = FullReport(pb.ProfileReport(sizes=[zero, crash]))
    assert str(broken) == "0 of 2 sizes ended OK; RUNTIME_ERROR at n = 0"


@pytest.mark.parametrize(
    ("value", "limit", "fits", "expected"),
    [
        (1900.0, 1000.0, False, "at n = 1000000 about 1.9 s: over the limit of 1 s"),
        (0.5, 1000.0, True, "at n = 1000000 about 0.5 ms: within the limit of 1 s"),
        (3.456e8, 1000.0, False, "at n = 1000000 about 4 days: over the limit of 1 s"),
        (1e15, 1000.0, False, "about more than 1000 years: over the limit of 1 s"),
        (7.2e6, 3.0e5, None, "about 2 h: cannot tell whether it is within the limit of 5 min"),
        (7.2e6, 0.0, None, "at n = 1000000 about 2 h; cannot"),
    ],
)
def test_a_prediction_is_in_the_sentence(
    value: float, limit: float, fits: bool | None, expected: str
) -> None:
    prediction = pb.GrowthPrediction(size=1_000_000, value=value, limit=limit, fits=fits)
    time = pb.GrowthClassification(function=LINEAR, confidence=0.9, prediction=prediction)
    assert expected in str(classified(time))
    memory = pb.GrowthClassification(function=LINEAR, prediction=prediction)
    memory.prediction.value, memory.prediction.limit = 2048.0, 512.0
    assert "about 2 GiB" in str(classified(time, memory))


@pytest.mark.parametrize(
    ("size", "told"),
    [(0, 0), (7, 7), (999, 999), (1005, 1010), (20650, 20700), (20649, 20600), (99950, 100000)],
)
def test_the_largest_n_is_rounded_half_up(size: int, told: int) -> None:
    reach = pb.GrowthReach(low=size, size=size, high=size, limit=1000)
    time = pb.GrowthClassification(function=LINEAR, reach=reach)
    assert f"largest n within 1 s: about {told};" in str(classified(time))


def test_an_undecided_class_has_the_sizes_around_the_limit() -> None:
    report = classified(UNDECIDED, UNDECIDED)
    exceeded = pb.Evidence(limit=pb.LIMIT_KIND_TIME, limit_value=2250, grace=250)
    late = pb.SizeResult(size=50_000, outcome=pb.OUTCOME_TIME_LIMIT, evidence=exceeded)
    del report.message.sizes[:]
    report.message.sizes.extend([ok(1000, 0, 1.0, 3.0), ok(20_000, 0, 900.0, 3.0), late])
    assert ".\nlargest n within 2 s: between 20000 and 50000; 2 of 3" in str(report)


def test_lost_blocks_are_in_the_sentence() -> None:
    report = classified(DECIDED, DECIDED)
    left = pb.LeftBlocks(kind=pb.LEFT_KIND_LOST, blocks=2, bytes=4096)
    trace = [
        pb.AllocationFrame(function="new", file="new_allocator.h", line=1),
        pb.AllocationFrame(function="main", file="main.cpp", line=12),
    ]
    report.message.allocations.left.append(left)
    report.message.allocations.sites.add(trace=trace, left=[left])
    assert str(report).endswith("; 2 blocks (4 KiB) lost in line 12")


def test_the_representation_is_short() -> None:
    assert repr(classified(DECIDED)) == "FullReport('t', 1 size, O(n^2) 0.90)"
    assert repr(classified(UNDECIDED)) == "FullReport('t', 1 size)"
    assert len(repr(two_candidates().sizes[0])) < 250
    assert len(repr(classified(DECIDED).time)) < 250


def test_a_notebook_shows_the_table_and_the_plot() -> None:
    report = two_candidates()
    report.message.task_id = "<b>"
    report.message.warnings.add(message="a < b")
    html = report._repr_html_()
    assert "<td>100</td><td>TIME_LIMIT</td><td>∞</td><td>-</td><td>∞</td><td>worst</td>" in html
    assert "&lt;b&gt;" in html
    assert "a &lt; b" in html
    assert 'src="data:image/png;base64,' in html
    assert "http" not in html


def test_a_notebook_without_matplotlib_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "swiftsolve_profiler.report.picture", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    html = FullReport(pb.ProfileReport(sizes=[ok(10, 0, 1.0, 3.0)]))._repr_html_()
    assert "<td>10</td>" in html
    assert "<img" not in html
    assert "input" not in html
