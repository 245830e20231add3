"""The subnet manager: an InfiniBand fabric carries nothing until one has given its ports their addresses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.parts import LinkTechnology
from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.names import counted
from rackbuilder.design.records import Device
from rackbuilder.rules.finding import GRAPH_TABLES, Finding, finding, topic
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.paths import components, switches_of

KEY = "subnet_manager"
"""The setting of a device that says which manager runs on it: “opensm”, “nvidia opensm”, “ufm”, “none”."""
_NONE = ("", "none", "no", "off")
_VENDOR = ("nvidia", "mlnx", "mellanox", "doca", "ofed", "ufm")
_NEW = ("infiniband-ndr", "infiniband-xdr", "infiniband-gdr")
Kind = Literal["vendor", "stock", "unknown"]


def managers(inputs: Inputs) -> Iterator[Finding]:
    """Parts of an InfiniBand fabric with hosts and no manager, or with the stock one on a generation it is known to
    fail on.

    A switch of which it is not known whether it manages itself is given the benefit of the doubt, and so is what
    stands already: it came up.
    """
    for fabric in inputs.graphs.fabrics.values():
        part = inputs.parts.get(fabric.record.technology)
        if not isinstance(part, LinkTechnology) or part.protocol != "infiniband":
            continue
        for group in components(switches_of(fabric)):
            hosts = sorted({o for s in group for o in fabric.adjacency[s]} - set(group), key=natural_key)
            if hosts and any(inputs.devices[name].state != "existing" for name in (*group, *hosts)):
                yield from _judged(inputs, fabric, group, hosts)


def _judged(
    inputs: Inputs, fabric: FabricGraph, group: Sequence[str], hosts: Sequence[str]
) -> Iterator[Finding]:
    found: Mapping[str, Kind] = {
        name: kind
        for name in (*group, *hosts)
        if (kind := _manager(inputs, inputs.devices[name])) is not None
    }
    if not found:
        yield finding(
            "error",
            "fabric.no-manager",
            f"No subnet manager is on the fabric {fabric.id}: {counted(len(group), 'switch')} without one on board, "
            f"and none on the {counted(len(hosts), 'device')} they join. No link comes up",
            f"fabric {fabric.id}",
            "Use a managed switch, cable a fabric manager to it, or name the server that runs one "
            f"(config.{KEY}).",
            group,
        )
    elif set(found.values()) == {"stock"} and fabric.record.technology in _NEW:
        names = sorted(found, key=natural_key)
        yield finding(
            "warning",
            "fabric.stock-manager",
            f"The subnet manager of {inputs.devices[names[0]].label} is the opensm of the distribution. On NDR, links "
            "were reported to come up under it and to pass small packets only",
            inputs.devices[names[0]].label,
            "Run the vendor's opensm or a fabric manager appliance.",
            names,
            SetProperty(refs=tuple(names), field=f"config.{KEY}", value="nvidia opensm"),
        )


def _manager(inputs: Inputs, device: Device) -> Kind | None:
    """What manages from a device; None: nothing does."""
    said = device.config.get(KEY, "").strip().lower()
    if said:
        if said in _NONE:
            return None
        return "vendor" if "opensm" not in said or any(word in said for word in _VENDOR) else "stock"
    part = inputs.type_of(device)
    if device.role == "fabric-manager" or part.category == "management-server":
        return "vendor"
    if part.is_switch and part.managed is not False:
        return "vendor" if part.managed else "unknown"
    return None


MANAGER = topic("manager", GRAPH_TABLES, "", managers)
