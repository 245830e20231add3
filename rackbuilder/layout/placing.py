"""Places of the fabric view: tiers top to bottom, units side by side, blocks at the right.

x first, then the lanes (which need x only), then y: the lanes decide how far apart leaves and servers stand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rackbuilder.design.view import View
from rackbuilder.layout.shapes import Place
from rackbuilder.layout.tiers import Area, Block, Column, Pod, Tiers


@dataclass(frozen=True)
class Grid:
    """Sizes in drawing units."""

    server_w: float
    server_h: float
    column_pitch: float
    stack_gap: float
    leaf_w: float
    leaf_h: float
    spine_w: float
    spine_h: float
    lane_pitch: float = 15.0
    drop_shift: float = 12.0
    riser_shift: float = 9.0
    pad: float = 8.0
    area_gap: float = 8.0


RACKS = Grid(112, 70, 136, 2, 74, 56, 110, 50, drop_shift=20, riser_shift=24, pad=12, area_gap=16)
NORMAL = Grid(42, 70, 53, 6, 46, 56, 94, 50)
LARGE = Grid(120, 92, 150, 10, 110, 52, 130, 52, 26.0, drop_shift=30, riser_shift=26, pad=16, area_gap=24)
LINE_TOP, LINE_HEIGHT = 280.0, 780.0
"""About the height of the spines with their bus, and of one line of units of four servers."""
OPEN_ACROSS, OPEN_H = 4, 40.0
FOOT = 78.0
"""Under the servers: names of racks, then the caption of the unit."""
RUN_Y = 30.0
"""Below the units: where the nearest run to a block lies."""
DRAWN = ("core", "spine", "leaf", "server")
BLOCK_W, BLOCK_H = 244.0, 94.0


@dataclass
class ColumnSpot:
    column: Column
    x: float
    """Middle."""
    height: float = 0.0


@dataclass
class AreaSpot:
    area: Area
    x: float
    w: float
    row: int
    leaf_x: dict[str, float]
    columns: list[ColumnSpot]

    @property
    def cx(self) -> float:
        return self.x + self.w / 2


@dataclass
class RowSpot:
    """A line of areas: its lanes and its heights, from the bar above the leaves to the bottom of the outlines."""

    areas: list[AreaSpot]
    pod: int
    tracks: int = 0
    bar_y: float = 0.0
    leaf_y: float = 0.0
    lane_y: float = 0.0
    column_y: float = 0.0
    bottom: float = 0.0
    bus_y: float = 0.0
    """Where its trunks end: the pod's bus, or the row's own, which a side trunk joins to the pod's."""


@dataclass
class PodSpot:
    pod: Pod
    x: float = 0.0
    w: float = 0.0
    rows: list[int] = field(default_factory=list)
    spine_x: dict[str, float] = field(default_factory=dict)
    spine_y: float = 0.0
    bus_y: float = 0.0


@dataclass
class Spots:
    """Everything with a place; filled by the placer, read by the router."""

    grid: Grid
    tiers: Tiers
    pods: list[PodSpot] = field(default_factory=list)
    rows: list[RowSpot] = field(default_factory=list)
    boxes: dict[str, Place] = field(default_factory=dict)
    blocks: dict[str, Place] = field(default_factory=dict)
    core_bus_y: float = 0.0
    width: float = 0.0
    bottom: float = 0.0
    area_of: dict[str, AreaSpot] = field(default_factory=dict)
    column_of: dict[str, ColumnSpot] = field(default_factory=dict)
    pod_of: dict[str, PodSpot] = field(default_factory=dict)
    pinned: dict[str, Place] = field(default_factory=dict)


def grid_for(tiers: Tiers) -> Grid:
    """Few devices are drawn larger: a hand-built pair of leaves should fill its drawing."""
    columns = [c for pod in tiers.pods for area in pod.areas for c in area.columns]
    servers = sum(len(c.members) for c in columns)
    leaves = sum(len(area.leaves) for pod in tiers.pods for area in pod.areas)
    spines = sum(len(pod.spines) for pod in tiers.pods)
    if servers <= 8 and max(leaves, spines) <= 8 and len(tiers.cores) <= 8:
        return LARGE
    return RACKS if len(columns) <= 10 and max(leaves, spines) <= 18 else NORMAL


def server_height(grid: Grid, view: View, device: str) -> float:
    """Drawn height of a server or tray: a tray is a thin line of a column, a large server a full box."""
    part = view.type_of(view.devices[device])
    if part.category == "nvlink-switch-tray":
        return 9.0 if grid is not LARGE else 18.0
    if part.category == "compute-tray" or part.u_height <= 1:
        return 13.0 if grid is not LARGE else 24.0
    return grid.server_h if part.u_height >= 4 else grid.server_h * 0.6


