"""The fabric view as a scene: tiers top to bottom, units side by side, other fabrics as blocks at the right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackbuilder.design.records import Drawing
from rackbuilder.design.view import View
from rackbuilder.layout.bundles import Pair, PairList, summed
from rackbuilder.layout.coarse import coarse_frames, coarse_pipes
from rackbuilder.layout.lanes import Lanes
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import is_grown, look_of
from rackbuilder.layout.names import counted, model, natural, short, within
from rackbuilder.layout.pipes import FINE
from rackbuilder.layout.placing import LARGE, NORMAL, AreaSpot, Placer, Spots
from rackbuilder.layout.plates import plates_of
from rackbuilder.layout.routing import Router
from rackbuilder.layout.scene import Box, Frame, Mark, Pipe, Plate, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.layout.tiers import Block, Sorter, Tiers
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.roles import rails_of, roles_of

MARGIN = 24.0
Sizes = Mapping[str, list[tuple[int, int]]]


def fabric_scene(
    view: View,
    graphs: Graphs,
    roles: Mapping[str, str] | None = None,
    idle: frozenset[str] = frozenset(),
    opened: frozenset[str] = frozenset(),
) -> Scene:
    """The fabric view of a design.

    roles     switch -> leaf, spine, core; None: those of the graphs
    idle      servers that no job uses: their GPU cells are grey
    opened    keys of the blocks whose devices are shown one by one
    """
    return FabricLayout().scene(view, graphs, roles, idle, opened)


@dataclass(frozen=True)
class _Basis:
    """All that decides where something is drawn; equal ones give equal places and runs."""

    pairs: tuple[Pair, ...]
    tiers: Tiers
    types: tuple[str, ...]
    pins: tuple[Drawing, ...]
    layers: Mapping[str, str]
    rails: Mapping[str, int]
    opened: frozenset[str]


@dataclass(frozen=True)
class _Geometry:
    spots: Spots
    pipes: tuple[Pipe, ...]
    marks: tuple[Mark, ...]
    plates: tuple[Plate, ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]


class FabricLayout:
    """Lays out one revision after the other, and keeps the places while an edit cannot have moved anything."""

    def __init__(self) -> None:
        self._pairs = PairList()
        self._basis: _Basis | None = None
        self._geometry: _Geometry | None = None

    def scene(
        self,
        view: View,
        graphs: Graphs,
        roles: Mapping[str, str] | None = None,
        idle: frozenset[str] = frozenset(),
        opened: frozenset[str] = frozenset(),
    ) -> Scene:
        """As fabric_scene."""
        pairs = self._pairs.of(view, graphs)
        tiers = Sorter(view, pairs, switch_roles(graphs) if roles is None else roles).sort()
        types = tuple(view.devices[d].type for d in tiers.tier)
        pins = tuple(p for p in view.tables["drawing"].values() if p.pinned and p.id.startswith("fabric/"))
        basis = _Basis(pairs, tiers, types, pins, layers_of(view), switch_rails(graphs), opened)
        if self._geometry is None or basis != self._basis:
            self._basis, self._geometry = basis, _geometry(view, basis)
        return _dressed(view, self._geometry, pairs, _domain_sizes(graphs), idle)


def _geometry(view: View, basis: _Basis) -> _Geometry:
    placer = Placer(view, basis.tiers, basis.opened)
    lanes = Lanes(placer.across(), basis.pairs)
    spots = placer.down(lanes.tracks)
    router = Router(spots, basis.pairs, lanes, basis.layers, basis.rails)
    pipes = router.draw()
    drawn = (*pipes.pipes(), *coarse_pipes(spots, basis.pairs, router))
    plates = plates_of(spots, basis.pairs, drawn)
    return _Geometry(spots, drawn, pipes.marks(), plates, pipes.routes())


def _dressed(
    view: View, geometry: _Geometry, pairs: tuple[Pair, ...], sizes: Sizes, idle: frozenset[str]
) -> Scene:
    """Names, looks and captions on places that are known."""
    spots = geometry.spots
    frames = (*_frames(view, spots, sizes, pairs), *coarse_frames(view, spots))
    grown = is_grown(view)
    boxes = {d: _box(view, spots, d, idle, grown) for d in spots.boxes}
    places = [
        *(b.place for b in boxes.values()),
        *(f.place for f in frames),
        *(p.place for p in geometry.pipes),
    ]
    room = spots.grid.lane_pitch * 0.66 + (2.0 if spots.grid is LARGE else 0.0)
    bounds = around(places).grown(MARGIN)
    return Scene(
        "fabric",
        bounds,
        frames,
        boxes,
        geometry.pipes,
        geometry.plates,
        geometry.marks,
        pairs,
        geometry.routes,
        _planned(view, pairs) if grown else frozenset(),
        room,
    )


def _planned(view: View, pairs: Sequence[Pair]) -> frozenset[int]:
    """Pairs of which no cable is laid yet."""
    cables = view.cables
    return frozenset(
        n for n, pair in enumerate(pairs) if all(cables[c].state != "existing" for c in pair.cables)
    )


def switch_roles(graphs: Graphs) -> dict[str, str]:
    """switch -> leaf, spine or core, over all fabrics."""
    return {switch: role for graph in graphs.fabrics.values() for switch, role in roles_of(graph).items()}


def switch_rails(graphs: Graphs) -> dict[str, int]:
    """leaf -> its rail, where it has one."""
    return {leaf: rail for graph in graphs.fabrics.values() for leaf, rail in rails_of(graph).items()}


def layers_of(view: View) -> dict[str, str]:
    """fabric -> the layer chip it belongs to: compute, storage, in-band, out-of-band, or its own id."""
    return {f.id: (f.roles[0] if f.roles else "compute") for f in view.fabrics.values()}


def _box(view: View, spots: Spots, device: str, idle: frozenset[str], grown: bool) -> Box:
    record = view.devices[device]
    part = view.type_of(record)
    tier = spots.tiers.tier[device]
    role = tier if tier in ("leaf", "spine", "core") else ""
    holder = view.racks[record.rack].label if record.rack else ""
    texts = {"name": within(record.label, holder), "model": model(part.name, part.vendor)}
    return Box(
        device,
        spots.boxes[device],
        look_of(view, record, role, "tile", idle=device in idle, grown=grown),
        texts,
        FINE,
        device in spots.pinned,
    )


# ---- frames


def _frames(view: View, spots: Spots, sizes: Sizes, pairs: Sequence[Pair]) -> list[Frame]:
    frames: list[Frame] = []
    for row in spots.rows:
        for area in row.areas:
            frames += _area_frames(view, spots, area, sizes)
    return [*frames, *(_block(view, spots, block, pairs) for block in spots.tiers.blocks)]


def _domain_sizes(graphs: Graphs) -> Sizes:
    """device -> (number of the NVLink domain, its GPUs)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, domain in enumerate(graphs.domains):
        for device in domain.devices:
            found.setdefault(device, []).append((number, domain.size))
    return found


