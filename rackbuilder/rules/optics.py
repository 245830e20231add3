"""Plugs, fibres and cables that cannot work where they are, parts no longer sold, air from the wrong side."""

from collections.abc import Iterator, Sequence

from rackbuilder.analysis.cabling.models import Fault, Lengths, Media, Mend
from rackbuilder.analysis.inputs import Inputs
from rackbuilder.analysis.results import Compiled
from rackbuilder.catalog.compatibility import right_air
from rackbuilder.catalog.parts import CableType, OpticType
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import SetPlug
from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.names import counted
from rackbuilder.commands.optics import SetMedium
from rackbuilder.design.integrity import cable_where
from rackbuilder.design.records import Device, Face
from rackbuilder.rules.finding import Finding, finding, topic
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import rate_text

_MANY = 12
"""Faults of one rule are told one by one up to here, then together."""
AIR = "airflow"
"""Key of a device’s config that says which version was ordered: P2C or C2P."""


def plugged(inputs: Inputs) -> Iterator[Finding]:
    """What is pinned and cannot work, at its port."""
    media: Media = inputs.result("media")
    by_rule: dict[str, list[Fault]] = {}
    for fault in media.faults:
        by_rule.setdefault(fault.rule, []).append(fault)
    for faults in by_rule.values():
        if len(faults) <= _MANY:
            yield from (_told(fault) for fault in faults)
        else:
            yield _together(faults)


def _told(fault: Fault) -> Finding:
    return finding(
        fault.severity, fault.rule, fault.what, fault.where, fault.fix, fault.refs, _command([fault.mend])
    )


def _together(faults: Sequence[Fault]) -> Finding:
    first = faults[0]
    refs = dict.fromkeys(ref for fault in faults for ref in fault.refs)
    return finding(
        first.severity,
        first.rule,
        f"{first.what}; and {len(faults) - 1:,} more like it",
        f"{first.where} and others",
        first.fix,
        list(refs),
        _command([fault.mend for fault in faults]),
    )


def _command(mends: Sequence[Mend | None]) -> Command | None:
    """One edit for all; an optic is set cage by cage, so only a single one has a fix of its own."""
    known = [mend for mend in mends if mend is not None]
    media = [mend for mend in known if mend.kind == "medium"]
    if media:
        return SetMedium(cables=tuple(dict.fromkeys(name for mend in media for name in mend.target)))
    if len(known) == 1 and known[0].kind == "optic":
        return SetPlug(cage=known[0].target[0], part=known[0].value)
    return None


def not_sold(inputs: Inputs) -> Iterator[Finding]:
    """A pinned cable or optic that can no longer be ordered; what exists already may stay."""
    gone = [
        part
        for part in inputs.parts.values()
        if isinstance(part, CableType | OpticType) and not part.orderable
    ]
    for part in sorted(gone, key=lambda part: natural_key(part.id)):
        cables = [c.id for c in inputs.cables.values() if c.part == part.id and c.state != "existing"]
        cages = [p.id for p in inputs.tables["plugs"].values() if p.part == part.id]
        if not cables and not cages:
            continue
        users = counted(len(cables), "link") if cables else counted(len(cages), "cage")
        names = sorted(cables or cages, key=natural_key)
        yield finding(
            "warning",
            "optics.not-sold",
            f"{part.name} can no longer be ordered ({part.status or 'not on sale'}): {users}",
            "parts list",
            "Choose a part on sale, or mark the cables as existing.",
            names,
            SetMedium(cables=tuple(names)) if cables and _all_decidable(inputs, cables) else None,
        )


def _all_decidable(inputs: Inputs, cables: Sequence[str]) -> bool:
    """Whether the lengths are known, without which no other part can be chosen."""
    lengths = inputs.result("lengths").cables
    return all(name in lengths and lengths[name].exact for name in cables)


def too_short(inputs: Inputs) -> Iterator[Finding]:
    """Cables whose set length does not reach from port to port, even without slack."""
    lengths: Lengths = inputs.result("lengths")
    names = sorted(lengths.short, key=natural_key)
    if not names:
        return
    first = inputs.cables[names[0]]
    given = lengths.cables[names[0]].value or 0.0
    path = lengths.short[names[0]].value or 0.0
    more = f"; and {len(names) - 1:,} more like it" if len(names) > 1 else ""
    yield finding(
        "warning",
        "optics.too-short",
        f"{first.label} is set to {given:g} m; its path is {path:.4g} m without slack{more}",
        cable_where(inputs, first),
        "Clear the length, so that it follows from the racks, or set a longer one.",
        names,
        SetProperty(refs=tuple(names), field="length_m"),
    )


