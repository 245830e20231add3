"""What sits in each cage: a pinned optic, the end of a cable that brings its own, or something still to be chosen.

Direct attach and active optical cables bring their plugs; only fibre needs optics. A cage holds one plug, however many
links it carries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from rackbuilder.analysis.cabling.ends import (
    PLUGLESS,
    TWISTED_PAIR,
    Bought,
    bought,
    cage_of,
    own_plugs,
    rows_by_cage,
    side_in,
)
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.analysis.results import CagePlug, DevicePlugs, Plugs
from rackbuilder.catalog.parts import CableType, Cages, OpticType
from rackbuilder.design.records import Cable, Device, Plug
from rackbuilder.topology.figures import Figures
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import Figure, total, unknown

TYPICAL = "optics.typical"
Pins = Mapping[str, str]
"""Cage -> id of the optic pinned there."""


def find_plugs(inputs: Inputs) -> Plugs:
    """The plugs of every device, in alphabetical order of the devices."""
    memo = inputs.graphs.memo
    pinned = memo.get("pinned optics", (inputs.tables["plugs"],), lambda: _pinned(inputs))
    found: dict[str, DevicePlugs] = {}
    fixed = (inputs.parts, inputs.tables["assemblies"], inputs.graphs.figures)
    for name in sorted(inputs.indexes.ends.keys() | pinned.keys()):
        device = inputs.devices.get(name)
        if device is None:  # an optic pinned in a device that is gone
            continue
        ends, own = inputs.indexes.ends.get(name, _UNUSED), pinned.get(name, _UNPINNED)
        plugs = memo.get(("plugs", name), (device, ends, own, *fixed), partial(_device, inputs, device, own))
        if plugs.cages:
            found[name] = plugs
    return Plugs(found, tuple(_assumptions(inputs, found.values())))


_UNUSED: dict[str, tuple[str, ...]] = {}
_UNPINNED: Pins = {}


def _pinned(inputs: Inputs) -> dict[str, Pins]:
    """Device -> cage -> optic; a device whose pins are as before keeps the same object."""
    found: dict[str, dict[str, str]] = {}
    plugs: Mapping[str, Plug] = inputs.tables["plugs"]
    for identity in sorted(plugs):
        device, _, cage = identity.partition(":")
        found.setdefault(device, {})[cage] = plugs[identity].part
    memo = inputs.graphs.memo
    return {device: memo.same(("pins", device), cages) for device, cages in found.items()}


def _device(inputs: Inputs, device: Device, pins: Pins) -> DevicePlugs:
    return _Device(inputs, device, pins).plugs()


class _Device:
    """The cages of one device, one by one."""

    def __init__(self, inputs: Inputs, device: Device, pins: Pins) -> None:
        self._inputs, self._device, self._pins = inputs, device, pins
        self._part = inputs.type_of(device)
        self._rows = rows_by_cage(self._part)
        self._clashes: list[str] = []

    def plugs(self) -> DevicePlugs:
        cabled = self._cabled()
        names = sorted({*cabled, *self._pins}, key=natural_key)
        cages = tuple(p for name in names if (p := self._cage(name, cabled.get(name, ()))) is not None)
        optics = Counter(p.part for p in cages if p.kind == "optic")
        return DevicePlugs(
            cages=cages,
            max_w=total(p.max_w for p in cages),
            typical_w=total(p.typical_w for p in cages),
            optics=tuple(sorted(optics.items())),
            bare=tuple(p.cage for p in cages if p.kind == "no optic"),
            clashes=tuple(self._clashes),
        )

    def _cabled(self) -> dict[str, list[Cable]]:
        found: dict[str, list[Cable]] = {}
        for port, ids in self._inputs.ports_used(self._device.id).items():
            found.setdefault(cage_of(port), []).extend(self._inputs.cables[name] for name in ids)
        return found

    def _cage(self, cage: str, cables: Iterable[Cable]) -> CagePlug | None:
        row = self._rows.get(cage)
        optic = self._pins.get(cage, "")
        if row is not None and row.connector in PLUGLESS and not optic:
            return None
        rows = sorted(cables, key=lambda cable: cable.id)
        things = [bought(cable, self._inputs.tables["assemblies"]) for cable in rows]
        for cable, thing in zip(rows, things, strict=True):
            if own_plugs(self._inputs.parts.get(thing.part)):
                if optic:
                    self._clashes.append(cage)
                return self._end(cage, row, cable, thing)
        if optic:
            return self._optic(cage, optic)
        if all(self._form(thing) == TWISTED_PAIR for thing in things):
            return None
        return self._open(cage, row, things)

    def _form(self, thing: Bought) -> str:
        part = self._inputs.parts.get(thing.part)
        return part.form if isinstance(part, CableType) else ""

    def _end(self, cage: str, row: Cages | None, cable: Cable, thing: Bought) -> CagePlug:
        """The plug of a cable that brings its own. Where both ends fit, its ends lie as the record gives them."""
        part = self._inputs.parts[thing.part]
        assert isinstance(part, CableType)
        here = "a" if cable.a.device == self._device.id and cage_of(cable.a.port) == cage else "b"
        side = side_in(part, row) or here
        end = part.a if side == "a" else part.b
        key = f"{side}.power_w"
        figure = self._inputs.graphs.figures.given(f"part/{part.id}/{key}")
        if figure is None and end.power_w is not None:
            figure = Figure(end.power_w, grade=part.grade(key))
        figure = figure or unknown(f"{key} of {part.id}")
        return CagePlug(cage, "cable", part.id, figure, figure)

    def _optic(self, cage: str, optic: str) -> CagePlug:
        part = self._inputs.parts.get(optic)
        if not isinstance(part, OpticType):
            nothing = unknown(f"power_max_w of {optic}")
            return CagePlug(cage, "optic", optic, nothing, nothing)
        graphs = self._inputs.graphs
        made_of = (part, graphs.figures)
        return CagePlug(
            cage,
            "optic",
            optic,
            *graphs.memo.get(("optic power", optic), made_of, lambda: optic_power(graphs.figures, part)),
        )

    def _open(self, cage: str, row: Cages | None, things: list[Bought]) -> CagePlug:
        where = f"{row.connector} cages of {self._part.id}" if row else self._part.id
        if all(thing.part for thing in things):
            nothing = unknown(f"optics in {where}")
            return CagePlug(cage, "no optic", "", nothing, nothing)
        nothing = unknown(f"cables in {where}")
        return CagePlug(cage, "no part", "", nothing, nothing)


def optic_power(figures: Figures, part: OpticType) -> tuple[Figure, Figure]:
    """Maximum and typical draw of an optic. Its maximum stands, assumed, where no typical draw is published."""
    most = figures.part(part, "power_max_w")
    typical = figures.part(part, "power_typical_w")
    return most, most.assumed() if typical.value is None and most.value is not None else typical


def _assumptions(inputs: Inputs, devices: Iterable[DevicePlugs]) -> Iterator[Assumption]:
    used = {name for plugs in devices for name, _ in plugs.optics}
    for name in sorted(used):
        part = inputs.parts.get(name)
        if isinstance(part, OpticType) and part.power_typical_w is None and part.power_max_w is not None:
            text = f"No typical draw of {part.name} is published: its maximum stands for it."
            yield Assumption(f"{TYPICAL}.{name}", text, (name,))


PLUGS = analysis("plugs", "parts overrides devices cables assemblies plugs", "", find_plugs)
