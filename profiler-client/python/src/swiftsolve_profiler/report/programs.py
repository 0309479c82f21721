"""The data frame of several programs: a row for each program, in the order of submission.

| column | unit | meaning |
|---|---|---|
| `task_id`, `iteration` | | from the `CodeMessage`; "program" and 0 if it is only a source |
| `verdict` | | "wrong on 2 of 5 tests; ..."; missing if no test case was asked for |
| `tests`, `tests_correct` | | the number of test cases, and the number of correct answers |
| `complexity`, `confidence` | | the growth of time, such as "O(n log n)"; missing if undecided |
| `memory_complexity`, `memory_confidence` | | the growth of memory |
| `sizes`, `sizes_ok` | | the number of sizes, and the number of those that ended OK |
| `size` | | the largest size that ended OK |
| `runtime_ms`, `peak_memory_mb` | ms, MiB | the figures of that size; the worst candidate's |
| `error` | | why there is no report, or why it is partial; missing if the run ended well |
| `report` | | the `FullReport`, partial after an error; missing if there is none |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel

from swiftsolve_profiler.errors import SandboxError
from swiftsolve_profiler.job.options import TASK_ID
from swiftsolve_profiler.report.full import FullReport
from swiftsolve_profiler.report.verdict.answers import judge_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from swiftsolve_profiler.job.options import Code

COLUMNS = (
    *("task_id", "iteration", "verdict", "tests", "tests_correct", "complexity", "confidence"),
    *("memory_complexity", "memory_confidence", "sizes", "sizes_ok"),
    *("size", "runtime_ms", "peak_memory_mb", "error", "report"),
)
"""The columns, in order."""


def dataframe(rows: Sequence[dict[str, object]]) -> pd.DataFrame:
    """Returns the data frame of rows made by `row`."""
    import pandas as pd

    counts = {
        "tests": "Int64",
        "tests_correct": "Int64",
        "sizes": "Int64",
        "sizes_ok": "Int64",
        "size": "UInt64",
    }
    frame: pd.DataFrame = pd.DataFrame(list(rows), columns=list(COLUMNS)).astype(counts)
    return frame


def row(code: Code, ending: FullReport | Exception) -> dict[str, object]:
    """Returns the columns of one program."""
    fields = dict(code) if isinstance(code, (Mapping, BaseModel)) else {}
    if isinstance(code, (str, bytes)):
        fields = {"task_id": TASK_ID, "iteration": 0}
    found = {name: fields.get(name) for name in ("task_id", "iteration")}
    if isinstance(ending, FullReport):
        report: FullReport | None = ending
    else:
        report = ending.partial if isinstance(ending, SandboxError) else None
        found["error"] = str(ending) or type(ending).__name__
    if report is None:
        return found
    time, memory = report.time, report.memory
    cases = report.test_cases
    answers = judge_answers(report.message, cases)
    ok = [size for size in report.sizes if size.outcome == "OK"]
    largest = [size for size in ok if size.n == max(s.n for s in ok)]
    runtimes = [size.runtime_ms for size in largest if size.runtime_ms is not None]
    peaks = [size.peak_memory_mb for size in largest if size.peak_memory_mb is not None]
    return found | {
        "verdict": None if answers is None else answers.reason,
        "tests": len(cases),
        "tests_correct": sum(case.correct is True for case in cases),
        "complexity": time.complexity,
        "confidence": time.confidence,
        "memory_complexity": memory.complexity,
        "memory_confidence": memory.confidence,
        "sizes": len(report.sizes),
        "sizes_ok": len(ok),
        "size": largest[0].n if largest else None,
        "runtime_ms": max(runtimes, default=None),
        "peak_memory_mb": max(peaks, default=None),
        "report": report,
    }
