"""`releaseops org`: organisations that are built in or drawn."""

from pathlib import Path

import pytest

from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs import loader
from releaseops_mcp.world.orgs.generator import draw_org
from releaseops_mcp.world.orgs.loader import load_org, org_text, read_org
from tests.cli.conftest import Cli, cli, database_url

__all__ = ["cli", "database_url"]


@pytest.fixture(autouse=True)
def own_orgs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_installed", {})
    monkeypatch.setenv("RELEASEOPS_ORGS", "")


def test_a_drawn_organisation_is_printed_as_the_one_that_scenarios_name(cli: Cli) -> None:
    ran = cli("org", "generate", "fintech", "17")

    assert ran.code == 0
    assert read_org(ran.out, "printed") == load_org("gen-fintech-17")
    assert "is sound: gate/gen-fintech-17/" in ran.err


def test_an_organisation_is_printed_to_be_copied(cli: Cli) -> None:
    assert cli("org", "show", "looplatch").out == org_text("looplatch")
    assert cli("org", "show", "gen-fintech-17").out == cli("org", "generate", "fintech", "17").out
    assert cli("org", "show", "nowhere").code == 2


def test_refused_draws_are_told_with_the_reason(cli: Cli) -> None:
    ran = cli("org", "generate", "games", str(_refused()))

    assert ran.code == 0
    assert "draw 1 was refused: " in ran.err


def test_an_edit_of_a_drawn_organisation_is_played_at(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    printed = cli("org", "generate", "telecom", "2").out
    file.write_text(printed.replace("id: gen-telecom-2", "id: mine", 1).replace("phase_hours: ", "phase_hours: 4 #"))

    listed = cli("scenarios", "list", "--suite", "gate", "--org", str(file), "--limit", "1")
    assert listed.code == 0
    assert "gate/mine/" in listed.out


def test_a_generated_organisation_is_played_by_its_id(cli: Cli) -> None:
    ran = cli("eval", "--suite", "gate", "--agent", "reference", "--scenario", _scenario("gen-saas-5"))
    assert ran.code == 0


def test_an_unknown_sector_is_refused(cli: Cli) -> None:
    ran = cli("org", "generate", "piracy", "1")

    assert ran.code == 2
    assert "no sector 'piracy': use one of fintech" in ran.err


def _refused() -> int:
    """Return a seed whose first draw contradicts itself."""
    return next(seed for seed in range(50) if draw_org("games", seed).refused)


def _scenario(org: str) -> str:
    return f"gate/{org}/{plantable(load_org(org))[0].name}/level-2/seed-1"
