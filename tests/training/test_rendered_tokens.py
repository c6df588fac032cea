"""As training renders it, `canary` is small: 300 tokens at first, 80 a turn with the call, 4,096 an episode."""

import json
from itertools import islice
from pathlib import Path

import pytest

from tests.training.rendered import EPISODE, FILE, FIRST, LATER, LOOKERS, episode, fingerprint, texts, turns, upper

FROZEN = json.loads(FILE.read_text())
TOKENIZER = Path("/tmp/smollm2/tokenizer.json")
AGAIN = "run `python -m tests.training.rendered FOLDER`"


def limit(text):
    return FIRST if text.startswith("<|im_start|>user") else LATER


def test_every_frozen_turn_keeps_its_limit_and_the_bound_is_never_below_the_tokenizers_count():
    assert len(FROZEN["turns"]) > 100
    for text, tokens in FROZEN["turns"]:
        assert tokens <= limit(text), text
        assert tokens <= upper(text), text


def test_turns_of_all_families_keep_the_limit_by_the_bound():
    seen = 0
    for _, _, text in texts(range(100, 101)):
        first, later = turns(text)
        assert upper(first) <= FIRST, first
        for turn in later:
            assert not turn.plain or upper(turn.text) <= LATER, turn.text
        seen += len(later)
    assert seen > 1_000


@pytest.mark.parametrize(("tokens", "player", "scenario", "known"), FROZEN["episodes"])
def test_the_longest_episodes_fit(tokens, player, scenario, known):
    assert player in LOOKERS
    assert fingerprint(episode(player, scenario)) == known, f"the episode reads otherwise now: {AGAIN}"
    assert tokens <= EPISODE


@pytest.mark.skipif(not TOKENIZER.exists(), reason="SmolLM2's tokenizer is not unpacked at /tmp/smollm2")
def test_the_tokenizer_itself_agrees():
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    for _, scenario, text in islice(texts(range(200_000, 200_001)), 60):
        for turn in turns(text)[1]:
            counted = len(tokenizer.encode(turn.text, add_special_tokens=False).ids)
            assert not turn.plain or counted <= min(LATER, upper(turn.text)), (scenario, turn.text)
        assert len(tokenizer.encode(text, add_special_tokens=False).ids) <= EPISODE
