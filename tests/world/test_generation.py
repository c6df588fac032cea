"""Worlds: the same name gives the same bytes anywhere, twins look alike at first, and every world can end well."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from releaseops_mcp.episodes.gate import reading
from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.errors import UnknownScenario
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.world import SHIP
from tests.world.cases import scenarios

NAMES = scenarios(1)
SAMPLE = [name.id for name in NAMES[::5]]


@cache
def first_shown(name):
    """Return the first observation as text; worlds themselves are too large to keep."""
    return json.dumps(GateEpisode(generate(name)).observe())


@cache
def kept(name):
    """Return the truth and the hash of a world."""
    episode = GateEpisode(generate(name))
    return episode.truth(), episode.world_hash


def test_twins_show_the_same_first_observation_byte_for_byte():
    for name in NAMES:
        assert first_shown(name) == first_shown(name.other)


def test_an_observation_holds_no_id_of_a_kind_and_no_content_hash():
    for name in NAMES:
        text = first_shown(name)
        assert not [kind for kind in kinds() if kind in text]
        assert "-twin" not in text
        assert not [word for word in text.replace('"', " ").split() if len(word) >= 40 and word.isalnum()]


def test_the_same_scenario_gives_the_same_bytes_in_another_process():
    program = (
        "import sys\n"
        "from releaseops_mcp.episodes.gate.episode import GateEpisode\n"
        "from releaseops_mcp.world.generation import generate\n"
        "from releaseops_mcp.world.scenario import parse\n"
        "for each in sys.argv[1:]: print(GateEpisode(generate(parse(each))).world_hash)\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, *SAMPLE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == [kept(parse(each))[1] for each in SAMPLE]


def test_worlds_differ_by_seed_and_twins_differ_in_their_world():
    hashes = [kept(each)[1] for name in NAMES[::2] for each in (name, name.other)]
    assert len(set(hashes)) == len(hashes)


def test_the_hash_of_a_world_covers_its_traps_its_handbook_and_past_decisions(monkeypatch):
    world = generate(parse("gate/looplatch/k15-stale-approval/level-5/seed-1"))
    others = [
        replace(world, traps=replace(world.traps, crash=world.traps.crash + 1)),
        replace(world, org=world.org.model_copy(update={"rules": world.org.rules[1:]})),
    ]
    hashes = [GateEpisode(each).world_hash for each in (world, *others)]
    monkeypatch.setattr(reading.precedents, "pages_of", lambda world: ("nothing was decided",))
    assert len({*hashes, GateEpisode(world).world_hash}) == 4


def test_the_truth_is_small_and_the_named_kind_decides_it():
    for name in NAMES:
        truth, twin = (kept(each)[0] for each in (name, name.other))
        assert len(json.dumps(truth)) <= 8_000
        (planted,) = [
            proposal_id
            for proposal_id, proposal in truth["proposals"].items()
            if proposal["fault"] and not twin["proposals"][proposal_id]["fault"]
        ]
        assert truth["proposals"][planted]["versions"][0]["verdicts"][0] != "approve"
        assert twin["proposals"][planted]["versions"][0]["verdicts"][0] == "approve"


def test_a_level_sets_how_much_there_is():
    for name in NAMES[::2]:
        world = generate(name)
        level = LEVELS[name.level]
        assert len(world.lineages) == level.proposals
        assert sum(lineage.request == SHIP for lineage in world.lineages) == 1
        assert world.hours >= (world.ship_phase - 1) * world.org.phase_hours + 1.5
        assert all(lineage.appears <= world.ship_phase for lineage in world.lineages)


def test_at_level_1_what_is_planted_in_a_diff_stands_on_its_first_page():
    for name in (each for each in NAMES if each.level == 1):
        world = generate(name)
        for lineage in (each for each in world.lineages if each.fault):
            version = lineage.versions[0]
            grounds = world.verdict(lineage, version, lineage.appears).grounds
            assert {_page(version, ground) for ground in grounds if ground.startswith("inspect_pr_diff:")} <= {1, None}


def _page(version, ground):
    """Return the number of a page of a pull request's diff, None for a page of its commits."""
    artefact, _, number = ground.partition(":")[2].partition("#")
    sheet = version.artefacts["inspect_pr_diff", artefact].sheets[int(number) - 1]
    return sheet.part if sheet.topic.format == "patch" else None


def test_the_release_manager_asks_to_ship_with_a_record_that_leans_as_any_other():
    rates = {True: [], False: []}
    for name in NAMES:
        ship = next(lineage for lineage in generate(name).lineages if lineage.request == SHIP)
        assert ship.worker.role == "release manager"
        rates[ship.decoy].append(ship.worker.rate)
    assert sum(rates[False]) / len(rates[False]) < sum(rates[True]) / len(rates[True])


def test_a_clean_world_has_nothing_to_find():
    truth = GateEpisode(generate(parse("gate/cedarline/clean/level-4/seed-3"))).truth()
    verdicts = [version["verdicts"] for each in truth["proposals"].values() for version in each["versions"]]
    assert {verdict for row in verdicts for verdict in row} == {"approve"}


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        ("gate/cedarline/k01-skipped-test/level-9/seed-1", "name one as gate/"),
        ("gate/nowhere/clean/level-1/seed-1", "no organisation 'nowhere'"),
        ("gate/cedarline/k99-none/level-1/seed-1", "no kind 'k99-none'"),
        ("gate/cedarline/clean-twin/level-1/seed-1", "name one as gate/"),
        ("gate/cedarline/clean/level-1/seed-01", "name one as gate/"),
    ],
)
def test_an_unknown_scenario_is_refused_with_what_exists(scenario, says):
    with pytest.raises(UnknownScenario, match=says):
        parse(scenario)


def test_a_scenario_name_reads_back():
    assert all(parse(name.id) == name and parse(name.other.id) == name.other for name in NAMES)
