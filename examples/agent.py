"""A scripted agent: it makes programs faster, by the tools of `swiftprof mcp` alone.

One program is quadratic on every input, another one only on its worst input.

Run it with the `mcp` package: `SWIFTPROF=/PATH/TO/swiftprof python examples/agent.py`.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

HERE = Path(__file__).parent
SIZES = [2000, 4000, 8000, 16000, 32000]


async def ask(session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool, and prints what was asked and answered."""
    long = ("code", "input_spec")
    said = {name: "…" if name in long else value for name, value in arguments.items()}
    print(f"> {tool} {said}")
    result = await session.call_tool(tool, arguments)
    print(f"< {result.content[0].text}")
    figures: dict[str, Any] = result.structured_content
    following = figures.get("next")
    if following == "get_run":
        return await ask(session, following, run_id=figures["run_id"])
    return await ask(session, tool, **arguments) if following else figures


async def improve(session: ClientSession) -> None:
    """Finds out that a program is quadratic and why, and tries others in its place."""
    slow = (HERE / "quadratic.cpp").read_text()
    first = await ask(session, "profile", code=slow, sizes=SIZES, hotspots=True)
    if first["time"].get("grows_like") != "n²":
        return
    found = await ask(session, "explain", run_id=first["run_id"], what="hotspots", lines=2)
    for line in found["lines"]:
        print(f"  line {line['line']}: {line['share']:.0%}  {line['source']}")
    # The loop over all pairs counts inversions, which a merge sort counts as well.
    missing = (HERE / "agent" / "merge.cpp").read_text().replace("#include <vector>\n", "")
    broken = await ask(session, "profile", code=missing, sizes=SIZES, hotspots=True)
    print(f"  {broken['compile_error'].splitlines()[0]}")
    fast = (HERE / "agent" / "merge.cpp").read_text()
    second = await ask(session, "profile", code=fast, sizes=SIZES, hotspots=True)
    answers = [
        (await session.read_resource(f"swiftprof://runs/{run['run_id']}/stdout/32000"))
        .contents[0]
        .text.strip()
        for run in (first, second)
    ]
    print(f"  output at n = 32000: {answers[0]} and {answers[1]}")
    await ask(session, "compare", run_id_a=first["run_id"], run_id_b=second["run_id"])


async def harden(session: ClientSession) -> None:
    """Finds the input that makes a fast program slow, and tries another one in its place."""
    spec = (HERE / "worst" / "quicksort.yaml").read_text()
    for path in ("worst/quicksort.cpp", "agent/introsort.cpp"):
        code = (HERE / path).read_text()
        found = await ask(session, "worst_case", code=code, input_spec=spec, n=4000)
        worst = found["worst"]
        times = worst["worst_instructions"] / worst["random_instructions"]
        print(f"  {times:.1f} times the instructions of random input; it looks: {worst['looks']}")
        if line := worst["line"]:
            print(f"  line {line['line']}: {line['source']}")


async def main() -> None:
    """Starts the server, and improves both programs."""
    server = StdioServerParameters(
        command=os.environ.get("SWIFTPROF", "swiftprof"),
        args=["mcp"],
        env={**os.environ, "LOG_LEVEL": "ERROR"},
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        await improve(session)
        await harden(session)


if __name__ == "__main__":
    asyncio.run(main())
