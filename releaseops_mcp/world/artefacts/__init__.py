"""Artefact formats: what can be read about a release, rendered as the real thing and read back into records.

One file a format. It declares its record types, renders them (`sheets(...)`), parses them back, and exports

    FORMAT = Format(name="ticket", tool="inspect_ticket", parse=parse, minutes=5)

`ticket.py` is the shortest example. A page holds about `PAGE` characters; a longer document is cut so that each part is
a document by itself. Nothing else changes: views, episodes and the reference supervisor find formats by their files.
"""
