"""`/mcp` of a service, by the official client of the Model Context Protocol, over HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from test_mcp import ENDLESS, LINEAR, SIZES, WORST, ended, figures, refusal

mcp = pytest.importorskip("mcp")
http = pytest.importorskip("mcp.client.streamable_http")
httpx = pytest.importorskip("httpx2")

MANY = 300
"""More callers than have a session at the same time."""
TOKENS = {name: f"{name}-secret" for name in ["ci", "other", *map(str, range(MANY))]}
LISTENING = "listening on "
CLEARLY_WORSE = 1.1
"""The cost from which on a worst input is clearly worse, as a multiple of a random input's."""


@pytest.fixture(scope="module")
def url(program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service with two callers answers agents."""
    folder = tmp_path_factory.mktemp("service")
    tokens = folder / "tokens"
    hashed = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in TOKENS.items()}
    tokens.write_text("".join(f"{name}:{digest}\n" for name, digest in hashed.items()))
    tokens.chmod(0o600)
    command = [program, "serve", "--listen", "127.0.0.1:0", "--backend", "native"]
    command += ["--tokens", str(tokens), "--state-dir", str(folder / "state")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        lines = iter(process.stderr.readline, "")
        address = next(line.split(LISTENING)[1] for line in lines if LISTENING in line)
        yield f"http://{address.strip()}/mcp"
        process.kill()


@asynccontextmanager
async def opened(url: str, caller: str) -> AsyncIterator[Any]:
    """A session of a caller."""
    headers = {"Authorization": f"Bearer {TOKENS[caller]}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=600) as client,
        http.streamable_http_client(url, http_client=client) as (read, write),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


def test_a_caller_profiles_and_another_one_does_not_see_it(url: str) -> None:
    async def test() -> None:
        async with opened(url, "ci") as mine, opened(url, "other") as theirs:
            heard: list[float] = []

            async def hear(progress: float, _total: float | None, message: str | None) -> None:
                assert message
                heard.append(progress)

            asked = {"code": LINEAR, "sizes": SIZES}
            result = await mine.call_tool("profile", asked, progress_callback=hear)
            assert heard
            assert heard == sorted(set(heard))
            first = await ended(mine, result.structured_content["run_id"])
            assert [row["n"] for row in first["sizes"]] == SIZES
            again = await figures(mine, "profile", **asked)
            assert again["run_id"] == first["run_id"]
            report = f"swiftprof://runs/{first['run_id']}/report.json"
            assert (await mine.read_resource(report)).contents[0].text

            assert "run_id: " in await refusal(theirs, "get_run", run_id=first["run_id"])
            with pytest.raises(mcp.MCPError):
                await theirs.read_resource(report)
            own = await figures(theirs, "profile", **asked)
            assert own["run_id"] != first["run_id"]

    asyncio.run(test())


def test_the_worst_input_is_found_over_http(url: str) -> None:
    async def test() -> None:
        async with opened(url, "ci") as session:
            asked = {
                "code": (WORST / "quicksort.cpp").read_text(encoding="utf-8"),
                "input_spec": (WORST / "quicksort.yaml").read_text(encoding="utf-8"),
                "n": 400,
                "seconds": 5,
            }
            found = await figures(session, "worst_case", **asked, **{"for": "line", "line": 9})
            worst = found["worst"]
            assert worst["worst_instructions"] > 2 * worst["random_instructions"]
            assert "of line 9" in found["verdict"]
            held = await figures(session, "worst_case", **asked, **{"for": "memory"})
            worst = held["worst"]
            assert worst["worst_bytes"] % 4096 == 0
            # Whether a deep recursion takes a page more depends on the stack.
            is_worse = worst["worst_bytes"] / worst["random_bytes"] >= CLEARLY_WORSE
            assert ("makes it hold" if is_worse else "proves nothing") in held["verdict"]
            said = await refusal(session, "worst_case", **asked, **{"for": "line"})
            assert 'line: is required with "for": "line"' in said

    asyncio.run(test())


def runs(program: str, url: str, folder: Path, *words: str) -> str:
    """What `swiftprof runs` prints to the caller `ci`."""
    token = folder / "token"
    token.write_text(TOKENS["ci"])
    token.chmod(0o600)
    server = ["--endpoint", url.removesuffix("/mcp"), "--token-file", str(token)]
    command = [program, "runs", *words, *server]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_a_call_that_its_client_leaves_ends_its_run(program: str, url: str, tmp_path: Path) -> None:
    async def test() -> None:
        begun = asyncio.Event()

        async def hear(_progress: float, _total: float | None, _message: str | None) -> None:
            begun.set()

        async with opened(url, "ci") as session:
            asked = {"code": ENDLESS, "sizes": [1, 2, 3], "timeout_ms": 60_000}
            call = asyncio.ensure_future(
                session.call_tool("profile", asked, progress_callback=hear)
            )
            await begun.wait()
            call.cancel()
            await asyncio.wait([call])

    asyncio.run(test())
    listed = runs(program, url, tmp_path, "list", "--limit", "1", "--format", "json")
    newest = json.loads(listed)["runs"][0]["run_id"]
    watched = json.loads(runs(program, url, tmp_path, "watch", newest, "--format", "json"))
    assert watched["code"] == "ERROR_CODE_CANCELLED"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Bearer {TOKENS['ci']}", "Origin": "http://127.0.0.1"}, 403),
    ],
)
def test_whoever_is_not_known_and_pages_of_browsers_are_refused(
    url: str, headers: dict[str, str], status: int
) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    answer = httpx.post(url, json=call, headers=accept | headers)
    assert answer.status_code == status, answer.text
    assert ("WWW-Authenticate" in answer.headers) == (status == 401)


def test_there_may_be_any_number_of_callers(url: str) -> None:
    arguments = {"input_spec": "layout: [{literal: hi}]", "n": 1}
    params = {"name": "check_inputs", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    with httpx.Client() as client:
        for caller in map(str, range(MANY)):
            headers = accept | {"Authorization": f"Bearer {TOKENS[caller]}"}
            answer = client.post(url, json=call, headers=headers)
            assert '"isError":false' in answer.text


@pytest.mark.parametrize("content", [b" " * (6 << 20), b"[" * 1_000_000], ids=["bytes", "values"])
def test_a_request_has_a_bound(url: str, content: bytes) -> None:
    headers = {
        "Authorization": f"Bearer {TOKENS['ci']}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    answer = httpx.post(url, content=content, headers=headers)
    assert answer.status_code == 413, answer.text
