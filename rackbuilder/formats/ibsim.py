"""Input of the InfiniBand simulator ibsim: the fabric as real subnet managers can route it without hardware.

The grammar is a subset of the ibnetdiscover listing (ibsim-utils 0.10): no lids, speeds up to HDR. Adapters stand
first, because a client such as the subnet manager attaches to the first entry of the file. The simulator takes the
number of a port plus the GUID of its adapter for the GUID of the port, whatever the file says; so an adapter here has
the GUID below that of its port.
"""

from collections.abc import Iterator

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.formats.base import Export
from rackbuilder.formats.ibfabric import IbNode, Lane, Subnet, subnet_of
from rackbuilder.formats.ibwords import MELLANOX, for_simulator
from rackbuilder.topology.graphs import Graphs


def net(subnet: Subnet) -> Iterator[str]:
    yield "# Net file for ibsim, made by rackbuilder from a design"
    yield from (f"# Left out, {line}" for line in subnet.absent)
    for node in (*subnet.of_kind("Ca"), *subnet.of_kind("Switch")):
        yield ""
        yield from _record(subnet, node)
    yield ""


def _guid(node: IbNode) -> str:
    return f"0x{node.guid if node.kind == 'Switch' else node.port_guid - 1:016x}"


def _id(node: IbNode) -> str:
    return f"{'S' if node.kind == 'Switch' else 'H'}-{_guid(node)[2:]}"


def _record(subnet: Subnet, node: IbNode) -> Iterator[str]:
    guid = _guid(node)
    yield f"vendid=0x{MELLANOX:x}"
    yield f"devid=0x{node.number:x}"
    yield f"sysimgguid={guid}"
    if node.kind == "Switch":
        yield f"switchguid={guid}({guid})"
        head = " enhanced port 0 lid 0 lmc 0"
    else:
        yield f"caguid={guid}"
        head = ""
    yield f'{node.kind}\t{node.ports} "{_id(node)}"\t\t# "{node.description}"{head}'
    for lane in node.lanes:
        yield _port(subnet, node, lane)


def _port(subnet: Subnet, node: IbNode, lane: Lane) -> str:
    peer = subnet.nodes[lane.peer]
    far = f'"{_id(peer)}"[{lane.peer_port}]'
    far_guid = f"(0x{peer.port_guid:016x})" if peer.kind == "Ca" else ""
    said = f'"{peer.description}" lid 0 {for_simulator(lane.trained)}'.rstrip()
    if node.kind == "Switch":
        return f"[{lane.port}]\t{far}{far_guid}\t\t# {said}"
    return f"[{lane.port}](0x{node.port_guid:016x}) \t{far}{far_guid}\t\t# lid 0 lmc 0 {said}"


def write(design: Design, graphs: Graphs, _report: Report) -> bytes:
    return ("\n".join(net(subnet_of(design, graphs))) + "\n").encode()


IBSIM = Export("ibsim", ".net", "InfiniBand fabric as input of the simulator ibsim", write)
