"""Which ports of a device a cable may take: free ones, of the right purpose, whose connectors can meet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rackbuilder.catalog.parts import Cages, DeviceType, FabricRole
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, ProblemError

_SHAPES = ("OSFP1600", "OSFP", "QSFP", "SFP", "RJ45", "MPO")


def shape_of(connector: str) -> str:
    """The family of a connector: what can be joined by one straight cable of any kind."""
    name = connector.upper()
    return next((shape for shape in _SHAPES if name.startswith(shape)), name)


def can_meet(a: Cages, b: Cages) -> bool:
    """Whether any cable could join two cages: twisted pair meets twisted pair, NVLink meets NVLink."""
    copper = shape_of(a.connector) == "RJ45", shape_of(b.connector) == "RJ45"
    return copper[0] == copper[1] and speaks_nvlink(a) == speaks_nvlink(b)


def speaks_nvlink(row: Cages) -> bool:
    return row.protocols == ("nvlink",)


def nvlink_refusal(a: tuple[Device, DeviceType], b: tuple[Device, DeviceType]) -> Problem | None:
    """Why two devices cannot be joined by NVLink cables; None when neither is an NVLink switch tray, or both are."""
    trays = [row for row in (a, b) if row[1].category == "nvlink-switch-tray"]
    others = [row for row in (a, b) if row[1].category != "nvlink-switch-tray"]
    if not trays or not others:
        return None
    (tray, tray_type), (other, other_type) = trays[0], others[0]
    if other_type.is_switch and any(row.role != "data" for row in tray_type.cages):
        return None  # its management port
    if other_type.category == "compute-tray":
        reason = "a compute tray and an NVLink switch tray join through the backplane of the rack they sit in"
        fix = f"Seat {other.label} in the rack of {tray.label}."
    else:
        reason = f"{other_type.name} has its NVLink switches inside and no NVLink port outside"
        fix = "A larger NVLink domain needs a rack-scale system: compute trays and switch trays in one rack."
    what = f"{other.label} cannot be cabled to {tray.label}: {reason}"
    return Problem(
        what, f"{other.label} to {tray.label}", fix, refs=(other.id, tray.id), rule="cabling.nvlink"
    )


@dataclass
class Ports:
    """The ports of one device that a bundle may use, in the order of the part; taken ones are marked."""

    device: Device
    type: DeviceType
    listed: tuple[Port, ...]
    taken: set[str] = field(default_factory=set)

    def free(self) -> list[Port]:
        return [port for port in self.listed if port.name not in self.taken]

    def towards(self, others: Iterable[Cages]) -> "Ports":
        """Only the rows that suit the cages at the other end best: the same family of connector before any other."""
        theirs = list(others)
        rows = {id(p.cages): p.cages for p in self.listed}
        meet = {key: row for key, row in rows.items() if any(can_meet(row, other) for other in theirs)}
        shapes = {shape_of(row.connector) for row in theirs}
        alike = [key for key, row in meet.items() if shape_of(row.connector) in shapes]
        keep = set(alike or meet)
        return Ports(self.device, self.type, tuple(p for p in self.listed if id(p.cages) in keep), self.taken)

    def rows(self) -> list[Cages]:
        return list({id(p.cages): p.cages for p in self.listed}.values())


def ports_for(
    view: View, device: Device, role: FabricRole, switch: bool = True, strict: bool = True
) -> Ports:
    """The ports of a device for a fabric of a role: data ports of a switch, else the cages meant for that role.

    A switch that is not to act as one (`switch` off) offers its management ports. Unless `strict`, a device that has
    no cage for the role offers its other data ports.
    """
    part = view.type_of(device)
    every = ports_of(part, device.modes).values()
    if part.is_switch and switch:
        listed = tuple(p for p in every if p.cages.role == "data")
    else:
        listed = tuple(p for p in every if _meant_for(p.cages, part, role))
        if not listed and not strict and role != "out-of-band":
            listed = tuple(p for p in every if p.cages.role == "data" and not part.is_switch)
    used = view.ports_used(device.id)
    return Ports(device, part, listed, {p.name for p in listed if p.name in used})


def _meant_for(row: Cages, part: DeviceType, role: FabricRole) -> bool:
    if row.role == "console":
        return False
    if row.role in ("management", "bmc"):
        return role == "out-of-band" and row.fabric in (None, "out-of-band")
    if part.is_switch:
        return False
    return row.fabric == role if row.fabric is not None else role != "out-of-band"


def roles_of_device(part: DeviceType) -> tuple[str, ...]:
    """What the cages of a device are for, each once."""
    return tuple(dict.fromkeys(row.fabric for row in part.cages if row.fabric))


def free_ports(view: View, device: str) -> Mapping[str, Port]:
    """Every free port of a device by name."""
    record = view.devices[device]
    used = view.ports_used(device)
    ports = ports_of(view.type_of(record), record.modes)
    return {name: port for name, port in ports.items() if name not in used}


def refuse_all(problems: Iterable[Problem]) -> None:
    """Raises ProblemError when there is any problem."""
    listed = tuple(problems)
    if listed:
        raise ProblemError(*listed)
