"""What goes with a deleted record: its cables, what is inside it, and every mark that names it."""

from collections.abc import Iterable
from dataclasses import replace

from rackbuilder.commands.targets import Target
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable


def remove(draft: Draft, found: Iterable[Target], keep_devices: bool = False) -> None:
    """Deletes records with all that cannot stand without them. `keep_devices` takes a rack's devices out instead."""
    removal = _Removal(draft, keep_devices)
    for table, identity in found:
        if identity in draft.tables[table]:
            removal.take(table, identity)
    removal.finish()


def drop_idle_plugs(draft: Draft, cable: Cable) -> None:
    """Takes the pinned optics out of cages that lost their last cable, or they would be bought and powered."""
    for device, port in (cable.a, cable.b):
        cage = port.partition("/")[0]
        plug = refs.port_ref(device, cage)
        if plug in draft.tables["plugs"]:
            used = draft.ports_used(device)
            if not any(name.partition("/")[0] == cage for name in used):
                draft.remove("plugs", plug)


class _Removal:
    """One deletion: what is gone so far, and what may have lost its last user."""

    def __init__(self, draft: Draft, keep_devices: bool) -> None:
        self.draft, self.keep_devices = draft, keep_devices
        self.gone: dict[str, None] = {}
        self.assemblies: dict[str, None] = {}

    def take(self, table: str, identity: str) -> None:
        """A record of any table, with what hangs on it."""
        before = {
            "devices": self._inside_device,
            "racks": self._inside_rack,
            "groups": self._members,
            "fabrics": self._lent,
            "spaces": self._within,
        }.get(table)
        if table == "cables":
            self._cable(self.draft.cables[identity])
            return
        if before:
            before(identity)
        self.gone[identity] = None
        self.draft.remove(table, identity)

    def finish(self) -> None:
        """Assemblies without a cable, and marks that name what is gone."""
        if self.assemblies:
            used = {cable.assembly for cable in self.draft.cables.values()}
            for assembly in self.assemblies:
                if assembly not in used:
                    self.draft.remove("assemblies", assembly)
        if self.gone:
            self._marks()
            self._jobs()

    # ---- what hangs on a record

    def _cable(self, cable: Cable) -> None:
        self.gone[cable.id] = None
        self.draft.remove("cables", cable.id)
        drop_idle_plugs(self.draft, cable)
        if cable.assembly:
            self.assemblies[cable.assembly] = None

    def _inside_device(self, identity: str) -> None:
        for child in list(self.draft.children(identity)):
            self.take("devices", child.id)
        for cable in list(self.draft.cables_of(identity)):
            self._cable(cable)
        for cord in list(self.draft.cords_of(identity)):
            self.take("cords", cord)

    def _inside_rack(self, identity: str) -> None:
        for device in list(self.draft.seated(identity)):
            if self.keep_devices:
                self.draft.put("devices", replace(device, rack="", u=None, slot=""))
            elif device.id in self.draft.devices:
                self.take("devices", device.id)

    def _members(self, identity: str) -> None:
        """Members of a group stay; groups inside it move up."""
        draft, parent = self.draft, self.draft.groups[identity].parent
        for table in ("devices", "racks", "cables"):
            for record in [r for r in draft.tables[table].values() if identity in r.groups]:
                draft.put(table, replace(record, groups=tuple(g for g in record.groups if g != identity)))
        for group in [g for g in draft.groups.values() if g.parent == identity]:
            draft.put("groups", replace(group, parent=parent))

    def _lent(self, identity: str) -> None:
        """Switches and cables of a fabric stay, without one."""
        for table in ("devices", "cables"):
            for record in [r for r in self.draft.tables[table].values() if r.fabric == identity]:
                self.draft.put(table, replace(record, fabric=""))

    def _within(self, identity: str) -> None:
        """What stands in a space moves to the one around it."""
        draft, parent = self.draft, self.draft.tables["spaces"][identity].parent
        for rack in [r for r in draft.racks.values() if r.space == identity]:
            draft.put("racks", replace(rack, space=parent))
        for space in [s for s in draft.tables["spaces"].values() if s.parent == identity]:
            draft.put("spaces", replace(space, parent=parent))

    # ---- marks that name what is gone

    def _names(self, ref: str) -> bool:
        parsed = refs.parse(ref)
        return parsed.record in self.gone or parsed.other in self.gone

    def _marks(self) -> None:
        """Faults, overrides, drawn places, notes, waivers and optics of what is gone."""
        tables = self.draft.tables
        marks = [("faults", f.id, (f.ref,)) for f in tables["faults"].values()]
        marks += [("notes", n.id, (n.ref,)) for n in tables["notes"].values()]
        marks += [("waivers", w.id, w.refs) for w in tables["waivers"].values()]
        marks += [("drawing", key, (key.partition("/")[2],)) for key in tables["drawing"]]
        marks += [("overrides", k, (k.split("/")[1],)) for k in tables["overrides"] if k.startswith("ref/")]
        for table, identity, named in marks:
            if any(ref and self._names(ref) for ref in named):
                self.draft.remove(table, identity)
        for key in [
            key for key in tables["plugs"] if key.partition(":")[0] in self.gone
        ]:  # there are thousands
            self.draft.remove("plugs", key)

    def _jobs(self) -> None:
        """A job left with no place keeps the dead one: an empty place would mean every GPU of the design."""
        for job in list(self.draft.jobs.values()):
            left = tuple(ref for ref in job.where if not self._names(ref))
            if left and left != job.where:
                self.draft.put("jobs", replace(job, where=left))
