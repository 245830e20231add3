"""GUID files of opensm: the roots of the tree (option -a) and the compute ports (-u), a line each."""

from collections.abc import Iterable, Iterator

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.formats.base import Export
from rackbuilder.formats.ibfabric import IbNode, infiniband_fabrics, subnet_of
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.paths import components, switches_of
from rackbuilder.topology.roles import LEVELS, roles_of


def roots(fabric: FabricGraph) -> Iterator[str]:
    """The switches of the highest tier in each part of a fabric that links join."""
    roles = roles_of(fabric)
    for group in components(switches_of(fabric)):
        top = max(LEVELS.index(roles[name]) for name in group)
        yield from (name for name in group if LEVELS.index(roles[name]) == top)


def _file(about: str, nodes: Iterable[IbNode]) -> bytes:
    lines = (f'0x{node.port_guid:016x} "{node.description}"' for node in nodes)
    return "\n".join([f"# {about}", *lines, ""]).encode()


def write_roots(design: Design, graphs: Graphs, _report: Report) -> bytes:
    found = {name for fabric in infiniband_fabrics(design, graphs) for name in roots(fabric)}
    nodes = subnet_of(design, graphs).of_kind("Switch")
    return _file("Switches at the top of the tree, for opensm -a", (n for n in nodes if n.key[0] in found))


def write_compute(design: Design, graphs: Graphs, _report: Report) -> bytes:
    nodes = subnet_of(design, graphs).of_kind("Ca")
    return _file("Ports of servers with GPUs, for opensm -u", (n for n in nodes if n.compute))


ROOT_GUIDS = Export("root-guids", ".guids", "GUIDs of the root switches, for opensm -a", write_roots)
CN_GUIDS = Export("cn-guids", ".guids", "GUIDs of the compute ports, for opensm -u", write_compute)
