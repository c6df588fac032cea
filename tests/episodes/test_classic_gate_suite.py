"""The suite's ids, splits, tools and prose."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.episodes.registry import suite_of
from releaseops_mcp.errors import EpisodeOver, InvalidArgument, OutOfBudget, UnknownScenario

EVAL_ROWS = Path(__file__).parent.parent / "data" / "classic_gate" / "arena_eval_rows.json.gz"
GREEN_CI, P1, DEPLOY, SAFE = SUITE.families


@pytest.mark.parametrize("seed", ["0", "42", "-5", "9" * 18, "-" + "9" * 18])
@pytest.mark.parametrize("level", ["low", "medium", "any~thing_%20.1-2", "x" * 64])
def test_an_id_names_family_difficulty_and_seed(seed, level):
    name = f"classic-gate/{SAFE}/{level}/seed-{seed}"
    scenario = SUITE.parse(name)
    assert scenario.model_dump() == {
        "id": name,
        "suite": "classic-gate",
        "family": SAFE,
        "level": level,
        "seed": int(seed),
    }


@pytest.mark.parametrize(
    "name",
    [
        "classic-gate",
        f"classic-gate/{SAFE}/low/seed-007",
        f"classic-gate/{SAFE}/low/seed-+7",
        f"classic-gate/{SAFE}/low/seed--0",
        f"classic-gate/{SAFE}/low/seed-{'9' * 19}",
        f"classic-gate/{SAFE}/low/seed-\u0667",
        f"classic-gate/{SAFE}/low/seed-7\n",
        f"classic-gate/{SAFE}/low/seed-7@1",
        f"classic-gate/{SAFE}/a b/seed-7",
        f"classic-gate/{SAFE}//seed-7",
        f"classic-gate/{SAFE}/{'x' * 65}/seed-7",
        "classic-gate/another_family/low/seed-7",
        f"classic-canary/{SAFE}/low/seed-7",
        "classic-gate/\ud800" + "x" * 5000,
    ],
)
def test_any_other_id_is_unknown_and_the_message_shows_the_form(name):
    with pytest.raises(UnknownScenario) as caught:
        SUITE.parse(name)
    text = str(caught.value)
    assert "classic-gate/<family>/<difficulty>/seed-<n>" in text
    assert all(family in text for family in SUITE.families)
    assert text.isascii()
    assert len(text) < 600


def test_the_registry_finds_the_suite_and_its_default_scenario():
    assert suite_of(SUITE.default_scenario) is SUITE
    assert SUITE.parse(SUITE.default_scenario).id == f"classic-gate/{GREEN_CI}/medium/seed-42"


def test_the_grid_goes_family_by_family():
    names = list(SUITE.grid(range(7, 9)))
    assert names[:3] == [
        f"classic-gate/{GREEN_CI}/medium/seed-7",
        f"classic-gate/{GREEN_CI}/medium/seed-8",
        f"classic-gate/{P1}/medium/seed-7",
    ]
    assert len(names) == 8


def test_the_eval_split_is_the_one_behind_the_published_figures():
    rows = json.loads(gzip.decompress(EVAL_ROWS.read_bytes()))["rows"]
    names = tuple(f"classic-gate/{row['family']}/{row['difficulty']}/seed-{row['seed']}" for row in rows)
    splits = SUITE.splits()
    assert splits["eval"] == names
    assert splits["eval_seen"] == tuple(
        name for name, row in zip(names, rows, strict=True) if row["split"] == "eval_seen"
    )


@pytest.mark.parametrize(
    ("split", "counts", "short"),
    [
        ("train", (46, 28, 0, 46), 22),
        ("eval_seen", (12, 16, 0, 2), 5),
        ("eval_unseen", (0, 0, 20, 0), 4),
        ("eval", (12, 16, 20, 2), 9),
    ],
)
def test_splits_have_the_original_counts(split, counts, short):
    scenarios = [SUITE.parse(name) for name in SUITE.splits()[split]]
    families = Counter(scenario.family for scenario in scenarios)
    assert tuple(families[family] for family in SUITE.families) == counts
    hours = [SUITE.begin(entry).observe()["hours_to_deadline"] for entry in scenarios if entry.family != SAFE]
    assert hours.count(12) == short
    assert all(scenario.level == ("low" if scenario.family == SAFE else "medium") for scenario in scenarios)


def test_the_train_split_has_117_distinct_seeds():
    assert len({SUITE.parse(name).seed for name in SUITE.splits()["train"]}) == 117


def test_tools_have_flat_required_arguments_and_honest_hints():
    hints = {tool.name: (tool.read_only, tool.destructive) for tool in SUITE.tools}
    assert hints == {
        "inspect_pr_diff": (True, False),
        "inspect_ci_run": (True, False),
        "inspect_ticket": (True, False),
        "ask_worker": (False, False),
        "approve_proposal": (False, True),
        "block_proposal": (False, True),
        "hold_release": (False, False),
    }
    assert not any(tool.idempotent or tool.open_world for tool in SUITE.tools)
    assert all(parameter.required and parameter.description for tool in SUITE.tools for parameter in tool.parameters)
    sizes = {parameter.name: len(parameter.enum) for tool in SUITE.tools for parameter in tool.parameters}
    assert {name: size for name, size in sizes.items() if size} == {"question_type": 4, "rule_id": 6, "reason_code": 4}


def test_every_code_hangs_in_the_error_tree():
    codes = SUITE.error_codes
    assert len(codes) == 14
    assert codes["terminal"] is EpisodeOver
    assert {code for code in codes if codes[code] is OutOfBudget} == {"no_evidence_actions", "no_review_budget"}
    assert sum(kind is InvalidArgument for kind in codes.values()) == 11


def test_the_prose_names_rules_tools_and_outcomes():
    rules = SUITE.begin(SUITE.parse(SUITE.default_scenario)).observe()["rules"]
    assert all(name in SUITE.policy for name in (*rules, "S1", "S2", "S3"))
    assert all(tool.name in SUITE.briefing for tool in SUITE.tools)
    assert all(outcome in SUITE.briefing for outcome in ("safe_ship", "unsafe_ship", "missed_deadline"))
    assert not any(family in SUITE.briefing + SUITE.policy for family in SUITE.families)
