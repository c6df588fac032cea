"""Arrays beside the log, named by what is in them."""

import numpy as np
import pytest

pytest.importorskip("langchain_core", reason="needs langchain-core")

from graphs.models.blobs import Blobs


def test_what_is_stored_comes_back_in_its_type(tmp_path):
    blobs = Blobs(tmp_path / "blobs")

    ids, logprobs = blobs.put_token_ids([3, 151_000]), blobs.put_logprobs([-0.5, -12.25])

    assert (blobs.token_ids(ids).dtype, blobs.token_ids(ids).tolist()) == (np.int32, [3, 151_000])
    assert (blobs.logprobs(logprobs).dtype, blobs.logprobs(logprobs).tolist()) == (np.float16, [-0.5, -12.25])


def test_the_same_content_is_one_file(tmp_path):
    blobs = Blobs(tmp_path)

    assert blobs.put(b"x") == blobs.put(b"x")
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_an_altered_or_missing_blob_is_found_out(tmp_path):
    blobs = Blobs(tmp_path)
    name = blobs.put(b"x")
    (tmp_path / name[:2] / name).write_bytes(b"y")

    with pytest.raises(ValueError, match=f"blob {name} was altered"):
        blobs.get(name)
    with pytest.raises(FileNotFoundError):
        blobs.get("0" * 64)
