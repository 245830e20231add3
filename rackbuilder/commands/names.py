"""Names that people give: what is refused, how a row of new ones is numbered, what a copy is called."""

import re
import unicodedata
from collections.abc import Collection

from rackbuilder.errors import refusal

MAX_NAME = 500
_HASHES = re.compile(r"#+")
_LAST_NUMBER = re.compile(r"(.*?)(\d+)(\D*)")
_REFUSED = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories: control characters, halves of a pair (no UTF-8), line and paragraph separators."""


def checked_name(name: str) -> str:
    """The name as given. Raises ProblemError for control characters and for more than 500 characters."""
    if len(name) > MAX_NAME:
        raise refusal(f"The name has {len(name)} characters; the limit is {MAX_NAME}", fix="Shorten it.")
    for place, mark in enumerate(name, start=1):
        if unicodedata.category(mark) in _REFUSED:
            what = f"The name holds a control character (U+{ord(mark):04X}) at place {place}"
            raise refusal(what, fix="Remove it; letters, marks and symbols of every script are fine.")
    return name


def row_of_names(pattern: str, count: int, used: Collection[str]) -> list[str]:
    """Names for a row of new things: “A##” gives A01, A02, …; used ones are passed over.

    A pattern without # is the name itself, numbered only when several are made. Empty: no names, the ids stand.
    """
    if not pattern:
        return [""] * count
    checked_name(pattern)
    if count == 1 and "#" not in pattern:
        return [pattern]
    marks = _HASHES.search(pattern)
    head, tail = (pattern[: marks.start()], pattern[marks.end() :]) if marks else (f"{pattern} ", "")
    width = len(marks[0]) if marks else 1
    taken, names, number = set(used), list[str](), 0
    while len(names) < count:
        number += 1
        name = f"{head}{number:0{width}d}{tail}"
        if name not in taken:
            names.append(name)
    return names


def copy_name(name: str, used: Collection[str]) -> str:
    """What a copy is called: the last number raised to the next that is free (“srv-007” -> “srv-008”), else “… 2”."""
    if not name:
        return ""
    match = _LAST_NUMBER.fullmatch(name)
    head, digits, tail = match.groups() if match else (f"{name} ", "1", "")
    number = int(digits)
    while True:
        number += 1
        proposal = f"{head}{number:0{len(digits)}d}{tail}"
        if proposal not in used:
            return proposal[:MAX_NAME]


def counted(count: int, word: str) -> str:
    """“1 switch”, “12 switches”, “1,024 cables”; a word ending in f is a shelf or a leaf."""
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {plural(word)}"


def plural(word: str) -> str:
    if word.endswith(("leaf", "shelf")):
        return word[:-1] + "ves"
    return word + ("es" if word.endswith(("ch", "s", "x")) else "s")
