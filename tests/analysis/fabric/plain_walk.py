"""D-mod-K one flow at a time, switch by switch, with dictionaries: slow, and written from the definition alone."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import NamedTuple

from rackbuilder.design.design import Design
from rackbuilder.topology.natural import natural_key


class Hop(NamedTuple):
    cable: str
    other: str
    number: int
    """Among the up links of the lower switch; 0 downward."""
    port: int


def number_of(port: str) -> int:
    cage, half = port.removeprefix("osfp").split("/")
    return 2 * int(cage) + int(half)


class Plain:
    """A fabric of tests/analysis/fabric/clos_site.py as dictionaries. `dead`: cables that are down."""

    def __init__(self, design: Design, dead: set[str]) -> None:
        self.dead = dead
        self._known: dict[str, dict[str, int]] = {}
        self.place = {
            name: n
            for n, name in enumerate(
                sorted((d.id for d in design.devices.values() if d.fabric), key=natural_key)
            )
        }
        self.hosts: dict[str, list[str]] = defaultdict(list)
        self.home: dict[str, str] = {}
        self.ups: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        self.hops: dict[str, list[Hop]] = defaultdict(list)
        for cable in sorted(design.cables.values(), key=lambda c: number_of(c.b.port)):
            a, b = cable.a.device, cable.b.device
            if a not in self.place:
                self.hosts[b].append(cable.id)
                self.home[cable.id] = b
            else:
                self.ups[a].append((self.place[b], number_of(cable.a.port), cable.id, b))
        for low, rows in self.ups.items():
            rows.sort()
            for n, (_, port, cable, high) in enumerate(rows):
                far = number_of(design.cables[cable].b.port)
                if cable not in dead:
                    self.hops[low].append(Hop(cable, high, n, port))
                    self.hops[high].append(Hop(cable, low, 0, far))

    def digits(self, host: str) -> tuple[int, int]:
        """Place on its leaf; place of its leaf in its pod (leaf-<pod>-<n>) by parallel links, and which is its own."""
        leaf = self.home[host]
        one, two = self.hosts[leaf].index(host), int(leaf.split("-")[2]) - 1
        rows = self.ups[leaf]
        if not rows:
            return one, two
        own = rows[one % len(rows)]
        beside = [row for row in rows if row[3] == own[3]]
        return one, two * len(beside) + beside.index(own)

    def distances(self, goal: str) -> dict[str, int]:
        if goal in self._known:
            return self._known[goal]
        found, queue = {goal: 0}, deque([goal])
        while queue:
            at = queue.popleft()
            for hop in self.hops[at]:
                if hop.other not in found:
                    found[hop.other] = found[at] + 1
                    queue.append(hop.other)
        self._known[goal] = found
        return found

    def up_link(self, switch: str, digit: int) -> str:
        rows = self.ups[switch]
        return rows[digit % len(rows)][2] if rows else ""

    def way(self, src: str, dst: str) -> list[tuple[str, bool]] | None:
        """Cables of a flow, each with whether it runs up; None when there is no way."""
        if src in self.dead or dst in self.dead:
            return None
        at, goal = self.home[src], self.home[dst]
        distance = self.distances(goal)
        if at not in distance:
            return None
        one, two = self.digits(dst)
        down = self.up_link(goal, one)
        spine = next((row[3] for row in self.ups[goal] if row[2] == down), "")
        chain = (down, self.up_link(spine, two) if spine else "")
        found = [(src, True)]
        while at != goal:
            near = [hop for hop in self.hops[at] if distance.get(hop.other, 99) == distance[at] - 1]
            near.sort(key=lambda hop: (hop.number, self.place[hop.other], hop.port))
            liked = {self.up_link(at, one if at.startswith("leaf") else two), *chain}
            last = distance[at] == 1
            digit = one if last or at.startswith("leaf") else two
            hop = next((hop for hop in near if hop.cable in liked), near[digit % len(near)])
            rising = any(row[2] == hop.cable for row in self.ups[at])
            found.append((hop.cable, rising))
            at = hop.other
        return [*found, (dst, False)]
