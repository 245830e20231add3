"""The docks: which panel stands where in a window of a given size, and how the places are remembered.

In a small window the left and the bottom docks give their panels to the rail, and the right one holds tabs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from rackbuilder.ui import theme
from rackbuilder.ui.arrange import HUGE, Arrangement
from rackbuilder.ui.rail import Rail, RailPanel
from rackbuilder.ui.widgets.tabs import PanelTabs

_AREA = Qt.DockWidgetArea
_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_NAMES = {"parts": "Parts and layers", "tree": "Tree", "live": "Live", "properties": "Properties",
          "bottom": "Problems, bill of materials, history", "charts": "Charts"}  # fmt: skip
_AREAS = {"parts": _AREA.LeftDockWidgetArea, "tree": _AREA.LeftDockWidgetArea, "live": _AREA.RightDockWidgetArea,
          "properties": _AREA.RightDockWidgetArea, "bottom": _AREA.BottomDockWidgetArea,
          "charts": _AREA.BottomDockWidgetArea}  # fmt: skip


@dataclass
class Panels:
    """Every panel of the window. `more_parts` makes a second palette, for the tabs of a small window."""

    parts: QWidget
    layers: QWidget
    tree: QWidget
    live: QWidget
    properties: QWidget
    problems: QWidget
    bom: QWidget
    charts: QWidget
    history: QWidget
    more_parts: Callable[[], QWidget]


class Docks:
    """Owns the dock widgets of a window. `plan` is the arrangement in force."""

    def __init__(self, window: QMainWindow, panels: Panels, rail: Rail) -> None:
        self._window, self._panels, self._rail = window, panels, rail
        self._more_parts: QWidget | None = None
        self.plan: Arrangement | None = None
        self.working = False
        self._kept: dict[str, bytes] = {}
        shelf = QWidget(window)
        shelf.hide()
        self.tabs = {
            "parts": PanelTabs(shelf, ("Parts", panels.parts), ("Layers", panels.layers)),
            "tree": PanelTabs(shelf, ("Tree", panels.tree)),
            "live": PanelTabs(shelf, ("Live", panels.live)),
            "properties": PanelTabs(shelf, ("Properties", panels.properties)),
            "bottom": PanelTabs(
                shelf,
                ("Problems", panels.problems),
                ("Bill of materials", panels.bom),
                ("Charts", panels.charts),
                ("History", panels.history),
            ),
            "charts": PanelTabs(shelf),
        }
        for corner, area in (
            (Qt.Corner.TopLeftCorner, _AREA.LeftDockWidgetArea),
            (Qt.Corner.BottomLeftCorner, _AREA.LeftDockWidgetArea),
            (Qt.Corner.TopRightCorner, _AREA.RightDockWidgetArea),
            (Qt.Corner.BottomRightCorner, _AREA.RightDockWidgetArea),
        ):
            window.setCorner(corner, area)
        self.docks = {name: self._dock(name) for name in self.tabs}

    def _dock(self, name: str) -> QDockWidget:
        dock = QDockWidget(_NAMES[name], self._window)
        dock.setObjectName(f"dock.{name}")
        tabs = self.tabs[name]
        dock.setTitleBarWidget(tabs.title)
        dock.setWidget(tabs.stack)
        tabs.title.floated.connect(lambda: dock.setFloating(not dock.isFloating()))
        tabs.title.closed.connect(dock.hide)
        self._window.addDockWidget(_AREAS[name], dock)
        dock.hide()
        return dock

    # ---- what the window asks

    def fill_menu(self, menu: QMenu) -> None:
        """Shows and hides each panel, and detaches it: all that a title's buttons do, without a mouse."""
        menu.addSeparator()
        for dock in self.docks.values():
            menu.addAction(dock.toggleViewAction())
        detach = menu.addMenu("Detach")
        for name, dock in self.docks.items():
            detach.addAction(self._detach_action(detach, name, dock))

    def _detach_action(self, menu: QMenu, name: str, dock: QDockWidget) -> QAction:
        action = QAction(_NAMES[name], menu)
        action.setCheckable(True)
        dock.topLevelChanged.connect(action.setChecked)

        def detach(on: bool) -> None:
            dock.show()
            dock.setFloating(on)

        action.triggered.connect(detach)
        return action

    def bring(self, panel: QWidget) -> None:
        """Shows a panel, wherever it is in this window."""
        for name, tabs in self.tabs.items():
            if panel in tabs:
                tabs.bring(panel)
                if self._on_rail(name):
                    self._rail.toggle(name, on=True)
                else:
                    self.docks[name].show()

    def _on_rail(self, name: str) -> bool:
        return self.plan is not None and not self.plan.left and name in ("parts", "tree", "bottom")

    @property
    def small(self) -> bool:
        return self.plan is not None and not self.plan.left

    def dress(self) -> None:
        """Panel bodies stand on the panel colour; the frame around them, which they would inherit, is darker."""
        for tabs in self.tabs.values():
            dress_panel(tabs.stack)
        if self._more_parts is not None:
            dress_panel(self._more_parts)

    # ---- start page or work

    def set_working(self, on: bool) -> None:
        """The start page has the window to itself; coming back, every dock is as it was."""
        if on == self.working or self.plan is None:
            self.working = on
            self._rail.setVisible(on and self.small)
            return
        if on:
            self.working = True
            self.arrange(self.plan, anew=True)
        else:
            self.keep()
            self.working = False
            self._rail.release()
            self._rail.hide()
            for dock in self.docks.values():
                dock.hide()

    # ---- arranging

    def arrange(self, plan: Arrangement, anew: bool = False) -> None:
        """Puts the panels where a window of this size has them, or where the user had moved them at this size."""
        if plan is self.plan and not anew:
            return
        if self.working and self.plan is not None and plan is not self.plan:
            self.keep()
        self.plan = plan
        if not self.working:
            return
        self._hand_over(plan)
        self._place(plan)
        self._size(plan)
        kept = self._kept.get(plan.name)
        if kept is not None:
            self._window.restoreState(QByteArray(kept))
            for name in ("parts", "tree", "bottom"):
                if self._on_rail(name):
                    self.docks[name].hide()
        self.dress()

    def _hand_over(self, plan: Arrangement) -> None:
        """Which tabs hold which panels, and what the rail has."""
        small, panels = not plan.left, self._panels
        self._rail.release()
        if small:
            if self._more_parts is None:
                self._more_parts = panels.more_parts()
            self.tabs["properties"].remove(panels.properties)
            self.tabs["live"].add("Properties", panels.properties)
            self.tabs["live"].add("Parts", self._more_parts)
            self.tabs["live"].bring(panels.live)
        else:
            self.tabs["live"].remove(panels.properties)
            if self._more_parts is not None:
                self.tabs["live"].remove(self._more_parts)
            self.tabs["properties"].add("Properties", panels.properties)
        self._hand_charts(plan)
        self._hand_rail(small)

    def _hand_charts(self, plan: Arrangement) -> None:
        bottom, charts, panels = self.tabs["bottom"], self.tabs["charts"], self._panels
        if plan is HUGE and panels.charts in bottom:
            bottom.remove(panels.charts)
            charts.add("Charts", panels.charts)
        elif plan is not HUGE and panels.charts in charts:
            charts.remove(panels.charts)
            bottom.remove(panels.history)
            bottom.add("Charts", panels.charts)
            bottom.add("History", panels.history)

    def _hand_rail(self, small: bool) -> None:
        self._rail.setVisible(small)
        if small:
            self._rail.take(
                {
                    "parts": RailPanel("Parts and layers", "parts", self.tabs["parts"]),
                    "tree": RailPanel("Tree", "tree", self.tabs["tree"]),
                    "bottom": RailPanel(
                        "Problems, bill of materials, charts, history", "bom", self.tabs["bottom"], True
                    ),
                }
            )
            return
        for name in ("parts", "tree", "bottom"):
            dock, tabs = self.docks[name], self.tabs[name]
            if dock.widget() is not tabs.stack:
                dock.setTitleBarWidget(tabs.title)
                dock.setWidget(tabs.stack)
                tabs.title.set_detachable(True)
                tabs.title.show()
                tabs.stack.show()

    def _place(self, plan: Arrangement) -> None:
        """Docks side by side or below each other; one that floats is left where the user put it."""
        small, docks = not plan.left, self.docks
        shown = {"live": True, "properties": not small, "parts": not small, "tree": not small,
                 "bottom": not small, "charts": plan is HUGE}  # fmt: skip
        for name, dock in docks.items():
            if not dock.isFloating():
                self._window.removeDockWidget(dock)
                self._window.addDockWidget(_AREAS[name], dock)
        for first, second, way in (
            ("parts", "tree", _DOWN),
            ("live", "properties", _ACROSS if plan.beside else _DOWN),
            ("bottom", "charts", _ACROSS),
        ):
            if not (docks[first].isFloating() or docks[second].isFloating()):
                self._window.splitDockWidget(docks[first], docks[second], way)
        for name, dock in docks.items():
            dock.setVisible(shown[name])

    def _size(self, plan: Arrangement) -> None:
        docks, resize = self.docks, self._window.resizeDocks
        if plan.left:
            resize([docks["parts"]], [plan.left], _ACROSS)
            resize([docks["parts"], docks["tree"]], [620, 380], _DOWN)
        if plan.beside:
            resize([docks["live"], docks["properties"]], [plan.right, plan.beside], _ACROSS)
        else:
            resize([docks["live"]], [plan.right], _ACROSS)
            resize([docks["live"], docks["properties"]], [806, 176], _DOWN)
        if plan.bottom:
            resize([docks["bottom"]], [plan.bottom], _DOWN)
        if plan is HUGE:
            resize([docks["bottom"], docks["charts"]], [5, 6], _ACROSS)

    # ---- remembering

    def keep(self) -> None:
        """Notes where everything is at this size of the window."""
        if self.working and self.plan is not None:
            self._kept[self.plan.name] = bytes(self._window.saveState().data())

    def kept(self) -> dict[str, str]:
        """Places by arrangement, as text for the settings."""
        return {
            name: bytes(QByteArray(state).toBase64().data()).decode() for name, state in self._kept.items()
        }

    def restore(self, kept: object) -> None:
        """Takes back what `kept` gave; anything else is left out."""
        if isinstance(kept, dict):
            self._kept = {
                str(name): bytes(QByteArray.fromBase64(state.encode()).data())
                for name, state in kept.items()
                if isinstance(state, str)
            }


def dress_panel(widget: QWidget) -> None:
    """Puts a widget on the panel colour."""
    widget.setPalette(theme.palette(theme.current()))
    widget.setAutoFillBackground(True)
