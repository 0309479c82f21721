"""`swiftprof mcp`, by the official client of the Model Context Protocol, over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp")
stdio = pytest.importorskip("mcp.client.stdio")

QUADRATIC = """#include <cstdio>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    unsigned pairs = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            pairs += static_cast<unsigned>(i ^ j) % 7u;
    std::printf("%u\\n", pairs);
}
"""
LINEAR = """#include <cstdio>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) sum += static_cast<unsigned>(i) % 7u;
    std::printf("%u\\n", sum);
}
"""
WORST = Path(__file__).parents[3] / "examples" / "worst"
FLUSHES = """\
#include <iostream>
int main() {
    int n = 0;
    std::cin >> n;
    for (int i = 0; i < n; ++i) std::cout << i << std::endl;
}
"""
SUM = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"
EVEN = """\
#include <fstream>
int main(int, char **argv) {
    int answer;
    std::ifstream output(argv[2]);
    return output >> answer && answer % 2 == 0 ? 0 : 1;
}
"""
"""A checker that accepts even numbers."""
NUMBER = "layout: [{line: {items: [n]}}]"
ENDLESS = "int main() { for (volatile int i = 0;; ) i = 0; }"
SIZES = [500, 1000, 2000, 4000]
PATIENT = "600"
"""Seconds in which a busy machine measures every program here."""
MAX_BYTES = 8_000
"""The most bytes of structured content."""
MAX_TEXT_BYTES = 2_048
"""The most bytes of text."""
EXAMPLE = Path(__file__).parents[3] / "examples" / "agent.py"


@asynccontextmanager
async def opened(program: str, answer_within: str) -> AsyncIterator[Any]:
    """A session with a server of its own. `answer_within` is in seconds."""
    arguments = ["mcp", "--backend", "native", "--answer-within", answer_within]
    server = stdio.StdioServerParameters(
        command=program, args=arguments, env={**os.environ, "LOG_LEVEL": "ERROR"}
    )
    async with stdio.stdio_client(server) as (read, write), mcp.ClientSession(read, write) as it:
        await it.initialize()
        yield it


def run(program: str, test: Callable[[Any], Awaitable[None]], answer_within: str = PATIENT) -> None:
    """Runs a test in a session."""

    async def inside() -> None:
        async with opened(program, answer_within) as session:
            await test(session)

    asyncio.run(inside())


async def figures(session: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of a result, which is no error and within its bound."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    content: dict[str, Any] = result.structured_content
    assert len(json.dumps(content, ensure_ascii=False, separators=(",", ":"))) <= MAX_BYTES
    text = result.content[0].text
    assert len(text.encode()) <= MAX_TEXT_BYTES
    assert text.startswith(str(content.get("verdict", ""))[:40])
    return content


async def ended(session: Any, run_id: str) -> dict[str, Any]:
    """What `get_run` says of a run that has ended."""
    while True:
        content = await figures(session, "get_run", run_id=run_id, wait_s=45)
        if content["state"] not in ("queued", "running"):
            return content


async def refusal(session: Any, tool: str, **arguments: Any) -> str:
    """What a call with wrong arguments is answered."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


def test_the_verdict_alone_is_an_answer(program: str) -> None:
    async def test(session: Any) -> None:
        tests = [{"input": "3\n", "output": "3"}, {"input": "4\n", "output": "6"}]
        right = await figures(session, "run_tests", code=LINEAR, tests=tests)
        assert right["verdict"] == "correct on 2 of 2 tests"
        assert "sizes" not in right
        assert all(count > 10_000 for count in right["test_instructions"])
        tests[1]["output"] = "7"
        wrong = await figures(session, "run_tests", code=LINEAR, tests=tests)
        assert wrong["verdict"].startswith("wrong on 1 of 2 tests; first: test 2 printed 6")
        assert wrong["tests"][0]["stdout"] == "6"
        assert "tests: is required" in await refusal(session, "run_tests", code=LINEAR)
        bare = [{"input": "3\n"}, {"input": "4\n"}]
        ran = await figures(session, "run_tests", code=LINEAR, tests=bare)
        assert [row["stdout"] for row in ran["tests"]] == ["3", "6"]

    run(program, test)


