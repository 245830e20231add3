"""What sits in each cage: an optic, the end of a cable that brings its own, or something still to be chosen.

Pinned parts come first, then what the choice of media found; such figures are assumed until the parts are pinned.

Direct attach and active optical cables bring their plugs; only fibre needs optics. A cage holds one plug, however many
links it carries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

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
from rackbuilder.analysis.cabling.market import Market, market_of
from rackbuilder.analysis.cabling.models import Choice, Media
from rackbuilder.analysis.cabling.pins import Pins, pinned_optics
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.analysis.results import CagePlug, DevicePlugs, Plugs
from rackbuilder.catalog.parts import Cages, OpticType
from rackbuilder.design.records import Cable, Device
from rackbuilder.topology.figures import Figures
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import Figure, total, unknown

TYPICAL = "optics.typical"


def find_plugs(inputs: Inputs) -> Plugs:
    """The plugs of every device, in alphabetical order of the devices."""
    memo = inputs.graphs.memo
    pinned = pinned_optics(inputs)
    found: dict[str, DevicePlugs] = {}
    media: Media = inputs.result("media")
    market = market_of(inputs, memo)
    fixed = (inputs.parts, inputs.tables["assemblies"], inputs.graphs.figures, market)
    for name in sorted(inputs.indexes.ends.keys() | pinned.keys()):
        device = inputs.devices.get(name)
        if device is None:  # an optic pinned in a device that is gone
            continue
        ends, own = inputs.indexes.ends.get(name, _UNUSED), pinned.get(name, _UNPINNED)
        chosen = _Chosen(market, media.by_device.get(name, _OPEN), media.optics.get(name, _UNPINNED))
        made_of = (device, ends, own, chosen.choices, chosen.optics, *fixed)
        plugs = memo.get(("plugs", name), made_of, partial(_device, inputs, device, own, chosen))
        if plugs.cages:
            found[name] = plugs
    return Plugs(found, tuple(_assumptions(inputs, found.values())))


_UNUSED: dict[str, tuple[str, ...]] = {}
_UNPINNED: Pins = {}
_OPEN: Mapping[str, Choice] = {}


class _Chosen(NamedTuple):
    """What was chosen for the cables and cages of one device."""

    market: Market
    choices: Mapping[str, Choice]
    optics: Pins


def _device(inputs: Inputs, device: Device, pins: Pins, chosen: _Chosen) -> DevicePlugs:
    return _Device(inputs, device, pins, chosen).plugs()


class _Device:
    """The cages of one device, one by one."""

    def __init__(self, inputs: Inputs, device: Device, pins: Pins, chosen: _Chosen) -> None:
        self._inputs, self._device, self._pins, self._chosen = inputs, device, pins, chosen
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
            chosen=tuple(sorted(Counter(p.part for p in cages if p.chosen).items())),
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
        things = [self._thing(cable) for cable in rows]
        for cable, thing in zip(rows, things, strict=True):
            if own_plugs(self._chosen.market.cable(thing.part)):
                if optic:
                    self._clashes.append(cage)
                return self._end(cage, row, cable, thing)
        if optic:
            return self._optic(cage, optic)
        if cage in self._chosen.optics:
            return self._optic(cage, self._chosen.optics[cage], chosen=True)
        if all(self._form(thing) == TWISTED_PAIR for thing in things):
            return None
        return self._open(cage, row, things)

    def _thing(self, cable: Cable) -> Bought:
        """What is pinned, else what was chosen."""
        thing = bought(cable, self._inputs.tables["assemblies"])
        choice = self._chosen.choices.get(cable.id)
        return thing if thing.part or choice is None else Bought(choice.part, choice.length_m)

    def _form(self, thing: Bought) -> str:
        part = self._chosen.market.cable(thing.part)
        return part.form if part is not None else ""

    def _end(self, cage: str, row: Cages | None, cable: Cable, thing: Bought) -> CagePlug:
        """The plug of a cable that brings its own. Where both ends fit, its ends lie as the record gives them."""
        part = self._chosen.market.cable(thing.part)
        assert part is not None
        here = "a" if cable.a.device == self._device.id and cage_of(cable.a.port) == cage else "b"
        side = side_in(part, row) or here
        end = part.a if side == "a" else part.b
        key = f"{side}.power_w"
        figure = self._inputs.graphs.figures.given(f"part/{part.id}/{key}")
        if figure is None and end.power_w is not None:
            figure = Figure(end.power_w, grade=part.grade(key))
        figure = figure or unknown(f"{key} of {part.id}")
        pinned = bought(cable, self._inputs.tables["assemblies"]).part
        if not pinned and figure.value is not None:
            figure = figure.assumed()
        return CagePlug(cage, "cable", part.id, figure, figure)

    def _optic(self, cage: str, optic: str, chosen: bool = False) -> CagePlug:
        part = self._chosen.market.optic(optic)
        if part is None:
            nothing = unknown(f"power_max_w of {optic}")
            return CagePlug(cage, "optic", optic, nothing, nothing)
        graphs = self._inputs.graphs
        made_of = (part, graphs.figures)
        most, typical = graphs.memo.get(
            ("optic power", optic), made_of, lambda: optic_power(graphs.figures, part)
        )
        if chosen and most.value is not None:
            most = most.assumed()
        if chosen and typical.value is not None:
            typical = typical.assumed()
        return CagePlug(cage, "optic", optic, most, typical, chosen)

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


PLUGS = analysis("plugs", "parts overrides devices cables assemblies plugs", "media", find_plugs)
