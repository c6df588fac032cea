"""The referees of the MCP server, and how each is read."""

import re
from collections.abc import Callable

from tests.conformance.referee import Reading, Referee
from tests.conformance.side import ROOT, SIDE, conformance, inspector

BASELINE = ROOT / "tests" / "conformance" / "baseline.yml"


def mcp_referees(stdio: list[str], server: str, door: str, fixture: str) -> list[Referee]:
    """Return the referees: of our server by its command and by its URL, of the HTTP door's, and of the fixtures'."""
    strict = ["--method", "tools/list", "--strict"]
    old, new = conformance("old", fixture), [*conformance("new", fixture), "--requirements"]
    score = [str(SIDE / "mcpscore"), "--fail-under", "90"]
    suite = [str(SIDE / "python"), "-m", "pytest", "-c", "pytest.ini", "--pyargs", "pytest_mcp.suite"]
    suite += ["--mcp-server", " ".join(stdio)]
    return [
        Referee("inspector 2.12.0 --strict, stdio", [*inspector(), *stdio, *strict], "0 errors", _strict),
        Referee("inspector 2.12.0 --strict, HTTP", [*inspector(), server, *strict], "0 errors", _strict),
        Referee("inspector 2.12.0 --strict, HTTP door", [*inspector(), door, *strict], "0 errors", _strict),
        Referee("conformance 0.1.16", old, "40/0", _counts(40)),
        Referee("conformance 0.2.0-alpha.12, 2025-11-25", [*new, "2025-11-25"], "84/0", _counts(84)),
        Referee("conformance 0.2.0-alpha.12, 2026-07-28", [*new, "2026-07-28"], "all but the baseline", _baseline(168)),
        Referee("mcpscore 1.29, stdio", [*score, "--stdio", *stdio], "90 %", _score),
        Referee("mcpscore 1.29, HTTP", [*score, server], "90 %", _score),
        Referee("pytest-mcptest 0.1, 2025-11-25", suite, "all pass", _tests),
        Referee("pytest-mcptest 0.1, 2026-07-28", [*suite, "--mcp-spec-version", "2026-07-28"], "all pass", _tests),
    ]


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
    """Hold the failing scenarios to those that are listed; a listed one that passes is told, and no failure.

    The suite's own exit code means less: it is 1 for any scenario that fails.
    """

    def read(_: int, said: str) -> Reading:
        passed, failed = _totals(said)
        listed = set(re.findall(r"^  - (\S+)$", BASELINE.read_text(), re.MULTILINE))
        failing = set(re.findall(r"^\W*✗ ([\w-]+): \d+ passed", said, re.MULTILINE))
        odd, better = ", ".join(sorted(failing - listed)), ", ".join(sorted(listed - failing))
        words = f"not listed: {odd}" if odd else f"as listed, but {better} passes" if better else "as listed"
        return f"{passed}/{failed}, {words}", passed >= mark and not odd

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
