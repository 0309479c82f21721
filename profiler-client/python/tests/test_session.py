"""What is tried again, and until when. No test waits: only steps advance the clock."""

from __future__ import annotations

import logging
from typing import Any

import grpc
import pytest
from fake import RUN, accepted, beat, finished, size
from world import World, answer, gone, refused

from swiftsolve_profiler import (
    ContractError,
    DeadlineExceeded,
    Lost,
    Overloaded,
    StatusError,
    Unavailable,
)
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client import session
from swiftsolve_profiler.client.wire import GET_RUN, Call, Open, Read, Silent, Step, Steps

ROUNDING = 1e-6
"""Seconds by which sums of waits may differ."""


def get_run(world: World) -> Steps[pb.GetRunResponse]:
    return world.session.call(GET_RUN, pb.GetRunRequest(run_id=RUN))


def test_waits_grow_to_their_limit(world: World) -> None:
    watch = world.watch()
    with pytest.raises(Lost, match="gone"):
        world.drive(watch.next(), default=lambda _: gone())
    slept = world.slept()
    for index, seconds in enumerate(slept):
        least = min(session.FIRST_DELAY_S * 2**index, session.LAST_DELAY_S)
        left = session.OUTAGE_S - sum(slept[:index])
        assert min(least, left / 2) - ROUNDING <= seconds <= min(2 * least, left / 2) + ROUNDING
    unused = session.OUTAGE_S - sum(slept)
    assert 0 <= unused <= 2 * session.LEAST_DELAY_S + ROUNDING


def test_a_profiler_that_was_never_there_is_not_asked_again(world: World) -> None:
    with pytest.raises(Unavailable, match="gone"):
        world.drive(get_run(world), gone())


def test_a_profiler_that_was_there_is_asked_again(world: World) -> None:
    world.drive(get_run(world), pb.GetRunResponse())
    assert world.drive(get_run(world), gone(), gone(), pb.GetRunResponse()) == pb.GetRunResponse()
    assert len(world.slept()) == 2


def test_a_call_ends_in_time(world: World) -> None:
    with pytest.raises(Unavailable, match="did not answer within 10 s"):
        world.drive(get_run(world), refused(grpc.StatusCode.DEADLINE_EXCEEDED))
    begin = world.now
    with pytest.raises(Unavailable):
        world.drive(get_run(world), default=lambda _: refused(grpc.StatusCode.UNAVAILABLE))
    assert world.now - begin <= session.CALL_S
    calls = [step for step in world.steps if isinstance(step, Call)]
    assert all(0 < call.timeout <= session.CALL_S for call in calls)


def test_the_profiler_says_how_long_to_wait(world: World) -> None:
    steps = world.session.submit(job_pb2.Job(), None)
    full = refused(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=7)
    world.drive(steps, "stream", full, "stream", answer(accepted()))
    assert world.slept()[0] >= 7


def test_a_full_queue_is_waited_for_without_a_timeout(world: World) -> None:
    begin = world.now
    steps = world.session.submit(job_pb2.Job(), None)
    full = [refused(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=7)] * 100
    world.drive(steps, *full, "stream", answer(accepted()))
    assert world.now - begin > 10 * session.SUBMIT_S


@pytest.mark.parametrize("code", [grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE])
def test_a_server_that_accepts_nothing_is_tried_for_as_long_as_the_timeout(
    world: World, code: grpc.StatusCode
) -> None:
    begin = world.now
    timeout = 10 * session.SUBMIT_S
    with pytest.raises(Unavailable) as error:
        world.drive(
            world.session.submit(job_pb2.Job(), timeout),
            default=lambda _: refused(code, retry_after=7),
        )
    assert error.value.retry_after == 7
    assert timeout - 15 <= world.now - begin <= timeout


def test_a_server_that_is_not_ready_is_given_up_after_a_minute_without_a_timeout(
    world: World,
) -> None:
    begin = world.now
    with pytest.raises(Unavailable):
        world.drive(
            world.session.submit(job_pb2.Job(), None),
            default=lambda _: refused(grpc.StatusCode.UNAVAILABLE, retry_after=7),
        )
    assert 45 <= world.now - begin <= session.SUBMIT_S


def test_a_submission_may_wait_for_a_stream_until_its_timeout(world: World) -> None:
    for timeout in (None, 5.0, 600.0):
        world.drive(world.session.submit(job_pb2.Job(), timeout), "stream", answer(accepted()))
    assert [step.opening for step in world.opened()] == [session.SUBMIT_S, session.SUBMIT_S, 600]


def test_a_limit_that_will_be_met_again_is_not_tried_again(world: World) -> None:
    with pytest.raises(Overloaded):
        world.drive(
            world.session.submit(job_pb2.Job(), None), refused(grpc.StatusCode.RESOURCE_EXHAUSTED)
        )


def test_a_timeout_is_shorter_than_the_wait(world: World) -> None:
    full = refused(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=7)
    with pytest.raises(Overloaded):
        world.drive(world.session.submit(job_pb2.Job(), 5), full)


def test_with_a_timeout_an_unknown_address_is_tried_until_then(world: World) -> None:
    world.session.reached = False
    begun = world.now
    with pytest.raises(Unavailable):
        world.drive(world.session.submit(job_pb2.Job(), 3), *[gone()] * 20)
    assert 3 - 2 * session.LEAST_DELAY_S - ROUNDING <= world.now - begun < 3


def test_without_a_timeout_an_unknown_address_is_an_error_at_once(world: World) -> None:
    world.session.reached = False
    begun = world.now
    with pytest.raises(Unavailable):
        world.drive(world.session.submit(job_pb2.Job(), None), gone())
    assert world.now == begun


