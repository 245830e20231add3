"""The medium and parts of every link: as pinned, else the first of the ladder that fits both cages and reaches.

The unit of choice is a cluster, cages that share links. After an edit only the clusters are decided again that touch
a device whose cabling, pins or lengths are others than before.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rackbuilder.analysis.cabling.clusters import (
    Builder,
    CageKey,
    CageLinks,
    Cluster,
    Line,
    cage_links,
    reached,
)
from rackbuilder.analysis.cabling.decide import Decision, Preferences, decide, preferences_of
from rackbuilder.analysis.cabling.ends import bought
from rackbuilder.analysis.cabling.legality import faults_of
from rackbuilder.analysis.cabling.market import Market, market_of
from rackbuilder.analysis.cabling.models import Choice, Fault, Lengths, Media
from rackbuilder.analysis.cabling.pins import pinned_optics
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.design.records import Cable
from rackbuilder.design.view import View
from rackbuilder.units import Figure

Sources = tuple[object, object, object, object]


@dataclass(frozen=True)
class _Part:
    """What came of one cluster."""

    cages: tuple[CageKey, ...]
    cables: dict[str, Choice]
    optics: tuple[tuple[CageKey, str], ...]
    """Those the tool chose."""
    faults: tuple[Fault, ...]
    made_of: tuple[tuple[object, ...], dict[str, tuple[object, object]]]
    """Device and pin of each cage; record and length of each cable."""


@dataclass(frozen=True)
class _State:
    """Everything decided for one design; never changed, so that any later one may start from it."""

    fixed: tuple[object, ...] = ()
    sources: Mapping[str, Sources] = field(default_factory=dict)
    parts: Mapping[CageKey, _Part] = field(default_factory=dict)
    """By each of its cages."""
    cables: dict[str, Choice] = field(default_factory=dict)
    open: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, None] = field(default_factory=dict)
    optics: dict[str, Mapping[str, str]] = field(default_factory=dict)
    by_device: dict[str, Mapping[str, Choice]] = field(default_factory=dict)
    faulty: Mapping[CageKey, _Part] = field(default_factory=dict)
    """By the first of its cages."""


_NO_PINS: Mapping[str, str] = {}


class _Kept:
    """The last state, kept in the memo that graph values hand on."""

    state = _State()


def find_media(inputs: Inputs) -> Media:
    memo = inputs.graphs.memo
    market = market_of(inputs, memo)
    wanted = memo.same("media preferences", preferences_of(inputs))
    kept = memo.get("media kept", (), _Kept)
    decided = memo.get("media decided", (market, wanted), lambda: _Decided(market, wanted))
    state = kept.state = _next(inputs, decided, kept.state)
    faults = tuple(fault for key in sorted(state.faulty) for fault in state.faulty[key].faults)
    # A state is never changed once it is made: the result shares its tables.
    return Media(
        cables=state.cables,
        optics=state.optics,
        by_device=state.by_device,
        open=state.open,
        faults=faults,
        assumptions=tuple(_assumptions(state)),
    )


# ---- from one state to the next


class _Decided:
    """Decisions by what a cluster looks like: most of a fabric looks alike."""

    def __init__(self, market: Market, wanted: Preferences) -> None:
        self.market, self.wanted = market, wanted
        self._known: dict[tuple[object, ...], Decision] = {}
        self._sound: set[tuple[object, ...]] = set()

    def of(self, view: View, cluster: Cluster) -> tuple[Decision, tuple[Fault, ...]]:
        """The decision, and what is wrong with what is pinned."""
        key = _looks(cluster)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = decide(cluster, self.market, self.wanted)
        if key in self._sound:
            return known, ()
        faults = tuple(faults_of(view, self.market, cluster, known))
        if not faults:
            self._sound.add(key)
        return known, faults


def _looks(cluster: Cluster) -> tuple[object, ...]:
    """Equal for clusters that differ only in names. Rows of cages belong to parts, and those are fixed here."""
    spots = tuple((id(spot.row), spot.ways, spot.optic, spot.speaks) for spot in cluster.spots)
    return spots, tuple(_line_looks(line) for line in cluster.lines)


def _line_looks(line: Line) -> tuple[object, ...]:
    a, b = (port.name.partition("/")[2] for port in (line.a_port, line.b_port))
    length = line.length
    return line.a, line.b, a, b, line.part, line.pinned_m, length.value, length.at_least, length.missing


def _next(inputs: Inputs, decided: _Decided, before: _State) -> _State:
    sources = _sources(inputs)
    fixed = (decided, inputs.tables["parts"], inputs.tables["assemblies"])
    if len(before.fixed) != len(fixed) or any(a is not b for a, b in zip(before.fixed, fixed, strict=True)):
        before = _State()
    dirty = [name for name, row in sources.items() if not _same(before.sources.get(name), row)]
    gone = [name for name in before.sources if name not in sources]
    if not dirty and not gone and before.fixed:
        return before
    return _Work(inputs, decided, before, fixed, sources).done([*dirty, *gone])


def _same(old: Sources | None, new: Sources) -> bool:
    return old is not None and all(a is b for a, b in zip(old, new, strict=True))


def _sources(inputs: Inputs) -> dict[str, Sources]:
    """What the choices at each device are made of."""
    lengths: Lengths = inputs.result("lengths")
    pins, devices = pinned_optics(inputs), inputs.devices
    found = lengths.by_device.get
    rows: dict[str, Sources] = {
        name: (devices[name], ends, pins.get(name), found(name)) for name, ends in inputs.indexes.ends.items()
    }
    for name, own in pins.items():
        if name not in rows and name in devices:
            rows[name] = devices[name], None, own, None
    return rows


class _Work:
    """One step: which clusters to decide again, and everything put together."""

    def __init__(
        self,
        inputs: Inputs,
        decided: _Decided,
        before: _State,
        fixed: tuple[object, ...],
        sources: Mapping[str, Sources],
    ) -> None:
        self._inputs, self._decided, self._before = inputs, decided, before
        self._fixed, self._sources = fixed, sources
        lengths: Lengths = inputs.result("lengths")
        self._lengths, self._pins, self._all_cables = lengths.cables, pinned_optics(inputs), inputs.cables
        self._builder = Builder(inputs, lambda cable: lengths.cables[cable.id])
        self._parts: dict[CageKey, _Part] = dict(before.parts)
        self._cables, self._open, self._chosen = dict(before.cables), dict(before.open), dict(before.chosen)
        self._faulty = dict(before.faulty)
        self._touched: dict[str, None] = {}

    def done(self, dirty: Iterable[str]) -> _State:
        starts = self._starts(dirty)
        for key in starts:
            self._drop(key)
        for key in starts:
            if key not in self._parts and key[0] in self._sources:
                self._decide(key)
        by_device, optics = dict(self._before.by_device), dict(self._before.optics)
        for name in self._touched:
            self._gather(name, by_device, optics)
        return _State(
            fixed=self._fixed,
            sources=self._sources,
            parts=self._parts,
            cables=self._cables,
            open=self._open,
            chosen=self._chosen,
            optics=optics,
            by_device=by_device,
            faulty=self._faulty,
        )

    def _starts(self, dirty: Iterable[str]) -> list[CageKey]:
        """Cages of changed devices, as they were and as they are, and all that were decided with them."""
        found: dict[CageKey, None] = {}
        for name in dirty:
            self._touched[name] = None
            was = self._before.sources.get(name)
            cages = dict.fromkeys(self._links(name)) if name in self._sources else {}
            for cage in (*cages, *self._cages_before(name, was)):
                old = self._before.parts.get((name, cage))
                if old is None:
                    found[name, cage] = None
                elif not self._still(old, name, cage):
                    found.update(dict.fromkeys(old.cages))
        return list(found)

    def _still(self, old: _Part, device: str, cage: str) -> bool:
        """Whether a cage and the links decided with it are made of the same records as then.

        Another device of theirs that changed is looked at in its own turn.
        """
        spots, links = old.made_of
        place = 2 * old.cages.index((device, cage))
        if spots[place] is not self._inputs.devices.get(device) or spots[place + 1] is not self._pin(
            device, cage
        ):
            return False
        if any(name not in links for name in self._links(device).get(cage, ())):
            return False
        cables, lengths = self._all_cables, self._lengths
        for name, (cable, length) in links.items():
            if cables.get(name) is not cable or lengths.get(name) is not length:
                return False
        return True

    def _made_of(
        self, keys: Iterable[CageKey], names: Iterable[str]
    ) -> tuple[tuple[object, ...], dict[str, tuple[object, object]]]:
        spots: list[object] = []
        for device, cage in keys:
            spots += (self._inputs.devices[device], self._pin(device, cage))
        return tuple(spots), {name: (self._all_cables[name], self._lengths[name]) for name in names}

    def _pin(self, device: str, cage: str) -> str | None:
        return self._pins.get(device, _NO_PINS).get(cage)

    def _cages_before(self, name: str, was: Sources | None) -> Iterable[str]:
        return _cages(was[1], was[2]) if was else ()

    def _drop(self, key: CageKey) -> None:
        old = self._parts.pop(key, None)
        if old is None:
            return
        self._touched[key[0]] = None
        self._faulty.pop(old.cages[0], None)
        for cable in old.cables:
            self._cables.pop(cable, None)
            self._open.pop(cable, None)
            self._chosen.pop(cable, None)

    def _links(self, device: str) -> CageLinks:
        if device not in self._sources:
            return {}
        _, ends, pins, _ = self._sources[device]
        memo = self._inputs.graphs.memo
        return memo.get(("cage links", device), (ends, pins), lambda: _all_cages(self._inputs, device, pins))

    def _decide(self, start: CageKey) -> None:
        keys, names = reached(self._inputs, start, self._links)
        part = self._part(tuple(keys), names)
        for key in keys:
            self._parts[key] = part
            self._touched[key[0]] = None
        self._cables.update(part.cables)
        for name, choice in part.cables.items():
            if choice.origin == "open":
                self._open[name] = choice.reason
            elif choice.origin == "chosen":
                self._chosen[name] = None
        if part.faults:
            self._faulty[keys[0]] = part

    def _part(self, keys: tuple[CageKey, ...], names: list[str]) -> _Part:
        cluster = self._builder.cluster(keys, names)
        made_of = self._made_of(keys, names)
        if cluster is None:
            return _Part(keys, {name: _untold(self._inputs, name) for name in names}, (), (), made_of)
        decision, faults = self._decided.of(self._inputs, cluster)
        cables = {line.cable: choice for line, choice in zip(cluster.lines, decision.choices, strict=True)}
        chosen = tuple(
            (key, optic)
            for key, spot, optic in zip(keys, cluster.spots, decision.optics, strict=True)
            if optic and not spot.optic
        )
        return _Part(keys, cables, chosen, faults, made_of)

    def _gather(
        self,
        device: str,
        by_device: dict[str, Mapping[str, Choice]],
        optics: dict[str, Mapping[str, str]],
    ) -> None:
        """What one device has; the same object as before where nothing changed."""
        mine: dict[str, Choice] = {}
        plugged: dict[str, str] = {}
        for cage, cables in self._links(device).items():
            for name in cables:
                mine[name] = self._cables[name]
            for key, optic in self._parts[device, cage].optics:
                if key == (device, cage):
                    plugged[cage] = optic
        _put(by_device, device, mine)
        _put(optics, device, plugged)


def _put(
    table: dict[str, Mapping[str, Choice]] | dict[str, Mapping[str, str]], key: str, value: object
) -> None:
    rows: dict[str, object] = table  # type: ignore[assignment]
    if not value:
        rows.pop(key, None)
    elif rows.get(key) != value:
        rows[key] = value


def _cages(ends: object, pins: object) -> Iterable[str]:
    """The cages that cables or pinned optics of a device are in."""
    ports = (port.partition("/")[0] for port in ends) if isinstance(ends, dict) else ()
    return dict.fromkeys((*ports, *(pins if isinstance(pins, dict) else ())))


def _all_cages(view: View, device: str, pins: object) -> CageLinks:
    """Cage -> its cables; none for a cage with nothing but a pinned optic."""
    found = cage_links(view, device)
    return {**dict.fromkeys(_cages(None, pins), ()), **found}


def _untold(inputs: Inputs, name: str) -> Choice:
    """A link of NVLink, or one whose port is not there: what is pinned stands."""
    cable: Cable = inputs.cables[name]
    part, length_m = bought(cable, inputs.tables["assemblies"])
    why = "Pinned." if part else "No network cable: its ends are NVLink ports, or are not there."
    return Choice(part, "pinned" if part else "open", length_m, ("", ""), why)


def _assumptions(state: _State) -> Iterable[Assumption]:
    chosen = len(state.chosen)
    if chosen:
        links = "link" if chosen == 1 else "links"
        text = f"The parts of {chosen:,} {links} are chosen by the tool (policy choose_media)."
        yield Assumption("cabling.chosen", text)


# ---- without results: for commands


def clusters_with(view: View, cables: Iterable[str], length: Callable[[Cable], Figure]) -> list[Cluster]:
    """The clusters that some cables are in, each once."""
    known: dict[str, CageLinks] = {}

    def links(device: str) -> CageLinks:
        if device not in known:
            known[device] = cage_links(view, device)
        return known[device]

    builder, seen, found = Builder(view, length), set[str](), list[Cluster]()
    for name in cables:
        if name in seen:
            continue
        end = view.cables[name].a
        keys, names = reached(view, (end.device, end.port.partition("/")[0]), links)
        seen.update(names)
        made = builder.cluster(keys, names)
        if made is not None:
            found.append(made)
    return found


MEDIA = analysis("media", "parts devices cables assemblies plugs policies", "lengths", find_media)
