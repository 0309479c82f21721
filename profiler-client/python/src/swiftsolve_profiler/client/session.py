"""The protocol of a client, written as generators that perform no I/O.

A generator yields a step and receives its result. So the same code serves `Profiler`, which blocks,
and `AsyncProfiler`, which awaits:

    submit: first event ──┐ ┌── attach: WatchRun(after) opened
                          ▼ ▼
           ┌────────────▶ open ──last event──▶ ended ──its status──▶ over
           │ message        │ UNAVAILABLE, ABORTED, a transport error, an end
           │                │ without a last event, or silence
           │                ▼
           └─ WatchRun ── broken ──▶ an error: another status (the server does not know
              (last event)   ▲  │      the run), or no message within OUTAGE_S
                             └──┘ backoff

If a private server died, the server that replaces it does not know the run. Then the job is
submitted again, once: `Restarted` stands for the first event of the new run.

Invariant: the numbers of delivered events rise by one, from 1 in a new run. An event with a lower
number was delivered before and is dropped. An event with a higher number is an error.

An outage ends when a message arrives, not when a stream opens. All state is in `Watch`, so a `next`
that is cancelled loses no event.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timezone
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import Message

from swiftsolve_profiler._gen import job_pb2, report_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client.events import (
    CoreAwaited,
    Event,
    Failed,
    Finished,
    Heartbeat,
    Restarted,
    SizeMeasured,
    event,
)
from swiftsolve_profiler.client.wire import (
    CANCEL_RUN,
    PROFILE_STREAM,
    WATCH_RUN,
    Call,
    Failure,
    Method,
    Open,
    Read,
    Silent,
    Sleep,
    Steps,
    T,
    failure,
    log,
)
from swiftsolve_profiler.errors import (
    ContractError,
    DeadlineExceeded,
    Lost,
    Overloaded,
    StatusError,
    Unavailable,
)
from swiftsolve_profiler.report.full import FullReport
from swiftsolve_profiler.report.names import outcome, shown, size_bound
from swiftsolve_profiler.report.verdict.sentence import objection_if_starved

CALL_S: Final = 10.0
"""Seconds for all attempts of a call that does not submit or watch a run."""
SUBMIT_S: Final = 60.0
"""Seconds, without a timeout, in which a server accepts no job and does not say that it is full."""
OPENING_S: Final = 5.0
"""Seconds for opening a stream again."""
SILENCE_S: Final = 20.0
"""Seconds without a message after which the server counts as gone. Heartbeats come every 5 s."""
OUTAGE_S: Final = 30.0
"""Seconds for resuming a broken stream: the server keeps the run for this long."""
TRAILER_S: Final = 1.0
"""Seconds to wait for the status after the last event."""
FIRST_DELAY_S: Final = 0.1
"""The shortest wait before the second attempt, in seconds. Each further wait doubles."""
LAST_DELAY_S: Final = 2.0
"""The longest wait in seconds, before jitter. Jitter makes each wait up to twice as long."""
LEAST_DELAY_S: Final = 0.05
"""The shortest wait in seconds before the last attempt. Waits become shorter near the end."""
ATTEMPTS: Final = 2
"""Maximum number of runs of a job: the second one only after the death of a private server."""
DIED: Final = "the private server died"
"""The reason of a second run."""


class Session:
    """The state of a client that outlives its runs."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.reached = False
        """Whether the server has ever answered."""
        self.deaths = 0
        """Number of private servers that died. Zero if the server has an address."""

    def call(self, method: Method[Any, T_A], request: Message) -> Steps[T_A]:
        """Makes an idempotent call, with retries."""
        until = self.clock() + CALL_S

        def attempt() -> Steps[T_A]:
            try:
                answer: T_A = yield Call(method, request, max(0.0, until - self.clock()))
            except grpc.RpcError as error:
                if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                    message = f"the server did not answer within {CALL_S:.0f} s"
                    raise Failure(Unavailable(message)) from error
                raise failure(error) from error
            self.reached = True
            return answer

        return (yield from self._retried(until, attempt))

    def submit(self, job: job_pb2.Job, timeout: float | None) -> Steps[Watch]:
        """Submits a job, with retries, until it is accepted."""
        watch = Watch(self, timeout)
        watch.tests = tuple(job.test_cases)
        watch.bound = size_bound(job.input_bounds, job.size_variable)
        request = watch.request = pb.ProfileStreamRequest(job=job)
        return (yield from watch.begin(lambda: watch.accepted(request)))

    def attach(self, run_id: str, after: int, timeout: float | None) -> Steps[Watch]:
        """Watches a run, from the event after number `after`."""
        watch = Watch(self, timeout, run_id, after)
        return (yield from watch.begin(watch.open))

    def _retried(
        self, deadline: float | None, attempt: Callable[[], Steps[T]], *, patient: bool = False
    ) -> Steps[T]:
        """Repeats an attempt until `deadline`; without one, for `SUBMIT_S` after a full queue."""
        until = self.clock() + SUBMIT_S if deadline is None else deadline
        delays = _delays()
        while True:
            try:
                return (yield from attempt())
            except Failure as failed:
                if deadline is None and isinstance(failed.error, Overloaded):
                    until = self.clock() + SUBMIT_S
                delay = self.delay(failed, delays, until, patient=patient)
                if delay is None:
                    raise failed.error from failed.__cause__
                # A full queue is no fault.
                level = logging.INFO if isinstance(failed.error, Overloaded) else logging.WARNING
                log.log(level, "%s; trying again in %.1f s", failed.error, delay)
            yield Sleep(delay)

    def delay(
        self, failed: Failure, delays: Iterator[float], until: float, *, patient: bool = False
    ) -> float | None:
        """Returns the seconds until the next attempt, or None if there is none."""
        # The address of a server that has never answered may be wrong. Only a caller with a
        # timeout has said how long it would wait.
        hopeless = failed.lost and not self.reached and not patient
        if failed.again is None or hopeless:
            return None
        # At most half of the time left, so that the last attempt is close to the end.
        most = (until - self.clock() - failed.again) / 2
        return failed.again + min(next(delays), most) if most >= LEAST_DELAY_S else None


