"""A report worked by hand, so that panels are held against numbers that are not our own output.

The pod of the pictures: 127 servers of 8 GPUs, tensor groups of 16 over two servers, 40.8 of 44.0 kW a rack.
"""

from typing import Any

from rackbuilder.analysis import results as r
from rackbuilder.analysis.report import Report
from rackbuilder.errors import Problem
from rackbuilder.session.analyst import Outcome
from rackbuilder.ui.bridge import Document
from rackbuilder.units import Figure

TB = 1e12
PAIRS = {0: 3_556, 1: 15_240, 3: 496_824}
"""Of 1,016 GPUs: 127 x 28 pairs inside servers; the rest as in the picture, 0.7 %, 3.0 % and 96.4 % of 515,620."""


def counts(domains: dict[int, int] | None = None) -> r.Counts:
    sizes = domains or {8: 127}
    gpus = sum(size * n for size, n in sizes.items())
    return r.Counts(127, gpus, 38, sizes, 0, {"compute": r.FabricCounts({"leaf": 32, "spine": 16}, {})})


def capacity(**changes: Any) -> r.Capacity:
    fabric = r.FabricCapacity("compute", "infiniband-ndr", 1.0, None, Figure(204.8e12), (), PAIRS, 0, ())
    fields: dict[str, Any] = {"hops_median": 3, "hops_max": 3, "hops": PAIRS, "unreachable": 0}
    return r.Capacity({"compute": fabric}, **(fields | changes))


def step(**changes: Any) -> r.Step:
    traffic = (
        r.TrafficPart("tp", "in-server", 559.4 * TB, Figure(0.9), False),
        r.TrafficPart("tp", "server-leaf", 90.6 * TB, Figure(2.37), True),
        r.TrafficPart("dp", "leaf-spine", 2.0 * TB, Figure(0.15), True),
    )
    times = {"nvlink": Figure(0.9), "nic": Figure(2.37), "leaf_up": Figure(0.15)}
    fields: dict[str, Any] = {
        "job": "job-01", "workload": "llama-3.1-70b", "traffic": traffic, "in_server_bytes": 559.4 * TB,
        "in_domain_bytes": 0.0, "fabric_bytes": 92.6 * TB, "boundary_time_s": times, "compute_s": Figure(1.75),
        "time_s": Figure(None), "missing": (),
    }  # fmt: skip
    return r.Step(**(fields | changes))


def no_job() -> r.Step:
    nothing = Figure(None)
    return r.Step("", "", (), None, None, None, {}, nothing, nothing, ())


def loads() -> r.Loads:
    busy = [0.52, 0.519, 0.519, 0.518, 0.518, *[0.51] * 987, 0.2]
    links = tuple(
        r.LinkLoad(f"srv-{n:04d}", "leaf-01", "compute", "server-leaf", 1, 400e9, 1.0, share)
        for n, share in enumerate(busy, start=1)
    )
    return r.Loads(links)


def verdict(**changes: Any) -> r.Bottleneck:
    remap = r.Remap({"tp": 8, "pp": 4}, "Tensor 8 × pipeline 4", Figure(3.07))
    runs = (
        r.Run("The "), r.Run("node boundary", ("srv-0001", "srv-0002")), r.Run(" limits this job. "),
        r.Run("Tensor 8 × pipeline 4", ("srv-0003",)), r.Run(" would cut the step."),
    )  # fmt: skip
    fields: dict[str, Any] = {
        "boundary": "nic", "sentence": runs, "ids": ("srv-0001",), "remap": remap, "swap": None, "missing": (),
        "confidence": "uncalibrated",
    }  # fmt: skip
    return r.Bottleneck(**(fields | changes))


def power(racks: dict[str, tuple[float | None, float | None]]) -> r.Power:
    """Racks by id: maximum and limit in W."""
    rows = tuple(
        r.RackPower(rack, Figure(watts), Figure(None), r.ZERO, r.ZERO, limit, {}, False)
        for rack, (watts, limit) in racks.items()
    )
    known = [watts for watts, _ in racks.values() if watts is not None]
    total = Figure(sum(known), at_least=len(known) < len(racks))
    return r.Power(rows, total, Figure(None), r.ZERO)


def cooling(air_w: float, liquid_w: float, flow_l_min: float | None = None) -> r.Cooling:
    return r.Cooling((), Figure(air_w), Figure(liquid_w), Figure(None), Figure(flow_l_min))


PROBLEMS = (
    Problem("A rack is over its limit", "A01", "Move a server", "error", ("rack-01",), "power.rack-limit"),
    Problem("A leaf has free ports", "L01", "", "note", ("leaf-01",), "cabling.free"),
    Problem("A cable is long", "cbl-0001", "Use AOC", "warning", ("cbl-0001", "cbl-0002"), "cabling.reach"),
)


def show(document: Document, problems: tuple[Problem, ...] = (), waived: dict[int, str] | None = None,
         **results: Any) -> Outcome:  # fmt: skip
    """Has the document report this, as of its present revision."""
    from rackbuilder.rules.finding import Finding

    report = Report(document.session.revision, results, problems, frozenset(), waived or {})
    document.outcome = Outcome(report, tuple(Finding(p) for p in problems))
    document.reported.emit()
    return document.outcome
