"""The two sides of a bundle: which ports of which devices it may use, and why there may be none."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import Cages, DeviceType, FabricRole
from rackbuilder.commands.ports import Ports, nvlink_refusal, ports_for, roles_of_device
from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.errors import Problem


class Sides(NamedTuple):
    """Both sides with their ports. Ends (servers, storage) stand at the source side where there are any."""

    sources: list[Ports]
    targets: list[Ports]
    per_pair: int

    @property
    def ends(self) -> bool:
        return any(not row.type.is_switch for row in self.sources)


def role_of(view: View, a: Sequence[Device], b: Sequence[Device]) -> FabricRole:
    """The role of the fabric that the switches lend; compute where they lend none."""
    for device in (*b, *a):
        if device.fabric:
            roles = view.fabrics[device.fabric].roles
            if roles:
                return "compute" if "compute" in roles else roles[0]
    return "compute"


def sides_of(
    view: View, a: Sequence[Device], b: Sequence[Device], role: FabricRole | Literal[""], per_pair: int
) -> tuple[Sides, FabricRole, tuple[Problem, ...]]:
    """The sides of a bundle with the role it is for; and what no count of free ports could mend.

    Without a role, that of the switches' fabric counts, and a device that has no such port offers its data ports:
    who drags a storage server onto a compute leaf means the ports it has.
    """
    wanted: FabricRole = role or role_of(view, a, b)
    one = [ports_for(view, d, wanted, _acts_as_switch(view, d, b, wanted), bool(role)) for d in a]
    two = [ports_for(view, d, wanted, _acts_as_switch(view, d, a, wanted), bool(role)) for d in b]
    problems = _nvlink(view, a, b) or _portless(view, one, wanted) or _portless(view, two, wanted)
    ours, theirs = _rows(one), _rows(two)
    sources, targets = [p.towards(theirs) for p in one], [p.towards(ours) for p in two]
    # What has no port of that kind (a PDU among the servers) is left out; the count shown says so.
    sides = Sides([p for p in sources if p.listed], [p for p in targets if p.listed], per_pair)
    if not problems and not (sides.sources and sides.targets):
        problems = (_do_not_meet(a[0], b[0], ours, theirs),)
    return sides, wanted, problems


def _acts_as_switch(view: View, device: Device, others: Sequence[Device], role: FabricRole) -> bool:
    """A compute switch cabled to an out-of-band one is managed by it: it offers its management port."""
    if role != "out-of-band" or not device.fabric:
        return True
    fabrics = {other.fabric for other in others if other.fabric}
    return "out-of-band" in view.fabrics[device.fabric].roles or not fabrics or fabrics == {device.fabric}


def _rows(ports: Sequence[Ports]) -> list[Cages]:
    return list({id(row): row for p in ports for row in p.rows()}.values())


def _nvlink(view: View, a: Sequence[Device], b: Sequence[Device]) -> tuple[Problem, ...]:
    ours, theirs = ({d.type: d for d in side}.values() for side in (a, b))
    found = [nvlink_refusal((d, view.type_of(d)), (e, view.type_of(e))) for d in ours for e in theirs]
    return tuple(problem for problem in found if problem)


def _portless(view: View, side: Sequence[Ports], role: str) -> tuple[Problem, ...]:
    """Why a whole side has no port to offer."""
    if any(p.listed for p in side):
        return ()
    kinds = {p.device.type: p.device for p in side}
    return tuple(_no_ports(device, view.type_of(device), role) for device in kinds.values())


def _no_ports(device: Device, part: DeviceType, role: str) -> Problem:
    others = ", ".join(roles_of_device(part))
    what = f"{part.name} has no {role} port"
    fix = f"Its ports are for: {others}. Say which role is meant." if others else "Choose other devices."
    return Problem(what, device.label, fix, refs=(device.id,), rule="cabling.no-port")


def _do_not_meet(a: Device, b: Device, ours: Sequence[Cages], theirs: Sequence[Cages]) -> Problem:
    said = " and ".join("/".join(dict.fromkeys(row.connector for row in rows)) for rows in (ours, theirs))
    what = f"No cable joins the ports of {a.label} and {b.label}: {said}"
    return Problem(
        what, f"{a.label} to {b.label}", "Choose other ports.", refs=(a.id, b.id), rule="cabling.no-port"
    )
