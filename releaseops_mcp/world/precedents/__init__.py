"""Past decisions: how a policy that the handbook leaves out can be learnt.

    subjects/      what a precedent may be about: the facts that it tells, and the records that they stand for
    precedent.py   one past decision, and the line of the log that tells it
    judging.py     what the rules of its day say of it: the same engine that judges proposals
    drawing.py     precedents in which a rule shows, and which contrast
    unpublished.py which rules a release's handbook leaves out: only such as contrasting precedents show
    pages.py       the pages that `read_precedents` shows

A precedent is a small case: its facts are records, the rest of it was in order, and the rules in force on its day
decided it. So a rule that changed shows in what was decided before and after.
"""