def test_a_program_is_profiled_and_explained_and_a_retry_costs_nothing(program: str) -> None:
    async def test(session: Any) -> None:
        tools = [tool.name for tool in (await session.list_tools()).tools]
        others = ["compare", "check_inputs", "explain", "get_run", "cancel_run"]
        assert tools == ["profile", "run_tests", "check", "worst_case", *others]
        asked = {"code": QUADRATIC, "sizes": SIZES, "hotspots": True}
        heard: list[float] = []

        async def hear(progress: float, _total: float | None, message: str | None) -> None:
            assert message
            heard.append(progress)

        result = await session.call_tool("profile", asked, progress_callback=hear)
        first = result.structured_content
        assert heard
        assert heard == sorted(set(heard))
        assert first["state"] == "finished"
        assert [row["n"] for row in first["sizes"]] == SIZES
        assert "lines" in first
        text = result.content[0].text
        assert text.startswith(first["verdict"][:40])
        for part in ["\nsizes (n, outcome, runtime_ms", "\nlines (line, share", "% 7u", "\nnext: "]:
            assert part in text
        links = [str(block.uri) for block in result.content[1:]]
        for name in ["report.json", "report.html", "flame.svg", "stdout/4000"]:
            uri = f"swiftprof://runs/{first['run_id']}/{name}"
            assert uri in links
            assert (await session.read_resource(uri)).contents[0].text

        again = await figures(session, "profile", **asked)
        assert again["run_id"] == first["run_id"]
        fresh = await figures(session, "profile", **asked, fresh=True)
        assert fresh["run_id"] != first["run_id"]

        run_id = first["run_id"]
        lines = await figures(session, "explain", run_id=run_id, what="hotspots", lines=2)
        assert 1 <= len(lines["lines"]) <= 2
        assert "% 7u" in "".join(line["source"] for line in lines["lines"])
        assert "time" in await figures(session, "explain", run_id=run_id, what="growth")
        assert "sizes" in await figures(session, "explain", run_id=run_id, what="memory")
        missing = await figures(session, "explain", run_id=run_id, what="allocations")
        assert "allocations: true" in missing["missing"]

        compared = await figures(session, "compare", run_id_a=run_id, code_b=LINEAR, sizes=SIZES)
        assert compared["b_is"] == "other_output", compared
        assert compared["other_output_at"] == SIZES[0]
        assert "any_output" in compared["verdict"]
        both = {"code_a": QUADRATIC, "code_b": LINEAR, "sizes": SIZES, "any_output": True}
        compared = await figures(session, "compare", **both)
        assert compared["b_is"] == "faster", compared
        assert len(compared["run_ids"]) == 1, "one job, so both are measured on one host"
        judged = {"code_a": QUADRATIC, "code_b": LINEAR, "sizes": SIZES}
        compared = await figures(session, "compare", **judged, checker="int main() { return 0; }")
        assert compared["b_is"] == "faster", compared
        assert "different right answers" in compared["warnings"][0], compared

    run(program, test)


def test_what_a_program_does_is_a_result_and_a_wrong_argument_is_an_error(program: str) -> None:
    async def test(session: Any) -> None:
        broken = await figures(session, "profile", code="int main() { return x; }")
        assert broken["error"] == "compile"
        assert "'x' was not declared" in broken["compile_error"]
        limited = await figures(session, "profile", code=ENDLESS, sizes=[1], timeout_ms=100)
        assert limited["sizes"][0]["outcome"] == "TIME_LIMIT"

        said = await refusal(session, "profile", code=LINEAR, growth="fast", size=[1])
        assert "growth: must be one of timed, full, counted" in said
        assert "size: is not an argument" in said
        said = await refusal(session, "profile", code=LINEAR, sizes=[5, 5])
        assert said.startswith("wrong arguments: sizes: ")
        assert "code: is required" in await refusal(session, "profile")
        assert "run_id: " in await refusal(session, "get_run", run_id="none")
        assert "one of hotspots, allocations" in await refusal(
            session, "explain", run_id="none", what="all"
        )
        with pytest.raises(mcp.MCPError, match="the tools are profile, run_tests, check, "):
            await session.call_tool("worst", {})
        spec = "vars: [{name: a, arrey: {len: n}}]\nlayout: [{line: {items: [a]}}]"
        wrong = await figures(session, "check_inputs", input_spec=spec, n=3)
        assert "did you mean array?" in wrong["problems"][0]
        right = await figures(session, "check_inputs", input_spec="layout: [{literal: hi}]", n=3)
        assert right["inputs"][0]["beginning"] == "hi\n"

    run(program, test)


