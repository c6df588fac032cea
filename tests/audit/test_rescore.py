"""One figure: live, stored, re-scored from a database and from an export; new scores supersede, none is changed."""

import pytest

from releaseops_mcp.audit.account import account
from releaseops_mcp.audit.rescore import Rescored, Unscored, fold, rescore, rescored, same_figure
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.reading import ExportLog
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.rewards import classic_gate
from releaseops_mcp.rewards.classic_gate import ClassicGateScorer
from releaseops_mcp.rewards.registry import code_hash, scorers
from tests import toys
from tests.playing import ROLLED_BACK, fill, logged, play
from tests.sequences import CANARY_SCENARIO, HOLD, UNKNOWN_ARTIFACT

LATER_MS = 1_800_000_000_000


def stored(store, episode_id):
    return store.scores(store.episode(episode_id).number)


@pytest.mark.parametrize(
    ("scenario", "calls"),
    [
        ("classic-gate/green_ci_disabled_payment_test/medium/seed-0", [UNKNOWN_ARTIFACT, HOLD, HOLD, HOLD, HOLD]),
        (CANARY_SCENARIO, [*ROLLED_BACK, ROLLED_BACK[0]]),
        (toys.SCENARIO, [("read_diff", {}), ("decide", {}), ("decide", {"verdict": "block"})]),
    ],
    ids=["gate", "canary", "toy"],
)
def test_the_figure_is_the_same_everywhere(arena, tmp_path, monkeypatch, scenario, calls):
    toys.install(monkeypatch)
    episode_id = arena.start(scenario).episode_id
    live = [arena.call(episode_id, *call).earned for call in calls]
    write_export(arena.store, tmp_path / "log.jsonl", with_truth=True)
    (exported,) = ExportLog(tmp_path / "log.jsonl").episodes()
    from_database = logged(arena.store, episode_id)
    latest = stored(arena.store, episode_id)[-1]
    totals = {
        "live": arena.report(episode_id)[0].total,
        "stored": latest.total,
        "re-scored from the database": rescored(from_database).total,
        "re-scored from the export": rescored(exported).total,
        "account": account(exported).reward,
    }
    assert len(set(totals.values())) == 1, totals
    assert same_figure(latest, rescored(exported))
    for told in (account(from_database), account(exported)):
        assert [step.reward for step in told.steps] == [earned.reward for earned in live]
        assert [step.detail for step in told.steps] == [earned.detail for earned in live]


def test_re_scoring_an_unchanged_log_adds_nothing(arena):
    ids = fill(arena)
    before = [stored(arena.store, each) for each in ids]
    assert rescore(arena.store, at_ms=LATER_MS) == Rescored(3, 0, {"still running": 1})
    assert [stored(arena.store, each) for each in ids] == before


def test_a_new_figure_supersedes_the_old_one_which_stays(arena, monkeypatch):
    gate, *_ = fill(arena)
    (*_, old) = stored(arena.store, gate)
    monkeypatch.setattr(classic_gate, "WEIGHTS", dict(classic_gate.WEIGHTS) | {"invalid": -0.5})
    monkeypatch.setattr(classic_gate, "VERSION", "2.0.0")
    monkeypatch.setattr(ClassicGateScorer, "version", "2.0.0")
    would = rescore(arena.store, at_ms=LATER_MS, dry_run=True)
    assert would == Rescored(2, 1, {"still running": 1})
    assert stored(arena.store, gate)[-1] == old, "a dry run stores nothing"
    told = []
    assert rescore(arena.store, at_ms=LATER_MS, progress=lambda *seen: told.append(seen)) == would
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    (*_, kept, new) = stored(arena.store, gate)
    assert kept == old
    assert (new.supersedes, new.version, new.at_ms) == (old.id, "2.0.0", LATER_MS)
    assert new.total == pytest.approx(old.total - 0.25 * old.body["metrics"]["invalid_actions"])
    assert rescore(arena.store, at_ms=LATER_MS) == Rescored(3, 0, {"still running": 1})


