"""Docks: each shows one thing of the open document."""
