"""What a supervisor has read so far: the handbook, the pages, and where the pages that it still needs are."""

from releaseops_mcp.agents.scripted.gate.learner import Learner
from releaseops_mcp.agents.scripted.gate.priors import expected, surface_of
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.tools import ARGUMENT_OF
from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Topic, sheet_key
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.orgs import handbook
from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.rules.base import Case

FIRST_PAGE = {
    "advisory": 2,
    "calendar": 2,
    "codeowners": 2,
    "commits": 2,
    "drills": 3,
    "flags": 2,
    "image": 2,
    "incidents": 2,
    "junit": 2,
    "lcov": 6,
    "log": 4,
    "properties": 7,
    "provenance": 2,
    "rota": 4,
    "secrets": 3,
}
"""Where a document usually begins within its artefact, before the table of contents is known; else page 1."""
RELAPSE = 0.4
"""The chance that a proposal that comes back breaks again what it broke before."""
Page = tuple[str, str, int]
"""Tool, subject, page."""


class Desk:
    """Everything that has been read in one episode."""

    def __init__(self) -> None:
        self.view = PartialView()
        self._policy: list[str] = []
        self._learner = Learner()
        self._handbook: Handbook | None = None
        self._contents: dict[tuple[str, str], list[str]] = {}
        self._read: set[Page] = set()
        self._gone: set[Page] = set()
        self._pieces: dict[Page, str] = {}
        self._versions: dict[str, int] = {}
        self._owners: dict[str, str] = {}
        self._broken: dict[str, set[str]] = {}

    @property
    def handbook(self) -> Handbook:
        """The handbook, all of whose pages must have been read, and what past decisions add to it."""
        if self._handbook is None:
            self._handbook = self._learner.handbook(handbook.read(self._policy))
        return self._handbook

    def take_policy(self, result: Json) -> bool:
        """Take in one page of the handbook; return whether more follow."""
        self._policy.append(result["text"])
        return result["page"] < result["pages"]

    def take_precedents(self, result: Json) -> bool:
        """Take in one page of past decisions; return whether more follow."""
        self._learner.take(result["text"])
        self._handbook = None
        return result["page"] < result["pages"]

    def take(self, page: Page, result: Json | None, owner: str) -> None:
        """Take in one page of an artefact, read for the sake of one proposal; None where it could not be read."""
        tool, subject, number = page
        self._owners[subject] = owner
        if result is None:
            self._gone.add(page)
            return
        contents: list[str] = result["contents"]
        self._contents[tool, subject] = contents
        self._read.add(page)
        name = result["format"]
        text = self._pieces.pop(page, "") + result["text"]
        if result.get("next_offset") is not None:
            self._read.discard(page)
            self._pieces[page] = text
            return
        part = contents[:number].count(name)
        topic = Topic(name, subject)
        self.view.add(topic, text, part, contents.count(name), sheet_key(tool, subject, number))

    def offset(self, page: Page) -> int:
        """Return the byte from which to read on, where an answer was cut; else 0."""
        return len(self._pieces.get(page, "").encode())

    def notice(self, observation: Json) -> None:
        """Forget what was read about proposals that have come back in a new version."""
        for proposal in observation["proposals"]:
            if self._versions.get(proposal["id"], proposal["version"]) != proposal["version"]:
                owned = {subject for subject, owner in self._owners.items() if owner == proposal["id"]}
                for subject in sorted({*proposal["refs"], *owned}):
                    self._forget(subject)
            self._versions[proposal["id"]] = proposal["version"]

    def chance(self, proposal: Json, family: str) -> float:
        """Return the chance that a family's rule is violated, as long as nothing has been read about it."""
        usual = expected(surface_of(proposal["request"], proposal["touches"]), family)
        return max(usual, RELAPSE) if family in self._broken.get(proposal["id"], ()) else usual

    def verdict(self, proposal: Json, observation: Json) -> Verdict:
        """Return what the rules say of a proposal as far as it has been read."""
        verdict = judge(self._case(proposal, observation), self.view)
        self.broke(proposal["id"], verdict.families)
        return verdict

    def broke(self, proposal_id: str, families: tuple[str, ...]) -> None:
        """Remember which rules a proposal broke: what comes back may break them again."""
        self._broken.setdefault(proposal_id, set()).update(families)

    def _case(self, proposal: Json, observation: Json) -> Case:
        return Case(
            handbook=self.handbook,
            request=proposal["request"],
            service=self.handbook.service(observation["service"]),
            worker=proposal["worker"],
            claim=proposal["claim"],
            refs=tuple(proposal["refs"]),
            touches=frozenset(proposal["touches"]),
            minute=clock.minute_of(observation["time"]),
        )

    def page_for(self, topic: Topic) -> Page | None:
        """Return the next page to read for a topic, or None where nothing more can be read about it."""
        tool = formats()[topic.format].tool
        contents = self._contents.get((tool, topic.subject))
        if not topic.subject or tool not in ARGUMENT_OF:
            return None
        if contents is None:
            pages = [FIRST_PAGE.get(topic.format, 1), 1]
        else:
            pages = [number for number, name in enumerate(contents, 1) if name == topic.format]
        candidates = ((tool, topic.subject, number) for number in pages)
        return next((page for page in candidates if page not in self._read and page not in self._gone), None)

    def _forget(self, subject: str) -> None:
        self.view.forget(subject)
        self._read = {page for page in self._read if page[1] != subject}
        self._gone = {page for page in self._gone if page[1] != subject}
        self._pieces = {page: text for page, text in self._pieces.items() if page[1] != subject}
        self._contents = {key: value for key, value in self._contents.items() if key[1] != subject}
