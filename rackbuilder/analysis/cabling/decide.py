"""From the plans of a cluster to a choice for each link, with the reason in words."""

from typing import NamedTuple

from rackbuilder.analysis.cabling.clusters import Cluster, Line
from rackbuilder.analysis.cabling.ends import own_plugs
from rackbuilder.analysis.cabling.market import MEDIUM_WORDS, Market, capital, order_length_m
from rackbuilder.analysis.cabling.models import Choice, Option
from rackbuilder.analysis.cabling.plans import COPPER, Plan, plans
from rackbuilder.design.view import View
from rackbuilder.units import Figure


class Preferences(NamedTuple):
    """What the project says: choose at all (`choose_media`), and only optics (`media` is “optical”)."""

    choose: bool = True
    optical_only: bool = False


def preferences_of(view: View) -> Preferences:
    policies = view.tables["policies"]
    choose = policies["choose_media"].value if "choose_media" in policies else True
    media = policies["media"].value if "media" in policies else ""
    return Preferences(choose is not False, media == "optical")


class Decision(NamedTuple):
    """Choices of all lines and optics of all spots of a cluster, by index."""

    choices: tuple[Choice, ...]
    optics: tuple[str, ...]
    """Pinned or chosen; empty where none is needed or none is known."""


def decide(cluster: Cluster, market: Market, wanted: Preferences, medium: str = "") -> Decision:
    """The first plan that suits, and what else would do. `medium` restricts the plans to one."""
    open_ = [line for line in cluster.lines if not line.part]
    if not wanted.choose or not cluster.lines:
        return _as_pinned(cluster, market, "The choice of media is switched off (policy choose_media).")
    found = plans(cluster, market)
    if medium:
        found = [plan for plan in found if plan.medium == medium]
    elif wanted.optical_only and open_:
        found = [plan for plan in found if plan.medium not in COPPER[:2]] or found[:0]
    if not found:
        return _as_pinned(cluster, market, _why_not(cluster, wanted))
    return _planned(cluster, market, found[0], found[1:])


def _planned(cluster: Cluster, market: Market, plan: Plan, others: list[Plan]) -> Decision:
    choices = []
    for n, line in enumerate(cluster.lines):
        options = tuple(_option(plan, n) for plan in others)
        reason = _reason(line, plan.medium, plan.lengths_m[n], market, plan.parts[n])
        choices.append(
            Choice(
                plan.parts[n],
                "pinned" if line.part else "chosen",
                plan.lengths_m[n],
                (plan.optics[line.a], plan.optics[line.b]),
                reason,
                options,
            )
        )
    return Decision(tuple(choices), plan.optics)


def _option(plan: Plan, n: int) -> Option:
    optics = tuple(dict.fromkeys(name for name in plan.optics if name))
    return Option(plan.medium, plan.parts[n], plan.lengths_m[n] or 0.0, optics)


def _reason(line: Line, medium: str, length_m: float | None, market: Market, part: str) -> str:
    words = MEDIUM_WORDS.get(medium, medium)
    if line.part:
        return f"Pinned: {words}."
    said = f"{capital(words)}: the first that fits both cages and reaches {_metres(line.length)}"
    cable = market.cable(part)
    status = f"; {cable.status}" if cable is not None and cable.status.startswith("on neither") else ""
    order = f", ordered as {length_m:g} m" if length_m is not None else ""
    return f"{said}{order}{status}."


def _metres(length: Figure) -> str:
    if length.value is None:
        return "an unknown length"
    return f"{'at least ' if length.at_least else ''}{length.value:.4g} m"


# ---- nothing chosen


def _as_pinned(cluster: Cluster, market: Market, why: str) -> Decision:
    """What the user set stands; what is open stays open, and says why."""
    choices = []
    for line in cluster.lines:
        part = market.cable(line.part)
        length_m = line.pinned_m
        if length_m is None and part is not None and line.length.exact:
            need_m = cluster.longest_m if own_plugs(part) and cluster.longest_m else line.length.value
            length_m = order_length_m(part, need_m or 0.0)
        optics = ("", "") if own_plugs(part) else (cluster.spots[line.a].optic, cluster.spots[line.b].optic)
        choices.append(
            Choice(line.part, "pinned", length_m, optics, "Pinned.")
            if line.part
            else Choice("", "open", line.pinned_m, optics, why)
        )
    return Decision(tuple(choices), tuple(spot.optic for spot in cluster.spots))


def _why_not(cluster: Cluster, wanted: Preferences) -> str:
    strange = [spot for spot in cluster.spots if spot.row.connector == "unknown"]
    if strange:
        return "The cage at one end is not published: its plug cannot be chosen."
    missing = tuple(dict.fromkeys(x for line in cluster.lines for x in line.length.missing))
    if cluster.longest_m is None:
        return f"Its length must be known first: {', '.join(missing)}."
    rates = {line.rate_bps for line in cluster.lines}
    ends = {spot.row.rate_bps for spot in cluster.spots}
    if None in rates:
        return "The rate of a port is not published: its plug cannot be chosen."
    kinds = " and ".join(sorted({spot.row.connector for spot in cluster.spots}))
    if any(line.part for line in cluster.lines) or any(spot.optic for spot in cluster.spots):
        return "Nothing on sale goes with what is pinned in the same cages."
    limit = " optical" if wanted.optical_only else ""
    slower = " of different rates" if len(ends) > 1 else ""
    return f"No{limit} part on sale joins {kinds} cages{slower} over {cluster.longest_m:.4g} m."