T_A = TypeVar("T_A", bound=Message)


def _delays() -> Iterator[float]:
    delay = FIRST_DELAY_S
    while True:
        # Jitter: clients that lost the same server must not return at the same moment.
        yield delay * (1 + random.random())
        delay = min(2 * delay, LAST_DELAY_S)


class Watch:
    """One caller's view of a run: the last event that was delivered, and the open stream."""

    def __init__(
        self, session: Session, timeout: float | None, run_id: str = "", after: int = 0
    ) -> None:
        self.run_id = run_id
        self.sequence = after
        self.ended = False
        self.sizes: list[report_pb2.SizeResult] = []
        self.tests: tuple[job_pb2.TestCase, ...] = ()
        self.bound: int | None = None
        self.request: pb.ProfileStreamRequest | None = None
        """The submission. None if the run is another caller's, or was cancelled."""
        self._attempt = 0
        self._deaths = 0
        self._session = session
        self._clock = session.clock
        self._deadline = None if timeout is None else session.clock() + timeout
        self._first: Event | None = None
        self._stream: Any = None
        self._outage: _Outage | None = None

    def begin(self, attempt: Callable[[], Steps[None]]) -> Steps[Watch]:
        """Repeats the attempt until it succeeds, or until a time limit."""
        try:
            patient = self._deadline is not None
            yield from self._session._retried(self._deadline, attempt, patient=patient)
        except DeadlineExceeded as error:
            if self._session.reached:
                raise
            raise Unavailable("no server answered within the timeout") from error
        return self

    def accepted(self, request: pb.ProfileStreamRequest) -> Steps[None]:
        """Submits a job and reads the first event, which has the run's id."""
        # Not later: the server may die as soon as it has accepted the job.
        deaths = self._session.deaths
        # Servers of 0.2 and proxies let a stream wait for others of its connection.
        opening = max(SUBMIT_S, (self._deadline or 0.0) - self._clock())
        yield from self._opened(PROFILE_STREAM, request, opening)
        message = yield from self._read()
        self._deaths, self._outage = deaths, None
        self._attempt += 1
        self.run_id, self.sequence = message.run_id, 0
        self._first = self._take(message)
        if self._attempt > 1:
            self.sizes.clear()
            at = message.time.ToDatetime(timezone.utc)
            self._first = Restarted(self.run_id, self.sequence, at, self._attempt, DIED)

    def open(self) -> Steps[None]:
        """Opens a stream of the events after the last one that was delivered."""
        request = pb.WatchRunRequest(run_id=self.run_id, after_sequence=self.sequence)
        yield from self._opened(WATCH_RUN, request, OPENING_S)

    def next(self) -> Steps[Event | None]:
        """Returns the next event, each once and in order, and None after the last."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        while not self.ended:
            try:
                if self._stream is None:
                    yield from self._again()
                message = yield from self._read()
            except Failure as failed:
                if self.request is not None and self._is_forgotten(failed):
                    yield from self._submit_again(self.request)
                    return (yield from self.next())
                self._broken(failed)
                continue
            self._outage = None
            found = self._take(message)
            if found is not None:
                return found
        yield from self._trailer()
        return None

    def cancel(self) -> Steps[None]:
        """Ends the run. Its job is not submitted again."""
        self.request = None
        yield from self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=self.run_id))

    def _is_forgotten(self, failed: Failure) -> bool:
        """Returns whether the server replaces a private one that died with the run."""
        is_unknown = isinstance(failed.error, StatusError) and failed.error.code == "NOT_FOUND"
        return is_unknown and self._session.deaths > self._deaths

    def _submit_again(self, request: pb.ProfileStreamRequest) -> Steps[None]:
        """Submits the job to the server that replaces a private one. Raises `Lost` at the end."""
        if self._attempt >= ATTEMPTS:
            raise Lost("the private server died again during the run")
        log.warning("%s; submitting the job again", DIED)
        # The new server has answered that it does not know the run.
        self._session.reached = True

        def attempt() -> Steps[None]:
            try:
                yield from self.accepted(request)
            except Failure as failed:
                if failed.lost:
                    raise Lost(f"the private server is lost again: {failed.error}") from failed
                raise

        yield from self.begin(attempt)

    def _again(self) -> Steps[None]:
        if self._outage is not None and (wait := self._outage.next - self._clock()) > 0:
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
            raise Failure.gone(f"the server did not answer within {opening:.0f} s") from None

    def _read(self) -> Steps[pb.Event]:
        # A cancelled read ends its stream, so the next read must open another.
        stream, self._stream = self._stream, None
        try:
            answer = yield Read(stream, SILENCE_S)
        except grpc.RpcError as error:
            raise failure(error) from error
        except Silent:
            raise Failure.gone(f"the server was silent for {SILENCE_S:.0f} s") from None
        if answer is None:
            raise Failure.gone("the stream ended without a last event")
        self._stream = stream
        self._session.reached = True
        message: pb.Event = answer.event
        return message

    def _broken(self, failed: Failure) -> None:
        """Plans the next attempt, or raises if there is none."""
        now = self._clock()
        if self._outage is None:
            self._outage = _Outage(_delays(), until=now + OUTAGE_S, next=now)
        # A server that accepted the run has answered, even if its successor has not yet.
        patient, outage = self._attempt > 0, self._outage
        delay = self._session.delay(failed, outage.delays, outage.until, patient=patient)
        if delay is None and failed.again is None:
            raise failed.error from failed.__cause__
        if delay is None:
            lost = Lost(f"the server is lost: {failed.error}")
            lost.info = failed.error.info
            raise lost from failed.error
        log.warning("%s; resuming the run in %.1f s", failed.error, delay)
        self._outage.next = now + delay

    def _take(self, message: pb.Event) -> Event | None:
        """Accepts the next event, and refuses a gap.

        Drops an event that was delivered before, and an event of a kind that only a later version
        knows.
        """
        found = event(message, self.tests, self.bound)
        due = self.sequence + (0 if isinstance(found, Heartbeat) else 1)
        if message.sequence > due:
            raise ContractError(
                f"the server sent event {message.sequence} after event {self.sequence}"
            )
        if message.sequence < due:
            return None
        self.sequence = due
        self.ended = isinstance(found, (Finished, Failed))
        if isinstance(found, SizeMeasured):
            self.sizes.append(found.result)
        elif isinstance(found, Restarted):
            # The earlier sizes are void.
            self.sizes.clear()
        return found

    def _trailer(self) -> Steps[None]:
        """Reads the status after the last event. Dropping the stream earlier would reset it."""
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                yield Read(stream, TRAILER_S)
            except (grpc.RpcError, Silent):
                log.debug("the stream did not end by itself")


@dataclass
class _Outage:
    """The time from a broken stream to the next message."""

    delays: Iterator[float]
    until: float
    next: float


def ending(found: Event) -> FullReport | None:
    """Returns the report of the last event, or raises the error of a run that ended early."""
    if isinstance(found, SizeMeasured):
        size = found.result
        figures = (size.size, outcome(size), size.runtime_ms, size.peak_memory_mb)
        log.info("n = %d: %s, %.3f ms, %.2f MiB", *figures)
    if isinstance(found, CoreAwaited):
        log.info("waiting for core %d: %s", found.core, shown(found.holder, layout=""))
    if isinstance(found, Restarted):
        where = " on another host" if found.worker else ""
        reason = shown(found.reason, layout="")
        log.warning("restarted%s: %s; the sizes above are void", where, reason)
    if isinstance(found, Failed):
        raise found.error
    if not isinstance(found, Finished):
        return None
    if starved := objection_if_starved(found.report.message):
        task = shown(found.report.message.task_id, layout="")
        log.warning("%s: %s", task, shown(starved))
    return found.report
