"""Small invented stories whose true and false claims have the same words: only their order decides."""
