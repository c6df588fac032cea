"""The environments that TRL plays: its schemas are the catalogue's, and every suite has one by its tools alone."""

from dataclasses import replace

import pytest
from transformers.utils import get_json_schema

from releaseops_mcp.catalogue import ToolSpec
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument, UnknownScenario
from tests import toys
from tests.playing import logged
from tests.training.playing_table import table_of
from training.datasets.schemas import tool_schemas
from training.environments import environment_class, environment_factory
from training.splits import HeldOut

GATE = "classic-gate/careful_qa_safe/low/seed-1"
GUIDING = ("type", "description", "enum")
"""What an annotation and a docstring can say of an argument."""


def narrowed(tool: ToolSpec) -> dict:
    """Return a tool's schema without what TRL's way of deriving one cannot express."""
    schema = tool.json_schema()
    properties = {
        name: {key: value for key, value in said.items() if key in GUIDING}
        for name, said in schema["properties"].items()
    }
    parameters = {"type": "object", "properties": properties}
    return parameters | ({"required": schema["required"]} if schema["required"] else {})


@pytest.mark.parametrize("name", suites())
def test_the_schemas_that_trl_derives_are_the_catalogues(name):
    suite = suites()[name]
    derived = {schema["function"]["name"]: schema["function"] for schema in tool_schemas(suite)}
    assert derived.keys() == {tool.name for tool in suite.tools}
    for tool in suite.tools:
        said = derived[tool.name]
        assert said["description"] == tool.description
        assert said["parameters"] == narrowed(tool)


def test_trl_reads_the_same_schema_off_an_instances_method(sqlite_arena):
    environment = environment_factory(table_of(sqlite_arena), ["classic-gate"])["classic-gate"]()
    schema = get_json_schema(environment.block_proposal)
    assert list(schema["function"]["parameters"]["properties"]) == ["proposal_id", "rule_id"]


def test_a_suite_added_later_is_an_environment_by_its_tools_alone(sqlite_arena, installed):
    environment = environment_factory(table_of(sqlite_arena))["arms"]()
    assert environment.reset(prompt=[], scenario="arms/bandit/seed-3", weight=1.0) == "pulled:false"
    assert environment.pull(arm="right") == "pulled:right\npulled:true\nover: pulled"
    assert environment.get_reward() == 1.0


def test_an_environment_is_reset_as_often_as_trl_likes(sqlite_arena, installed):
    environment = environment_factory(table_of(sqlite_arena), ["arms"])["arms"]()
    rewards = []
    for arm in ("left", "right", "left"):
        environment.reset(scenario="arms/bandit/seed-3")
        environment.pull(arm=arm)
        rewards.append(environment.get_reward())
    assert rewards == [0.0, 1.0, 0.0]


def test_leaving_costs_in_training_alone(sqlite_arena, installed):
    rewards = []
    for table in (table_of(sqlite_arena), replace(table_of(sqlite_arena), leaving_cost=0.5)):
        environment = environment_factory(table, ["arms"])["arms"]()
        for arm in ("right", None):
            environment.reset(scenario="arms/bandit/seed-3")
            if arm:
                environment.pull(arm=arm)
            rewards.append((environment.get_reward(), environment.seat.score.total))
    assert rewards == [(1.0, 1.0), (0.0, 0.0), (1.0, 1.0), (-0.5, 0.0)]


def test_rollouts_are_logged_at_level_tokens_under_the_runs_name(sqlite_arena):
    environment = environment_factory(table_of(sqlite_arena, "tokens"), ["classic-gate"])["classic-gate"]()
    environment.reset(scenario=GATE)
    start = logged(sqlite_arena.store, environment.seat.episode_id).start
    assert (start["capture"], start["origin"]["agent"]) == ("tokens", "test")


def test_whatever_a_model_sends_is_judged_by_the_arena(sqlite_arena):
    environment = environment_factory(table_of(sqlite_arena), ["classic-gate"])["classic-gate"]()
    environment.reset(scenario=GATE)
    assert environment.hold_release(self=1, tool="x").startswith("refused: argument_error")
    assert environment.hold_release().startswith("refused: argument_error")


def test_a_held_out_or_foreign_scenario_is_refused(sqlite_arena):
    environment = environment_factory(table_of(sqlite_arena), ["classic-gate"])["classic-gate"]()
    with pytest.raises(HeldOut):
        environment.reset(scenario="classic-gate/release_manager_ship_before_evidence/medium/seed-1")
    with pytest.raises(UnknownScenario):
        environment.reset(scenario="classic-gate/nothing")
    with pytest.raises(InvalidArgument, match="is no scenario of classic-gate"):
        environment.reset(scenario="classic-canary/easy/seed-0")
    with pytest.raises(InvalidArgument, match="no episode yet"):
        environment.get_reward()


def test_a_tool_may_not_take_the_name_of_what_trl_calls():
    class Odd(toys.Toy):
        tools = (toys.READ.model_copy(update={"name": "reset"}),)

    odd: Suite = Odd()
    with pytest.raises(ValueError, match="rename reset"):
        environment_class(odd)
