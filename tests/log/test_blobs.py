"""Blobs are kept once under their hash, beside a log that need not know of them."""

import numpy as np
import pytest
from sqlalchemy import inspect, text, update

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log import tables
from releaseops_mcp.log.blobs import LOGPROBS, TOKEN_IDS, name_of, token_blobs
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.store import Store
from tests.playing import fill


def test_a_blob_is_found_under_its_hash_and_kept_once(store):
    names = store.blobs.put([b"one", b"two", b"one"])
    assert names == [name_of(b"one"), name_of(b"two"), name_of(b"one")]
    assert store.blobs.put([b"two"]) == [names[1]]
    assert store.blobs.get(names) == {names[0]: b"one", names[1]: b"two"}


def test_tokens_come_back_in_their_types(store):
    # given tokens and their log-probabilities in the log
    names = store.blobs.put(token_blobs([3, 151_000], [-0.5, -12.25]))

    # when they are read
    ids, logprobs = store.blobs.get(names).values()

    # then both are as they were, and their size is that of their types on every machine
    assert (len(ids), len(logprobs)) == (8, 4)
    assert np.frombuffer(ids, TOKEN_IDS).tolist() == [3, 151_000]
    assert np.frombuffer(logprobs, LOGPROBS).tolist() == [-0.5, -12.25]


def test_nothing_in_is_nothing_out(store):
    assert store.blobs.put([]) == []
    assert store.blobs.get([]) == {}


def test_a_missing_and_an_altered_blob_are_named(store):
    (name,) = store.blobs.put([b"one"])
    with pytest.raises(ChainBroken, match=f"blob {name_of(b'two')} is not in this log"):
        store.blobs.get([name_of(b"two")])
    with store._database.writing() as connection:
        connection.execute(update(tables.blobs).values(data=b"other"))
    with pytest.raises(ChainBroken, match=f"blob {name} was altered"):
        store.blobs.get([name])


def test_more_blobs_than_a_query_takes_parameters_are_read(store):
    contents = [str(number).encode() for number in range(1_201)]
    names = store.blobs.put(contents)
    assert list(store.blobs.get(names).values()) == contents


def test_a_log_from_before_blobs_is_read_as_it_was_and_takes_its_first_one(arena):
    # given a log whose database has no table for them
    fill(arena)
    store = arena.store
    before = [(episode.id, episode.head) for episode in DatabaseLog(store).episodes()]
    database = store._database
    with database.writing() as connection:
        connection.execute(text("DROP TABLE blobs"))

    # when it is opened and read
    again = Store(database)
    assert [(episode.id, episode.head) for episode in DatabaseLog(again).episodes()] == before
    with pytest.raises(ChainBroken, match="is not in this log"):
        again.blobs.get([name_of(b"one")])
    assert not inspect(database.engine).has_table("blobs")

    # then the first blob makes the table
    (name,) = again.blobs.put([b"one"])
    assert again.blobs.get([name]) == {name: b"one"}
