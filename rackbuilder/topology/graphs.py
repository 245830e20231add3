"""All graphs of one design as a value: a FabricGraph a fabric and the NVLink domains, in step with every patch."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from rackbuilder.design.design import Design
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import Cable
from rackbuilder.design.view import View
from rackbuilder.topology.backplane import Backplane
from rackbuilder.topology.domains import NvlinkDomain, Unit, UnitKey, make_unit, unit_of
from rackbuilder.topology.fabric import EdgeData, FabricGraph, Pair, build_fabric, edge_data
from rackbuilder.topology.figures import Figures
from rackbuilder.topology.losses import Losses
from rackbuilder.topology.memo import Memo
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.touched import Touched, touched
from rackbuilder.topology.wiring import Link, Loose, Station, Wiring

_NO_FABRICS: Mapping[str, FabricGraph] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Graphs:
    """Fabrics by id, in alphabetical order; NVLink domains; and the cables that are in no fabric, with the reason."""

    fabrics: Mapping[str, FabricGraph] = field(default_factory=lambda: _NO_FABRICS)
    loose: Mapping[str, Loose] = field(default_factory=dict)
    _units: Mapping[UnitKey, Unit] = field(default_factory=dict)
    losses: Losses = field(default_factory=Losses)
    figures: Figures = field(default_factory=Figures)
    memo: Memo = field(default_factory=Memo, repr=False)

    def fabric(self, identity: str) -> FabricGraph:
        """The graph of a fabric. Raises KeyError for one that the design has not."""
        return self.fabrics[identity]

    @property
    def compute(self) -> tuple[FabricGraph, ...]:
        """The fabrics that carry traffic between GPUs."""
        return tuple(graph for graph in self.fabrics.values() if graph.compute)

    @cached_property
    def domains(self) -> tuple[NvlinkDomain, ...]:
        """Every NVLink domain, in natural order; a GPU with no peer is one of size 1."""
        found = (domain for unit in self._units.values() for domain in unit.domains)
        return tuple(sorted(found, key=lambda d: natural_key(d.id)))

    @cached_property
    def domain_by_gpu(self) -> Mapping[str, NvlinkDomain]:
        return {ref: domain for domain in self.domains for ref in domain.gpus}

    def domains_of(self, device: str) -> tuple[NvlinkDomain, ...]:
        """The domains that a device's GPUs are in."""
        return self._domains_by_device.get(device, ())

    @cached_property
    def _domains_by_device(self) -> Mapping[str, tuple[NvlinkDomain, ...]]:
        found: dict[str, list[NvlinkDomain]] = {}
        for domain in self.domains:
            for device in domain.devices:
                found.setdefault(device, []).append(domain)
        return {device: tuple(rows) for device, rows in found.items()}

    @cached_property
    def backplanes(self) -> tuple[Backplane, ...]:
        """The rack assemblies that hold a tray, in natural order of their racks."""
        found = (unit.backplane for unit in self._units.values() if unit.backplane is not None)
        return tuple(sorted(found, key=lambda b: natural_key(b.rack)))

    def nvlink_cables(self) -> tuple[str, ...]:
        """Cables between NVLink ports: they belong to no fabric."""
        return tuple(sorted(c for c, why in self.loose.items() if why == "nvlink"))

    def apply(self, patch: Patch, design: Design) -> "Graphs":
        """The graphs of the design that a patch led to; what it leaves alone is shared with these."""
        look = touched(patch, design, self.fabrics)
        if look.everything:
            return build_graphs(design)
        if look.nothing and not patch.tables & {"faults", "overrides"}:
            return self
        losses = Losses(design.tables["faults"].values()) if "faults" in patch.tables else self.losses
        figures = (
            Figures(design.tables["overrides"].values()) if "overrides" in patch.tables else self.figures
        )
        wiring = Wiring(design, losses, figures)
        edges, loose = _pairs(design, wiring, look.pairs)
        units = _units(self._units, design, look, losses, figures)
        if units is self._units:
            return self._with(
                self._fabrics(design, wiring, look, edges), self._loose(look, loose), losses, figures
            )
        fabrics = self._fabrics(design, wiring, look, edges)
        return Graphs(fabrics, self._loose(look, loose), units, losses, figures, self.memo)

    def _with(
        self, fabrics: Mapping[str, FabricGraph], loose: Mapping[str, Loose], losses: Losses, figures: Figures
    ) -> "Graphs":
        """Graphs with the same domains, which are then not listed anew."""
        result = Graphs(fabrics, loose, self._units, losses, figures, self.memo)
        for name in ("domains", "domain_by_gpu", "_domains_by_device", "backplanes"):
            if name in self.__dict__:
                result.__dict__[name] = self.__dict__[name]
        return result

    def _fabrics(
        self, design: Design, wiring: Wiring, look: Touched, edges: Mapping[str, Mapping[Pair, EdgeData]]
    ) -> Mapping[str, FabricGraph]:
        if not edges and not look.pairs and not look.devices and not look.fabrics:
            return self.fabrics
        station = _station(design, wiring)
        result = {}
        for identity in sorted(design.fabrics):
            record, joined = design.fabrics[identity], edges.get(identity, {})
            graph = self.fabrics.get(identity) or build_fabric(record, {}, (), wiring.station)
            changed = {pair: joined.get(pair) for pair in look.pairs}
            result[identity] = graph.patched(record, changed, look.devices, station)
        return result

    def _loose(self, look: Touched, found: Mapping[str, Loose]) -> Mapping[str, Loose]:
        if not found and not any(cable in self.loose for cable in look.cables):
            return self.loose
        left = {cable: why for cable, why in self.loose.items() if cable not in look.cables}
        return {**left, **found}


