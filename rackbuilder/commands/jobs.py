"""Jobs: a workload and how it is mapped onto the drawn GPUs."""

from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field, JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands import targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import checked_name
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Job
from rackbuilder.errors import refusal, unknown_name

DIMENSIONS = ("tp", "cp", "ep", "dp", "pp")


class SetJob(Command):
    """Makes a job, or changes what is given of the one with this id; it becomes the active one unless `active` is off.

    `sizes` of tp, cp, ep, pp, dp (0: what the GPUs allow); `where` names groups, devices or GPUs, all when empty.
    """

    verb: ClassVar[str] = "job"

    workload: str = Field(min_length=1)
    sizes: dict[str, int] = Field(default_factory=dict)
    order: tuple[str, ...] = DIMENSIONS
    where: tuple[str, ...] = ()
    options: dict[str, JsonValue] = Field(default_factory=dict)
    transport: dict[str, str] = Field(default_factory=dict)
    name: str = ""
    active: bool = True
    id: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        _check_sizes(self.sizes)
        _check_order(self.order)
        for ref in self.where:
            if not targets.exists(draft, ref):
                raise refusal(
                    f"The job is to run on “{ref}”, which is not there",
                    "job",
                    "Name groups, devices or GPUs.",
                )
        identity = self.id or draft.new_id("job")
        old = draft.jobs.get(identity)
        fields: dict[str, Any] = {name: getattr(self, name) for name in self._said(old)}
        checked_name(self.name)
        job = replace(old, **fields) if old else Job(id=identity, **fields)
        draft.put("jobs", job)
        if self.active:
            _only_active(draft, identity)
        return f"Workload {self.workload}" if old is None else f"Change job {job.label}"

    def _said(self, old: Job | None) -> list[str]:
        """The fields that are set: all of a new job, those given of an old one. Options are for one workload only."""
        every = [name for name in type(self).model_fields if name != "id"]
        if old is None:
            return every
        other = ("options",) if self.workload != old.workload else ()
        return [n for n in every if n in self.model_fields_set or n in other or n == "active"]

    def line(self) -> dict[str, Any]:
        """With every field that was given: one that is left out stays as it is in the job."""
        return {self.verb: self.model_dump(mode="json", exclude_unset=True)}


class RemoveJob(Command):
    """Takes a job away; no other becomes active for it."""

    verb: ClassVar[str] = "remove-job"

    job: str

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        job = draft.jobs[targets.target(draft, self.job, ("jobs",)).id]
        draft.remove("jobs", job.id)
        return f"Remove job {job.label}"


class ActivateJob(Command):
    """Makes one job the active one; an empty name: none is."""

    verb: ClassVar[str] = "activate-job"

    job: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        identity = targets.target(draft, self.job, ("jobs",)).id if self.job else ""
        _only_active(draft, identity)
        return f"Run {draft.jobs[identity].label}" if identity else "Run no workload"


class SwapMapping(Command):
    """Another mapping for a job, as the analysis proposes it: the right one for a wrong one, or back."""

    verb: ClassVar[str] = "swap-mapping"

    job: str
    sizes: dict[str, int] = Field(min_length=1)
    order: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        _check_sizes(self.sizes)
        job = draft.jobs[targets.target(draft, self.job, ("jobs",)).id]
        if self.order:
            _check_order(self.order)
        draft.put("jobs", replace(job, sizes=self.sizes, order=self.order or job.order))
        return f"Map as {mapping_text(self.sizes)}"


def mapping_text(sizes: dict[str, int]) -> str:
    """“TP 8 × PP 4 × DP 32”: what is more than one, in the order people say it."""
    said = [
        f"{name.upper()} {sizes[name]}" for name in ("tp", "cp", "ep", "pp", "dp") if sizes.get(name, 0) > 1
    ]
    return " × ".join(said) or "one GPU a replica"


def _only_active(draft: Draft, identity: str) -> None:
    for job in list(draft.jobs.values()):
        draft.put("jobs", replace(job, active=job.id == identity))


def _check_sizes(sizes: dict[str, int]) -> None:
    for name, size in sizes.items():
        if name not in DIMENSIONS:
            raise unknown_name("parallel dimension", name, DIMENSIONS, "job sizes")
        if size < 0 or (size == 0 and name != "dp"):
            raise refusal(
                f"{name} cannot be {size}", "job sizes", "Give 1 or more; dp may be 0: what the GPUs allow."
            )


def _check_order(order: tuple[str, ...]) -> None:
    for name in order:
        if name not in DIMENSIONS:
            raise unknown_name("parallel dimension", name, DIMENSIONS, "job order")
    if len(set(order)) < len(order):
        raise refusal(
            "A parallel dimension stands twice in the order",
            "job order",
            "Name each once, the fastest first.",
        )