def _area_frames(view: View, spots: Spots, area: AreaSpot, sizes: Sizes) -> list[Frame]:
    row = spots.rows[area.row]
    frames: list[Frame] = []
    if area.area.group:
        place = Place(area.x, row.leaf_y - 18, area.w, row.bottom - row.leaf_y + 18)
        caption = area_caption(view, area.area.servers, sizes)
        members = (*area.area.leaves, *area.area.servers)
        frames.append(
            Frame("unit", place, area.area.group, area.area.title, (caption,), levels=FINE, members=members)
        )
    return [*frames, *_column_frames(view, spots, area)]


def _column_frames(view: View, spots: Spots, area: AreaSpot) -> list[Frame]:
    g, row = spots.grid, spots.rows[area.row]
    deepest = max((len(c.column.members) for c in area.columns), default=0)
    frames = []
    for spot in area.columns:
        if not spot.column.rack:
            continue
        w = g.server_w + 6
        missing = (
            deepest - len(spot.column.members) if area.area.group and g is NORMAL and deepest <= 8 else 0
        )
        step = g.server_h + g.stack_gap
        place = Place(spot.x - w / 2, row.column_y - 4, w, spot.height + missing * step + 8)
        domain = "domain" if _is_assembly(view, spot.column.rack) else ""
        frames.append(
            Frame(
                "column",
                place,
                spot.column.rack,
                spot.column.title,
                ink=domain,
                levels=FINE,
                members=spot.column.members,
            )
        )
        for n in range(missing):
            y = row.column_y + spot.height + g.stack_gap + n * step
            frames.append(
                Frame("vacant", Place(spot.x - g.server_w / 2, y, g.server_w, g.server_h), levels=FINE)
            )
    return frames


