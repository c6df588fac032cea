"""From facts to artefacts: a draft collects the primary facts of one proposal, `assemble` derives everything else.

Kinds write into the draft only: trees, who reviewed which commit, what a ticket says. Commit ids, diffs, CI results and
logs follow from it, so one planted fact shows everywhere where it would show in life.
"""
