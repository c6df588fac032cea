"""Builds: held-out scenarios, duplicates, cards, several processes, exports, and the way back through `datasets`."""

import json

import pytest
from datasets import load_from_disk

from releaseops_mcp.errors import ChainBroken, InvalidArgument
from releaseops_mcp.log.export import write_export
from releaseops_mcp.settings import Settings, open_arena
from tests.training import logs
from training.dataset import Order, Source, build, load_rows, read_card
from training.datasets import building
from training.datasets.duplicates import Marks, Seen, marks_of
from training.datasets.loading import iter_rows, save_arrow
from training.splits import HeldOut


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return logs.played(tmp_path_factory.mktemp("log"))


def test_a_held_out_scenario_stops_the_build_by_name(tmp_path):
    source = logs.played(tmp_path, scenarios=(logs.SCENARIOS[0], logs.HELD_OUT))

    with pytest.raises(HeldOut, match=logs.HELD_OUT):
        build([source], Order(kind="sft"), tmp_path / "sft")

    assert not (tmp_path / "sft").exists()


def test_held_out_scenarios_can_be_left_out_and_are_counted(tmp_path):
    source = logs.played(tmp_path, scenarios=(logs.SCENARIOS[0], logs.HELD_OUT))

    card = build([source], Order(kind="sft", skip_held_out=True), tmp_path / "sft")

    assert card.held_out == {logs.HELD_OUT: len(logs.AGENTS)}
    assert logs.HELD_OUT not in (tmp_path / "sft" / "rows.jsonl").read_text()


def test_the_same_episode_is_learnt_once(tmp_path):
    # given one agent that plays one scenario three times
    source = logs.played(tmp_path, agents=("baseline",), scenarios=logs.SCENARIOS[:1] * 3)

    card, rows = logs.made(source, "sft", tmp_path / "sft")

    assert len(rows) == 1
    assert card.left_out == {"duplicate": 2}


def test_figures_that_round_alike_and_other_prose_make_near_duplicates():
    # given calls that differ in prose, and figures that differ in the third digit
    from releaseops_mcp.episodes.registry import suites

    suite = suites()[logs.CANARY]

    def talk(figure, why, action="hold"):
        call = {"name": "decide_rollout", "arguments": {"action_type": action, "reasoning": why}}
        return [{"role": "user", "content": f"p99:{figure}"}, {"role": "assistant", "tool_calls": [{"function": call}]}]

    first = marks_of(suite, talk(1431, "it looks fine"))
    alike = marks_of(suite, talk(1399, "nothing is wrong"))
    other = marks_of(suite, talk(1431, "it looks fine", "rollback"))

    # then they are near, and another action is not
    assert first.near == alike.near != other.near
    assert first.exact != alike.exact
    seen = Seen()
    assert [seen.is_new(marks) for marks in (first, first, alike, other)] == [True, False, False, True]
    assert (seen.duplicates, seen.near_duplicates) == (1, 1)


def test_an_id_is_no_figure():
    from releaseops_mcp.episodes.registry import suites

    suite = suites()["classic-gate"]

    def marks(name):
        return marks_of(suite, [{"role": "user", "content": f"id:{name}"}])

    assert marks("p1234").near != marks("p1235").near
    assert isinstance(marks("p1234"), Marks)


def test_the_card_names_logs_reward_and_rendering(source, tmp_path):
    card = build([source], Order(kind="sft", options={"min_reward": 0.5}), tmp_path / "sft")

    assert card == read_card(tmp_path / "sft")
    assert card.sources[0].episodes == len(logs.SCENARIOS) * len(logs.AGENTS)
    assert card.rewards == {logs.CANARY: "classic-canary@1.0.0"}
    assert set(card.renderings) == set(card.suites) == {logs.CANARY}
    assert card.options["min_reward"] == 0.5
    assert "reward below the least" in (tmp_path / "sft" / "README.md").read_text()


def test_another_log_has_another_hash(source, tmp_path):
    other = logs.played(tmp_path, agents=("baseline",))

    first = build([source], Order(kind="starts"), tmp_path / "first")
    second = build([other], Order(kind="starts"), tmp_path / "second")

    assert first.sources[0].heads_sha256 != second.sources[0].heads_sha256


