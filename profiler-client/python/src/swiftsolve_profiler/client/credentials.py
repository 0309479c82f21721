"""Credentials that a client shows a server, and the authorities that it trusts."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

import grpc

from swiftsolve_profiler.errors import InvalidRequest


@dataclass(frozen=True)
class Credentials:
    """Credentials that a client shows a server, and the authorities that it trusts.

    Certificates and keys are in PEM. A token is sent only over `https`, to `unix:PATH` and to the
    loopback of this host.
    """

    ca: bytes | None = None
    """The authorities that may sign the server's certificate. Default: those built into gRPC."""
    cert: bytes | None = None
    """The client's certificate, with its chain. It needs `key`."""
    key: bytes | None = field(default=None, repr=False)
    """The key of the client's certificate."""
    token: str | None = field(default=None, repr=False)
    """A token from the server's operator. It is sent as `authorization: Bearer TOKEN`."""

    def __post_init__(self) -> None:
        if (self.cert is None) != (self.key is None):
            raise InvalidRequest("credentials: cert and key must be given together")
        token = self.token
        if token is not None and not (token.isascii() and token.isprintable() and token.strip()):
            raise InvalidRequest("credentials.token: must be visible ASCII")

    def channel(self) -> grpc.ChannelCredentials:
        """Returns the gRPC credentials of a TLS channel."""
        return grpc.ssl_channel_credentials(self.ca, self.key, self.cert)

    def check_plaintext(self, endpoint: str, target: str) -> None:
        """Checks that no part needs TLS, and that nobody else can read the token.

        Raises `InvalidRequest`.
        """
        if self.ca is not None or self.cert is not None:
            raise InvalidRequest(f"credentials: ca and cert require https, not {endpoint!r}")
        if self.token is not None and not _is_this_host(target):
            raise InvalidRequest(
                f"endpoint: {endpoint!r}: a token is sent only over https, to unix:PATH or to the "
                "loopback of this host"
            )


def _is_this_host(target: str) -> bool:
    """Whether a target is on this host. `localhost` always is: RFC 6761, section 6.3."""
    if target.startswith("unix:"):
        return True
    host = target.rpartition(":")[0] or target
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
