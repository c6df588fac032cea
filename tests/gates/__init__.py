"""Gates: what must be true of the suites' worlds, measured. `make gates` runs every module here that has `gates()`.

A module is named after its suite, so that `python -m tests.gates canary` runs the gates of that suite alone.
"""
