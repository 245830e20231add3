"""How long the first byte of a message takes along a path, with its parts. What is unknown stays unknown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import DeviceType, LinkTechnology
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.figures import Figures
from rackbuilder.topology.paths import path
from rackbuilder.units import Figure, total, unknown

CABLE_S_PER_M = 5e-9
"""Light in glass of refractive index 1.5, and a signal in copper within a tenth of it."""


class LatencyPart(NamedTuple):
    """One stage of a path: what it is, the device or cable, and its time in seconds."""

    what: Literal["nic", "cable", "switch"]
    ref: str
    seconds: Figure


class Latency(NamedTuple):
    """One way along a path. `total` is a lower bound while a part is unknown, and lists what is missing."""

    path: tuple[str, ...]
    switches: int
    parts: tuple[LatencyPart, ...]
    total: Figure


def latency_between(
    view: View, fabric: FabricGraph, a: str, b: str, lengths: Mapping[str, Figure] | None = None
) -> Latency | None:
    """Of a shortest path between two devices or ports; None when there is none. `lengths`: metres by cable."""
    found = path(fabric, a, b)
    return None if found is None else latency_of(view, fabric, found, lengths)


def latency_of(
    view: View, fabric: FabricGraph, devices: Sequence[str], lengths: Mapping[str, Figure] | None = None
) -> Latency:
    """Of a path by its devices, each joined to the next. Parallel links count as the shortest known of them."""
    parts = tuple(_parts(view, fabric, devices, lengths or {}))
    switches = sum(1 for name in devices if fabric.kind(name) == "switch")
    return Latency(tuple(devices), switches, parts, total(part.seconds for part in parts))


def _parts(
    view: View, fabric: FabricGraph, devices: Sequence[str], lengths: Mapping[str, Figure]
) -> Iterator[LatencyPart]:
    for n, name in enumerate(devices):
        if n:
            yield _cable(fabric, devices[n - 1], name, lengths)
        if fabric.kind(name) == "switch":
            yield LatencyPart("switch", name, hop_latency(view, fabric, name))
        else:
            yield LatencyPart("nic", name, _nic(fabric))


def _cable(fabric: FabricGraph, a: str, b: str, lengths: Mapping[str, Figure]) -> LatencyPart:
    links = [link.cable for link in fabric.adjacency[a][b]["links"] if link.up]
    known = [(lengths[cable].value or 0.0, cable) for cable in links if _known(lengths.get(cable))]
    cable = min(known)[1] if known else links[0] if links else f"{a}~{b}"
    length = lengths.get(cable) or unknown(f"length of {cable}")
    return LatencyPart("cable", cable, length.times(CABLE_S_PER_M))


def _known(length: Figure | None) -> bool:
    return length is not None and length.value is not None


def _nic(fabric: FabricGraph) -> Figure:
    value = fabric.record.nic_latency_s
    return unknown(f"nic_latency_s of {fabric.id}") if value is None else Figure(value, grade="user")


def hop_latency(view: View, fabric: FabricGraph, switch: str) -> Figure:
    """Through one switch, seconds: as set for it or its fabric, else of its type, else of the technology."""
    figures = Figures(view.tables["overrides"].values())
    own = figures.given(f"ref/{switch}/hop_latency_s")
    if own is not None:
        return own
    if fabric.record.hop_latency_s is not None:
        return Figure(fabric.record.hop_latency_s, grade="user")
    part = view.parts[fabric.nodes[switch]["type"]]
    technology = view.parts.get(fabric.record.technology)
    found = (
        figures.part(part, "hop_latency_s") if isinstance(part, DeviceType) else unknown(f"type of {switch}")
    )
    if found.value is None and isinstance(technology, LinkTechnology):
        general = figures.part(technology, "hop_latency_s")
        return found if general.value is None else general
    return found
