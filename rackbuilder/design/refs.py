"""Names of anything in a design, readable and stable.

srv-0007            a record, by its id
srv-0007:osfp3      a cage;  srv-0007:osfp3/2  a port
srv-0007.gpu3       something inside a device
tray-07~nvsw-03     a derived link between two devices
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_NUMBERED = re.compile(r"(.*)-(\d+)")
_WIDTH = {"srv": 4, "cbl": 4}


class Ref(NamedTuple):
    """A parsed name: the record, then a cage or port, or an inner part; `other` is the far end of a derived link."""

    record: str
    port: str = ""
    inner: str = ""
    other: str = ""


def parse(text: str) -> Ref:
    """The parts of a ref; any text without marks is a record's id."""
    if "~" in text:
        record, other = text.split("~", 1)
        return Ref(record, other=other)
    if ":" in text:
        record, port = text.split(":", 1)
        return Ref(record, port=port)
    record, _, inner = text.partition(".")
    return Ref(record, inner=inner)


def port_ref(device: str, port: str) -> str:
    return f"{device}:{port}"


def gpu_ref(device: str, index: int) -> str:
    return f"{device}.gpu{index}"


def derived_link(a: str, b: str) -> str:
    """The name of a link that follows from seats, the same from either end."""
    first, second = sorted((a, b))
    return f"{first}~{second}"


def numbered(prefix: str, number: int) -> str:
    """“srv-0007”: servers and cables have four digits, everything else two or more."""
    return f"{prefix}-{number:0{_WIDTH.get(prefix, 2)}d}"


def split_number(identity: str) -> tuple[str, int] | None:
    """Prefix and number of a numbered id, or None."""
    match = _NUMBERED.fullmatch(identity)
    return (match[1], int(match[2])) if match else None


def valid_id(identity: str) -> bool:
    """Ids are used in refs, file names and scripts, so they hold no marks, spaces or control characters."""
    return bool(identity) and len(identity) <= 200 and not re.search(r"[\s:~./\\\"'\x00-\x1f\x7f]", identity)


def raised(marks: Mapping[str, int], identities: Iterable[str]) -> dict[str, int]:
    """High-water marks raised so that each numbered id lies below its prefix's next number."""
    result = dict(marks)
    for identity in identities:
        parts = split_number(identity)
        if parts and parts[1] >= result.get(parts[0], 1):
            result[parts[0]] = parts[1] + 1
    return result
