"""Datasets from logs: `kinds` says what an episode becomes, `building` streams a log through one of them."""
