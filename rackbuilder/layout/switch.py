"""A switch from inside as a scene: cages in columns, at each port its cable, its peer and its load."""

from collections.abc import Sequence
from itertools import groupby
from math import ceil

from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Device
from rackbuilder.design.refs import port_ref
from rackbuilder.design.view import View
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import Look
from rackbuilder.layout.portfacts import Loads, PortFacts, load_text, port_facts
from rackbuilder.layout.portruns import PortRuns, port_ink
from rackbuilder.layout.rack import feeds_of
from rackbuilder.layout.scene import Box, Frame, Scene
from rackbuilder.layout.shapes import Place, around

ROW_H, CAGE_W, PORT_W, PORT_H = 27.0, 122.0, 32.0, 20.0
RUN, PEER_W, GAP = 44.0, 196.0, 9.0
COLUMN_W = CAGE_W + RUN + PEER_W + 24.0
LEAST_CAGE, PAD = 42.0, 16.0
SCREEN_W, SCREEN_H = 1240.0, 700.0
"""Pixels of a usual canvas: as many columns as show the cages largest on it."""

Cage = tuple[str, list[Port]]


def switch_scene(view: View, device: Device, loads: Loads | None = None, where: str = "") -> Scene:
    """Every cage of a switch with its ports in reading order, column by column; `where` stands under its name."""
    return _Face(view, device, loads).scene(where)


class _Face:
    def __init__(self, view: View, device: Device, loads: Loads | None) -> None:
        self._view, self._device, self._loads = view, device, loads
        self._part = view.type_of(device)
        self._runs = PortRuns(view, device)
        self.boxes: dict[str, Box] = {}
        self.frames: list[Frame] = []

    def scene(self, where: str) -> Scene:
        cages: list[Cage] = [
            (cage, list(ports))
            for cage, ports in groupby(
                ports_of(self._part, self._device.modes).values(), key=lambda port: port.cage
            )
        ]
        for (cage, ports), place in zip(cages, cage_places([len(ports) for _, ports in cages]), strict=True):
            self._cage(cage, ports, place)
        inside = around(f.place for f in self.frames)
        self._supplies(inside.bottom + PAD, inside.w)
        body = around([inside, *(b.place for b in self.boxes.values())]).grown(PAD)
        name = f"{self._device.label} · {self._part.name}"
        body_frame = Frame("inner", body, self._device.id, name, (where,), number=0.0)
        bounds = Place(body.x, body.y - 48, body.w, body.h + 48).grown(24)
        runs = self._runs
        return Scene(
            "server",
            bounds,
            (body_frame, *self.frames),
            self.boxes,
            tuple(runs.pipes),
            pairs=tuple(runs.pairs),
            routes=tuple(runs.routes),
            planned=frozenset(runs.planned),
        )

    def _cage(self, cage: str, ports: Sequence[Port], place: Place) -> None:
        """One cage: its number and optic, its ports at the right edge, a row for each port."""
        row = ports[0].cages
        every = [port_facts(self._view, self._device, port, self._loads) for port in ports]
        plug = next((facts.plug for facts in every if facts.plug), "")
        number = cage.removeprefix(row.name)
        title = f"cage {number}" if row.role == "data" else row.name + (f" {number}" if row.count > 1 else "")
        frame = Place(place.x, place.y, CAGE_W, place.h)
        self.frames.append(Frame("cage", frame, f"{self._device.id}:{cage}", title, (plug,)))
        top = place.cy - ROW_H * len(ports) / 2
        for n, (port, facts) in enumerate(zip(ports, every, strict=True)):
            middle = top + (n + 0.5) * ROW_H
            label = facts.label if row.role == "data" else str(n + 1)
            self._port(port, facts, label, Place(place.x, middle - ROW_H / 2, place.w, ROW_H))

    def _port(self, port: Port, facts: PortFacts, label: str, row: Place) -> None:
        ref = port_ref(self._device.id, port.name)
        ink = port_ink(self._view, self._device, self._part, port, facts)
        place = Place(row.x + CAGE_W - PORT_W + 4, row.cy - PORT_H / 2, PORT_W, PORT_H)
        look = Look("nic", band=ink if facts.cable else "line2", planned=facts.cable is None)
        self.boxes[ref] = Box(ref, place, look, {"name": label}, ALWAYS)
        end = place.right + RUN
        self._runs.add(facts, ink, (place.right, row.cy), (end, row.cy))
        cable, known = facts.cable, bool(self._loads)
        lines = (cable.label, load_text(facts, known), facts.state) if cable else ("", "", "free")
        peer = Place(end + 8, row.y, row.right - end - 8, row.h)
        self.frames.append(Frame("peer", peer, cable.id if cable else "", facts.peer or "free", lines))

    def _supplies(self, y: float, w: float) -> None:
        supplies = self._part.supplies
        if supplies is None:
            return
        letters = feeds_of(self._view, self._device)
        for n in range(supplies.count):
            letter = letters[n : n + 1].strip()
            ref = f"{self._device.id}.psu{n}"
            look = Look("supply", feeds=letter)
            texts = {"name": f"PSU {letter}".strip()}
            self.boxes[ref] = Box(ref, Place(n * 90.0, y, 80.0, 24.0), look, texts, ALWAYS)


def cage_places(ports: Sequence[int]) -> list[Place]:
    """Where each cage and the rows of its ports stand, from the number of ports in each, down each column in turn."""
    if not ports:
        return []
    heights = [max(LEAST_CAGE, ROW_H * n + 10) for n in ports]

    def spread(columns: int) -> float:
        rows = ceil(len(ports) / columns)
        return max(columns * COLUMN_W / SCREEN_W, rows * (max(heights) + GAP) / SCREEN_H)

    columns = min(range(1, min(len(ports), 12) + 1), key=lambda n: (spread(n), n))
    rows = ceil(len(ports) / columns)
    places = []
    for n, h in enumerate(heights):
        column, row = divmod(n, rows)
        y = sum(heights[column * rows : column * rows + row]) + GAP * row
        places.append(Place(column * COLUMN_W, y, COLUMN_W - 24, h))
    return places
