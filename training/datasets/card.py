"""The card of a dataset: what it was made from, by which reward, and what was left out and why."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.errors import InvalidArgument
from training.datasets.source import Source

CARD, ROWS, README = "card.json", "rows.jsonl", "README.md"


class SourceCard(BaseModel):
    """One log, as it was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    log: str
    """File or URL without its password."""
    suite: str
    agent: str
    episodes: int
    """How many were read, those without a row included."""
    heads_sha256: str
    """SHA-256 over the heads of their chains in order: another log, or an altered one, has another."""


class Card(BaseModel):
    """What a dataset is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    summary: str
    options: dict[str, Any]
    sources: tuple[SourceCard, ...]
    package: str
    """Version of this package."""
    suites: dict[str, str]
    """Installed version by suite."""
    renderings: dict[str, str]
    """Version of the texts by suite."""
    rewards: dict[str, str]
    """`id@version` by suite: rows were scored by it when they were made."""
    reward_code: dict[str, str]
    """SHA-256 of the reward's code by suite."""
    rows: int
    rows_sha256: str
    """Of the file of rows."""
    left_out: dict[str, int]
    """Why something became no row, and how often."""
    held_out: dict[str, int]
    """Episodes on held-out scenarios that were left out, by scenario; empty where none were met."""


def read_card(folder: Path) -> Card:
    """Return the card in a dataset's folder; raises InvalidArgument where there is none."""
    file = folder / CARD
    if not file.is_file():
        raise InvalidArgument(f"{folder} is no dataset: build one there with `releaseops dataset KIND DIR`")
    return Card.model_validate_json(file.read_bytes())


def write_card(folder: Path, card: Card) -> None:
    """Write a card, for programs and for people."""
    (folder / CARD).write_text(card.model_dump_json(indent=2) + "\n")
    (folder / README).write_text(_page(card))


def log_name(source: Source) -> str:
    """Return how a card names a log."""
    from sqlalchemy import make_url

    return str(source.export) if source.export else make_url(source.url).render_as_string(hide_password=True)


def _page(card: Card) -> str:
    lines = [f"# Dataset: {card.kind}", "", card.summary, "", f"{card.rows} rows in `{ROWS}`, one a line."]
    lines += ["", "## Made from", ""]
    lines += [f"- `{each.log}`: {each.episodes} episodes, heads `{each.heads_sha256}`" for each in card.sources]
    lines += ["", "## Scored by", ""]
    lines += [f"- {suite}: `{reward}`" for suite, reward in card.rewards.items()]
    lines += ["", "## Left out", ""]
    lines += [f"- {reason}: {count}" for reason, count in card.left_out.items()] or ["- nothing"]
    lines += [f"- held out, {scenario}: {count}" for scenario, count in card.held_out.items()]
    lines += ["", "## Options", "", "```json", json.dumps(card.options, indent=2), "```", ""]
    return "\n".join(lines)