def test_the_same_figure_from_other_code_is_noted_as_a_new_score(arena, monkeypatch):
    _, canary, *_ = fill(arena)
    monkeypatch.setattr("releaseops_mcp.audit.rescore.code_hash", lambda scorer: "f" * 64)
    assert rescore(arena.store, EpisodeFilter(ids=(canary,)), at_ms=LATER_MS) == Rescored(0, 1, {})
    old, new = stored(arena.store, canary)
    assert (new.total, new.body, new.code_hash) == (old.total, old.body, "f" * 64)


def test_an_episode_of_another_version_of_its_suite_re_scores(arena, monkeypatch):
    toys.install(monkeypatch)
    episode_id = play(arena, toys.SCENARIO, [("decide", {"verdict": "block"})])
    monkeypatch.setattr(toys.Toy, "version", "9.0.0")
    monkeypatch.setattr(toys.Toy, "begin", None)
    assert rescored(logged(arena.store, episode_id)).total == 1.0


def test_what_has_no_figure_says_why(arena, tmp_path, monkeypatch):
    toys.install(monkeypatch)
    running = play(arena, toys.SCENARIO)
    ended = play(arena, toys.SCENARIO, [("decide", {"verdict": "block"})])
    write_export(arena.store, tmp_path / "log.jsonl")
    assert [rescored(each) for each in ExportLog(tmp_path / "log.jsonl").episodes()] == [
        Unscored("still running"),
        Unscored("the export holds no truth: export it with the truth"),
    ]
    monkeypatch.delitem(scorers(), "toy")
    assert rescore(arena.store, at_ms=LATER_MS).unscored == {
        "still running": 1,
        "no reward for suite toy is installed": 1,
    }
    told = account(logged(arena.store, ended))
    assert (told.reward, told.unscored, told.components) == (None, "no reward for suite toy is installed", {})
    assert [(step.reward, step.detail) for step in told.steps] == [(None, {})]
    assert account(logged(arena.store, running)).ended is False


def test_validity_says_how_whole_an_episode_is(arena, clock):
    gate, _, closed, running = fill(arena)
    clock.advance(hours=25)
    with pytest.raises(Exception, match="has expired"):
        arena.observe(running)
    told = [account(logged(arena.store, each)).validity for each in (gate, closed, running)]
    assert told == ["complete", "closed", "expired"]
    assert [stored(arena.store, each)[-1].body["validity"] for each in (gate, closed, running)] == told


def test_the_account_of_an_episode_tells_everything(arena):
    gate, _, closed, running = fill(arena)
    told = account(logged(arena.store, gate))
    row = arena.store.episode(gate)
    assert (told.episode_id, told.events, told.head, len(told.steps)) == (gate, row.count, row.head, row.steps)
    assert (told.terminal_reason, told.ended) == (row.terminal_reason, True)
    assert told.reward == told.steps[-1].reward == told.report["reward"]
    assert told.components["invalid"] == -0.25 * told.metrics["invalid_actions"]
    assert told.origin["door"] == "python"
    assert told.versions["suite"] == "1.0.0"
    assert (told.reward_id, told.reward_version) == ("classic-gate", "1.0.0")
    assert told.model_dump_json()
    assert len(account(logged(arena.store, closed)).steps) == 1, "an observation is no step"
    assert account(logged(arena.store, running)).validity == "running"


def test_an_account_from_an_export_without_truth_says_so(arena, tmp_path):
    play(arena, CANARY_SCENARIO, ROLLED_BACK)
    write_export(arena.store, tmp_path / "log.jsonl")
    (episode,) = ExportLog(tmp_path / "log.jsonl").episodes()
    assert account(episode).unscored == "the export holds no truth: export it with the truth"


def test_a_fold_of_a_part_is_the_figure_at_that_point(arena):
    episode_id = play(arena, CANARY_SCENARIO, ROLLED_BACK[:2])
    at_two = arena.report(episode_id)[0].total
    arena.call(episode_id, *ROLLED_BACK[2])
    episode = logged(arena.store, episode_id)
    assert fold(episode.events[:5], episode.truth).score().total == at_two


def test_a_score_names_the_code_that_made_it(arena):
    fill(arena)
    named = {
        score.code_hash for row in DatabaseLog(arena.store).episodes() for score in arena.store.scores(row.row.number)
    }
    assert named == {code_hash(type(scorers()[suite])) for suite in ("classic-canary", "classic-gate")}
