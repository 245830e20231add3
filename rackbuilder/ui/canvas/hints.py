"""Marks that explain: what is under the cursor, where a drop lands, why it does not."""

from collections.abc import Sequence

from rackbuilder.design.geometry import span_of
from rackbuilder.design.refs import parse
from rackbuilder.design.view import View
from rackbuilder.layout.bundles import summed
from rackbuilder.layout.names import counted, model
from rackbuilder.layout.scene import Pipe, Scene
from rackbuilder.layout.shapes import Place
from rackbuilder.layout.snap import Target
from rackbuilder.ui.canvas.host import Refusal
from rackbuilder.ui.canvas.marks import NONE, Ghost, Marks, Ring, Sign
from rackbuilder.ui.canvas.tools.base import Hit, Pointer, Stage
from rackbuilder.units import power_text, rate_text

# ---- hover


def hover_marks(stage: Stage, hit: Hit, p: Pointer, rested: bool = False) -> Marks:
    """A ring around what is under the cursor; a tip at once for a run, and for a device once the cursor rests."""
    if hit.box is not None:
        place = _port_place(stage, hit) or hit.box.place
        ring = Ring(place, "hover", 1.5)
        signs = (device_sign(stage, hit, p),) if rested and hit.box.ref in stage.host.design.devices else ()
        return Marks(rings=(ring,), signs=signs)
    if hit.pipe >= 0:
        return run_marks(stage, hit, p)
    frame = hit.frame
    if frame is not None and frame.kind in ("block", "column", "rack", "coarse") and frame.ref:
        return Marks(rings=(Ring(frame.place, "hover", 1.5),))
    return NONE


def _port_place(stage: Stage, hit: Hit) -> Place | None:
    assert hit.box is not None
    if not hit.port:
        return None
    spots = stage.canvas_view.canvas.port_places(hit.box)
    return spots.get(hit.port.partition(".")[0])


def device_sign(stage: Stage, hit: Hit, p: Pointer) -> Sign:
    """“srv-023” / “DGX H100 · A06 U17–U24 · 10.2 kW”; of a port what it is and who is at the other end."""
    assert hit.box is not None
    design = stage.host.design
    device = design.devices[hit.box.ref]
    part = design.type_of(device)
    words = [model(part.name, part.vendor)]
    if device.rack:
        span = span_of(device, part)
        words.append(f"{design.racks[device.rack].label}{' ' + span.text() if span else ''}")
    power = part.max_power()
    if power.value:
        words.append(power_text(power.value))
    title = device.label
    lines = [" · ".join(words)]
    if hit.port:
        title = f"{device.label} {hit.port}"
        lines.insert(0, port_line(design, device.id, hit.port))
    return Sign(p.x, p.y, title, tuple(lines))


def port_line(view: View, device: str, port: str) -> str:
    """“to L05 osfp10/1, cbl-0177” or “free”."""
    cables = view.ports_used(device).get(port, ())
    if not cables:
        return "free"
    cable = view.cables[cables[0]]
    far = cable.b if cable.a == (device, port) else cable.a
    return f"to {view.devices[far.device].label} {far.port}, {cable.label}"


def run_marks(stage: Stage, hit: Hit, p: Pointer) -> Marks:
    """A ring along a run and a plate that says what it carries."""
    canvas = stage.canvas_view.canvas
    drawing = canvas.drawing
    pipe = drawing.pipes[hit.pipe]
    sign = Sign(
        p.x, p.y, run_title(stage.host.design, drawing, pipe, hit.cables), run_lines(stage, pipe, hit.cables)
    )
    return Marks(rings=(Ring(pipe.place, "hover", 1.5, away=6.0),), signs=(sign,))


def run_title(view: View, drawing: Scene, pipe: Pipe, cables: Sequence[str]) -> str:
    """“SU 2 → 16 spines”, “L11 → 32 servers”, or the two ends of a single cable."""
    if len(cables) == 1 and cables[0] in view.cables:
        cable = view.cables[cables[0]]
        one, two = (f"{view.devices[end.device].label} {end.port}" for end in (cable.a, cable.b))
        return f"{one} → {two}"
    pairs = [drawing.pairs[n] for n in pipe.pairs]
    first, second = _sides(view, pairs)
    return f"{_side_text(view, first)} → {_side_text(view, second)}"


