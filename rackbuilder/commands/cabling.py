"""Cables: one, a bundle, another end for one, none any more; and the optics pinned to cages."""

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import FabricRole
from rackbuilder.catalog.ports import ports_of
from rackbuilder.commands import cascade, targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.bundles import BundlePlan, Pattern, label_of, propose_bundle
from rackbuilder.commands.names import counted
from rackbuilder.commands.ports import nvlink_refusal, refuse_all, speaks_nvlink
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Plug
from rackbuilder.design.view import View
from rackbuilder.errors import ProblemError, did_you_mean, refusal

__all__ = ["BundlePlan", "Connect", "ConnectBundle", "Disconnect", "Reconnect", "SetPlug", "propose_bundle"]


class Connect(Command):
    """One cable between two free ports, “srv-0001:osfp1/1”; a device alone stands for its first port that suits."""

    verb: ClassVar[str] = "connect"

    a: str
    b: str
    part: str = ""
    length_m: float | None = Field(None, gt=0)
    fabric: str = ""
    name: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        one, two = _end(draft, self.a), _end(draft, self.b)
        _refuse_nvlink(draft, one.device, two.device)
        if not one.port or not two.port:
            one, two = _suitable(draft, one, two)
        for end in (one, two):
            _refuse_used(draft, end)
        if one == two:
            raise refusal("A cable needs two ports", refs.port_ref(*one), "Choose another port for one end.")
        _refuse_mixed(draft, one, two)
        part = targets.use_cable_type(draft, catalog, self.part).id if self.part else ""
        fabric = targets.target(draft, self.fabric, ("fabrics",)).id if self.fabric else ""
        cable = Cable(
            id=draft.new_id("cbl"),
            name=self.name,
            a=one,
            b=two,
            part=part,
            length_m=self.length_m,
            fabric=fabric,
        )
        draft.put("cables", cable)
        return f"Cable {_label(draft, one)} to {_label(draft, two)}"


class ConnectBundle(Command):
    """Many cables by a pattern, in one step. Refused when fewer fit than it asks for, unless `count` says how many.

    `per_pair` 0 spreads all free ports evenly. `role` says which cages of a server are meant; without it the fabric
    of the switches does.
    """

    verb: ClassVar[str] = "connect-bundle"

    sources: tuple[str, ...] = Field(min_length=1)
    targets: tuple[str, ...] = Field(min_length=1)
    pattern: Pattern = ""
    per_pair: int = Field(1, ge=0, le=64)
    role: FabricRole | Literal[""] = ""
    count: int = Field(0, ge=0)
    part: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        plan = self.proposal(draft)
        refuse_all(plan.problems)
        part = targets.use_cable_type(draft, catalog, self.part).id if self.part else ""
        for a, b in plan.cables:
            draft.put("cables", Cable(id=draft.new_id("cbl"), a=a, b=b, part=part))
        return label_of(plan)

    def proposal(self, view: View) -> BundlePlan:
        """What the bundle would be; the gesture shows it before release."""
        return propose_bundle(
            view, self.sources, self.targets, self.pattern, self.per_pair, self.role, self.count
        )


class Disconnect(Command):
    """Takes cables away: by id, by port or cage, all of a device, or all between two devices (“srv-0001~leaf-03”)."""

    verb: ClassVar[str] = "disconnect"

    refs: tuple[str, ...] = Field(min_length=1)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = {cable: None for text in self.refs for cable in cables_named(draft, text)}
        cascade.remove(draft, [targets.Target("cables", cable) for cable in found])
        return f"Disconnect {counted(len(found), 'cable')}"


class Reconnect(Command):
    """Another port for one or both ends of a cable, which else stays as it is."""

    verb: ClassVar[str] = "reconnect"

    cable: str
    a: str = ""
    b: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        cable = draft.cables[targets.target(draft, self.cable, ("cables",)).id]
        ends = {
            side: self._moved(draft, cable, text) for side, text in (("a", self.a), ("b", self.b)) if text
        }
        moved = replace(cable, **ends)  # type: ignore[arg-type]
        _refuse_nvlink(draft, moved.a.device, moved.b.device)
        _refuse_mixed(draft, moved.a, moved.b)
        draft.put("cables", moved)
        cascade.drop_idle_plugs(draft, cable)
        return f"Move {cable.label} to {_label(draft, next(iter(ends.values()), cable.a))}"

    def _moved(self, draft: Draft, cable: Cable, text: str) -> End:
        end = _end(draft, text)
        if not end.port:
            raise refusal(f"“{text}” names no port", "reconnect", "Write it as device:port.")
        if cable.id not in draft.ports_used(end.device).get(end.port, ()):
            _refuse_used(draft, end)
        return end


