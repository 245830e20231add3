"""Figures that drawings show, taken from the results of the analyses by their form alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rackbuilder.design.view import View
from rackbuilder.units import Figure


class RackPowerLike(Protocol):
    @property
    def rack(self) -> str: ...
    @property
    def max_w(self) -> Figure: ...
    @property
    def limit_w(self) -> float | None: ...
    @property
    def devices(self) -> Mapping[str, Figure]: ...


class PowerLike(Protocol):
    @property
    def racks(self) -> Sequence[RackPowerLike]: ...


class RackCoolingLike(Protocol):
    @property
    def rack(self) -> str: ...
    @property
    def air_w(self) -> Figure: ...
    @property
    def liquid_w(self) -> Figure: ...
    @property
    def weight_kg(self) -> Figure: ...


class CoolingLike(Protocol):
    @property
    def racks(self) -> Sequence[RackCoolingLike]: ...


class LinkLoadLike(Protocol):
    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def fabric(self) -> str: ...
    @property
    def utilisation(self) -> float | None: ...


class LoadsLike(Protocol):
    @property
    def links(self) -> Sequence[LinkLoadLike]: ...


UNKNOWN = Figure(None)


@dataclass(frozen=True, slots=True)
class RackFacts:
    """What stands under a rack. A figure may be unknown or a lower bound."""

    power_w: Figure = UNKNOWN
    limit_w: float | None = None
    air_w: Figure = UNKNOWN
    liquid_w: Figure = UNKNOWN
    weight_kg: Figure = UNKNOWN
    weight_limit_kg: float | None = None

    @property
    def share(self) -> float | None:
        """Maximum power over the limit."""
        return None if self.power_w.value is None or not self.limit_w else self.power_w.value / self.limit_w


def rack_facts(view: View, power: PowerLike | None, cooling: CoolingLike | None) -> dict[str, RackFacts]:
    """Rack -> its figures; racks without a result are absent."""
    powers = {row.rack: row for row in power.racks} if power else {}
    airs = {row.rack: row for row in cooling.racks} if cooling else {}
    return {
        rack: _facts(view, rack, powers.get(rack), airs.get(rack))
        for rack in view.racks
        if rack in powers or rack in airs
    }


def _facts(view: View, rack: str, power: RackPowerLike | None, cooling: RackCoolingLike | None) -> RackFacts:
    record = view.racks[rack]
    part = view.rack_type(record)
    return RackFacts(
        power_w=power.max_w if power else UNKNOWN,
        limit_w=power.limit_w if power else record.power_limit_w or part.power_limit_w,
        air_w=cooling.air_w if cooling else UNKNOWN,
        liquid_w=cooling.liquid_w if cooling else UNKNOWN,
        weight_kg=cooling.weight_kg if cooling else UNKNOWN,
        weight_limit_kg=record.weight_limit_kg or part.static_load_kg,
    )


def device_power(power: PowerLike | None) -> dict[str, Figure]:
    """Device -> its maximum draw as the power analysis gives it."""
    return {device: figure for row in power.racks for device, figure in row.devices.items()} if power else {}


def pair_loads(loads: LoadsLike | None) -> dict[tuple[str, str, str], float | None]:
    """(a, b, fabric), the devices in alphabetical order, -> share of the step the bundle is busy."""
    if loads is None:
        return {}
    return {(*sorted((row.a, row.b)), row.fabric): row.utilisation for row in loads.links}  # type: ignore[misc]


def load_band(share: float) -> int:
    """0 idle, then the bands from 0, 10, 25, 50, 75 and 90 %; a limit belongs to the band above it."""
    return 0 if share <= 0 else 1 + sum(share >= edge for edge in (0.10, 0.25, 0.50, 0.75, 0.90))
