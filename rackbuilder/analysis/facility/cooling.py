"""Heat to air and liquid, the air and coolant it takes, and the weight of each rack.

All electrical power becomes heat. Constants and formulas: dry air and water at about 20 °C and sea level,
    air_m3_s      = W / (1.2 kg/m³ x 1005 J/(kg K) x rise)
    liquid_l_min  = 60 x kW / (kg/l x kJ/(kg K) x rise)
(fluid property constants; Dow LC 25 data for the glycol mix).
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from rackbuilder.analysis.facility.members import Filling, filling_of, members_of
from rackbuilder.analysis.facility.weight import weight_of
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.analysis.results import Cooling, Power, RackCooling, RackPower
from rackbuilder.catalog.parts import DeviceType, PartBase
from rackbuilder.design.records import Device, Rack
from rackbuilder.units import Figure, total, unknown

AIR_KG_M3 = 1.2
AIR_J_KG_K = 1005.0
FLUIDS = {"water": (0.998, 4.18), "pg25": (1.02, 3.9)}
"""Coolant -> kg per litre and kJ per kg and kelvin; pg25: a quarter propylene glycol."""

AIR_RISE_K = 16.2
"""What the published 10.2 kW and 1,105 CFM of a DGX H100 (user guide) imply; DGX B200 gives the same."""
LIQUID_RISE_K = 10.0
"""Usual rise over an NVL72 rack (115 kW at 170 to 195 l/min)."""


def air_m3_s(heat_w: float, rise_k: float) -> float:
    """Air that carries a heat away, m³/s."""
    return heat_w / (AIR_KG_M3 * AIR_J_KG_K * rise_k)


def air_rise_k(heat_w: float, flow_m3_s: float) -> float:
    """How much warmer the air leaves."""
    return heat_w / (AIR_KG_M3 * AIR_J_KG_K * flow_m3_s)


def liquid_l_min(heat_w: float, rise_k: float, fluid: str = "water") -> float:
    """Coolant that carries a heat away, l/min."""
    density, capacity = FLUIDS[fluid]
    return 60 * heat_w / 1000 / (density * capacity * rise_k)


def liquid_rise_k(heat_w: float, flow_l_min: float, fluid: str = "water") -> float:
    """How much warmer the coolant leaves."""
    density, capacity = FLUIDS[fluid]
    return 60 * heat_w / 1000 / (density * capacity * flow_l_min)


class Settings(NamedTuple):
    """What the project says of its air and coolant; None: our default."""

    air_rise_k: float | None
    liquid_rise_k: float | None
    fluid: str | None


def settings_of(inputs: Inputs) -> Settings:
    """The policies `air_rise_k`, `coolant_rise_k` and `coolant` (water or pg25); anything else in them is left out."""
    policies = inputs.tables["policies"]

    def number(name: str) -> float | None:
        value: object = policies[name].value if name in policies else None
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
        return None

    fluid = policies["coolant"].value if "coolant" in policies else None
    return Settings(
        number("air_rise_k"),
        number("coolant_rise_k"),
        fluid if isinstance(fluid, str) and fluid in FLUIDS else None,
    )


class Heat(NamedTuple):
    """Where the heat of one thing goes, and the air and coolant it asks for."""

    air_w: Figure
    liquid_w: Figure
    air_m3_s: Figure
    liquid_l_min: Figure


class _Rack(NamedTuple):
    cooling: RackCooling
    assumptions: tuple[Assumption, ...]


def find_cooling(inputs: Inputs) -> Cooling:
    """The racks of the power result, in its order."""
    power: Power = inputs.result("power")
    settings = inputs.graphs.memo.same("cooling settings", settings_of(inputs))
    found = [_remembered(inputs, settings, row) for row in power.racks]
    rows = [item.cooling for item in found]
    notes = {note: None for item in found for note in item.assumptions}
    return Cooling(
        racks=tuple(rows),
        air_w=total(r.air_w for r in rows),
        liquid_w=total(r.liquid_w for r in rows),
        air_m3_s=total(r.air_m3_s for r in rows),
        liquid_l_min=total(r.liquid_l_min for r in rows),
        assumptions=tuple(sorted(notes, key=lambda note: (note.name, note.text))),
        weight_kg=total(r.weight_kg for r in rows),
    )


def _remembered(inputs: Inputs, settings: Settings, power: RackPower) -> _Rack:
    members = members_of(inputs, power.rack)
    rack = inputs.racks.get(power.rack)
    made_of = (power, settings, rack, inputs.parts, inputs.graphs.figures, *members)
    return inputs.graphs.memo.get(
        ("rack cooling", power.rack),
        made_of,
        partial(_work_out, inputs, settings, power, rack, members),
    )


def _work_out(
    inputs: Inputs, settings: Settings, power: RackPower, rack: Rack | None, members: tuple[Device, ...]
) -> _Rack:
    return _Meter(inputs, settings, power, rack, members).read()


class _Meter:
    """Works out one rack; notes what it had to assume."""

    def __init__(
        self,
        inputs: Inputs,
        settings: Settings,
        power: RackPower,
        rack: Rack | None,
        members: tuple[Device, ...],
    ) -> None:
        self._inputs, self._settings, self._power = inputs, settings, power
        self._rack, self._members = rack, members
        self._filling = filling_of(inputs, rack, members)
        self._notes: dict[Assumption, None] = {}

    def read(self) -> _Rack:
        heats = list(self._heats())
        air, liquid = total(h.air_w for h in heats), total(h.liquid_w for h in heats)
        flow, coolant = total(h.air_m3_s for h in heats), total(h.liquid_l_min for h in heats)
        if self._power.set_by_user:
            air, liquid, flow, coolant = self._scaled(air, liquid, flow, coolant)
        weight = weight_of(self._inputs, self._rack, self._filling, self._members)
        cooling = RackCooling(self._power.rack, air, liquid, flow, coolant, weight)
        return _Rack(cooling, tuple(self._notes))

    def _scaled(self, *figures: Figure) -> tuple[Figure, Figure, Figure, Figure]:
        """Where the user gave the power of the whole rack: the same shares of that."""
        air, liquid, flow, coolant = figures
        heat, given = total((air, liquid)), self._power.max_w.value
        if not heat.value or not heat.exact or given is None:
            nothing = Figure(None, missing=heat.missing or (f"heat of what is in {self._power.rack}",))
            return nothing, nothing, nothing, nothing
        factor = given / heat.value
        return (
            air.times(factor).assumed(),
            liquid.times(factor).assumed(),
            flow.times(factor).assumed(),
            coolant.times(factor).assumed(),
        )

    def _heats(self) -> Iterator[Heat]:
        stands = self._filling if self._power.published_total else None
        if stands is not None:
            yield self._of_assembly(stands)
        for device in self._members:
            if device.id in self._power.devices and not (stands and device.id in stands.seated):
                yield self._of_device(device, self._power.devices[device.id])

    # ---- one device

    def _of_device(self, device: Device, power: Figure) -> Heat:
        part = self._inputs.type_of(device)
        if power.value == 0 and power.exact:
            return Heat(power, power, power, power)
        share = liquid_share(self._inputs, part)
        if share.value is None or power.value is None:
            # Known to be all air or all liquid, the other is an exact zero whatever the power is.
            air = Figure(0.0) if share.value == 1 else Figure(None, missing=power.missing or share.missing)
            liquid = Figure(0.0) if share.value == 0 else Figure(None, missing=power.missing or share.missing)
        else:
            air = _part_of(power, 1 - share.value, share)
            liquid = _part_of(power, share.value, share)
        return Heat(air, liquid, self._airflow(part, air), self._coolant(liquid, None, None))

    def _airflow(self, part: DeviceType, air: Figure) -> Figure:
        """The maker's figure where there is one; else from the heat, at an assumed rise."""
        published = self._inputs.graphs.figures.part(part, "airflow_m3_s")
        if published.value is not None:
            return published
        return self._air(air)

    def _air(self, heat: Figure) -> Figure:
        if heat.value is None or heat.value == 0:
            return heat
        rise = self._settings.air_rise_k or AIR_RISE_K
        whose = "set for this design" if self._settings.air_rise_k else "our default"
        text = f"Air leaves {rise:g} K warmer where the maker gives no airflow ({whose})."
        self._note("air_rise_k", text, ())
        flow = air_m3_s(heat.value, rise)
        return Figure(flow, heat.at_least, "U", heat.missing)

    def _coolant(self, heat: Figure, published_rise_k: float | None, part: PartBase | None) -> Figure:
        if heat.value is None or heat.value == 0:
            return heat
        fluid = self._settings.fluid or "water"
        rise = self._settings.liquid_rise_k or published_rise_k or LIQUID_RISE_K
        whose = "our default"
        if self._settings.liquid_rise_k:
            whose = "set for this design"
        elif published_rise_k and part:
            whose = f"usual for {part.name}"
        self._note("coolant_rise_k", f"Coolant leaves {rise:g} K warmer ({whose}).", ())
        said = "set for this design" if self._settings.fluid else "our default"
        self._note("coolant", f"The coolant is {fluid} ({said}).", ())
        flow = liquid_l_min(heat.value, rise, fluid)
        return Figure(flow, heat.at_least, "U", heat.missing)

    # ---- a rack assembly

    def _of_assembly(self, filling: Filling) -> Heat:
        """The published split of a complete assembly; the same shares of what an incomplete one draws."""
        power, assembly, part = self._power.assembly_w, filling.assembly, filling.part
        air_w, liquid_w = assembly.heat_air_w, assembly.heat_liquid_w
        if air_w is not None and liquid_w is not None and power.value == air_w + liquid_w:
            air = Figure(air_w, grade=part.grade("assembly.heat_air_w"))
            liquid = Figure(liquid_w, grade=part.grade("assembly.heat_liquid_w"))
        else:
            share = _assembly_share(filling)
            if share.value is None or power.value is None:
                air = liquid = Figure(None, missing=share.missing)
            else:
                air, liquid = (
                    _part_of(power, 1 - share.value, share),
                    _part_of(power, share.value, share),
                )
        return Heat(air, liquid, self._air(air), self._coolant(liquid, assembly.coolant_rise_k, part))

    def _note(self, name: str, text: str, refs: tuple[str, ...]) -> None:
        self._notes[Assumption(name, text, refs)] = None