def _is_assembly(view: View, rack: str) -> bool:
    return view.rack_type(view.racks[rack]).assembly is not None


def area_caption(view: View, servers: Sequence[str], sizes: Sizes) -> str:
    """“32 servers · 256 GPUs · 32 domains of 8”; the domains only where they are known."""
    own = [s for s in servers if view.type_of(view.devices[s]).gpu_count]
    gpus = sum(view.type_of(view.devices[s]).gpu_count for s in own)
    words = [counted(len(own) or len(servers), "server"), *([counted(gpus, "GPU")] if gpus else [])]
    found = dict(row for s in own for row in sizes.get(s, ()))
    by_size: dict[int, int] = {}
    for size in found.values():
        by_size[size] = by_size.get(size, 0) + 1
    words += [f"{counted(count, 'domain')} of {size}" for size, count in sorted(by_size.items()) if size > 1]
    return " · ".join(words)


def _block_cables(view: View, block: Block, pairs: Sequence[Pair]) -> str:
    """“4 cables · L01–L04”: how many cables, and to whom when they are few."""
    inside = frozenset(block.members)
    own = [pair for pair in pairs if pair.a in inside or pair.b in inside]
    cables, _ = summed(own)
    if not cables:
        return "not cabled"
    peers = {d: view.devices[d].label for pair in own for d in (pair.a, pair.b) if d not in inside}
    names = sorted(map(short, peers.values()), key=natural)
    if not 1 <= len(names) <= 8 or len({name[:1] for name in names}) > 1:
        return counted(cables, "cable")
    return f"{counted(cables, 'cable')} · {names[0]}" + (f"–{names[-1]}" if len(names) > 1 else "")


def _block(view: View, spots: Spots, block: Block, pairs: Sequence[Pair]) -> Frame:
    models: dict[str, int] = {}
    for member in block.members:
        part = view.type_of(view.devices[member])
        name = model(part.name, part.vendor)
        models[name] = models.get(name, 0) + 1
    if any(member in spots.boxes for member in block.members):
        return Frame(
            "block", spots.blocks[block.key], f"block:{block.key}", block.title, (), _block_ink(block), ALWAYS,
            block.members, block.layer, number=1.0,
        )  # fmt: skip
    lines = [f"{count} × {name}" for name, count in list(models.items())[:2]]
    if len(models) > 2:
        lines[1] = f"{sum(list(models.values())[1:])} others"
    if block.key != "power":
        lines.append(_block_cables(view, block, pairs))
    return Frame(
        "block",
        spots.blocks[block.key],
        f"block:{block.key}",
        block.title,
        tuple(lines),
        _block_ink(block),
        ALWAYS,
        block.members,
        block.layer,
    )


def _block_ink(block: Block) -> str:
    known = {"fabric-manager": "server-leaf", "management": "in-band", "power": "line2", "other": "line2"}
    own = block.key if block.key in ("storage", "in-band", "out-of-band") else "in-band"
    return known.get(block.key, own)
