"""The order people count in: srv-2 before srv-10."""

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(text: str) -> tuple[tuple[str, int], ...]:
    """Sorts names by their words and, within equal words, by their numbers; ties fall to the text itself."""
    pieces = _DIGITS.split(text)
    numbers = [int(x) for x in pieces[1::2]] + [-1]
    return (*zip(pieces[::2], numbers, strict=True), (text, 0))
