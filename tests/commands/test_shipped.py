"""The edits with shipped parts: everything in the palette can be placed, cabled and told apart."""

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.commands.base import Command
from rackbuilder.commands.bundles import propose_bundle
from rackbuilder.commands.cabling import Connect, ConnectBundle
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.parts import CopyPart
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import misfits
from rackbuilder.errors import ProblemError
from rackbuilder.topology.graphs import build_graphs
from tests.samples import edited

CATALOG = shipped()
DEVICES = [part.id for part in CATALOG.of_kind(DeviceType)]
SYSTEMS = [rack.id for rack in CATALOG.of_kind(RackType) if rack.assembly and rack.assembly.slots]


def made(*commands: Command) -> Design:
    return edited(Design(), *commands, catalog=CATALOG)


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_can_be_placed(device: str) -> None:
    part = CATALOG.device(device)
    rack = part.mounts_in[0] if part.mounts_in else "52u-700x1200"
    design = made(AddRack(type=rack), PlaceDevice(type=device, rack="rack-01"))
    (placed,) = design.devices.values()
    assert placed.rack == "rack-01"
    assert (placed.u is None) == (part.u_height == 0)
    assert bool(placed.fabric) == (part.is_switch and bool(part.technology))


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_can_be_copied_as_ones_own(device: str) -> None:
    part = made(CopyPart(base=device, id="own", fields={"weight_kg": 12.5})).parts["own"]
    assert part.figure("weight_kg").grade == "user"
    assert part.based_on == device


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rack_system_is_placed_whole(system: str) -> None:
    design = made(PlaceRackSystem(type=system))
    assembly = CATALOG.rack(system).assembly
    assert assembly is not None
    assert not list(misfits(design))
    types = [d.type for d in design.devices.values()]
    assert types.count(assembly.compute_tray) == assembly.compute_trays
    assert types.count(assembly.switch_tray) == assembly.switch_trays


def test_a_gb200_rack_is_one_domain_of_72() -> None:
    design = made(PlaceRackSystem(type="gb200-nvl72"))
    assert [domain.size for domain in build_graphs(design).domains] == [72]


def test_a_unit_of_dgx_h100_on_eight_qm9700() -> None:
    """32 servers x 8 rails = 256 links of 400 Gb/s; half of each leaf's 64 ports is left for spines."""
    design = made(PlaceDevice(type="dgx-h100", count=32), PlaceDevice(type="qm9700", count=8, role="leaf"))
    servers = [d for d in design.devices if d.startswith("srv")]
    leaves = [d for d in design.devices if d.startswith("leaf")]
    plan = propose_bundle(design, servers, leaves)
    assert plan.text == "8 rails × 32 servers, 256 cables, rail-aligned"
    assert plan.rate_bps == 400e9
    assert set(plan.free.values()) == {32}


def test_management_ports_go_to_the_management_switch() -> None:
    design = made(
        PlaceDevice(type="dgx-h100", count=2), PlaceDevice(type="qm9700"), PlaceDevice(type="sn2201")
    )
    assert design.fabrics["out-of-band"].roles == ("out-of-band",)
    bundle = ConnectBundle(sources=("srv-0001", "srv-0002", "sw-01"), targets=("sw-02",))
    cabled = edited(design, bundle, catalog=CATALOG)
    ports = {c.a.device: c.a.port for c in cabled.cables.values()}
    assert set(ports) == {"srv-0001", "srv-0002", "sw-01"}
    assert build_graphs(cabled).fabrics["out-of-band"].edge("srv-0001", "sw-02")
    assert build_graphs(cabled).fabrics["out-of-band"].edge("sw-01", "sw-02")


def test_an_eight_gpu_server_is_not_cabled_to_an_nvlink_switch_tray() -> None:
    design = made(PlaceDevice(type="dgx-b200"), PlaceRackSystem(type="gb200-nvl72"))
    tray = next(d for d in design.devices if d.startswith("nvsw"))
    for command in (Connect(a="srv-0001", b=tray), ConnectBundle(sources=("srv-0001",), targets=(tray,))):
        with pytest.raises(ProblemError, match="no NVLink port outside"):
            edited(design, command, catalog=CATALOG)
