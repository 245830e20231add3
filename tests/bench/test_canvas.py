"""The canvas at full size, as ratios to a loop of plain Python on the same machine at the same moment."""

import time
from collections.abc import Callable

import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rackbuilder.design.design import Design
from rackbuilder.layout.fabric import fabric_scene
from rackbuilder.layout.looks import Look
from rackbuilder.layout.scene import Box, Scene
from rackbuilder.layout.shapes import Place
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.ui import theme
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.ui.canvas.view import CanvasView
from rackbuilder.ui.views.fabric import FabricView
from tests.layout import samples
from tests.ui.canvas.hosts import PlainHost


def best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of some runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def reference() -> float:
    """A million steps of a plain loop: some 30 to 60 ms."""

    def loop() -> int:
        total = 0
        for n in range(1_000_000):
            total += n & 7
        return total

    return best(loop)


def report(name: str, seconds: float, unit: float, most: float) -> None:
    ratio = seconds / unit
    print(
        f"\n{name}: {seconds * 1000:.1f} ms, {ratio:.2f} reference loops of {unit * 1000:.1f} ms (at most {most:g})"
    )
    assert ratio <= most


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> None:
    theme.apply(qapp, "light")


def grid_of(count: int) -> Scene:
    """Servers in a square, as in a hall of racks."""
    look = Look("server", "tile", 8, True)
    across = int(count**0.5)
    boxes = {
        f"srv-{n:05d}": Box(
            f"srv-{n:05d}",
            Place(53.0 * (n % across), 76.0 * (n // across), 42, 70),
            look,
            {"name": f"srv-{n}"},
        )
        for n in range(count)
    }
    return Scene("fabric", Place(0, 0, 53.0 * across, 76.0 * across), boxes=boxes)


def view_of(scene: Scene, qtbot: QtBot, colouring: Colouring | None = None) -> CanvasView:
    canvas = CanvasScene()
    canvas.show_scene(scene, colouring or Colouring(), {})
    view = CanvasView(canvas)
    canvas.setParent(view)
    qtbot.addWidget(view)
    view.resize(1600, 900)
    view.show()
    view.fit_all()
    return view


def painted(view: CanvasView, zoom: float = 0.0) -> Callable[[], None]:
    """Paints the whole window once into an image."""
    image = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
    if zoom:
        view.zoom_by(0)
        from rackbuilder.ui.canvas.navigation import Look as At

        view.set_look(At(view.look.x, view.look.y, zoom))

    def paint() -> None:
        painter = QPainter(image)
        view.render(painter)
        painter.end()

    paint()  # pictures are made once
    return paint


def test_4600_devices(qtbot: QtBot) -> None:
    unit, scene = reference(), grid_of(4_600)
    report("build 4,600 items", best(lambda: CanvasScene().show_scene(scene, Colouring(), {}), 3), unit, 4.0)
    view = view_of(scene, qtbot)
    report("repaint 4,600 items at rack level", best(painted(view, 0.32)), unit, 3.0)
    moved = Scene(
        scene.view,
        scene.bounds,
        boxes={ref: Box(ref, box.place.moved(5, 5), box.look, box.texts) for ref, box in scene.boxes.items()},
    )
    canvas = view.canvas
    both = [moved, scene]
    report(
        "move 4,600 items",
        best(lambda: canvas.show_scene(both[0], Colouring(), {}) and both.reverse(), 4),
        unit,
        5.0,
    )


def big() -> Design:
    """32 units: 1,023 servers, 256 leaves, 32 spines, 18,426 cables."""
    return samples.superpod(units=32, spines=32)


def test_a_thousand_servers_and_their_cables(qtbot: QtBot) -> None:
    unit, design = reference(), big()
    assert len(design.cables) > 10_000
    graphs = build_graphs(design)
    report(
        "lay out 1,023 servers and 18,426 cables", best(lambda: fabric_scene(design, graphs), 3), unit, 25.0
    )
    scene = fabric_scene(design, graphs)
    report("build their items", best(lambda: CanvasScene().show_scene(scene, Colouring(), {}), 3), unit, 8.0)
    view = view_of(scene, qtbot)
    for name, zoom, most in (
        ("hall", 0.1, 2.0),
        ("row", 0.2, 3.0),
        ("rack", 0.31, 3.0),
        ("device", 1.0, 4.0),
    ):
        report(f"repaint of it at {name} level", best(painted(view, zoom)), unit, most)


def test_an_edit_at_four_units(qtbot: QtBot) -> None:
    """127 servers and 2,298 cables: from a patch to items in step."""
    from rackbuilder.commands.devices import Rename

    unit, host = reference(), PlainHost(samples.superpod())
    page = FabricView(host)
    qtbot.addWidget(page)
    page.resize(1290, 787)
    page.show()
    names = iter(range(1000))

    def edit() -> None:
        page.apply_patch(host.session.do(Rename(ref="srv-001", name=f"n{next(names)}")))

    report("follow an edit of 127 servers", best(edit), unit, 4.0)
    report(
        "light the paths of a leaf",
        best(lambda: (host.selection.set(["L11"]), host.selection.clear())),
        unit,
        1.0,
    )
    page.close()
