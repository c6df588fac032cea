"""ReleaseOps Arena: train and test the AI that decides when other AIs should be trusted with a release."""

__version__ = "0.1.0"
