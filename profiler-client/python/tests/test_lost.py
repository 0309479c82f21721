"""A private server that dies: its run is submitted once more, and lost the second time."""

from __future__ import annotations

import logging
import os
import signal

import grpc
import pytest
from fake import RUN, Dies, Fake, accepted, finished, size
from test_local import children
from world import World, answer, gone, refused

from swiftsolve_profiler import (
    CodeMessage,
    DeadlineExceeded,
    Lost,
    Profiler,
    Restarted,
    StatusError,
)
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client import local
from swiftsolve_profiler.client.wire import PROFILE_STREAM

CODE = CodeMessage(task_id="t", iteration=2, code_cpp="int main() {}")
AGAIN = "the second run"


def again(event: pb.Event) -> pb.WatchRunResponse:
    """The answer with an event of the second run."""
    event.run_id = AGAIN
    return answer(event)


def test_a_job_of_a_dead_private_server_is_submitted_once_more(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    watch = world.watch()
    world.drive(watch.next(), answer(size(2)))
    begun = world.drive(watch.next(), gone(), world.dies, "stream", again(accepted()))
    assert (begun.run_id, begun.sequence, begun.attempt) == (AGAIN, 1, 2)
    assert begun.reason == "the private server died"
    assert (watch.run_id, watch.sequence, watch.sizes) == (AGAIN, 1, [])
    submitted = pb.ProfileStreamRequest(job=job_pb2.Job(request_id="r"))
    assert [step.request for step in world.opened()][1:] == [submitted]
    assert [world.drive(watch.next(), again(size(2))).sequence, len(watch.sizes)] == [2, 1]
    assert world.drive(watch.next(), again(finished(3))).sequence == 3
    warnings = [r.message for r in caplog.records if r.levelno == logging.WARNING]
    assert warnings[1:] == ["the private server died; submitting the job again"]


def test_a_second_death_loses_the_run(world: World) -> None:
    watch = world.watch()
    world.drive(watch.next(), gone(), world.dies, "stream", again(accepted()))
    with pytest.raises(Lost, match="died again"):
        world.drive(watch.next(), gone(), world.dies)


@pytest.mark.parametrize("timeout", [None, 100])
@pytest.mark.parametrize("ends", [[gone()], ["stream", gone()], ["stream", None]])
def test_a_death_before_the_second_run_is_accepted_loses_it(
    world: World, timeout: float | None, ends: list[object]
) -> None:
    watch = world.watch(timeout)
    with pytest.raises(Lost, match="lost again"):
        world.drive(watch.next(), gone(), world.dies, *ends)


def test_a_full_queue_does_not_lose_the_run(world: World) -> None:
    full = refused(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=1)
    told = world.drive(world.watch().next(), gone(), world.dies, full, "stream", again(accepted()))
    assert isinstance(told, Restarted)


def test_the_timeout_includes_both_runs(world: World) -> None:
    watch = world.watch(timeout=10)
    world.now += 8
    world.drive(watch.next(), gone(), world.dies, "stream", again(accepted()))
    left = world.opened()[-1].timeout
    assert left is not None
    assert 0 < left < 2
    late = refused(grpc.StatusCode.DEADLINE_EXCEEDED)
    with pytest.raises(DeadlineExceeded):
        world.drive(world.watch(timeout=10).next(), gone(), world.dies, late)


def test_a_next_that_is_given_up_restarts_later(world: World) -> None:
    watch = world.watch()
    world.drive(watch.next(), answer(size(2)))

    class GivenUp(Exception):
        pass

    with pytest.raises(GivenUp):
        world.drive(watch.next(), gone(), world.dies, "stream", GivenUp())
    told = world.drive(
        watch.next(), refused(grpc.StatusCode.NOT_FOUND), "stream", again(accepted())
    )
    assert isinstance(told, Restarted)
    requests = [step.request for step in world.opened()]
    assert requests[1] == requests[3]


def test_a_successor_that_is_not_there_yet_is_waited_for(world: World) -> None:
    watch = world.watch()
    # Another run of this client was the first to notice.
    world.dies()
    unknown = refused(grpc.StatusCode.NOT_FOUND)
    told = world.drive(watch.next(), gone(), gone(), unknown, "stream", again(accepted()))
    assert isinstance(told, Restarted)


def test_only_a_submission_that_is_wanted_is_repeated(world: World) -> None:
    attached = world.drive(world.session.attach(RUN, 0, None), "stream")
    cancelled = world.watch()
    world.drive(cancelled.cancel(), pb.CancelRunResponse())
    for watch in (attached, cancelled):
        world.session.reached = True
        with pytest.raises(StatusError, match="NOT_FOUND"):
            world.drive(watch.next(), gone(), world.dies)


def test_both_clients_notice_a_death(
    private: Profiler, fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    fake.says(PROFILE_STREAM, accepted(), size(2, 10), size(3, 20), Dies())
    fake.says(PROFILE_STREAM, accepted(), size(2, 30), finished(3))
    run = private.submit(CODE)
    told = [(type(event).__name__, event.sequence, [s.n for s in run.sizes]) for event in run]
    assert told == [
        ("Accepted", 1, []),
        ("SizeMeasured", 2, [10]),
        ("SizeMeasured", 3, [10, 20]),
        ("Restarted", 1, []),
        ("SizeMeasured", 2, [30]),
        ("Finished", 3, [30]),
    ]
    assert fake.names() == ["ProfileStream", "WatchRun", "ProfileStream"]
    assert fake.calls[0] == fake.calls[2]
    fake.says(PROFILE_STREAM, accepted(), Dies())
    fake.says(PROFILE_STREAM, accepted(), finished(2))
    assert private.profile(CODE).message.run_id == RUN
    assert "restarted: the private server died; the sizes above are void" in caplog.messages


def test_both_clients_lose_a_run_at_the_second_death(private: Profiler, fake: Fake) -> None:
    for _ in range(2):
        fake.says(PROFILE_STREAM, accepted(), size(2), Dies())
    with pytest.raises(Lost, match="the private server died again"):
        private.profile(CODE)


def test_a_server_with_an_address_is_not_replaced(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), size(2), Dies())
    with pytest.raises(StatusError, match="NOT_FOUND"):
        client.profile(CODE)
    assert "ProfileStream" not in fake.names()[1:]


SLOW = """
#include <iostream>
int main() {
    long n = 0;
    std::cin >> n;
    volatile long sum = 0;
    for (long i = 0; i < n * 1000; i++) sum = sum + i;
    std::cout << sum;
}
"""


def test_a_killed_private_server_costs_no_report(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del server
    monkeypatch.setattr(local, "_servers", {})
    code = {"task_id": "slow", "iteration": 0, "code_cpp": SLOW}
    sizes = [10, 100, 100_000]
    with Profiler(backend="native") as profiler:
        run = profiler.submit(code, sizes=sizes, repetitions=5)
        while not run.sizes:
            next(run)
        (dead,) = local._servers.values()
        (served,) = children(dead._guard.pid)
        os.kill(served, signal.SIGKILL)
        kinds = [type(event).__name__ for event in run]
    assert kinds.count("Restarted") == 1
    assert kinds[-1] == "Finished"
    assert [size.n for size in run.sizes] == sizes
