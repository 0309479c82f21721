"""A scripted agent: it corrects and speeds up programs, by the tools of `swiftprof mcp` alone.

One program is slow and wrong, another one is slow only on its worst input.

Run it with the `mcp` package: `SWIFTPROF=/PATH/TO/swiftprof python examples/agent.py`. With the
argument `loop`, it works on the first program alone. Other arguments are those of `swiftprof mcp`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

HERE = Path(__file__).parent
SIZES = "1000..16000 x2"
ALONE = "loop"
"""The argument without which the agent works on both programs."""


async def ask(session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool, and prints what was asked, and the first and the last line of the answer."""
    print(f"> {tool} {','.join(arguments)}")
    result = await session.call_tool(tool, arguments)
    lines = result.content[0].text.splitlines()
    print(f"< {lines[0]}")
    if lines[-1].startswith("next: "):
        print(f"  {lines[-1]}")
    figures: dict[str, Any] = result.structured_content
    following = figures.get("next")
    if following == "get_run":
        return await ask(session, following, run_id=figures["run_id"])
    return await ask(session, tool, **arguments) if following else figures


async def close_the_loop(session: ClientSession) -> None:
    """Finds out that a program is slow and wrong, and shows that another one is neither."""
    slow, brute, fast = (
        (HERE / "agent" / f"{name}.cpp").read_text()
        for name in ("pairs", "brute", "sorted")
    )
    spec = (HERE / "agent" / "numbers.yaml").read_text()
    task = {"input_spec": spec, "sizes": SIZES}
    first = await ask(session, "profile", code=slow, hotspots=True, **task)
    for line in first["lines"][:2]:
        print(f"  line {line['line']}: {line['share']:.0%}  {line['source']}")
    against = {"reference": brute, "input_spec": spec, "seconds": 3}
    wrong = (await ask(session, "check", code=slow, **against))["difference"]
    print(f"  {wrong['input']!r}: {wrong['answer']}, expected {wrong['expected']}")
    # The program counts equal numbers too. A merge sort need not, and looks at fewer pairs.
    await ask(session, "check", code=fast, **against)
    tests = [{"input": wrong["input"], "output": wrong["expected"]}]
    await ask(session, "run_tests", code=fast, tests=tests)
    await ask(session, "compare", code_a=slow, code_b=fast, **task)


async def harden(session: ClientSession) -> None:
    """Finds the input that makes a fast program slow, and tries another one in its place."""
    spec = (HERE / "worst" / "quicksort.yaml").read_text()
    for path in ("worst/quicksort.cpp", "agent/introsort.cpp"):
        code = (HERE / path).read_text()
        found = await ask(session, "worst_case", code=code, input_spec=spec, n=4000)
        worst = found["worst"]
        times = worst["worst_instructions"] / worst["random_instructions"]
        print(
            f"  {times:.1f} times the instructions of random input; it looks: {worst['looks']}"
        )
        if line := worst["line"]:
            print(f"  line {line['line']}: {line['source']}")


async def main() -> None:
    """Starts the server, and improves the programs."""
    server = StdioServerParameters(
        command=os.environ.get("SWIFTPROF", "swiftprof"),
        args=["mcp", *(word for word in sys.argv[1:] if word != ALONE)],
        env={**os.environ, "LOG_LEVEL": "ERROR"},
    )
    async with (
        stdio_client(server) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        await close_the_loop(session)
        if ALONE not in sys.argv:
            await harden(session)


if __name__ == "__main__":
    asyncio.run(main())
