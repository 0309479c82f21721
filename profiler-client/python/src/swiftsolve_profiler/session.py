"""What a client does, as steps that somebody else takes.

Nothing in this module sends, waits or sleeps. It yields a step and is given what came of it, so that the
same lines serve `Profiler`, which blocks, and `AsyncProfiler`, which awaits:

    submit: first event ──┐ ┌── attach: WatchRun(after) opened
                          ▼ ▼
           ┌────────────▶ open ──last event──▶ ended ──the status behind it──▶ over
           │ message        │ UNAVAILABLE, ABORTED, a transport error, an end
           │                │ without a last event, or silence
           │                ▼
           └─ WatchRun ── broken ──▶ an error: another status (the profiler does not know
              (last event)   ▲  │      the run), or no message within OUTAGE
                             └──┘ backoff

Between an event's number and that of the event before it stands exactly one step: what does not go on by
one has been delivered already, or is an error. An outage is over when a message has come, not when a
stream has been opened. All of the state stands in `Watch`: a `next` that is given up loses nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from swiftsolve_profiler._gen import job_pb2, report_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import ContractError, DeadlineExceeded, Lost, Unavailable
from swiftsolve_profiler.events import (
    Event,
    Failed,
    Finished,
    Heartbeat,
    Restarted,
    SizeMeasured,
    event,
)
from swiftsolve_profiler.names import outcome
from swiftsolve_profiler.report import FullReport
from swiftsolve_profiler.wire import (
    CANCEL_RUN,
    PROFILE_STREAM,
    WATCH_RUN,
    Failure,
    Method,
    failure,
    log,
)

CALL_S: Final = 10.0
"""How long a call other than a run may take, all its attempts together."""
SUBMIT_S: Final = 60.0
"""How long a job is submitted again and again: some turns of a full queue, or a profiler's restart."""
OPENING_S: Final = 5.0
"""How long opening a stream again may take."""
SILENCE_S: Final = 20.0
"""The profiler shows every 5 s that it lives. One that is silent for so long is gone."""
OUTAGE_S: Final = 30.0
"""How long a broken stream is worth taking up: the profiler keeps the run for so long."""
TRAILER_S: Final = 1.0
"""How long the status behind the last event is waited for."""
FIRST_DELAY_S: Final = 0.1
"""The shortest wait before the second attempt; each further one is twice as long."""
LAST_DELAY_S: Final = 2.0
"""Where the waits stop growing. Chance makes each of them up to twice as long."""


@dataclass(frozen=True)
class Call:
    """Make a call; its answer is what comes of it."""

    method: Method[Any, Any]
    request: Message
    timeout: float


@dataclass(frozen=True)
class Open:
    """Open a stream, within `opening` seconds; the stream is what comes of it."""

    method: Method[Any, Any]
    request: Message
    opening: float
    timeout: float | None
    """The deadline of the whole stream, in seconds from now."""


@dataclass(frozen=True)
class Read:
    """Read a stream's next message, within `timeout` seconds; it is None behind the last."""

    stream: Any
    timeout: float


@dataclass(frozen=True)
class Sleep:
    """Wait."""

    seconds: float


Step: TypeAlias = Call | Open | Read | Sleep


class Silent(Exception):
    """Thrown into the steps when one of them took too long."""


T = TypeVar("T")
Steps: TypeAlias = Generator[Step, Any, T]


