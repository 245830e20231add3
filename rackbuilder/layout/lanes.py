"""Lanes between leaves and servers: one for each leaf, on the first track where it overlaps no other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.placing import RowSpot, Spots

GUTTER = 14.0


@dataclass
class Lane:
    """One horizontal run of a line of areas. `hub` is the leaf that drops to it, or empty for an odd link."""

    hub: str
    row: int
    members: list[int] = field(default_factory=list)
    xs: list[float] = field(default_factory=list)
    track: int = 0

    @property
    def left(self) -> float:
        return min(self.xs)

    @property
    def right(self) -> float:
        return max(self.xs)


class Lanes:
    """Finds the lanes of every line of areas from x alone, before y is known."""

    def __init__(self, spots: Spots, pairs: Sequence[Pair]) -> None:
        self.spots, self._pairs = spots, pairs
        self._tier = spots.tiers.tier
        self.lanes: dict[tuple[int, str], Lane] = {}
        self._drops: dict[str, float] = {}
        self._risers: list[list[float]] = [
            [c.x + spots.grid.riser_shift for area in row.areas for c in area.columns] for row in spots.rows
        ]
        for index, pair in enumerate(pairs):
            self._pair(index, pair)
        self.tracks = self._colour()

    def lane(self, row: int, key: str) -> Lane:
        return self.lanes[row, key]

    def members(self, row: int, key: str) -> list[int]:
        """Pairs on a lane; none when there is no such lane."""
        return self.lanes[row, key].members if (row, key) in self.lanes else []

    def leaf_and_server(self, pair: Pair) -> tuple[str, str] | None:
        """(leaf, server) when the pair joins the two in one line of areas."""
        for leaf, server in ((pair.a, pair.b), (pair.b, pair.a)):
            if self._tier[leaf] == "leaf" and self._tier[server] == "server":
                same = self.spots.area_of[leaf].row == self.spots.area_of[server].row
                return (leaf, server) if same else None
        return None

    def _pair(self, index: int, pair: Pair) -> None:
        found = self.leaf_and_server(pair)
        if found:
            leaf, server = found
            row = self.spots.area_of[leaf].row
            self._add(row, leaf, index, (self.drop_x(leaf), self.riser_x(server)))
            return
        ends = [d for d in (pair.a, pair.b) if self._tier[d] == "server"]
        others = {self._tier[pair.a], self._tier[pair.b]}
        if ends and others <= {"core", "spine", "leaf", "server"}:
            for server in ends:
                row = self.spots.area_of[server].row
                self._add(row, f"#{index}", index, (self.riser_x(server), self.gutter_x(row)))

    def _add(self, row: int, key: str, index: int, xs: Iterable[float]) -> None:
        lane = self.lanes.setdefault((row, key), Lane("" if key.startswith("#") else key, row))
        lane.members.append(index)
        lane.xs.extend(xs)

    # ---- x of verticals

    def gutter_x(self, row: int) -> float:
        """Left of a line of areas, where odd links pass from tier to tier."""
        spots = self.spots
        return spots.pods[spots.rows[row].pod].x - GUTTER

    def riser_x(self, server: str) -> float:
        s = self.spots
        if server in s.pinned:
            return s.pinned[server].cx
        return s.column_of[server].x + s.grid.riser_shift

    def drop_x(self, leaf: str) -> float:
        """Where a leaf drops to its lane: left of its middle, and clear of every riser."""
        known = self._drops.get(leaf)
        if known is None:
            known = self._drops[leaf] = self._find_drop_x(leaf)
        return known

    def _find_drop_x(self, leaf: str) -> float:
        s = self.spots
        x = (s.pinned[leaf].cx if leaf in s.pinned else s.area_of[leaf].leaf_x[leaf]) - s.grid.drop_shift
        for _ in range(6):
            if all(abs(x - riser) >= 4.0 for riser in self._risers[s.area_of[leaf].row]):
                break
            x += 4.5
        return x

    # ---- tracks

    def _colour(self) -> list[int]:
        counts = []
        for number, row in enumerate(self.spots.rows):
            rows = [lane for (r, _), lane in self.lanes.items() if r == number]
            rows.sort(key=self._order(row))
            counts.append(_tracks(rows))
        return counts

    def _order(self, row: RowSpot) -> "_Order":
        leaves = [leaf for area in row.areas for leaf in area.area.leaves]
        return _Order({leaf: n for n, leaf in enumerate(leaves)})


class _Order:
    """Leaves in their order from the left, odd links after them in the order of their pairs."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self._places = places

    def __call__(self, lane: Lane) -> tuple[int, int]:
        return (self._places.get(lane.hub, len(self._places)), lane.members[0])


def _tracks(lanes: Sequence[Lane]) -> int:
    ends: list[list[tuple[float, float]]] = []
    for lane in lanes:
        low, high = lane.left - 6.0, lane.right + 6.0
        free = (n for n, taken in enumerate(ends) if all(high <= a or b <= low for a, b in taken))
        lane.track = next(free, len(ends))
        if lane.track == len(ends):
            ends.append([])
        ends[lane.track].append((low, high))
    return len(ends)
