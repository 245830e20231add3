"""The document: a Design is a value, a Patch is everything that can happen to it."""
