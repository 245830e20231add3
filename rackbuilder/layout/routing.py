"""Runs of the fabric view: drops, lanes, risers, uplinks, buses and runs to blocks. Horizontal and vertical only."""

from collections.abc import Mapping, Sequence

from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.lanes import Lane, Lanes
from rackbuilder.layout.lod import Level
from rackbuilder.layout.pipes import FINE, Class, Pipes, Point
from rackbuilder.layout.placing import RUN_Y, RowSpot, Spots, lane_pitch

_TIERS = ("core", "spine", "leaf", "server")
CLOSE = (Level.DEVICE, Level.PORT)
"""Thin runs that would only be noise from farther away; the block's text tells of them."""


class Router:
    """Draws every pair of a placed fabric into `pipes`."""

    def __init__(
        self,
        spots: Spots,
        pairs: Sequence[Pair],
        lanes: Lanes,
        layers: Mapping[str, str],
        rails: Mapping[str, int],
    ) -> None:
        self.s, self._pairs, self.lanes, self._layers, self._rails = spots, pairs, lanes, layers, rails
        self._tier = spots.tiers.tier
        self.pipes = Pipes(pairs)
        self.uplinks: dict[str, list[int]] = {}
        """leaf or spine -> pairs that go up from it."""
        self._under: dict[tuple[str, float, Class], list[tuple[int, list[Point]]]] = {}
        """(block, height, class) -> pairs of servers that run there under the units, each with its points."""

    def draw(self) -> Pipes:
        for lane in self.lanes.lanes.values():
            if lane.hub:
                self._lane(lane)
        self._risers()
        rest = [n for n, pair in enumerate(self._pairs) if self.lanes.leaf_and_server(pair) is None]
        ups = [n for n in rest if self._up(n)]
        self._leaf_uplinks()
        self._spine_uplinks()
        taken = set(ups)
        for n in rest:
            if n not in taken:
                self._beside_or_odd(n)
        self._block_runs()
        return self.pipes

    # ---- classes

    def layer(self, pair: Pair) -> str:
        return self._layers.get(pair.fabric, "compute")

    def class_of(self, n: int, rail: int | None = None) -> Class:
        pair = self._pairs[n]
        layer = self.layer(pair)
        return Class(scope_of(layer, self._tier[pair.a], self._tier[pair.b]), layer, rail)

    # ---- between servers and leaves

    def lane_y(self, lane: Lane) -> float:
        row = self.s.rows[lane.row]
        return row.lane_y + lane.track * lane_pitch(self.s.grid, row.tracks)

    def _lane(self, lane: Lane) -> None:
        x, y = self.lanes.drop_x(lane.hub), self.lane_y(lane)
        what = self.class_of(lane.members[0], self._rails.get(lane.hub))
        box = self.s.boxes[lane.hub]
        start = box.bottom if box.bottom <= y else box.y
        self.pipes.add("drop", (x, start), (x, y), lane.members, what, FINE)
        self.pipes.add("lane", (lane.left, y), (lane.right, y), lane.members, what, FINE)
        self.pipes.mark(x, y, lane.members, what)
        for n in lane.members:
            server = self._other(n, lane.hub)
            riser = self.lanes.riser_x(server)
            self.pipes.mark(riser, y, (n,), what)
            down: list[Point] = [(x, start), (x, y), (riser, y), (riser, self._riser_end(server))]
            self.pipes.route(n, down if self._pairs[n].a == lane.hub else down[::-1])

    def _other(self, n: int, device: str) -> str:
        pair = self._pairs[n]
        return pair.b if pair.a == device else pair.a

    def _riser_end(self, server: str) -> float:
        row = self.s.rows[self.s.area_of[server].row]
        if server not in self.s.pinned:
            return row.column_y - (4.0 if self.s.column_of[server].column.rack else 0.0)
        box = self.s.boxes[server]
        return box.y if box.y >= row.lane_y else box.bottom

    def _risers(self) -> None:
        groups: dict[tuple[float, float], list[int]] = {}
        tops: dict[tuple[float, float], float] = {}
        for lane in self.lanes.lanes.values():
            y = self.lane_y(lane)
            for n in lane.members:
                for server in self._servers(n, lane):
                    key = (self.lanes.riser_x(server), self._riser_end(server))
                    groups.setdefault(key, []).append(n)
                    tops[key] = min(tops.get(key, y), y)
        for (x, end), members in groups.items():
            self.pipes.add("riser", (x, tops[x, end]), (x, end), members, self.class_of(members[0]), FINE)

    def _servers(self, n: int, lane: Lane) -> list[str]:
        pair = self._pairs[n]
        ends = [d for d in (pair.a, pair.b) if d != lane.hub and self._tier[d] == "server"]
        return [d for d in ends if self.s.area_of[d].row == lane.row]

    # ---- up to spines and cores

    def _up(self, n: int) -> bool:
        pair = self._pairs[n]
        for low, high in ((pair.a, pair.b), (pair.b, pair.a)):
            tiers = (self._tier[low], self._tier[high])
            same_pod = tiers == ("leaf", "spine") and self.pod(low) is self.pod(high)
            if same_pod or tiers == ("spine", "core"):
                self.uplinks.setdefault(low, []).append(n)
                return True
        return False

    def pod(self, device: str) -> object:
        if device in self.s.pod_of:
            return self.s.pod_of[device]
        return self.s.pods[self.s.rows[self.s.area_of[device].row].pod]

    def _leaf_uplinks(self) -> None:
        for index, pod in enumerate(self.s.pods):
            members: list[int] = []
            xs: list[float] = []
            for number in pod.rows:
                row = self.s.rows[number]
                found = self._row_uplinks(row, index)
                members += found
                xs += (
                    [area.cx for area in row.areas if any(leaf in self.uplinks for leaf in area.area.leaves)]
                    if row.bus_y == pod.bus_y
                    else []
                )
                if found and row.bus_y != pod.bus_y:
                    xs.append(self._side_trunk(number, found))
            drops = self._tops(members, pod.bus_y, "spine")
            if members:
                xs += drops
                self.pipes.add(
                    "bus", (min(xs), pod.bus_y), (max(xs), pod.bus_y), members, self.class_of(members[0])
                )

    def _row_uplinks(self, row: RowSpot, pod: int) -> list[int]:
        members: list[int] = []
        for area in row.areas:
            own: list[int] = []
            xs = [area.cx]
            for leaf in area.area.leaves:
                up = self.uplinks.get(leaf, [])
                if up:
                    box = self.s.boxes[leaf]
                    self.pipes.add(
                        "uplink", (box.cx, box.y), (box.cx, row.bar_y), up, self.class_of(up[0]), FINE
                    )
                    xs.append(box.cx)
                    own += up
                    for n in up:
                        self._up_route(
                            n,
                            leaf,
                            [
                                (box.cx, box.y),
                                (box.cx, row.bar_y),
                                (area.cx, row.bar_y),
                                (area.cx, row.bus_y),
                            ],
                            row,
                        )
            if own:
                what = self.class_of(own[0])
                self.pipes.add("bar", (min(xs), row.bar_y), (max(xs), row.bar_y), own, what, FINE)
                self.pipes.add("trunk", (area.cx, row.bar_y), (area.cx, row.bus_y), own, what)
                members += own
        return members

    def _up_route(self, n: int, leaf: str, points: list[Point], row: RowSpot) -> None:
        pod = self.s.pods[row.pod]
        spine = self.s.boxes[self._other(n, leaf)]
        side = self.lanes.gutter_x(pod.rows[0]) + 5.0
        if row.bus_y != pod.bus_y:
            points = [*points, (side, row.bus_y), (side, pod.bus_y)]
        points = [*points, (spine.cx, pod.bus_y), (spine.cx, spine.bottom)]
        self.pipes.route(n, points if self._pairs[n].a == leaf else points[::-1])

    def _side_trunk(self, number: int, members: Sequence[int]) -> float:
        """Joins the bus of a lower line of areas to its pod's bus, along the left."""
        row = self.s.rows[number]
        pod = self.s.pods[row.pod]
        x = self.lanes.gutter_x(number) + 5.0
        what = self.class_of(members[0])
        last = max(area.cx for area in row.areas if any(leaf in self.uplinks for leaf in area.area.leaves))
        self.pipes.add("bus", (x, row.bus_y), (last, row.bus_y), members, what)
        self.pipes.add("trunk", (x, pod.bus_y), (x, row.bus_y), members, what)
        return x

    def _tops(self, members: Sequence[int], bus_y: float, tier: str) -> list[float]:
        """Runs from a bus up to each switch of the tier above; returns their x."""
        above: dict[str, list[int]] = {}
        for n in members:
            top = next(d for d in (self._pairs[n].a, self._pairs[n].b) if self._tier[d] == tier)
            above.setdefault(top, []).append(n)
        for switch, own in above.items():
            box = self.s.boxes[switch]
            edge = box.bottom if box.bottom <= bus_y else box.y
            self.pipes.add("riser", (box.cx, edge), (box.cx, bus_y), own, self.class_of(own[0]), FINE)
        return [self.s.boxes[switch].cx for switch in above]

    def _spine_uplinks(self) -> None:
        y = self.s.core_bus_y
        members: list[int] = []
        xs: list[float] = []
        for spine in self.s.pod_of:
            up = self.uplinks.get(spine, [])
            box = self.s.boxes[spine]
            if up:
                self.pipes.add("uplink", (box.cx, box.y), (box.cx, y), up, self.class_of(up[0]), FINE)
                xs.append(box.cx)
                members += up
            for n in up:
                core = self.s.boxes[self._other(n, spine)]
                points = [(box.cx, box.y), (box.cx, y), (core.cx, y), (core.cx, core.bottom)]
                self.pipes.route(n, points if self._pairs[n].a == spine else points[::-1])
        if members:
            xs += self._tops(members, y, "core")
            self.pipes.add("bus", (min(xs), y), (max(xs), y), members, self.class_of(members[0]))

    # ---- to blocks, and links that fit no tier

    def _beside_or_odd(self, n: int) -> None:
        pair = self._pairs[n]
        if pair.a == pair.b:
            return
        a_block, b_block = self._tier[pair.a] not in _TIERS, self._tier[pair.b] not in _TIERS
        if a_block and b_block:
            self._between_blocks(n)
        elif a_block or b_block:
            self._to_block(n, pair.b if a_block else pair.a, pair.a if a_block else pair.b)
        else:
            self._odd(n)

    def _gutter(self, key: str) -> float:
        return self.s.blocks[key].x - 10.0 - 4.0 * self._order(key)

    def _entry(self, key: str, y: float) -> Point:
        """Just before the left edge of a block, at a height as near to y as it reaches."""
        place = self.s.blocks[key]
        return (place.x - 4.0, min(max(y, place.y + 14), place.bottom - 14))

    def _to_block(self, n: int, device: str, outside: str) -> None:
        key = self._tier[outside]
        start = self._leave(device, self._order(key))
        y = start[-1][1]
        end = self._entry(key, y)
        points = [*start, (self._gutter(key), y), (self._gutter(key), end[1]), end]
        tidy = points if self._pairs[n].a == device else points[::-1]
        if self._tier[device] == "server":
            self._under.setdefault((key, y, self.class_of(n)), []).append((n, points))
            self.pipes.route(n, tidy)
        else:
            self.pipes.chain("run", tidy, n, self.class_of(n), CLOSE)

    def _block_runs(self) -> None:
        """One trunk under the units for each block, with a drop from each unit: not a run a server."""
        for (key, y, what), rows in self._under.items():
            numbers = [n for n, _ in rows]
            drops: dict[Point, list[int]] = {}
            for n, points in rows:
                drops.setdefault(points[0], []).append(n)
            for start, own in drops.items():
                self.pipes.add("run", start, (start[0], y), own, what)
            gutter, end = self._gutter(key), self._entry(key, y)
            self.pipes.add("run", (min(x for x, _ in drops), y), (gutter, y), numbers, what)
            self.pipes.add("run", (gutter, y), (gutter, end[1]), numbers, what)
            self.pipes.add("run", (gutter, end[1]), end, numbers, what)

    def _leave(self, device: str, index: int) -> list[Point]:
        """From a device of a tier to the height at which its cables run to the blocks."""
        tier, s = self._tier[device], self.s
        box = s.boxes[device]
        if tier == "server":
            area = s.area_of[device]
            row = s.rows[area.row]
            x = area.cx + 9.0 * ((index + 1) // 2) * (-1 if index % 2 else 1)
            return [(x, row.bottom), (x, row.bottom + RUN_Y + 11.0 * (index % 6))]
        shift = 5.0 * (index % 3)
        x = box.cx + box.w * 0.3
        return [(x, box.y), (x, box.y - 6.0 - shift)]

    def _between_blocks(self, n: int) -> None:
        pair = self._pairs[n]
        one, two = self._tier[pair.a], self._tier[pair.b]
        if one == two:
            return
        first, second = self.s.blocks[one], self.s.blocks[two]
        x = max(first.right, second.right) + 10.0 + 5.0 * min(self._order(one), self._order(two))
        points = [(first.right, first.cy), (x, first.cy), (x, second.cy), (second.right, second.cy)]
        self.pipes.chain("run", points, n, self.class_of(n))

    def _order(self, key: str) -> int:
        """Storage first: its run is nearest to the units."""
        order = sorted(block.key for block in self.s.tiers.blocks)
        return 0 if key == "storage" else 1 + [k for k in order if k != "storage"].index(key)

    def _odd(self, n: int) -> None:
        """A link between tiers that are not neighbours, or inside one: over the gutter at the left."""
        pair = self._pairs[n]
        first, second = self._exit(pair.a, n), self._exit(pair.b, n)
        if first[-1][1] == second[-1][1]:
            points = [*first[:-1], *second[:-1][::-1]]
        elif first[-1][0] == second[-1][0]:
            points = [*first, *second[::-1]]
        else:
            top = -24.0
            points = [*first, (first[-1][0], top), (second[-1][0], top), *second[::-1]]
        self.pipes.chain("link", points, n, self.class_of(n))

    def _exit(self, device: str, n: int) -> list[Point]:
        tier, box = self._tier[device], self.s.boxes[device]
        if tier == "server":
            row = self.s.area_of[device].row
            y = self.lane_y(self.lanes.lane(row, f"#{n}"))
            x = self.lanes.riser_x(device)
            return [(x, self._riser_end(device)), (x, y), (self.lanes.gutter_x(row), y)]
        row = self.s.area_of[device].row if tier == "leaf" else 0
        pod = self.s.pod_of.get(device)
        gutter = (
            self.lanes.gutter_x(row if tier == "leaf" else pod.rows[0] if pod and pod.rows else 0)
            if self.s.rows
            else -14.0
        )
        y = box.y - (12.0 if tier == "leaf" else 16.0)
        x = box.cx + box.w * 0.2
        return [(x, box.y), (x, y), (gutter, y)]


def scope_of(layer: str, one: str, two: str) -> str:
    """The scope that colours a link: of the compute fabric by its tiers, of any other by the fabric's purpose."""
    if layer != "compute":
        return layer if layer in ("storage", "in-band", "out-of-band") else "in-band"
    tiers = {one, two}
    if "core" in tiers:
        return "spine-core"
    if "spine" in tiers:
        return "leaf-spine"
    return "server-leaf"
