"""One view of the design each: fabric, racks, floor, server, table."""

from typing import TYPE_CHECKING

from rackbuilder.ui.views.base import View
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.floor import FloorView
from rackbuilder.ui.views.rack import RackView
from rackbuilder.ui.views.server import ServerView
from rackbuilder.ui.views.table import TableView

if TYPE_CHECKING:
    from rackbuilder.ui.bridge import Document

__all__ = ["FabricView", "FloorView", "RackView", "ServerView", "TableView", "View", "make_views"]


def make_views(document: "Document") -> dict[str, View]:
    """Every view of a document by name, each following it from now on."""
    views: dict[str, View] = {
        "fabric": FabricView(document),
        "racks": RackView(document),
        "floor": FloorView(document),
        "server": ServerView(document),
        "table": TableView(document),
    }
    for view in views.values():
        document.changed.connect(view.follow_event)
        document.reported.connect(view.follow_report)
        document.replaced.connect(view.follow_document)
    return views
