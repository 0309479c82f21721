"""Makes a wheel that carries swiftprof: a build hook of hatch, for `cargo xtask dist`.

The variable SWIFTPROF_CARRIED is the path of the program, and SWIFTPROF_CARRIED_TAG the platform of
the wheel. Without them the wheel is for every platform, and carries no program.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carry(BuildHookInterface[Any]):
    """Adds the program to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the file and the platform, if the variables are set."""
        program = os.environ.get("SWIFTPROF_CARRIED")
        if program is None or version == "editable":
            return
        build_data["force_include"][program] = "swiftsolve_profiler/bin/swiftprof"
        build_data["tag"] = os.environ["SWIFTPROF_CARRIED_TAG"]
        build_data["pure_python"] = False
