"""Fabrics: one made by hand, and the one that the first switch of a kind brings with it."""

from typing import ClassVar

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, FabricRole, LinkTechnology
from rackbuilder.commands import targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import checked_name
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fabric
from rackbuilder.errors import refusal
from rackbuilder.topology.natural import natural_key

_FAST_BPS = 200e9
"""From this port rate on, an Ethernet switch is taken for one that joins GPUs; below, for the in-band network."""


class AddFabric(Command):
    """A network of its own, without a switch yet: a second InfiniBand fabric, say."""

    verb: ClassVar[str] = "add-fabric"

    technology: str
    roles: tuple[FabricRole, ...] = ("compute",)
    name: str = ""
    id: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        targets.use_technology(draft, catalog, self.technology)
        checked_name(self.name)
        role = self.roles[0] if self.roles else "compute"
        identity = self.id or _free_id(draft, role)
        if not refs.valid_id(identity) or identity in draft.fabrics:
            raise refusal(f"“{identity}” cannot be the id of a new fabric", fix="Choose another id.")
        fabric = Fabric(id=identity, name=self.name, technology=self.technology, roles=self.roles)
        draft.put("fabrics", fabric)
        return f"Add fabric {fabric.label}"


def join_fabric(draft: Draft, catalog: Catalog, part: DeviceType) -> str:
    """The fabric a new switch belongs to; made when it is the first of its technology. Empty: the part names none.

    A switch made for one role (SN2201: out-of-band) joins a fabric of that role only, and no other joins that.
    """
    if not part.is_switch or not part.technology:
        return ""
    for identity in sorted(draft.fabrics, key=natural_key):
        if draft.fabrics[identity].technology == part.technology and _suits(
            draft.fabrics[identity], part.role
        ):
            return identity
    technology = targets.use_technology(draft, catalog, part.technology)
    role = part.role or _likely_role(draft, technology, part)
    identity = _free_id(draft, role)
    draft.put("fabrics", Fabric(id=identity, technology=technology.id, roles=(role,)))
    return identity


def _suits(fabric: Fabric, role: FabricRole | None) -> bool:
    return role in fabric.roles if role else fabric.roles != ("out-of-band",)


def _likely_role(draft: Draft, technology: LinkTechnology, part: DeviceType) -> FabricRole:
    taken = {role for fabric in draft.fabrics.values() for role in fabric.roles}
    rates = [row.rate_bps for row in part.cages if row.role == "data" and row.rate_bps]
    if technology.protocol != "infiniband" and max(rates, default=0.0) < _FAST_BPS:
        return "in-band"
    return "storage" if "compute" in taken and "storage" not in taken else "compute"


def _free_id(draft: Draft, role: str) -> str:
    """The role itself, as reports name it; “compute-2” for a second one."""
    identity, number = role, 1
    while identity in draft.fabrics:
        number += 1
        identity = f"{role}-{number}"
    return identity