class Placer:
    """Gives places in x, then in y once the number of lanes is known."""

    def __init__(self, view: View, tiers: Tiers, opened: frozenset[str] = frozenset()) -> None:
        self._view, self._opened = view, opened
        self.spots = Spots(grid_for(tiers), tiers)

    # ---- across

    def across(self) -> Spots:
        """Columns, leaves, spines and cores in x; areas in lines of about the shape of a screen."""
        s = self.spots
        x = 0.0
        for pod in s.tiers.pods:
            spot = PodSpot(pod, x=x)
            s.pods.append(spot)
            self._pod_rows(spot)
            x = spot.x + spot.w + s.grid.area_gap * 3
        s.width = max(0.0, x - s.grid.area_gap * 3)
        self._pins()
        return s

    def _pod_rows(self, spot: PodSpot) -> None:
        s, areas = self.spots, spot.pod.areas
        per_row = _areas_in_line([self._area_width(a) for a in areas])
        widths = []
        for start in range(0, len(areas), per_row):
            row = RowSpot([], len(s.pods) - 1)
            x = spot.x
            for area in areas[start : start + per_row]:
                row.areas.append(self._area(area, x, len(s.rows)))
                x += row.areas[-1].w + s.grid.area_gap
            widths.append(x - s.grid.area_gap - spot.x)
            spot.rows.append(len(s.rows))
            s.rows.append(row)
        least = len(spot.pod.spines) * (s.grid.leaf_w + 8)
        spot.w = max([*widths, least, s.grid.spine_w])
        spot.spine_x = _spread(spot.pod.spines, spot.x, spot.w, s.grid.spine_w * 2)
        s.pod_of.update(dict.fromkeys(spot.pod.spines, spot))

    def _area_width(self, area: Area) -> float:
        g = self.spots.grid
        return max(len(area.columns), len(area.leaves), 1) * g.column_pitch + 2 * g.pad

    def _area(self, area: Area, x: float, row: int) -> AreaSpot:
        s, g = self.spots, self.spots.grid
        w = self._area_width(area)
        inner_x, inner_w = x + g.pad, w - 2 * g.pad
        middles = _spread([str(n) for n in range(len(area.columns))], inner_x, inner_w, g.column_pitch)
        columns = [ColumnSpot(c, middles[str(n)]) for n, c in enumerate(area.columns)]
        spot = AreaSpot(
            area, x, w, row, _spread(area.leaves, inner_x, inner_w, g.column_pitch * 1.6), columns
        )
        for device in (*area.leaves, *area.servers):
            s.area_of[device] = spot
        for column in columns:
            s.column_of.update(dict.fromkeys(column.column.members, column))
        return spot

    # ---- down

    def down(self, tracks: Sequence[int]) -> Spots:
        """Everything in y; `tracks` is the number of lanes of each line of areas."""
        s = self.spots
        y = self._top()
        for pod in s.pods:
            y_pod = self._spines(pod, y)
            for index in pod.rows:
                s.rows[index].tracks = tracks[index]
                y_pod = self._row(pod, s.rows[index], y_pod)
            s.bottom = max(s.bottom, y_pod)
        for row in s.rows:
            for area in row.areas:
                self._area_boxes(row, area)
        s.boxes.update(s.pinned)
        self._blocks()
        return s

    def _top(self) -> float:
        s, g = self.spots, self.spots.grid
        if not s.tiers.cores:
            return 0.0
        s.width = max(s.width, len(s.tiers.cores) * (g.leaf_w + 8))
        for core, x in _spread(s.tiers.cores, 0.0, s.width, g.spine_w * 2).items():
            s.boxes[core] = Place(
                x - _fit(s.width, len(s.tiers.cores), g) / 2,
                0.0,
                _fit(s.width, len(s.tiers.cores), g),
                g.spine_h,
            )
        s.core_bus_y = g.spine_h + 76
        return s.core_bus_y + 66

    def _spines(self, pod: PodSpot, y: float) -> float:
        s, g = self.spots, self.spots.grid
        pod.spine_y = y
        if not pod.pod.spines:
            pod.bus_y = y
            return y
        w = _fit(pod.w, len(pod.pod.spines), g)
        for spine, x in pod.spine_x.items():
            s.boxes[spine] = Place(x - w / 2, y, w, g.spine_h)
        pod.bus_y = y + g.spine_h + 86
        return pod.bus_y

    def _row(self, pod: PodSpot, row: RowSpot, y: float) -> float:
        g = self.spots.grid
        first = self.spots.rows[pod.rows[0]] is row
        row.bus_y = pod.bus_y if first else y + 120
        has_spines = bool(pod.pod.spines)
        row.bar_y = row.bus_y + (106 if has_spines else 0)
        row.leaf_y = row.bar_y + (58 if has_spines else 30)
        leaves = any(area.area.leaves for area in row.areas)
        row.lane_y = row.leaf_y + (g.leaf_h + 56 if leaves else 30)
        row.column_y = row.lane_y + (
            max(0, row.tracks - 1) * lane_pitch(g, row.tracks) + 58 if row.tracks else 0
        )
        tallest = 0.0
        for area in row.areas:
            for spot in area.columns:
                heights = [server_height(g, self._view, m) for m in spot.column.members]
                spot.height = sum(heights) + stack_gap(g, len(heights)) * (len(heights) - 1)
                tallest = max(tallest, spot.height)
        row.bottom = row.column_y + tallest + (FOOT if tallest else 16)
        return row.bottom

    def _area_boxes(self, row: RowSpot, area: AreaSpot) -> None:
        s, g = self.spots, self.spots.grid
        w = min(g.leaf_w, (area.w - 2 * g.pad) / max(1, len(area.leaf_x)) - 4)
        for leaf, x in area.leaf_x.items():
            s.boxes[leaf] = Place(x - w / 2, row.leaf_y, w, g.leaf_h)
        for spot in area.columns:
            y = row.column_y
            gap = stack_gap(g, len(spot.column.members))
            for member in spot.column.members:
                h = server_height(g, self._view, member)
                s.boxes[member] = Place(spot.x - g.server_w / 2, y, g.server_w, h)
                y += h + gap

    def _pins(self) -> None:
        """Positions set by hand win over every other."""
        s = self.spots
        for identity, pin in self._view.tables["drawing"].items():
            device = identity.removeprefix("fabric/")
            if pin.pinned and identity.startswith("fabric/") and s.tiers.tier.get(device) in DRAWN:
                s.pinned[device] = Place(pin.x, pin.y, *self._size(device))

    def _size(self, device: str) -> tuple[float, float]:
        g, tier = self.spots.grid, self.spots.tiers.tier[device]
        if tier == "server":
            return g.server_w, server_height(g, self._view, device)
        return (g.leaf_w, g.leaf_h) if tier == "leaf" else (g.spine_w, g.spine_h)

    def _blocks(self) -> None:
        """Blocks at the right: from the top, storage beside the trunk that reaches it under the units."""
        s = self.spots
        left = max((p.right for p in s.boxes.values()), default=0.0)
        x = max(left, s.width) + 36 if s.boxes else 0.0
        y = 0.0
        for block in s.tiers.blocks:
            if block.key != "storage":
                s.blocks[block.key] = self._block_place(block, x, y)
                y = s.blocks[block.key].bottom + 34
        for block in s.tiers.blocks:
            if block.key == "storage":
                s.blocks[block.key] = self._block_place(block, x, max(y, s.bottom + RUN_Y - BLOCK_H / 2))
        for block in s.tiers.blocks:
            if block.key in self._opened:
                self._open(block, s.blocks[block.key])

    def _block_place(self, block: Block, x: float, y: float) -> Place:
        pin = self._view.tables["drawing"].get(f"fabric/block:{block.key}")
        if pin is not None and pin.pinned:
            x, y = pin.x, pin.y
        lines = math.ceil(len(block.members) / OPEN_ACROSS) if block.key in self._opened else 0
        return Place(x, y, BLOCK_W, BLOCK_H if not lines else 34 + lines * (OPEN_H + 6) + 6)

    def _open(self, block: Block, place: Place) -> None:
        """The devices of an opened block, in lines under its title."""
        w = (place.w - 20) / OPEN_ACROSS
        for n, member in enumerate(block.members):
            line, column = divmod(n, OPEN_ACROSS)
            x, y = place.x + 12 + column * w, place.y + 32 + line * (OPEN_H + 6)
            self.spots.boxes[member] = Place(x, y, w - 6, OPEN_H)


