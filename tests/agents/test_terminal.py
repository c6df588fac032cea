"""A person at the terminal: what is shown, what is asked, and what reaches the arena."""

from io import StringIO

import pytest
from rich.console import Console

from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.agents.terminal import Person
from releaseops_mcp.agents.terminal.prompt import Left, Prompt
from releaseops_mcp.agents.terminal.view import show, spoken
from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.account import account
from releaseops_mcp.catalogue import Parameter, ToolSpec
from tests.playing import logged

GATE = "classic-gate/green_ci_disabled_payment_test/low/seed-5"
CANARY = "classic-canary/easy/seed-0"
PARAMETERS = (
    Parameter(name="word", type="string", description="Any word.", enum=("red", "green")),
    Parameter(name="flag", type="boolean", description="Yes or no."),
    Parameter(name="count", type="integer", description="How many.", required=False, default=3),
    Parameter(name="share", type="number", description="How much.", required=False),
)
TOOL = ToolSpec(name="paint", title="Paint it", description="Paints.", parameters=PARAMETERS)


def sit(arena: Arena, scenario: str, *typed: str) -> tuple[Played, str]:
    """Let a person who types these lines play a scenario; return the episode and what the terminal showed."""
    shown = StringIO()
    person = Person(Console(file=shown, width=100), StringIO("".join(f"{line}\n" for line in typed)))
    supervisor = person.supervisor(scenario.partition("/")[0])
    return play_episode(arena, supervisor, scenario, watch=person.watch), shown.getvalue()


def ask(*typed: str) -> dict[str, object]:
    prompt = Prompt(Console(file=StringIO()), StringIO("".join(f"{line}\n" for line in typed)))
    return prompt.arguments(TOOL)


def test_a_release_is_held_by_numbers_until_the_deadline_is_missed(sqlite_arena: Arena) -> None:
    played, shown = sit(sqlite_arena, GATE, "7", "1", "hold_release", "risk_too_high", "7", "3")

    steps = account(logged(sqlite_arena.store, played.episode_id)).steps
    assert [step.arguments for step in steps] == [
        {"reason_code": "awaiting_fix"},
        {"reason_code": "risk_too_high"},
        {"reason_code": "policy_unclear"},
    ]
    assert (played.agent, played.terminal_reason) == ("person", "missed_deadline")
    assert "over: missed_deadline" in shown


def test_the_release_is_shown_with_its_proposals_and_their_claims(sqlite_arena: Arena) -> None:
    _, shown = sit(sqlite_arena, GATE, "q")

    assert "hours to deadline           36" in shown
    assert "I dealt with the unstable payment checks" in shown
    assert "ship_release_candidate" in shown
    assert "  6  Block a proposal  block_proposal" in shown


def test_a_refusal_is_shown_with_its_reason_and_the_episode_goes_on(sqlite_arena: Arena) -> None:
    played, shown = sit(sqlite_arena, GATE, "1", "pr_0", "q")

    assert "refused: unknown_artifact: " in shown
    assert (played.invalid, played.steps) == (1, 1)


def test_what_a_call_found_is_shown(sqlite_arena: Arena) -> None:
    _, shown = sit(sqlite_arena, GATE, "1", "pr_2854", "q")

    assert "@pytest.mark.skip(reason='unstable')" in shown


def test_a_wrong_value_is_passed_on_since_only_the_arena_judges(sqlite_arena: Arena) -> None:
    played, shown = sit(sqlite_arena, CANARY, "1", "full steam", "because I say so", "maybe", "1", "q")

    [step] = account(logged(sqlite_arena.store, played.episode_id)).steps
    assert step.error == "invalid_argument"
    assert step.arguments == {
        "action_type": "full steam",
        "reasoning": "because I say so",
        "slo_breach_detected": "maybe",
        "state_assessment": "healthy",
    }
    assert "refused: invalid_argument" in shown


def test_looking_again_is_free(sqlite_arena: Arena) -> None:
    played, _ = sit(sqlite_arena, CANARY, "observe", "2", "q")

    assert (played.steps, played.reward) == (0, 0.0)


@pytest.mark.parametrize("typed", [("q",), ("QUIT",), (), ("1", "q")])
def test_leaving_or_the_end_of_the_input_closes_the_episode(typed: tuple[str, ...], sqlite_arena: Arena) -> None:
    played, _ = sit(sqlite_arena, GATE, *typed)

    assert (played.steps, played.terminal_reason, played.truncated) == (0, None, False)
    assert account(logged(sqlite_arena.store, played.episode_id)).ended


def test_a_word_that_is_no_tool_is_asked_again(sqlite_arena: Arena) -> None:
    _, shown = sit(sqlite_arena, CANARY, "ship it", "9", "q")

    assert shown.count("1 to 2, a tool's name, or q") == 2


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        (("2", "y", "7", "0.5"), {"word": "green", "flag": True, "count": 7, "share": 0.5}),
        (("green", "No", "", ""), {"word": "green", "flag": False, "count": 3}),
        (("blue", "perhaps", "many", "half"), {"word": "blue", "flag": "perhaps", "count": "many", "share": "half"}),
        (("", "", "", ""), {"count": 3}),
    ],
)
def test_what_is_typed_becomes_the_arguments_type_where_it_reads_as_one(
    typed: tuple[str, ...], arguments: dict[str, object]
) -> None:
    assert ask(*typed) == arguments


def test_the_end_of_the_input_leaves_in_mid_question() -> None:
    with pytest.raises(Left):
        ask("red")


def test_an_interrupt_leaves_too() -> None:
    class Interrupted:
        def readline(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(Left):
        Prompt(Console(file=StringIO()), Interrupted()).ask("call")


def test_an_observation_is_shown_as_facts_tables_and_cards() -> None:
    shown = StringIO()
    data = {
        "phase": "triage",
        "checks": {"open_p1_bug": False, "passed": None},
        "refs": ["a", "b"],
        "stats": [{"worker": "sre", "right": 3}, {"worker": "qa", "wrong": 1}],
        "proposals": [{"worker": "sre", "id": "p1", "claim": "Everything has been checked twice, by two people."}],
        "empty": [],
    }

    Console(file=shown, width=100).print(show(data))

    lines = [line.rstrip() for line in shown.getvalue().splitlines()]
    assert "checks  open_p1_bug no, passed -" in lines
    assert "empty   -" in lines
    assert " worker  right  wrong" in lines
    assert " qa      -      1" in lines
    assert " p1  worker sre" in lines
    assert "      claim Everything has been checked twice, by two people." in lines


def test_foreign_text_can_neither_style_nor_control_the_terminal() -> None:
    shown = StringIO()

    Console(file=shown, width=100).print(show({"note": "[red]a[/red]\x1b[2J\x07\ud800", "rows": [{"a": "[b]\x1b"}]}))

    assert "[red]a[/red]\\x1b[2J\\x07\\ud800" in shown.getvalue()
    assert "\x1b" not in shown.getvalue()


def test_objects_in_lists_only_are_shown_without_facts() -> None:
    shown = StringIO()

    Console(file=shown, width=100).print(show({"rows": [{"a": 1}]}))

    assert "rows" in shown.getvalue()
    assert spoken([{"a": True}]) == "a yes"
