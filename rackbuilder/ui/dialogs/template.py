"""New from template: fields left, what you get right, updated while you type; nothing is made before Create."""

from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.commands.base import checked
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.session.quick import Facts, quick_facts
from rackbuilder.templates import TEMPLATES, Template
from rackbuilder.templates.superpod import BUILDS
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.ui.dialogs.form import Form
from rackbuilder.ui.theme import CAPTION, font
from rackbuilder.units import power_text

_DELAY_MS = 120


class Planned(NamedTuple):
    """What a template would make, or why not."""

    command: Template | None
    facts: Facts | None
    objects: int
    problems: tuple[Problem, ...]


def plan(kind: type[Template], fields: dict[str, object], catalog: Catalog) -> Planned:
    """Plans a template on an empty design and counts what comes of it."""
    try:
        command = checked(kind, fields)
        assert isinstance(command, Template)
        patch = command.plan(Design(), catalog)
        design = Design().apply(patch)
    except ProblemError as error:
        return Planned(None, None, 0, error.problems)
    return Planned(command, quick_facts(design, build_graphs(design)), len(patch.changes), ())


def choices_for(kind: type[Template], catalog: Catalog) -> dict[str, list[tuple[str, str]]]:
    """What the text fields of a template offer."""
    servers = [(i, catalog.device(i).name) for i in BUILDS if isinstance(catalog.parts.get(i), DeviceType)]
    systems = [(r.id, r.name) for r in catalog.of_kind(RackType) if r.assembly and r.assembly.slots]
    return {"server": servers, "system": systems} if kind.model_fields.keys() & {"server", "system"} else {}


class TemplateDialog(QDialog):
    """`command` is the template to run after the dialog was accepted."""

    def __init__(self, parent: QWidget, catalog: Catalog) -> None:
        super().__init__(parent)
        self.setWindowTitle("New from template")
        self.command: Template | None = None
        self._catalog = catalog
        self._kinds = [kind for kind in TEMPLATES if kind.model_fields]
        self.tabs = QTabBar()
        self.forms = QStackedWidget()
        self._forms: list[Form] = []
        for kind in self._kinds:
            self.tabs.addTab(kind.title)
            form = Form(kind, choices_for(kind, catalog), self._soon)
            self._forms.append(form)
            self.forms.addWidget(form)
        self.facts = QFormLayout()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.foot = QLabel()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Cancel | QDialogButtonBox.StandardButton.Ok
        )
        self.accept_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.accept_button.setText("Create design")
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self.refresh)
        self.tabs.currentChanged.connect(self._tab)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.resize(880, 560)
        self.refresh()

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        head = QLabel("What you get")
        head.setFont(font(CAPTION, semibold=True))
        right.addWidget(head)
        right.addLayout(self.facts)
        right.addWidget(self.message)
        right.addStretch(1)
        left = QVBoxLayout()
        left.addWidget(self.forms)
        left.addStretch(1)
        body = QHBoxLayout()
        body.addLayout(left, 1)
        body.addSpacing(24)
        body.addLayout(right, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.foot, 1)
        foot.addWidget(self.buttons)
        column = QVBoxLayout(self)
        column.addWidget(self.tabs)
        column.addSpacing(8)
        column.addLayout(body, 1)
        column.addLayout(foot)

    def _tab(self, index: int) -> None:
        self.forms.setCurrentIndex(index)
        self.refresh()

    def _soon(self) -> None:
        self._timer.start()

    def refresh(self) -> None:
        """Plans what is typed and shows its counts, or what stands against it."""
        index = self.tabs.currentIndex()
        planned = plan(self._kinds[index], self._forms[index].values(), self._catalog)
        self.command = planned.command
        self.accept_button.setEnabled(planned.command is not None)
        while self.facts.rowCount():
            self.facts.removeRow(0)
        for name, value in rows_of(planned.facts) if planned.facts else []:
            label = QLabel(value)
            label.setFont(font(semibold=True))
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.facts.addRow(name, label)
        self.message.setText("\n".join(p.text() for p in planned.problems))
        self.foot.setText(
            f"One undo step. {planned.objects:,} objects." if planned.command else "Nothing is made yet."
        )


def rows_of(facts: Facts) -> list[tuple[str, str]]:
    """Name and value of each count, as the sheet shows them."""
    counts = facts.counts
    rows = [("Servers", f"{counts.servers:,}"), ("GPUs", f"{counts.gpus:,}")]
    domains = ", ".join(f"{n:,} of {size}" for size, n in sorted(counts.nvlink_domains.items()))
    rows.append(("NVLink domains", domains or "none"))
    for fabric, here in sorted(counts.fabrics.items()):
        switches = ", ".join(f"{n} {role}" for role, n in here.switches.items() if n)
        rows.append((f"Switches, {fabric}", switches or "none"))
        rows += [(f"Links {name}", f"{n:,}") for name, n in here.cables.items() if n]
    rows.append(("Racks", f"{counts.racks:,}"))
    power = facts.power_max_w
    text = (
        "unknown"
        if power.value is None
        else f"{'at least ' if power.at_least else ''}{power_text(power.value)}"
    )
    rows.append(("Power, maximum", text))
    return rows
