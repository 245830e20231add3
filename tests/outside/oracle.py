"""Reads what the real programs say, and walks their forwarding tables: shares no code with rackbuilder."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from rackbuilder.design.design import Design

Place = tuple[str, int]
"""A switch or adapter by its description, and a port number."""


class Side(NamedTuple):
    node: str
    port: int


class Listing(NamedTuple):
    """From ibnetdiscover: descriptions by id, links by side, port GUID -> id for adapters."""

    names: dict[str, str]
    far: dict[Side, Side]
    adapters: dict[int, str]

    def links(self) -> Counter[frozenset[Place]]:
        """Every link once, by descriptions."""
        found = {frozenset((one, two)) for one, two in self.far.items()}
        return Counter(frozenset((self.names[s.node], s.port) for s in pair) for pair in found)


def read_listing(text: str) -> Listing:
    listing = Listing({}, {}, {})
    node = ""
    for line in text.splitlines():
        head = re.match(r'(?:Switch|Ca)\t\d+ "([SH]-[0-9a-f]{16})"\s+# "(.*?)"', line)
        if head:
            node = head[1]
            listing.names[node] = head[2]
            continue
        port = re.match(r'\[(\d+)\](?:\(([0-9a-f]+)\))?\s+"([SH]-[0-9a-f]{16})"\[(\d+)\]', line)
        if port:
            listing.far[Side(node, int(port[1]))] = Side(port[3], int(port[4]))
            if port[2]:
                listing.adapters[int(port[2], 16)] = node
    return listing


def drawn_links(design: Design) -> Counter[frozenset[Place]]:
    """The same from the cables: ports of QM9700 and DGX count two a cage; each NIC is an adapter with port 1."""
    found: Counter[frozenset[Place]] = Counter()
    for cable in design.cables.values():
        ends = []
        for device, port in (cable.a, cable.b):
            cage, lane = re.fullmatch(r"osfp(\d+)/(\d)", port).groups()  # type: ignore[union-attr]
            number = 2 * (int(cage) - 1) + int(lane)
            is_server = device.startswith("srv")
            ends.append((f"{device} mlx5_{number - 1}", 1) if is_server else (device, number))
        found[frozenset(ends)] += 1
    return found


def read_tables(text: str) -> dict[str, dict[int, int]]:
    """Switch id -> port GUID of an adapter -> port out."""
    tables: dict[str, dict[int, int]] = {}
    rows: dict[int, int] = {}
    for line in text.splitlines():
        if line.startswith("Unicast"):
            rows = tables[f"S-{line.split('guid 0x')[1][:16]}"] = {}
        elif "# Channel Adapter" in line:
            rows[int(line.split("portguid 0x")[1][:16], 16)] = int(line.split()[1])
    return tables


def walk(listing: Listing, tables: dict[str, dict[int, int]]) -> Counter[Side]:
    """Routes over each link between switches, by the side they leave: every ordered pair of adapters is one.

    Adapters of one leaf have the same way from there, so a leaf is walked once for each destination.
    """
    leaves = Counter(far.node for side, far in listing.far.items() if side.node.startswith("H-"))
    counts: Counter[Side] = Counter()
    for guid, adapter in listing.adapters.items():
        home = listing.far[Side(adapter, 1)].node
        for leaf, hosts in leaves.items():
            if leaf == home:
                continue
            at = leaf
            for _ in range(len(listing.names)):
                side = Side(at, tables[at][guid])
                far = listing.far[side]
                if far.node == adapter:
                    break
                counts[side] += hosts
                at = far.node
            else:
                raise AssertionError(f"{adapter} is not reached from {leaf}")
    return counts


def spread(listing: Listing, counts: Counter[Side]) -> dict[int, int]:
    """How many of the links between switches, in one direction, carry how many routes; unused ones count as 0."""
    between = [s for s, f in listing.far.items() if s.node.startswith("S-") and f.node.startswith("S-")]
    return dict(Counter(counts[side] for side in between))