def open_links(inputs: Inputs) -> Iterator[Finding]:
    """Links that neither the user nor the tool gave a part, by what stands in the way."""
    media: Media = inputs.result("media")
    found: dict[str, list[str]] = {}
    for name, reason in media.open.items():
        found.setdefault(_cause(reason), []).append(name)
    for cause in sorted(found):
        names = sorted(found[cause], key=natural_key)
        yield finding(
            "note",
            "cabling.no-part",
            f"{counted(len(names), 'link')} {'has' if len(names) == 1 else 'have'} no cable chosen yet: {cause}",
            "parts list",
            "Set the part of these links, or what the choice needs.",
            names,
        )


def _cause(reason: str) -> str:
    """The reason without the names in it, so that alike ones are one finding."""
    text = reason.partition(":")[0] if reason.startswith("Its length") else reason
    return text[:1].lower() + text[1:].rstrip(".")


# ---- air


def airflow(inputs: Inputs) -> Iterator[Finding]:
    """A switch whose version draws the air of the hot aisle: fans blow away from the cold front of the rack."""
    made_of = (inputs.devices, inputs.racks, inputs.parts)
    yield from inputs.graphs.memo.get("airflow findings", made_of, lambda: tuple(_airflow(inputs)))


def _airflow(inputs: Inputs) -> Iterator[Finding]:
    for device in sorted(inputs.devices.values(), key=lambda device: natural_key(device.id)):
        part = inputs.type_of(device)
        options = part.airflow_options
        if not part.is_switch or not options or device.rack not in inputs.racks:
            continue
        ordered = device.config.get(AIR, options[0] if len(options) == 1 else "")
        right = right_air(_ports_at(inputs, device))
        if ordered in ("P2C", "C2P") and ordered != right:
            yield _hot(inputs, device, ordered, right)


def _ports_at(inputs: Inputs, device: Device) -> Face:
    """Where the ports look: the face of the rack that the port side of the device is at."""
    faces = [row.face for row in inputs.type_of(device).cages if row.role == "data"]
    face: Face = faces[0] if faces else "front"
    if device.face == "front":
        return face
    return "rear" if face == "front" else "front"


def _hot(inputs: Inputs, device: Device, ordered: str, right: str) -> Finding:
    part = inputs.type_of(device)
    side = _ports_at(inputs, device)
    other = right in part.airflow_options
    turn = f"Turn it, so that its ports look to the {'rear' if side == 'front' else 'front'}"
    return finding(
        "error",
        "optics.airflow",
        f"{device.label} ({part.name}, {ordered}) has its ports at the {side} of the rack and draws air from the "
        "hot aisle",
        f"rack {inputs.racks[device.rack].label}",
        f"Order the {right} version, or turn the device." if other else f"{turn}.",
        (device.id,),
        SetProperty(ref=device.id, field=f"config.{AIR}", value=right) if other else None,
    )


# ---- generations


def generations(inputs: Inputs) -> Iterator[Finding]:
    """Servers of slower NICs on the leaves of faster ones: each link is fine, a job over all runs at the slowest."""
    compiled: Compiled = inputs.result("compiled")
    compute = {graph.id for graph in inputs.graphs.compute}
    seen = {(group.fabric, group.rate_bps) for group in compiled.links if group.scope == "server-leaf"}
    if len(seen) == len({fabric for fabric, _ in seen}):
        return  # one rate a fabric: nearly always
    rates: dict[str, dict[float, dict[str, None]]] = {}
    for group in compiled.links:
        if group.scope == "server-leaf" and group.fabric in compute and group.rate_bps is not None:
            server = group.a if compiled.roles.get(group.a) == "server" else group.b
            if inputs.type_of(inputs.devices[server]).gpu_count:
                rates.setdefault(group.fabric, {}).setdefault(group.rate_bps, {})[server] = None
    for fabric, found in rates.items():
        if len(found) > 1:
            yield _mixed(fabric, found)


def _mixed(fabric: str, found: dict[float, dict[str, None]]) -> Finding:
    fast, *slower = sorted(found, reverse=True)
    few = [name for rate in slower for name in found[rate]]
    text = ", ".join(f"{counted(len(found[rate]), 'server')} at {rate_text(rate)}" for rate in slower)
    return finding(
        "warning",
        "optics.generations",
        f"Mixed generations on {fabric}: {text} beside {counted(len(found[fast]), 'server')} at {rate_text(fast)} "
        "per direction; a job over all of them runs at the slowest",
        f"fabric {fabric}",
        "Keep such servers out of jobs on the faster ones, or give them a fabric of their own.",
        few,
    )


OPTICS = topic(
    "optics",
    "parts devices racks cables fabrics faults overrides plugs",
    "compiled lengths media",
    plugged,
    not_sold,
    too_short,
    airflow,
    generations,
    open_links,
)