def test_an_address_that_is_silent_for_the_timeout_is_unavailable(world: World) -> None:
    world.session.reached = False
    late = refused(grpc.StatusCode.DEADLINE_EXCEEDED)
    with pytest.raises(Unavailable, match="within the timeout"):
        world.drive(world.session.submit(job_pb2.Job(), 3), late)
    world.session.reached = True
    with pytest.raises(DeadlineExceeded):
        world.drive(world.session.submit(job_pb2.Job(), 3), late)


def test_waiting_for_a_full_queue_is_no_warning(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="swiftsolve_profiler")
    full = refused(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after=1)
    world.drive(world.session.submit(job_pb2.Job(), None), full, "stream", answer(accepted()))
    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_the_timeout_goes_with_every_stream(world: World) -> None:
    watch = world.watch(timeout=10)
    world.now += 4
    world.drive(watch.next(), gone(), "stream", answer(size(2)))
    left = world.opened()[0].timeout
    assert left is not None
    assert 5 < left < 6
    with pytest.raises(DeadlineExceeded):
        world.drive(watch.next(), refused(grpc.StatusCode.DEADLINE_EXCEEDED))
    world.now += 10
    with pytest.raises(DeadlineExceeded):
        world.drive(watch.next())


def test_a_stream_is_taken_up_behind_the_last_event(world: World) -> None:
    watch = world.watch()
    found = world.drive(watch.next(), gone(), "stream", answer(size(2)))
    assert found.sequence == 2
    request = world.opened()[0].request
    assert request == pb.WatchRunRequest(run_id=RUN, after_sequence=1)


def test_an_event_that_comes_again_is_dropped(world: World) -> None:
    watch = world.watch()
    assert world.drive(watch.next(), answer(accepted()), answer(size(2))).sequence == 2


def test_a_heartbeat_repeats_the_number_before_it(world: World) -> None:
    watch = world.watch()
    assert world.drive(watch.next(), answer(beat(1))).queue_position == 1
    assert world.drive(watch.next(), answer(size(2))).sequence == 2


@pytest.mark.parametrize("event", [size(3), beat(2)])
def test_a_gap_is_an_error(world: World, event: pb.Event) -> None:
    watch = world.watch()
    with pytest.raises(ContractError, match=r"event \d after event 1"):
        world.drive(watch.next(), answer(event))


def test_an_event_without_a_time_is_an_error(world: World) -> None:
    watch = world.watch()
    with pytest.raises(ContractError):
        world.drive(watch.next(), answer(pb.Event(sequence=2, accepted=pb.Accepted())))


def test_an_event_of_a_later_version_is_passed_over(world: World) -> None:
    watch = world.watch()
    # Field 1000, a text: a kind that this version does not know.
    unknown = b"\xc2\x3e\x05later"
    later = [
        pb.Event.FromString(pb.Event(sequence=number).SerializeToString() + unknown)
        for number in (2, 4)
    ]
    assert world.drive(watch.next(), answer(later[0]), answer(size(3))).sequence == 3
    assert world.drive(watch.next(), answer(later[1]), answer(finished(5))).sequence == 5
    with pytest.raises(ContractError, match="event 4 after event 1"):
        world.drive(world.watch().next(), answer(later[1]))


def test_an_end_without_a_last_event_is_a_break(world: World) -> None:
    watch = world.watch()
    assert world.drive(watch.next(), None, "stream", answer(finished(2))).sequence == 2


def test_silence_is_a_break(world: World) -> None:
    watch = world.watch()
    assert world.drive(watch.next(), Silent(), Silent(), "stream", answer(size(2))).sequence == 2
    assert [step.opening for step in world.opened()] == [session.OPENING_S] * 2


def test_an_outage_is_over_when_a_message_has_come(world: World) -> None:
    """Streams that are opened only to break count as one outage, others do not."""
    watch = world.watch()
    for sequence in range(2, 60):
        world.drive(watch.next(), gone(), "stream", answer(size(sequence)))
    begin = world.now

    def breaks(step: Step) -> Any:
        return "stream" if isinstance(step, Open) else gone()

    with pytest.raises(Lost):
        world.drive(watch.next(), default=breaks)
    assert world.now - begin <= session.OUTAGE_S


def test_the_last_reason_of_a_lost_server_is_kept(world: World) -> None:
    watch = world.watch()
    with pytest.raises(Lost) as error:
        world.drive(watch.next(), default=lambda _: refused(grpc.StatusCode.UNAVAILABLE))
    assert error.value.info is not None
    assert error.value.info.reason == "TEST"


def test_a_run_that_is_not_known_is_an_error(world: World) -> None:
    watch = world.watch()
    with pytest.raises(StatusError) as error:
        world.drive(watch.next(), gone(), refused(grpc.StatusCode.NOT_FOUND))
    assert error.value.code == "NOT_FOUND"
    assert str(error.value) == "NOT_FOUND: no"


def test_the_status_behind_the_last_event_is_read(world: World) -> None:
    watch = world.watch()
    assert world.drive(watch.next(), answer(finished(2))).sequence == 2
    assert world.drive(watch.next(), gone()) is None
    assert world.drive(watch.next()) is None
    assert [type(step) for step in world.steps] == [Read, Read]


def test_a_next_that_is_given_up_loses_nothing(world: World) -> None:
    watch = world.watch()
    steps = watch.next()
    assert isinstance(next(steps), Read)
    steps.close()
    assert world.drive(watch.next(), "stream", answer(size(2))).sequence == 2
    assert world.opened()[0].request == pb.WatchRunRequest(run_id=RUN, after_sequence=1)
