"""The main window: views in the middle, docks around them, one document. What each action does is in `handlers`."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.errors import Problem
from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.settings import Settings
from rackbuilder.ui import theme
from rackbuilder.ui.arrange import MIN_HEIGHT, MIN_WIDTH, Arrangement, arrangement
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.files import Files
from rackbuilder.ui.handlers import Handlers
from rackbuilder.ui.menus import Actions
from rackbuilder.ui.panels.bom import BomPanel
from rackbuilder.ui.panels.charts import ChartsPanel
from rackbuilder.ui.panels.history import HistoryPanel
from rackbuilder.ui.panels.live import LivePanel
from rackbuilder.ui.panels.parts import PartsPanel
from rackbuilder.ui.panels.problems import ProblemsPanel
from rackbuilder.ui.panels.properties import PropertiesPanel
from rackbuilder.ui.panels.tree import TreePanel
from rackbuilder.ui.rail import Rail, RailPanel, WorstLine
from rackbuilder.ui.start import StartPage
from rackbuilder.ui.statusline import StatusLine
from rackbuilder.ui.toolbar import ToolBar
from rackbuilder.ui.views import View, make_views
from rackbuilder.ui.widgets import Banner, ButtonSpec

_SIDE, _BOTTOM = Qt.DockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea


class MainWindow(QMainWindow):
    """Everything a user sees of one document."""

    def __init__(self, document: Document, settings: Settings) -> None:
        super().__init__()
        self.document = document
        self.files = Files(self, document, settings)
        self.setObjectName("rackbuilder")
        self.setMinimumSize(MIN_WIDTH, MIN_HEIGHT)
        self.setDockNestingEnabled(True)
        self._quiet = False
        self._small = False
        self._arranged: Arrangement | None = None
        self._make_centre()
        self._make_panels()
        self.handlers = Handlers(self)
        self.actions_by_id = Actions(self, self.centre, self.handlers.table())
        self._make_bars()
        self._make_docks()
        self._connect()
        self.resize(1600, 940)
        self._restore()
        self.show_start()
        self._retitle()

    # ---- parts of the window

    def _make_centre(self) -> None:
        self.banner = Banner("note", "")
        self.banner.hide()
        self.start = StartPage(self.document)
        self.views: dict[str, View] = make_views(self.document)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.start)
        for view in self.views.values():
            self.stack.addWidget(view)
        self.centre = QWidget()
        column = QVBoxLayout(self.centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.worst = WorstLine(self.document)
        self.worst.hide()
        for widget in (self.banner, self.stack, self.worst):
            column.addWidget(widget)
        self.setCentralWidget(self.centre)
        self.rail = Rail(self.centre)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)

    def _make_panels(self) -> None:
        self.parts = PartsPanel(self.document)
        self.tree = TreePanel(self.document)
        self.live = LivePanel(self.document)
        self.properties = PropertiesPanel(self.document)
        self.problems = ProblemsPanel(self.document)
        self.bom = BomPanel(self.document)
        self.charts = ChartsPanel(self.document)
        self.history = HistoryPanel(self.document)

    def _make_bars(self) -> None:
        self.toolbar = ToolBar(self.document, self.actions_by_id)
        self.addToolBar(self.toolbar)
        self.status = StatusLine(self.document)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)

    def _make_docks(self) -> None:
        for corner, area in (
            (Qt.Corner.TopLeftCorner, _SIDE.LeftDockWidgetArea),
            (Qt.Corner.BottomLeftCorner, _SIDE.LeftDockWidgetArea),
            (Qt.Corner.TopRightCorner, _SIDE.RightDockWidgetArea),
            (Qt.Corner.BottomRightCorner, _SIDE.RightDockWidgetArea),
        ):
            self.setCorner(corner, area)
        self.bottom_tabs = QTabWidget()
        self.bottom_tabs.setDocumentMode(True)
        titles = ("Problems", "Bill of materials", "Charts", "History")
        for panel, name in zip((self.problems, self.bom, self.charts, self.history), titles, strict=True):
            self.bottom_tabs.addTab(panel, name)
        self.docks = {
            "parts": self._dock("Parts", self.parts, _SIDE.LeftDockWidgetArea),
            "tree": self._dock("Tree", self.tree, _SIDE.LeftDockWidgetArea),
            "live": self._dock("Live", self.live, _SIDE.RightDockWidgetArea),
            "properties": self._dock("Properties", self.properties, _SIDE.RightDockWidgetArea),
            "bottom": self._dock("Problems and parts list", self.bottom_tabs, _BOTTOM),
        }
        for name in ("live", "bottom"):
            self.docks[name].setTitleBarWidget(QWidget())  # these panels bring a title of their own
        menu = self.actions_by_id.menus["Window"]
        menu.addSeparator()
        for dock in self.docks.values():
            menu.addAction(dock.toggleViewAction())

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"dock.{title}")
        dock.setWidget(widget)
        dress_panel(widget)
        self.addDockWidget(area, dock)
        return dock

    def _connect(self) -> None:
        document = self.document
        document.refused.connect(self.tell)
        document.replaced.connect(self._replaced)
        document.saved.connect(self._retitle)
        self.files.told.connect(self.tell)
        self.files.settled.connect(self.start.refresh)
        self.problems.counted.connect(self._count_problems)
        self.problems.shown.connect(self.show_refs)
        self.live.linked.connect(self.show_refs)
        self.live.asked.connect(self.handlers.asked)
        self.tree.activated.connect(lambda ref: self.show_refs((ref,)))
        self.parts.placed.connect(self.handlers.place_part)
        self.parts.picked.connect(self.handlers.pick_part)
        self.toolbar.view_chosen.connect(self.show_view)
        self.toolbar.job_chosen.connect(self.handlers.activate_job)
        self.toolbar.new_job.connect(self.handlers.workload)
        self.toolbar.found.connect(self.handlers.find_text)
        self.status.problem_clicked.connect(lambda: self.show_bottom(self.problems))
        self.worst.opened.connect(lambda: self.show_bottom(self.problems))
        self.worst.fixed.connect(self.problems.apply)
        self.banner.actionRequested.connect(self._banner_action)
        self.start.asked.connect(self.handlers.start_asked)
        theme.follower().changed.connect(self._dress)
        for view in self.views.values():
            view.menu_wanted.connect(self.handlers.context_menu)
            view.opened.connect(self.handlers.open_ref)
            view.told.connect(self.tell)

    def _dress(self) -> None:
        for panel in (self.parts, self.tree, self.live, self.properties, self.bottom_tabs):
            dress_panel(panel)

    # ---- views

    @property
    def view(self) -> View | None:
        """The view in sight; None on the start page."""
        shown = self.stack.currentWidget()
        return shown if isinstance(shown, View) else None

    def show_view(self, name: str) -> None:
        """Switches to a view by its name; selection stays."""
        view = self.views[name]
        self.stack.setCurrentWidget(view)
        self.document.view_name = name
        self.toolbar.views.set_current(name)
        self.actions_by_id.check(f"view.{name}")
        self.handlers.hand_tool()
        view.setFocus()

    def show_start(self) -> None:
        self.start.refresh()
        self.stack.setCurrentWidget(self.start)

    def show_refs(self, refs: Sequence[str]) -> None:
        """Selects and frames what a link named."""
        if not refs:
            return
        if self.view is None:
            self.show_view("fabric")
        self.document.selection.set(refs)
        if self.view is not None:
            self.view.frame(refs)

    def show_bottom(self, panel: QWidget) -> None:
        """Shows a panel of the bottom dock; in a small window it flies out over the canvas."""
        self.bottom_tabs.setCurrentWidget(panel)
        if self._small:
            self.rail.toggle("bottom", on=True)
        else:
            self.docks["bottom"].show()

    def _replaced(self) -> None:
        self.show_view(
            "fabric" if self.document.design.devices or not self.document.design.racks else "racks"
        )
        self.banner.hide()
        self._retitle()

    # ---- messages

    def tell(self, problems: Iterable[Problem]) -> None:
        """What, where and how to fix, in a bar above the canvas; it stays until closed or the next one."""
        listed = list(problems)
        if not listed:
            return
        first = listed[0]
        more = f"  (and {len(listed) - 1:,} more)" if len(listed) > 1 else ""
        text = (
            ". ".join(part.rstrip(".") for part in (first.what, first.where, first.fix) if part) + "." + more
        )
        buttons = [ButtonSpec("Show", "show")] if first.refs else []
        self._told = first.refs
        self.banner.set_content(first.severity, text, [*buttons, ButtonSpec("Close", "close")])
        self.banner.show()

    def tell_fault(self, fault: BaseException) -> None:
        what = f"Something went wrong inside rackbuilder: {fault!r}"
        self.tell(
            [Problem(what, "", "Your design is safe and in its recovery copy; the log has the details.")]
        )

    def _banner_action(self, action: str) -> None:
        if action == "show":
            self.show_refs(self._told)
        self.banner.hide()

    def offer_recovery(self) -> None:
        """Tells of documents whose process ended with unsaved work; the start page lists them."""
        if self.document.session.journal is None:
            self.start.show_recoveries(find_recoveries(recovery_dir()))

    def _count_problems(self, counts: dict[str, int]) -> None:
        total = sum(counts.values())
        index = self.bottom_tabs.indexOf(self.problems)
        self.bottom_tabs.setTabText(index, f"Problems  {total:,}" if total else "Problems")

    def _retitle(self) -> None:
        session = self.document.session
        self.setWindowTitle(f"{session.title}{' · edited' if session.dirty else ''} — rackbuilder")
        self.actions_by_id["edit.undo"].setEnabled(bool(session.history.done))
        self.actions_by_id["edit.redo"].setEnabled(bool(session.history.undone))

    # ---- sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = arrangement(self.width(), self.height())
        if wanted is not self._arranged:
            self._arranged = wanted
            QTimer.singleShot(0, self._arrange)

    def _arrange(self) -> None:
        """Puts the docks where a window of this size has them."""
        plan = self._arranged
        if plan is None or not hasattr(self, "docks"):
            return
        self._place_properties(plan)
        self._rail_or_docks(plan.left == 0)
        for view in self.views.values():
            view.set_minimap(plan.minimap)
        self._size_docks(plan)

    def _place_properties(self, plan: Arrangement) -> None:
        live, properties = self.docks["live"], self.docks["properties"]
        self.removeDockWidget(properties)
        self.addDockWidget(_SIDE.RightDockWidgetArea, properties)
        if plan.tabs:
            self.tabifyDockWidget(live, properties)
            live.raise_()
        else:
            way = Qt.Orientation.Horizontal if plan.beside else Qt.Orientation.Vertical
            self.splitDockWidget(live, properties, way)
        properties.show()
        live.show()

    def _rail_or_docks(self, small: bool) -> None:
        """Hands the left and bottom panels to the rail, or back to their docks."""
        self._small = small
        self.rail.release()
        self.rail.setVisible(small)
        self.worst.setVisible(small)
        panels = {
            "parts": RailPanel("Parts", "parts", self.parts),
            "tree": RailPanel("Tree", "tree", self.tree),
            "bottom": RailPanel("Problems, parts list, charts, history", "bom", self.bottom_tabs, wide=True),
        }
        for name, panel in panels.items():
            if not small:
                self.docks[name].setWidget(panel.widget)
                panel.widget.show()
            self.docks[name].setVisible(not small)
        if small:
            self.rail.take(panels)

    def _size_docks(self, plan: Arrangement) -> None:
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if plan.left:
            self.resizeDocks([self.docks["parts"]], [plan.left], horizontal)
            self.resizeDocks([self.docks["parts"], self.docks["tree"]], [560, 360], vertical)
        self.resizeDocks([self.docks["live"]], [plan.right], horizontal)
        if plan.beside:
            self.resizeDocks([self.docks["properties"]], [plan.beside], horizontal)
        else:
            self.resizeDocks([self.docks["live"], self.docks["properties"]], [700, 260], vertical)
        if plan.bottom:
            self.resizeDocks([self.docks["bottom"]], [plan.bottom], vertical)
        for bar in self.findChildren(QTabBar):
            bar.setExpanding(False)

    def settle(self) -> None:
        """Applies what waits for the event loop: for a picture of the window."""
        self._arrange()
        if self.view is not None:
            self.view.fit_all()

    # ---- leaving

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._quiet and not self.files.may_leave():
            event.ignore()
            return
        if not self._quiet:
            self.document.session.close()
            self._remember()
        self.document.shut()
        super().closeEvent(event)

    def close_quietly(self) -> None:
        """Closes without asking and without remembering anything."""
        self._quiet = True
        self.close()

    def _remember(self) -> None:
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.files.change(windows={**self.files.settings.windows, "geometry": geometry})

    def _restore(self) -> None:
        geometry = self.files.settings.windows.get("geometry")
        if isinstance(geometry, str):
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))


def dress_panel(widget: QWidget) -> None:
    """Panel bodies stand on the panel colour; the frame around them, which they would inherit, is darker."""
    widget.setPalette(theme.palette(theme.current()))
    widget.setAutoFillBackground(True)
