"""Drawn organisations: the same for the same seed, sound, unlike each other; whatever contradicts itself is refused."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from releaseops_mcp.errors import InvalidArgument, UnknownScenario
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs import loader
from releaseops_mcp.world.orgs.generator import Drawn, draw_org, generate_org, generated_name, sectors, yaml_of
from releaseops_mcp.world.orgs.generator.drawing import draw_once
from releaseops_mcp.world.orgs.generator.priors import rule_priors
from releaseops_mcp.world.orgs.generator.style import Style, style_of
from releaseops_mcp.world.orgs.loader import has_org, install_org, known_orgs, load_org, org_text, read_org
from releaseops_mcp.world.orgs.model import Org, Rule
from releaseops_mcp.world.orgs.validation import problems
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.scenario import parse

Written = dict[str, Any]
Many = tuple[Drawn, ...]
SEEDS = range(6)
PROGRAM = (
    "import sys\n"
    "from releaseops_mcp.world.orgs.generator import generate_org, yaml_of\n"
    "for each in sys.argv[1:]: sys.stdout.write(yaml_of(generate_org(*each.split('/')[:1], int(each.split('/')[1]))))\n"
)


@pytest.fixture(scope="module")
def many() -> Many:
    return tuple(draw_org(sector, seed) for sector in sectors() for seed in SEEDS)


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    names = [(sector, 3) for sector in ("games", "telecom")]
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, *(f"{sector}/{seed}" for sector, seed in names)],
        env={**os.environ, "PYTHONHASHSEED": "7", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "".join(yaml_of(generate_org(*name)) for name in names)


def test_a_drawn_organisation_reads_back_from_its_yaml(many: Many) -> None:
    for drawn in many:
        assert read_org(yaml_of(drawn.org), "drawn") == drawn.org


def test_each_is_sound_and_each_refused_draw_was_not(many: Many) -> None:
    assert any(drawn.refused for drawn in many)
    for drawn in many:
        assert problems(drawn.org) == []
        assert len(drawn.org.services) >= 3
        for attempt, reasons in enumerate(drawn.refused):
            refused = draw_once(drawn.org.sector, _seed(drawn.org), attempt)
            assert reasons
            assert tuple(problems(refused)) in (reasons, ())


def test_seeds_differ_in_everything_that_is_drawn(many: Many) -> None:
    orgs = [drawn.org for drawn in many]
    for name in ("rules", "people", "labels", "workers", "archetypes"):
        assert len({repr(getattr(org, name)) for org in orgs}) > 0.8 * len(orgs), name
    assert {rule.visibility for org in orgs for rule in org.rules} == {"public", "hinted", "hidden"}
    assert {rule.severity for org in orgs for rule in org.rules} == {"block", "hold", "warn"}


def test_every_rule_that_is_likely_is_sometimes_there_and_sometimes_not(many: Many) -> None:
    for name, prior in rule_priors().items():
        family = prior.family or name
        having = [drawn for drawn in many if any(rule.family == family for rule in drawn.org.rules)]
        assert having, name
        if prior.present < 0.9 and not prior.family:
            assert len(having) < len(many), name


def test_every_rule_family_that_an_organisation_may_have_can_be_drawn() -> None:
    own = {name for name, each in families().items() if each.judge.__module__.startswith("releaseops_mcp.")}
    drawn = {prior.family or name for name, prior in rule_priors().items()}
    assert drawn == {name for name in own if not families()[name].universal}


def test_sectors_are_as_strict_as_they_are_likely_to_be(many: Many) -> None:
    def approvals(sector: str) -> float:
        found = [rule.params["approvals"] for each in many if each.org.sector == sector for rule in _reviews(each.org)]
        return sum(found) / len(found)

    assert approvals("medical") > approvals("games")


@pytest.mark.parametrize("name", rule_priors())
def test_every_value_that_may_be_drawn_is_one_that_the_family_takes(name: str) -> None:
    prior = rule_priors()[name]
    family = families()[prior.family or name]
    style = _style()
    for setting, values in prior.params.items():
        for value in values:
            family.params.model_validate({setting: style.named(value)})
    assert not family.universal


def test_a_generated_organisation_is_known_by_its_id_and_listed_nowhere() -> None:
    assert has_org("gen-medical-4")
    assert load_org("gen-medical-4") is load_org("gen-medical-4")
    assert org_text("gen-medical-4") == yaml_of(load_org("gen-medical-4"))
    assert not [name for name in known_orgs() if name.startswith("gen-")]
    assert generated_name("gen-open-source-17") == ("open-source", 17)


@pytest.mark.parametrize("name", ["gen-medical-04", "gen-medical", "gen-piracy-1", "gen-medical-1234567890", "gen--1"])
def test_any_other_id_is_unknown(name: str) -> None:
    assert not has_org(name)
    with pytest.raises(InvalidArgument, match="no organisation"):
        load_org(name)
    with pytest.raises(UnknownScenario, match="no organisation"):
        parse(f"gate/{name}/clean/level-1/seed-1")


def test_sector_and_seed_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="no sector 'piracy': use one of fintech"):
        generate_org("piracy", 1)
    with pytest.raises(InvalidArgument, match="seed -1: give a whole number"):
        generate_org("games", -1)


def test_an_edited_organisation_needs_an_id_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_installed", {})
    file = tmp_path / "drawn.yaml"
    text = org_text("gen-games-1")
    file.write_text(text)
    assert install_org(file) == load_org("gen-games-1")
    file.write_text(text.replace("phase_hours: 4", "phase_hours: 12").replace("phase_hours: 8", "phase_hours: 12"))
    with pytest.raises(InvalidArgument, match="'gen-games-1' is that of a generated organisation; choose another id"):
        install_org(file)


def approver_team_without_a_human(org: Written) -> None:
    for service in org["services"]:
        service["owners"] = ["team-of-nobody"]


def more_approvals_than_people(org: Written) -> None:
    org["rules"].append(_rule("Z-1", "review_authority", {"approvals": len(org["people"]) + 1}))


def one_rule_two_severities(org: Written) -> None:
    org["rules"] += [_rule("Z-1", "ci_provenance", {}), _rule("Z-2", "ci_provenance", {}) | {"severity": "block"}]


def the_same_rule_twice(org: Written) -> None:
    org["rules"] += [_rule("Z-1", "ci_provenance", {}), _rule("Z-2", "ci_provenance", {})]


def exception_that_nobody_grants(org: Written) -> None:
    org["exceptions"] = [*org.get("exceptions", []), {"id": "Z-X", "rule": org["rules"][0]["id"], "label": _label(org),
                                                     "grantor_team": "team-of-nobody"}]  # fmt: skip
    org["rules"][0]["unless"] = [*org["rules"][0].get("unless", []), "Z-X"]


def exception_with_a_word_that_means_nothing(org: Written) -> None:
    exception_that_nobody_grants(org)
    org["exceptions"][-1] |= {"label": "abracadabra", "grantor_team": org["services"][0]["owners"][0]}


def everybody_prompts_everything(org: Written) -> None:
    for person in org["people"]:
        person["operator_of"] = [seat["id"] for seat in org["workers"]]


def guarded_file_that_is_not_there(org: Written) -> None:
    org["services"][0]["protected"] = ["tests/test_of_nothing.py"]


def rule_for_a_service_that_is_not_there(org: Written) -> None:
    org["rules"][0]["scope"] = {"services": ["nothing"]}


def window_that_ends_before_it_begins(org: Written) -> None:
    org["calendar"] = [{"name": "night", "start": 900, "end": 300}]


CONTRADICTIONS: dict[Callable[[Written], None], str] = {
    approver_team_without_a_human: "nobody is in the owning team",
    more_approvals_than_people: "approvals are wanted, but only",
    one_rule_two_severities: "contradict each other",
    the_same_rule_twice: "say the same; drop one",
    exception_that_nobody_grants: "so nobody can grant it",
    exception_with_a_word_that_means_nothing: "means nothing here",
    everybody_prompts_everything: "no human who does not operate it",
    guarded_file_that_is_not_there: "is no file of template",
    rule_for_a_service_that_is_not_there: "no service 'nothing' to be in scope",
    window_that_ends_before_it_begins: "start and end are minutes of the week",
}


@settings(deadline=None, max_examples=60)
@given(
    sector=st.sampled_from(sorted(sectors())),
    seed=st.sampled_from(SEEDS),
    contradiction=st.sampled_from([*CONTRADICTIONS]),
)
def test_a_contradiction_is_refused_with_the_reason(
    sector: str, seed: int, contradiction: Callable[[Written], None]
) -> None:
    # Given a sound organisation, when one thing in it contradicts another, then validation says which.
    written = generate_org(sector, seed).model_dump(mode="json", exclude_defaults=True)
    contradiction(written)

    found = problems(Org.model_validate(written))

    assert any(CONTRADICTIONS[contradiction] in each for each in found), found


def test_a_setting_out_of_range_is_refused() -> None:
    for name, prior in rule_priors().items():
        if "approvals" in prior.params:
            with pytest.raises(ValidationError):
                families()[prior.family or name].params.model_validate({"approvals": 0})


def _rule(rule_id: str, family: str, params: Written) -> Written:
    scope = {"requests": ["merge_change"], "touches": ["docs"]}
    return {"id": rule_id, "family": family, "params": params, "severity": "hold", "scope": scope}


def _label(org: Written) -> str:
    return next(iter(org["labels"]))


def _seed(org: Org) -> int:
    name = generated_name(org.id)
    assert name is not None
    return name.seed


def _reviews(org: Org) -> list[Rule]:
    return [rule for rule in org.rules if rule.family == "review_authority"]


def _style() -> Style:
    return style_of(sectors()["fintech"], Draws("test"))
