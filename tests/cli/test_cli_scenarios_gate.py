"""`releaseops scenarios` on releases: a world for a reader, its repositories on disk, organisations of one's own."""

from pathlib import Path

import pytest

from releaseops_mcp.world.orgs import loader
from releaseops_mcp.world.orgs.loader import org_text
from tests.cli.conftest import Cli, cli, database_url

__all__ = ["cli", "database_url"]

SCENARIO = "gate/cedarline/k01-skipped-test/level-1/seed-4"
TWIN = "gate/cedarline/k01-skipped-test-twin/level-1/seed-4"
HIDDEN = ("planted", "tell", "verdict", "best end", "right 5")


@pytest.fixture(autouse=True)
def own_orgs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_installed", {})
    monkeypatch.setenv("RELEASEOPS_ORGS", "")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.yaml"
    file.write_text(org_text("cedarline").replace("id: cedarline", "id: mine").replace("Cedarline Pay", "My Shop"))
    return file


def test_a_world_is_shown_with_what_can_be_read(cli: Cli) -> None:
    ran = cli("scenarios", "show", SCENARIO)

    assert ran.code == 0
    assert "inspect_ci_run  run, junit" in ran.out
    assert not any(word in ran.out for word in HIDDEN)


def test_twins_are_shown_alike_until_a_page_is_read(cli: Cli) -> None:
    fault, twin = (cli("scenarios", "show", name).out.splitlines()[1:] for name in (SCENARIO, TWIN))
    assert fault == twin

    fault, twin = (cli("scenarios", "show", name, "--pages").out.splitlines()[1:] for name in (SCENARIO, TWIN))
    assert fault != twin
    assert any(line.strip().startswith("diff --git") for line in fault)


def test_the_truth_is_shown_where_asked_for(cli: Cli) -> None:
    shown = cli("scenarios", "show", SCENARIO, "--reveal").out

    assert "the fault" in shown
    assert "test_presence (block)" in shown
    assert "best end" in shown
    assert "the harmless twin" in cli("scenarios", "show", TWIN, "--reveal").out
    revealed = cli("scenarios", "show", "classic-gate/careful_qa_safe/low/seed-7", "--reveal").out
    assert "truth" in revealed


def test_scripts_get_the_pages_and_the_truth(cli: Cli) -> None:
    plain = cli("scenarios", "show", SCENARIO, "--json").json
    full = cli("scenarios", "show", SCENARIO, "--json", "--pages", "--reveal").json

    artefact = plain["proposals"][0]["versions"][0]["artefacts"][0]
    assert set(artefact) == {"id", "tool", "contents"}
    assert "truth" not in plain
    artefact = full["proposals"][0]["versions"][0]["artefacts"][0]
    assert len(artefact["pages"]) == len(artefact["contents"])
    assert full["truth"]["proposals"].keys() == {proposal["id"] for proposal in full["proposals"]}
    classic = cli("scenarios", "show", "classic-canary/easy/seed-0", "--json", "--reveal").json
    assert classic["truth"]


def test_repositories_are_written_to_a_new_folder_alone(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "world"

    ran = cli("scenarios", "materialize", SCENARIO, str(folder))

    trees = [Path(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert trees
    assert all((tree / "requirements.txt").is_file() for tree in trees)
    assert list(folder.rglob("inspect_ci_run/*/01-run.txt"))
    again = cli("scenarios", "materialize", SCENARIO, str(folder))
    assert (again.code, "is not empty: name a new folder" in again.err) == (2, True)
    other = cli("scenarios", "materialize", "classic-canary/easy/seed-0", str(tmp_path / "other"))
    assert (other.code, "has no repositories: name a scenario of gate" in other.err) == (2, True)


def test_worlds_of_ones_own_organisation_are_listed_shown_played_and_verified(cli: Cli, mine: Path) -> None:
    listed = cli("scenarios", "list", "--suite", "gate", "--org", str(mine), "--json").json
    name = listed["scenarios"][0]["id"]
    assert name.startswith("gate/mine/")
    assert "My Shop" in cli("scenarios", "show", name, "--org", str(mine)).out

    played = cli("eval", "--suite", "gate", "--agent", "reference", "--scenario", name, "--org", str(mine))
    assert played.code == 0
    assert cli("episodes", "verify").code == 0


def test_the_environment_names_organisations_too(cli: Cli, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELEASEOPS_ORGS", str(mine))

    assert cli("scenarios", "show", "gate/mine/clean/level-1/seed-1").code == 0


def test_a_person_may_play_at_ones_own_organisation(cli: Cli, mine: Path) -> None:
    ran = cli("play", "--org", str(mine), typed="")

    assert "My Shop" in ran.out


def test_an_unsound_organisation_is_told_what_to_change(cli: Cli, mine: Path) -> None:
    mine.write_text(mine.read_text().replace("family: review_authority", "family: vibes"))

    for words in (("eval", "--suite", "gate"), ("scenarios", "list"), ("play",), ("http",), ("mcp",)):
        ran = cli(*words, "--org", str(mine))
        assert ran.code == 2, words
        assert "rule R-REV-01: unknown family 'vibes'; use one of" in ran.err


def test_an_organisation_that_is_not_installed_says_how(cli: Cli) -> None:
    ran = cli("scenarios", "show", "gate/mine/clean/level-1/seed-1")

    assert ran.code == 2
    assert "name a file of your own with --org FILE" in ran.err


def test_a_log_of_an_organisation_that_is_not_installed_is_checked_as_far_as_it_goes(
    cli: Cli, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "gate/mine/clean/level-1/seed-1"
    assert cli("eval", "--suite", "gate", "--agent", "approve-all", "--scenario", name, "--org", str(mine)).code == 0
    monkeypatch.setattr(loader, "_installed", {})
    monkeypatch.setenv("RELEASEOPS_ORGS", "")

    ran = cli("episodes", "verify")

    assert ran.code == 0
    assert "every chain whole" in ran.out
    assert "RELEASEOPS_ORGS" in " ".join((ran.out + ran.err).split())
