"""The baseline's standard output, to the byte, wherever it plays."""

import os
import subprocess
import sys
from io import StringIO

import pytest

from releaseops_mcp import baseline
from tests.live import server  # noqa: F401 - a fixture
from tests.standins import LIFE, Docker

EXPECTED = """\
easy: score=0.9567 steps=3 outcome=rollback
medium: score=0.8460 steps=5 outcome=rollback
hard: score=0.8217 steps=6 outcome=rollback
expert: score=0.6967 steps=3 outcome=rollback
recovery: score=0.9109 steps=11 outcome=success
silent: score=0.8360 steps=5 outcome=rollback
average=0.8447
"""


def ran(*arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    stdout, stderr = StringIO(), StringIO()
    code = baseline.run(arguments, environment or {}, stdout, stderr)
    return code, stdout.getvalue(), stderr.getvalue()


def test_it_plays_in_process():
    assert ran() == (0, EXPECTED, "")


def test_it_plays_on_a_running_server(server):  # noqa: F811
    assert ran("--url", server) == (0, EXPECTED, "")
    assert ran("--url", f"{server}/classic-canary/") == (0, EXPECTED, "")


@pytest.mark.parametrize("variable", ["LOCAL_IMAGE_NAME", "IMAGE_NAME"])
def test_it_plays_in_a_container_and_removes_it(tmp_path, server, variable):  # noqa: F811
    docker = Docker(tmp_path, server)
    environment = docker.environment | {variable: " canary:latest "}
    assert ran(environment=environment) == (0, EXPECTED, "")
    assert docker.calls == LIFE


def test_a_url_takes_precedence_over_an_image(tmp_path, server):  # noqa: F811
    docker = Docker(tmp_path, server)
    assert ran("--url", server, environment=docker.environment | {"IMAGE_NAME": "canary"})[1] == EXPECTED
    assert docker.calls == []


def test_a_server_out_of_reach_is_one_line_on_standard_error():
    code, stdout, stderr = ran("--url", "http://127.0.0.1:1")
    assert (code, stdout, stderr.count("\n")) == (1, "", 1)
    assert stderr.startswith("error: unreachable: ")


def test_the_module_runs_from_the_command_line():
    command = [sys.executable, "-m", "releaseops_mcp.baseline"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (done.returncode, done.stdout, done.stderr) == (0, EXPECTED, "")
