"""What the properties of a selection say: label, value, how well it is known, and where it comes from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.parts import CableType, DeviceType, Part
from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.design import Design
from rackbuilder.design.geometry import span_of
from rackbuilder.design.integrity import port_at
from rackbuilder.design.records import Cable, Device, Fabric, Face, Group, Job, Rack, State
from rackbuilder.design.refs import parse
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui import numbers
from rackbuilder.units import Figure, Grade, Mark

HERE = "this design"
MOST = 200
"""Of a selection larger than this, the first ones speak for all."""
_UNITS = {"power_max_w": "W", "power_typical_w": "W", "weight_kg": "kg", "hop_latency_s": "s"}
"""What a figure is typed in; the others are typed as plain numbers in their base unit."""
Text = Callable[[float | None], str]
"""From a number to what a row shows."""


@dataclass(frozen=True)
class PropertyRow:
    """One line. `field` names what SetProperty sets, `overrides` the keys of a figure the user may set himself, one a
    selected thing; `choices` what a field can be, where that is few.
    """

    label: str
    value: str
    mark: Mark = "known"
    source: str = HERE
    field: str = ""
    raw: str = ""
    overrides: tuple[str, ...] = ()
    tip: str = ""
    bold: bool = False
    choices: tuple[str, ...] = ()

    @property
    def editable(self) -> bool:
        return bool(self.field or self.overrides)


@dataclass(frozen=True)
class Properties:
    """Head and rows of a selection; `part` draws the picture."""

    title: str
    subtitle: str
    refs: tuple[str, ...]
    rows: tuple[PropertyRow, ...]
    part: Part | None = None


_EVIDENCE: Mapping[Grade, str] = {
    "A": "vendor page", "B": "cites the vendor", "C": "measured, community", "D": "trade press",
    "user": "set by you", "U": "unverified",
}  # fmt: skip


def properties(design: Design, graphs: Graphs, report: Report, selected: Sequence[str]) -> Properties | None:
    """The properties of what is selected, of the whole design when that is nothing.

    Several things share the rows that all of them have, with differing values counted. None while the design is empty.
    """
    records = dict.fromkeys(parse(ref).record for ref in selected)
    found = [p for p in (_one(design, graphs, report, ref) for ref in list(records)[:MOST]) if p is not None]
    if not found:
        return _whole(design, report)
    if len(found) == 1:
        return found[0]
    kinds = dict.fromkeys(p.part.name.removeprefix("NVIDIA ") for p in found if p.part)
    titles = ", ".join(p.title for p in found[:4]) + (", …" if len(records) > 4 else "")
    same_part = found[0].part if len(kinds) == 1 else None
    refs = tuple(r for p in found for r in p.refs)
    return Properties(
        f"{len(records):,} selected", " · ".join((titles, *list(kinds)[:2])), refs, _common(found), same_part
    )


def _common(found: list[Properties]) -> tuple[PropertyRow, ...]:
    """Rows that all have; a name is nobody's but one's own."""
    tables = [{row.label: row for row in p.rows} for p in found]
    rows = []
    for label in tables[0]:
        same = [table[label] for table in tables if label in table]
        if len(same) == len(tables) and label != "Name":
            rows.append(_merged(same))
    return tuple(rows)


def _merged(same: list[PropertyRow]) -> PropertyRow:
    first, values = same[0], dict.fromkeys(row.value for row in same)
    keys = tuple(key for row in same for key in row.overrides) if all(row.overrides for row in same) else ()
    bold = any(row.bold for row in same)
    if len(values) == 1:
        return replace(first, overrides=keys, bold=bold)
    return replace(first, value=f"{len(values)} values", raw="", overrides=keys, bold=bold, source="", tip="")


def _one(design: Design, graphs: Graphs, report: Report, ref: str) -> Properties | None:
    identity = parse(ref).record
    for table, make in (("devices", _device), ("racks", _rack), ("cables", _cable)):
        if identity in design.tables[table]:
            return make(design, graphs, report, design.tables[table][identity])
    for table, rows in (("fabrics", _fabric_rows), ("groups", _group_rows), ("jobs", _job_rows)):
        if identity in design.tables[table]:
            record = design.tables[table][identity]
            head = PropertyRow("Name", record.label, field="name", raw=record.name)
            return Properties(record.label, table[:-1], (identity,), (head, *rows(design, report, record)))
    return None


# ---- figures of parts


def figure_row(
    design: Design, part: Part, label: str, field: str, ref: str, text: Text, figure: Figure | None = None
) -> PropertyRow:
    """A figure of a part with its grade and source; one set by the user is bold."""
    overrides, unit = design.tables["overrides"], _UNITS.get(field, "")
    for key in (f"ref/{ref}/{field}", f"part/{part.id}/{field}"):
        if key in overrides:
            value, reason = overrides[key].value, overrides[key].reason
            shown = text(float(value)) if isinstance(value, int | float) else str(value)
            raw = f"{value} {unit}".strip()
            return PropertyRow(
                label, shown, "assumed", "set by you", raw=raw, overrides=(key,), tip=reason, bold=True
            )
    known = figure or part.figure(field)
    source = _EVIDENCE[part.grade(field)] if known.value is not None else "not published"
    if known.value is not None and figure is not None and figure.grade == "U":
        source = "planning value"
    raw = "" if known.value is None else f"{known.value:.12g} {unit}".strip()
    tip = "\n".join(
        [*part.sources, *(f"Disagrees: {c.value} ({c.origin})" for c in part.conflicts if c.key == field)]
    )
    shown = text(known.value) if known.value is not None else numbers.UNKNOWN
    return PropertyRow(label, shown, known.mark, source, raw=raw, overrides=(f"ref/{ref}/{field}",), tip=tip)


def _kg(value: float | None) -> str:
    return numbers.quantity(value, "kg")


# ---- devices


def _device(design: Design, graphs: Graphs, report: Report, device: Device) -> Properties:
    part = design.type_of(device)
    role = (report.compiled.roles.get(device.id, "") if report.compiled else "") or device.role
    words = [w for w in (role, part.name.removeprefix("NVIDIA "), _place(design, device, part)) if w]
    rows = (
        *_identity(design, device, part),
        *_network(design, graphs, report, device, part),
        *_facility(design, report, device, part),
    )
    return Properties(device.label, " · ".join(words), (device.id,), rows, part)


def _place(design: Design, device: Device, part: DeviceType) -> str:
    if not device.rack:
        return "not in a rack"
    span = span_of(device, part)
    return f"{design.racks[device.rack].label} {span.text() if span else ''}".strip()


def _identity(design: Design, device: Device, part: DeviceType) -> Iterator[PropertyRow]:
    yield PropertyRow("Name", device.label, field="name", raw=device.name)
    span = span_of(device, part)
    if device.rack:
        yield PropertyRow(
            "Position", span.text() if span else "side", field="u", raw=f"{device.u:g}" if device.u else ""
        )
    yield PropertyRow("Face", device.face, field="face", raw=device.face, choices=get_args(Face))
    yield PropertyRow("State", device.state, field="state", raw=device.state, choices=get_args(State))
    if part.gpus:
        yield PropertyRow("GPUs", f"{part.gpus.count} × {part.gpus.part}", source=_EVIDENCE[part.evidence])
    if part.nvswitch_chips:
        for key, label in (("driver", "Driver"), ("fabric_manager", "Fabric manager")):
            value = device.config.get(key, "")
            yield PropertyRow(
                label, value or "not set", "known" if value else "unknown", field=f"config.{key}", raw=value
            )
    if part.part_number:
        yield PropertyRow("Order number", part.part_number, source=_EVIDENCE[part.grade("part_number")])
    if part.status:
        yield PropertyRow("Availability", part.status, source="vendor list")


def _network(
    design: Design, graphs: Graphs, report: Report, device: Device, part: DeviceType
) -> Iterator[PropertyRow]:
    data = [p for p in ports_of(part, device.modes).values() if p.cages.role == "data"]
    used = design.ports_used(device.id)
    if data:
        here = sum(p.name in used for p in data)
        yield PropertyRow("Data ports used", f"{here} of {len(data)}")
    if device.fabric:
        yield PropertyRow(
            "Fabric",
            design.fabrics[device.fabric].label,
            field="fabric",
            raw=device.fabric,
            choices=tuple(design.fabrics),
        )
        yield PropertyRow(
            "Rail",
            str(device.rail) if device.rail is not None else "–",
            field="rail",
            raw=str(device.rail or ""),
        )
    yield from _leaf_ratio(report, device.id)
    sizes = dict.fromkeys(d.size for d in graphs.domains_of(device.id))
    if sizes:
        yield PropertyRow("GPUs per NVLink domain", ", ".join(map(str, sizes)))
    if part.is_switch:
        yield figure_row(design, part, "Hop latency", "hop_latency_s", device.id, numbers.time)
        yield PropertyRow(
            "Airflow", " or ".join(part.airflow_options) or numbers.UNKNOWN, source=_EVIDENCE[part.evidence]
        )


def _leaf_ratio(report: Report, device: str) -> Iterator[PropertyRow]:
    for fabric in report.capacity.fabrics.values() if report.capacity else ():
        for leaf in fabric.leaves:
            if leaf.leaf == device:
                yield PropertyRow("Oversubscription", numbers.ratio(leaf.down_bps, leaf.up_bps))


def _facility(design: Design, report: Report, device: Device, part: DeviceType) -> Iterator[PropertyRow]:
    yield figure_row(
        design, part, "Power, maximum", "power_max_w", device.id, numbers.power, part.max_power()
    )
    yield figure_row(design, part, "Power, typical", "power_typical_w", device.id, numbers.power)
    if part.supplies:
        need = f", {part.supplies.needed} needed" if part.supplies.needed else ""
        yield PropertyRow("Supplies", f"{part.supplies.count}{need}", source=_EVIDENCE[part.evidence])
    if part.cooling != "unknown":
        yield PropertyRow("Cooling", part.cooling, source=_EVIDENCE[part.grade("cooling")])
    yield figure_row(
        design, part, "Airflow needed", "airflow_m3_s", device.id, lambda v: numbers.quantity(v, "m³/s")
    )
    yield figure_row(design, part, "Weight", "weight_kg", device.id, _kg)


# ---- racks and cables


def _rack(design: Design, _graphs: Graphs, report: Report, rack: Rack) -> Properties:
    part = design.rack_type(rack)
    rows = [PropertyRow("Name", rack.label, field="name", raw=rack.name)]
    power = next((r for r in report.power.racks if r.rack == rack.id), None) if report.power else None
    if power:
        rows.append(_sum("Power, maximum", power.max_w, numbers.power))
        rows.append(_sum("of it optics", power.optics_w, numbers.power))
    limit = rack.power_limit_w
    shown = numbers.power(limit) if limit is not None else "none set"
    rows.append(
        PropertyRow("Power limit", shown, field="power_limit_w", raw="" if limit is None else f"{limit:g} W")
    )
    cooling = next((r for r in report.cooling.racks if r.rack == rack.id), None) if report.cooling else None
    if cooling:
        rows += [
            _sum("Heat to air", cooling.air_w, numbers.power),
            _sum("Heat to liquid", cooling.liquid_w, numbers.power),
        ]
        rows.append(_sum("Weight", cooling.weight_kg, _kg))
    free = part.u_height - sum(
        design.type_of(d).u_height for d in design.seated(rack.id) if not design.type_of(d).half_width
    )
    rows.append(PropertyRow("Free units", f"{free:g} of {part.u_height}"))
    for name, value in (("x_m", rack.x_m), ("y_m", rack.y_m)):
        text = "not placed" if value is None else numbers.quantity(value, "m")
        rows.append(
            PropertyRow(f"Floor {name[0]}", text, field=name, raw="" if value is None else f"{value:g} m")
        )
    return Properties(rack.label, part.name, (rack.id,), tuple(rows), part)


def _sum(label: str, figure: Figure, text: Text) -> PropertyRow:
    """A sum over parts of the design; its tip lists what it lacks."""
    lacks = "".join(f"\nunknown: {name}" for name in figure.missing[:12])
    return PropertyRow(label, numbers.figure(figure, text).text, figure.mark, "sum", tip=f"A sum.{lacks}")


def _cable(design: Design, _graphs: Graphs, _report: Report, cable: Cable) -> Properties:
    part = design.parts.get(cable.part)
    rates = [port.rate_bps if port else None for port in (port_at(design, cable.a), port_at(design, cable.b))]
    rate = min((r for r in rates if r is not None), default=None) if None not in rates else None
    rows = [PropertyRow("Name", cable.label, field="name", raw=cable.name)]
    for label, end in (("From", cable.a), ("To", cable.b)):
        rows.append(PropertyRow(label, f"{design.devices[end.device].label} {end.port}"))
    rows.append(
        PropertyRow("Rate", numbers.rate(rate), "known" if rate is not None else "unknown", "slower end")
    )
    name = part.name if isinstance(part, CableType) else part.id if part else "none yet"
    rows.append(PropertyRow("Part", name, "known" if part else "unknown", field="part", raw=cable.part))
    length = numbers.quantity(cable.length_m, "m") if cable.length_m is not None else numbers.UNKNOWN
    known: Mark = "known" if cable.length_m is not None else "unknown"
    rows.append(
        PropertyRow(
            "Length",
            length,
            known,
            field="length_m",
            raw="" if cable.length_m is None else f"{cable.length_m:g} m",
        )
    )
    rows.append(PropertyRow("State", cable.state, field="state", raw=cable.state, choices=get_args(State)))
    return Properties(cable.label, "cable", (cable.id,), tuple(rows))


# ---- the rest


def _whole(design: Design, report: Report) -> Properties | None:
    """What the design amounts to."""
    if not design.devices and not design.racks:
        return None
    rows = [*_counted(design, report)]
    if report.power:
        rows.append(_sum("Power, maximum", report.power.max_w, numbers.power))
        rows.append(_sum("Power, typical", report.power.typical_w, numbers.power))
    if report.cooling:
        rows.append(_sum("Heat to air", report.cooling.air_w, numbers.power))
        rows.append(_sum("Heat to liquid", report.cooling.liquid_w, numbers.power))
        rows.append(_sum("Weight", report.cooling.weight_kg, _kg))
    return Properties("This design", design.about.title, (), tuple(rows))


def _counted(design: Design, report: Report) -> Iterator[PropertyRow]:
    counts = report.compiled.counts if report.compiled else None
    if counts:
        yield PropertyRow("GPUs", f"{counts.gpus:,}")
        yield PropertyRow("Servers", f"{counts.servers:,}")
        domains = ", ".join(f"{n:,} of {size}" for size, n in sorted(counts.nvlink_domains.items()))
        yield PropertyRow("NVLink domains", domains or "none")
        for fabric, here in counts.fabrics.items():
            label = design.fabrics[fabric].label if fabric in design.fabrics else fabric
            tiers = ", ".join(f"{n} {role}" for role, n in here.switches.items() if n)
            yield PropertyRow(f"{label} switches", tiers or "none")
    yield PropertyRow("Racks", f"{len(design.racks):,}")
    yield PropertyRow("Cables", f"{len(design.cables):,}")


def _fabric_rows(design: Design, report: Report, fabric: Fabric) -> Iterator[PropertyRow]:
    yield PropertyRow("Technology", design.parts[fabric.technology].name)
    yield PropertyRow("Roles", ", ".join(fabric.roles) or "–")
    found = report.capacity.fabrics.get(fabric.id) if report.capacity else None
    if found:
        ratio = found.leaf_ratio
        yield PropertyRow("Oversubscription", "–" if ratio is None else numbers.ratio(ratio, 1.0))
        yield _sum("Bisection", found.bisection_bps, numbers.rate)


def _group_rows(design: Design, _report: Report, group: Group) -> Iterator[PropertyRow]:
    members = sum(group.id in d.groups for d in design.devices.values())
    yield PropertyRow("Kind", group.kind)
    yield PropertyRow("Devices", f"{members:,}")


def _job_rows(_design: Design, _report: Report, job: Job) -> Iterator[PropertyRow]:
    yield PropertyRow("Workload", job.workload)
    yield PropertyRow("Sizes", ", ".join(f"{k} {v}" for k, v in job.sizes.items()))
