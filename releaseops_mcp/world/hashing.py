"""Git object ids, computed as git computes them: no git is run."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

Tree = Mapping[str, str]
"""A repository's files: text by path."""


@lru_cache(maxsize=4096)
def blob_id(text: str) -> str:
    """Return the id of a file's content."""
    return _object("blob", text.encode())


def tree_id(files: Tree) -> str:
    """Return the id of a tree of plain files."""
    return _tree(tuple(sorted(files.items())))


def commit_id(tree: str, parents: tuple[str, ...], author: str, seconds: int, message: str) -> str:
    """Return the id of a commit; `seconds` is its UTC time since 1970."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"{role} {author} <{author}@users.invalid> {seconds} +0000" for role in ("author", "committer")]
    return _object("commit", ("\n".join(lines) + f"\n\n{message}\n").encode())


@lru_cache(maxsize=1024)
def _tree(files: tuple[tuple[str, str], ...]) -> str:
    entries: dict[str, tuple[bytes, str]] = {}
    folders: dict[str, list[tuple[str, str]]] = {}
    for path, text in files:
        head, _, rest = path.partition("/")
        if rest:
            folders.setdefault(head, []).append((rest, text))
        else:
            entries[head] = (b"100644", blob_id(text))
    for name, inside in folders.items():
        entries[name] = (b"40000", _tree(tuple(inside)))
    ordered = sorted(entries.items(), key=lambda item: item[0] + ("/" if item[1][0] == b"40000" else ""))
    body = b"".join(mode + b" " + name.encode() + b"\0" + bytes.fromhex(sha) for name, (mode, sha) in ordered)
    return _object("tree", body)


def _object(kind: str, body: bytes) -> str:
    # SHA-1 because git's ids are SHA-1; nothing here rests on its strength.
    return hashlib.sha1(f"{kind} {len(body)}\0".encode() + body, usedforsecurity=False).hexdigest()
