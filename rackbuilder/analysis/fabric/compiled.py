"""The drawn network as numbers: counts, links with their scope, roles, and what each scope carries."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

from rackbuilder.analysis.fabric.inside import Inside, bundles, inside_of
from rackbuilder.analysis.fabric.links import COUNTED, Block, block_of, evidence
from rackbuilder.analysis.inputs import Inputs, analysis
from rackbuilder.analysis.results import Compiled, Counts, FabricCounts, LinkGroup, Scope
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.roles import LEVELS, roles_of
from rackbuilder.units import Figure, total, unknown


def compile_network(inputs: Inputs) -> Compiled:
    graphs = inputs.graphs
    blocks = {name: block_of(graph) for name, graph in graphs.fabrics.items()}
    nvlink = bundles(inputs, graphs)
    gpus = {d.id: n for d in inputs.devices.values() if (n := inputs.type_of(d).gpu_count)}
    inside = inside_of(inputs, graphs, Counter(inputs.devices[name].type for name in gpus))
    return Compiled(
        _counts(inputs, graphs, blocks, gpus, nvlink),
        tuple(group for block in blocks.values() for group in block.groups) + nvlink,
        _roles(inputs, graphs),
        _scopes(inputs, graphs, blocks, inside),
        {"gpu-gpu": inside.gpu_gpu_bps, "gpu-cpu": inside.gpu_cpu_bps, "pcie": inside.pcie_bps},
    )


def _counts(
    view: View,
    graphs: Graphs,
    blocks: Mapping[str, Block],
    gpus: Mapping[str, int],
    nvlink: Iterable[LinkGroup],
) -> Counts:
    sizes = Counter(domain.size for domain in graphs.domains)
    return Counts(
        servers=len(gpus),
        gpus=sum(gpus.values()),
        racks=len(view.racks),
        nvlink_domains=dict(sorted(sizes.items())),
        nvlink_links=sum(group.count + len(group.failed) for group in nvlink),
        fabrics={name: _fabric_counts(graph, blocks[name]) for name, graph in graphs.fabrics.items()},
    )


def _fabric_counts(fabric: FabricGraph, block: Block) -> FabricCounts:
    roles = Counter(roles_of(fabric).values())
    cables = {name: block.cables.get(name, 0) for name in COUNTED}
    if block.cables.get("other"):
        cables["other"] = block.cables["other"]
    return FabricCounts({role: roles[role] for role in LEVELS}, cables)


def _roles(view: View, graphs: Graphs) -> dict[str, str]:
    """Every device by id. A switch has its role in the fabric it lends, else in the first that it forwards in."""
    told: dict[str, str] = {}
    for graph in graphs.fabrics.values():
        for switch, role in roles_of(graph).items():
            if switch not in told or view.devices[switch].fabric == graph.id:
                told[switch] = role
    return {
        name: told.get(name, "server" if view.type_of(view.devices[name]).gpu_count else "")
        for name in sorted(view.devices)
    }


def _scopes(view: View, graphs: Graphs, blocks: Mapping[str, Block], inside: Inside) -> dict[str, Figure]:
    """Each scope that has a link, scale-up first. Unknown rates are left out of a sum, and named."""
    parts: dict[str, list[Figure]] = {}
    for name, block in blocks.items():
        grade = evidence(view, graphs.fabrics[name])
        for scope, value in block.capacity_bps.items():
            parts.setdefault(scope, []).append(Figure(value, grade=grade))
        for scope, what in block.missing:
            parts.setdefault(scope, []).append(unknown(what))
    found: dict[str, Figure] = {"in-server": inside.in_server_bps} if graphs.domains else {}
    if graphs.backplanes or graphs.nvlink_cables():
        found["in-domain"] = inside.in_domain_bps
    return {**found, **{scope: total(parts[scope]) for scope in get_args(Scope) if scope in parts}}


COMPILED = analysis("compiled", "parts devices racks cables fabrics faults overrides", "", compile_network)
