"""Long texts come in pages; what an agent sees of an answer never holds a reward."""

import pytest

from releaseops_mcp.arena.answers import PAGE_CHARS, Answer, Started, StartedEpisode, ToolAnswer, cut
from releaseops_mcp.rewards.base import StepReward

LONG = "".join(chr(ord("a") + number % 26) for number in range(PAGE_CHARS * 2 + 10))


def test_what_is_short_is_shown_as_it_is():
    short = {"diff": "x" * PAGE_CHARS, "lines": [LONG]}
    assert cut(short) is short
    assert cut(None) is None


def test_the_pages_of_a_long_text_make_up_the_text():
    read, offset, pages = "", 0, 0
    while offset is not None:
        page = cut({"diff": LONG, "path": "a.py"}, offset)
        assert page["path"] == "a.py"
        assert len(page["diff"]) <= PAGE_CHARS
        assert page["truncated"] == (page["next_offset"] is not None)
        read, offset, pages = read + page["diff"], page["next_offset"], pages + 1
    assert (read, pages) == (LONG, 3)


def test_a_page_beyond_the_end_is_empty_and_the_last():
    assert cut({"diff": LONG}, len(LONG)) == {"diff": "", "truncated": False, "next_offset": None}


def test_several_long_texts_go_on_until_the_longest_ends():
    page = cut({"diff": LONG, "output": LONG[: PAGE_CHARS + 1]}, PAGE_CHARS)
    assert (len(page["output"]), page["truncated"]) == (1, True)


@pytest.mark.parametrize("refused", [False, True])
def test_an_agent_sees_no_reward(refused):
    earned = StepReward(0.5, {"grade": "correct_rollback"})
    answer = Answer("ep_1", "hold", 1, None if refused else {"held": True}, None, {"hours": 1}, False, None, earned)
    shown = answer.public()
    assert ToolAnswer.model_validate(shown).model_dump() == shown
    assert "reward" not in str(shown)
    assert "correct_rollback" not in str(shown)


def test_a_started_episode_is_shown_as_its_model_says():
    shown = Started("ep_1", "scn_1", "toy", {"hours": 1}).public()
    assert StartedEpisode.model_validate(shown).model_dump() == shown
