"""What a rack weighs with everything in it."""

from collections.abc import Iterable

from rackbuilder.analysis.facility.members import Filling
from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.records import Device, Rack
from rackbuilder.units import Figure, total


def weight_of(
    inputs: Inputs, rack: Rack | None, filling: Filling | None, members: Iterable[Device]
) -> Figure:
    """What stands on the floor, kg: the cabinet and what is in it, or a loaded assembly. Cables are not weighed."""
    figures = inputs.graphs.figures
    parts: list[Figure] = []
    held: Iterable[str] = ()
    if rack is not None:
        type_ = inputs.rack_type(rack)
        if filling is not None and filling.trays and type_.loaded_weight_kg is not None:
            parts.append(_loaded(inputs, filling))
            held = filling.seated
        else:
            parts.append(figures.part(type_, "empty_weight_kg"))
    parts += [device_weight(inputs, d) for d in members if d.id not in held]
    return total(parts)


def device_weight(inputs: Inputs, device: Device) -> Figure:
    """What the user set for it, else its part's; a planning value stands in, assumed."""
    given = inputs.graphs.figures.given(f"ref/{device.id}/weight_kg")
    return given or _typed_weight(inputs, inputs.type_of(device))


def _typed_weight(inputs: Inputs, part: DeviceType) -> Figure:
    known = inputs.graphs.figures.part(part, "weight_kg")
    if known.value is None and part.weight_planning_kg is not None:
        return part.figure("weight_planning_kg").assumed()
    return known


def _loaded(inputs: Inputs, filling: Filling) -> Figure:
    """A loaded assembly less the trays it lacks; unknown when one of those has no weight."""
    whole = inputs.graphs.figures.part(filling.part, "loaded_weight_kg")
    if not filling.missing or whole.value is None:
        return whole
    weights = [
        _typed_weight(inputs, tray)
        for slot in filling.missing
        if isinstance(tray := inputs.parts.get(slot.takes[0]), DeviceType)
    ]
    gone = total(weights)
    if gone.value is None or not gone.exact or len(weights) < len(filling.missing):
        return Figure(None, missing=gone.missing)
    return Figure(whole.value - gone.value, grade="U")
