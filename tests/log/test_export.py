"""An export reads back as what was logged, and names the first line at which it does not."""

import json
import random

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.errors import ChainBroken, LogError, SchemaTooNew
from releaseops_mcp.log.export import export_lines, write_export
from releaseops_mcp.log.lines import Promise, manifest_line
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.reading import ExportLog, read_manifest
from releaseops_mcp.log.rows import EpisodeFilter
from tests.playing import fill, logged, play
from tests.sequences import CANARY_SCENARIO


@pytest.fixture
def exported(sqlite_arena, tmp_path):
    """An export of four episodes, with their truth; the lines, the ids and a function that reads changed lines."""
    ids = fill(sqlite_arena)
    path = tmp_path / "log.jsonl"
    write_export(sqlite_arena.store, path, with_truth=True)
    lines = path.read_text().splitlines(keepends=True)

    def read(changed):
        path.write_text("".join(changed))
        return list(ExportLog(path).episodes())

    return lines, ids, read


def first_bad(read, lines) -> str:
    with pytest.raises(LogError) as caught:
        read(lines)
    return caught.value.message


def with_event(line: str, **changed) -> str:
    """Return an event's line with another envelope, under a hash that is right for it."""
    event = json.loads(line)["event"] | changed
    return canonical.dumps({"event": event, "hash": canonical.digest(event)}) + "\n"


def test_what_is_read_back_is_what_the_database_holds(arena, tmp_path):
    fill(arena)
    written = write_export(arena.store, tmp_path / "log.jsonl", with_truth=True)
    log = ExportLog(tmp_path / "log.jsonl")
    stored = list(DatabaseLog(arena.store).episodes())
    read = list(log.episodes())
    assert written == log.total() == 4
    assert [(each.id, each.count, each.head, each.events, each.truth) for each in read] == [
        (each.id, each.count, each.head, each.events, each.truth) for each in stored
    ]
    assert all(each.row is None for each in read)


def test_every_line_is_canonical_and_the_last_one_names_every_episode(exported):
    lines, ids, _ = exported
    records = [json.loads(line) for line in lines]
    assert [canonical.dumps(record) + "\n" for record in records] == lines
    manifest = records[-1]["manifest"]
    assert [entry[0] for entry in manifest["episodes"]] == ids
    assert manifest["format"] == 1
    assert manifest["events"] == sum("event" in record for record in records) == sum(e[1] for e in manifest["episodes"])


def test_truth_is_exported_only_where_it_is_asked_for(sqlite_arena):
    episode_id = play(sqlite_arena, CANARY_SCENARIO)
    assert not any('"truth"' in line for line in export_lines(sqlite_arena.store))
    (truth,) = (line for line in export_lines(sqlite_arena.store, with_truth=True) if '"truth"' in line)
    assert json.loads(truth)["truth"] == logged(sqlite_arena.store, episode_id).truth


def test_chosen_episodes_are_exported_alone(sqlite_arena, tmp_path):
    ids = fill(sqlite_arena)
    told = []
    chosen = EpisodeFilter(suite="classic-canary")
    write_export(sqlite_arena.store, tmp_path / "log", chosen, progress=lambda *seen: told.append(seen))
    assert [each.id for each in ExportLog(tmp_path / "log").episodes()] == ids[1:3]
    assert told == [(1, 2), (2, 2)]


def test_an_empty_log_exports_as_a_manifest_alone(sqlite_arena, tmp_path):
    assert write_export(sqlite_arena.store, tmp_path / "log") == 0
    assert list(ExportLog(tmp_path / "log").episodes()) == []
    assert read_manifest(tmp_path / "log") == ((), 0)


def test_a_broken_chain_is_not_passed_on(sqlite_arena, tmp_path):
    fill(sqlite_arena)
    with sqlite_arena.store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE events SET body = replace(body, 'easy', 'hard') WHERE seq = 0")
    with pytest.raises(ChainBroken, match="event 0: its content does not have its hash"):
        write_export(sqlite_arena.store, tmp_path / "log.jsonl")
    assert not (tmp_path / "log.jsonl").exists(), "what was cut short does not bear the name of a whole export"


def test_any_flipped_bit_is_found_in_its_line(exported, tmp_path):
    lines, _, _ = exported
    whole = "".join(lines).encode()
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    draw = random.Random(0)
    places = {start for start in starts[:-1]} | {start - 1 for start in starts[1:]}
    for place in [*sorted(places), *(draw.randrange(len(whole)) for _ in range(400))]:
        number = next(n for n, start in enumerate(starts[1:], 1) if place < start)
        flipped = whole[:place] + bytes([whole[place] ^ 1 << draw.randrange(8)]) + whole[place + 1 :]
        (tmp_path / "log.jsonl").write_bytes(flipped)
        with pytest.raises(LogError, match=f"line {number}: "):
            list(ExportLog(tmp_path / "log.jsonl").episodes())


def test_a_removed_line_is_named_with_its_event(exported):
    lines, ids, read = exported
    assert first_bad(read, lines[:4] + lines[5:]) == (
        f"line 5: {ids[0]} event 3: number 4 stands in its place: an event was removed or reordered"
    )


def test_any_removed_line_is_found(exported):
    lines, _, read = exported
    for number in range(len(lines)):
        if '"truth"' in lines[number][:100]:
            continue
        assert first_bad(read, lines[:number] + lines[number + 1 :]).startswith(f"line {number + 1}: ")


