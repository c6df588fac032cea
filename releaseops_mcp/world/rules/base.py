"""What a rule family is asked, and what it answers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.world.evidence.sheet import Record, Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Handbook, Rule, Service, Severity

State = Literal["satisfied", "violated", "unknown", "waived"]


class Params(BaseModel):
    """Settings of a family; a family with settings has its own subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Case:
    """One proposal as everybody sees it, and when."""

    handbook: Handbook
    """The organisation's policy, as far as whoever asks knows it."""
    request: str
    service: Service
    worker: str
    claim: str
    refs: tuple[str, ...]
    """Ids of the artefacts that the proposal names."""
    touches: frozenset[str]
    """Surfaces that the change touches."""
    minute: int
    """The release's clock."""

    def ref(self, prefix: str) -> str | None:
        """Return the first artefact with this prefix that the proposal names, such as `ci_`, or None."""
        return next((ref for ref in self.refs if ref.startswith(prefix)), None)

    def topic(self, format: str, prefix: str) -> Topic:
        """Return the topic of a named artefact; of no artefact (an empty subject) where the proposal names none."""
        return Topic(format, self.ref(prefix) or "")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rule says of a case."""

    state: State
    grounds: tuple[str, ...] = ()
    """Sheets (`tool:artefact#page`) with the records that show it."""
    missing: tuple[Topic, ...] = ()
    """What would have to be read."""
    links: tuple[str, ...] = ()
    """Tickets that the offending records name."""
    waiver: str = ""
    """The exception that waived it."""


SATISFIED = Answer("satisfied")
Judge = Callable[[Rule, Case, View], Answer]


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """One kind of rule."""

    name: str
    summary: str
    """What it demands, as a sentence."""
    judge: Judge
    params: type[Params] = Params
    universal: bool = False
    """Whether it holds in every organisation and cannot be waived."""
    severity: Severity = "block"
    """What a violation of a universal family comes to."""


def unknown(*topics: Topic) -> Answer:
    """Return the answer that these topics are missing."""
    return Answer("unknown", missing=topics)


def violated(view: View, topic: Topic, records: Iterable[Record], links: Iterable[str] = ()) -> Answer:
    """Return the answer that these records of a topic show a violation."""
    return Answer("violated", grounds=view.sources(topic, records), links=tuple(dict.fromkeys(links)))


def settings(rule: Rule, params: type[Any]) -> Any:
    """Return a rule's settings as its family's own model."""
    return params.model_validate(rule.params)
