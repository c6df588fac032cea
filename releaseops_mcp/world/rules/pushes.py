"""What was pushed after a commit, and whether evidence about that commit still counts."""

from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.globs import covered


def only_harmless_since(commits: tuple[CommitRecord, ...], sha: str, harmless: tuple[str, ...]) -> bool:
    """Return whether every commit after `sha` touches harmless paths alone; `commits` are the branch's, oldest first.

    A commit that is not of the branch, and one that changes no file (nobody can say what it was for), do not count.
    """
    known = [commit.sha for commit in commits]
    if sha not in known:
        return False
    later = commits[known.index(sha) + 1 :]
    return all(commit.files and all(covered(harmless, path) for path in commit.files) for commit in later)
