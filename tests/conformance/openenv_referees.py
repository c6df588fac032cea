"""The referees of the HTTP door's OpenEnv contract: its validator and its client, of both packages."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.conformance.referee import Reading, Referee
from tests.conformance.side import BUILD, OPENENV, ROOT, SIDE

MOUNTS = {"root": "", "classic-gate": "/classic-gate", "classic-canary": "/classic-canary"}
PLAYER = ROOT / "tests" / "conformance" / "openenv_player.py"
LIVE_CHECKS = 6


def openenv_referees(server: str) -> list[Referee]:
    """Return the referees of a running server and, for what is read from files, of this repository."""
    static = ["validate", str(_package()), "--level", "static"]
    found = [
        Referee("hadolint 2.15, Dockerfile", [str(SIDE / "hadolint"), str(ROOT / "Dockerfile")], "silent", _silent),
        Referee("openenv 0.10 validate --level static", [_tool("0.10"), *static], "1/1", _checks(1)),
    ]
    for version in OPENENV:
        for name, path in MOUNTS.items():
            live = [_tool(version), "validate", "--url", server + path]
            play = [str(OPENENV[version] / "python"), str(PLAYER), name, server + path]
            found += [
                Referee(f"openenv {version} validate --url, {name}", live, "6/6", _checks(LIVE_CHECKS)),
                Referee(f"openenv {version} GenericEnvClient, {name}", play, "an episode", _episode),
            ]
    return found


def _tool(version: str) -> str:
    return str(OPENENV[version] / "openenv")


def _package() -> Path:
    """Copy what a clone holds: the validator refuses a folder with links, and environments are full of them."""
    package = BUILD / "package"
    shutil.rmtree(package, ignore_errors=True)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for source in filter(Path.is_file, (ROOT / name for name in names if name)):
        target = package / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return package


def _checks(mark: int) -> Callable[[int, str], Reading]:
    """Count the checks that passed: 0.3.0 reports in JSON, 0.10 a line a check."""

    def read(code: int, said: str) -> Reading:
        passed = len(re.findall(r'^      "passed": true|^  PASS ', said, re.MULTILINE))
        failed = len(re.findall(r'^      "passed": false|^  (?:FAIL|ERROR|WARN) ', said, re.MULTILINE))
        return f"{passed}/{passed + failed}", code == 0 and failed == 0 and passed >= mark

    return read


def _silent(code: int, said: str) -> Reading:
    return (said.strip().splitlines()[0] if said.strip() else "silent"), code == 0


def _episode(code: int, said: str) -> Reading:
    return (said.strip().splitlines() or [f"exit code {code}"])[-1][:60], code == 0