def test_only_chosen_episodes_are_read(source, tmp_path):
    chosen = source.model_copy(update={"agent": "baseline"})

    card, rows = logs.made(chosen, "sft", tmp_path / "sft")

    assert card.sources[0].episodes == len(logs.SCENARIOS)
    assert {row["agent"] for row in rows} == {"baseline"}


def test_several_logs_make_one_dataset(source, tmp_path):
    again = build([source, source], Order(kind="sft"), tmp_path / "both")
    once = build([source], Order(kind="sft"), tmp_path / "one")

    assert again.rows == once.rows
    assert again.left_out["duplicate"] > once.left_out.get("duplicate", 0)


def test_more_processes_make_the_same_dataset(source, tmp_path, monkeypatch):
    # given chunks of which there are enough for a second process
    monkeypatch.setattr(building, "ALONE", 0)

    alone = build([source], Order(kind="sft"), tmp_path / "alone")
    together = build([source], Order(kind="sft"), tmp_path / "together", processes=2)

    assert together == alone


def test_an_export_makes_the_rows_that_its_database_does(source, tmp_path):
    # given the same log as a file, with the truth
    arena = open_arena(Settings(database_url=source.url))
    write_export(arena.store, tmp_path / "log.jsonl", with_truth=True)
    arena.close()
    exported = Source(export=tmp_path / "log.jsonl")

    for kind in ("sft", "starts"):
        first = build([source], Order(kind=kind), tmp_path / f"{kind}-1")
        second = build([exported], Order(kind=kind), tmp_path / f"{kind}-2")
        assert first.rows_sha256 == second.rows_sha256
        assert first.sources[0].heads_sha256 == second.sources[0].heads_sha256


def test_rows_come_back_from_datasets_as_they_went_in(source, tmp_path):
    for kind in ("sft", "starts", "preferences"):
        folder = tmp_path / kind
        card = build([source], Order(kind=kind), folder)

        # when the rows go through memory-mapped Arrow, and through a folder of it
        loaded = load_rows(folder)
        save_arrow(folder, tmp_path / f"{kind}-arrow")
        again = load_from_disk(tmp_path / f"{kind}-arrow")

        # then every value is as it was: no call has got the arguments of another
        expected = list(iter_rows(folder, card))
        assert [json.dumps(row) for row in loaded] == [json.dumps(row) for row in expected]
        assert list(again) == list(loaded)


def test_rows_of_calls_have_their_tools(source, tmp_path):
    build([source], Order(kind="sft"), tmp_path / "sft")

    (tools,) = {json.dumps(row["tools"]) for row in load_rows(tmp_path / "sft")}

    assert [tool["function"]["name"] for tool in json.loads(tools)] == ["decide_rollout"]


def test_altered_rows_are_noticed(source, tmp_path):
    build([source], Order(kind="sft"), tmp_path / "sft")
    file = tmp_path / "sft" / "rows.jsonl"
    file.write_text(file.read_text().replace("hold", "hode", 1))

    with pytest.raises(ChainBroken, match="not what its card speaks of"):
        load_rows(tmp_path / "sft")


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [("sfft", {}, "choose one of"), ("sft", {"best_share": 2}, "best_share"), ("sft", {"typo": 1}, "typo")],
)
def test_a_build_that_makes_no_sense_is_refused(source, tmp_path, kind, options, said):
    with pytest.raises(InvalidArgument, match=said):
        build([source], Order(kind=kind, options=options), tmp_path / "out")


def test_a_folder_in_use_is_left_alone(source, tmp_path):
    (tmp_path / "mine.txt").write_text("keep")

    with pytest.raises(InvalidArgument, match="not empty"):
        build([source], Order(kind="sft"), tmp_path)


def test_a_dataset_without_rows_says_why(tmp_path):
    source = logs.played(tmp_path, agents=("always-rollback",), scenarios=logs.SCENARIOS[:1])
    build([source], Order(kind="sft", options={"min_reward": 0.99}), tmp_path / "sft")

    with pytest.raises(InvalidArgument, match="reward below the least"):
        load_rows(tmp_path / "sft")
