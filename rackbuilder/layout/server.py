"""The inside of one server as a scene: ports above, GPUs around their NVSwitch chips, processors, supplies."""

from collections.abc import Sequence
from itertools import groupby

from rackbuilder.catalog.parts import DeviceType, GpuType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Device
from rackbuilder.design.refs import gpu_ref, port_ref
from rackbuilder.design.view import View
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import Look
from rackbuilder.layout.names import counted, short
from rackbuilder.layout.portfacts import Loads, PortFacts, port_facts
from rackbuilder.layout.portruns import PortRuns, port_ink
from rackbuilder.layout.rack import feeds_of
from rackbuilder.layout.scene import Box, Frame, Pipe, Plate, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.layout.switch import switch_scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.units import byte_rate_text, rate_text

WIDTH, GPU_H, GAP, PAD = 640.0, 78.0, 12.0, 26.0
BAR_H, PORT_H = 58.0, 22.0
RUN_UP, RUN_DOWN = 76.0, 40.0
_ROW_TITLES = {"storage": "Storage", "in-band": "In-band", "bmc": "BMC", "management": "Host"}


def server_scene(view: View, graphs: Graphs, device: str, loads: Loads | None = None) -> Scene:
    """What is inside a device. An unknown device, or one with nothing inside, gives an empty scene.

    loads   how busy each bundle is, by its devices and fabric
    """
    record = view.devices.get(device)
    if record is None:
        return Scene("server", Place(0.0, 0.0, 400.0, 300.0))
    inside = _Inside(view, graphs, record, loads)
    if view.type_of(record).is_switch and view.type_of(record).cages:
        return switch_scene(view, record, loads, inside.where())
    return inside.scene()


