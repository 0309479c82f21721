"""A spec that the server proposed for sample inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swiftsolve_profiler._gen.input_pb2 import InputSpec


@dataclass(frozen=True)
class InferredSpec:
    """A spec that the server proposed for sample inputs. It can be passed as `input_specs`."""

    spec: InputSpec
    """The spec. Its ranges are those of the samples."""
    assumptions: tuple[str, ...]
    """The assumptions, one sentence each."""
    others: tuple[InferredSpec, ...] = ()
    """Specs of other readings of the samples, the likeliest first. They have no `others`."""
