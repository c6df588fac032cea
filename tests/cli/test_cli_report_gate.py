"""A run folder of the gate shows its agents by kind, rule family, archetype and organisation, an older one too."""

import json
from pathlib import Path

from releaseops_mcp.evaluation.folder import FIGURES
from releaseops_mcp.evaluation.report import source_of
from tests.cli.conftest import Cli

SCENARIOS = [f"gate/cedarline/k01-skipped-test{end}/level-2/seed-1" for end in ("", "-twin")]


def test_a_run_folder_has_the_breakdown_and_one_without_it_gets_it_from_its_log(cli: Cli, tmp_path: Path) -> None:
    named = [part for name in SCENARIOS for part in ("--scenario", name)]
    ran = cli("eval", "--suite", "gate", "--agent", "two-artefacts", *named, "--out", str(tmp_path / "run"))
    assert ran.code == 0, ran.err
    kept = source_of(tmp_path / "run").summaries[0].breakdown
    figures = json.loads((tmp_path / "run" / FIGURES).read_text())
    for suite in figures["suites"]:
        assert suite.pop("breakdown")
    (tmp_path / "run" / FIGURES).write_text(json.dumps(figures))

    assert source_of(tmp_path / "run").summaries[0].breakdown == kept != []
    assert cli("report", str(tmp_path / "run"), "--out", str(tmp_path / "page.html")).code == 0
    assert "<h3>Agents by rule family</h3>" in (tmp_path / "page.html").read_text()
