"""The review pack of the classic canary: 19 files whose every figure can be computed again, byte for byte.

    table        the 19 files: what each is and why it exists
    pack         builds the text of each, and writes them
    policies     the three policies, played; benchmark: their figures at seed 0 and over the sweep
    scripts      fixed decisions on the hard task
    transcripts  single episodes and grades, from a running server
    variants     where noise, phantoms, transients and breaches lie, seed by seed
    contract     samples of the server's answers
    validation   what OpenEnv's own validator says
    texts        the two pages for readers
    server       a server that lives as long as the pack is being made

`releaseops review-artifacts` makes it.
"""
