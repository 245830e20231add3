"""What must be settled before ordering, as sentences: the open points of a bill of materials."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rackbuilder.analysis.cabling.market import market_of
from rackbuilder.analysis.cabling.pieces import Count, Kind
from rackbuilder.analysis.inputs import Inputs
from rackbuilder.analysis.results import BomLine, DevicePlugs, Plugs, Power
from rackbuilder.catalog.parts import DeviceType, PartBase
from rackbuilder.topology.natural import natural_key

_NAMED = 3
"""How many places a point names before it says how many more there are."""


def open_points(
    inputs: Inputs, lines: Sequence[BomLine], cables: Mapping[Kind, Count], plugs: Plugs, power: Power
) -> Iterator[str]:
    """In this order: what has no part, what is doubtful of the parts, what is unknown of the sums."""
    yield from _links(cables)
    yield from _lengths(inputs, cables)
    yield from _optics(plugs)
    yield from _clashes(plugs)
    parts = _parts(inputs, lines)
    yield from _not_sold(parts)
    yield from _numbers(inputs, lines)
    yield from _domains(inputs)
    yield from _unverified(parts)
    yield from (note.text for note in power.assumptions if note.name.startswith("power.planning."))
    yield from (f"{what} is unknown: the power sum is a lower bound." for what in power.max_w.missing)


# ---- cables and optics


def _links(cables: Mapping[Kind, Count]) -> Iterator[str]:
    where: Counter[str] = Counter()
    for kind, count in cables.items():
        if not kind.part:
            where.update(count.where)
    if where:
        places = ", ".join(f"{n:,} {place}" for place, n in sorted(where.items()))
        yield f"{_count(sum(where.values()), 'link has', 'links have')} no cable or fibre chosen: {places}."


def _lengths(inputs: Inputs, cables: Mapping[Kind, Count]) -> Iterator[str]:
    pieces: Counter[str] = Counter()
    for kind, count in cables.items():
        if kind.part and kind.length_m is None:
            pieces[kind.part] += count.pieces - count.existing
    market = market_of(inputs, inputs.graphs.memo)
    for part in sorted(pieces, key=natural_key):
        if pieces[part]:
            yield f"{_count(pieces[part], 'piece', 'pieces')} of {_name(inputs, part)}: length not set."
    for part, length_m in sorted({(k.part, k.length_m) for k in cables if k.length_m is not None}):
        type_ = market.cable(part)
        if type_ is not None and type_.lengths_m and length_m not in type_.lengths_m:
            known = ", ".join(f"{x:g}" for x in type_.lengths_m)
            yield f"{type_.name} is not listed in {length_m:g} m; listed lengths in m: {known}."


def _optics(plugs: Plugs) -> Iterator[str]:
    cages = _cages(plugs, lambda row: row.bare)
    if cages:
        word = _count(len(cages), "cage takes a fibre and has", "cages take a fibre and have")
        yield f"{word} no optic chosen: {_few(cages)}."


def _clashes(plugs: Plugs) -> Iterator[str]:
    cages = _cages(plugs, lambda row: row.clashes)
    if cages:
        word = _count(len(cages), "optic is", "optics are")
        yield f"{word} pinned where the cable brings its own plug, and not counted: {_few(cages)}."


def _cages(plugs: Plugs, wanted: Callable[[DevicePlugs], Iterable[str]]) -> list[str]:
    return [f"{name}:{cage}" for name, row in plugs.devices.items() for cage in wanted(row)]


# ---- parts


def _parts(inputs: Inputs, lines: Iterable[BomLine]) -> list[PartBase]:
    """The parts of the lines, and the GPUs in them, by id."""
    found: dict[str, PartBase] = {}
    for line in lines:
        part = _known(inputs, line.part)
        if part is None:
            continue
        found[part.id] = part
        gpu = inputs.parts.get(part.gpus.part) if isinstance(part, DeviceType) and part.gpus else None
        if gpu is not None:
            found[gpu.id] = gpu
    return [found[name] for name in sorted(found, key=natural_key)]


def _not_sold(parts: Iterable[PartBase]) -> Iterator[str]:
    for part in parts:
        if not part.orderable:
            said = f" ({part.status})" if part.status else ""
            yield f"{part.name} can no longer be ordered{said}."
        elif part.status and not part.status.startswith("active"):
            yield f"{part.name}: {part.status}."


def _numbers(inputs: Inputs, lines: Iterable[BomLine]) -> Iterator[str]:
    """Trays that go into one rack assembly only are ordered with it."""
    names: dict[str, None] = {}
    for line in lines:
        part = _known(inputs, line.part)
        with_rack = isinstance(part, DeviceType) and part.mounts_in
        if part is not None and not line.part_number and not with_rack:
            names[line.name] = None
    if names:
        yield f"No order number is known for {'; '.join(names)}."


def _domains(inputs: Inputs) -> Iterator[str]:
    """Sizes of NVLink domains that no vendor has confirmed, by what makes them."""
    made_of = (inputs.graphs.domains, inputs.devices, inputs.racks)
    found = inputs.graphs.memo.get("domain sizes by type", made_of, lambda: _sizes(inputs))
    for name, size in found:
        part = inputs.parts[name]
        if not part.confirmed_by_vendor:
            yield f"{part.name}: have the vendor confirm that {size} GPUs share one scale-up domain."


def _sizes(inputs: Inputs) -> list[tuple[str, int]]:
    """(server or rack type, GPUs in a domain of it) for every domain of more than one."""
    found: dict[tuple[str, int], None] = {}
    for domain in inputs.graphs.domains:
        if domain.size > 1:
            device = inputs.devices[domain.devices[0]]
            rack = inputs.racks.get(device.rack) if domain.kind == "in-rack" else None
            found[rack.type if rack else device.type, domain.size] = None
    return sorted(found)


def _unverified(parts: Iterable[PartBase]) -> Iterator[str]:
    for part in parts:
        if part.evidence == "U":
            yield f"{part.name}: no figure of it is verified."
            continue
        # Facts that no analysis uses are shown in the catalog, and hold up no order.
        used = [name for name in part.unverified if not name.startswith("facts.")]
        if used:
            yield f"{part.name}: not verified: {', '.join(used)}."


# ---- words


def _name(inputs: Inputs, part: str) -> str:
    found = _known(inputs, part)
    return found.name if found else part


def _known(inputs: Inputs, part: str) -> PartBase | None:
    """A part of the design, or one on sale that the choice of media took."""
    market = market_of(inputs, inputs.graphs.memo)
    return inputs.parts.get(part) or market.cable(part) or market.optic(part)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _few(names: list[str]) -> str:
    rows = sorted(names, key=natural_key)
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    return ", ".join(rows[:_NAMED]) + more