def test_the_verdict_of_test_cases_comes_first(program: str) -> None:
    async def test(session: Any) -> None:
        tests = [{"input": "1 2", "output": "3\n"}, {"input": "2 4", "output": "7\n"}]
        fed = {"input_spec": "layout: [{literal: 1 2}]", "sizes": [1]}
        asked = {"code": SUM, **fed}
        wrong = "wrong on 1 of 2 tests; first: test 2 printed 6, expected 7"
        told = await figures(session, "profile", **asked, tests=tests)
        assert told["verdict"] == wrong
        assert told["sizes"][0]["outcome"] == "NOT_RUN"
        told = await figures(session, "profile", **asked, tests=tests[:1])
        assert told["verdict"].startswith("correct on 1 of 1 test")
        assert told["sizes"][0]["outcome"] == "OK"
        near = {"input": "2 4", "output": "6.0000001"}
        told = await figures(session, "profile", **asked, tests=[near], checker="numbers")
        assert told["verdict"].startswith("correct on 1 of 1 test")
        far = {"tests": [{"input": "2 4", "output": "6.05"}], "checker": "numbers"}
        told = await figures(session, "profile", **asked, **far, tolerance=0.01)
        assert told["verdict"].startswith("correct on 1 of 1 test")
        absolute = {"tolerance": 0.01, "relative_tolerance": 0}
        told = await figures(session, "profile", **asked, **far, **absolute)
        assert told["verdict"].startswith("wrong on 1 of 1 test")
        told = await figures(session, "profile", **asked, tests=tests, checker=EVEN)
        wrong = "wrong on 1 of 2 tests (1 not run); first: test 1 printed 3, which"
        assert told["verdict"].startswith(wrong)
        both = {"code_a": SUM, "code_b": SUM.replace("+ b", "- b"), **fed}
        compared = await figures(session, "compare", **both, tests=tests[:1])
        first = "first: test 1 printed -1, expected 3"
        assert compared["verdict"] == f"no verdict: B is wrong on 1 of 1 test; {first}"
        said = await refusal(session, "profile", code=SUM, tests=[{"input": "1 2"}], checker="all")
        assert "tests: must have an output; run_tests also runs inputs without one" in said
        assert "checker: must be one of words, exact, caseless, numbers, or a program" in said

    run(program, test)


def test_the_worst_input_is_found(program: str) -> None:
    async def test(session: Any) -> None:
        spec = (WORST / "quicksort.yaml").read_text(encoding="utf-8")
        code = (WORST / "quicksort.cpp").read_text(encoding="utf-8")
        asked = {"code": code, "input_spec": spec, "n": 800, "seconds": 5}
        found = await figures(session, "worst_case", **asked)
        worst = found["worst"]
        assert worst["classes"].startswith(found["verdict"].split(";")[0])
        assert "n² " in worst["classes"]
        assert worst["worst_instructions"] > 1.5 * worst["random_instructions"]
        assert worst["looks"]
        assert worst["line"]["source"]
        again = await figures(session, "check_inputs", input_spec=worst["spec"], n=800)
        assert again["inputs"][0]["beginning"][:40] == worst["input"][:40]
        said = await refusal(session, "worst_case", code=code, n=0)
        assert "input_spec: is required if samples" in said
        assert "n: must be a whole number from 1" in said

    run(program, test)


