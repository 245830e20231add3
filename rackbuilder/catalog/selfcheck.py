"""What a part says of itself must agree: ports, cages and capacity, links and rates, trays and GPUs, watts.

A published total is carried beside the figures that make it up, so that a slip of one port is caught (a public
description of the QM9700 has 62 of 64). Only contradictions are reported, never what is unknown.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import isclose

from rackbuilder.catalog.catalog import Catalog
from rackbuilder.catalog.parts import (
    Assembly,
    CableType,
    Cages,
    DeviceType,
    GpuType,
    LinkTechnology,
    NicType,
    NvSwitchType,
    OpticType,
    PartBase,
    RackType,
)
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.units import parse_rate_bps, power_text, rate_text

_ROUNDING = 0.01
"""Vendors round totals: 0.87 for 115 of 132 kW."""


def self_check(catalog: Catalog) -> tuple[Problem, ...]:
    """Every contradiction in the parts of a catalog, each with the id of its part as ref."""
    return tuple(
        Problem(f"{part.name}: {what}", f"catalog part {part.id}", fix, refs=(part.id,), rule="catalog.check")
        for part in catalog.parts.values()
        for kind, checks in _CHECKS
        if isinstance(part, kind)
        for check in checks
        for what, fix in check(part, catalog)
    )


Faults = Iterator[tuple[str, str]]
"""What contradicts what, and what to do."""


# ---- devices: ports


def _data(part: DeviceType) -> list[Cages]:
    return [row for row in part.cages if row.role == "data"]


def _stated_ports(part: DeviceType, _: Catalog) -> Faults:
    for text, stated in part.stated_ports.items():
        try:
            rate_bps = parse_rate_bps(text)
        except ProblemError as error:
            yield f"stated_ports: {error.problems[0].what}", error.problems[0].fix
            continue
        found = _ports_at(part, rate_bps)
        if found != stated:
            what = f"it has {found} ports of {rate_text(rate_bps)} in its cages, its maker states {stated}"
            yield what, "Count cages and ports a cage again; a twin-port cage holds two ports."


def _ports_at(part: DeviceType, rate_bps: float) -> int:
    """Data ports of a rate as they are; where there is none, as many as splitting gives."""
    rows = [row for row in _data(part) if row.rate_bps is not None]
    whole = sum(row.port_count for row in rows if row.rate_bps == rate_bps)
    return whole or sum(
        row.port_count * ways for row in rows for ways in row.splits if row.rate_bps == rate_bps * ways
    )


def _switching(part: DeviceType, _: Catalog) -> Faults:
    rates = [(row.rate_bps, row.port_count) for row in _data(part)]
    if part.switching_bps is None or any(rate is None for rate, _ in rates):
        return
    ports_bps = sum((rate or 0.0) * count for rate, count in rates)
    if not isclose(ports_bps, part.switching_bps, rel_tol=_ROUNDING):
        stated = rate_text(part.switching_bps)
        what = f"its ports carry {rate_text(ports_bps)} per direction, its stated capacity is {stated}"
        yield what, "Give both for one direction: some vendors print the sum of both."


def _cage_names(part: DeviceType, _: Catalog) -> Faults:
    seen: dict[str, str] = {}
    for row in part.cages:
        for number in range(row.count):
            name = f"{row.name}{number + 1}"
            if name in seen:
                yield (
                    f"two cages are named {name} (rows {seen[name]} and {row.name})",
                    "Rename a row of cages.",
                )
                return
            seen[name] = row.name


def _gpu_ports(part: DeviceType, _: Catalog) -> Faults:
    for row in part.cages:
        if row.gpu_first is not None:
            last = row.gpu_first + row.port_count * row.gpus_per_port
            if last > part.gpu_count:
                what = f"the {row.port_count} ports of {row.name} serve GPUs up to {last}, it has {part.gpu_count}"
                yield what, "Correct count, gpu_first or gpus_per_port."


def _named_kinds(part: DeviceType, catalog: Catalog) -> Faults:
    """A part named in a place for another kind of part; one that is not there at all is the reader's to report."""
    named: list[tuple[str, str, type[PartBase]]] = [("technology", part.technology, LinkTechnology)]
    named += [("nic", row.nic, NicType) for row in part.cages]
    if part.gpus:
        named.append(("gpus", part.gpus.part, GpuType))
    for field, name, kind in named:
        found = catalog.parts.get(name)
        if found is not None and not isinstance(found, kind):
            yield f"its {field} names {name}, which is a {found.kind}", f"Name a part of kind {_kind(kind)}."


