"""The bill of materials: what to buy, how many, and what must be settled before ordering.

Links are what is drawn; pieces are what is bought. Links that follow from seats (a backplane) are in no bill. What
already exists stays listed, with a quantity that leaves it out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from rackbuilder.analysis.bom_points import open_points
from rackbuilder.analysis.cabling.ends import cage_of
from rackbuilder.analysis.cabling.market import market_of
from rackbuilder.analysis.cabling.models import Media
from rackbuilder.analysis.cabling.pieces import Count, Kind, Shop, Tally, counted, tally
from rackbuilder.analysis.inputs import Inputs, analysis
from rackbuilder.analysis.results import Bom, BomLine, Compiled, LinkGroup, Plugs
from rackbuilder.catalog.parts import CableType, DeviceType, PartBase
from rackbuilder.topology.backplane import assembly_of
from rackbuilder.topology.natural import natural_key

Section = Literal["servers", "switches", "racks", "cables", "optics", "power", "other"]
BuyScope = Literal["scale-up", "scale-out", "facility"]
SECTIONS: tuple[Section, ...] = ("servers", "switches", "racks", "cables", "optics", "power", "other")
SCOPES: tuple[BuyScope, ...] = ("scale-up", "scale-out", "facility")

_PLACES: dict[str, tuple[Section, BuyScope]] = {
    "gpu-server": ("servers", "scale-up"),
    "compute-tray": ("servers", "scale-up"),
    "nvlink-switch-tray": ("switches", "scale-up"),
    "management-server": ("servers", "facility"),
    "storage": ("servers", "scale-out"),
    "switch": ("switches", "scale-out"),
    "pdu": ("power", "facility"),
    "power-shelf": ("power", "facility"),
    "cdu": ("other", "facility"),
    "panel": ("other", "scale-out"),
    "other": ("other", "facility"),
}
_MANY = {"leaf": "leaves", "spine": "spines", "core": "cores"}
_SCOPE_WORDS = {"server-leaf": "server–leaf", "leaf-spine": "leaf–spine", "spine-core": "spine–core"}
NO_PART = "link without a part"
NO_OPTIC = "optic not chosen"
CHOSEN = "chosen by the tool"


class _Key(NamedTuple):
    section: Section
    scope: BuyScope
    part: str


@dataclass
class _Tally:
    count: int = 0
    existing: int = 0
    spare: int = 0
    seated: Counter[str] = field(default_factory=Counter)
    """Rack assembly -> how many came with it."""
    users: Counter[str] = field(default_factory=Counter)
    chosen: int = 0
    """Optics that no user pinned."""


def find_bom(inputs: Inputs) -> Bom:
    return _Bill(inputs).bom()


class _Bill:
    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._compiled: Compiled = inputs.result("compiled")
        self._plugs: Plugs = inputs.result("plugs")
        self._media: Media = inputs.result("media")
        market = market_of(inputs, inputs.graphs.memo)
        self._shop = Shop(inputs, market, self._media.cables)
        self._facility = {
            f.id for f in inputs.fabrics.values() if f.roles and set(f.roles) == {"out-of-band"}
        }

    def bom(self) -> Bom:
        cables = self._cables()
        lines = [*self._remembered_things(), *self._cable_lines(cables), *self._optics()]
        lines.sort(key=_order)
        without = sum(count.pieces for kind, count in cables.items() if not kind.part)
        power = self._inputs.result("power")
        return Bom(
            lines=tuple(lines),
            open_points=tuple(open_points(self._inputs, lines, cables, self._plugs, power)),
            cable_count=len(self._inputs.cables),
            at_least=any(not line.part for line in lines),
            links_without_part=without,
        )

    # ---- devices and racks

    def _remembered_things(self) -> tuple[BomLine, ...]:
        """Cabling alone changes none of these lines."""
        inputs = self._inputs
        memo = inputs.graphs.memo
        roles = memo.same("roles by device", self._compiled.roles)
        made_of = (inputs.devices, inputs.racks, inputs.parts, inputs.fabrics, roles)
        return memo.get("devices bought", made_of, lambda: tuple(self._things()))

    def _things(self) -> Iterator[BomLine]:
        tallies: dict[_Key, _Tally] = {}
        for device in self._inputs.devices.values():
            part = self._inputs.type_of(device)
            section, scope = _PLACES[part.category]
            if section == "switches" and (device.fabric in self._facility or part.role == "out-of-band"):
                scope = "facility"
            tally = tallies.setdefault(_Key(section, scope, part.id), _Tally())
            tally.count += 1
            tally.existing += device.state == "existing"
            tally.spare += device.state == "spare"
            if (seat := assembly_of(self._inputs, device)) is not None:
                tally.seated[seat[0].type] += 1
            role = self._compiled.roles.get(device.id, "")
            if role in _MANY:
                tally.users[f"{device.fabric}\t{role}"] += 1
        for rack in self._inputs.racks.values():
            type_ = self._inputs.rack_type(rack)
            key = _Key("racks", "scale-up" if type_.assembly else "facility", type_.id)
            tallies.setdefault(key, _Tally()).count += 1
        for key, tally in tallies.items():
            yield self._thing(key, tally)

    def _thing(self, key: _Key, tally: _Tally) -> BomLine:
        part = self._inputs.parts[key.part]
        used_by = _roles_text(tally.users)
        if isinstance(part, DeviceType) and part.gpu_count:
            used_by = f"{part.gpu_count * tally.count:,} GPUs"
        notes = [
            f"{n:,} of them in {rack}, ordered with the rack" for rack, n in sorted(tally.seated.items())
        ]
        return BomLine(
            section=key.section,
            scope=key.scope,
            part=part.id,
            name=part.name,
            part_number=part.part_number,
            quantity=tally.count - tally.existing,
            unit="piece",
            grade=part.evidence,
            used_by=used_by,
            note=_notes(*notes, *_states(tally.existing, tally.spare)),
        )

    # ---- cables

    def _cables(self) -> Mapping[Kind, Count]:
        return counted(self._shop, (*self._tallies(), *self._loose()))

    def _tallies(self) -> Iterator[Tally]:
        """The links of each device to those above it, counted anew when its cables or their groups change."""
        inputs = self._inputs
        types = {device.id: device.type for device in inputs.devices.values()}
        fixed = (inputs.parts, inputs.tables["assemblies"], inputs.graphs.memo.same("device types", types))
        choices = self._media.by_device
        rows = (group for group in self._compiled.links if group.fabric)
        for (fabric, device), found in groupby(rows, key=lambda group: (group.fabric, group.a)):
            groups = tuple(found)
            scope: BuyScope = "facility" if fabric in self._facility else "scale-out"
            made_of = (inputs.indexes.ends.get(device), choices.get(device), scope, *fixed, *groups)
            count = partial(_tallied, self._shop, groups, scope)
            yield from inputs.graphs.memo.get(("bought", fabric, device), made_of, count)

    def _loose(self) -> Iterator[Tally]:
        loose = self._inputs.graphs.loose
        nvlink = [name for name in sorted(loose) if loose[name] == "nvlink"]
        others = [name for name in sorted(loose) if loose[name] != "nvlink"]
        yield tally(self._shop, nvlink, "NVLink", "scale-up")
        yield tally(self._shop, others, "in no fabric", "scale-out")

    def _cable_lines(self, cables: Mapping[Kind, Count]) -> Iterator[BomLine]:
        for kind, count in cables.items():
            part = self._shop.market.cable(kind.part)
            links = ", ".join(f"{where} {n:,}" for where, n in sorted(count.where.items()))
            scope: BuyScope = next(s for s in SCOPES if s == kind.scope)
            chosen = (CHOSEN,) if kind.chosen else ()
            notes = _notes(*chosen, *_states(count.existing, count.spare))
            quantity = count.pieces - count.existing
            if part is None:
                yield _open("cables", scope, NO_PART, quantity, "link", links, notes)
                continue
            unit = "piece" if kind.length_m is None else f"piece of {kind.length_m:g} m"
            number = order_number(part, kind.length_m)
            yield BomLine(
                "cables", scope, part.id, part.name, number, quantity, unit, part.evidence, links, notes
            )

    # ---- optics

    def _optics(self) -> Iterator[BomLine]:
        found: dict[str, _Tally] = {}
        existing = self._existing_cages()
        for name, plugs in self._plugs.devices.items():
            role = self._compiled.roles.get(name, "")
            user = _MANY.get(role, "servers" if role == "server" else "other devices")
            for part, count in (*plugs.optics, ("", len(plugs.bare))):
                if count:
                    row = found.setdefault(part, _Tally())
                    row.count += count
                    row.users[user] += count
            for part, count in plugs.chosen:
                found[part].chosen += count
            for plug in plugs.cages if existing else ():
                if (name, plug.cage) in existing and plug.kind in ("optic", "no optic"):
                    found[plug.part].existing += 1
        for part, row in found.items():
            yield self._optic(part, row)

    def _optic(self, name: str, row: _Tally) -> BomLine:
        users = ", ".join(f"{n:,} in {user}" for user, n in sorted(row.users.items()))
        notes = _notes(*_chosen(row), *_states(row.existing, 0))
        quantity = row.count - row.existing
        part = self._shop.market.optic(name)
        if part is None:
            note = f"{name} is not a part of this design" if name else ""
            return _open(
                "optics", "scale-out", name or NO_OPTIC, quantity, "cage", users, _notes(note, notes)
            )
        return BomLine(
            "optics",
            "scale-out",
            part.id,
            part.name,
            part.part_number,
            quantity,
            "piece",
            part.evidence,
            users,
            notes,
        )

    def _existing_cages(self) -> set[tuple[str, str]]:
        """Cages whose cables all exist: their optics do too."""
        existing: set[tuple[str, str]] = set()
        others: set[tuple[str, str]] = set()
        rows = self._inputs.cables.values()
        if not any(cable.state == "existing" for cable in rows):
            return existing
        for cable in rows:
            for device, port in (cable.a, cable.b):
                (existing if cable.state == "existing" else others).add((device, cage_of(port)))
        return existing - others


def _tallied(shop: Shop, groups: Iterable[LinkGroup], scope: BuyScope) -> tuple[Tally, ...]:
    by_place: dict[str, list[str]] = {}
    for group in groups:
        words = _SCOPE_WORDS.get(group.scope)
        where = f"{group.fabric} {words}" if words else group.fabric
        by_place.setdefault(where, []).extend((*group.cables, *group.failed))
    return tuple(tally(shop, cables, where, scope) for where, cables in by_place.items())


def order_number(part: PartBase, length_m: float | None) -> str:
    """What to order: that of the length, where the part is sold by length and both are known."""
    if not isinstance(part, CableType) or length_m is None:
        return "" if isinstance(part, CableType) and part.part_numbers else part.part_number
    if len(part.part_numbers) == len(part.lengths_m) and length_m in part.lengths_m:
        return part.part_numbers[part.lengths_m.index(length_m)]
    # Of some families only one length is known by its number.
    single = part.facts.get(f"part_number_{length_m:g}m")
    return single if isinstance(single, str) else "" if part.part_numbers else part.part_number


def _open(
    section: Section, scope: BuyScope, name: str, quantity: int, unit: str, used_by: str, note: str
) -> BomLine:
    return BomLine(section, scope, "", name, "", quantity, unit, "U", used_by, note)


def _chosen(row: _Tally) -> Iterator[str]:
    if row.chosen:
        yield CHOSEN if row.chosen == row.count else f"{row.chosen:,} of them {CHOSEN}"


def _states(existing: int, spare: int) -> Iterator[str]:
    if existing:
        yield f"{existing:,} more exist and are not ordered"
    if spare:
        yield f"{spare:,} of them spare"


def _notes(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _roles_text(users: Counter[str]) -> str:
    """“compute: 32 leaves, 16 spines; storage: 1 leaf”."""
    by_fabric: dict[str, list[str]] = {}
    for key in sorted(
        users, key=lambda key: (key.partition("\t")[0], list(_MANY).index(key.partition("\t")[2]))
    ):
        fabric, _, role = key.partition("\t")
        n = users[key]
        by_fabric.setdefault(fabric, []).append(f"{n:,} {role if n == 1 else _MANY[role]}")
    return "; ".join(
        f"{fabric}: {', '.join(rows)}" if fabric else ", ".join(rows) for fabric, rows in by_fabric.items()
    )


def _order(line: BomLine) -> tuple[object, ...]:
    unit = natural_key(line.unit)
    return (
        SECTIONS.index(line.section),
        SCOPES.index(line.scope),
        not line.part,
        natural_key(line.name),
        line.part,
        unit,
    )


BOM = analysis(
    "bom",
    "parts devices racks cables assemblies plugs fabrics faults overrides",
    "compiled media plugs power",
    find_bom,
)
