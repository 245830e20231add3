"""Running a template again with other fields, without losing hand edits: a three-way merge as one patch.

As generated, as it is, as it would be now. What nobody touched becomes what the template makes now; a hand edit stays,
and wins where both changed the same; what was deleted by hand stays deleted; what is new but no longer fits beside
hand work is left out. Everything that is not plain is listed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import ClassVar, NamedTuple, TypeVar

from pydantic import Field, JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands import cascade
from rackbuilder.commands.base import Command, checked
from rackbuilder.commands.targets import Target
from rackbuilder.design.draft import Draft
from rackbuilder.design.integrity import new_misfits
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import TABLES, Base, Cable, Device, Original, Run, json_values
from rackbuilder.design.structure import named
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, refusal
from rackbuilder.templates.base import Template
from rackbuilder.templates.generated import Renaming, Slot, as_generated, generate
from rackbuilder.templates.listed import template

_PLACE = ("rack", "u", "slot", "face", "parent")
"""Fields of a device that change together: half a move is none."""
_ROUNDS = 8
_REPLACEABLE = ("cables", "plugs")
"""Tables whose records go when the template makes others in their place."""
T = TypeVar("T", bound=Base)


class Outcome(NamedTuple):
    """The patch, and what of the merge somebody should look at."""

    patch: Patch
    problems: tuple[Problem, ...]


class Regenerate(Command):
    """`fields` are those to change; the others stay as the run has them. `run` empty: the only one."""

    verb: ClassVar[str] = "regenerate"

    run: str = Field("", description="run of the template; empty: the only one of the design")
    fields: dict[str, JsonValue] = Field(default_factory=dict, description="fields that change")

    def plan(self, view: View, catalog: Catalog) -> Patch:
        return self.outcome(view, catalog).patch

    def outcome(self, view: View, catalog: Catalog) -> Outcome:
        """Raises ProblemError when there is no such run, or the template refuses the fields."""
        run = _run(view, self.run)
        command = checked(template(run.template), {**run.fields, **self.fields}, f"run {run.id}")
        assert isinstance(command, Template)
        return _Merge(view, catalog, run, command).outcome()


def _run(view: View, name: str) -> Run:
    runs = view.tables["runs"]
    if name:
        found = view.need("runs", name)
        assert isinstance(found, Run)
        return found
    if len(runs) == 1:
        only = next(iter(runs.values()))
        assert isinstance(only, Run)
        return only
    if not runs:
        raise refusal("No template was run on this design", "regenerate", "Use a template first.")
    raise refusal(
        f"{len(runs)} templates were run on this design", "regenerate", f"Name one of {', '.join(runs)}."
    )


def _found(what: str, where: str, fix: str, refs: Iterable[str] = ()) -> Problem:
    return Problem(what, where, fix, "warning", tuple(refs), "template.merge")


class _Merge:
    """One merge. `final` is what a slot becomes, `added` the ids that only the new run makes."""

    def __init__(self, view: View, catalog: Catalog, run: Run, command: Template) -> None:
        self.view, self.run, self.command = view, run, command
        self.draft = Draft(view, generating=True)
        self.old = as_generated(view, run.id)
        fresh = generate(view, catalog, command, run.id)
        self.draft.use_parts(fresh.parts)
        renaming = Renaming(self.draft, self.old, fresh.records, run.id)
        self.new = {slot: renaming.record(slot, record) for slot, record in fresh.records.items()}
        self.final: dict[tuple[str, str], Base] = {}
        self.added: dict[tuple[str, str], None] = {}
        self.gone: dict[tuple[str, str], None] = {}
        self.originals: dict[str, Base | None] = {}
        self.problems: list[Problem] = []
        self.deleted: dict[str, int] = {}
        self.left_out: dict[str, list[str]] = {}

    def outcome(self) -> Outcome:
        for slot, new in self.new.items():
            self._made(slot, new)
        for slot, old in self.old.items():
            if slot not in self.new:
                self._unmade(slot, old)
        self._drop_homeless()
        self._keep_used()
        self._write()
        self._fit()
        self._file()
        self._list()
        label = f"Run again: {self.command.label()}"
        return Outcome(self.draft.patch(label), tuple(self.problems))

    # ---- what becomes of each record

    def _made(self, slot: Slot, new: Base) -> None:
        """A record that the template makes now."""
        old, key = self.old.get(slot), (slot.table, new.id)
        if old is None:
            self.final[key] = new
            self.added[key] = None
            return
        here = self.view.tables[slot.table].get(old.id)
        self.originals[f"{slot.table}/{old.id}"] = new
        if here is None:
            self.deleted[slot.table] = self.deleted.get(slot.table, 0) + 1
            return
        new = _turned(old, new)
        merged, conflicts = three_way(old, here, new)
        self.final[key] = merged
        if merged == new:
            self.originals[f"{slot.table}/{old.id}"] = None
        for name in conflicts:
            what = f"{here.label} keeps its {name.replace('_', ' ')}, which the template would change too"
            self.problems.append(_found(what, here.label, "Check it against the new design.", (here.id,)))

    def _unmade(self, slot: Slot, old: Base) -> None:
        """A record that the template no longer makes: it goes, unless it was changed by hand and can stay."""
        here = self.view.tables[slot.table].get(old.id)
        self.originals[f"{slot.table}/{old.id}"] = None
        if here is None:
            return
        key = (slot.table, old.id)
        rewired = isinstance(here, Cable) and isinstance(old, Cable) and {here.a, here.b} != {old.a, old.b}
        if here == old or (slot.table in _REPLACEABLE and not rewired):
            self.gone[key] = None
            if here != old:
                what = f"{here.label} goes, and what was set on it by hand: the template no longer makes it"
                self.problems.append(_found(what, here.label, "Set it again where it is needed."))
            return
        self._stay(key, here, "was changed by hand")

    def _stay(self, key: tuple[str, str], here: Base, why: str) -> None:
        """Kept as the user's own."""
        self.gone.pop(key, None)
        self.final[key] = replace(here, made_by=None)
        what = f"{here.label} stays: the template no longer makes it, but it {why}"
        self.problems.append(_found(what, here.label, "Delete it if it is not needed.", (here.id,)))

    def _drop_homeless(self) -> None:
        """New records that name one which was deleted by hand are left out; groups that are gone are forgotten."""
        for _ in range(_ROUNDS):
            homeless = [key for key in self.added if key in self.final and not self._at_home(self.final[key])]
            for key in homeless:
                self._leave_out(key)
            if not homeless:
                break
        for key, record in list(self.final.items()):
            groups = getattr(record, "groups", ())
            known = tuple(g for g in groups if self._there("groups", g))
            if known != groups:
                self.final[key] = replace(record, groups=known)  # type: ignore[call-arg]

    def _there(self, table: str, identity: str) -> bool:
        key = (table, identity)
        return key in self.final or (identity in self.draft.tables[table] and key not in self.gone)

    def _at_home(self, record: Base) -> bool:
        device = record.id.partition(":")[0]
        names = [pair for pair in named(record) if pair[0] != "groups"]  # type: ignore[arg-type]
        names += [("devices", device)] if ":" in record.id else []
        return all(self._there(*name) for name in names)

    def _leave_out(self, key: tuple[str, str]) -> None:
        record = self.final.pop(key)
        self.added.pop(key, None)
        self.left_out.setdefault(key[0], []).append(record.label)

    def _keep_used(self) -> None:
        """What hand work still names stays: a device with a hand-made cable, its rack, its fabric."""
        while True:
            used = [key for key in dict.fromkeys(self._names()) if key in self.gone]
            for key in used:
                self._stay(key, self.view.tables[key[0]][key[1]], "is still in use")
            if not used:
                return

    def _names(self) -> Iterator[tuple[str, str]]:
        for table in TABLES:
            for identity, record in self.view.tables[table].items():
                key = (table, identity)
                if key not in self.gone and key not in self.final:
                    yield from named(record)
        for record in self.final.values():
            yield from named(record)  # type: ignore[arg-type]

    # ---- on the draft

    def _write(self) -> None:
        """Cables go first and devices last: what moves out of a rack that goes must have moved by then."""
        draft, order = self.draft, tuple(TABLES)
        for table, identity in self.gone:
            if table in _REPLACEABLE:
                draft.remove(table, identity)
        for (table, _), record in sorted(self.final.items(), key=lambda row: order.index(row[0][0])):
            draft.put(table, record)  # type: ignore[arg-type]
        cascade.remove(draft, (Target(*key) for key in self.gone if key[0] not in _REPLACEABLE))

    def _fit(self) -> None:
        """What cannot stand beside hand work is taken out again, until everything fits."""
        for _ in range(_ROUNDS):
            misfits = new_misfits(self.view, self.draft, self.draft.patch(""))
            mended = [self._resolve(problem) for problem in misfits]
            if not any(mended):
                return

    def _resolve(self, problem: Problem) -> bool:
        """One misfit: the new record goes, else a device returns to its place, else a cable without a port goes."""
        for ref in problem.refs:
            for table in ("cables", "devices"):
                if (table, ref) in self.added:
                    self._take_out(table, ref)
                    return True
        for ref in problem.refs:
            if self._return(ref):
                return True
        cable = next((ref for ref in problem.refs if ref in self.draft.cables), None)
        if cable is None or not problem.rule.startswith("cabling"):
            return False
        what = f"{self.draft.cables[cable].label} goes: {problem.what}"
        self.problems.append(_found(what, problem.where, "Draw it again to another port.", (cable,)))
        self.draft.remove("cables", cable)
        return True

    def _take_out(self, table: str, identity: str) -> None:
        if table == "devices":
            for cable in list(self.draft.cables_of(identity)):
                self._take_out("cables", cable.id)
            for plug in [p for p in self.draft.tables["plugs"] if p.partition(":")[0] == identity]:
                self.draft.remove("plugs", plug)
        record = self.draft.tables[table][identity]
        self.added.pop((table, identity), None)
        self.left_out.setdefault(table, []).append(record.label)
        self.draft.remove(table, identity)

    def _return(self, ref: str) -> bool:
        """A device that the template moved, back to where it stood."""
        was, now = self.view.devices.get(ref), self.draft.devices.get(ref)
        if was is None or now is None or _place(was) == _place(now) or not self._there("racks", was.rack):
            return False
        self.draft.put("devices", replace(now, **{name: getattr(was, name) for name in _PLACE}))
        what = f"{now.label} stays where it is: its new place is taken"
        self.problems.append(
            _found(what, now.label, "Move what stands there, and run the template again.", (ref,))
        )
        return True

    def _file(self) -> None:
        """The run's fields, and what is now as generated."""
        self.draft.put("runs", replace(self.run, fields=self.command.run_fields()))
        for key, record in self.originals.items():
            if record is None:
                self.draft.remove("originals", key)
            else:
                self.draft.put("originals", Original(id=key, record=json_values(record)))  # type: ignore[arg-type]

    def _list(self) -> None:
        for table, count in self.deleted.items():
            what = (
                f"{count:,} {_word(table, count)} deleted by hand {'stays' if count == 1 else 'stay'} deleted"
            )
            self.problems.append(_found(what, "template", "Undo the deletion if they are wanted."))
        for table, names in self.left_out.items():
            shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            what = f"{len(names):,} new {_word(table, len(names))} left out beside hand work: {shown}"
            self.problems.append(
                _found(what, "template", "Free the ports and places, and run the template again.")
            )


