"""A spec that the server proposed for sample inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swiftsolve_profiler._gen.input_pb2 import InputSpec


@dataclass(frozen=True)
class InferredSpec:
    """A spec that the server proposed for sample inputs. `input_specs` takes it as it is."""

    spec: InputSpec
    """The spec. Its ranges are those of the samples."""
    assumptions: tuple[str, ...]
    """What was assumed, a sentence each."""
