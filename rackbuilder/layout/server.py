"""The inside of one server as a scene: ports above, GPUs around their NVSwitch chips, processors, supplies."""

from collections.abc import Sequence

from rackbuilder.catalog.parts import DeviceType, GpuType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Device
from rackbuilder.design.refs import gpu_ref, port_ref
from rackbuilder.design.view import View
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import SCOPE_OF_ROLE, Look
from rackbuilder.layout.names import short
from rackbuilder.layout.rack import feeds_of
from rackbuilder.layout.scene import Box, Frame, Pipe, Plate, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.topology.graphs import Graphs
from rackbuilder.units import byte_rate_text

WIDTH, GPU_H, GAP, PAD = 640.0, 78.0, 12.0, 26.0
BAR_H = 58.0


def server_scene(view: View, graphs: Graphs, device: str) -> Scene:
    """What is inside a device. An unknown device, or one with nothing inside, gives an empty scene."""
    record = view.devices.get(device)
    if record is None:
        return Scene("server", Place(0.0, 0.0, 400.0, 300.0))
    return _Inside(view, graphs, record).scene()


class _Inside:
    """Builds from the top: ports, the domain with its GPUs, processors, supplies, ports below."""

    def __init__(self, view: View, graphs: Graphs, device: Device) -> None:
        self._view, self._graphs, self._device = view, graphs, device
        self._part: DeviceType = view.type_of(device)
        self.boxes: dict[str, Box] = {}
        self.frames: list[Frame] = []
        self.pipes: list[Pipe] = []
        self.plates: list[Plate] = []

    def scene(self) -> Scene:
        ports = list(ports_of(self._part, self._device.modes).values())
        above = [
            p
            for p in ports
            if p.cages.fabric == "compute" or (self._part.is_switch and p.cages.role == "data")
        ]
        below = [p for p in ports if p not in above]
        y = self._ports(above, 0.0, up=True)
        y = self._gpus(y + PAD)
        y = self._row(["cpu"] * (self._part.cpu_count or 0), "CPU", y, 40.0)
        y = self._supplies(y)
        body = Place(0.0, 14.0, WIDTH, y - 14.0 + 10.0)
        self._ports(below, body.bottom - 14.0, up=False)
        name = f"{self._device.label} · {self._part.name}"
        self.frames.insert(0, Frame("inner", body, self._device.id, name, (self._where(),)))
        everything = [body.grown(30), *(b.place for b in self.boxes.values()), *(p.place for p in self.pipes)]
        bounds = around(everything)
        head = Place(bounds.x, bounds.y - 100, bounds.w, bounds.h + 120)
        return Scene(
            "server", head.grown(20), tuple(self.frames), self.boxes, tuple(self.pipes), tuple(self.plates)
        )

    def _where(self) -> str:
        if not self._device.rack:
            return "in no rack"
        unit = f" U{self._device.u:g}" if self._device.u is not None else ""
        return f"{self._view.racks[self._device.rack].label}{unit}"

    # ---- ports

    def _ports(self, ports: Sequence[Port], y: float, up: bool) -> float:
        """A line of ports on the edge, each with its peer at the end of a short run."""
        if not ports:
            return y + 28.0
        pitch = min(74.0, (WIDTH - 20) / len(ports))
        left = (WIDTH - pitch * len(ports)) / 2
        for n, port in enumerate(ports):
            ink = self._ink(port)
            w = max(3.0, min(48.0, pitch - 6))
            place = Place(left + n * pitch + (pitch - w) / 2, y, w, 28.0)
            ref = port_ref(self._device.id, port.name)
            look = Look("nic", band=ink)
            texts = {
                "name": port.name,
                "name_short": port.name.partition("/")[2] if pitch > 40 else str(n + 1),
            }
            self.boxes[ref] = Box(ref, place, look, texts, ALWAYS)
            self._peer(port, place, ink, up)
        return y + 28.0

    def _ink(self, port: Port) -> str:
        if port.cages.role != "data":
            return "out-of-band"
        return SCOPE_OF_ROLE.get(port.cages.fabric or "compute", "server-leaf")

    def _peer(self, port: Port, place: Place, ink: str, up: bool) -> None:
        cables = self._view.ports_used(self._device.id).get(port.name, ())
        if not cables:
            return
        cable = self._view.cables[cables[0]]
        far = cable.b if cable.a.device == self._device.id else cable.a
        start, end = (place.y, place.y - 66) if up else (place.bottom, place.bottom + 46)
        self.pipes.append(Pipe("link", place.cx, min(start, end), place.cx, max(start, end), (), 2, ink))
        label = short(self._view.devices[far.device].label)
        self.plates.append(Plate(place.cx, end - 12 if up else end + 12, label, "middle", room=place.w + 26))

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
