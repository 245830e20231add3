"""The palette: every part that can be placed, with search. Drag, double click or Enter."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QPainter, QPixmap
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.ui import pictures
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import CAPTION, SECONDARY, brush, colour, current, font
from rackbuilder.units import power_text

MIME = "application/x-rackbuilder-part"
_ITEM, _HEAD = 46, 26
Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()

_SECTIONS: tuple[tuple[str, Callable[[Part], bool]], ...] = (
    ("Servers", lambda p: isinstance(p, DeviceType) and p.category == "gpu-server"),
    ("Switches", lambda p: isinstance(p, DeviceType) and p.category == "switch"),
    ("Racks", lambda p: isinstance(p, RackType) and p.assembly is None),
    (
        "NVLink rack",
        lambda p: (
            (isinstance(p, RackType) and p.assembly is not None)
            or (
                isinstance(p, DeviceType)
                and p.category in ("compute-tray", "nvlink-switch-tray", "power-shelf")
            )
        ),
    ),
    ("Storage", lambda p: isinstance(p, DeviceType) and p.category == "storage"),
    ("Management", lambda p: isinstance(p, DeviceType) and p.category == "management-server"),
    ("Power and cooling", lambda p: isinstance(p, DeviceType) and p.category in ("pdu", "cdu")),
    ("Other", lambda p: isinstance(p, DeviceType) and p.category in ("panel", "other")),
)


class Entry(NamedTuple):
    """A row: a heading, or a part with its line of figures."""

    heading: str
    part: Part | None = None
    line: str = ""


def figures(part: Part) -> str:
    """“8U · 8 GPU · 8 × 400G · 10.2 kW”, only what is known."""
    if isinstance(part, RackType):
        size = (
            f"{part.width_mm:g} × {part.depth_mm:g} mm" if part.width_mm and part.depth_mm else "size unknown"
        )
        gpus = (
            f"{part.assembly.compute_trays * 4} GPU · "
            if part.assembly and part.assembly.compute_trays
            else ""
        )
        return f"{part.u_height}U · {gpus}{size}"
    if not isinstance(part, DeviceType):
        return ""
    words = [f"{part.u_height:g}U" if part.u_height else "0U", *_ports(part)]
    if part.gpu_count:
        words.insert(1, f"{part.gpu_count} GPU")
    power = part.max_power()
    words.append(power_text(power.value) if power.value is not None else "power unknown")
    if part.mounts_in:
        words.append(f"{', '.join(part.mounts_in)} only")
    return " · ".join(words)


def _ports(part: DeviceType) -> Iterator[str]:
    rows = [c for c in part.cages if c.role == "data" and (c.fabric in ("compute", None))]
    for cages in rows[:1]:
        rate = f"{cages.rate_bps / 1e9:g}G" if cages.rate_bps else "rate unknown"
        yield f"{cages.port_count} × {rate}"


class PartsModel(QAbstractListModel):
    """Headings and parts that match the search; what the design uses comes first."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []

    def show(self, parts: Sequence[Part], used: Sequence[Part], words: str) -> None:
        """Rebuilds the rows for a search text (every word must occur in name, vendor, id or figures)."""
        self.beginResetModel()
        wanted = words.lower().split()
        self._entries = list(self._rows(parts, used, wanted))
        self.endResetModel()

    def _rows(self, parts: Sequence[Part], used: Sequence[Part], words: list[str]) -> Iterator[Entry]:
        sections: list[tuple[str, Sequence[Part]]] = [("Used in this design", used)]
        sections += [(title, [p for p in parts if fits(p)]) for title, fits in _SECTIONS]
        for title, members in sections:
            rows = [Entry("", p, figures(p)) for p in members if _matches(p, words)]
            if rows:
                yield Entry(title)
                yield from rows

    def entry(self, index: Index) -> Entry | None:
        return self._entries[index.row()] if index.isValid() else None

    def first_part(self) -> QModelIndex:
        """The first row that can be placed, invalid when nothing matches."""
        row = next((i for i, e in enumerate(self._entries) if e.part), -1)
        return self.index(row) if row >= 0 else QModelIndex()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        entry = self.entry(index)
        if entry is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return entry.part.name if entry.part else entry.heading
        if role == Qt.ItemDataRole.ToolTipRole and entry.part:
            return f"{entry.part.name}\n{entry.line}\n{entry.part.id}, evidence {entry.part.evidence}"
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


def _matches(part: Part, words: list[str]) -> bool:
    text = f"{part.name} {part.vendor} {part.id} {figures(part)}".lower()
    return all(word in text for word in words)


