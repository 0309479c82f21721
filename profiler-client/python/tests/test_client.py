"""Both clients, over a socket, against a server that disconnects, refuses and falls silent."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import cast, get_args

import grpc
import pytest
from fake import BREAKS, RUN, Fake, Hangs, Refuses, accepted, beat, event, failed, finished, size

from swiftsolve_profiler import (
    Accepted,
    AsyncProfiler,
    CodeMessage,
    ContractError,
    CoreAwaited,
    DeadlineExceeded,
    ErrorInfo,
    Exported,
    ExportFormat,
    Failed,
    Finished,
    InferredSpec,
    InputSpec,
    InvalidRequest,
    NotInferred,
    Overloaded,
    ParseError,
    Profiler,
    ProfilerError,
    Restarted,
    SandboxError,
    SizeMeasured,
    Started,
    StatusError,
    Unavailable,
    Violation,
    input_specs,
)
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client import session
from swiftsolve_profiler.client.wire import (
    CANCEL_RUN,
    DELETE_RUN,
    EXPORT_RUN,
    GET_CAPABILITIES,
    GET_RUN,
    INFER_INPUTS,
    LIST_RUNS,
    PROFILE_STREAM,
    WATCH_RUN,
)

CODE = CodeMessage(task_id="t", iteration=2, code_cpp="int main() {}")
STARTED = event(2, started=pb.Started(attempt=1, worker="node-1", pool="f1"))
AGAIN = event(
    4,
    restarted=pb.Restarted(attempt=2, reason="the worker is gone", worker="node-2", pool="f2"),
)


def submitted(fake: Fake, index: int = 0) -> job_pb2.Job:
    request = fake.calls[index][1]
    assert isinstance(request, pb.ProfileStreamRequest)
    return request.job


def test_a_report_comes_in_the_controllers_form(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), size(2), finished(3))
    report = client.run(CODE, debug=True, sizes=[10])
    assert (report.task_id, report.iteration) == ("t", 2)
    assert (report.input_sizes, report.runtime_ms, report.peak_memory_mb) == ([10], [1.5], [2.5])
    assert submitted(fake).debug
    assert list(submitted(fake).input_sizes) == [10]
    assert fake.metadata[0]["x-caller"] == "a test"


def test_events_come_once_and_in_order_over_a_broken_stream(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), size(2), BREAKS)
    fake.says(WATCH_RUN, size(3, 20), BREAKS)
    fake.says(WATCH_RUN, BREAKS)
    fake.says(WATCH_RUN, beat(3), size(4, 30), finished(5))
    run = client.submit(CODE)
    assert run.id == RUN
    kinds = [(type(event).__name__, event.sequence) for event in run]
    assert kinds == [
        ("Accepted", 1),
        ("SizeMeasured", 2),
        ("SizeMeasured", 3),
        ("Heartbeat", 3),
        ("SizeMeasured", 4),
        ("Finished", 5),
    ]
    assert run.sequence == 5
    watched = [
        request.after_sequence
        for _, request in fake.calls
        if isinstance(request, pb.WatchRunRequest)
    ]
    assert watched == [2, 3, 3]


def test_sizes_before_a_restart_are_dropped(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), STARTED, size(3, 10), AGAIN, size(5, 20), finished(6))
    run = client.submit(CODE)
    seen = []
    for happened in run:
        seen.append((type(happened).__name__, [size.n for size in run.sizes]))
        if isinstance(happened, Started):
            assert (happened.attempt, happened.worker, happened.pool) == (1, "node-1", "f1")
        if isinstance(happened, Restarted):
            assert (happened.attempt, happened.reason) == (2, "the worker is gone")
            assert (happened.worker, happened.pool) == ("node-2", "f2")
    assert seen == [
        ("Accepted", []),
        ("Started", []),
        ("SizeMeasured", [10]),
        ("Restarted", []),
        ("SizeMeasured", [20]),
        ("Finished", [20]),
    ]


def test_a_wait_for_a_core_says_who_holds_it(
    client: Profiler, fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    awaited = event(2, core_awaited=pb.CoreAwaited(core=1, holder="swiftprof, process 4711"))
    fake.says(PROFILE_STREAM, accepted(), awaited, size(3), finished(4))
    told = [found for found in client.submit(CODE) if isinstance(found, CoreAwaited)]
    assert [(found.core, found.holder) for found in told] == [(1, "swiftprof, process 4711")]
    fake.says(PROFILE_STREAM, accepted(), awaited, size(3), finished(4))
    with caplog.at_level(logging.INFO, "swiftsolve_profiler"):
        client.profile(CODE)
    assert "waiting for core 1: swiftprof, process 4711" in caplog.text


def test_a_restart_goes_on_over_broken_streams(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), STARTED, size(3, 10), BREAKS)
    fake.says(WATCH_RUN, AGAIN, BREAKS)
    # An event that was delivered before drops nothing.
    fake.says(WATCH_RUN, AGAIN, size(5, 20), finished(6))
    run = client.submit(CODE)
    assert [event.sequence for event in run] == [1, 2, 3, 4, 5, 6]
    assert [size.n for size in run.sizes] == [20]


def test_who_waits_is_told_of_a_restart(
    client: Profiler, fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    fake.says(PROFILE_STREAM, accepted(), STARTED, size(3, 10), AGAIN, size(5, 20), finished(6))
    with caplog.at_level(logging.INFO, "swiftsolve_profiler"):
        report = client.profile(CODE)
    said = "restarted on another host: the worker is gone; the sizes above are void"
    n10, void, n20 = caplog.messages
    assert (n10[:6], void, n20[:6]) == ("n = 10", said, "n = 20")
    assert report.message.run_id == RUN


def test_a_server_that_comes_back_is_found(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), size(2), Hangs())
    fake.says(WATCH_RUN, finished(3))
    run = client.submit(CODE)
    assert isinstance(next(run), Accepted)
    assert isinstance(next(run), SizeMeasured)
    fake.stop()
    fake.start()
    last = next(run)
    assert isinstance(last, Finished)
    assert last.report.message.run_id == RUN


def test_a_job_is_submitted_again_as_the_same_run(client: Profiler, fake: Fake) -> None:
    fake.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse(backend="fake"))
    assert client.capabilities().backend == "fake"
    fake.says(PROFILE_STREAM, BREAKS)
    fake.says(PROFILE_STREAM, Refuses(grpc.StatusCode.UNAVAILABLE))
    fake.says(PROFILE_STREAM, accepted(), finished(2))
    client.profile(CODE)
    ids = {submitted(fake, index).request_id for index in (1, 2, 3)}
    assert len(ids) == 1


def test_silence_breaks_a_stream(
    client: Profiler, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    # If the machine stalls, the next stream may be silent for too long as well. The waits between
    # streams grow, so fewer than 20 fit into the timeout.
    for _ in range(20):
        fake.says(WATCH_RUN, finished(2))
    # A client that never noticed would wait forever without the timeout.
    run = client.submit(CODE, timeout=15)
    # Not before the run is accepted: until then, a stall would be a server that never answered.
    monkeypatch.setattr(session, "SILENCE_S", 0.3)
    assert run.wait().message.task_id == "t"


def test_opening_may_take_only_so_long(
    client: Profiler, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "OPENING_S", 0.2)
    fake.says(PROFILE_STREAM, accepted(), BREAKS)
    fake.says(WATCH_RUN, Hangs())
    # If the machine stalls, the next opening may take too long as well. The waits between openings
    # grow, so fewer than 20 fit into the timeout.
    for _ in range(20):
        fake.says(WATCH_RUN, finished(2))
    # The timeout is shorter than SILENCE_S, so that only the limit of an opening can help.
    assert client.profile(CODE, timeout=15).message.task_id == "t"


@pytest.mark.parametrize("code", ["compile", "memory", "parse"])
def test_what_ends_a_run_early_is_raised(client: Profiler, fake: Fake, code: str) -> None:
    fake.says(PROFILE_STREAM, accepted(), failed(2, code))
    with pytest.raises(SandboxError, match=f"it was {code}") as error:
        client.run(CODE)
    assert error.value.code == code
    assert isinstance(error.value, ParseError) is (code == "parse")


def test_the_last_event_holds_what_ended_a_run(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), failed(2, "internal"))
    last = list(client.submit(CODE))[-1]
    assert isinstance(last, Failed)
    assert last.error.code == "internal"
    assert last.error.partial is None


def test_every_bad_field_is_named(client: Profiler, fake: Fake) -> None:
    violations = (("code.code_cpp", "must not be empty"), ("input_sizes[1]", "must increase"))
    refuses = Refuses(grpc.StatusCode.INVALID_ARGUMENT, "invalid request", violations)
    fake.says(PROFILE_STREAM, refuses)
    with pytest.raises(InvalidRequest, match="invalid request") as error:
        client.run(CODE)
    assert error.value.violations == tuple(Violation(*violation) for violation in violations)
    assert fake.names() == ["ProfileStream"]


def test_a_full_queue_says_when_to_come_back(client: Profiler, fake: Fake) -> None:
    # Longer than a submission may take, so the client does not wait for it.
    full = Refuses(grpc.StatusCode.RESOURCE_EXHAUSTED, "full", retry_after=120)
    fake.says(PROFILE_STREAM, full)
    with pytest.raises(Overloaded, match="full") as error:
        client.run(CODE)
    assert error.value.retry_after == 120


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.ALREADY_EXISTS,
    ],
)
def test_the_reason_of_every_refusal_reaches_the_caller(
    client: Profiler, fake: Fake, code: grpc.StatusCode
) -> None:
    # After an answer, a deadline is the server's.
    fake.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse())
    fake.says(PROFILE_STREAM, Refuses(code))
    client.capabilities()
    with pytest.raises(ProfilerError) as error:
        client.run(CODE)
    assert error.value.info == ErrorInfo("TEST", "tests", {"fact": "1"})


def test_the_transport_gives_no_reason(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, BREAKS)
    with pytest.raises(Unavailable) as error:
        client.run(CODE)
    assert error.value.info is None


def test_the_timeout_ends_a_run(client: Profiler, fake: Fake) -> None:
    fake.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse())
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    fake.says(CANCEL_RUN, pb.CancelRunResponse())
    # After this answer, a timeout that passes before the run is accepted does not mean that no
    # server was reached.
    client.capabilities()
    with pytest.raises(DeadlineExceeded):
        client.run(CODE, timeout=0.2)


def test_a_run_that_is_left_is_cancelled(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    fake.says(CANCEL_RUN, pb.CancelRunResponse())
    with client.submit(CODE) as run:
        next(iter(run))
    assert fake.calls[-1] == ("CancelRun", pb.CancelRunRequest(run_id=RUN))


def test_runs_that_go_on_are_left_alone(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    fake.says(WATCH_RUN, size(5), Hangs())
    fake.says(WATCH_RUN, Hangs())
    with client.submit(CODE, on_disconnect="detach"):
        pass
    with client.attach(RUN, 4) as run:
        assert next(iter(run)).sequence == 5
    assert "CancelRun" not in fake.names()


def test_a_run_can_be_cancelled_and_still_ends(client: Profiler, fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), failed(2, "cancelled"))
    fake.says(CANCEL_RUN, pb.CancelRunResponse())
    run = client.submit(CODE)
    run.cancel()
    with pytest.raises(SandboxError) as error:
        run.wait()
    assert error.value.code == "cancelled"
    with pytest.raises(ContractError, match="already read"):
        run.wait()


def test_runs_are_looked_at(client: Profiler, fake: Fake) -> None:
    fake.says(GET_RUN, pb.GetRunResponse(run=pb.Run(run_id=RUN)))
    fake.says(LIST_RUNS, pb.ListRunsResponse(runs=[pb.Run(run_id=RUN)], next_page_token="next"))
    fake.says(CANCEL_RUN, Refuses(grpc.StatusCode.NOT_FOUND, "no run"))
    assert client.get_run(RUN).run.run_id == RUN
    page = client.list_runs("token", 5)
    assert (page.runs[0].run_id, page.next_page_token) == (RUN, "next")
    assert fake.calls[-1][1] == pb.ListRunsRequest(page_token="token", page_size=5)
    with pytest.raises(StatusError, match="NOT_FOUND: no run"):
        client.cancel(RUN)


def test_a_run_is_deleted_unless_it_is_live(client: Profiler, fake: Fake) -> None:
    fake.says(DELETE_RUN, pb.DeleteRunResponse())
    fake.says(DELETE_RUN, Refuses(grpc.StatusCode.FAILED_PRECONDITION, "live"))
    client.delete(RUN)
    assert fake.calls[-1] == ("DeleteRun", pb.DeleteRunRequest(run_id=RUN))
    with pytest.raises(StatusError, match="FAILED_PRECONDITION: live"):
        client.delete(RUN)


def test_a_run_is_exported(client: Profiler, fake: Fake) -> None:
    answer = pb.ExportRunResponse(file_name="t.csv", media_type="text/csv", content=b"size\n10\n")
    fake.says(EXPORT_RUN, answer)
    exported = client.export(RUN, "csv")
    assert exported == Exported("t.csv", "text/csv", b"size\n10\n")
    assert exported.text == "size\n10\n"
    assert fake.calls[-1][1] == pb.ExportRunRequest(run_id=RUN, format=pb.EXPORT_FORMAT_CSV)
    fake.says(
        EXPORT_RUN, Refuses(grpc.StatusCode.FAILED_PRECONDITION, "the run has no call stacks")
    )
    with pytest.raises(StatusError, match="no call stacks"):
        client.export(RUN, "flame_graph")


def test_a_proposed_spec_is_a_spec_of_a_job(client: Profiler, fake: Fake) -> None:
    spec = InputSpec(name="inferred")
    proposal = pb.InputProposal(spec=spec, assumptions=["1 to 9, as in the samples"])
    other = pb.InputProposal(spec=InputSpec(name="other"))
    fake.says(INFER_INPUTS, pb.InferInputsResponse(proposal=proposal, others=[other]))
    found = client.infer_inputs("3\n1 9 4\n")
    assert found.assumptions == ("1 to 9, as in the samples",)
    assert found.others == (InferredSpec(InputSpec(name="other"), ()),)
    assert fake.calls[-1][1] == pb.InferInputsRequest(samples=["3\n1 9 4\n"])
    fake.says(PROFILE_STREAM, accepted(), finished(2))
    client.profile(CODE, input_specs=found)
    assert list(submitted(fake, 1).input_specs) == [spec]


def test_a_refused_inference_has_its_readings(client: Profiler, fake: Fake) -> None:
    specs = [InputSpec(name="one"), InputSpec(name="other")]
    readings = [pb.InputProposal(spec=spec, assumptions=[spec.name]) for spec in specs]
    refusal = pb.InputRefusal(reason="in 2 ways", readings=readings)
    fake.says(INFER_INPUTS, pb.InferInputsResponse(refusal=refusal))
    with pytest.raises(NotInferred, match="in 2 ways") as refused:
        client.infer_inputs(["1\n", "2\n"])
    assert refused.value.readings == tuple(InferredSpec(spec, (spec.name,)) for spec in specs)
    assert input_specs(refused.value.readings) == specs
    fake.says(INFER_INPUTS, pb.InferInputsResponse())
    with pytest.raises(ContractError, match="neither"):
        client.infer_inputs(["1\n"])
    with pytest.raises(InvalidRequest, match="samples"):
        client.infer_inputs(cast(list[str], [1]))


def test_every_format_of_the_contract_has_a_name(client: Profiler, fake: Fake) -> None:
    for name in get_args(ExportFormat):
        fake.says(EXPORT_RUN, pb.ExportRunResponse())
        client.export(RUN, name)
    asked = {cast(pb.ExportRunRequest, message).format for _, message in fake.calls}
    assert asked == set(pb.ExportFormat.values()) - {pb.EXPORT_FORMAT_UNSPECIFIED}
    with pytest.raises(InvalidRequest, match="must be one of"):
        client.export(RUN, cast(ExportFormat, "unspecified"))


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:1", "unix:/nowhere/socket"])
def test_nobody_at_home_is_said_at_once(endpoint: str) -> None:
    with Profiler(endpoint) as profiler, pytest.raises(Unavailable):
        profiler.run(CODE)


@pytest.mark.parametrize("endpoint", ["", "grpcs://host:1", "http://", "host/path"])
def test_what_is_no_endpoint_is_said(endpoint: str) -> None:
    with pytest.raises(InvalidRequest, match="endpoint"):
        Profiler(endpoint)


def test_a_caller_has_a_name_that_can_be_sent() -> None:
    for name in ("Zoë", "a\nb"):
        with pytest.raises(InvalidRequest, match="caller"):
            Profiler("host:1", caller=name)


def test_an_awaited_event_that_is_given_up_comes_later(fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    fake.says(WATCH_RUN, size(2), finished(3))

    async def main() -> list[int]:
        async with AsyncProfiler(f"127.0.0.1:{fake.port}") as profiler:
            run = await profiler.submit(CODE)
            first = await anext(run)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(run), 0.1)
            return [first.sequence] + [event.sequence async for event in run]

    assert asyncio.run(main()) == [1, 2, 3]


def test_files_are_read_relative_to_the_caller(
    client: Profiler, fake: Fake, tmp_path: Path
) -> None:
    (tmp_path / "spec.json").write_text('{"name": "from a file"}')
    fake.says(PROFILE_STREAM, accepted(), finished(2))
    client.run(CODE, input_specs=[tmp_path / "spec.json"])
    assert submitted(fake).input_specs[0].name == "from a file"


def test_a_task_that_is_cancelled_ends_its_run(fake: Fake) -> None:
    fake.says(PROFILE_STREAM, accepted(), Hangs())
    fake.says(CANCEL_RUN, pb.CancelRunResponse())

    async def main() -> None:
        async with AsyncProfiler(f"127.0.0.1:{fake.port}") as profiler:
            task = asyncio.create_task(profiler.run(CODE))
            # Until the first event has come, the run is not accepted, and there is none to cancel.
            while not (profiler._session.reached or task.done()):
                await asyncio.wait([task], timeout=0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert fake.names() == ["ProfileStream", "CancelRun"]
