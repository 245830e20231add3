"""Cabling a whole selection in one drag: proposal, patterns, acceptance, refusal."""

from PySide6.QtCore import Qt

from rackbuilder.commands.cabling import Disconnect
from rackbuilder.design.design import Design
from rackbuilder.ui.views.fabric import FabricView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import Opener, PlainHost

SERVERS = tuple(f"srv-{n:03d}" for n in range(1, 33))
LEAVES = tuple(f"L{n:02d}" for n in range(1, 9))


def uncabled_unit(open_view: Opener) -> tuple[FabricView, PlainHost]:
    """A unit of 32 servers and 8 leaves of 64 ports; nothing between them."""
    page, host = open_view(FabricView, samples.superpod(units=1, spare=0, spines=4))
    host.do(Disconnect(refs=tuple(f"{s}~{leaf}" for s in SERVERS for leaf in LEAVES)))
    managers = [c.id for c in host.design.cables.values() if "ufm" in c.a.device + c.b.device]
    host.do(Disconnect(refs=tuple(managers)))
    page.fit_all()
    page.set_tool("cable")
    return page, host


def between_leaves(page: FabricView) -> mouse.Spot:
    boxes = page.canvas.drawing.boxes
    return (boxes["L04"].place.right + boxes["L05"].place.x) / 2, boxes["L04"].place.cy


def cables(design: Design, *kinds: str) -> list[tuple[str, str]]:
    ends = (tuple(sorted((c.a.device, c.b.device))) for c in design.cables.values())
    return [pair for pair in ends if pair[0].startswith(kinds[0]) and pair[1].startswith(kinds[1])]


def test_one_drag_cables_a_unit(open_view: Opener) -> None:
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    start, end = mouse.middle(page, "srv-010"), between_leaves(page)
    mouse.press(page, start)
    mouse.move(page, end)
    marks = page.canvas_view.overlay.marks("gesture")
    (sign,) = marks.signs
    assert sign.title == "8 rails × 32 servers, 256 cables, rail-aligned"
    assert sign.lines[0].startswith("400 Gb/s per direction")
    assert "Enter accepts" in sign.lines[-1]
    assert {run.ink for run in marks.runs} == {"target"}
    assert all(run.dash for run in marks.runs)
    assert not cables(host.design, "L", "srv")
    mouse.release(page, end)
    made = cables(host.design, "L", "srv")
    assert len(made) == 256
    assert len(set(made)) == 256  # each server on each leaf once
    assert host.session.history.done[-1].patch.label == "Cable 8 rails × 32 servers"


def test_the_target_lines_are_where_the_cables_come_to_lie(open_view: Opener) -> None:
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    start, end = mouse.middle(page, "srv-010"), between_leaves(page)
    mouse.press(page, start)
    mouse.move(page, end)
    runs = {run.points for run in page.canvas_view.overlay.marks("gesture").runs}
    mouse.release(page, end)
    lanes = [p for p in page.canvas.drawing.pipes if p.kind == "lane"]
    assert len(lanes) == 8
    assert {((p.x1, p.y1), (p.x2, p.y2)) for p in lanes} <= runs


def test_escape_leaves_everything(open_view: Opener) -> None:
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    steps = len(host.session.history.done)
    mouse.press(page, mouse.middle(page, "srv-010"))
    mouse.move(page, between_leaves(page))
    mouse.key(page, Qt.Key.Key_Escape)
    mouse.release(page, between_leaves(page))
    assert not cables(host.design, "L", "srv")
    assert len(host.session.history.done) == steps
    assert not page.canvas_view.overlay.marks("gesture").signs


def test_tab_turns_the_pattern_and_enter_accepts(open_view: Opener) -> None:
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    mouse.press(page, mouse.middle(page, "srv-010"))
    mouse.move(page, between_leaves(page))
    mouse.key(page, Qt.Key.Key_Tab)
    (sign,) = page.canvas_view.overlay.marks("gesture").signs
    assert sign.title.endswith("round robin")
    assert "Tab pattern 2 of 5" in sign.lines[-1]
    mouse.key(page, Qt.Key.Key_Return)
    assert len(cables(host.design, "L", "srv")) == 256
    mouse.release(page, between_leaves(page))
    assert len(cables(host.design, "L", "srv")) == 256


