"""A client's protocol without a server: its steps are answered by a test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from fake import Refuses, accepted

from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client.session import Session, Watch
from swiftsolve_profiler.client.wire import Open, Read, Silent, Sleep, Step, Steps


class Broken(grpc.RpcError):
    """A status, as both kinds of gRPC raise it."""

    def __init__(self, status: Refuses) -> None:
        self.status = status

    def code(self) -> grpc.StatusCode:
        return self.status.code

    def details(self) -> str:
        return self.status.details

    def trailing_metadata(self) -> Any:
        return self.status.trailing_metadata


def gone() -> Broken:
    return Broken(Refuses(grpc.StatusCode.UNAVAILABLE, "gone", by_transport=True))


def refused(code: grpc.StatusCode, retry_after: int | None = None) -> Broken:
    return Broken(Refuses(code, retry_after=retry_after))


class World:
    """Takes the steps: the answers are written down, or made from the step."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.session = Session(lambda: self.now)
        self.steps: list[Step] = []

    def drive(
        self, steps: Steps[Any], *answers: Any, default: Callable[[Step], Any] | None = None
    ) -> Any:
        """What comes of the steps."""
        left = list(answers)
        try:
            step = next(steps)
            while True:
                self.steps.append(step)
                if isinstance(step, Sleep):
                    self.now += step.seconds
                    step = steps.send(None)
                    continue
                answer = (
                    left.pop(0) if left else default(step) if default else pytest.fail(f"{step}")
                )
                if callable(answer):
                    answer = answer()
                if isinstance(answer, Silent):
                    self.now += step.timeout if isinstance(step, Read) else step.opening  # type: ignore[union-attr]
                step = steps.throw(answer) if isinstance(answer, Exception) else steps.send(answer)
        except StopIteration as done:
            assert left == []
            return done.value

    def dies(self) -> Broken:
        """The private server dies. The answer is that of its successor, which knows no run."""
        self.session.deaths += 1
        self.session.reached = False
        return refused(grpc.StatusCode.NOT_FOUND)

    def watch(self, timeout: float | None = None) -> Watch:
        """A run that has been accepted."""
        steps = self.session.submit(job_pb2.Job(request_id="r"), timeout)
        watch: Watch = self.drive(steps, "stream", answer(accepted()))
        assert self.drive(watch.next()).sequence == 1
        self.steps.clear()
        return watch

    def slept(self) -> list[float]:
        return [step.seconds for step in self.steps if isinstance(step, Sleep)]

    def opened(self) -> list[Open]:
        return [step for step in self.steps if isinstance(step, Open)]


def answer(event: pb.Event) -> pb.WatchRunResponse:
    return pb.WatchRunResponse(event=event)
