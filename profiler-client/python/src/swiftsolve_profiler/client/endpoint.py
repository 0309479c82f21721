"""The server of a client: a server at an endpoint, or a local one that starts when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from swiftsolve_profiler.client import local
from swiftsolve_profiler.client.credentials import Credentials
from swiftsolve_profiler.client.wire import target
from swiftsolve_profiler.errors import InvalidRequest

if TYPE_CHECKING:
    from os import PathLike

    import grpc

    Backend = Literal["auto", "docker", "native"]
    """Sandbox backend of a local server."""


class Endpoint:
    """The server to connect to. Holds a reference to the local server, if there is one."""

    def __init__(
        self,
        address: str | None,
        binary: str | PathLike[str] | None,
        backend: Backend | None,
        caller: str | None,
        credentials: Credentials | None,
    ) -> None:
        if caller is not None and not (caller.isascii() and caller.isprintable()):
            raise InvalidRequest(f"caller: must be printable ASCII, not {caller!r}")
        shown = credentials or Credentials()
        self.metadata = (
            *(() if caller is None else (("x-caller", caller),)),
            *(() if shown.token is None else (("authorization", f"Bearer {shown.token}"),)),
        )
        self.tls: grpc.ChannelCredentials | None = None
        """The credentials of the channel, if it is encrypted."""
        self._target: str | None = None
        if address is not None:
            self._target, encrypted = target(address)
            if encrypted:
                self.tls = shown.channel()
            else:
                shown.check_plaintext(address, self._target)
        elif credentials is not None:
            raise InvalidRequest("credentials: require an endpoint")
        self._binary, self._backend = binary, backend
        self._server: local.LocalServer | None = None

    @property
    def stale(self) -> bool:
        """Whether the local server must be started, for the first time or again."""
        return self._target is None and not (self._server is not None and self._server.alive)

    def acquire(self) -> str:
        """Returns the gRPC target. Starts the local server if there is no address.

        Raises `StartError`.
        """
        if self._target is not None:
            return self._target
        self.release()
        self._server = local.acquire(self._binary, self._backend)
        return self._server.endpoint

    def release(self) -> None:
        """Releases the local server."""
        server, self._server = self._server, None
        if server is not None:
            local.release(server)