def test_short_of_ports_enter_is_off(open_view: Opener) -> None:
    """One leaf has 32 free ports; 32 servers with 8 NICs each ask for 256."""
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    mouse.press(page, mouse.middle(page, "srv-010"))
    mouse.move(page, mouse.middle(page, "L03"))
    (sign,) = page.canvas_view.overlay.marks("gesture").signs
    assert "32 of 256 fit" in sign.title
    assert sign.stop
    assert "Enter accepts" not in " ".join(sign.lines)
    mouse.key(page, Qt.Key.Key_Return)
    mouse.release(page, mouse.middle(page, "L03"))
    assert not cables(host.design, "L", "srv")


def test_a_single_server_to_a_leaf(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small(cabled=False))
    page.set_tool("cable")
    mouse.drag(page, mouse.middle(page, "srv-0001"), mouse.middle(page, "leaf-01"))
    assert len(cables(host.design, "leaf", "srv")) == 8


def test_from_port_to_port_is_one_cable(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small(cabled=False))
    page.set_tool("cable")
    boxes = page.canvas.drawing.boxes
    start = page.canvas.port_places(boxes["srv-0001"])["osfp2/1"]
    end = page.canvas.port_places(boxes["leaf-02"])["osfp9/1"]
    mouse.drag(page, (start.cx, start.cy), (end.cx, end.cy))
    (cable,) = host.design.cables.values()
    assert {cable.a, cable.b} == {("srv-0001", "osfp2/1"), ("leaf-02", "osfp9/1")}


def test_click_source_then_click_target(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small(cabled=False))
    page.set_tool("cable")
    mouse.click(page, mouse.middle(page, "srv-0001"))
    mouse.move(page, mouse.middle(page, "leaf-01"))
    assert not host.design.cables
    mouse.click(page, mouse.middle(page, "leaf-01"))
    assert len(host.design.cables) == 8


def test_by_keys_alone(open_view: Opener) -> None:
    page, host = uncabled_unit(open_view)
    host.selection.set(SERVERS)
    mouse.key(page, Qt.Key.Key_Up)
    (sign,) = page.canvas_view.overlay.marks("gesture").signs
    assert sign.title == "8 rails × 32 servers, 256 cables, rail-aligned"
    mouse.key(page, Qt.Key.Key_Return)
    assert len(cables(host.design, "L", "srv")) == 256


def test_released_over_nothing_it_is_dropped(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small(cabled=False))
    page.set_tool("cable")
    mouse.drag(page, mouse.middle(page, "srv-0001"), (-200.0, -80.0))
    assert not host.design.cables
    assert page.canvas_view.tool is not None
    assert not page.canvas_view.tool.busy


def test_two_leaves_and_four_servers_from_nothing_in_twelve_actions(open_view: Opener) -> None:
    """Four drops, two drops, two selections, one drag: nine."""
    page, host = open_view(FabricView, samples.finished(samples.draft()))
    for part in ("dgx-h100", "dgx-h100", "dgx-h100", "dgx-h100", "qm9700", "qm9700"):
        mouse.PartDrag(page, part).drop((0.0, 0.0))
    page.fit_all()
    servers = [d for d, x in host.design.devices.items() if x.type == "dgx-h100"]
    leaves = [d for d, x in host.design.devices.items() if x.type == "qm9700"]
    boxes = page.canvas.drawing.boxes
    first, last = boxes[servers[0]].place, boxes[servers[-1]].place
    mouse.drag(page, (first.x - 8, first.y - 8), (last.right + 8, last.bottom + 8))
    assert sorted(host.selection.refs) == sorted(servers)
    page.set_tool("cable")
    one, two = (boxes[leaf].place for leaf in leaves)
    mouse.drag(page, mouse.middle(page, servers[0]), ((one.right + two.x) / 2, one.cy))
    assert len(host.design.cables) == 32
