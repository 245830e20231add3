"""Devices and cables as sortable tables; the rows selected are the selection of all views."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView, QVBoxLayout, QWidget

from rackbuilder.design.design import Design
from rackbuilder.design.geometry import span_of
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import Cable, Device
from rackbuilder.design.refs import parse
from rackbuilder.layout.fabric import switch_roles
from rackbuilder.layout.names import natural
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.wiring import fabric_of_cable
from rackbuilder.ui import theme
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.views.base import View
from rackbuilder.ui.widgets import Segmented
from rackbuilder.units import power_text

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole + 1


class Rows(QAbstractTableModel):
    """Records as rows of text; the id of a row is its ref."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._rows: list[tuple[str, tuple[str, ...]]] = []

    def show_rows(self, columns: Sequence[str], rows: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self.beginResetModel()
        self._columns, self._rows = tuple(columns), list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def ref(self, row: int) -> str:
        return self._rows[row][0]

    def row_of(self, ref: str) -> int:
        return next((n for n, (own, _) in enumerate(self._rows) if own == ref), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        text = self._rows[index.row()][1][index.column()]
        if role == Qt.ItemDataRole.DisplayRole or role == Qt.ItemDataRole.ToolTipRole:
            return text
        return repr(natural(text)) if role == SORT_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._columns[section] if orientation == Qt.Orientation.Horizontal else section + 1


class Sorted(QSortFilterProxyModel):
    """Sorts as people number things: leaf-9 before leaf-10."""

    def lessThan(self, left: Index, right: Index) -> bool:
        return natural(str(left.data())) < natural(str(right.data()))


DEVICE_COLUMNS = ("Name", "Type", "Rack", "Units", "Role", "Fabric", "Ports used", "Power, maximum")
CABLE_COLUMNS = ("Cable", "From", "Port", "To", "Port", "Fabric", "Part", "Length")


def device_rows(design: Design, graphs: Graphs) -> list[tuple[str, tuple[str, ...]]]:
    roles = switch_roles(graphs)
    ordered = sorted(design.devices.values(), key=lambda d: (natural(d.label), d.id))
    return [(d.id, _device(design, d, roles.get(d.id, d.role))) for d in ordered]


def _device(design: Design, device: Device, role: str) -> tuple[str, ...]:
    part = design.type_of(device)
    span = span_of(device, part)
    ports = sum(c.port_count for c in part.cages)
    power = part.max_power()
    return (
        device.label,
        part.name,
        design.racks[device.rack].label if device.rack else "",
        span.text() if span else device.slot,
        role,
        design.fabrics[device.fabric].label if device.fabric else "",
        f"{len(design.ports_used(device.id))} of {ports}" if ports else "",
        "unknown" if power.value is None else power_text(power.value),
    )


def cable_rows(design: Design) -> list[tuple[str, tuple[str, ...]]]:
    ordered = sorted(design.cables.values(), key=lambda c: (natural(c.label), c.id))
    return [(c.id, _cable(design, c)) for c in ordered]


def _cable(design: Design, cable: Cable) -> tuple[str, ...]:
    fabric = fabric_of_cable(design, cable)
    part = design.parts.get(cable.part)
    return (
        cable.label,
        design.devices[cable.a.device].label,
        cable.a.port,
        design.devices[cable.b.device].label,
        cable.b.port,
        design.fabrics[fabric].label if fabric else "",
        part.name if part else "not chosen",
        "unknown" if cable.length_m is None else f"{cable.length_m:g} m",
    )


class TableView(View):
    """Two tables of the document, one at a time."""

    kind = "table"

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.host = host
        self._what = "devices"
        self._own = False
        self.rows = Rows(self)
        self._sorted = Sorted(self)
        self._sorted.setSourceModel(self.rows)
        self._lay_out()
        host.selection.changed.connect(self.show_selection)
        self.reload()

    def _lay_out(self) -> None:
        self._switch = Segmented([("devices", "Devices"), ("cables", "Cables")], "Table")
        self._switch.chosen.connect(self.set_what)
        self.table = QTableView()
        self.table.setModel(self._sorted)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setAlternatingRowColors(True)
        self.table.verticalHeader().setDefaultSectionSize(theme.ROW)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.setAccessibleName("Table of the design")
        self.table.selectionModel().selectionChanged.connect(self._selected)
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 8)
        head.addWidget(self._switch)
        head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.table)
        self.setFocusProxy(self.table)

    # ---- content

    def set_what(self, what: str) -> None:
        """devices or cables."""
        self._what = what
        self._switch.set_current(what)
        self.reload()

    def reload(self) -> None:
        self.refresh()

    def refresh(self) -> list[str]:
        design = self.host.design
        if self._what == "devices":
            self.rows.show_rows(DEVICE_COLUMNS, device_rows(design, self.host.graphs))
        else:
            self.rows.show_rows(CABLE_COLUMNS, cable_rows(design))
        if self.rows.rowCount() < 500:
            self.table.resizeColumnsToContents()
        self.show_selection()
        return []

    def apply_patch(self, patch: Patch) -> list[str]:
        return self.refresh() if patch.tables & {"devices", "cables", "racks", "parts", "fabrics"} else []

    def report_changed(self) -> None:
        """Nothing here is a result."""

    # ---- selection

    def _selected(self) -> None:
        if self._own:
            return
        rows = self.table.selectionModel().selectedRows()
        self._own = True
        self.host.selection.set(self.rows.ref(self._sorted.mapToSource(index).row()) for index in rows)
        self._own = False

    def show_selection(self) -> None:
        if self._own:
            return
        self._own = True
        wanted = QItemSelection()
        records = {parse(ref).record for ref in self.host.selection.refs}
        for n in range(self.rows.rowCount()):
            if self.rows.ref(n) in records:
                index = self._sorted.mapFromSource(self.rows.index(n, 0))
                wanted.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().select(wanted, flags.ClearAndSelect | flags.Rows)
        if wanted.indexes():
            self.table.scrollTo(wanted.indexes()[0])
        self._own = False

    def frame(self, refs: Iterable[str]) -> None:
        self.show_selection()
