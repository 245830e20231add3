"""What a template would make, worked out beside the typing: counts first, then how it grows."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import checked
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.layout.fabric import switch_roles
from rackbuilder.session.log import LOGGER
from rackbuilder.session.quick import Facts, quick_facts
from rackbuilder.templates import Template
from rackbuilder.topology.graphs import Graphs, build_graphs

SIZES = ("units", "pods", "racks", "servers")
"""Fields that say how large a design is; the first one a template has grows in the table."""


@dataclass(frozen=True)
class Tiers:
    """Switches of the compute network by tier, and its cables by where they run."""

    leaves: int
    spines: int
    cores: int
    server_leaf: int
    leaf_spine: int
    spine_core: int
    down: int
    up: int
    """Ports of the first leaf to servers and to spines."""
    switch: str
    """Part of the first spine, else of the first leaf."""

    @property
    def count(self) -> int:
        return (self.leaves > 0) + (self.spines > 0) + (self.cores > 0)


@dataclass(frozen=True)
class Planned:
    """What a template would make: `design` is None when it is refused, and `problems` say why."""

    command: Template | None = None
    design: Design | None = None
    graphs: Graphs | None = None
    facts: Facts | None = None
    tiers: Tiers | None = None
    objects: int = 0
    seconds: float = 0.0
    problems: tuple[Problem, ...] = ()


class Growth(NamedTuple):
    """The same template at another size; no servers where that size is refused."""

    size: int
    servers: int
    tiers: Tiers | None
    why: str = ""


def tiers_of(design: Design, graphs: Graphs) -> Tiers:
    """Counts of the compute fabrics, by the roles that their graphs tell."""
    roles = {d: r for d, r in switch_roles(graphs).items() if _computes(design, d)}
    pairs: dict[tuple[str, str], int] = {}
    downs: dict[str, list[int]] = {}
    for cable in design.cables.values():
        ends = [roles.get(cable.a.device, ""), roles.get(cable.b.device, "")]
        pairs[min(ends), max(ends)] = pairs.get((min(ends), max(ends)), 0) + 1
        for device, other in ((cable.a.device, ends[1]), (cable.b.device, ends[0])):
            if roles.get(device) == "leaf":
                downs.setdefault(device, [0, 0])[other in ("spine", "core")] += 1
    counts = {role: sum(r == role for r in roles.values()) for role in ("leaf", "spine", "core")}
    first = min(downs, default="")
    top = min((d for d, r in roles.items() if r == "spine"), default=first)
    return Tiers(
        counts["leaf"],
        counts["spine"],
        counts["core"],
        pairs.get(("", "leaf"), 0),
        pairs.get(("leaf", "spine"), 0),
        pairs.get(("core", "spine"), 0),
        downs.get(first, [0, 0])[0],
        downs.get(first, [0, 0])[1],
        design.devices[top].type if top in design.devices else "",
    )


def _computes(design: Design, switch: str) -> bool:
    fabric = design.fabrics.get(design.devices[switch].fabric)
    return fabric is None or "compute" in fabric.roles or not fabric.roles


def plan(kind: type[Template], fields: Mapping[str, Any], catalog: Catalog) -> Planned:
    """Plans a template on an empty design and counts what comes of it."""
    start = time.perf_counter()
    try:
        command = checked(kind, dict(fields))
        assert isinstance(command, Template)
        patch = command.plan(Design(), catalog)
        design = Design().apply(patch)
    except ProblemError as error:
        return Planned(problems=error.problems)
    graphs = build_graphs(design)
    seconds = time.perf_counter() - start
    facts, tiers = quick_facts(design, graphs), tiers_of(design, graphs)
    return Planned(command, design, graphs, facts, tiers, len(patch.changes), seconds)


def size_field(kind: type[Template]) -> str:
    """The field that grows; empty for a template of one size."""
    return next((name for name in kind.model_fields if name in SIZES), "")


def sizes_to_show(kind: type[Template], now: int) -> list[int]:
    """Sizes around the one typed, within what the field allows, ascending."""
    name = size_field(kind)
    steps = (1, 2, 3, 4, 8) if name != "servers" else (now // 4, now // 2, now, now * 2, now * 4)
    marks = kind.model_fields[name].metadata
    low = max((int(m.ge) for m in marks if hasattr(m, "ge")), default=1)
    high = min((int(m.le) for m in marks if hasattr(m, "le")), default=10**6)
    return sorted({size for size in (*steps, now) if max(low, 1) <= size <= high})


def grow(kind: type[Template], fields: Mapping[str, Any], catalog: Catalog) -> Iterator[Growth]:
    """The same fields at other sizes, one by one."""
    name = size_field(kind)
    for size in sizes_to_show(kind, int(fields.get(name, 1))) if name else ():
        try:
            command = checked(kind, {**fields, name: size})
            design = Design().apply(command.plan(Design(), catalog))
        except ProblemError as error:
            yield Growth(size, 0, None, error.problems[0].what)
            continue
        servers = sum(1 for d in design.devices.values() if design.type_of(d).gpu_count)
        yield Growth(size, servers, tiers_of(design, build_graphs(design)))


class Planner(QObject):
    """Works on the newest fields in a thread of its own, so that typing never waits.

    planned   a Planned, for the fields asked for last
    grown     the rows of its growth so far (tuple of Growth)
    """

    planned = Signal(object)
    grown = Signal(object)

    def __init__(self, catalog: Catalog, inline: bool = False) -> None:
        super().__init__()
        self._catalog = catalog
        self._newest: tuple[type[Template], Mapping[str, Any]] | None = None
        self._ended = False
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        if not inline:
            self._thread = threading.Thread(target=self._loop, name="template", daemon=True)
            self._thread.start()

    def submit(self, kind: type[Template], fields: Mapping[str, Any]) -> None:
        """Works on this next; older fields that wait are dropped."""
        if self._thread is None:
            self._work(kind, fields, lambda: False)
            return
        with self._wake:
            self._newest = (kind, dict(fields))
            self._wake.notify_all()

    def stop(self) -> None:
        """Ends the thread; nothing is told any more."""
        with self._wake:
            self._ended = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _loop(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._newest is not None or self._ended)
                if self._ended or self._newest is None:
                    return
                (kind, fields), self._newest = self._newest, None
            try:
                self._work(kind, fields, self._overtaken)
            except Exception:  # noqa: BLE001 a fault of one template must not end the sheet; it is logged as a bug
                LOGGER.exception("planning %s failed", kind.verb)

    def _overtaken(self) -> bool:
        return self._ended or self._newest is not None

    def _work(self, kind: type[Template], fields: Mapping[str, Any], overtaken: Callable[[], bool]) -> None:
        found = plan(kind, fields, self._catalog)
        if overtaken():
            return
        self.planned.emit(found)
        rows: Sequence[Growth] = ()
        for row in grow(kind, fields, self._catalog) if found.command else ():
            if overtaken():
                return
            rows = (*rows, row)
            self.grown.emit(rows)
