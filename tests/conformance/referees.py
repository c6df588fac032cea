"""Lets programs that nobody here wrote judge the MCP server: `make referees`.

Sets up its own environments under build/referees, prints a table, writes build/referees.json and keeps each referee's
words beside it. The exit code is 1 where one falls below its mark. What cannot pass is listed, with its reason, in
baseline.yml and docs/referees.md.
"""

import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.conformance.side import (
    BUILD,
    ENVIRONMENT,
    LAUNCHER,
    ROOT,
    SIDE,
    conformance,
    inspector,
    set_up,
    write_launcher,
)

SERVER = [sys.executable, str(LAUNCHER)]
FIXTURE = [sys.executable, "-W", "ignore", "-m", "tests.conformance.fixture_server"]
BASELINE = ROOT / "tests" / "conformance" / "baseline.yml"
TIMEOUT_SECONDS = 300

Reading = tuple[str, bool]
"""What a referee said, in short, and whether that reaches its mark."""


@dataclass(frozen=True)
class Referee:
    """One program, how to call it, and how to read what it says."""

    name: str
    command: list[str]
    mark: str
    read: Callable[[int, str], Reading]


@dataclass(frozen=True)
class Verdict:
    """What one referee came to."""

    referee: str
    figure: str
    mark: str
    ok: bool
    seconds: float


def referees(server: str, fixture: str) -> list[Referee]:
    """Return the referees, for our server and for the one with the suite's fixtures, by their URLs."""
    strict = ["--method", "tools/list", "--strict"]
    old, new = conformance("old", fixture), conformance("new", fixture)
    expected = ["--requirements", "2026-07-28", "--expected-failures", str(BASELINE)]
    score = [str(SIDE / "mcpscore"), "--fail-under", "90"]
    suite = [str(SIDE / "python"), "-m", "pytest", "-c", "pytest.ini", "--pyargs", "pytest_mcp.suite"]
    suite += ["--mcp-server", " ".join(SERVER)]
    return [
        Referee("inspector 2.12.0 --strict, stdio", [*inspector(), *SERVER, *strict], "0 errors", _strict),
        Referee("inspector 2.12.0 --strict, HTTP", [*inspector(), server, *strict], "0 errors", _strict),
        Referee("conformance 0.1.16", old, "40/0", _counts(40)),
        Referee("conformance 0.2.0-alpha.12, 2025-11-25", [*new, *expected[:1], "2025-11-25"], "84/0", _counts(84)),
        Referee("conformance 0.2.0-alpha.12, 2026-07-28", [*new, *expected], "all but the baseline", _baseline(168)),
        Referee("mcpscore 1.29, stdio", [*score, "--stdio", *SERVER], "90 %", _score),
        Referee("mcpscore 1.29, HTTP", [*score, server], "90 %", _score),
        Referee("pytest-mcptest 0.1, 2025-11-25", suite, "all pass", _tests),
        Referee("pytest-mcptest 0.1, 2026-07-28", [*suite, "--mcp-spec-version", "2026-07-28"], "all pass", _tests),
    ]


def main() -> int:
    """Set up, ask everyone, tell; return the exit code."""
    set_up()
    with tempfile.TemporaryDirectory() as folder:
        database_url = f"sqlite:///{folder}/log.sqlite3"
        write_launcher(database_url)
        environment = {**ENVIRONMENT, "RELEASEOPS_DATABASE_URL": database_url}
        with (
            _serving([*SERVER, "--http", "--port"], environment) as server,
            _serving(FIXTURE, environment) as fixture,
        ):
            verdicts = [_ask(referee, environment) for referee in referees(server, fixture)]
    width = max(len(verdict.referee) for verdict in verdicts)
    for verdict in verdicts:
        line = f"{verdict.referee:<{width}}  {verdict.figure:<36}  mark: {verdict.mark:<20}  {verdict.seconds:5.1f} s"
        print(f"{'ok  ' if verdict.ok else 'FAIL'}  {line}")
    report = BUILD.parent / "referees.json"
    report.write_text(json.dumps([asdict(verdict) for verdict in verdicts], indent=2) + "\n")
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def _ask(referee: Referee, environment: dict[str, str]) -> Verdict:
    print(f"asking {referee.name} ...", file=sys.stderr)
    began = time.perf_counter()
    done = subprocess.run(
        referee.command,
        cwd=BUILD,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    log = BUILD / f"{re.sub('[^a-z0-9.]+', '-', referee.name.lower())}.log"
    log.write_text(done.stdout)
    figure, ok = referee.read(done.returncode, done.stdout)
    return Verdict(referee.name, figure, referee.mark, ok, round(time.perf_counter() - began, 1))


def _strict(code: int, said: str) -> Reading:
    found = re.search(r"(\d+) errors?, (\d+) warnings? across \d+ tools", said)
    figure = found[0] if found else f"0 errors, {said.count('inputSchema')} tools" if code == 0 else f"exit code {code}"
    return figure, code == 0


def _counts(mark: int) -> Callable[[int, str], Reading]:
    def read(code: int, said: str) -> Reading:
        passed, failed = _totals(said)
        return f"{passed}/{failed}", code == 0 and passed >= mark and failed == 0

    return read


def _baseline(mark: int) -> Callable[[int, str], Reading]:
    """Hold the failing scenarios to exactly those that are listed."""

    def read(code: int, said: str) -> Reading:
        passed, failed = _totals(said)
        listed = set(re.findall(r"^  - (\S+)$", BASELINE.read_text(), re.MULTILINE))
        failing = set(re.findall(r"^\W*✗ ([\w-]+): \d+ passed", said, re.MULTILINE))
        odd = ", ".join(sorted(failing ^ listed))
        return f"{passed}/{failed}, {odd or 'as listed'}", code == 0 and passed >= mark and not odd

    return read


def _totals(said: str) -> tuple[int, int]:
    found = re.search(r"Total: (\d+) passed, (\d+) failed", said)
    return (int(found[1]), int(found[2])) if found else (0, -1)


def _score(code: int, said: str) -> Reading:
    found = re.search(r"Final score: (\d+)/(\d+)", said)
    if found is None:
        return f"exit code {code}", False
    share = 100 * int(found[1]) / int(found[2])
    return f"{found[1]}/{found[2]} ({share:.1f} %)", code == 0 and share >= 90


def _tests(code: int, said: str) -> Reading:
    found = re.search(r"(\d+ passed.*?) in ", said)
    return (found[1] if found else f"exit code {code}"), code == 0


@contextmanager
def _serving(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
