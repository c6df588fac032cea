"""A model behind any OpenAI-compatible endpoint plays the six canary tasks: `python -m releaseops_mcp.inference`.

    settings   the environment variables
    chat       the endpoint, over plain HTTP
    startup    builds the model's client and probes it
    prompt, parsing   what the model is told, and what its answer is read as
    mind       one decision: the model's, or the cautious fallback's
    task       one task, with everything that may fail
    contract   the lines of standard output, to the character
    run        the six tasks

A run never fails: where model or environment do, it goes on with the fallback, says so and denies success.
"""
