"""What is plugged or pinned and cannot work: wrong plugs, optics that never meet, lengths that are not sold."""

from collections.abc import Iterator, Sequence

from rackbuilder.analysis.cabling.clusters import Cluster, Line, Spot, sockets
from rackbuilder.analysis.cabling.decide import Decision
from rackbuilder.analysis.cabling.ends import own_plugs
from rackbuilder.analysis.cabling.market import MEDIUM_WORDS, Market, capital, longest_m
from rackbuilder.analysis.cabling.models import Fault, Mend
from rackbuilder.analysis.cabling.plans import fits, plans, spoken
from rackbuilder.catalog.compatibility import (
    fibre_misfit,
    generation_fault,
    mates,
    optics_apart,
    plug_family,
    plug_misfit,
    protocols_meet,
    reach_m,
    shape_of_optic,
)
from rackbuilder.catalog.parts import CableType, OpticType, Protocol
from rackbuilder.design.view import View
from rackbuilder.units import rate_text

PROTOCOLS: dict[Protocol, str] = {"infiniband": "InfiniBand", "ethernet": "Ethernet", "nvlink": "NVLink"}


def faults_of(view: View, market: Market, cluster: Cluster, decision: Decision) -> list[Fault]:
    """Only what the user pinned can be wrong: a choice of the tool keeps every rule."""
    if not any(line.part for line in cluster.lines) and not any(spot.optic for spot in cluster.spots):
        return []
    check = _Check(view, market, cluster, decision)
    return [*check.cages(), *check.links()]


