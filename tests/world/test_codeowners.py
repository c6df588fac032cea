"""CODEOWNERS: the examples of GitHub's own documentation, in our words, and which file counts."""

import pytest

from releaseops_mcp.world.codeowners import LOCATIONS, covers, files_of, owners_of, read

TEXT = """\
# Anybody's.
*                 @plinth/everybody
*.js              @plinth/script @ines   # both may
/build/logs/      @doctor
docs/*            docs@plinth.example
apps/             @octo
/docs/            @writer
/apps/            @octo
/apps/github
**/migrations     @plinth/team-data
!/docs/odd.md     @nobody
/docs/[ab].md     @nobody
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README", ("everybody",)),
        ("web/app.js", ("script", "ines")),
        ("build/logs/today.txt", ("doctor",)),
        ("src/build/logs/today.txt", ("everybody",)),
        ("docs/start.md", ("writer",)),
        ("docs/deep/start.md", ("writer",)),
        ("apps/api/x.py", ("octo",)),
        ("tools/apps/x.py", ("octo",)),
        ("apps/github/x.py", ()),
        ("payments/migrations/1.sql", ("team-data",)),
        ("docs/odd.md", ("writer",)),
        ("docs/a.md", ("writer",)),
    ],
)
def test_the_last_line_that_covers_a_path_names_its_owners(path, owners):
    assert owners_of(path, read(TEXT)) == owners


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("docs/*", "docs/start.md", True),
        ("docs/*", "docs/deep/start.md", False),
        ("/migrations/", "migrations/1.sql", True),
        ("/migrations/", "migrations", False),
        ("/migrations/", "old/migrations/1.sql", False),
        ("migrations/", "old/migrations/1.sql", True),
        ("/payments/auth.py", "payments/auth.py", True),
        ("/payments/auth.py", "x/payments/auth.py", False),
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("src/**/x.py", "src/x.py", True),
        ("src/**/x.py", "src/a/b/x.py", True),
    ],
)
def test_a_pattern_covers_what_it_would_in_an_ignore_file(pattern, path, covered):
    assert covers(pattern, path) is covered


def test_the_first_location_comes_first_and_others_are_none():
    tree = {"CODEOWNERS": "* @a\n", "src/CODEOWNERS": "* @b\n", ".github/CODEOWNERS": "* @c\n", "README": ""}
    assert list(files_of(tree)) == [".github/CODEOWNERS", "CODEOWNERS"]
    assert set(files_of(tree)) < set(LOCATIONS)


def test_who_owns_nothing_is_nobody():
    assert owners_of("a.py", read("# nothing\n\n/docs/ @a\n")) == ()