def _part_of(power: Figure, share: float, source: Figure) -> Figure:
    if share == 0:
        return Figure(0.0)
    grade = total((Figure(0.0, grade=power.grade), Figure(0.0, grade=source.grade))).grade
    return Figure((power.value or 0.0) * share, power.at_least, grade, power.missing)


def liquid_share(inputs: Inputs, part: DeviceType) -> Figure:
    """The part of a device's heat that its coolant takes; 0 where it is cooled by air alone.

    A device that only names its airflow directions is cooled by air.
    """
    share = inputs.graphs.figures.part(part, "liquid_heat_fraction")
    if share.value is not None:
        return share
    if part.cooling == "air" or (part.cooling == "unknown" and part.airflow_options):
        return Figure(0.0, grade=part.grade("cooling"))
    return unknown(f"{'cooling' if part.cooling == 'unknown' else 'liquid_heat_fraction'} of {part.id}")


def _assembly_share(filling: Filling) -> Figure:
    part, assembly = filling.part, filling.assembly
    air, liquid = assembly.heat_air_w, assembly.heat_liquid_w
    if air is not None and liquid is not None and air + liquid > 0:
        return Figure(liquid / (air + liquid), grade=part.grade("assembly.heat_liquid_w"))
    if assembly.liquid_heat_fraction is not None:
        return Figure(assembly.liquid_heat_fraction, grade=part.grade("assembly.liquid_heat_fraction"))
    return unknown(f"liquid_heat_fraction of {part.id}")


COOLING = analysis("cooling", "parts devices racks overrides policies", "power", find_cooling)
