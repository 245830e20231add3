"""NVIDIA SuperPOD: scalable units of eight-GPU servers on eight rails, leaf and spine, and cores from nine units on.

Counts and cabling as the reference architectures print them: see flavours. Three tiers: rail groups of a pod share
spines, cores join all (apetops-us.com, 512 servers: four pods of 4 units, 4 leaves and 4 spines a rail, groups of 16
cores; the counts of RA-11333-001 table 3).
"""

from functools import partial
from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device
from rackbuilder.errors import refusal
from rackbuilder.templates.base import Template
from rackbuilder.templates.clos import Tree, cable_down, cable_up, raise_tree
from rackbuilder.templates.counts import Shape, three_tier, two_tier, two_tier_holds
from rackbuilder.templates.flavours import BUILDS, Flavour, flavour_of
from rackbuilder.templates.hall import NetworkRacks, RackRow, Shelf, free_front_m
from rackbuilder.templates.kit import Kit, Node, data_ports, fabric_ports, split_all
from rackbuilder.templates.services import Operations, Storage, management_parts, storage_parts

__all__ = ["BUILDS", "FABRIC_MANAGER_LINKS", "SERVERS_PER_UNIT", "Superpod"]

SERVERS_PER_UNIT = 32
"""Of a unit on NDR InfiniBand."""
FABRIC_MANAGER_LINKS = 4
"""Leaf ports the fabric manager takes; one server position gives way to it (RA-11333-001 table 4)."""


class Superpod(Template):
    verb: ClassVar[str] = "superpod"
    title: ClassVar[str] = "DGX SuperPOD"
    about: ClassVar[str] = (
        "Scalable units of 20 to 72 servers on eight rails, two tiers, three above eight units of NDR, in racks."
    )
    added: ClassVar[frozenset[str]] = frozenset({"fabric", "storage", "in_band", "out_of_band"})

    units: int = Field(4, ge=1, le=64, description="scalable units (32 servers on NDR, 72 on XDR)")
    server: str = Field("dgx-h100", description=f"server type: {', '.join(BUILDS)}")
    fabric_manager: bool = Field(
        True,
        description="NDR: give one server position to the fabric manager (127 servers in four units, not 128)",
    )
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")
    fabric: str = Field(
        "auto", description="compute fabric: auto (as published), ndr, xdr, hdr, spectrum-x or roce"
    )
    storage: bool = Field(False, description="storage fabric: two links a server, three appliances a unit")
    in_band: bool = Field(False, description="in-band network: two links a server, four management servers")
    out_of_band: bool = Field(False, description="out-of-band network: BMCs and management ports of switches")

    def label(self) -> str:
        return f"SuperPOD, {self.units} {'unit' if self.units == 1 else 'units'} of {self.server}"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        _Pod(self, Kit(draft, catalog, run)).build()


