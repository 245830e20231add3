"""Reads the listing of ibnetdiscover in its dialects: plain, grouped by chassis, old ones without speeds.

Files pasted by people are read too: without blank lines, with blanks for tabs, with Windows line ends, cut off, with
warnings of the tool in between. Every link stands in it twice, once from either end; the two rows are one link.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rackbuilder.errors import InputError, Problem

_GUID = r"[0-9a-fA-F]{1,16}"
_HEAD = re.compile(rf'(Switch|Ca|Rt)\s+(\d+)\s+"([SHR])-({_GUID})"(.*)')
_ATTRIBUTE = re.compile(
    rf"(vendid|devid|sysimgguid|switchguid|caguid|rtguid)\s*=\s*0x({_GUID})\b(?:\(0?x?({_GUID})\))?"
)
_PORT = re.compile(
    rf'\[(\d+)\](?:\s*\[ext[^\]]*\])?\s*(?:\((?:0x)?({_GUID})\))?\s*"([SHR])-({_GUID})"\s*\[(\d+)\]'
    rf"(?:\[ext[^\]]*\])?\s*(?:\((?:0x)?({_GUID})\))?(.*)"
)
_SAID = re.compile(r'#(?:\s*lid \d+ lmc \d+)?\s*"(.*)"(.*)')
_TRAINED = re.compile(r"\blid \d+\s+(\d+x\S+)\s*$")
_REPORT = re.compile(r"(SW|CA|RT)\s+\d+\s+\d+\s+0x[0-9a-fA-F]+\s+\S")
_GROUPING = re.compile(r"Chassis\b|Non-Chassis Nodes")
_MOST_PROBLEMS = 50
FILE = "ibnetdiscover"


@dataclass
class Station:
    """A switch, adapter or router as listed. `number`: PCI device number; 0: not said."""

    kind: str
    guid: int
    line: int
    ports: int = 0
    description: str = ""
    number: int = 0
    system_guid: int = 0
    port_guids: dict[int, int] = field(default_factory=dict)


class Side(NamedTuple):
    """One end of a link: kind and GUID of a station, a port number."""

    kind: str
    guid: int
    port: int


class Row(NamedTuple):
    """A port line: the far side, what the link trained at (empty: not said), and where it stands."""

    near: Side
    far: Side
    trained: str
    line: int


@dataclass
class Listing:
    """Stations in the order of the file, each link once, and what was odd."""

    stations: dict[tuple[str, int], Station] = field(default_factory=dict)
    links: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def note(self, what: str, line: int, fix: str = "") -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(Problem(what, f"{FILE} line {line}", fix, "warning"))


def read_listing(text: str) -> Listing:
    """The fabric in a listing. Raises InputError for a port report (-p) and for text that lists nothing."""
    reader = _Reader()
    # Not splitlines: it also breaks at marks that may stand inside a description.
    for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        reader.read(line.strip(), number)
    if not reader.listing.stations:
        if reader.reports:
            what = "This is the port report of ibnetdiscover (-p), which is not read"
            raise InputError(Problem(what, FILE, "Give its listing: ibnetdiscover without -p."))
        what = "No switch or adapter is listed in the file"
        raise InputError(Problem(what, FILE, "Give what ibnetdiscover prints."))
    reader.close()
    return reader.listing


class _Reader:
    def __init__(self) -> None:
        self.listing = Listing()
        self.reports = 0
        self._rows: dict[Side, Row] = {}
        self._at: Station | None = None
        self._given: dict[str, int] = {}
        self._foreign: list[int] = []
        self._unlisted: list[int] = []
        self._cut = self._last = 0

    def read(self, line: str, number: int) -> None:
        """One line. The lines of attributes stand before the head they belong to."""
        if not line or line.startswith("#") or _GROUPING.match(line):
            return
        self._last = number
        if attribute := _ATTRIBUTE.match(line):
            if attribute[1] == "vendid":
                self._at, self._given = None, {}
            self._given[attribute[1]] = int(attribute[2], 16)
        elif head := _HEAD.match(line):
            self._head(head, number)
        elif line.startswith("[") and self._at is not None:
            self._port(self._at, line, number)
        elif _REPORT.match(line):
            self.reports += 1
        else:
            self._foreign.append(number)

    def _head(self, head: re.Match[str], number: int) -> None:
        said = _SAID.match(head[5].strip())
        station = self._station(head[3], int(head[4], 16), said[1] if said else "", number)
        station.ports, station.line = int(head[2]), number
        station.number = self._given.get("devid", 0)
        station.system_guid = self._given.get("sysimgguid", 0)
        self._at, self._given = station, {}

    def _port(self, station: Station, line: str, number: int) -> None:
        found = _PORT.match(line)
        # A line cut inside its numbers still looks like one, but for the closing quote of what it says.
        if not found or found[7].count('"') % 2:
            self._cut = number
            self.listing.note("This port line is broken off, so its link is left out", number, _WHOLE)
            return
        near = Side("S" if station.kind == "S" else station.kind, station.guid, int(found[1]))
        far = Side(found[3], int(found[4], 16), int(found[5]))
        if found[2]:
            station.port_guids[near.port] = int(found[2], 16)
        said = _SAID.match(found[7].strip())
        peer = self._station(far.kind, far.guid, said[1] if said else "", number)
        if found[6]:
            peer.port_guids.setdefault(far.port, int(found[6], 16))
        trained = _TRAINED.search(said[2] if said else found[7])
        self._rows.setdefault(near, Row(near, far, trained[1] if trained else "", number))

    def _station(self, kind: str, guid: int, description: str, number: int) -> Station:
        station = self.listing.stations.get((kind, guid))
        if station is None:
            station = self.listing.stations[kind, guid] = Station(kind, guid, number)
        if not station.description:
            station.description = "".join(c if c.isprintable() else " " for c in description).strip()
        return station

    def close(self) -> None:
        """Merges the two rows of each link; refuses rows that contradict each other."""
        listing = self.listing
        if self._cut and self._cut == self._last:
            listing.note("The file looks truncated: its last line is broken off", self._cut, _WHOLE)
        if self._foreign:
            listing.note(
                f"{len(self._foreign)} lines are no part of a listing and were passed over", self._foreign[0]
            )
        used: dict[Side, Row] = {}
        for row in self._rows.values():
            back = self._rows.get(row.far)
            if back is not None and used.get(row.near) is back:
                continue
            clash = used.get(row.near) or used.get(row.far)
            if row.near == row.far or clash is not None or (back is not None and back.far != row.near):
                other = clash or back
                self._refuse(row, other.line if other else row.line)
                continue
            used[row.near] = used[row.far] = row
            listing.links.append(row)
            if back is None:
                self._one_sided(row)
        if self._unlisted:
            what = f"{len(self._unlisted)} links lead to what the file does not list itself; they are kept"
            listing.note(what, self._unlisted[0], _WHOLE)

    def _refuse(self, row: Row, other: int) -> None:
        what = f"Port {row.near.port} or far port {row.far.port} is already at another link (line {other})"
        if row.near == row.far:
            what = f"Port {row.near.port} is listed as linked to itself"
        self.listing.note(f"{what}; this link is left out", row.line, "See which of the two lines is right.")

    def _one_sided(self, row: Row) -> None:
        far = self.listing.stations[row.far.kind, row.far.guid]
        if far.ports:
            self.listing.note("This link is one-sided: the far end does not list it; it is kept", row.line)
        else:
            self._unlisted.append(row.line)


_WHOLE = "Give the whole output."


def linked(listing: Listing) -> Iterator[tuple[str, int]]:
    """The stations that have a link, each once."""
    yield from dict.fromkeys((s.kind, s.guid) for row in listing.links for s in (row.near, row.far))
