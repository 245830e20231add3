"""Order and short forms of names, for drawings."""

import re

_PIECES = re.compile(r"(\d+)")
_WORD_NUMBER = re.compile(r"([^\W\d_]+)[-_ ]?(\d+)")
_INITIALS = {"core": "X", "srv": "", "server": ""}


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that puts “leaf-9” before “leaf-10”."""
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in _PIECES.split(text) if p)


def short(label: str) -> str:
    """A form for a narrow box: “leaf-03” gives “L03”, “spine-12” “S12”, “core-02” “X02”, “srv-0007” “0007”.

    A label of another form, and one of three letters or less before its number, stays as it is.
    """
    match = _WORD_NUMBER.fullmatch(label)
    if match is None or len(match[1]) < 3:
        return label
    return _INITIALS.get(match[1].lower(), match[1][0].upper()) + match[2]


def model(name: str, vendor: str) -> str:
    """A part's name without its vendor, who stands beside it where it matters: “DGX H100”."""
    rest = name.removeprefix(vendor).strip() if vendor else name
    return rest or name


def within(label: str, holder: str) -> str:
    """A label without the name of what it is drawn in: “A01 C07” in rack A01 is “C07”."""
    rest = label.removeprefix(holder).lstrip(" -:/") if holder else label
    return rest or label


def counted(count: int, word: str) -> str:
    """“1 server”, “1,016 GPUs”."""
    plural = {"leaf": "leaves", "switch": "switches"}.get(word, f"{word}s")
    return f"{count:,} {word if count == 1 else plural}"
