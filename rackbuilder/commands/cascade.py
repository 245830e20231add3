"""What goes with a deleted record: its cables, what is inside it, and every mark that names it."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from rackbuilder.commands.targets import Target
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable


def remove(draft: Draft, found: Iterable[Target], keep_devices: bool = False) -> None:
    """Deletes records with all that cannot stand without them. `keep_devices` takes a rack's devices out instead."""
    gone: dict[str, None] = {}
    for table, identity in found:
        if identity in draft.tables[table]:
            _REMOVERS.get(table, _plain(table))(draft, identity, gone, keep_devices)
    if gone:
        _forget(draft, gone)


Gone = dict[str, None]
Remover = Callable[[Draft, str, Gone, bool], None]


def _plain(table: str) -> Remover:
    def remover(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
        gone[identity] = None
        draft.remove(table, identity)

    return remover


def _device(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    for child in list(draft.children(identity)):
        _device(draft, child.id, gone, keep)
    for cable in list(draft.cables_of(identity)):
        _cable(draft, cable.id, gone, keep)
    for cord in list(draft.cords_of(identity)):
        draft.remove("cords", cord)
    gone[identity] = None
    draft.remove("devices", identity)


def _cable(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    cable = draft.cables[identity]
    gone[identity] = None
    draft.remove("cables", identity)
    drop_idle_plugs(draft, cable)
    if cable.assembly and not any(c.assembly == cable.assembly for c in draft.cables.values()):
        draft.remove("assemblies", cable.assembly)


def drop_idle_plugs(draft: Draft, cable: Cable) -> None:
    """Takes the pinned optics out of cages that lost their last cable, or they would be bought and powered."""
    for device, port in (cable.a, cable.b):
        cage = port.partition("/")[0]
        plug = f"{device}:{cage}"
        if plug in draft.tables["plugs"]:
            used = draft.ports_used(device)
            if not any(name.partition("/")[0] == cage for name in used):
                draft.remove("plugs", plug)


def _rack(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    for device in list(draft.seated(identity)):
        if keep:
            draft.put("devices", replace(device, rack="", u=None, slot=""))
        elif device.id in draft.devices:
            _device(draft, device.id, gone, keep)
    gone[identity] = None
    draft.remove("racks", identity)


def _group(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    """Members stay; groups inside move up."""
    parent = draft.groups[identity].parent
    for table in ("devices", "racks", "cables"):
        for record in [r for r in draft.tables[table].values() if identity in r.groups]:
            draft.put(table, replace(record, groups=tuple(g for g in record.groups if g != identity)))
    for group in [g for g in draft.groups.values() if g.parent == identity]:
        draft.put("groups", replace(group, parent=parent))
    gone[identity] = None
    draft.remove("groups", identity)


def _fabric(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    """Switches and cables stay, without a fabric."""
    for table in ("devices", "cables"):
        for record in [r for r in draft.tables[table].values() if r.fabric == identity]:
            draft.put(table, replace(record, fabric=""))
    gone[identity] = None
    draft.remove("fabrics", identity)


def _space(draft: Draft, identity: str, gone: Gone, keep: bool) -> None:
    """What stands in it moves to the space around it."""
    parent = draft.tables["spaces"][identity].parent
    for rack in [r for r in draft.racks.values() if r.space == identity]:
        draft.put("racks", replace(rack, space=parent))
    for space in [s for s in draft.tables["spaces"].values() if s.parent == identity]:
        draft.put("spaces", replace(space, parent=parent))
    gone[identity] = None
    draft.remove("spaces", identity)


_REMOVERS: dict[str, Remover] = {
    "devices": _device,
    "cables": _cable,
    "racks": _rack,
    "groups": _group,
    "fabrics": _fabric,
    "spaces": _space,
}


# ---- marks that name what is gone


def _forget(draft: Draft, gone: Gone) -> None:
    """Faults, overrides, drawn places, notes and waivers of what is gone go too; jobs lose it from their place."""
    for fault in [f for f in draft.tables["faults"].values() if _names(f.ref, gone)]:
        draft.remove("faults", fault.id)
    for note in [n for n in draft.tables["notes"].values() if n.ref and _names(n.ref, gone)]:
        draft.remove("notes", note.id)
    for waiver in [w for w in draft.tables["waivers"].values() if any(_names(r, gone) for r in w.refs)]:
        draft.remove("waivers", waiver.id)
    for key in [k for k in draft.tables["drawing"] if _names(k.partition("/")[2], gone)]:
        draft.remove("drawing", key)
    for key in [
        k for k in draft.tables["overrides"] if k.startswith("ref/") and _names(k.split("/")[1], gone)
    ]:
        draft.remove("overrides", key)
    for key in [k for k in draft.tables["plugs"] if _names(k, gone)]:
        draft.remove("plugs", key)
    _jobs(draft, gone)


def _names(ref: str, gone: Gone) -> bool:
    parsed = refs.parse(ref)
    return parsed.record in gone or parsed.other in gone


def _jobs(draft: Draft, gone: Gone) -> None:
    """A job left with no place keeps the dead one: an empty place would mean every GPU of the design."""
    for job in list(draft.jobs.values()):
        left = tuple(ref for ref in job.where if not _names(ref, gone))
        if left and left != job.where:
            draft.put("jobs", replace(job, where=left))