def _sides(view: View, pairs: Sequence[object]) -> tuple[list[str], list[str]]:
    """The two sets of devices that some pairs join: what is not a switch, or the smaller set, first."""
    one: dict[str, None] = {}
    two: dict[str, None] = {}
    for pair in pairs:
        a, b = pair.a, pair.b  # type: ignore[attr-defined]
        if (
            b in one
            or a in two
            or (
                a not in one
                and view.type_of(view.devices[a]).is_switch > view.type_of(view.devices[b]).is_switch
            )
        ):
            a, b = b, a
        one[a] = None
        two[b] = None
    first, second = sorted((list(one), list(two)), key=lambda rows: (len(rows) != 1, rows))
    return first, second


def _side_text(view: View, devices: Sequence[str]) -> str:
    if len(devices) == 1:
        return view.devices[devices[0]].label
    units = {g for d in devices for g in view.devices[d].groups if view.groups[g].kind == "unit"}
    switches = all(view.type_of(view.devices[d]).is_switch for d in devices)
    if len(units) == 1 and all(any(g in units for g in view.devices[d].groups) for d in devices):
        return (
            f"{view.groups[units.pop()].label}, {counted(len(devices), 'switch' if switches else 'server')}"
        )
    return counted(len(devices), "switch" if switches else "device")


def run_lines(stage: Stage, pipe: Pipe, cables: Sequence[str]) -> tuple[str, ...]:
    canvas = stage.canvas_view.canvas
    pairs = canvas.drawing.pairs
    count, rate = summed(pairs[n] for n in pipe.pairs)
    if len(cables) == 1:
        pair = next((pairs[n] for n in pipe.pairs if cables[0] in pairs[n].cables), None)
        count, rate = 1, pair.rate_bps / pair.size if pair and pair.rate_bps is not None else None
    words = [cables[0] if len(cables) == 1 else counted(count, "cable")]
    words.append(f"{rate_text(rate)} per direction" if rate is not None else "rate unknown")
    busy = canvas.cables.colouring.busy(pipe.pairs, pairs)
    lines = [" · ".join(words)]
    if busy is not None:
        lines.append(f"busy {busy:.1%} of the step".replace("%", " %"))
    return tuple(lines)


# ---- drops


def target_marks(view: View, target: Target, text: str) -> Marks:
    """Where it lands, in target colour, before it is released."""
    where = view.racks[target.rack].label + (f" U{target.u:g}" if target.u is not None else "")
    return Marks(ghosts=(Ghost(target.place, text, "target", "", (), where),))


def refused_marks(
    view: View, place: Place, text: str, refusal: Refusal, near: Target | None, p: Pointer
) -> Marks:
    """A red dashed ghost, a plate with what fails, and the nearest place that works ringed at the same time."""
    ghosts = [Ghost(place, text, "refuse", "error_fill")]
    lines = list(refusal.lines)
    if near is not None:
        label = view.racks[near.rack].label
        unit = f" U{near.u:g}" if near.u is not None else ""
        lines.append(f"Nearest free place: {label}{unit}.")
        ghosts.append(Ghost(near.place, "fits here", "target", "", (), f"{label}{unit}"))
    return Marks(
        ghosts=tuple(ghosts), signs=(Sign(p.x, p.y, refusal.what, tuple(lines), "refuse", stop=True),)
    )


def spoken(view: View, refs: Sequence[str]) -> str:
    """What is selected and where it stands, for a screen reader."""
    if not refs:
        return "nothing selected"
    device = view.devices.get(parse(refs[-1]).record)
    if len(refs) > 1 or device is None:
        return counted(len(refs), "item") + f" selected, {refs[-1]} last"
    if not device.rack:
        return f"{device.label}, in no rack"
    span = span_of(device, view.type_of(device))
    return f"{device.label}, rack {view.racks[device.rack].label}" + (f", {span.text()}" if span else "")
