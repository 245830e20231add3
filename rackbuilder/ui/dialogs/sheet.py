"""The words and tables of the template sheet: plain data in, so that each can be tested by itself."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.catalog.ports import ports_of
from rackbuilder.templates import Template
from rackbuilder.templates.flavours import BUILDS
from rackbuilder.ui import numbers
from rackbuilder.ui.dialogs.planning import Growth, Planned, size_field
from rackbuilder.ui.theme import CAPTION, SECONDARY, brush, current
from rackbuilder.ui.widgets.paint import LEFT, RIGHT, draw_line, draw_text

_TIERS = {0: "none", 1: "one", 2: "two", 3: "three"}
_ROW = 24


def choices_for(kind: type[Template], catalog: Catalog) -> dict[str, list[tuple[str, str]]]:
    """What the text fields of a template offer, as (value, text)."""
    devices = catalog.of_kind(DeviceType)
    switches = [(d.id, _named(d)) for d in devices if d.is_switch and _data_ports(d)]
    servers = [(d.id, _named(d)) for d in devices if d.category == "gpu-server" and _compute_ports(d)]
    if kind.verb == "superpod":
        servers = [(i, _named(catalog.device(i))) for i in BUILDS if i in catalog.parts]
    systems = [(r.id, _named(r)) for r in catalog.of_kind(RackType) if r.assembly and r.assembly.slots]
    fabrics = dict.fromkeys(fabric for build in BUILDS.values() for fabric in build.fabrics)
    offered = {
        "server": servers,
        "system": systems,
        "switch": switches,
        "leaf": switches,
        "spine": switches,
        "fabric": [("auto", "as published"), *((f, f) for f in fabrics)],
    }
    return {name: rows for name, rows in offered.items() if name in kind.model_fields}


def _named(part: DeviceType | RackType) -> str:
    return part.name.removeprefix("NVIDIA ")


def _data_ports(part: DeviceType) -> int:
    return sum(port.cages.role == "data" for port in ports_of(part).values())


def _compute_ports(part: DeviceType) -> int:
    return sum(port.cages.fabric == "compute" for port in ports_of(part).values())


# ---- what follows from each field


def consequences(
    kind: type[Template], fields: Mapping[str, object], found: Planned, catalog: Catalog
) -> dict[str, str]:
    """“127 servers of 8”, “10.2 kW, 8U”: what the value of a field comes to."""
    words: dict[str, str] = {}
    for name in kind.model_fields:
        part = catalog.parts.get(str(fields.get(name, "")))
        if isinstance(part, DeviceType):
            words[name] = _device_words(part)
        elif isinstance(part, RackType):
            words[name] = f"{part.u_height}U"
    if found.facts is None or found.tiers is None:
        return words
    counts, tiers = found.facts.counts, found.tiers
    size = size_field(kind)
    words[size] = f"{counts.servers:,} servers, {counts.gpus:,} GPUs"
    if tiers.up:
        words["oversubscription"] = f"{tiers.down} down, {tiers.up} up a leaf"
    if tiers.switch:
        words["fabric"] = f"{catalog.device(tiers.switch).name.removeprefix('NVIDIA ')}"
    highest = max((w.value for w in found.facts.racks_w if w.value is not None), default=None)
    if highest is not None:
        words["rack_limit_w"] = f"highest rack {numbers.power(highest)}"
    return words


def _device_words(part: DeviceType) -> str:
    if part.is_switch:
        return f"{_data_ports(part)} ports, {part.u_height:g}U"
    power = part.max_power().value
    return (
        f"{numbers.power(power)}, {part.u_height:g}U"
        if power is not None
        else f"power unknown, {part.u_height:g}U"
    )


def odd_results(found: Planned, catalog: Catalog) -> list[str]:
    """Counts that surprise, and why: “16 spines, not 12”."""
    tiers = found.tiers
    if tiers is None or tiers.cores or not tiers.spines or not tiers.leaves or not tiers.switch:
        return []
    radix = _data_ports(catalog.device(tiers.switch))
    least = -(-tiers.leaf_spine // radix) if radix else 0
    uplinks = tiers.leaf_spine // tiers.leaves
    if not least or tiers.spines <= least:
        return []
    return [
        f"{tiers.spines} spines, not {least}: the {uplinks} uplinks of a leaf must divide evenly over the spines."
    ]


def lower_bounds(found: Planned) -> list[str]:
    """What is only known in part."""
    power = found.facts.power_max_w if found.facts else None
    if power is None or not (power.at_least or power.value is None):
        return []
    lacks = ", ".join(power.missing[:2])
    return [f"The power is a lower bound: {lacks} unknown." if lacks else "The power is a lower bound."]


# ---- counts


def count_rows(found: Planned) -> list[tuple[str, str]]:
    """Name and value of each count, in reading order."""
    assert found.facts is not None
    counts, tiers, power = found.facts.counts, found.tiers, found.facts.power_max_w
    domains = ", ".join(f"{n:,} of {size}" for size, n in sorted(counts.nvlink_domains.items()))
    rows = [
        ("Servers", f"{counts.servers:,}"),
        ("GPUs", f"{counts.gpus:,}"),
        ("NVLink domains", domains or "none"),
    ]
    if tiers and tiers.leaves:
        rows += [("Leaves", f"{tiers.leaves:,}"), ("Spines", f"{tiers.spines:,}")]
        rows += [("Cores", f"{tiers.cores:,}")] if tiers.cores else []
        rows += [
            ("Server–leaf cables", f"{tiers.server_leaf:,}"),
            ("Leaf–spine cables", f"{tiers.leaf_spine:,}"),
        ]
        rows += [("Spine–core cables", f"{tiers.spine_core:,}")] if tiers.spine_core else []
    if counts.nvlink_links:
        rows.append(("NVLink links", f"{counts.nvlink_links:,}"))
    rows += [("Racks", f"{counts.racks:,}"), ("Power, maximum", numbers.figure(power, numbers.power).text)]
    known = [w.value for w in found.facts.racks_w if w.value is not None]
    return [*rows, ("Highest rack", numbers.power(max(known)))] if known else rows


class Counts(QWidget):
    """Name left, value right and heavier, in two columns read downwards."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[tuple[str, str]] = ()
        self.setFixedHeight(6 * _ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        self._rows = tuple(rows)
        self.setAccessibleName(", ".join(f"{name} {value}" for name, value in rows))
        self.update()

    @property
    def rows(self) -> Sequence[tuple[str, str]]:
        return self._rows

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        half = max(-(-len(self._rows) // 2), 1)
        width = (self.width() - 28) / 2
        for at, (name, value) in enumerate(self._rows):
            box = QRectF((at // half) * (width + 28), (at % half) * _ROW, width, _ROW)
            draw_text(painter, box, name, theme.text2, SECONDARY, LEFT)
            draw_text(painter, box, value, theme.text, SECONDARY, RIGHT, semibold=True)
        painter.end()


# ---- growth

_COLUMNS = (("Servers", 0.30), ("Leaves", 0.42), ("Spines", 0.56), ("Cables", 0.84))


def growth_cells(row: Growth) -> list[str]:
    """Servers, leaves, spines, cables, tiers of a size, as the table shows them."""
    tiers = row.tiers
    if tiers is None:
        return ["–", "–", "–", row.why or "not possible", ""]
    spines = f"{tiers.spines:,}" + (f" + {tiers.cores:,}" if tiers.cores else "")
    parts = [n for n in (tiers.server_leaf, tiers.leaf_spine, tiers.spine_core) if n]
    cables = " + ".join(f"{n:,}" for n in parts) or "none"
    return [f"{row.servers:,}", f"{tiers.leaves:,}", spines, cables, _TIERS[tiers.count]]


class GrowthTable(QWidget):
    """The template at other sizes; the row of the size typed is marked."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Growth] = ()
        self._name, self._now = "Units", 0
        self.setFixedHeight(7 * _ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, name: str, rows: Sequence[Growth], now: int) -> None:
        self._name, self._rows, self._now = name, tuple(rows), now
        said = (f"{row.size} {name}: {', '.join(growth_cells(row))}" for row in rows)
        self.setAccessibleName("; ".join(said))
        self.update()

    @property
    def rows(self) -> Sequence[Growth]:
        return self._rows

    def sizeHint(self) -> QSize:
        return QSize(380, 7 * _ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        head = QRectF(0, 0, self.width(), _ROW)
        painter.fillRect(head, brush(theme.window))
        self._draw(painter, head, [self._name, *(name for name, _ in _COLUMNS), "Tiers"], True)
        for at, row in enumerate(self._rows[:6]):
            box = QRectF(0, (at + 1) * _ROW, self.width(), _ROW)
            if row.size == self._now:
                painter.fillRect(box, brush(theme.selection_fill))
            self._draw(painter, box, [f"{row.size:,}", *growth_cells(row)], False, row.size == self._now)
            draw_line(painter, box.bottom() - 1, 0, self.width(), theme.line)
        painter.end()

    def _draw(
        self, painter: QPainter, box: QRectF, cells: Sequence[str], head: bool, now: bool = False
    ) -> None:
        theme = current()
        ink, size = (theme.text2, CAPTION) if head else (theme.text, SECONDARY)
        strong = head or now
        draw_text(painter, box.adjusted(6, 0, 0, 0), cells[0], ink, size, LEFT, semibold=strong)
        left = box.width() * 0.14
        for text, (_, end) in zip(cells[1:5], _COLUMNS, strict=True):
            place = QRectF(left, box.y(), box.width() * end - left, box.height())
            draw_text(painter, place, text, ink, size, RIGHT, semibold=strong)
            left = box.width() * end
        tail = QRectF(left + 14, box.y(), box.width() - left - 18, box.height())
        draw_text(painter, tail, cells[5], ink, size, LEFT, semibold=strong)
