"""The main window: views in the middle, docks around them, one document. What each action does is in `handlers`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QTabBar, QWidget

from rackbuilder.errors import Problem
from rackbuilder.session.journal import Recovery, find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.settings import Settings
from rackbuilder.ui import theme
from rackbuilder.ui.arrange import MIN_HEIGHT, MIN_WIDTH, arrangement
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.centre import VIEW_NAMES, Centre
from rackbuilder.ui.docks import Docks, Panels
from rackbuilder.ui.files import Files
from rackbuilder.ui.handlers import Handlers
from rackbuilder.ui.links import spread
from rackbuilder.ui.menus import Actions
from rackbuilder.ui.panels.bom import BomPanel
from rackbuilder.ui.panels.charts import ChartsPanel
from rackbuilder.ui.panels.history import HistoryPanel
from rackbuilder.ui.panels.layers import LayersPanel
from rackbuilder.ui.panels.live import LivePanel
from rackbuilder.ui.panels.parts import PartsPanel
from rackbuilder.ui.panels.problems import ProblemsPanel
from rackbuilder.ui.panels.properties import PropertiesPanel
from rackbuilder.ui.panels.tree import TreePanel
from rackbuilder.ui.places import Places
from rackbuilder.ui.rail import Rail
from rackbuilder.ui.statusline import StatusLine, summary
from rackbuilder.ui.toolbar import ToolBar
from rackbuilder.ui.views import View
from rackbuilder.ui.views.page import CanvasPage
from rackbuilder.ui.widgets import ButtonSpec


class MainWindow(QMainWindow):
    """Everything a user sees of one document."""

    def __init__(self, document: Document, settings: Settings) -> None:
        super().__init__()
        self.document = document
        self.files = Files(self, document, settings)
        self.places = Places(settings.windows)
        self.setObjectName("rackbuilder")
        self.setMinimumSize(MIN_WIDTH, MIN_HEIGHT)
        self.setDockNestingEnabled(True)
        self._quiet = self._left = False
        self._told: tuple[str, ...] = ()
        self._lost: Recovery | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._arrange)
        self._make_panels()
        self._make_bars()
        self._connect()
        self.resize(1600, 940)
        self._restore()
        self.show_start()
        self._retitle()

    # ---- parts of the window

    def _make_panels(self) -> None:
        document = self.document
        self.layers = LayersPanel(document)
        self.centre = Centre(document, self._view_made)
        self.setCentralWidget(self.centre)
        self.rail = Rail(self.centre)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.parts = self._make_parts()
        self.tree = TreePanel(document)
        self.live = LivePanel(document)
        self.properties = PropertiesPanel(document)
        self.problems = ProblemsPanel(document)
        self.bom = BomPanel(document)
        self.charts = ChartsPanel(document)
        self.history = HistoryPanel(document)
        self.docks = Docks(
            self,
            Panels(
                self.parts, self.layers, self.tree, self.live, self.properties, self.problems, self.bom,
                self.charts, self.history, self._make_parts,
            ),
            self.rail,
        )  # fmt: skip

    def _make_parts(self) -> PartsPanel:
        panel = PartsPanel(self.document, self.files.settings.favourites)
        panel.placed.connect(lambda part, count: self.handlers.place_part(part, count))
        panel.picked.connect(lambda part: self.handlers.pick_part(part))
        panel.starred.connect(self._star)
        return panel

    def _make_bars(self) -> None:
        self.handlers = Handlers(self)
        self.actions_by_id = Actions(self, self.centre.splitter, self.handlers.table())
        self.toolbar = ToolBar(self.document, self.actions_by_id)
        self.addToolBar(self.toolbar)
        self.status = StatusLine(self.document)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(0, 0, 0, 0)
        self.statusBar().setFixedHeight(theme.STATUS_BAR)
        self.file_name = QLabel()
        self.file_name.setContentsMargins(12, 4, 12, 4)
        self.file_name.setFont(theme.font(theme.SECONDARY))
        self.menuBar().setCornerWidget(self.file_name)
        self.actions_by_id.menus["File"].aboutToShow.connect(self.handlers.fill_recent)
        self.docks.fill_menu(self.actions_by_id.menus["Window"])

    def _connect(self) -> None:
        document, handlers = self.document, self.handlers
        document.refused.connect(self.tell)
        document.replaced.connect(self._replaced)
        document.saved.connect(self._retitle)
        document.selection.changed.connect(handlers.enable)
        document.reported.connect(self._status)
        document.reported.connect(handlers.enable)
        document.went_back.connect(self._went_back)
        document.late_changed.connect(self._status)
        document.replaced.connect(self._status)
        self.files.told.connect(self.tell)
        self.files.settled.connect(self._settled)
        self.files.leaving.connect(self.keep_places)
        self.problems.counted.connect(self._count_problems)
        self.problems.shown.connect(self.show_refs)
        self.live.linked.connect(self.show_refs)
        self.live.asked.connect(handlers.asked)
        self.tree.activated.connect(lambda ref: self.show_refs((ref,)))
        self.toolbar.view_chosen.connect(self.show_view)
        self.toolbar.job_chosen.connect(handlers.activate_job)
        self.toolbar.new_job.connect(handlers.new_workload)
        self.toolbar.edit_job.connect(handlers.workload)
        self.toolbar.found.connect(handlers.find_text)
        self.toolbar.search.left.connect(self.focus_view)
        self.status.problem_clicked.connect(lambda: self.show_panel(self.problems))
        self.centre.worst.opened.connect(lambda: self.show_panel(self.problems))
        self.centre.worst.shown.connect(self.show_refs)
        self.centre.worst.fixed.connect(self.problems.apply)
        self.centre.banner.actionRequested.connect(self._banner_action)
        self.centre.start.asked.connect(handlers.start_asked)
        theme.follower().changed.connect(self._dress)

    def _dress(self) -> None:
        self.docks.dress()
        for widget in (self, self.menuBar(), self.statusBar(), self.toolbar, self.rail):
            widget.update()

    # ---- views

    def _view_made(self, name: str, view: View) -> None:
        if name == "fabric" and name not in self.centre.views:
            self.layers.bind(view)
        view.menu_wanted.connect(self.handlers.context_menu)
        view.opened.connect(self.handlers.open_ref)
        view.told.connect(self.tell)
        if isinstance(view, CanvasPage):
            view.tool_changed.connect(self.handlers.tool_changed)
        self._restore_view(name, view)

    def _restore_view(self, name: str, view: View) -> None:
        """Zoom, place and layers as they were when the file was left."""
        _, states = self.places.of_file(self.document.session.path)
        if name in states and isinstance(view, CanvasPage):
            view.restore(states[name])
            self.layers.follow()

    @property
    def view(self) -> View | None:
        """The view in sight; None on the start page."""
        return self.centre.shown

    def show_view(self, name: str) -> None:
        """Switches to a view by its name; selection stays."""
        self._work(True)
        self.centre.show_view(name)
        self.document.view_name = name
        self.toolbar.views.set_current(name)
        self.actions_by_id.check(f"view.{name}")
        self.handlers.hand_tool()
        self.focus_view()

    def focus_view(self) -> None:
        """Gives the keyboard to the view in sight."""
        if self.view is not None:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_start(self) -> None:
        """The start page has the window to itself."""
        recent = [Path(path) for path in self.files.settings.recent]
        listed = [(path, self.places.summary_of(path)) for path in recent if path.is_file()][:6]
        self.centre.start.show_recent(listed)
        self.centre.show_start()
        self._work(False)

    def _work(self, on: bool) -> None:
        self.toolbar.setVisible(on)
        self.statusBar().setVisible(on)
        self.docks.set_working(on)
        self.centre.worst.setVisible(on and self.docks.small)
        self._retitle()

    def show_refs(self, refs: Sequence[str]) -> None:
        """Selects and frames what a link named; a pair of devices stands for the cables between them."""
        if not refs:
            return
        if self.view is None:
            self.show_view("fabric")
        wanted = spread(self.document.design, refs)
        self.document.selection.set(wanted)
        if self.view is not None:
            self.view.frame(wanted)

    def show_panel(self, panel: QWidget) -> None:
        """Shows a panel; in a small window it may fly out over the canvas."""
        if self.view is None:
            self.show_view("fabric")
        self.docks.bring(panel)

    def _went_back(self, view: str) -> None:
        """Shows what an undone step was about, in the view it was made in."""
        if view in VIEW_NAMES and view != self.document.view_name and self.view is not None:
            self.show_view(view)
        if self.view is not None:
            self.view.frame(self.document.selection.refs)

    def _replaced(self) -> None:
        self.centre.banner.hide()
        kept, _ = self.places.of_file(self.document.session.path)
        design = self.document.design
        racks_only = bool(design.racks) and not design.cables and not design.fabrics
        self.show_view(kept if kept in VIEW_NAMES else "racks" if racks_only else "fabric")
        for name, view in self.centre.views.items():
            self._restore_view(name, view)
        self._retitle()

    # ---- messages

    def tell(self, problems: Iterable[Problem]) -> None:
        """What, where and how to fix, in a bar above the canvas; it stays until closed or the next one."""
        listed = list(problems)
        if not listed:
            return
        first = listed[0]
        where = "" if first.where in first.what else first.where
        words = [part.rstrip(".") for part in (first.what, where, first.fix) if part]
        text = ". ".join(words) + "." + (f"  (and {len(listed) - 1:,} more)" if len(listed) > 1 else "")
        buttons = [ButtonSpec("Show", "show")] if first.refs else []
        self._told = first.refs
        self.centre.banner.set_content(first.severity, text, [*buttons, ButtonSpec("Close", "close")])
        self.centre.banner.show()

    def tell_fault(self, fault: BaseException) -> None:
        what = f"Something went wrong inside rackbuilder: {fault!r}"
        self.tell(
            [Problem(what, "", "Your design is safe and in its recovery copy; the log has the details.")]
        )

    def _banner_action(self, action: str) -> None:
        self.centre.banner.hide()
        if action == "show":
            self.show_refs(self._told)
        elif action == "start":
            self.handlers.file_start()
        elif action == "recover" and self._lost is not None:
            self.files.recover(self._lost)
        self.focus_view()

    def offer_recovery(self) -> None:
        """Tells of documents whose process ended with unsaved work: on the start page, or in the bar while at work."""
        found = find_recoveries(recovery_dir())
        self.centre.start.show_recoveries(found)
        if not found or self.view is None:
            return
        path = self.document.session.path
        mine = next((r for r in found if path is not None and r.document == path.absolute()), None)
        self._lost = mine
        about = mine or found[0]
        text = f"{about.name} was not closed. {about.edits:,} unsaved edits can be brought back."
        more = f" So can {len(found) - 1:,} more designs." if len(found) > 1 else ""
        buttons = [ButtonSpec("Recover", "recover")] if mine else []
        buttons += [ButtonSpec("Show on the start page", "start"), ButtonSpec("Close", "close")]
        self.centre.banner.set_content("warning", text + more, buttons)
        self.centre.banner.show()

    def _count_problems(self, counts: dict) -> None:  # type: ignore[type-arg]
        bottom = self.docks.tabs["bottom"]
        bottom.title.strip.set_counts(bottom.index(self.problems), counts)

    def _status(self) -> None:
        """The state of the results stands in the title of the live panel."""
        self.docks.tabs["live"].title.set_status(*self.live.state())
        bottom = self.docks.tabs["bottom"].title
        bottom.set_status("F8 next · Ctrl+Enter applies its fix" if self.document.report.problems else "")

    def _retitle(self) -> None:
        session = self.document.session
        name = f"{session.title}{' · edited' if session.dirty else ''}"
        self.setWindowTitle(f"{name} — rackbuilder")
        self.file_name.setText(name if self.docks.working else "rackbuilder")
        self.menuBar().setCornerWidget(self.file_name)  # the menu bar measures it again
        self.handlers.enable()

    def _star(self, favourites: tuple[str, ...]) -> None:
        self.files.change(favourites=favourites)

    def _settled(self) -> None:
        for panel in self.findChildren(PartsPanel):
            panel.set_favourites(self.files.settings.favourites)

    # ---- sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if arrangement(self.width(), self.height()) is not self.docks.plan:
            self._later.start()

    def _arrange(self) -> None:
        """Puts the panels where a window of this size has them."""
        plan = arrangement(self.width(), self.height())
        self.docks.arrange(plan)
        self.centre.set_room(plan.minimap, plan.split)
        self.centre.worst.setVisible(self.docks.working and self.docks.small)
        for bar in self.findChildren(QTabBar):
            bar.setExpanding(False)

    def settle(self) -> None:
        """Applies what waits for the event loop: for a picture of the window."""
        self._later.stop()
        self._arrange()
        for view in self.centre.all_views:
            view.fit_all()

    # ---- leaving

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._left:
            super().closeEvent(event)
            return
        if not self._quiet and not self.files.may_leave():
            event.ignore()
            return
        self._left = True
        if not self._quiet:
            self.keep_places()
            self.files.change(windows=self.places.windows)
            self.document.session.close()
        self.document.shut()
        super().closeEvent(event)

    def close_quietly(self) -> None:
        """Closes without asking and without remembering anything."""
        self._quiet = True
        self.close()

    def keep_places(self) -> None:
        """Notes where everything is, of the window and of the file that is open."""
        views = self.centre.views.items()
        states = {name: view.state() for name, view in views if isinstance(view, CanvasPage)}
        if self.view is not None:
            path, name = self.document.session.path, self.document.view_name
            self.places.keep_file(path, name, states, summary(self.document))
        self.docks.keep()
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.places.keep_window(geometry, self.docks.kept())
        self.files.settings = self.files.settings.model_copy(update={"windows": self.places.windows})

    def _restore(self) -> None:
        self.docks.restore(self.places.docks)
        if self.places.geometry:
            self.restoreGeometry(QByteArray.fromBase64(self.places.geometry.encode()))