class SetPlug(Command):
    """Pins the optic of a cage, “leaf-03:osfp9”; without a part, what is plugged follows from the links again."""

    verb: ClassVar[str] = "plug"

    cage: str
    part: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        named = refs.parse(self.cage)
        device = targets.device(draft, named.record)
        cages = {f"{row.name}{n + 1}" for row in draft.type_of(device).cages for n in range(row.count)}
        if named.port not in cages:
            raise refusal(
                f"{device.label} has no cage “{named.port}”", self.cage, did_you_mean(named.port, cages)
            )
        identity = refs.port_ref(device.id, named.port)
        if self.part:
            draft.put("plugs", Plug(id=identity, part=targets.use_optic_type(draft, catalog, self.part).id))
        else:
            draft.remove("plugs", identity)
        return f"Plug {self.part} into {identity}" if self.part else f"Unplug {identity}"


def cables_named(view: View, text: str) -> list[str]:
    """The cables that a ref names. Raises ProblemError when there are none."""
    parsed = refs.parse(text)
    if parsed.other:
        found = _between(view, parsed.record, parsed.other)
        if not found:
            fix = "A backplane link follows from the trays that sit in it: move a tray, or mark the link as failed."
            raise refusal(f"No cable joins {parsed.record} and {parsed.other}", text, fix)
        return found
    if not parsed.port:
        table, identity = targets.target(view, text, ("cables", "devices"))
        return [identity] if table == "cables" else [c.id for c in view.cables_of(identity)]
    device = targets.device(view, parsed.record).id
    used = view.ports_used(device)
    found = [c for port, ids in used.items() if parsed.port in (port, port.partition("/")[0]) for c in ids]
    if not found:
        raise refusal(f"No cable is in {text}", text, did_you_mean(parsed.port, used))
    return found


def _between(view: View, a: str, b: str) -> list[str]:
    one, two = targets.device(view, a).id, targets.device(view, b).id
    return [c.id for c in view.cables_of(one) if two in (c.a.device, c.b.device)]


def _end(draft: Draft, text: str) -> End:
    """An end from “device:port” (or a device alone: no port). Raises ProblemError for what is not there."""
    named = refs.parse(text)
    device = targets.device(draft, named.record)
    part = draft.type_of(device)
    if not named.port:
        return End(device.id, "")
    ports = ports_of(part, device.modes)
    if named.port not in ports and part.category != "nvlink-switch-tray":
        fix = did_you_mean(named.port, ports) if ports else f"{part.name} has no ports that take a cable."
        raise refusal(f"{device.label} has no port “{named.port}”", text, fix, (device.id,))
    return End(device.id, named.port)


def _suitable(draft: Draft, one: End, two: End) -> tuple[End, End]:
    """Ports for ends that name none: the first that a bundle between the two devices would take."""
    plan = propose_bundle(draft, (one.device,), (two.device,), "all-to-all")
    refuse_all(plan.problems)
    by_device = {end.device: end for end in plan.cables[0]}
    return (one if one.port else by_device[one.device]), (two if two.port else by_device[two.device])


def _refuse_nvlink(draft: Draft, a: str, b: str) -> None:
    one, two = draft.devices[a], draft.devices[b]
    problem = nvlink_refusal((one, draft.type_of(one)), (two, draft.type_of(two)))
    if problem:
        raise ProblemError(problem)


def _refuse_mixed(draft: Draft, one: End, two: End) -> None:
    """An NVLink port meets its like only."""
    rows = [
        ports_of(draft.type_of(d), d.modes)[p].cages
        for d, p in ((draft.devices[e.device], e.port) for e in (one, two))
    ]
    if speaks_nvlink(rows[0]) != speaks_nvlink(rows[1]):
        what = f"{_label(draft, one)} and {_label(draft, two)}: an NVLink port and a network port cannot be joined"
        raise refusal(what, "connect", "Join NVLink ports with each other.", (one.device, two.device))


def _refuse_used(draft: Draft, end: End) -> None:
    device: Device = draft.devices[end.device]
    if end.port not in ports_of(draft.type_of(device), device.modes):
        raise refusal(f"{device.label} has no port “{end.port}”", device.label, refs=(device.id,))
    used = draft.ports_used(end.device).get(end.port, ())
    if used:
        what = f"Port {end.port} of {device.label} holds {draft.cables[used[0]].label} already"
        raise refusal(
            what, device.label, "Choose a free port, or disconnect it first.", (used[0], refs.port_ref(*end))
        )


def _label(draft: Draft, end: End) -> str:
    return f"{draft.devices[end.device].label} {end.port}"
