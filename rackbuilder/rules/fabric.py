"""Fabrics: what hangs on none, who cannot reach whom, links that share a leaf without need."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.analysis.results import Boundary
from rackbuilder.catalog.ports import Port
from rackbuilder.commands.cabling import Reconnect
from rackbuilder.commands.names import counted
from rackbuilder.commands.ports import can_meet, free_ports
from rackbuilder.design.refs import port_ref
from rackbuilder.rules.finding import GRAPH_TABLES, Finding, finding, topic
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.paths import attached, islands
from rackbuilder.topology.roles import roles_of
from rackbuilder.topology.wiring import Link

# ---- servers


class _Sets:
    """Servers joined into sets, by the fabric or an NVLink domain."""

    def __init__(self, names: Iterable[str]) -> None:
        self._parent = {name: name for name in names}

    def _root(self, name: str) -> str:
        while self._parent[name] != name:
            self._parent[name] = self._parent[self._parent[name]]
            name = self._parent[name]
        return name

    def join(self, names: Iterable[str]) -> None:
        listed = [name for name in names if name in self._parent]
        for name in listed[1:]:
            self._parent[self._root(name)] = self._root(listed[0])

    def sets(self) -> list[list[str]]:
        """Each set in the order given, by its first."""
        found: dict[str, list[str]] = {}
        for name in self._parent:
            found.setdefault(self._root(name), []).append(name)
        return list(found.values())


def _in_domains(inputs: Inputs, servers: Iterable[str]) -> _Sets:
    sets = _Sets(servers)
    for domain in inputs.graphs.domains:
        if len(domain.devices) > 1:
            sets.join(domain.devices)
    return sets


def reach(inputs: Inputs) -> Iterator[Finding]:
    """Servers that no fabric joins, that hang on none, or that form islands."""
    found = (d.id for d in inputs.devices.values() if inputs.type_of(d).gpu_count)
    servers = sorted(found, key=natural_key)
    joined = [island for fabric in inputs.graphs.compute for island in islands(fabric)]
    linked = {name for island in joined for name in island}
    if not linked.intersection(servers):
        yield from _missing(inputs, servers)
        return
    alone = [name for name in servers if name not in linked]
    if alone:
        yield _no_link(inputs, alone)
    sets = _in_domains(inputs, (name for name in servers if name in linked))
    for island in joined:
        sets.join(island)
    if len(groups := sets.sets()) > 1:
        yield _islands(inputs, groups)


def _missing(inputs: Inputs, servers: Sequence[str]) -> Iterator[Finding]:
    """Several servers and no fabric that joins any of them; an error once a job runs on the design."""
    groups = _in_domains(inputs, servers).sets()
    if len(groups) < 2:
        return
    gpus = [sum(inputs.type_of(inputs.devices[name]).gpu_count for name in group) for group in groups]
    apart = (sum(gpus) ** 2 - sum(n * n for n in gpus)) // 2
    pairs = sum(gpus) * (sum(gpus) - 1) // 2
    yield finding(
        "error" if any(job.active for job in inputs.jobs.values()) else "warning",
        "fabric.missing",
        f"No fabric joins {counted(len(servers), 'server')}: {apart:,} of the {pairs:,} pairs of GPUs "
        "cannot reach each other",
        "design",
        "Place switches and cable the servers to them; a single server or NVLink domain needs none.",
        servers,
    )


def _no_link(inputs: Inputs, alone: Sequence[str]) -> Finding:
    """Servers without a link to a compute fabric, where others have one."""
    verb = "has" if len(alone) == 1 else "have"
    return finding(
        "warning",
        "fabric.no-link",
        f"{_named(inputs, alone, 'server')} {verb} no link to a compute fabric",
        _where(inputs, alone),
        "Cable them to leaves.",
        alone,
    )


def _islands(inputs: Inputs, groups: Sequence[Sequence[str]]) -> Finding:
    """Servers with links and still no path of switches from one to the other."""
    sizes = ", ".join(f"{len(g)} with {inputs.devices[g[0]].label}" for g in groups[:5])
    more = f" and {len(groups) - 5} more" if len(groups) > 5 else ""
    return finding(
        "warning",
        "fabric.islands",
        f"The servers form {len(groups)} islands that do not reach each other: {sizes}{more}",
        "compute fabric",
        "Join their leaves by spines, or run no job across them.",
        [name for group in groups for name in group],
    )


# ---- switches


def _of_assembly(inputs: Inputs, switch: str) -> bool:
    """A management switch that came with a rack-scale system: its supplier cables it inside the rack."""
    device = inputs.devices[switch]
    if not device.rack:
        return False
    assembly = inputs.rack_type(inputs.racks[device.rack]).assembly
    return assembly is not None and any(device.type in slot.takes for slot in assembly.slots)


def dangling(inputs: Inputs) -> Iterator[Finding]:
    """Switches of a fabric that no cable joins to anything."""
    for fabric in inputs.graphs.fabrics.values():
        bare = [
            name
            for name in fabric.of_kind("switch")
            if not fabric.adjacency.get(name) and not _of_assembly(inputs, name)
        ]
        if bare:
            verb = "is" if len(bare) == 1 else "are"
            yield finding(
                "warning",
                "fabric.dangling",
                f"{_named(inputs, bare, 'switch')} of the fabric {fabric.id} {verb} not cabled",
                _where(inputs, bare),
                "Cable them, or remove them.",
                bare,
            )


def without_fabric(inputs: Inputs) -> Iterator[Finding]:
    """Switches that lend no fabric: their cables count for none."""
    bare = [d.id for d in inputs.devices.values() if inputs.type_of(d).is_switch and not d.fabric]
    if bare:
        bare.sort(key=natural_key)
        verb = "belongs" if len(bare) == 1 else "belong"
        yield finding(
            "warning",
            "fabric.none",
            f"{_named(inputs, bare, 'switch')} {verb} to no fabric, so the cables count for none",
            _where(inputs, bare),
            "Set the fabric of the switch.",
            bare,
        )


# ---- one leaf for all links of a server


def one_leaf(inputs: Inputs) -> Iterator[Finding]:
    """All links of a device in one fabric end on one leaf, though another leaf of it has a free port: one switch lost
    takes the device off the fabric. It says nothing of speed. A single link cannot be spread, and out-of-band ports
    are each for another thing.
    """
    for fabric in inputs.graphs.fabrics.values():
        if fabric.record.roles == ("out-of-band",):
            continue
        leaves = [name for name, role in roles_of(fabric).items() if role == "leaf"]
        single = [end for end in fabric.of_kind("server", "end") if len(fabric.adjacency[end]) == 1]
        if len(leaves) > 1 and single:
            free = {leaf: list(free_ports(inputs, leaf).values()) for leaf in leaves}
            for end in single:
                yield from _on_one_leaf(inputs, fabric, end, free)


def _on_one_leaf(
    inputs: Inputs, fabric: FabricGraph, end: str, free: Mapping[str, list[Port]]
) -> Iterator[Finding]:
    joined = attached(fabric, end)
    if len(joined) != 1:
        return  # its links are down
    leaf, links = next(iter(joined.items()))
    if leaf not in free or len(links) < 2:
        return
    link = links[-1]
    other = next((f for name in free if name != leaf and (f := _free_for(name, link, leaf, end, free))), None)
    if other:
        names = [inputs.devices[name].label for name in (end, leaf)]
        yield finding(
            "warning",
            "fabric.one-leaf",
            f"All {len(links)} links of {names[0]} in the fabric {fabric.id} end on {names[1]}: "
            "if that switch fails, it is cut off",
            names[0],
            f"Move one to {inputs.devices[other[0]].label}, which has free ports.",
            (end, leaf),
            _move(inputs, link, leaf, port_ref(*other)),
        )


def _free_for(
    name: str, link: Link, leaf: str, end: str, free: Mapping[str, list[Port]]
) -> tuple[str, str] | None:
    """A free data port of a leaf that the cable of a link could go to."""
    now = link.at(leaf, end)
    for port in free[name]:
        if port.cages.role == "data" and (now is None or _alike(port, now)):
            return name, port.name
    return None


def _alike(a: Port, b: Port) -> bool:
    return can_meet(a.cages, b.cages) and a.cages.connector == b.cages.connector


def _move(inputs: Inputs, link: Link, leaf: str, port: str) -> Reconnect:
    cable = inputs.cables[link.cable]
    return Reconnect(cable=cable.id, a=port) if cable.a.device == leaf else Reconnect(cable=cable.id, b=port)


# ---- interconnects that are not specified


def incomplete(inputs: Inputs) -> Iterator[Finding]:
    """What must be known of the interconnects before anything can be predicted."""
    boundary: Boundary = inputs.result("boundary")
    if boundary.missing:
        shown = ", ".join(boundary.missing[:5]) + (", …" if len(boundary.missing) > 5 else "")
        yield finding(
            "note",
            "fabric.incomplete",
            f"Figures of the interconnects are missing, and what rests on them is unknown: {shown}",
            "node boundary",
            "Give these figures in the properties of the part.",
        )


def _named(inputs: Inputs, names: Iterable[str], word: str) -> str:
    """“leaf-03”, or “3 switches (leaf-03, leaf-04, leaf-05)”."""
    listed = [inputs.devices[name].label for name in names]
    if len(listed) == 1:
        return listed[0]
    return f"{counted(len(listed), word)} ({', '.join(listed[:4])}{', …' if len(listed) > 4 else ''})"


def _where(inputs: Inputs, names: Iterable[str]) -> str:
    listed = list(names)
    return inputs.devices[listed[0]].label if len(listed) == 1 else "fabrics"


FABRIC = topic("fabric", f"{GRAPH_TABLES} jobs", "", reach, dangling, without_fabric, one_leaf)
INTERCONNECTS = topic("interconnects", "devices", "boundary", incomplete)
