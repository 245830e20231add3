"""The design as a tree: racks with what sits in them, fabrics by tier, groups, NVLink domains. Filled as it opens."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.analysis.results import Compiled
from rackbuilder.design.design import Design
from rackbuilder.topology.natural import natural_key
from rackbuilder.ui.bridge import Document

_REF, _LOADED = 256, 257


class Branch(NamedTuple):
    """One row: its text, the figure at the right, the ref it selects, and what is under it."""

    text: str
    figure: str = ""
    ref: str = ""
    children: Callable[[], Sequence["Branch"]] | None = None
    key: str = ""


def branches(design: Design, compiled: Compiled | None) -> Iterator[Branch]:
    """The top of the tree."""
    if design.racks:
        yield Branch("Racks", f"{len(design.racks):,}", "", lambda: _racks(design), "racks")
    for fabric in sorted(design.fabrics.values(), key=lambda f: f.id):
        switches = [d for d in design.devices.values() if d.fabric == fabric.id]
        count = f"{len(switches):,} switch{'' if len(switches) == 1 else 'es'}"
        text = f"{fabric.label} fabric"
        under = partial(_tiers, design, fabric.id, compiled)
        yield Branch(text, count, fabric.id, under, f"fabric/{fabric.id}")
    loose = [d.id for d in design.devices.values() if not d.rack and not d.parent]
    if loose:
        yield Branch("Not in a rack", f"{len(loose):,}", "", lambda: _devices(design, loose), "loose")
    if design.groups:
        yield Branch("Groups", f"{len(design.groups):,}", "", lambda: _groups(design), "groups")
    if design.jobs:
        yield Branch("Jobs", f"{len(design.jobs):,}", "", lambda: _jobs(design), "jobs")


def _racks(design: Design) -> list[Branch]:
    rows = sorted(design.racks.values(), key=lambda r: natural_key(r.label))
    return [
        Branch(
            rack.label,
            f"{len(design.indexes.seats.get(rack.id, ())):,}",
            rack.id,
            (lambda r=rack.id: _devices(design, list(design.indexes.seats.get(r, ())))),  # type: ignore[misc]
        )
        for rack in rows
    ]


def _devices(design: Design, ids: Sequence[str]) -> list[Branch]:
    rows = sorted(
        (design.devices[i] for i in ids if i in design.devices),
        key=lambda d: (-(d.u or 0), natural_key(d.label)),
    )
    return [Branch(d.label, f"U{d.u:g}" if d.u is not None else "", d.id) for d in rows]


def _tiers(design: Design, fabric: str, compiled: Compiled | None) -> list[Branch]:
    roles = compiled.roles if compiled else {}
    members = sorted(
        (d for d in design.devices.values() if d.fabric == fabric), key=lambda d: natural_key(d.label)
    )
    found = []
    for role, title in (("core", "Cores"), ("spine", "Spines"), ("leaf", "Leaves"), ("", "Other switches")):
        ids = [
            d.id
            for d in members
            if (roles.get(d.id, "") if roles.get(d.id, "") in ("core", "spine", "leaf") else "") == role
        ]
        if ids:
            found.append(Branch(title, f"{len(ids):,}", "", lambda i=ids: _by_name(design, i)))  # type: ignore[misc]
    return found


def _by_name(design: Design, ids: Sequence[str]) -> list[Branch]:
    rows = sorted((design.devices[i] for i in ids if i in design.devices), key=lambda d: natural_key(d.label))
    return [Branch(d.label, f"rail {d.rail}" if d.rail else "", d.id) for d in rows]


def _groups(design: Design) -> list[Branch]:
    rows = sorted(design.groups.values(), key=lambda g: natural_key(g.label))
    return [Branch(g.label, g.kind, g.id, (lambda i=g.id: _members(design, i))) for g in rows]  # type: ignore[misc]


def _members(design: Design, group: str) -> list[Branch]:
    return _by_name(design, [d.id for d in design.devices.values() if group in d.groups])


def _jobs(design: Design) -> list[Branch]:
    return [Branch(j.label, "active" if j.active else "", j.id) for j in design.jobs.values()]


class TreePanel(QWidget):
    """The tree dock. `activated` asks to jump to an element."""

    activated = Signal(str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._selecting = False
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Design tree")
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.viewport().setAutoFillBackground(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 0, 0)
        column.addWidget(self.tree)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        self.tree.itemExpanded.connect(self._expand)
        self.tree.itemActivated.connect(self._activate)
        self.tree.selectionModel().selectionChanged.connect(self._selected)
        document.changed.connect(self._soon)
        document.replaced.connect(self._soon)
        document.reported.connect(self._soon)
        document.selection.changed.connect(self._follow)
        self._shown: tuple[object, ...] = ()
        self.refresh()

    def _soon(self) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Rebuilds the rows that are open; does nothing when no table it shows has changed."""
        design = self._document.design
        compiled = self._document.report.compiled
        names = ("devices", "racks", "fabrics", "groups", "jobs")
        state = (*(design.tables[name] for name in names), compiled.roles if compiled else None)
        if len(state) == len(self._shown) and all(a is b for a, b in zip(state, self._shown, strict=True)):
            return
        self._shown = state
        opened = set(self._opened(self.tree.invisibleRootItem(), ""))
        self._selecting = True
        self.tree.clear()
        self._fill(self.tree.invisibleRootItem(), branches(design, compiled), "", opened)
        self._selecting = False
        self._follow()

    def _opened(self, item: QTreeWidgetItem, path: str) -> Iterator[str]:
        for child in children_of(item):
            here = f"{path}/{child.text(0)}"
            if child.isExpanded():
                yield here
                yield from self._opened(child, here)

    def _fill(
        self, parent: QTreeWidgetItem, rows: Iterator[Branch] | Sequence[Branch], path: str, opened: set[str]
    ) -> None:
        for row in rows:
            item = QTreeWidgetItem([row.text, row.figure])
            item.setData(0, _REF, row.ref)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            parent.addChild(item)
            here = f"{path}/{row.text}"
            if row.children:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
                item.setData(0, _LOADED, row.children)
                if here in opened:
                    self._load(item, here, opened)
                    item.setExpanded(True)

    def _load(self, item: QTreeWidgetItem, path: str, opened: set[str]) -> None:
        children = item.data(0, _LOADED)
        item.setData(0, _LOADED, None)
        if children:
            self._fill(item, children(), path, opened)

    def _expand(self, item: QTreeWidgetItem) -> None:
        self._load(item, "", set())

    def _activate(self, item: QTreeWidgetItem) -> None:
        if item.data(0, _REF):
            self.activated.emit(item.data(0, _REF))

    def _selected(self, _on: QItemSelection, _off: QItemSelection) -> None:
        if self._selecting:
            return
        self._selecting = True
        self._document.selection.set(
            item.data(0, _REF) for item in self.tree.selectedItems() if item.data(0, _REF)
        )
        self._selecting = False

    def _follow(self) -> None:
        """Marks what is selected elsewhere, among the rows that are open."""
        if self._selecting:
            return
        self._selecting = True
        refs = set(self._document.selection.refs)
        self.tree.selectionModel().clearSelection()
        for item in self._items(self.tree.invisibleRootItem()):
            if item.data(0, _REF) in refs:
                index = self.tree.indexFromItem(item)
                flags = QItemSelectionModel.SelectionFlag
                self.tree.selectionModel().select(index, flags.Select | flags.Rows)
        self._selecting = False

    def _items(self, item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
        for child in children_of(item):
            yield child
            yield from self._items(child)


def children_of(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (item.child(index) for index in range(item.childCount()))
    return [child for child in found if child is not None]
