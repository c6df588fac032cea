"""The append-only log of episodes: store, hash chain and exports, on SQLite or Postgres."""