def _kind(model: type[PartBase]) -> str:
    return str(model.model_fields["kind"].default)


# ---- devices: power and size


def _watts(part: DeviceType, _: Catalog) -> Faults:
    limits = (("planning", part.power_planning_w), ("maximum", part.power_max_w), ("peak", part.power_peak_w))
    known = [("typical", part.power_typical_w), *limits]
    rows = [(name, value) for name, value in known if value is not None]
    for (low, less), (high, more) in pairwise(rows):
        if less > more:
            what = f"its {low} power ({power_text(less)}) is above its {high} power ({power_text(more)})"
            yield what, "Check both, and the unit."


def _supplies(part: DeviceType, _: Catalog) -> Faults:
    supplies = part.supplies
    if supplies is None or supplies.needed is None:
        return
    if supplies.needed > supplies.count:
        yield f"it needs {supplies.needed} of {supplies.count} supplies", "Check the redundancy."
    if supplies.rating_w is None or part.power_max_w is None:
        return
    output_w = supplies.needed * supplies.rating_w
    if output_w < part.power_max_w:
        what = f"{supplies.needed} supplies give {power_text(output_w)}, it draws up to {power_text(part.power_max_w)}"
        yield what, "Check how many supplies full power needs."


def _shape(part: DeviceType, _: Catalog) -> Faults:
    if part.u_height * 2 != int(part.u_height * 2):
        yield f"its height is {part.u_height:g}U", "Use steps of 0.5."
    yield from _fraction(part.liquid_heat_fraction)


def _fraction(value: float | None) -> Faults:
    if value is not None and not 0 <= value <= 1:
        yield f"its liquid heat fraction is {value:g}", "Give a share from 0 to 1."


# ---- GPUs, chips


def _nvlink(part: GpuType, catalog: Catalog) -> Faults:
    technology = catalog.parts.get(f"nvlink-{part.nvlink_generation}")
    if (
        part.nvlink_links is None
        or part.scale_up_bytes_s is None
        or not isinstance(technology, LinkTechnology)
    ):
        return
    link_bytes_s = technology.port_rates_bps[0] / 8
    if not isclose(part.nvlink_links * link_bytes_s, part.scale_up_bytes_s, rel_tol=_ROUNDING):
        links = f"{part.nvlink_links} links of {link_bytes_s / 1e9:g} GB/s"
        yield (
            f"{links} are not {part.scale_up_bytes_s / 1e9:g} GB/s per direction",
            "Halve what adds both directions.",
        )


def _usable_memory(part: GpuType, _: Catalog) -> Faults:
    whole, usable = part.memory_bytes, part.memory_usable_bytes
    if whole is not None and usable is not None and usable > whole:
        yield "more of its memory is usable than it has", "Check memory_gb and memory_usable_gb."


def _chip(part: NvSwitchType, _: Catalog) -> Faults:
    """`bidir_gbytes_s_per_chip` is the vendor's total of a chip, both directions together."""
    stated = part.facts.get("bidir_gbytes_s_per_chip")
    if part.ports is None or part.port_bytes_s is None or not isinstance(stated, int | float):
        return
    if not isclose(part.ports * part.port_bytes_s * 2, stated * 1e9, rel_tol=_ROUNDING):
        whole = part.ports * part.port_bytes_s * 2 / 1e9
        yield f"its ports carry {whole:g} GB/s both ways, stated are {stated:g}", "Check ports and port rate."


# ---- rack assemblies


def _assembly(part: RackType, catalog: Catalog) -> Faults:
    if part.assembly is not None:
        yield from _links(part, part.assembly, catalog)
        yield from _slots(part, part.assembly, catalog)
        yield from _heat(part.assembly)


