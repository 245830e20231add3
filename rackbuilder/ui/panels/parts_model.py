"""The rows of the palette: sections of parts that match the search, what the design uses first."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QByteArray, QMimeData, QModelIndex, QPersistentModelIndex, Qt

from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.units import power_text

MIME = "application/x-rackbuilder-part"
Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_COUNT = re.compile(r"\s*(\d{1,4})\s*[x×*]\s*(.*)", re.IGNORECASE)
EMPTY: Mapping[str, Part] = MappingProxyType({})
_NVLINK = ("compute-tray", "nvlink-switch-tray", "power-shelf")

_SECTIONS: tuple[tuple[str, Callable[[Part], bool]], ...] = (
    ("Servers", lambda p: _is(p, "gpu-server")),
    ("Switches", lambda p: _is(p, "switch")),
    ("Racks", lambda p: isinstance(p, RackType) and p.assembly is None),
    ("NVLink racks", lambda p: (isinstance(p, RackType) and p.assembly is not None) or _is(p, *_NVLINK)),
    ("Storage", lambda p: _is(p, "storage")),
    ("Management", lambda p: _is(p, "management-server")),
    ("Power and cooling", lambda p: _is(p, "pdu", "cdu")),
    ("Other", lambda p: _is(p, "panel", "other")),
)


def _is(part: Part, *categories: str) -> bool:
    return isinstance(part, DeviceType) and part.category in categories


class Entry(NamedTuple):
    """A row: a heading, or a part with its name, a shorter one that is still its own, and its line of figures."""

    heading: str
    part: Part | None = None
    name: str = ""
    short: str = ""
    line: str = ""
    star: bool = False


def counted_search(text: str) -> tuple[int, str]:
    """“4 x dgx h100” is four of what “dgx h100” finds; without a number, one."""
    match = _COUNT.fullmatch(text)
    return (max(int(match[1]), 1), match[2]) if match else (1, text)


def short_name(part: Part) -> str:
    """Without the vendor, which stands in the tip: “DGX H100” is what people look for."""
    name = part.name
    for vendor in (part.vendor, part.vendor.split()[0] if part.vendor else ""):
        if vendor and name.lower().startswith(vendor.lower() + " "):
            return name[len(vendor) + 1 :]
    return name


def figures(part: Part, parts: Mapping[str, Part] = EMPTY) -> str:
    """“8U · 8 GPU · 8 × 400G · 10.2 kW”, only what is known; a part that cannot stand alone says where it belongs.

    `parts` holds the other parts by id: those of an assembly are counted, and racks are called by their names.
    """
    if isinstance(part, RackType):
        return " · ".join(_rack_words(part, parts))
    if not isinstance(part, DeviceType):
        return ""
    words = [f"{part.u_height:g}U" if part.u_height else "0U"]
    words += [f"{part.gpu_count} GPU"] if part.gpu_count else []
    if part.mounts_in:
        names = [_in_short(parts.get(rack), rack) for rack in part.mounts_in]
        where = f"{names[0]} only" if len(names) == 1 else f"only in {len(names)} rack systems"
        return " · ".join([*words, where])
    words += _ports(part)
    power = part.max_power()
    words.append(power_text(power.value) if power.value is not None else "power unknown")
    return " · ".join(words)


def _in_short(part: Part | None, identity: str) -> str:
    """“GB200 NVL72” of “NVIDIA GB200 NVL72 / DGX GB200”."""
    return short_name(part).partition(" / ")[0] if part else identity


def _rack_words(part: RackType, parts: Mapping[str, Part]) -> Iterator[str]:
    yield f"{part.u_height}U"
    if part.assembly:
        tray = parts.get(part.assembly.compute_tray)
        if isinstance(tray, DeviceType) and tray.gpu_count:
            yield f"{tray.gpu_count * part.assembly.compute_trays} GPU"
        watts = part.assembly.power_max_w
        yield power_text(watts) if watts is not None else "power unknown"
        return
    yield f"{part.width_mm:g} × {part.depth_mm:g} mm" if part.width_mm and part.depth_mm else "size unknown"


def _ports(part: DeviceType) -> list[str]:
    """Ports of the first row of data cages; of a switch with several speeds, the fastest row."""
    rows = [c for c in part.cages if c.role == "data" and c.fabric in ("compute", None)]
    if part.is_switch:
        rows.sort(key=lambda c: -(c.rate_bps or 0.0))
    found = []
    for cages in rows[:1]:
        rate = f"{cages.rate_bps / 1e9:g}G" if cages.rate_bps else "rate unknown"
        found.append(f"{cages.port_count} × {rate}")
    return found


def _base(name: str) -> str:
    """A name without what stands in brackets at its end."""
    return name.partition(" (")[0] if name.endswith(")") else name


class PartsModel(QAbstractListModel):
    """Headings and parts; each part stands in one section only."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []
        self._words: dict[str, tuple[Part, str, str, str]] = {}
        self._bases: Counter[str] = Counter()

    def show(
        self, parts: Sequence[Part], used: Sequence[Part], favourites: Sequence[str], words: str
    ) -> None:
        """Rebuilds the rows for a search text: every word must occur in name, vendor, id or figures."""
        by_id = {p.id: p for p in parts}
        self._words = {p.id: self._described(p, by_id) for p in parts}
        self._bases = Counter(_base(row[1]) for row in self._words.values())
        self.beginResetModel()
        self._entries = list(self._rows(parts, used, favourites, words.lower().split()))
        self.endResetModel()

    def _described(self, part: Part, parts: Mapping[str, Part]) -> tuple[Part, str, str, str]:
        """Name, figures and all that a search looks in; kept while the part is the same."""
        kept = self._words.get(part.id)
        if kept is not None and kept[0] is part:
            return kept
        line = figures(part, parts)
        return part, short_name(part), line, f"{part.name} {part.vendor} {part.id} {line}".lower()

    def _rows(
        self, parts: Sequence[Part], used: Sequence[Part], favourites: Sequence[str], words: list[str]
    ) -> Iterator[Entry]:
        by_id = {p.id: p for p in parts}
        starred = [by_id[i] for i in favourites if i in by_id]
        sections: list[tuple[str, Sequence[Part]]] = [("Used in this design", used), ("Favourites", starred)]
        sections += [(title, [p for p in parts if fits(p)]) for title, fits in _SECTIONS]
        shown: set[str] = set()
        for title, members in sections:
            new = [p for p in members if p.id not in shown and all(w in self._words[p.id][3] for w in words)]
            shown |= {p.id for p in new}
            if new:
                yield Entry(title)
                yield from (self._entry(p, p.id in favourites) for p in new)

    def _entry(self, part: Part, star: bool) -> Entry:
        _, name, line, _ = self._words[part.id]
        return Entry("", part, name, name if self._bases[_base(name)] > 1 else _base(name), line, star)

    def entry(self, index: Index) -> Entry | None:
        return self._entries[index.row()] if index.isValid() else None

    def first_part(self) -> QModelIndex:
        """The first row that can be placed, invalid when nothing matches."""
        row = next((i for i, e in enumerate(self._entries) if e.part), -1)
        return self.index(row) if row >= 0 else QModelIndex()

    def row_of(self, part: str) -> QModelIndex:
        """The row of a part by its id, invalid when it is not shown."""
        row = next((i for i, e in enumerate(self._entries) if e.part and e.part.id == part), -1)
        return self.index(row) if row >= 0 else QModelIndex()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        entry = self.entry(index)
        if entry is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.part.name if entry.part else entry.heading
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.part.name}, {entry.line}" if entry.part else entry.heading
        if role == Qt.ItemDataRole.ToolTipRole and entry.part:
            vendor = f", {entry.part.vendor}" if entry.part.vendor else ""
            return f"{entry.part.name}\n{entry.line}\n{entry.part.id}{vendor}, evidence {entry.part.evidence}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.entry(index)
        if entry is None or entry.part is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Any) -> QMimeData:  # noqa: ANN401
        data = QMimeData()
        entry = self.entry(indexes[0])
        if entry and entry.part:
            data.setData(MIME, QByteArray(entry.part.id.encode()))
            data.setText(entry.part.id)
        return data
