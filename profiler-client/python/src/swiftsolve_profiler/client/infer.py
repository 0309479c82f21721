"""Specs that the server proposes for sample inputs."""

from __future__ import annotations

from collections.abc import Iterable

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import ContractError, InvalidRequest, NotInferred
from swiftsolve_profiler.job.inferred import InferredSpec


def request(samples: str | Iterable[str]) -> pb.InferInputsRequest:
    """Returns the request for a spec. Raises `InvalidRequest` if a sample is not a text."""
    given = [samples] if isinstance(samples, str) else list(samples)
    try:
        return pb.InferInputsRequest(samples=given)
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"samples: {error}") from error


def inferred(answer: pb.InferInputsResponse) -> InferredSpec:
    """Returns the proposals of an answer. Raises `NotInferred` for a refusal."""
    if answer.WhichOneof("answer") is None:
        raise ContractError("the answer has neither a proposal nor a refusal")
    if answer.HasField("refusal"):
        refusal = answer.refusal
        raise NotInferred(refusal.reason, tuple(_spec(reading) for reading in refusal.readings))
    likeliest = _spec(answer.proposal)
    others = tuple(_spec(other) for other in answer.others)
    return InferredSpec(likeliest.spec, likeliest.assumptions, others)


def _spec(proposal: pb.InputProposal) -> InferredSpec:
    return InferredSpec(proposal.spec, tuple(proposal.assumptions))
