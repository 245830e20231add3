"""Who stands where in the fabric view: cores, spines, leaves and servers by unit, and everything else in blocks.

Only order and belonging, no numbers: the places follow in layout.placing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.layout.bundles import Pair, by_device
from rackbuilder.layout.looks import fabric_role
from rackbuilder.layout.names import natural
from rackbuilder.layout.unions import Unions

_COMPUTE = ("gpu-server", "compute-tray")
_BLOCK_OF = {
    "storage": "storage",
    "management-server": "management",
    "pdu": "power",
    "power-shelf": "power",
    "cdu": "power",
}
BLOCK_TITLES = {
    "fabric-manager": "Fabric manager",
    "management": "Management",
    "in-band": "In-band",
    "out-of-band": "Out-of-band",
    "storage": "Storage",
    "other": "Other devices",
    "power": "Power and cooling",
}


@dataclass(frozen=True)
class Column:
    """Servers drawn one above the other: those of a rack, or four that have none."""

    rack: str
    title: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class Area:
    """A unit: its leaves above its columns. `group` is empty when the design names no units."""

    group: str
    title: str
    leaves: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def servers(self) -> tuple[str, ...]:
        return tuple(m for column in self.columns for m in column.members)


@dataclass(frozen=True)
class Pod:
    """Spines and the areas that reach them."""

    spines: tuple[str, ...]
    areas: tuple[Area, ...]


@dataclass(frozen=True)
class Block:
    """Devices beside the compute fabric, drawn as one box."""

    key: str
    title: str
    members: tuple[str, ...]
    layer: str


@dataclass(frozen=True)
class Tiers:
    cores: tuple[str, ...]
    pods: tuple[Pod, ...]
    blocks: tuple[Block, ...]
    roles: Mapping[str, str]
    tier: dict[str, str] = field(default_factory=dict)
    """device -> core, spine, leaf, server, or the key of its block."""


class Sorter:
    """Sorts the devices of a design into tiers, units and blocks."""

    def __init__(self, view: View, pairs: Sequence[Pair], roles: Mapping[str, str]) -> None:
        self._view, self._pairs, self._roles = view, pairs, roles
        self._neighbours = by_device(pairs)
        self._has_gpus = any(view.type_of(d).category in _COMPUTE for d in view.devices.values())
        self._compute = self._compute_fabrics()
        self._keys = {d.id: natural(d.label) for d in view.devices.values()}
        self.tier = {d.id: self._tier_of(d) for d in view.devices.values()}

    def _compute_fabrics(self) -> frozenset[str]:
        """The fabrics drawn in tiers: those between GPUs; in a design without GPUs the first there is."""
        fabrics = self._view.fabrics
        named = [f.id for f in fabrics.values() if "compute" in f.roles or not f.roles]
        return frozenset(named or ([] if self._has_gpus else sorted(fabrics)[:1]))

    def ordered(self, devices: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(devices, key=lambda d: (self._keys[d], d)))

    # ---- tiers

    def _tier_of(self, device: Device) -> str:
        part = self._view.type_of(device)
        if device.role == "fabric-manager":
            return "fabric-manager"
        if part.is_switch:
            return self._switch_tier(device)
        if part.category in (*_COMPUTE, "nvlink-switch-tray"):
            return "server"
        if not self._has_gpus and part.category not in ("pdu", "power-shelf", "cdu") and part.cages:
            return "server"
        return _BLOCK_OF.get(part.category, "other")

    def _switch_tier(self, device: Device) -> str:
        purpose = fabric_role(self._view, device) or "compute"
        if device.fabric in self._compute or (not device.fabric and purpose == "compute"):
            role = self._roles.get(device.id, "") or device.role
            return role if role in ("spine", "core") else "leaf"
        return purpose if purpose in BLOCK_TITLES else f"fabric:{device.fabric}"

    # ---- units

    def sort(self) -> Tiers:
        areas = self._areas()
        spines = [d for d, tier in self.tier.items() if tier == "spine"]
        cores = self.ordered(d for d, tier in self.tier.items() if tier == "core")
        return Tiers(cores, self._pods(areas, spines), self._blocks(), self._roles, self.tier)

    def _areas(self) -> list[Area]:
        servers = [d for d, tier in self.tier.items() if tier == "server"]
        leaves = [d for d, tier in self.tier.items() if tier == "leaf"]
        home = {d: self._unit(d) for d in servers}
        if not any(home.values()):
            return self._areas_by_cable(servers, leaves)
        for leaf in leaves:
            home[leaf] = self._unit(leaf) or self._unit_of_neighbours(leaf, home)
        groups = self._view.groups
        keys = sorted(
            dict.fromkeys(home.values()),
            key=lambda g: (not g, natural(groups[g].label) if g else (), g),
        )
        return [
            self._area(key, [s for s in servers if home[s] == key], [x for x in leaves if home[x] == key])
            for key in keys
        ]

    def _unit(self, device: str) -> str:
        groups = self._view.groups
        own = self._view.devices[device].groups
        for kind in ("unit", "pod"):
            found = [g for g in own if groups[g].kind == kind]
            if found:
                return found[0]
        return ""

    def _unit_of_neighbours(self, leaf: str, home: Mapping[str, str]) -> str:
        votes: dict[str, int] = {}
        for index in self._neighbours.get(leaf, ()):
            pair = self._pairs[index]
            unit = home.get(pair.b if pair.a == leaf else pair.a, "")
            if unit:
                votes[unit] = votes.get(unit, 0) + pair.size
        return min(votes, key=lambda g: (-votes[g], g)) if votes else ""

    def _areas_by_cable(self, servers: Sequence[str], leaves: Sequence[str]) -> list[Area]:
        joined = Unions((*servers, *leaves))
        for pair in self._pairs:
            if {self.tier[pair.a], self.tier[pair.b]} == {"server", "leaf"}:
                joined.join(pair.a, pair.b)
        for members in self._racks_of(servers).values():
            for other in members[1:]:
                joined.join(members[0], other)
        sets = [s for s in joined.sets() if any(self.tier[d] == "leaf" for d in s) and len(s) > 1]
        loose = [d for s in joined.sets() if s not in sets for d in s]
        if len(sets) <= 1:
            sets, loose = [[*(sets[0] if sets else ()), *loose]], []
        ordered = sorted(
            (self.ordered(s) for s in sets), key=lambda s: (self._keys[s[0]], s[0]) if s else ((), "")
        )
        areas = [self._area("", *self._split(s)) for s in (*ordered, *([tuple(loose)] if loose else []))]
        return [a for a in areas if a.leaves or a.columns]

    def _split(self, devices: Iterable[str]) -> tuple[list[str], list[str]]:
        rows = list(devices)
        return [d for d in rows if self.tier[d] == "server"], [d for d in rows if self.tier[d] == "leaf"]

    def _area(self, group: str, servers: Sequence[str], leaves: Sequence[str]) -> Area:
        title = self._view.groups[group].label if group else ""
        rails = {d: self._view.devices[d].rail for d in leaves}
        first = sorted(leaves, key=lambda d: (rails[d] is None, rails[d] or 0, self._keys[d], d))
        return Area(group, title, tuple(first), tuple(self._columns(servers)))

    def _racks_of(self, servers: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for server in servers:
            rack = self._view.devices[server].rack
            if rack:
                found.setdefault(rack, []).append(server)
        return found

    def _columns(self, servers: Sequence[str]) -> Iterable[Column]:
        devices, racks = self._view.devices, self._view.racks
        by_rack = self._racks_of(servers)
        for rack in sorted(by_rack, key=lambda r: (natural(racks[r].label), r)):
            top_first = sorted(
                by_rack[rack], key=lambda d: (-(devices[d].u or 0), devices[d].slot, self._keys[d], d)
            )
            yield Column(rack, racks[rack].label, tuple(top_first))
        free = self.ordered(s for s in servers if not devices[s].rack)
        deep = 1 if len(free) <= 8 else 4
        for start in range(0, len(free), deep):
            yield Column("", "", tuple(free[start : start + deep]))

    def _pods(self, areas: Sequence[Area], spines: Sequence[str]) -> tuple[Pod, ...]:
        joined = Unions((*(f"#{n}" for n in range(len(areas))), *spines))
        home = {d: f"#{n}" for n, area in enumerate(areas) for d in (*area.leaves, *area.servers)}
        for pair in self._pairs:
            for low, high in ((pair.a, pair.b), (pair.b, pair.a)):
                if self.tier[high] == "spine" and low in home:
                    joined.join(home[low], high)
        pods: list[Pod] = []
        loose: list[str] = []
        for members in joined.sets():
            own = [areas[int(m[1:])] for m in members if m.startswith("#")]
            tops = self.ordered(m for m in members if not m.startswith("#"))
            if own:
                pods.append(Pod(tops, tuple(own)))
            else:
                loose += tops
        if loose:
            last = pods.pop() if len(pods) == 1 else Pod((), ())
            pods.append(Pod(self.ordered((*last.spines, *loose)), last.areas))
        return tuple(pods)

    # ---- blocks

    def _blocks(self) -> tuple[Block, ...]:
        members: dict[str, list[str]] = {}
        for device, tier in self.tier.items():
            if tier not in ("server", "leaf", "spine", "core"):
                members.setdefault(tier, []).append(device)
        order = [*BLOCK_TITLES]
        keys = sorted(members, key=lambda k: (order.index(k) if k in order else order.index("storage"), k))
        return tuple(self._block(key, members[key]) for key in keys)

    def _block(self, key: str, members: Sequence[str]) -> Block:
        fabrics = self._view.fabrics
        title = BLOCK_TITLES.get(key) or fabrics[key.removeprefix("fabric:")].label
        switches = sorted(
            members, key=lambda d: (not self._view.type_of(self._view.devices[d]).is_switch, self._keys[d], d)
        )
        return Block(key, title, tuple(switches), key)