class _Delegate(QStyledItemDelegate):
    """Paints a heading, or picture, name and figures."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        assert isinstance(model, PartsModel)
        entry = model.entry(index)
        return QSize(100, _ITEM if entry and entry.part else _HEAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, PartsModel)
        entry = model.entry(index)
        theme = current()
        box = QRectF(option.rect)
        state = option.state
        if entry is None:
            return
        if entry.part is None:
            painter.setFont(font(CAPTION, semibold=True))
            painter.setPen(colour(theme.text2))
            painter.drawText(box.adjusted(12, 6, -4, 0), Qt.AlignmentFlag.AlignVCenter, entry.heading)
            return
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, brush(theme.selection_fill))
        picture = QRectF(box.x() + 12, box.center().y() - 11, pictures.WIDTH, pictures.HEIGHT)
        pictures.paint_part(painter, picture, entry.part, theme)
        self._texts(painter, box.adjusted(58, 4, -6, -4), entry)

    def _texts(self, painter: QPainter, box: QRectF, entry: Entry) -> None:
        theme = current()
        assert entry.part is not None
        for text, size, ink, top in (
            (_short(entry.part.name), 13, theme.text, True),
            (entry.line, SECONDARY, theme.text2, False),
        ):
            face = font(size)
            painter.setFont(face)
            painter.setPen(colour(ink))
            half = (
                box.adjusted(0, 0, 0, -box.height() / 2) if top else box.adjusted(0, box.height() / 2, 0, 0)
            )
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(half.width()))
            painter.drawText(half, Qt.AlignmentFlag.AlignVCenter, elided)


def _short(name: str) -> str:
    """The vendor's name is in the tip: “DGX H100” is what people look for."""
    return name.removeprefix("NVIDIA ")


class _List(QListView):
    """Drags with the part's picture under the cursor."""

    def startDrag(self, _actions: Qt.DropAction) -> None:
        model = self.model()
        assert isinstance(model, PartsModel)
        entry = model.entry(self.currentIndex())
        if entry is None or entry.part is None:
            return
        drag = QDrag(self)
        drag.setMimeData(model.mimeData([self.currentIndex()]))
        pixmap = QPixmap(pictures.WIDTH, pictures.HEIGHT)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        pictures.paint_part(painter, QRectF(pixmap.rect()), entry.part, current())
        painter.end()
        drag.setPixmap(pixmap)
        drag.exec(Qt.DropAction.CopyAction)


class PartsPanel(QWidget):
    """The palette dock. `placed` asks to place a part at once; `picked` says which one the place tool uses."""

    placed = Signal(str)
    picked = Signal(str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.search = QLineEdit()
        self.search.setPlaceholderText("Part, vendor, speed")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search parts")
        self.list = _List()
        self.list.setAccessibleName("Parts")
        self._model = PartsModel()
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setDragEnabled(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        inner = QVBoxLayout()
        inner.setContentsMargins(12, 0, 12, 4)
        inner.addWidget(self.search)
        column.addLayout(inner)
        column.addWidget(self.list)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.search.textChanged.connect(self.refresh)
        self.search.returnPressed.connect(self._place_first)
        self.list.activated.connect(self._place)
        self.list.selectionModel().currentChanged.connect(self._pick)
        self._document.replaced.connect(self.refresh)
        self._used: tuple[str, ...] = ()
        self._document.changed.connect(self._changed)

    def refresh(self) -> None:
        """Lists again: another document, catalog or search text."""
        design, catalog = self._document.design, self._document.catalog
        self._used = tuple(design.parts)
        own = [p for p in design.parts.values() if p.id not in catalog.parts]
        used = [p for p in design.parts.values() if isinstance(p, DeviceType | RackType)]
        parts = [*catalog.parts.values(), *own]
        self._model.show(parts, used, self.search.text())
        if self.search.text():
            self.list.setCurrentIndex(self._model.first_part())

    def _changed(self) -> None:
        if tuple(self._document.design.parts) != self._used:
            self.refresh()

    def _part(self, index: Index) -> str:
        entry = self._model.entry(index)
        return entry.part.id if entry and entry.part else ""

    def _place(self, index: Index) -> None:
        if self._part(index):
            self.placed.emit(self._part(index))

    def _place_first(self) -> None:
        self._place(
            self.list.currentIndex() if self.list.currentIndex().isValid() else self._model.first_part()
        )

    def _pick(self, index: Index) -> None:
        if self._part(index):
            self.picked.emit(self._part(index))