class _Pod:
    """One run: the parts, then units, spines, cores and managers, then cables and optics."""

    def __init__(self, fields: Superpod, kit: Kit) -> None:
        self.fields, self.kit = fields, kit
        self.server = _server_type(kit.catalog, fields.server)
        self.rack = BUILDS[fields.server]
        self.flavour: Flavour = flavour_of(fields.server, fields.fabric)
        self.switch = kit.catalog.device(self.flavour.switch)
        self.modes = split_all(self.switch, self.flavour.split)
        self.server_modes = split_all(self.server, self.flavour.split, "compute")
        self.radix = len(data_ports(self.switch, self.modes))
        self.rails = len(fabric_ports(self.server, "compute"))
        self.managers = FABRIC_MANAGER_LINKS if fields.fabric_manager and self.flavour.manager else 0
        self.shape = self._shape()
        self.front_m = free_front_m(kit.draft)
        self.planes: list[str] = []
        self.pods: list[str] = []
        self.units: list[list[Node]] = []
        self.leaves: list[list[list[Node]]] = []
        """By plane, unit and rail."""

    def _shape(self) -> Shape:
        """Of one plane. Raises ProblemError where no size of this kind is published or computable."""
        units, flavour, half = self.fields.units, self.flavour, self.radix // 2
        if units > flavour.max_units:
            raise refusal(
                f"{units} units of {self.fields.server} on {self.switch.name} are not published",
                "superpod units",
                f"The reference ends at {flavour.max_units} units; choose that many at most.",
            )
        if two_tier_holds(units * self.rails, self.radix):
            return two_tier(units * self.rails, half, self.radix)
        shape = three_tier(self.rails, units, half, self.radix)
        if shape is None:
            raise refusal(
                f"{units} units do not divide into pods whose spines and cores are joined evenly",
                "superpod units",
                f"Choose {_nearest(units, self.rails, half, self.radix)} units.",
            )
        return shape

    def build(self) -> None:
        self._parts()
        self._groups()
        self.fabric = self.kit.fabric("Compute", self.flavour.technology or self.switch.technology, "compute")
        self.leaves = [[] for _ in range(self.flavour.planes)]
        self.units = [self._unit(number) for number in range(1, self.fields.units + 1)]
        trees = [self._tree(plane) for plane in range(self.flavour.planes)]
        self._seat(trees)
        self._managers()
        for number in range(1, self.fields.units + 1):
            self._server_cables(number)
        for tree in trees:
            for join in tree.joins:
                cable_up(self.kit, join, self.flavour.up)
        self._services(trees)

    def _services(self, trees: list[Tree]) -> None:
        """The other networks, in the racks behind those of the compute fabric."""
        fields, switches = self.fields, self._flat(trees)
        racks = NetworkRacks(self.shelf, -(-len(switches) // self.flavour.shelf))
        if fields.storage:
            switches += Storage(self.kit, racks, self.units).build()
        operations = Operations(self.kit, racks, self.units)
        cores = operations.in_band() if fields.in_band else []
        if fields.out_of_band:
            operations.out_of_band(switches, cores)

    # ---- devices

    def _parts(self) -> None:
        flavour = self.flavour
        media = (flavour.down, flavour.up, *((flavour.managed,) if self.managers else ()))
        ids = [self.fields.server, flavour.switch, self.rack.rack]
        ids += [part for medium in media for part in medium.parts()]
        self.kit.use(*ids, *((flavour.manager,) if self.managers else ()))
        if self.fields.storage:
            self.kit.use(*storage_parts())
        if self.fields.in_band or self.fields.out_of_band:
            self.kit.use(*management_parts())

    def _groups(self) -> None:
        if self.flavour.planes > 1:
            for n in range(1, self.flavour.planes + 1):
                self.planes.append(self.kit.group("plane", f"Plane {n}", "plane", f"plane{n}"))
        if self.shape.core_total:
            for n in range(1, self.shape.pods + 1):
                self.pods.append(self.kit.group("pod", f"Pod {n}", "pod", f"pod{n}"))

    def _unit(self, number: int) -> list[Node]:
        """Group, racks, servers and leaves of one scalable unit; the last one gives a position to the manager."""
        pod = self.pods[(number - 1) * self.shape.pods // self.fields.units] if self.pods else ""
        group = self.kit.group("su", f"SU {number}", "unit", f"su{number}", pod)
        row = RackRow(
            self.kit.draft,
            self.kit.run,
            self.rack.rack,
            number,
            self.fields.rack_limit_w,
            front_m=self.front_m,
        )
        last = number == self.fields.units and self.managers
        count = self.flavour.servers - 1 if last else self.flavour.servers
        servers = [self._server(row, number, index, group) for index in range(count)]
        for plane, leaves in enumerate(self.leaves):
            leaves.append([self._leaf(number, plane, rail, group) for rail in range(self.rails)])
        return servers

    def _server(self, row: RackRow, unit: int, index: int, group: str) -> Node:
        per_rack = self.rack.servers_per_rack
        seat = row.seat(index // per_rack, index % per_rack, self.server)
        total = (unit - 1) * self.flavour.servers + index + 1
        device = Device(
            id=self.kit.draft.new_id("srv"),
            name=f"srv-{total:03d}",
            type=self.server.id,
            rack=seat.rack,
            u=seat.u,
            modes=dict(self.server_modes),
            groups=(group,),
            made_by=self.kit.mark(f"su{unit}", f"srv{index + 1:02d}"),
        )
        return Node(self.kit.put(device), fabric_ports(self.server, "compute", self.server_modes))

    def _leaf(self, unit: int, plane: int, rail: int, group: str) -> Node:
        of_plane = (self.planes[plane],) if self.planes else ()
        return self._switch("leaf", f"su{unit}.{self._plane_mark(plane)}leaf{rail + 1}", (group, *of_plane))

    def _plane_mark(self, plane: int) -> str:
        return f"p{plane + 1}." if self.planes else ""

    def _switch(self, role: str, mark: str, groups: tuple[str, ...]) -> Node:
        return self.kit.switch(role, self.switch, mark, self.fabric, groups, self.modes)

    def _tree(self, plane: int) -> Tree:
        lines = list(zip(*self.leaves[plane], strict=True))
        groups = (self.planes[plane],) if self.planes else ()
        half, make = self.radix // 2, partial(self._switch)
        return raise_tree(lines, self.shape, half, make, self._plane_mark(plane), groups, self.pods)

    def _flat(self, trees: list[Tree]) -> list[Node]:
        """Every switch of the compute fabric: leaves, spines, cores."""
        leaves = [leaf for plane in self.leaves for unit in plane for leaf in unit]
        spines = [spine for tree in trees for spine in tree.spines]
        return leaves + spines + [core for tree in trees for core in tree.cores]

    def _seat(self, trees: list[Tree]) -> None:
        self.shelf = Shelf(
            self.kit.draft,
            self.kit.run,
            self.rack.rack,
            self.fields.units,
            self.fields.rack_limit_w,
            self.front_m,
        )
        for index, node in enumerate(self._flat(trees)):
            self.kit.seat(node, self.shelf.seat(*divmod(index, self.flavour.shelf), self.switch))

    def _managers(self) -> None:
        """One link to each of the first four leaves of the unit that has the free ports."""
        for number in range(self.managers):
            part = self.kit.catalog.device(self.flavour.manager)
            seat = self.shelf.seat(0, self.flavour.shelf + number, part)
            mark = f"ufm{number + 1}"
            device = Device(
                id=self.kit.draft.new_id("ufm"),
                name=f"UFM {number + 1}",
                type=part.id,
                rack=seat.rack,
                u=seat.u,
                role="fabric-manager",
                made_by=self.kit.mark(mark),
            )
            manager = Node(self.kit.put(device), fabric_ports(part, "compute"))
            place = self.flavour.servers - 1
            cable_down(
                self.kit, self.leaves[0][-1][number], [(manager, 0, mark)], self.flavour.managed, place
            )

    # ---- cables

    def _server_cables(self, unit: int) -> None:
        """Rail n of every server of the unit goes to leaf n, at the port of the server's place in the unit; where a
        port is split over planes, branch p to the leaf of plane p.
        """
        planes = self.flavour.planes
        for index, server in enumerate(self.units[unit - 1]):
            for rail in range(self.rails):
                for plane in range(planes):
                    leaf = self.leaves[plane][unit - 1][rail]
                    mark = f"su{unit}.srv{index + 1:02d}.rail{rail + 1}"
                    mark += f".p{plane + 1}" if self.planes else ""
                    ends = [(server, rail * planes + plane, mark)]
                    cable_down(self.kit, leaf, ends, self.flavour.down, index)


def _nearest(units: int, rails: int, half: int, radix: int) -> str:
    """“32 or 36”: the sizes around one that has no even tree."""
    even = [n for n in range(1, 65) if three_tier(rails, n, half, radix)]
    below = [n for n in even if n < units][-1:]
    return " or ".join(str(n) for n in below + [n for n in even if n > units][:1])


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