class _Check:
    def __init__(self, view: View, market: Market, cluster: Cluster, decision: Decision) -> None:
        self._view, self._market, self._cluster = view, market, cluster
        self._optics = [market.optic(name) for name in decision.optics]
        self._decision = decision

    # ---- cages

    def cages(self) -> Iterator[Fault]:
        for n, spot in enumerate(self._cluster.spots):
            lines = self._cluster.lines_at(n)
            if any(own_plugs(self._market.cable(line.part)) for line in lines):
                continue  # an optic beside such a cable is a finding of its own
            optic = self._market.optic(spot.optic)
            if optic is not None:
                yield from self._plug(spot, optic, lines)
            yield from self._mixed(spot, self._optics[n], lines)

    def _plug(self, spot: Spot, optic: OpticType, lines: Sequence[Line]) -> Iterator[Fault]:
        misfit = plug_misfit(shape_of_optic(optic), spot.row)
        if misfit:
            right = self._right_optic(spot, optic, lines)
            name = f": {right.name}" if right else ""
            yield Fault(
                f"optics.{misfit.kind}",
                "error",
                f"{optic.name} does not go into {spot.cage} of {self._label(spot)}: {misfit.text}",
                spot.place,
                f"Use {plug_family(spot.row)}{name}.",
                (spot.place, spot.device),
                Mend("optic", (spot.place,), right.id) if right else None,
            )
        for line in lines:
            said = spoken(self._cluster, line)
            if not protocols_meet(optic.protocols, said):
                right = self._right_optic(spot, optic, lines)
                only = " or ".join(PROTOCOLS[p] for p in optic.protocols)
                yield Fault(
                    "optics.protocol",
                    "error",
                    f"{optic.name} in {spot.cage} of {self._label(spot)} is for {only} only; the link is "
                    f"{' or '.join(PROTOCOLS[p] for p in said)}",
                    spot.place,
                    f"Use {right.name}." if right else "Use an optic of that protocol.",
                    (spot.place, line.cable),
                    Mend("optic", (spot.place,), right.id) if right else None,
                )
                return

    def _right_optic(self, spot: Spot, wrong: OpticType, lines: Sequence[Line]) -> OpticType | None:
        """The optic that should be there: the same kind of light, for this cage and what its links speak."""
        mine = self._market.group_of(wrong)
        for group, optics in self._market.groups.items():
            if (group.medium, group.kind, group.rate_bps) == (mine.medium, mine.kind, mine.rate_bps):
                for optic in optics:
                    if self._is_right(spot, optic, lines):
                        return optic
        return None

    def _is_right(self, spot: Spot, optic: OpticType, lines: Sequence[Line]) -> bool:
        if plug_misfit(shape_of_optic(optic), spot.row) or not sockets(spot, optic.ports):
            return False
        if not lines:  # whatever will be plugged in
            return not optic.protocols or set(spot.speaks) <= set(optic.protocols)
        need_m = max(line.length.value or 0.0 for line in lines)
        if optic.reach_max_m is not None and optic.reach_max_m < need_m:
            return False
        return all(protocols_meet(optic.protocols, spoken(self._cluster, line)) for line in lines)

    def _mixed(self, spot: Spot, optic: OpticType | None, lines: Sequence[Line]) -> Iterator[Fault]:
        """Both sockets of a twin-port optic take the same kind of fibre."""
        forms = {
            part.form
            for line in lines
            if (part := self._market.cable(line.part)) is not None and part.form.endswith("fibre")
        }
        if len(forms) > 1:
            yield Fault(
                "optics.mixed-fibres",
                "error",
                f"{spot.cage} of {self._label(spot)} has a straight and a splitter fibre on one plug",
                spot.place,
                "Both fibres of a twin-port optic are straight (two links), or both are splitters (four).",
                (spot.place, *(line.cable for line in lines)),
            )

    # ---- links

    def links(self) -> Iterator[Fault]:
        told: set[str] = set()
        for line in self._cluster.lines:
            part = self._market.cable(line.part)
            if own_plugs(part) and part is not None:
                if part.id not in told:  # a twin cable or splitter is one piece
                    told.add(part.id)
                    yield from self._piece(line, part)
            elif part is None or part.form != "copper":
                yield from self._light(line, part)
            if part is not None:
                yield from self._cable(line, part)

    def _piece(self, line: Line, part: CableType) -> Iterator[Fault]:
        spots = self._cluster.spots
        ends = (part.a, part.b)
        either = [[fits(part, end, spots[n]) for end in ends] for n in (line.a, line.b)]
        if not (either[0][0] and either[1][1]) and not (either[0][1] and either[1][0]):
            known = [spots[n].row.connector != "unknown" for n in (line.a, line.b)]
            neither = [
                all(mates(end.connector, end.top, spots[n].row) for end in ends) for n in (line.a, line.b)
            ]
            if all(known) and not any(neither):  # such an end is told by the check of connectors
                yield self._turned(line, part, either)
        longest = longest_m(part)
        need_m = line.pinned_m if line.pinned_m is not None else self._need_m(part)
        if longest is not None and need_m is not None and need_m > longest:
            yield self._too_long(line, part, need_m, longest)

    def _need_m(self, part: CableType) -> float | None:
        """The longest link of a piece, a lower bound too: beyond what is sold it is too long in any case."""
        values = [line.length.value for line in self._cluster.lines if line.part == part.id]
        return max((value for value in values if value is not None), default=None)

    def _turned(self, line: Line, part: CableType, either: Sequence[Sequence[bool]]) -> Fault:
        bad = next((n for n, row in zip((line.a, line.b), either, strict=True) if not any(row)), line.b)
        spot = self._cluster.spots[bad]
        return Fault(
            "optics.cable-end",
            "error",
            f"{part.name} does not join {self._ends(line)}: no end of it fits {spot.cage} of "
            f"{self._label(spot)} while the other is in place",
            self._ends(line),
            f"{spot.cage} takes {plug_family(spot.row)}.{self._instead()}",
            (line.cable, spot.place),
            self._medium_mend(),
        )

    def _too_long(self, line: Line, part: CableType, need_m: float, longest: float) -> Fault:
        least = "at least " if line.length.at_least else ""
        return Fault(
            "optics.too-long",
            "error",
            f"{line.cable} needs {least}{need_m:.4g} m; {part.name} is sold up to {longest:g} m",
            self._ends(line),
            f"Use a longer medium, or move the devices closer.{self._instead()}",
            (line.cable,),
            self._medium_mend(),
        )

    def _light(self, line: Line, fibre: CableType | None) -> Iterator[Fault]:
        ends = self._optics[line.a], self._optics[line.b]
        where = self._ends(line)
        if ends[0] is not None and ends[1] is not None:
            apart = optics_apart(ends[0], ends[1])
            if apart:
                yield Fault(
                    "optics.pair",
                    "error",
                    f"{line.cable} joins {ends[0].name} and {ends[1].name}: {apart}",
                    where,
                    f"Use one kind of optics at both ends.{self._instead()}",
                    (line.cable, *self._places(line)),
                    self._medium_mend(),
                )
                return
        if fibre is None:
            return
        for spot, optic in zip((line.a, line.b), ends, strict=True):
            wrong = fibre_misfit(optic, fibre) if optic is not None else None
            if wrong:
                yield Fault(
                    "optics.fibre",
                    "error",
                    f"{line.cable} ({fibre.name}) does not suit the optic in "
                    f"{self._cluster.spots[spot].cage} of {self._label(self._cluster.spots[spot])}: {wrong}",
                    where,
                    f"Use a fibre for that optic.{self._instead()}",
                    (line.cable, self._cluster.spots[spot].place),
                    self._medium_mend(),
                )
                return
        yield from self._reach(line, fibre, [optic for optic in ends if optic is not None])

    def _reach(self, line: Line, fibre: CableType, optics: Sequence[OpticType]) -> Iterator[Fault]:
        reach = reach_m(*optics, fibre)
        need_m = line.pinned_m if line.pinned_m is not None else line.length.value
        if reach is None or need_m is None or need_m <= reach:
            return
        words = MEDIUM_WORDS.get(fibre.medium, fibre.medium)
        yield Fault(
            "optics.reach",
            "error",
            f"{line.cable} is {'at least ' if line.length.at_least else ''}{need_m:.4g} m long; its {words} "
            f"reaches {reach:g} m",
            self._ends(line),
            f"Use optics of a longer reach.{self._instead()}",
            (line.cable, *self._places(line)),
            self._medium_mend(),
        )

    def _cable(self, line: Line, part: CableType) -> Iterator[Fault]:
        said = spoken(self._cluster, line)
        if not protocols_meet(part.protocols, said):
            only = " or ".join(PROTOCOLS[p] for p in part.protocols)
            yield Fault(
                "optics.protocol",
                "error",
                f"{line.cable} ({part.name}) is for {only} only; the link is "
                f"{' or '.join(PROTOCOLS[p] for p in said)}",
                self._ends(line),
                f"Use a cable of that protocol.{self._instead()}",
                (line.cable,),
                self._medium_mend(),
            )
        rate = line.rate_bps
        if rate is None:
            return
        older = generation_fault(part, rate)
        if older:
            yield Fault(
                "optics.generation",
                "error",
                f"{line.cable} ({part.name}): {older}",
                self._ends(line),
                f"Use a part of that generation.{self._instead()}",
                (line.cable,),
                self._medium_mend(),
            )
        elif part.rate_bps is not None and part.rate_bps * _whole(part, line) < rate:
            yield Fault(
                "optics.slow-cable",
                "warning",
                f"{line.cable} ({part.name}) carries {rate_text(part.rate_bps)} per direction, "
                f"its ports {rate_text(rate)}",
                self._ends(line),
                f"Use a cable of the rate of the ports.{self._instead()}",
                (line.cable,),
                self._medium_mend(),
            )

    # ---- mending and words

    def _free(self) -> Cluster:
        """The cluster without what is pinned."""
        return Cluster(
            tuple(spot._replace(optic="") for spot in self._cluster.spots),
            tuple(line._replace(part="") for line in self._cluster.lines),
        )

    def _medium_mend(self) -> Mend | None:
        """Other parts for the whole cluster, when there are any."""
        if not plans(self._free(), self._market):
            return None
        return Mend("medium", tuple(line.cable for line in self._cluster.lines))

    def _instead(self) -> str:
        found = plans(self._free(), self._market)
        if not found:
            return ""
        plan = found[0]
        part = self._market.cable(plan.parts[0])
        length = f" of {plan.lengths_m[0]:g} m" if plan.lengths_m[0] is not None else ""
        return f" {capital(MEDIUM_WORDS.get(plan.medium, plan.medium))} does: {part.name if part else ''}{length}."

    def _label(self, spot: Spot) -> str:
        return self._view.devices[spot.device].label

    def _ends(self, line: Line) -> str:
        one, two = self._cluster.spots[line.a], self._cluster.spots[line.b]
        return f"{self._label(one)} {line.a_port.name} to {self._label(two)} {line.b_port.name}"

    def _places(self, line: Line) -> tuple[str, str]:
        return self._cluster.spots[line.a].place, self._cluster.spots[line.b].place


def _whole(part: CableType, line: Line) -> int:
    """A port that fills its cage uses all links of a twin cable."""
    single = line.a_port.cages.ports == line.b_port.cages.ports == 1
    return part.links if single and part.a.count == part.b.count == 1 else 1
