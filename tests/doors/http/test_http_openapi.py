"""The OpenAPI documents say what the routes do: schemathesis finds no undocumented answer and no failure."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors.http.servekit import live, settings

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
DOCUMENTS = ("", "/classic-gate", "/classic-canary")
OPERATIONS = {
    "/health": {"get"},
    "/metadata": {"get"},
    "/schema": {"get"},
    "/reset": {"post"},
    "/step": {"post"},
    "/state": {"get"},
    "/episodes": {"get", "post"},
    "/episodes/{episode_id}/step": {"post"},
    "/episodes/{episode_id}/state": {"get"},
    "/episodes/{episode_id}/transcript": {"get"},
    "/episodes/{episode_id}/events": {"get", "post"},
    "/suites": {"get"},
    "/tasks": {"get"},
    "/grader": {"post"},
    "/baseline": {"post"},
    "/scores": {"get"},
}


def judge(folder: Path, document: str, examples: int, *phases: str) -> str:
    """Let schemathesis judge one document, served live; return its summary."""
    program = Path(sys.executable).with_name("schemathesis")
    with live(settings(folder)) as url:
        command = [str(program), "run", f"{url}{document}/openapi.json", "--url", f"{url}{document}"]
        command += ["--checks", CHECKS, "--max-examples", str(examples), "--no-color", "--suppress-health-check", "all"]
        command += ["--phases", ",".join(phases)] if phases else []
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-6_000:] + ran.stderr[-2_000:]
    return ran.stdout


def test_every_route_is_documented_with_every_status_that_it_may_answer(http):
    paths = http.get("/openapi.json").json()["paths"]

    assert {path: set(operations) for path, operations in paths.items()} == OPERATIONS
    for operations in paths.values():
        for method, operation in operations.items():
            documented = set(operation["responses"])
            assert {"403", "421", "503"} <= documented
            if method == "post":
                assert {"401", "413", "422"} <= documented


@pytest.mark.parametrize("document", DOCUMENTS)
def test_schemathesis_finds_nothing_in_a_few_cases(document, tmp_path):
    pytest.importorskip("schemathesis", reason="needs schemathesis")
    assert "generated" in judge(tmp_path, document, 8, "fuzzing")


@pytest.mark.slow
def test_schemathesis_finds_nothing_in_two_thousand_cases(tmp_path):
    pytest.importorskip("schemathesis", reason="needs schemathesis")
    summary = judge(tmp_path, "", 120)
    generated = re.search(r"(\d+) generated", summary)
    assert generated is not None
    assert int(generated[1]) >= 2_000
