"""`releaseops scenarios`: what can be played, by the operator's names."""

from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from tests.cli.conftest import Cli


def test_scenarios_are_listed_a_page_at_a_time(cli: Cli) -> None:
    first = cli("scenarios", "list", "--suite", "classic-gate", "--split", "eval", "--limit", "30", "--json").json
    second = cli(
        "scenarios", "list", "--suite", "classic-gate", "--split", "eval", "--limit", "30", "--offset", "30", "--json"
    ).json

    listed = [scenario["id"] for scenario in first["scenarios"] + second["scenarios"]]
    assert listed == list(GATE.splits()["eval"])
    assert (first["total"], first["next_offset"], second["next_offset"]) == (50, 30, None)


def test_people_see_a_table_and_how_to_see_more(cli: Cli) -> None:
    ran = cli("scenarios", "list", "--suite", "classic-canary", "--limit", "3")

    assert "classic-canary/easy/seed-0" in ran.out
    assert ran.err == "3 of 60: --offset 3 shows more\n"
    assert cli("scenarios", "list", "--suite", "classic-canary", "--limit", "100").err == ""


def test_an_unknown_split_names_those_there_are(cli: Cli) -> None:
    ran = cli("scenarios", "list", "--split", "gone")

    assert ran.code == 2
    assert "published (classic-canary)" in ran.err


def test_a_scenario_is_shown_as_a_supervisor_meets_it(cli: Cli) -> None:
    ran = cli("scenarios", "show", "classic-gate/green_ci_disabled_payment_test/low/seed-5")

    assert "hours to deadline           36" in ran.out
    assert "payments_tests_must_pass" in ran.out
    assert "p989  worker ci_fixer" in ran.out


def test_a_scenario_is_shown_to_scripts(cli: Cli) -> None:
    shown = cli("scenarios", "show", "classic-canary/easy/seed-0", "--json").json

    assert (shown["family"], shown["level"], shown["seed"]) == ("easy", "easy", 0)
    assert shown["observation"]["traffic_pct"] == 0.0
    assert shown["tools"] == ["decide_rollout"]


def test_tickets_are_minted_for_people_and_scripts(cli: Cli) -> None:
    name = "classic-canary/easy/seed-0"

    ticket, shown = cli("scenarios", "ticket", name).out.split()
    assert ticket.startswith("scn_")
    assert shown == name

    minted = cli("scenarios", "ticket", name, name, "--json").json
    assert [entry["scenario"] for entry in minted] == [name, name]
    assert len({entry["ticket"] for entry in minted}) == 2
    assert all(entry["ticket"].startswith("scn_") for entry in minted)
