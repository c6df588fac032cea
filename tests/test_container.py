"""The container, without a container engine: what the Dockerfile copies serves as its CMD and HEALTHCHECK say."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from releaseops_mcp import __version__

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
MANIFEST = (ROOT / "openenv.yaml").read_text()


def instructions(name: str) -> list[str]:
    """Return what stands behind each instruction of a name, its lines joined."""
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE)).splitlines()
    return [line.partition(" ")[2].strip() for line in lines if line.partition(" ")[0] == name]


def copied() -> list[str]:
    """Return the names that the Dockerfile copies out of the repository."""
    copies = [shlex.split(each) for each in instructions("COPY")]
    return [source for copy in copies if not copy[0].startswith("--from=") for source in copy[:-1]]


def settings() -> dict[str, str]:
    """Return the environment that the image sets."""
    return dict(pair.split("=", 1) for each in instructions("ENV") for pair in shlex.split(each))


def command(instruction: str) -> list[str]:
    """Return the command of CMD or HEALTHCHECK, run by this Python."""
    program, *arguments = json.loads(instruction[instruction.index("[") :])
    assert program == "python"
    return [sys.executable, *arguments]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the Dockerfile copies, and nothing else."""
    folder = tmp_path_factory.mktemp("image")
    for name in copied():
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / name)
    return folder


@pytest.fixture
def environment(image: Path, tmp_path: Path) -> dict[str, str]:
    """What the container's process sees: nothing of ours but a port of its own and a log that goes away."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = f"sqlite:///{tmp_path}/log.sqlite3"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("RELEASEOPS", "PYTHON"))}
    given = {key: value for key, value in settings().items() if key != "PATH"}
    return {**kept, **given, "PORT": str(port), "RELEASEOPS_DATABASE_URL": log}


@pytest.fixture
def container(image: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    (cmd,) = instructions("CMD")[-1:]
    process = subprocess.Popen(command(cmd), cwd=image, env=environment)
    yield process
    process.terminate()
    process.wait()


def test_the_server_imports_from_what_is_copied(image: Path, environment: dict[str, str]) -> None:
    script = "import server, releaseops_mcp as package; print(server.__file__, package.__file__, server.app.title)"
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=image, env=environment, check=True, capture_output=True, text=True
    )

    assert said.stdout.split()[:2] == [str(image / "server.py"), str(image / "releaseops_mcp" / "__init__.py")]


def test_it_serves_as_the_image_sets_it_up(
    image: Path, environment: dict[str, str], container: subprocess.Popen[bytes]
) -> None:
    (healthcheck,) = instructions("HEALTHCHECK")
    deadline = time.monotonic() + 30

    while (code := _run(healthcheck, environment)) and time.monotonic() < deadline:
        assert container.poll() is None, "the server has ended"
        time.sleep(0.1)

    assert code == 0


def test_a_dead_server_is_unhealthy(environment: dict[str, str]) -> None:
    (healthcheck,) = instructions("HEALTHCHECK")

    assert _run(healthcheck, environment) != 0


def test_nothing_else_enters_the_build() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]

    assert sorted(allowed) == sorted(copied())


def test_the_image_is_slim_and_runs_as_nobody_special() -> None:
    assert all("-slim" in image for image in instructions("FROM"))
    assert instructions("USER") == ["1000"], "the uid that Hugging Face Spaces use"


def test_port_app_and_version_are_the_same_everywhere() -> None:
    told = dict(re.findall(r"^(\w+): (\S+)$", MANIFEST, re.MULTILINE))

    assert told["port"] == settings()["PORT"] == instructions("EXPOSE")[0] == "7860"
    assert told["app"] == "server:app"
    assert told["version"] == __version__
    assert settings()["HOST"] == "0.0.0.0"


def test_the_classes_that_the_manifest_names_can_be_imported() -> None:
    named = re.findall(r"\{class: (\w+), module: (\w+)\}", MANIFEST)

    assert [name for name, module in named if hasattr(import_module(module), name)] == [
        "ReleaseOpsEnvClient",
        "ReleaseOpsAction",
        "ReleaseOpsObservation",
    ]


def _run(healthcheck: str, environment: dict[str, str]) -> int:
    return subprocess.run(command(healthcheck), env=environment, stderr=subprocess.DEVNULL).returncode
