"""A turn is small: a first observation of at most 300 tokens of SmolLM2, later turns of at most 80 with the call."""

import json
from itertools import islice
from pathlib import Path

import pytest

from tests.canary.turns import EXTREME, FILE, FIRST, LATER, bound, turns

FROZEN = json.loads(FILE.read_text())["turns"]
TOKENIZER = Path("/tmp/smollm2/tokenizer.json")
OBSERVATIONS = 2_000


def limit(written):
    return LATER if written else FIRST


def test_every_frozen_turn_keeps_the_limit():
    for written, shown, tokens in FROZEN:
        assert tokens <= limit(written), (written, shown)
    assert list(EXTREME) in [row[:2] for row in FROZEN]


def test_the_bound_is_never_below_the_tokenizers_count():
    for written, shown, tokens in FROZEN:
        assert tokens <= bound(written + shown), (written, shown)


def test_turns_of_all_families_keep_the_limit_by_the_bound():
    seen = list(islice(turns(range(100_000, 100_010)), OBSERVATIONS))
    assert len(seen) == OBSERVATIONS
    assert {bool(written) for written, _ in seen} == {True, False}
    for written, shown in seen:
        assert bound(written + shown) <= limit(written), (written, shown)


@pytest.mark.skipif(not TOKENIZER.exists(), reason="SmolLM2's tokenizer is not unpacked at /tmp/smollm2")
def test_the_tokenizer_itself_agrees():
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    for written, shown in [EXTREME, *islice(turns(range(200_000, 200_010)), OBSERVATIONS)]:
        counted = len(tokenizer.encode(written + shown, add_special_tokens=False).ids)
        assert counted <= min(limit(written), bound(written + shown)), (written, shown)