def _links(part: RackType, assembly: Assembly, catalog: Catalog) -> Faults:
    """GPUs of the trays against the stated number, NVLinks of the GPUs against those between the trays."""
    tray = catalog.parts.get(assembly.compute_tray)
    if not isinstance(tray, DeviceType):
        yield f"its compute tray {assembly.compute_tray} is no device", "Name a compute tray."
        return
    gpus, stated = assembly.compute_trays * tray.gpu_count, part.facts.get("gpus")
    if isinstance(stated, int) and gpus != stated:
        yield f"its trays hold {gpus} GPUs, stated are {stated}", "Check trays and GPUs a tray."
    gpu = catalog.parts.get(tray.gpus.part) if tray.gpus else None
    links = assembly.compute_trays * assembly.switch_trays * assembly.links_per_pair
    if isinstance(gpu, GpuType) and gpu.nvlink_links is not None and gpus * gpu.nvlink_links != links:
        what = f"{links:,} links join its trays, its {gpus} GPUs have {gpus * gpu.nvlink_links:,}"
        yield what, "Links a pair of trays are GPUs a tray times chips a switch tray times links to a chip."


def _slots(part: RackType, assembly: Assembly, catalog: Catalog) -> Faults:
    if not assembly.slots:
        return
    kinds = [(assembly.compute_tray, assembly.compute_trays), (assembly.switch_tray, assembly.switch_trays)]
    for tray, count in kinds:
        found = sum(tray in slot.takes for slot in assembly.slots)
        if found != count:
            yield f"{found} of its slots take {tray}, it has {count} of them", "Check the slots."
        device = catalog.parts.get(tray)
        if isinstance(device, DeviceType) and part.id not in device.mounts_in:
            yield f"{tray} does not mount in it", f"Add {part.id} to mounts_in of the tray."
    places = [slot.u for slot in assembly.slots]
    if len(set(places)) < len(places):
        yield "two of its slots have the same unit", "Check the slots."
    if places and not 1 <= min(places) <= max(places) <= part.u_height:
        yield f"a slot lies outside U1–U{part.u_height}", "Check the slots."


def _heat(assembly: Assembly) -> Faults:
    total, liquid, air = assembly.power_max_w, assembly.heat_liquid_w, assembly.heat_air_w
    yield from _fraction(assembly.liquid_heat_fraction)
    if total is None or liquid is None:
        return
    if air is not None and not isclose(liquid + air, total, rel_tol=_ROUNDING):
        yield (
            f"{power_text(liquid)} to liquid and {power_text(air)} to air are not {power_text(total)}",
            "Check them.",
        )
    share = assembly.liquid_heat_fraction
    if share is not None and abs(liquid / total - share) > _ROUNDING:
        yield (
            f"{power_text(liquid)} of {power_text(total)} is no share of {share:g}",
            "Check liquid_heat_fraction.",
        )


# ---- cables and optics


def _cable(part: CableType, _: Catalog) -> Faults:
    for name, plug in (("a", part.a), ("b", part.b)):
        if plug.count * plug.links != part.links:
            what = f"end {name} has {plug.count} plugs of {plug.links} links, the cable carries {part.links}"
            yield what, "Plugs times links a plug is the same at both ends."
    if part.part_numbers and len(part.part_numbers) != len(part.lengths_m):
        what = f"it has {len(part.part_numbers)} order codes for {len(part.lengths_m)} lengths"
        yield what, "Give one for each length, in the same order, or none."


def _optic_watts(part: OpticType, _: Catalog) -> Faults:
    typical, most = part.power_typical_w, part.power_max_w
    if typical is not None and most is not None and typical > most:
        yield "its typical power is above its maximum", "Check both."


_DEVICE = (_named_kinds, _stated_ports, _switching, _cage_names, _gpu_ports, _watts, _supplies, _shape)
_CHECKS: tuple[tuple[type[PartBase], tuple[Callable[..., Faults], ...]], ...] = (
    (DeviceType, _DEVICE),
    (GpuType, (_nvlink, _usable_memory)),
    (NvSwitchType, (_chip,)),
    (RackType, (_assembly,)),
    (CableType, (_cable,)),
    (OpticType, (_optic_watts,)),
)