def _station(design: Design, wiring: Wiring) -> Callable[[str], Station | None]:
    return lambda device: wiring.station(device) if device in design.devices else None


def _pairs(
    view: View, wiring: Wiring, pairs: Iterable[Pair]
) -> tuple[dict[str, dict[Pair, EdgeData]], dict[str, Loose]]:
    """What joins some pairs of devices now: fabric -> pair -> edge; and the cables of theirs in no fabric."""
    peers: dict[str, dict[str, list[Cable]]] = {}
    cables: list[Cable] = []
    for a, b in pairs:
        if a in view.devices and b in view.devices:
            near, far = (b, a) if len(view.ports_used(b)) < len(view.ports_used(a)) else (a, b)
            if near not in peers:
                peers[near] = wiring.peers(near)
            cables += peers[near].get(far, ())
    return _joined(wiring, cables)


def _joined(
    wiring: Wiring, cables: Iterable[Cable]
) -> tuple[dict[str, dict[Pair, EdgeData]], dict[str, Loose]]:
    """Cables sorted by fabric and pair, and made into edges."""
    rows: dict[str, dict[Pair, list[Link]]] = {}
    loose: dict[str, Loose] = {}
    for cable in cables:
        fabric, why, link = wiring.read(cable)
        if why is not None:
            loose[cable.id] = why
            continue
        a, b = cable.a.device, cable.b.device
        pair = (a, b) if a < b else (b, a)
        joined = rows.get(fabric)
        if joined is None:
            joined = rows[fabric] = {}
        if pair in joined:
            joined[pair].append(link)
        else:
            joined[pair] = [link]
    edges = {
        fabric: {pair: edge_data(wiring.together(*pair, links)) for pair, links in joined.items()}
        for fabric, joined in rows.items()
    }
    return edges, loose


def _units(
    before: Mapping[UnitKey, Unit], design: Design, look: Touched, losses: Losses, figures: Figures
) -> Mapping[UnitKey, Unit]:
    result: dict[UnitKey, Unit] | None = None
    for key in look.units:
        unit = make_unit(design, key, losses, figures)
        if unit == before.get(key):
            continue
        if result is None:
            result = dict(before)
        if unit is None:
            result.pop(key, None)
        else:
            result[key] = unit
    return before if result is None else result


def build_graphs(design: View) -> Graphs:
    """The graphs of a design from nothing."""
    losses = Losses(design.tables["faults"].values())
    figures = Figures(design.tables["overrides"].values())
    wiring = Wiring(design, losses, figures)
    edges, loose = _joined(wiring, design.cables.values())
    switches: dict[str, list[str]] = {}
    keys: dict[UnitKey, None] = {}
    for device in design.devices.values():
        if device.fabric and design.type_of(device).is_switch:
            switches.setdefault(device.fabric, []).append(device.id)
        key = unit_of(design, device)
        if key is not None:
            keys[key] = None
    fabrics = {
        f: build_fabric(design.fabrics[f], edges.get(f, {}), switches.get(f, ()), wiring.station)
        for f in sorted(design.fabrics)
    }
    made = {key: make_unit(design, key, losses, figures) for key in keys}
    return Graphs(fabrics, loose, {k: u for k, u in made.items() if u is not None}, losses, figures)
