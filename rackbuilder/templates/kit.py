"""What every template builds with: records with ids, names and keys, put on a draft."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, FabricRole
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Fabric, Group, MadeBy, Plug
from rackbuilder.errors import refusal
from rackbuilder.templates.base import key
from rackbuilder.templates.hall import Seat
from rackbuilder.templates.media import UNCHOSEN, Media

GroupKind = Literal["unit", "pod", "plane", "phase", "user"]


class Node(NamedTuple):
    """A device in the making, with the data ports a template cables."""

    device: Device
    ports: tuple[Port, ...]

    @property
    def key(self) -> str:
        return self.device.made_by.key if self.device.made_by else ""


class Kit:
    def __init__(self, draft: Draft, catalog: Catalog, run: str) -> None:
        self.draft, self.catalog, self.run = draft, catalog, run

    def use(self, *ids: str) -> None:
        """Copies parts, and what they name, into the design."""
        self.draft.use_parts(self.catalog.closure(*ids))

    def mark(self, *parts: str) -> MadeBy:
        return key(self.run, *parts)

    # ---- records

    def fabric(self, name: str, technology: str, role: FabricRole, identity: str = "") -> str:
        """A fabric whose id is its role, as every report expects, or a name of its own where a role has several.

        A fabric that is there already is used as it is: a second template joins the network of the first, unless that
        speaks another technology.
        """
        wanted, number = identity or role, 1
        identity, fabrics = wanted, self.draft.fabrics
        while identity in fabrics and fabrics[identity].technology != technology:
            number += 1
            identity = f"{wanted}-{number}"
        if identity not in fabrics:
            self.use(technology)
            mark = self.mark(wanted)
            record = Fabric(id=identity, name=name, technology=technology, roles=(role,), made_by=mark)
            self.draft.put("fabrics", record)
        return identity

    def group(self, prefix: str, name: str, kind: GroupKind, mark: str, parent: str = "") -> str:
        mark_of = self.mark(mark)
        record = Group(id=self.draft.new_id(prefix), name=name, kind=kind, parent=parent, made_by=mark_of)
        self.draft.put("groups", record)
        return record.id

    def switch(
        self,
        role: str,
        part: DeviceType,
        mark: str,
        fabric: str,
        groups: tuple[str, ...] = (),
        modes: Mapping[str, int] | None = None,
        letter: str = "",
    ) -> Node:
        """A switch without a place: it is put on the draft when it is seated."""
        identity = self.draft.new_id(role)
        number = int(identity.rsplit("-", 1)[1])
        device = Device(
            id=identity,
            name=f"{letter or role[0].upper()}{number:02d}",
            type=part.id,
            fabric=fabric,
            modes=dict(modes or {}),
            groups=groups,
            made_by=self.mark(mark),
        )
        return Node(device, data_ports(part, modes))

    def seat(self, node: Node, seat: Seat) -> None:
        self.put(replace(node.device, rack=seat.rack, u=seat.u))

    def put(self, device: Device) -> Device:
        self.draft.put("devices", device)
        return device

    # ---- links

    def link(
        self,
        low: Node,
        low_port: Port,
        high: Node,
        high_port: Port,
        mark: str,
        media: Media = UNCHOSEN,
        fabric: str = "",
    ) -> None:
        """A cable, with the optics at both ends where the medium names them; `fabric` where the ends disagree."""
        self.draft.put(
            "cables",
            Cable(
                id=self.draft.new_id("cbl"),
                a=End(low.device.id, low_port.name),
                b=End(high.device.id, high_port.name),
                part=media.cable,
                fabric=fabric,
                made_by=self.mark(mark),
            ),
        )
        self.plug(low, low_port, media.low)
        self.plug(high, high_port, media.high)

    def plug(self, node: Node, port: Port, optic: str) -> None:
        """One optic a cage, however many of its ports are cabled."""
        identity = f"{node.device.id}:{port.cage}"
        if optic and identity not in self.draft.tables["plugs"]:
            self.draft.put(
                "plugs", Plug(id=identity, part=optic, made_by=self.mark(f"{node.key}:{port.cage}"))
            )


def data_ports(part: DeviceType, modes: Mapping[str, int] | None = None) -> tuple[Port, ...]:
    return tuple(port for port in ports_of(part, modes).values() if port.cages.role == "data")


def fabric_ports(
    part: DeviceType, fabric: FabricRole, modes: Mapping[str, int] | None = None
) -> tuple[Port, ...]:
    """The data ports of a server that are meant for one fabric."""
    return tuple(p for p in data_ports(part, modes) if p.cages.fabric == fabric)


def split_all(part: DeviceType, ways: int, fabric: FabricRole | None = None) -> dict[str, int]:
    """Modes that split every data cage of a device (of one fabric); nothing for one way.

    Raises ProblemError where the part is not known to be split that way.
    """
    if ways == 1:
        return {}
    rows = [row for row in part.cages if row.role == "data" and row.fabric == fabric]
    for row in rows:
        if ways not in row.splits:
            raise refusal(
                f"The {row.name} cages of {part.name} are not known to be split {ways} ways",
                part.id,
                "Choose a switch that is, or a server whose ports have the rate of the switch.",
            )
    return {f"{row.name}{n + 1}": ways for row in rows for n in range(row.count)}
