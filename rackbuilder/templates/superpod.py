"""NVIDIA SuperPOD: scalable units of 32 eight-GPU servers, eight rails, leaf and spine (two tiers).

Counts and cabling as the reference architectures print them: RA-11333-001 V11 (H100), RA-11334 (B200).
"""

from dataclasses import replace
from typing import ClassVar, NamedTuple

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Fabric, Group, Plug
from rackbuilder.errors import refusal
from rackbuilder.templates.base import Template, key
from rackbuilder.templates.counts import spine_count
from rackbuilder.templates.hall import RackRow, Shelf

SERVERS_PER_UNIT = 32
FABRIC_MANAGER_LINKS = 4
"""Leaf ports the fabric manager takes; one server position gives way to it (RA-11333-001 table 4)."""
_SWITCH, _MANAGER = "qm9700", "ufm-enterprise-ndr"
_SWITCH_OPTIC, _SERVER_OPTIC, _MANAGER_OPTIC, _FIBRE = (
    "mma4z00-ns",
    "mma4z00-ns-flt",
    "mma4z00-ns400",
    "mfp7e10-nxxx",
)
_MAX_UNITS = 8
_SWITCHES_PER_RACK = 16


class Build(NamedTuple):
    """How a server is racked: published servers a rack, from its power and height."""

    servers_per_rack: int
    rack: str


BUILDS = {
    "dgx-h100": Build(4, "52u-700x1200"),
    "dgx-h200": Build(4, "52u-700x1200"),
    "dgx-b200": Build(2, "52u-700x1200"),
}
"""H100 and H200: more than 40 kW a rack, four of 10.2 kW (RA-11333-001). B200: two a rack (RA-11334)."""


class Superpod(Template):
    verb: ClassVar[str] = "superpod"
    title: ClassVar[str] = "DGX SuperPOD"
    about: ClassVar[str] = "Scalable units of 32 servers on eight InfiniBand NDR rails, two tiers, in racks."

    units: int = Field(4, ge=1, le=64, description="scalable units of 32 servers")
    server: str = Field("dgx-h100", description="server type: dgx-h100, dgx-h200 or dgx-b200")
    fabric_manager: bool = Field(
        True,
        description="give one server position to the fabric manager (127 servers in four units, not 128)",
    )
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"SuperPOD, {self.units} {'unit' if self.units == 1 else 'units'} of {self.server}"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        _Pod(self, draft, catalog, run).build()


