"""Training outside this checkout: a job on Hugging Face's machines, and the notebook of docs/training.md."""