def test_advice_was_measured(program: str) -> None:
    async def test(session: Any) -> None:
        asked = {"code": FLUSHES, "sizes": [20_000], "growth": "timed"}
        measured = await figures(session, "profile", **asked, advice=True)
        assert "`endl` flushes every line" in measured["advice"][0]
        told = await figures(session, "explain", run_id=measured["run_id"], what="advice")
        best = told["given"][0]
        assert best["line"] == 5
        assert best["times_faster"] > best["interval"][0] > 1
        assert "'\\n'" in best["after"]
        other = await figures(session, "profile", **asked)
        missing = await figures(session, "explain", run_id=other["run_id"], what="advice")
        assert "advice: true" in missing["missing"]

    run(program, test)


def test_a_long_run_gets_a_handle_and_can_be_awaited_and_cancelled(program: str) -> None:
    async def test(session: Any) -> None:
        handle = await figures(session, "profile", code=LINEAR, sizes=SIZES)
        assert handle["next"] == "get_run"
        finished = await ended(session, handle["run_id"])
        assert finished["state"] == "finished"
        again = await figures(session, "profile", code=LINEAR, sizes=SIZES)
        assert again["verdict"] == finished["verdict"]

        asked = {"code": ENDLESS, "sizes": [1, 2, 3], "timeout_ms": 60_000}
        endless = await figures(session, "profile", **asked)
        await figures(session, "cancel_run", run_id=endless["run_id"])
        stopped = await ended(session, endless["run_id"])
        assert (stopped["state"], stopped["error"]) == ("cancelled", "cancelled")
        # The program is not to blame, so it gets another run.
        other = await figures(session, "profile", **asked)
        assert other["run_id"] != endless["run_id"]

    run(program, test, answer_within="0")


def test_a_cancelled_check_ends_its_run(program: str) -> None:
    async def test(session: Any) -> None:
        begun = asyncio.Event()

        async def hear(_progress: float, _total: float | None, _message: str | None) -> None:
            begun.set()

        asked = {"code": LINEAR, "reference": ENDLESS, "input_spec": NUMBER, "timeout_ms": 60_000}
        call = asyncio.ensure_future(session.call_tool("check", asked, progress_callback=hear))
        await begun.wait()
        call.cancel()
        await asyncio.wait([call])
        # The next run begins when the sandboxes of this one are gone.
        short = {**asked, "reference": QUADRATIC, "seconds": 2, "n_max": "1e2"}
        found = await figures(session, "check", **short)
        assert found["verdict"].startswith("the program is wrong at n = 2 ")
        assert found["difference"]["input"] == "2"
        broken = await figures(session, "check", **{**short, "reference": "int main() { x; }"})
        assert (broken["error"], "x" in broken["compile_error"]) == ("compile", True)

    run(program, test)


def test_an_agent_closes_the_loop(program: str) -> None:
    environment = {**os.environ, "SWIFTPROF": program}
    ran = subprocess.run(
        [sys.executable, EXAMPLE, "loop", "--backend", "native"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = iter(ran.stdout.splitlines())
    for sentence in (
        "time grows like n²",
        "the program is wrong at n = 2 ",
        "no difference found",
        "correct on 1 of 1 test",
        "times faster at n = 16000",
    ):
        assert any(sentence in line for line in told), (sentence, ran.stdout)


def test_an_answer_is_small_whatever_the_run_has(program: str) -> None:
    async def test(session: Any) -> None:
        noisy = ENDLESS.replace("int main() {", '#include <cstdio>\nint main() { std::puts("x");')
        code = noisy.replace("for (", "return 7; for (")
        answer = await figures(session, "profile", code=code, sizes=list(range(1, 65)))
        assert answer["sizes_measured"] == 64
        assert len(answer["sizes"]) == 20

    run(program, test)


def test_garbage_is_survived_and_the_end_of_stdin_ends_everything(program: str) -> None:
    command = [program, "mcp", "--backend", "native"]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    long = {"code": ENDLESS, "sizes": [1], "timeout_ms": 60_000}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call["params"] = {"name": "profile", "arguments": long}
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    lines = [
        "{",
        json.dumps(hello),
        "\x00garbage",
        json.dumps(initialized),
        "[1,",
        json.dumps(call),
    ]
    process = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60
    )
    assert process.returncode == 0, process.stderr
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert answers[0]["id"] == 1
    assert answers[0]["result"]["serverInfo"]["name"] == "swiftprof"