class _Pod:
    """One run: the parts, then units, spines and manager, then cables and optics."""

    def __init__(self, fields: Superpod, draft: Draft, catalog: Catalog, run: str) -> None:
        self.fields, self.draft, self.catalog, self.run = fields, draft, catalog, run
        self.server = _server_type(catalog, fields.server)
        self.switch = catalog.device(_SWITCH)
        self.radix = len(_data_ports(self.switch))
        self.rails = [p for p in ports_of(self.server).values() if p.cages.fabric == "compute"]
        self.leaves: list[list[Device]] = []
        self.spines: list[Device] = []

    def build(self) -> None:
        if self.fields.units > _MAX_UNITS:
            raise refusal(
                f"{self.fields.units} units need a third tier of switches",
                "superpod units",
                f"Two tiers of {self.radix}-port switches end at {_MAX_UNITS} units (2,048 GPUs).",
            )
        self._parts()
        self.draft.put("fabrics", self._fabric())
        servers = [self._unit(number) for number in range(1, self.fields.units + 1)]
        self._spines()
        self._managers()
        for number, unit in enumerate(servers, start=1):
            self._server_cables(number, unit)
        self._spine_cables()

    # ---- devices

    def _parts(self) -> None:
        ids = [
            self.fields.server,
            _SWITCH,
            BUILDS[self.fields.server].rack,
            _SWITCH_OPTIC,
            _SERVER_OPTIC,
            _FIBRE,
        ]
        if self.fields.fabric_manager:
            ids += [_MANAGER, _MANAGER_OPTIC]
        self.draft.use_parts(self.catalog.closure(*ids))

    def _fabric(self) -> Fabric:
        self.fabric = "compute"
        mark = key(self.run, "compute")
        return Fabric(
            id="compute", name="Compute", technology=self.switch.technology, roles=("compute",), made_by=mark
        )

    def _unit(self, number: int) -> list[Device]:
        """Group, racks, servers and leaves of one scalable unit; the last one gives a position to the manager."""
        group = Group(
            id=self.draft.new_id("su"), name=f"SU {number}", kind="unit", made_by=key(self.run, f"su{number}")
        )
        self.draft.put("groups", group)
        row = RackRow(self.draft, self.run, BUILDS[self.fields.server].rack, number, self.fields.rack_limit_w)
        last = number == self.fields.units and self.fields.fabric_manager
        count = SERVERS_PER_UNIT - 1 if last else SERVERS_PER_UNIT
        servers = [self._server(row, number, index, group.id) for index in range(count)]
        self.leaves.append(
            [
                self._switch("leaf", f"su{number}.leaf{rail + 1}", (group.id,))
                for rail in range(len(self.rails))
            ]
        )
        return servers

    def _server(self, row: RackRow, unit: int, index: int, group: str) -> Device:
        per_rack = BUILDS[self.fields.server].servers_per_rack
        seat = row.seat(index // per_rack, index % per_rack, self.server)
        total = (unit - 1) * SERVERS_PER_UNIT + index + 1
        return self._put(
            Device(
                id=self.draft.new_id("srv"),
                name=f"srv-{total:03d}",
                type=self.server.id,
                rack=seat.rack,
                u=seat.u,
                groups=(group,),
                made_by=key(self.run, f"su{unit}", f"srv{index + 1:02d}"),
            )
        )

    def _switch(self, role: str, mark: str, groups: tuple[str, ...] = ()) -> Device:
        """A switch; its rack comes when all are known."""
        identity = self.draft.new_id(role)
        number = int(identity.rsplit("-", 1)[1])
        return Device(
            id=identity,
            name=f"{role[0].upper()}{number:02d}",
            type=self.switch.id,
            fabric=self.fabric,
            groups=groups,
            made_by=key(self.run, mark),
        )

    def _spines(self) -> None:
        count = spine_count(sum(map(len, self.leaves)), self.radix // 2, self.radix)
        self.spines = [self._switch("spine", f"spine{n + 1}") for n in range(count)]
        flat = [leaf for unit in self.leaves for leaf in unit] + self.spines
        self.shelf = Shelf(
            self.draft, self.run, BUILDS[self.fields.server].rack, self.fields.units, self.fields.rack_limit_w
        )
        for index, switch in enumerate(flat):
            seat = self.shelf.seat(index // _SWITCHES_PER_RACK, index % _SWITCHES_PER_RACK, self.switch)
            self._put(_seated(switch, seat.rack, seat.u))

    def _managers(self) -> None:
        """One link to each of the first four leaves of the unit that has the free ports."""
        if not self.fields.fabric_manager:
            return
        part = self.catalog.device(_MANAGER)
        port = next(p for p in ports_of(part).values() if p.cages.fabric == "compute")
        for number in range(FABRIC_MANAGER_LINKS):
            seat = self.shelf.seat(0, _SWITCHES_PER_RACK + number, part)
            mark = f"ufm{number + 1}"
            device = self._put(
                Device(
                    id=self.draft.new_id("ufm"),
                    name=f"UFM {number + 1}",
                    type=part.id,
                    rack=seat.rack,
                    u=seat.u,
                    role="fabric-manager",
                    made_by=key(self.run, mark),
                )
            )
            leaf = self.leaves[-1][number]
            down = _data_ports(self.switch)[SERVERS_PER_UNIT - 1]
            self._cable(End(device.id, port.name), End(leaf.id, down.name), mark)
            self._plug(device, port, _MANAGER_OPTIC)

    def _put(self, device: Device) -> Device:
        self.draft.put("devices", device)
        return device

    # ---- cables

    def _server_cables(self, unit: int, servers: list[Device]) -> None:
        """Rail n of every server of the unit goes to leaf n, at the port of the server's place in the unit."""
        down = _data_ports(self.switch)
        for index, server in enumerate(servers):
            for rail, port in enumerate(self.rails):
                leaf = self.leaves[unit - 1][rail]
                mark = f"su{unit}.srv{index + 1:02d}.rail{rail + 1}"
                self._cable(End(server.id, port.name), End(leaf.id, down[index].name), mark)
                self._plug(server, port, _SERVER_OPTIC)
                self._plug(leaf, down[index], _SWITCH_OPTIC)
        if self.fields.fabric_manager and unit == self.fields.units:
            for leaf in self.leaves[-1][:FABRIC_MANAGER_LINKS]:
                self._plug(leaf, down[SERVERS_PER_UNIT - 1], _SWITCH_OPTIC)

    def _spine_cables(self) -> None:
        """The upper half of a leaf's ports, spread evenly: as many to each spine, in spine order."""
        ports = _data_ports(self.switch)
        uplinks = self.radix // 2
        each = uplinks // len(self.spines)
        for number, leaf in enumerate(leaf for unit in self.leaves for leaf in unit):
            for up in range(uplinks):
                spine = self.spines[up // each]
                here, there = ports[uplinks + up], ports[number * each + up % each]
                mark = f"{leaf.made_by.key if leaf.made_by else ''}.up{up + 1:02d}"
                self._cable(End(leaf.id, here.name), End(spine.id, there.name), mark)
                self._plug(leaf, here, _SWITCH_OPTIC)
                self._plug(spine, there, _SWITCH_OPTIC)

    def _cable(self, a: End, b: End, mark: str) -> None:
        identity = self.draft.new_id("cbl")
        self.draft.put("cables", Cable(id=identity, a=a, b=b, part=_FIBRE, made_by=key(self.run, mark)))

    def _plug(self, device: Device, port: Port, optic: str) -> None:
        identity = f"{device.id}:{port.cage}"
        if identity not in self.draft.tables["plugs"]:
            mark = f"{device.made_by.key if device.made_by else ''}:{port.cage}"
            self.draft.put("plugs", Plug(id=identity, part=optic, made_by=key(self.run, mark)))


def _seated(device: Device, rack: str, u: float) -> Device:
    return replace(device, rack=rack, u=u)


def _server_type(catalog: Catalog, name: str) -> DeviceType:
    part = catalog.device(name)
    if name not in BUILDS:
        known = ", ".join(BUILDS)
        raise refusal(
            f"{part.name} has no published SuperPOD of this kind",
            "superpod server",
            f"Choose one of {known}.",
        )
    return part


def _data_ports(switch: DeviceType) -> list[Port]:
    return [port for port in ports_of(switch).values() if port.cages.role == "data"]
