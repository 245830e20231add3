"""What stands for many from afar: units, racks, spines and leaves as blocks, one trunk a rack."""

from collections.abc import Sequence

from rackbuilder.design.view import View
from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.lod import Level, Levels
from rackbuilder.layout.names import counted
from rackbuilder.layout.pipes import Pipes
from rackbuilder.layout.placing import AreaSpot, RowSpot, Spots
from rackbuilder.layout.routing import Router
from rackbuilder.layout.scene import Frame, Pipe
from rackbuilder.layout.shapes import Place, around

HALL: Levels = (Level.HALL, Level.HALL)
ROW: Levels = (Level.ROW, Level.ROW)
FAR: Levels = (Level.HALL, Level.ROW)
DEEPER = 52.0
"""A row of switches drawn as one block has no runs under it, and takes some of their room for its name."""


def leaf_foot(spots: Spots, row: RowSpot) -> float:
    """Where the block of an area's leaves ends, at row level."""
    return row.leaf_y + spots.grid.leaf_h + 26.0


def coarse_frames(view: View, spots: Spots) -> list[Frame]:
    frames = (
        [_tier_block(view, spots, spots.tiers.cores, "Core", "spine-core", FAR)] if spots.tiers.cores else []
    )
    for pod in spots.pods:
        if pod.pod.spines:
            frames.append(_tier_block(view, spots, pod.pod.spines, "Spine", "leaf-spine", FAR))
    for row in spots.rows:
        for area in row.areas:
            frames += _area(view, spots, area)
    return frames


def _tier_block(
    view: View, spots: Spots, switches: Sequence[str], title: str, ink: str, levels: Levels
) -> Frame:
    """All switches of a tier as one block: “Spine”, “16 switches”, “64 × 400G” is left to the device level."""
    place = around(spots.boxes[s] for s in switches)
    place = Place(place.x, place.y, place.w, place.h + DEEPER)
    return Frame(
        "coarse", place, "", title, (counted(len(switches), "switch"),), ink, levels, tuple(switches)
    )


def _area(view: View, spots: Spots, area: AreaSpot) -> list[Frame]:
    row = spots.rows[area.row]
    whole = Place(area.x, row.leaf_y - 18, area.w, row.bottom - row.leaf_y + 18)
    members = (*area.area.leaves, *area.area.servers)
    words = area_words(view, area)
    title = area.area.title or words[0]
    racks = sum(1 for spot in area.columns if spot.column.rack)
    banded = bool(area.area.leaves)
    frames = [
        Frame(
            "coarse", whole, area.area.group, title, words, "gpu", HALL, members, number=racks, banded=banded
        )
    ]
    if area.area.leaves:
        place = around(spots.boxes[leaf] for leaf in area.area.leaves)
        top = row.bar_y if any(pod.pod.spines for pod in spots.pods) else row.leaf_y
        place = Place(place.x, top, place.w, leaf_foot(spots, row) - top)
        title = counted(len(area.area.leaves), "leaf")
        frames.append(Frame("coarse", place, "", title, (), "server-leaf", ROW, area.area.leaves))
    for spot in area.columns:
        top = row.column_y - 4
        place = Place(spot.x - spots.grid.server_w / 2 - 3, top, spots.grid.server_w + 6, spot.height + 8)
        servers = len(spot.column.members)
        rack = spot.column.rack
        frames.append(
            Frame(
                "coarse",
                place,
                rack,
                spot.column.title,
                (),
                "cells",
                ROW,
                spot.column.members,
                number=servers,
            )
        )
    return frames


def area_words(view: View, area: AreaSpot) -> tuple[str, ...]:
    """What an area holds, the most telling first: “576 GPUs”, “144 servers”, “8 racks”, “8 domains of 72”.

    Only a device with GPUs is a server: the switch trays of an NVLink rack are none.
    """
    gpus = [view.type_of(view.devices[s]).gpu_count for s in area.area.servers]
    servers = sum(1 for count in gpus if count)
    racks = [spot.column.rack for spot in area.columns if spot.column.rack]
    systems = [rack for rack in racks if view.rack_type(view.racks[rack]).assembly is not None]
    words = [counted(sum(gpus), "GPU"), counted(servers, "server")] if servers else []
    if not servers:
        words.append(counted(len(gpus), "device"))
    if racks:
        words.append(counted(len(racks), "NVLink rack" if len(systems) == len(racks) else "rack"))
    return tuple(words)


def coarse_pipes(spots: Spots, pairs: Sequence[Pair], router: Router) -> tuple[Pipe, ...]:
    """At row level the leaves of an area are one block with one trunk, and each rack has one drop."""
    pipes = Pipes(pairs)
    lanes = router.lanes
    _tops(spots, pipes, router)
    for row in spots.rows:
        for area in row.areas:
            own = [n for leaf in area.area.leaves for n in lanes.members(area.row, leaf)]
            if own:
                _area_pipes(spots, area, own, pairs, pipes, router)
    return pipes.pipes()


def _tops(spots: Spots, pipes: Pipes, router: Router) -> None:
    """One trunk from the block of spines or cores to the bus below it."""
    for pod in spots.pods:
        own = [
            n
            for leaf, ups in router.uplinks.items()
            if leaf in spots.area_of and router.pod(leaf) is pod
            for n in ups
        ]
        _top(spots, pod.pod.spines, pod.bus_y, own, pipes, router)
    own = [n for spine, ups in router.uplinks.items() if spine in spots.pod_of for n in ups]
    _top(spots, spots.tiers.cores, spots.core_bus_y, own, pipes, router)


def _top(
    spots: Spots, switches: Sequence[str], bus_y: float, own: Sequence[int], pipes: Pipes, router: Router
) -> None:
    if own and switches:
        place = around(spots.boxes[s] for s in switches)
        foot = place.bottom + DEEPER
        pipes.add("uplink", (place.cx, foot), (place.cx, bus_y), own, router.class_of(own[0]), FAR)


def _area_pipes(
    spots: Spots, area: AreaSpot, own: Sequence[int], pairs: Sequence[Pair], pipes: Pipes, router: Router
) -> None:
    row = spots.rows[area.row]
    foot = leaf_foot(spots, row)
    y = foot + 0.4 * (row.column_y - foot)
    what = router.class_of(own[0])
    pipes.add("trunk", (area.cx, foot), (area.cx, y), own, what, ROW)
    by_column: dict[float, list[int]] = {}
    for n in own:
        server = pairs[n].a if spots.tiers.tier[pairs[n].a] == "server" else pairs[n].b
        by_column.setdefault(spots.column_of[server].x, []).append(n)
    xs = [area.cx, *by_column]
    pipes.add("bar", (min(xs), y), (max(xs), y), own, what, ROW)
    for x, members in by_column.items():
        pipes.add("riser", (x, y), (x, row.column_y - 4), members, what, ROW)
