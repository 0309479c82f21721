"""Profiles a quicksort on random numbers and on its worst case, draws both and prints the table."""

import sys
from pathlib import Path

from swiftsolve_profiler import Profiler

tasks = Path(__file__).parent / "tasks"
source = (tasks / "array.cpp").read_text()
sizes = [1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000]
with Profiler() as profiler:
    report = profiler.profile(source, input_specs=tasks / "array.yaml", sizes=sizes)
report.plot(sys.argv[1] if len(sys.argv) > 1 else "profile.png")
print(report)  # time grows like ...
print(report.to_dataframe()[["size", "name", "outcome", "runtime_ms", "peak_memory_mb"]])
