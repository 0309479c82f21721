"""Endpoints with TLS, certificates and tokens: the right server gets them, and nobody else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from conftest import opened
from fake import Fake, Refuses

from swiftsolve_profiler import (
    Credentials,
    InvalidRequest,
    PermissionDenied,
    Profiler,
    ProfilerError,
    Unauthenticated,
    Untrusted,
)
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client.wire import GET_CAPABILITIES

TOKEN = "s3cret-token"


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, in PEM."""

    cert: bytes
    key: bytes


def issue(folder: Path, name: str, host: str) -> Pair:
    """A certificate that is its own authority."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    names = ["-subj", f"/CN={name}", "-addext", f"subjectAltName={host}"]
    files = ["-out", str(cert), "-keyout", str(key)]
    command = ["openssl", "req", "-x509", *made, *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    return Pair(cert.read_bytes(), key.read_bytes())


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """Certificates: the server's, one for another name, and a client's."""
    folder = tmp_path_factory.mktemp("certificates")
    hosts = {"server": "IP:127.0.0.1", "elsewhere": "DNS:elsewhere.example", "me": "DNS:me"}
    return {name: issue(folder, name, host) for name, host in hosts.items()}


@pytest.fixture(params=["server", "elsewhere", "mutual"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of encrypted server."""
    return str(request.param)


@pytest.fixture
def encrypted(kind: str, pairs: dict[str, Pair]) -> Iterator[Fake]:
    """A scripted server with TLS."""
    own = pairs["elsewhere" if kind == "elsewhere" else "server"]
    clients = pairs["me"].cert if kind == "mutual" else None
    fake = Fake(grpc.ssl_server_credentials([(own.key, own.cert)], clients, clients is not None))
    fake.start()
    yield fake
    fake.stop()


def ask(way: str, endpoint: str, credentials: Credentials | None) -> None:
    """Makes a call over a new connection."""
    with opened(way, endpoint, credentials=credentials) as client:
        client.capabilities()


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("kind", ["server"], indirect=True)
def test_a_trusted_server_gets_the_token(way: str, encrypted: Fake, pairs: dict[str, Pair]) -> None:
    credentials = Credentials(ca=pairs["server"].cert, token=TOKEN)
    for scheme in ("https", "HTTPS"):
        encrypted.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse())
        ask(way, f"{scheme}://127.0.0.1:{encrypted.port}", credentials)
    assert [seen["authorization"] for seen in encrypted.metadata] == [f"Bearer {TOKEN}"] * 2


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("kind", ["server", "elsewhere"], indirect=True)
def test_another_authority_or_name_is_not_trusted(
    way: str, kind: str, encrypted: Fake, pairs: dict[str, Pair]
) -> None:
    trusted = pairs["me" if kind == "server" else "elsewhere"]
    with pytest.raises(Untrusted) as refused:
        ask(
            way,
            f"https://127.0.0.1:{encrypted.port}",
            Credentials(ca=trusted.cert, token=TOKEN),
        )
    assert TOKEN not in str(refused.value)
    assert encrypted.calls == []


@pytest.mark.parametrize("kind", ["mutual"], indirect=True)
def test_a_client_shows_its_certificate(encrypted: Fake, pairs: dict[str, Pair]) -> None:
    endpoint, me = f"https://127.0.0.1:{encrypted.port}", pairs["me"]
    encrypted.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse())
    ask("sync", endpoint, Credentials(ca=pairs["server"].cert, cert=me.cert, key=me.key))
    assert len(encrypted.calls) == 1
    with pytest.raises(ProfilerError):
        ask("sync", endpoint, Credentials(ca=pairs["server"].cert))
    assert len(encrypted.calls) == 1


def test_https_is_never_plain_text(fake: Fake, pairs: dict[str, Pair]) -> None:
    credentials = Credentials(ca=pairs["server"].cert, token=TOKEN)
    with pytest.raises(Untrusted):
        ask("sync", f"https://127.0.0.1:{fake.port}", credentials)
    assert fake.calls == []


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost.example.com", "10.0.0.1", "[::]"])
def test_a_token_is_not_sent_where_others_can_read_it(host: str) -> None:
    with pytest.raises(InvalidRequest, match="only over https") as refused:
        Profiler(f"http://{host}:1", credentials=Credentials(token=TOKEN))
    assert TOKEN not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_token_is_sent_to_this_host(host: str, fake: Fake) -> None:
    fake.says(GET_CAPABILITIES, pb.GetCapabilitiesResponse())
    ask("sync", f"http://{host}:{fake.port}", Credentials(token=TOKEN))
    assert fake.metadata[0]["authorization"] == f"Bearer {TOKEN}"


def test_what_needs_tls_or_a_server_is_refused_without(pairs: dict[str, Pair]) -> None:
    ca = Credentials(ca=pairs["server"].cert)
    for endpoint, credentials in (("http://127.0.0.1:1", ca), (None, Credentials(token=TOKEN))):
        with pytest.raises(InvalidRequest, match="credentials"):
            Profiler(endpoint, credentials=credentials)
    with pytest.raises(InvalidRequest, match="cert and key must be given together"):
        Credentials(cert=b"c")
    for token in ("", " ", "a\nb", "schlüssel"):
        with pytest.raises(InvalidRequest, match="token"):
            Credentials(token=token)


def test_secrets_are_not_shown() -> None:
    shown = repr(Credentials(cert=b"c", key=b"s3cret-key", token=TOKEN))
    assert "s3cret" not in shown


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, Unauthenticated),
        (grpc.StatusCode.PERMISSION_DENIED, PermissionDenied),
    ],
)
def test_a_refused_caller_gets_the_servers_sentence_and_no_further_attempt(
    code: grpc.StatusCode, error: type[ProfilerError], client: Profiler, fake: Fake
) -> None:
    fake.says(GET_CAPABILITIES, Refuses(code, "the token has expired"))
    with pytest.raises(error, match=r"^the token has expired$"):
        client.capabilities()
    assert len(fake.calls) == 1