class _Inside:
    """Builds from the top: ports, the domain with its GPUs, processors, supplies, ports below."""

    def __init__(self, view: View, graphs: Graphs, device: Device, loads: Loads | None) -> None:
        self._view, self._graphs, self._device, self._loads = view, graphs, device, loads
        self._runs = PortRuns(view, device)
        self._part: DeviceType = view.type_of(device)
        self.boxes: dict[str, Box] = {}
        self.frames: list[Frame] = []
        self.pipes: list[Pipe] = []
        self.plates: list[Plate] = []

    def scene(self) -> Scene:
        ports = list(ports_of(self._part, self._device.modes).values())
        above = [p for p in ports if p.cages.fabric == "compute"]
        below = [p for p in ports if p not in above]
        self._ports(above, 0.0, up=True)
        y = self._gpus(PORT_H / 2 + PAD)
        y = self._row(["cpu"] * (self._part.cpu_count or 0), "CPU", y, 40.0)
        y = self._supplies(y)
        body = Place(0.0, 0.0, WIDTH, max(y, 60.0))
        self._ports(below, body.bottom, up=False)
        name = f"{self._device.label} · {self._part.name}"
        head = RUN_UP + 34.0 if above else PORT_H / 2
        self.frames.insert(0, Frame("inner", body, self._device.id, name, (self.where(),), number=head))
        runs = self._runs
        pipes = (*self.pipes, *runs.pipes)
        everything = [body.grown(24), *(b.place for b in self.boxes.values()), *(p.place for p in pipes)]
        everything += [Place(p.x, p.y - 10, 0.0, 24.0) for p in self.plates]
        bounds = around([*everything, Place(0.0, -head - 48, WIDTH, 10.0)]).grown(12)
        return Scene(
            "server",
            bounds,
            tuple(self.frames),
            self.boxes,
            pipes,
            tuple(self.plates),
            pairs=tuple(runs.pairs),
            routes=tuple(runs.routes),
            planned=frozenset(runs.planned),
        )

    def where(self) -> str:
        if not self._device.rack:
            return "in no rack"
        unit = f" U{self._device.u:g}" if self._device.u is not None else ""
        return f"{self._view.racks[self._device.rack].label}{unit}"

    # ---- ports

    def _ports(self, ports: Sequence[Port], edge: float, up: bool) -> None:
        """A line of ports that stand on an edge of the body, each with its peer at the end of a short run."""
        if not ports:
            return
        pitch = min(74.0, (WIDTH - 20) / len(ports))
        left = (WIDTH - pitch * len(ports)) / 2
        for n, port in enumerate(ports):
            facts = port_facts(self._view, self._device, port, self._loads)
            ink = port_ink(self._view, self._device, self._part, port, facts)
            w = max(3.0, min(50.0, pitch - 6))
            place = Place(left + n * pitch + (pitch - w) / 2, edge - PORT_H / 2, w, PORT_H)
            ref = port_ref(self._device.id, port.name)
            self.boxes[ref] = Box(ref, place, Look("nic", band=ink), {"name": facts.label}, ALWAYS)
            self._peer(facts, place, ink, up)
        self._rows(ports, edge, left, pitch, up)

    def _peer(self, facts: PortFacts, place: Place, ink: str, up: bool) -> None:
        if facts.cable is None:
            return
        start, end = (place.y, place.y - RUN_UP) if up else (place.bottom, place.bottom + RUN_DOWN)
        self._runs.add(facts, ink, (place.cx, start), (place.cx, end))
        far = facts.cable.b if facts.cable.a.device == self._device.id else facts.cable.a
        label = short(self._view.devices[far.device].label)
        self.plates.append(Plate(place.cx, end - 12 if up else end + 12, label, room=place.w + 26))

    def _rows(self, ports: Sequence[Port], edge: float, left: float, pitch: float, up: bool) -> None:
        """What each row of equal ports is for and carries: above on its runs, below under its peers."""
        used = self._view.ports_used(self._device.id)
        far = any(port.name in used for port in ports)
        x = left
        for _, group in groupby(ports, key=lambda port: port.cages.name):
            row = list(group)
            w = pitch * len(row)
            cabled = [port for port in row if port.name in used]
            if up and cabled:
                y = edge - PORT_H / 2 - RUN_UP * 0.5
                self.plates.append(Plate(x + w / 2, y, self._carried(cabled), room=WIDTH))
            elif not up:
                y = edge + PORT_H / 2 + (RUN_DOWN + 36 if far else 20)
                title = _ROW_TITLES.get(row[0].cages.fabric or row[0].cages.role, row[0].cages.name)
                text = f"{title} {_rates(row)}".strip()
                self.plates.append(Plate(x + w / 2, y, text, room=w + 10, short=title))
            x += w

    def _carried(self, ports: Sequence[Port]) -> str:
        """“8 × 400 Gb/s per direction · busy 52 %”."""
        rate = ports[0].rate_bps
        words = [f"{len(ports)} × {rate_text(rate)} per direction" if rate else counted(len(ports), "cable")]
        loads = [port_facts(self._view, self._device, port, self._loads).load for port in ports]
        known = [load for load in loads if load is not None]
        if len(known) == len(loads):
            words.append(f"busy {sum(known) / len(known):.0%}".replace("%", " %"))
        return " · ".join(words)

    # ---- GPUs

    def _gpus(self, y: float) -> float:
        count = self._part.gpu_count
        if not count:
            return y
        domains = self._graphs.domains_of(self._device.id)
        rows = 2 if self._part.nvswitch_chips and count > 1 else 1 if count <= 4 else 2
        across = -(-count // rows)
        inner = WIDTH - 4 * PAD
        w = min(130.0, (inner - GAP * (across - 1)) / across)
        left = (WIDTH - (w * across + GAP * (across - 1))) / 2
        top = y + PAD
        bar_y = top + GPU_H + 20
        for n in range(count):
            row, column = divmod(n, across)
            at_y = top if row == 0 else bar_y + (BAR_H + 20 if self._part.nvswitch_chips else 0)
            place = Place(left + column * (w + GAP), at_y, w, GPU_H)
            self._gpu(n, place)
        bottom = top + GPU_H
        if self._part.nvswitch_chips:
            bottom = self._switches(Place(left, bar_y, w * across + GAP * (across - 1), BAR_H), rows)
        elif rows == 2:
            bottom = bar_y + GPU_H
        elif domains and domains[0].kind == "in-rack":
            bottom = self._backplane(Place(left, bar_y, w * across + GAP * (across - 1), BAR_H * 0.7))
        if domains and domains[0].size > 1:
            self._domain(Place(2 * PAD - 14, y, WIDTH - 4 * PAD + 28, bottom - y + PAD - 6))
        return bottom + 2 * PAD

    def _gpu(self, n: int, place: Place) -> None:
        part = self._view.parts.get(self._part.gpus.part) if self._part.gpus else None
        memory = part.memory_bytes if isinstance(part, GpuType) else None
        ref = gpu_ref(self._device.id, n)
        second = f"{memory / 1e9:.0f} GB" if memory else "memory unknown"
        self.boxes[ref] = Box(ref, place, Look("gpu"), {"name": f"GPU {n}", "model": second}, ALWAYS)

    def _switches(self, place: Place, rows: int) -> float:
        """The NVSwitch bar between two rows of GPUs, one run a GPU; returns where the domain ends."""
        ref = f"{self._device.id}.nvswitch"
        label = f"{self._part.nvswitch_chips} × NVSwitch"
        self.boxes[ref] = Box(ref, place, Look("chip"), {"name": label}, ALWAYS)
        gpus = [b for b in self.boxes.values() if b.look.kind == "gpu"]
        for box in gpus:
            above = box.place.y < place.y
            y1, y2 = (box.place.bottom, place.y) if above else (place.bottom, box.place.y)
            self.pipes.append(Pipe("link", box.place.cx, y1, box.place.cx, y2, (), 8, "in-server"))
        return place.bottom + (20 + GPU_H if rows == 2 else 0)

    def _backplane(self, place: Place) -> float:
        """The switch trays of the rack that the GPUs of a tray reach through its backplane."""
        links = [link for b in self._graphs.backplanes for link in b.links if link.tray == self._device.id]
        count = sum(link.links - link.lost for link in links)
        text = f"{len(links)} NVLink switch trays of the rack · {count} links"
        ref = f"{self._device.id}.backplane"
        self.boxes[ref] = Box(ref, place, Look("chip"), {"name": text}, ALWAYS)
        for box in [b for b in self.boxes.values() if b.look.kind == "gpu"]:
            self.pipes.append(
                Pipe("link", box.place.cx, box.place.bottom, box.place.cx, place.y, (), 8, "in-domain")
            )
        return place.bottom

    def _domain(self, place: Place) -> None:
        domain = self._graphs.domains_of(self._device.id)[0]
        rate = domain.bytes_s.value
        each = f" · {byte_rate_text(rate)} per direction each" if rate else ""
        where = "NVLink domain" if domain.scale_up == "nvlink" else "Scale-up domain"
        more = f" over {len(domain.devices)} trays" if domain.kind == "in-rack" else ""
        title = f"{where} · {domain.size} GPUs{more}{each}"
        self.frames.append(Frame("domain", place, "", title))

    # ---- the rest

    def _row(self, kinds: Sequence[str], word: str, y: float, h: float) -> float:
        if not kinds:
            return y
        w = (WIDTH - 4 * PAD - 20 * (len(kinds) - 1)) / len(kinds)
        for n in range(len(kinds)):
            place = Place(2 * PAD + n * (w + 20), y, w, h)
            ref = f"{self._device.id}.cpu{n}"
            self.boxes[ref] = Box(ref, place, Look("cpu"), {"name": f"{word} {n}"}, ALWAYS)
        return y + h + 20

    def _supplies(self, y: float) -> float:
        supplies = self._part.supplies
        if supplies is None:
            return y
        letters = feeds_of(self._view, self._device)
        pitch = min(96.0, (WIDTH - 4 * PAD) / supplies.count)
        left = (WIDTH - pitch * supplies.count) / 2
        for n in range(supplies.count):
            letter = letters[n : n + 1].strip()
            ref = f"{self._device.id}.psu{n}"
            place = Place(left + n * pitch + 4, y, pitch - 8, 34.0)
            look = Look("supply", feeds=letter)
            self.boxes[ref] = Box(ref, place, look, {"name": f"PSU {letter}".strip()}, ALWAYS)
        return y + 34.0 + 30.0


def _rates(row: Sequence[Port]) -> str:
    """“2 × 400G”, “1G”; nothing where the rate is not published."""
    rate = row[0].rate_bps
    if rate is None:
        return ""
    return f"{len(row)} × {rate / 1e9:g}G" if len(row) > 1 else f"{rate / 1e9:g}G"