def test_an_episode_whose_truth_was_removed_is_read_without(exported):
    lines, _, read = exported
    kept = [line for line in lines if '"truth":' not in line]
    assert [each.truth for each in read(kept)] == [None] * 4


def test_any_two_lines_that_change_places_are_found(exported):
    lines, _, read = exported
    for number in range(len(lines) - 1):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        if json.loads(swapped[number]).keys() == {"event", "hash"} or number == len(lines) - 2:
            assert first_bad(read, swapped).startswith((f"line {number + 1}: ", f"line {number + 2}: "))


def test_a_reordered_event_is_named(exported):
    lines, ids, read = exported
    swapped = [*lines[:3], lines[4], lines[3], *lines[5:]]
    assert first_bad(read, swapped).startswith(f"line 4: {ids[0]} event 2: number 3 stands in its place")


def test_a_lost_tail_is_found_at_the_end_of_what_is_left(exported):
    lines, _, read = exported
    assert first_bad(read, lines[:-1]) == (
        f"line {len(lines)}: the manifest is missing: the tail of this file is lost; export the log again"
    )
    assert first_bad(read, lines[:7]).startswith("line 8: the manifest is missing")
    assert first_bad(read, [*lines[:7], lines[7][:50]]).startswith("line 8: it is not JSON as an export has it")
    assert first_bad(read, []).startswith("line 1: the manifest is missing")


def test_before_a_lost_tail_the_first_bad_line_is_still_the_one_named(exported):
    lines, ids, read = exported
    assert first_bad(read, lines[:4] + lines[5:-1]).startswith(f"line 5: {ids[0]} event 3")


def test_a_lost_episode_is_named(exported):
    lines, ids, read = exported

    def of(episode):
        return [line for line in lines[:-1] if f'"episode":"{episode}"' in line]

    without_second = [line for line in lines if line not in of(ids[1])]
    bare = [line for line in without_second if '"truth":' not in line]
    number = len(of(ids[0])) + 1
    assert first_bad(read, bare) == (f"line {number}: episode {ids[1]} is lost: {ids[2]} stands in its place")
    only_first = [*of(ids[0]), lines[-1]]
    assert first_bad(read, only_first) == (
        f"line {number}: episode {ids[1]} is lost: the manifest names it and no event of it is here"
    )


def test_events_that_are_lost_at_an_episodes_end_are_named(exported):
    lines, ids, read = exported
    last = max(number for number, line in enumerate(lines[:-1]) if f'"episode":"{ids[0]}"' in line)
    message = first_bad(read, lines[:last] + lines[last + 1 :])
    assert message.startswith(f"line {last + 1}: {ids[0]}: ")
    assert "is the first difference" in message


def test_an_episode_that_was_put_in_is_named(exported):
    lines, ids, read = exported
    fewer = [Promise(*entry) for entry in json.loads(lines[-1])["manifest"]["episodes"]][:-1]
    first = min(number for number, line in enumerate(lines) if f'"episode":"{ids[3]}"' in line)
    changed = [*lines[:-1], manifest_line(fewer) + "\n"]
    assert first_bad(read, changed) == f"line {first}: it belongs to no episode of the manifest: something was put in"


def test_lines_behind_the_manifest_are_named(exported):
    lines, _, read = exported
    assert first_bad(read, [*lines, lines[1]]).startswith(f"line {len(lines) + 1}: it stands behind the manifest")


def test_a_truth_without_an_episode_is_named(exported):
    lines, _, read = exported
    assert first_bad(read, [lines[0], lines[0], *lines[1:-1]]) == (
        "line 2: no event follows the truth: a line was removed"
    )


def test_the_truth_of_another_world_is_named(exported):
    lines, ids, read = exported
    truths = [line for line in lines if '"truth":' in line]
    message = first_bad(read, [truths[1], *lines[1:]])
    assert f"the truth before {ids[0]} belongs to another world" in message


def test_an_event_of_a_newer_schema_asks_for_a_newer_package(exported):
    lines, ids, read = exported
    newer = with_event(lines[3], v=2)
    with pytest.raises(SchemaTooNew, match=f"line 4: {ids[0]} event 2: schema 2 is newer than 1"):
        read([*lines[:3], newer, *lines[4:]])


def test_an_export_of_a_newer_format_asks_for_a_newer_package(exported):
    lines, _, read = exported
    newer = canonical.dumps({"manifest": {"format": 2, "index": "elsewhere"}, "hash": "?"})
    with pytest.raises(SchemaTooNew, match="export format 2 is newer than 1"):
        read([*lines[:-1], newer])


@pytest.mark.parametrize(
    "line",
    [
        "Dear reader,",
        "[" * 5000,
        "[1,2]",
        '{"event": {}}',
        '{"event":[],"hash":"0"}',
        '{"event":{},"hash":"0"}',
        "NaN",
        "é",
    ],
)
def test_what_is_no_export_is_refused_at_its_first_line(exported, line):
    _, _, read = exported
    assert first_bad(read, [line + "\n", line]).startswith("line 1: ")


def test_a_last_line_longer_than_a_chunk_is_read_whole(exported, monkeypatch):
    lines, _, read = exported
    monkeypatch.setattr("releaseops_mcp.log.reading._CHUNK", 7)
    assert len(read(lines)) == 4
    assert len(read([*lines[:-1], lines[-1].rstrip("\n")])) == 4, "a missing last line end loses nothing"