class Session:
    """What is known of a profiler: whether it has ever answered."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.reached = False

    def call(self, method: Method[Any, T_A], request: Message) -> Steps[T_A]:
        """Makes a call that may be made twice."""
        until = self.clock() + CALL_S

        def attempt() -> Steps[T_A]:
            try:
                answer: T_A = yield Call(method, request, max(0.0, until - self.clock()))
            except grpc.RpcError as error:
                if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                    message = f"the profiler did not answer within {CALL_S:.0f} s"
                    raise Failure(Unavailable(message)) from error
                raise failure(error) from error
            self.reached = True
            return answer

        return (yield from self._retried(until, attempt))

    def submit(self, job: job_pb2.Job, timeout: float | None) -> Steps[Watch]:
        """Submits a job until it is accepted."""
        watch = Watch(self, timeout)
        request = pb.ProfileStreamRequest(job=job)
        return (yield from watch.begin(lambda: watch.accepted(request)))

    def attach(self, run_id: str, after: int, timeout: float | None) -> Steps[Watch]:
        """Watches a run from behind the event `after`."""
        watch = Watch(self, timeout, run_id, after)
        return (yield from watch.begin(watch.open))

    def _retried(self, until: float, attempt: Callable[[], Steps[T]]) -> Steps[T]:
        delays = _delays()
        while True:
            try:
                return (yield from attempt())
            except Failure as failed:
                delay = self.delay(failed, delays, until)
                if delay is None:
                    raise failed.error from failed.__cause__
                log.warning("%s; trying again in %.1f s", failed.error, delay)
            yield Sleep(delay)

    def delay(self, failed: Failure, delays: Iterator[float], until: float) -> float | None:
        """How long to wait before the next attempt; None where there is none."""
        # A profiler that has never been there may be at another address: that is said at once.
        if failed.again is None or (failed.lost and not self.reached):
            return None
        delay = failed.again + next(delays)
        return delay if self.clock() + delay < until else None


T_A = TypeVar("T_A", bound=Message)


def _delays() -> Iterator[float]:
    delay = FIRST_DELAY_S
    while True:
        # Those who lost the same profiler do not come back at the same moment.
        yield delay * (1 + random.random())
        delay = min(2 * delay, LAST_DELAY_S)


class Watch:
    """Somebody who watches a run."""

    def __init__(self, session: Session, timeout: float | None, run_id: str = "", after: int = 0) -> None:
        self.run_id = run_id
        self.sequence = after
        self.ended = False
        self.sizes: list[report_pb2.SizeResult] = []
        self._session = session
        self._clock = session.clock
        self._deadline = None if timeout is None else session.clock() + timeout
        self._first: Event | None = None
        self._stream: Any = None
        self._outage: _Outage | None = None

    def begin(self, attempt: Callable[[], Steps[None]]) -> Steps[Watch]:
        """Attempts to be accepted, until the deadline at the latest."""
        limit = self._clock() + SUBMIT_S
        until = limit if self._deadline is None else min(limit, self._deadline)
        try:
            yield from self._session._retried(until, attempt)
        except Unavailable as error:
            if self._deadline is not None and until == self._deadline:
                # What it waited for would have come too late.
                raise DeadlineExceeded(f"the timeout leaves no time to wait: {error}") from error
            raise
        return self

    def accepted(self, request: pb.ProfileStreamRequest) -> Steps[None]:
        """Submits a job, and reads the event that names the run."""
        yield from self._opened(PROFILE_STREAM, request, SUBMIT_S)
        message = yield from self._read()
        self.run_id = message.run_id
        self._first = self._take(message)

    def open(self) -> Steps[None]:
        """Opens a stream of the events to come."""
        request = pb.WatchRunRequest(run_id=self.run_id, after_sequence=self.sequence)
        yield from self._opened(WATCH_RUN, request, OPENING_S)

    def next(self) -> Steps[Event | None]:
        """The next event, each once and in order; None behind the last."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        while not self.ended:
            try:
                if self._stream is None:
                    yield from self._again()
                message = yield from self._read()
            except Failure as failed:
                self._broken(failed)
                continue
            self._outage = None
            found = self._take(message)
            if found is not None:
                return found
        yield from self._trailer()
        return None

    def cancel(self) -> Steps[None]:
        """Ends the run."""
        yield from self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=self.run_id))

    def _again(self) -> Steps[None]:
        wait = 0.0 if self._outage is None else self._outage.next - self._clock()
        if wait > 0:
            yield Sleep(wait)
        yield from self.open()

    def _opened(self, method: Method[Any, Any], request: Message, opening: float) -> Steps[None]:
        left = None if self._deadline is None else self._deadline - self._clock()
        if left is not None and left <= 0:
            raise DeadlineExceeded("the deadline passed before the run ended")
        try:
            self._stream = yield Open(method, request, opening, left)
        except grpc.RpcError as error:
            raise failure(error) from error
        except Silent:
            raise Failure.gone(f"the profiler did not answer within {opening:.0f} s") from None

    def _read(self) -> Steps[pb.Event]:
        # A read that is given up ends its stream, so the next one opens another.
        stream, self._stream = self._stream, None
        try:
            answer = yield Read(stream, SILENCE_S)
        except grpc.RpcError as error:
            raise failure(error) from error
        except Silent:
            raise Failure.gone(f"the profiler was silent for {SILENCE_S:.0f} s") from None
        if answer is None:
            raise Failure.gone("the profiler's stream ended without a last event")
        self._stream = stream
        self._session.reached = True
        message: pb.Event = answer.event
        return message

    def _broken(self, failed: Failure) -> None:
        """Gives up, or plans the next attempt."""
        now = self._clock()
        if self._outage is None:
            self._outage = _Outage(_delays(), until=now + OUTAGE_S, next=now)
        delay = self._session.delay(failed, self._outage.delays, self._outage.until)
        if delay is None and failed.again is None:
            raise failed.error from failed.__cause__
        if delay is None:
            raise Lost(f"the profiler is lost: {failed.error}") from failed.error
        log.warning("%s; taking the run up again in %.1f s", failed.error, delay)
        self._outage.next = now + delay

    def _take(self, message: pb.Event) -> Event | None:
        """Takes what goes on by one step, drops what was delivered, and refuses what leaves a gap."""
        found = event(message)
        due = self.sequence + (0 if isinstance(found, Heartbeat) else 1)
        if found.sequence > due:
            raise ContractError(f"the profiler sent event {found.sequence} behind event {self.sequence}")
        if found.sequence < due:
            return None
        self.sequence = due
        self.ended = isinstance(found, (Finished, Failed))
        if isinstance(found, SizeMeasured):
            self.sizes.append(found.result)
        elif isinstance(found, Restarted):
            # The sizes before it are void.
            self.sizes.clear()
        return found

    def _trailer(self) -> Steps[None]:
        """The status behind the last event: a stream that is dropped before it would be reset."""
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                yield Read(stream, TRAILER_S)
            except (grpc.RpcError, Silent):
                log.debug("the stream did not end by itself")


@dataclass
class _Outage:
    """The time between a stream that broke and the next message."""

    delays: Iterator[float]
    until: float
    next: float


def ending(found: Event) -> FullReport | None:
    """The report, if the event is the last; a run that ended early is raised."""
    if isinstance(found, SizeMeasured):
        size = found.result
        figures = (size.size, outcome(size), size.runtime_ms, size.peak_memory_mb)
        log.info("n = %d: %s, %.3f ms, %.2f MiB", *figures)
    if isinstance(found, Failed):
        raise found.error
    return found.report if isinstance(found, Finished) else None
