"""Lets programs that nobody here wrote judge the MCP server and the OpenEnv contract: `make referees`.

Sets up its own environments under build/referees, prints a table, writes build/referees.json and keeps each referee's
words beside it. The exit code is 1 where one falls below its mark. What cannot pass is listed, with its reason, in
baseline.yml and docs/referees.md.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.conformance.mcp_referees import mcp_referees
from tests.conformance.openenv_referees import openenv_referees
from tests.conformance.referee import Verdict, ask, serving
from tests.conformance.side import BUILD, ENVIRONMENT, LAUNCHER, set_up, write_launcher

STDIO = [sys.executable, str(LAUNCHER)]
DOOR = [sys.executable, "-m", "releaseops_mcp.cli", "http", "--port"]
FIXTURE = [sys.executable, "-W", "ignore", "-m", "tests.conformance.fixture_server"]


def main() -> int:
    """Set up, ask everyone, tell; return the exit code."""
    set_up()
    with tempfile.TemporaryDirectory() as folder:
        verdicts = list(_verdicts(f"sqlite:///{folder}/log.sqlite3"))
    width = max(len(verdict.referee) for verdict in verdicts)
    for verdict in verdicts:
        line = f"{verdict.referee:<{width}}  {verdict.figure:<52}  mark: {verdict.mark:<20}  {verdict.seconds:5.1f} s"
        print(f"{'ok  ' if verdict.ok else 'FAIL'}  {line}")
    report = BUILD.parent / "referees.json"
    report.write_text(json.dumps([asdict(verdict) for verdict in verdicts], indent=2) + "\n")
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def _verdicts(database_url: str) -> Iterator[Verdict]:
    write_launcher(database_url)
    environment = {**ENVIRONMENT, "RELEASEOPS_DATABASE_URL": database_url}
    with (
        serving([*STDIO, "--http", "--port"], environment) as server,
        serving(DOOR, environment) as door,
        serving(FIXTURE, environment) as fixture,
    ):
        mcp = mcp_referees(STDIO, f"{server}/mcp", f"{door}/mcp", f"{fixture}/mcp")
        for referee in [*mcp, *openenv_referees(door)]:
            yield ask(referee, environment)


if __name__ == "__main__":
    sys.exit(main())
