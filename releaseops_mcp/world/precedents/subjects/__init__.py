"""What a precedent may be about, one file a subject.

A file exports `SUBJECT = Subject(name="run", families=("ci_provenance",), ...)`: `draw` makes facts up, `records` says
which records they stand for. `run.py` is the example. A rule of a family that no subject tells is always published.
"""