def _word(table: str, count: int) -> str:
    word = {"plugs": "optics", "cables": "cables", "devices": "devices"}.get(table, table)
    return word if count != 1 else word.rstrip("s") if word != "optics" else "optic"


def _place(device: Device) -> tuple[object, ...]:
    return tuple(getattr(device, name) for name in _PLACE)


def _turned(old: Base, new: T) -> T:
    """A cable with its ends in the order they had."""
    if isinstance(old, Cable) and isinstance(new, Cable) and old.a == new.b and old.b == new.a:
        return replace(new, a=new.b, b=new.a)
    return new


def three_way(old: Base, here: Base, new: Base) -> tuple[Base, list[str]]:
    """One record of three states, field by field; the names of fields that hand and template both changed.

    The hand wins. The fields of a device's place are one.
    """
    if here == old:
        return new, []
    names = [f.name for f in fields_of(here) if f.name not in ("id", "made_by")]
    units: list[tuple[str, ...]] = [
        (name,) for name in names if not isinstance(here, Device) or name not in _PLACE
    ]
    if isinstance(here, Device):
        units.append(_PLACE)
    chosen: dict[str, object] = {}
    conflicts = []
    for unit in units:
        was, now, next_ = ([getattr(r, name) for name in unit] for r in (old, here, new))
        hand = now != was
        chosen |= zip(unit, now if hand else next_, strict=True)
        if hand and next_ not in (was, now):
            conflicts.append("place" if unit == _PLACE else unit[0])
    return replace(new, **chosen), conflicts  # type: ignore[arg-type]
