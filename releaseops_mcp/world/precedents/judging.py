"""What the rules of its day say of a past proposal: the engine that judges proposals, asked about a small case."""

from collections.abc import Iterable

from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Handbook, Rule
from releaseops_mcp.world.policy import Verdict, covers, judge
from releaseops_mcp.world.precedents.precedent import Past
from releaseops_mcp.world.precedents.subjects.base import Records
from releaseops_mcp.world.precedents.subjects.registry import subjects
from releaseops_mcp.world.rules.base import Case


class RecordView(View):
    """A view of records that are given as they are; what it holds is known as a whole."""

    def __init__(self, records: Records) -> None:
        super().__init__()
        for topic, found in records.items():
            self._records[topic] = [(record, f"precedent:{topic.subject}#1") for record in found]
            self._parts[topic] = ({1}, 1)

    def _look(self, topic: Topic) -> None:
        pass


def case_of(past: Past, handbook: Handbook) -> Case:
    """Return a past proposal as the rules are asked about it; raises KeyError for an unknown service or subject."""
    return Case(
        handbook=handbook,
        request=past.request,
        service=handbook.service(past.service),
        worker=past.worker,
        claim="",
        refs=subjects()[past.subject].refs,
        touches=frozenset(past.touches),
        minute=past.minute,
    )


def verdict_of(past: Past, handbook: Handbook, rules: Iterable[Rule]) -> Verdict:
    """Return what those of the rules say that cover the case and that its facts decide; the rest was in order."""
    subject, case = subjects()[past.subject], case_of(past, handbook)
    asked = [rule for rule in rules if rule.family in subject.families and covers(rule, case)]
    return judge(case, RecordView(subject.records(past, handbook)), asked)
