"""Blobs: arrays beside the log, as files named by their SHA-256, so that a log that names one proves it too.

Sampled token ids are little-endian int32, their log-probabilities little-endian float16, in the order of sampling.
"""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ID_TYPE = "<i4"
LOGPROB_TYPE = "<f2"


class Blobs:
    """A folder of blobs, in subfolders by the first two digits of the name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put_token_ids(self, token_ids: Sequence[int]) -> str:
        """Store token ids and return the blob's name."""
        return self.put(np.asarray(token_ids, dtype=ID_TYPE).tobytes())

    def put_logprobs(self, logprobs: Sequence[float]) -> str:
        """Store log-probabilities and return the blob's name."""
        return self.put(np.asarray(logprobs, dtype=LOGPROB_TYPE).tobytes())

    def token_ids(self, name: str) -> NDArray[np.int32]:
        """Return stored token ids; raises what `get` raises."""
        return np.frombuffer(self.get(name), dtype=ID_TYPE)

    def logprobs(self, name: str) -> NDArray[np.float16]:
        """Return stored log-probabilities; raises what `get` raises."""
        return np.frombuffer(self.get(name), dtype=LOGPROB_TYPE)

    def put(self, content: bytes) -> str:
        """Store a content, whole or not at all, and return its name; the same content is stored once."""
        name = hashlib.sha256(content).hexdigest()
        path = self._path(name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(draft).replace(path)
        return name

    def get(self, name: str) -> bytes:
        """Return a content; raises FileNotFoundError, and ValueError where the file is not what its name says."""
        content = self._path(name).read_bytes()
        if hashlib.sha256(content).hexdigest() != name:
            raise ValueError(f"blob {name} was altered: restore it from a copy")
        return content

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name