def stack_gap(grid: Grid, count: int) -> float:
    """Between the servers of a column: close where there are many, as trays are."""
    return 2.0 if count >= 9 else max(grid.stack_gap, 6.0)


def lane_pitch(grid: Grid, tracks: int) -> float:
    """Lanes keep their pitch up to 24 of them, then share the room of 24."""
    return grid.lane_pitch if tracks <= 24 else max(4.0, 24 * grid.lane_pitch / tracks)


def _fit(width: float, count: int, grid: Grid) -> float:
    return min(grid.spine_w, width / max(1, count) - 8)


def _spread(names: Sequence[str], x: float, w: float, most: float) -> dict[str, float]:
    """Middles of some boxes spread evenly over a width, no farther apart than `most`, then centred."""
    if not names:
        return {}
    pitch = min(w / len(names), most)
    start = x + (w - pitch * len(names)) / 2
    return {name: start + (n + 0.5) * pitch for n, name in enumerate(names)}


def _areas_in_line(widths: Sequence[float]) -> int:
    """How many areas stand side by side: as many as make the drawing largest on a screen of 16 to 10."""
    if not widths:
        return 1
    mean = sum(widths) / len(widths)

    def zoom(lines: int) -> float:
        across = math.ceil(len(widths) / lines) * mean + BLOCK_W
        return min(1600 / across, 1000 / (LINE_TOP + lines * LINE_HEIGHT))

    lines = max(range(1, len(widths) + 1), key=lambda n: (zoom(n), -n))
    return math.ceil(len(widths) / lines)
