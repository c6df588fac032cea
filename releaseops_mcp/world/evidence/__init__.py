"""Evidence: sheets that can be read, the typed records on them, and the views that rules look through."""
