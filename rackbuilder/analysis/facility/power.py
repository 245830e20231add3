"""Electrical power by device, rack and room, maximum and typical, with plugged optics counted once.

Everything that speaks of power (rules, panel, bill of materials, exports) uses this result.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Literal, NamedTuple

from rackbuilder.analysis.facility.members import Filling, filling_of, members_of, racks_in_order
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.analysis.results import DevicePlugs, Plugs, Power, RackPower, RoomPower
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.records import Device, Rack
from rackbuilder.units import Figure, total, unknown

Level = Literal["power_max_w", "power_typical_w"]
LEVELS: tuple[Level, Level] = ("power_max_w", "power_typical_w")

NO_DRAW = ("pdu", "panel", "power-shelf")
"""They pass power on; unless a part says what it loses, nothing is counted."""


class DevicePower(NamedTuple):
    """One device at one level: what it draws by itself, and what of its optics comes on top."""

    own_w: Figure
    optics_w: Figure
    """Optics that `own_w` does not hold."""

    @property
    def whole_w(self) -> Figure:
        return self.own_w if self.optics_w == _NOTHING else total((self.own_w, self.optics_w))


class _Rack(NamedTuple):
    power: RackPower
    assumptions: tuple[Assumption, ...]


_NOTHING = total(())
_LOSSES = "Losses of power shelves, PDUs and panels are not counted where no figure is published."


def find_power(inputs: Inputs) -> Power:
    """Racks in natural order, then what is in no rack."""
    plugs: Plugs = inputs.result("plugs")
    found = [row for name in (*racks_in_order(inputs), "") if (row := _remembered(inputs, plugs, name))]
    powers = [row.power for row in found]
    notes = {note: None for row in found for note in row.assumptions}
    return Power(
        racks=tuple(powers),
        max_w=total(p.max_w for p in powers),
        typical_w=total(p.typical_w for p in powers),
        optics_w=total(p.optics_w for p in powers),
        assumptions=(*sorted(notes, key=lambda note: (note.name, note.text)), *plugs.assumptions),
        rooms=tuple(_rooms(inputs, powers)),
    )


def _remembered(inputs: Inputs, plugs: Plugs, name: str) -> _Rack | None:
    """One rack, worked out anew when something of it is another object. None: nothing stands outside the racks."""
    members = members_of(inputs, name)
    if not name and not members:
        return None
    rack = inputs.racks.get(name)
    own = tuple(plugs.devices.get(d.id) for d in members)
    made_of = (rack, inputs.parts, inputs.graphs.figures, *members, *own)
    return inputs.graphs.memo.get(
        ("rack power", name), made_of, partial(_work_out, inputs, rack, members, own)
    )


def _work_out(
    inputs: Inputs, rack: Rack | None, members: tuple[Device, ...], plugs: Iterable[DevicePlugs | None]
) -> _Rack:
    return _Meter(inputs, rack, dict(zip((d.id for d in members), plugs, strict=True)), members).read()


class _Meter:
    """Reads one rack; notes what it had to assume."""

    def __init__(
        self,
        inputs: Inputs,
        rack: Rack | None,
        plugs: dict[str, DevicePlugs | None],
        members: tuple[Device, ...],
    ) -> None:
        self._inputs, self._rack, self._plugs, self._members = inputs, rack, plugs, members
        self._figures = inputs.graphs.figures
        self._notes: dict[Assumption, None] = {}
        self._filling = filling_of(inputs, rack, members)

    def read(self) -> _Rack:
        levels = {level: self._level(level) for level in LEVELS}
        most, typical = levels["power_max_w"], levels["power_typical_w"]
        plugs = [p for p in self._plugs.values() if p is not None]
        power = RackPower(
            rack=self._rack.id if self._rack else "",
            max_w=most.whole_w,
            typical_w=typical.whole_w,
            optics_w=total(p.max_w for p in plugs),
            optics_added_w=most.optics_w,
            limit_w=self._limit(),
            devices={name: row.whole_w for name, row in most.devices.items()},
            published_total=most.assembly_w is not None,
            assembly_w=most.assembly_w or _NOTHING,
            set_by_user=most.set_by_user,
        )
        return _Rack(power, tuple(self._notes))

    def _level(self, level: Level) -> "_Level":
        assembly = self._assembly(level)
        seated = self._filling.seated if self._filling and assembly is not None else {}
        devices: dict[str, DevicePower] = {}
        for device in self._members:
            row = self._device(device, level, counted=device.id not in seated)
            if row is not None:
                devices[device.id] = row
        rest = [row for name, row in devices.items() if name not in seated]
        optics = total(row.optics_w for row in rest)
        parts = [row.whole_w for row in rest]
        whole = total([assembly, *parts] if assembly is not None else parts)
        given = self._figures.given(f"ref/{self._rack.id}/{level}") if self._rack else None
        return _Level(given or whole, optics, devices, assembly, given is not None)

    def _limit(self) -> float | None:
        if self._rack is None:
            return None
        own = self._rack.power_limit_w
        return self._inputs.rack_type(self._rack).power_limit_w if own is None else own

    # ---- one device

    def _device(self, device: Device, level: Level, counted: bool) -> DevicePower | None:
        """None for what draws nothing of its own. Not counted: its rack assembly stands for it."""
        part = self._inputs.type_of(device)
        own = _own(self._inputs, device, part, level)
        if own.value is None and part.category in NO_DRAW:
            if counted:
                self._note("power.losses", _LOSSES, ())
            return None
        plugs = self._plugs.get(device.id)
        included, said = includes_optics(part, level)
        if counted and level == "power_max_w" and part.power_max_w is None and own.grade == "U":
            text = f"No maximum of {part.name} is published: its planning value stands for it."
            self._note(f"power.planning.{part.id}", text, (part.id,))
        if counted and plugs is not None and not said and own.value is not None:
            word = "maximum" if level == "power_max_w" else "typical draw"
            how = "with" if included else "without"
            text = f"The {word} of {part.name} is read as {how} plugged optics: its vendor does not say."
            self._note(f"optics.in.{level}.{part.id}", text, (part.id,))
        if plugs is None or included:
            return DevicePower(own, _NOTHING)
        return DevicePower(own, plugs.max_w if level == "power_max_w" else plugs.typical_w)

    def _note(self, name: str, text: str, refs: tuple[str, ...]) -> None:
        self._notes[Assumption(name, text, refs)] = None

    # ---- a rack assembly

    def _assembly(self, level: Level) -> Figure | None:
        """What stands for all trays of a rack assembly: its published total, less what is missing of it.

        None where nothing is published, or no tray is seated: devices then count one by one.
        """
        filling = self._filling
        if filling is None or not filling.trays or self._rack is None:
            return None
        whole = _published(self._inputs, filling, level)
        if whole is None or whole.value is None:
            return None
        left = whole.value
        for slot in filling.missing:
            tray = self._inputs.parts.get(slot.takes[0])
            figure = _typed(self._inputs, tray, level) if isinstance(tray, DeviceType) else _NOTHING
            left -= figure.value or 0.0
        if left <= 0:
            return None
        if filling.missing:
            count, all_ = len(filling.seated), len(filling.seated) + len(filling.missing)
            text = (
                f"{self._rack.label} has {count} of the {all_} trays of {filling.part.name}: its published total is "
                "taken less the figures of the missing ones, where those are known."
            )
            self._note(f"assembly.incomplete.{self._rack.id}", text, (self._rack.id,))
        if any(self._plugs.get(name) for name in filling.seated):
            text = f"The published total of {filling.part.name} is read as with plugged optics."
            self._note(f"optics.in.assembly.{filling.part.id}", text, (filling.part.id,))
        return Figure(left, grade="U" if filling.missing else whole.grade)


def includes_optics(part: DeviceType, level: Level) -> tuple[bool, bool]:
    """Whether a figure of a part holds the plugged optics, and whether its vendor says so.

    Where nobody says: a switch's does not (the usual condition is passive cables); a planning value, which is derived
    with active cables, and the figure of any other device does.
    """
    maximum = level == "power_max_w"
    said = part.power_max_includes_optics if maximum else part.power_typical_includes_optics
    if said is not None:
        return said, True
    return not part.is_switch or (maximum and part.power_max_w is None), False


class _Level(NamedTuple):
    whole_w: Figure
    optics_w: Figure
    devices: dict[str, DevicePower]
    assembly_w: Figure | None
    set_by_user: bool


def _own(inputs: Inputs, device: Device, part: DeviceType, level: Level) -> Figure:
    """A device's own figure: what the user set for it, else its part's."""
    return inputs.graphs.figures.given(f"ref/{device.id}/{level}") or _typed(inputs, part, level)


def _typed(inputs: Inputs, part: DeviceType, level: Level) -> Figure:
    given = inputs.graphs.figures.given(f"part/{part.id}/{level}")
    if given is not None:
        return given
    if level == "power_max_w":
        return part.max_power()
    value = part.power_typical_w
    return unknown(f"{level} of {part.id}") if value is None else part.figure(level)


def _published(inputs: Inputs, filling: Filling, level: Level) -> Figure | None:
    """The total of a complete rack assembly: what the user set for its type, else what is published."""
    figures, part = inputs.graphs.figures, filling.part
    given = figures.given(f"part/{part.id}/assembly.{level}") or figures.given(f"part/{part.id}/{level}")
    value = getattr(filling.assembly, level)
    if given is not None or value is None:
        return given
    return Figure(value, grade=part.grade(f"assembly.{level}"))


def _rooms(inputs: Inputs, powers: Iterable[RackPower]) -> Iterator[RoomPower]:
    rows: dict[str, list[RackPower]] = {}
    for power in powers:
        rack = inputs.racks.get(power.rack)
        rows.setdefault(hall_of(inputs, rack.space) if rack else "", []).append(power)
    for room in sorted(rows):
        space = inputs.tables["spaces"].get(room)
        yield RoomPower(
            room,
            total(p.max_w for p in rows[room]),
            total(p.typical_w for p in rows[room]),
            total(p.optics_w for p in rows[room]),
            space.power_limit_w if space else None,
        )


def hall_of(inputs: Inputs, space: str) -> str:
    """The hall that a space is or lies in; empty when it lies in none."""
    spaces, seen = inputs.tables["spaces"], set()
    while space in spaces and space not in seen:
        seen.add(space)
        if spaces[space].kind == "hall":
            return space
        space = spaces[space].parent
    return ""


POWER = analysis("power", "parts devices racks spaces overrides", "plugs", find_power)
