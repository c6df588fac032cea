"""The chain names the first bad place, whatever was done to it."""

import json

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.errors import ChainBroken, SchemaTooNew
from releaseops_mcp.events import EpisodeEnd, EpisodeStart, Event, Origin
from releaseops_mcp.log.chain import GENESIS, Link, check, forge

EPISODE = "ep_1"
START = EpisodeStart(
    scenario="s",
    named="s",
    suite="toy",
    family="f",
    level="l",
    seed=1,
    world_hash="0" * 64,
    versions={},
    tools_hash="0" * 64,
    origin=Origin(door="python"),
    capture="tools",
    observation={},
    observation_hash="0" * 64,
)


def chain_of(*events: Event, episode: str = EPISODE) -> list[Link]:
    links: list[Link] = []
    for seq, event in enumerate(events):
        links.append(forge(episode, seq, links[-1].hash if links else GENESIS, 1000 + seq, event))
    return links


@pytest.fixture
def links() -> list[Link]:
    """A chain of five events."""
    return chain_of(START, *(EpisodeEnd(reason=None, steps=steps) for steps in range(4)))


def checked(links, *, count=5, head=None):
    return list(check(EPISODE, links, count=count, head=head or links[-1].hash))


def resealed(link: Link, **changed) -> Link:
    """Return a link with another envelope under a hash that is right for it."""
    body = canonical.dumps(json.loads(link.body) | changed)
    return link._replace(body=body, hash=canonical.sha256(body))


def test_a_whole_chain_yields_its_events(links):
    events = checked(links)
    assert [event.seq for event in events] == [0, 1, 2, 3, 4]
    assert events[0].data["suite"] == "toy"
    assert (events[1].at_ms, events[1].kind, events[1].data) == (1001, "episode_end", {"reason": None, "steps": 0})


def test_a_body_is_the_canonical_json_of_its_envelope(links):
    for link in links:
        assert link.body == canonical.dumps(json.loads(link.body))


def test_any_flipped_byte_shows_as_an_altered_event(links):
    body = links[2].body
    for place in range(len(body)):
        flipped = links[2]._replace(body=body[:place] + chr(ord(body[place]) ^ 1) + body[place + 1 :])
        with pytest.raises(ChainBroken, match="ep_1 event 2: its content does not have its hash"):
            checked([*links[:2], flipped, *links[3:]])


def test_a_removed_event_is_named(links):
    with pytest.raises(ChainBroken, match="ep_1 event 2: number 3 stands in its place"):
        checked(links[:2] + links[3:])


def test_reordered_events_are_named(links):
    with pytest.raises(ChainBroken, match="ep_1 event 1: number 2 stands in its place"):
        checked([links[0], links[2], links[1], *links[3:]])


def test_renumbered_events_do_not_fit_their_content(links):
    swapped = [links[0], links[2]._replace(seq=1), links[1]._replace(seq=2), *links[3:]]
    with pytest.raises(ChainBroken, match="ep_1 event 1: it does not belong here"):
        checked(swapped)


def test_a_lost_tail_shows_against_the_count(links):
    with pytest.raises(ChainBroken, match="3 events are there and 5 were written; event 3 is the first difference"):
        checked(links[:3])


def test_an_event_too_many_shows_against_the_count(links):
    with pytest.raises(ChainBroken, match="5 events are there and 4 were written; event 4 is the first difference"):
        checked(links, count=4)


def test_another_ending_shows_against_the_head(links):
    with pytest.raises(ChainBroken, match="does not have the hash that was noted"):
        checked([*links[:4], resealed(links[4], data={"reason": "safe_ship", "steps": 3})], head=links[4].hash)


@pytest.mark.parametrize(
    "changed",
    [{"episode": "ep_2"}, {"seq": 3}, {"prev": "f" * 64}, {"kind": "error"}],
    ids=lambda each: next(iter(each)),
)
def test_an_event_from_elsewhere_does_not_belong(links, changed):
    with pytest.raises(ChainBroken, match="ep_1 event 2: it does not belong here"):
        checked([*links[:2], resealed(links[2], **changed), *links[3:]])


def test_an_episode_begins_with_its_start_and_has_one():
    for events in ([EpisodeEnd(reason=None, steps=0)], [START, START]):
        links = chain_of(*events)
        with pytest.raises(ChainBroken, match="it does not belong here"):
            checked(links, count=len(links))


def test_an_event_of_a_newer_schema_asks_for_a_newer_package(links):
    with pytest.raises(SchemaTooNew, match="ep_1 event 2: schema 2 is newer than 1: read this log with a newer"):
        checked([*links[:2], resealed(links[2], v=2, more="fields"), *links[3:]])


@pytest.mark.parametrize("body", ["[]", "1", '{"v":1}', '{"v":"1"}', "{}"])
def test_a_body_that_is_no_event_is_named_even_under_its_right_hash(links, body):
    replaced = links[2]._replace(body=body, hash=canonical.sha256(body))
    with pytest.raises(ChainBroken, match="ep_1 event 2: it is no event of schema 1"):
        checked([*links[:2], replaced, *links[3:]])


def test_a_chain_of_unknown_length_is_checked_link_by_link(links):
    assert len(list(check(EPISODE, links[:3], count=None, head=None))) == 3
