"""Writes the repositories of a world to disk, so that its tests can be run and its patches applied."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from releaseops_mcp.world.world import World


def materialize(world: World, folder: Path) -> list[Path]:
    """Write `<proposal>/v<n>/base` and `/head` trees and `/artefacts` pages under a folder; return what was written.

    Raises FileExistsError where the folder is not empty: nothing is ever written over.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty: name a new folder")
    written: list[Path] = []
    for path, text in _files(world):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        written.append(file)
    return written


def _files(world: World) -> Iterator[tuple[str, str]]:
    for lineage in world.lineages:
        for version in lineage.versions:
            place = f"{lineage.id}/v{version.number}"
            if version.base is not None and version.head is not None:
                yield from _tree(f"{place}/base", version.base)
                yield from _tree(f"{place}/head", version.head)
            for (tool, artefact_id), artefact in version.artefacts.items():
                for page, sheet in enumerate(artefact.sheets, 1):
                    yield f"{place}/artefacts/{tool}/{artefact_id}/{page:02d}-{sheet.topic.format}.txt", sheet.text


def _tree(place: str, tree: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path, text in tree.items():
        yield f"{place}/{path}", text
