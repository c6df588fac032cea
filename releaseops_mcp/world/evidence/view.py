"""Views over evidence: complete for the truth, partial for a supervisor; rules cannot tell which one they look through.

Truth and supervisor read the very same text with the very same parsers: nothing that no artefact shows can decide.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Artefact, Record, Topic, sheet_key

R = TypeVar("R", bound=Record)


@lru_cache(maxsize=8192)
def parse(topic: Topic, text: str) -> tuple[Record, ...]:
    """Return the records of one document; raises ValueError for a text that is not in its format."""
    return formats()[topic.format].parse(topic.subject, text)


class View(ABC):
    """What is known: records by topic, with the sheet that each was read on."""

    def __init__(self) -> None:
        self._records: dict[Topic, list[tuple[Record, str]]] = {}
        self._parts: dict[Topic, tuple[set[int], int]] = {}

    def records(self, topic: Topic, kind: type[R]) -> tuple[R, ...]:
        """Return the records of one type that have been read on a topic, in reading order."""
        self._look(topic)
        return tuple(record for record, _ in self._records.get(topic, ()) if isinstance(record, kind))

    def known(self, topic: Topic) -> bool:
        """Return whether the whole of a topic has been read; where not, an absent record proves nothing."""
        self._look(topic)
        read, parts = self._parts.get(topic, (set[int](), 1))
        return len(read) == parts

    def sources(self, topic: Topic, records: Iterable[Record]) -> tuple[str, ...]:
        """Return the sheets (`tool:artefact#page`) on which these records stand."""
        wanted = set(records)
        return tuple(dict.fromkeys(sheet for record, sheet in self._records.get(topic, ()) if record in wanted))

    def add(self, topic: Topic, text: str, part: int, parts: int, source: str) -> None:
        """Take in one sheet; a sheet that was read before changes nothing."""
        read, _ = self._parts.setdefault(topic, (set[int](), parts))
        if part not in read:
            read.add(part)
            self._records.setdefault(topic, []).extend((record, source) for record in parse(topic, text))

    @abstractmethod
    def _look(self, topic: Topic) -> None: ...


class PartialView(View):
    """What a supervisor has read so far."""

    def forget(self, subject: str) -> None:
        """Drop what was read about an artefact that has changed since."""
        for topic in [topic for topic in self._parts if topic.subject == subject]:
            del self._parts[topic]
            self._records.pop(topic, None)

    def _look(self, topic: Topic) -> None:
        pass


class CompleteView(View):
    """Everything that could be read; a topic is parsed when a rule first asks for it."""

    def __init__(self, artefacts: Mapping[tuple[str, str], Artefact]) -> None:
        super().__init__()
        self._artefacts = artefacts
        self._looked: set[Topic] = set()

    def _look(self, topic: Topic) -> None:
        if topic in self._looked:
            return
        self._looked.add(topic)
        tool = formats()[topic.format].tool
        artefact = self._artefacts.get((tool, topic.subject))
        for page, sheet in enumerate(artefact.sheets if artefact else (), 1):
            if sheet.topic == topic:
                self.add(topic, sheet.text, sheet.part, sheet.parts, sheet_key(tool, topic.subject, page))
