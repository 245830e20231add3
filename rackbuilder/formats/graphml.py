"""The fabric graphs as GraphML: all devices once, an edge for each pair that links of a fabric join."""

import re
from collections.abc import Mapping

import networkx as nx
from networkx.readwrite.graphml import GraphMLWriter

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.formats.base import Export
from rackbuilder.topology.fabric import EdgeData
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.roles import roles_of

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Value = str | int | float


def fabric_graph(design: Design, graphs: Graphs) -> "nx.MultiGraph[str]":
    """One graph for all fabrics, told apart by the attribute `fabric` of an edge. Unknown values are left out.

    Rates are bit/s per direction: `rate_bps` of one link, `capacity_bps` of all links of the edge that are up.
    """
    graph: nx.MultiGraph[str] = nx.MultiGraph(name=_text(design.about.title))
    roles = _roles(design, graphs)
    for name in sorted(design.devices, key=natural_key):
        graph.add_node(name, **_device(design, graphs, name, roles.get(name, "")))
    for identity, fabric in graphs.fabrics.items():
        for a, b, data in sorted(
            fabric.edges(), key=lambda edge: (natural_key(edge[0]), natural_key(edge[1]))
        ):
            graph.add_edge(a, b, key=f"{identity}:{a}~{b}", **_edge(identity, data))
    return graph


def _roles(design: Design, graphs: Graphs) -> Mapping[str, str]:
    """A switch's role in the fabric it lends, else in the first it forwards in."""
    found: dict[str, str] = {}
    for identity, fabric in graphs.fabrics.items():
        for name, role in roles_of(fabric).items():
            if name not in found or design.devices[name].fabric == identity:
                found[name] = role
    return found


def _device(design: Design, graphs: Graphs, name: str, role: str) -> dict[str, Value]:
    device = design.devices[name]
    part = design.type_of(device)
    rack = design.racks.get(device.rack)
    values: dict[str, Value | None] = {
        "label": _text(device.label),
        "type": part.id,
        "category": part.category,
        "role": role or ("server" if part.gpu_count else ""),
        "gpus": part.gpu_count,
        "rack": _text(rack.label) if rack else None,
        "u": device.u,
        "nvlink_domain": _text(" ".join(domain.id for domain in graphs.domains_of(name))) or None,
        "state": device.state,
    }
    return {key: value for key, value in values.items() if value is not None}


def _edge(fabric: str, data: EdgeData) -> dict[str, Value]:
    values: dict[str, Value | None] = {
        "fabric": fabric,
        "cables": len(data["cables"]),
        "cable_ids": " ".join(sorted(data["cables"], key=natural_key)),
        "rate_bps": data["rate_bps"],
        "capacity_bps": data["capacity_bps"],
    }
    return {
        key: float(value) if key.endswith("_bps") else value
        for key, value in values.items()
        if value is not None
    }


def _text(text: str) -> str:
    """Text that XML may hold: line ends and tabs become spaces, what it forbids a replacement character."""
    return _NOT_XML.sub("\ufffd", text).translate({9: " ", 10: " ", 13: " "})


def write(design: Design, graphs: Graphs, _report: Report) -> bytes:
    writer = GraphMLWriter(encoding="utf-8", prettyprint=True, named_key_ids=True)
    writer.add_graph_element(fabric_graph(design, graphs))
    return f'<?xml version="1.0" encoding="utf-8"?>\n{str(writer).rstrip()}\n'.encode()


GRAPHML = Export("graphml", ".graphml", "Fabric graphs, GraphML", write)
