"""Datasets from logs: what an episode becomes, a file a kind; `building` streams a log through one of them."""
