"""The analysis of a design as JSON, in the form that scripts rely on; and, from `report_text`, as a document.

A figure that cannot be stated is null, one that is only a lower bound stands as it is; both are listed under
`incomplete` by their path, with what is missing. Rates are bit/s per direction.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.formats.base import Export
from rackbuilder.formats.report_text import report_text
from rackbuilder.formats.words import assumptions_of
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import Figure

__all__ = ["JSON", "TEXT", "report_json", "report_text"]

SCHEMA = 1
BUSIEST = 10
NO_RACK = "(no rack)"
"""Key of what stands in no rack; no id has such marks."""
LATER = "not worked out"

Json = dict[str, Any]
Missing = Sequence[str]


def report_json(design: Design, graphs: Graphs, report: Report, links: bool = False) -> Json:
    """What `analyse --json` prints. `links`: every link, else the busiest ten."""
    return _Writer(design, report).whole(links)


class _Writer:
    """Writes one section after the other and keeps the list of what is incomplete."""

    def __init__(self, design: Design, report: Report) -> None:
        self._design, self._report = design, report
        self._incomplete: Json = {}

    def whole(self, links: bool) -> Json:
        bottleneck = self._report.bottleneck
        confidence = bottleneck.confidence if bottleneck else ""
        return {
            "schema": SCHEMA,
            "counts": self._counts(),
            "fabrics": self._fabrics(),
            "boundary": self._boundary(),
            "power": self._power(),
            "cooling": self._cooling(),
            "workload": self._workload(),
            "links": self._links(links),
            "incomplete": dict(sorted(self._incomplete.items())),
            "assumptions": [
                {"name": note.name, "text": note.text, "ids": sorted(note.refs, key=natural_key)}
                for note in assumptions_of(self._report)
            ],
            "confidence": confidence or None,
        }

    # ---- what is not complete

    def _lacks(self, path: str, missing: Missing, at_least: bool = False) -> None:
        self._incomplete[path] = {"at_least": at_least, "missing": sorted(missing)}

    def _figure(
        self, path: str, figure: Figure, why: str = "it does not exist in this design"
    ) -> float | None:
        """A figure's value; unknown and lower bounds are listed. `why` stands where nothing is missing by name."""
        if not figure.exact:
            self._lacks(path, figure.missing or (why,), figure.at_least)
        return _number(figure.value)

    def _value(self, path: str, value: float | None, missing: Missing) -> float | None:
        if value is None:
            self._lacks(path, missing)
        return _number(value)

    # ---- sections

    def _counts(self) -> Json | None:
        compiled = self._report.compiled
        if compiled is None:
            self._lacks("counts", (LATER,))
            return None
        counts = compiled.counts
        return {
            "servers": counts.servers,
            "gpus": counts.gpus,
            "racks": counts.racks,
            "nvlink_domains": {
                str(size): counts.nvlink_domains[size] for size in sorted(counts.nvlink_domains)
            },
            "nvlink_links": counts.nvlink_links,
            "switches": {name: dict(row.switches) for name, row in sorted(counts.fabrics.items())},
            "cables": {name: dict(row.cables) for name, row in sorted(counts.fabrics.items())},
        }

    def _fabrics(self) -> Json | None:
        capacity = self._report.capacity
        if capacity is None:
            self._lacks("fabrics", (LATER,))
            return None
        found = {}
        for name, row in sorted(capacity.fabrics.items()):
            path = f"fabrics.{name}"
            none_above = row.missing or ("no switch has another above it",)
            found[name] = {
                "kind": row.kind,
                "oversubscription": {
                    "leaf": self._value(f"{path}.oversubscription.leaf", row.leaf_ratio, none_above),
                    "spine": self._value(f"{path}.oversubscription.spine", row.spine_ratio, none_above),
                },
                "bisection_bps": self._figure(f"{path}.bisection_bps", row.bisection_bps),
                "hops": {**_keyed(row.hops), "unreachable": row.unreachable},
            }
        return found

    def _boundary(self) -> list[Json] | None:
        boundary = self._report.boundary
        if boundary is None:
            self._lacks("boundary", (LATER,))
            return None
        found = []
        for place, row in enumerate(boundary.rows):
            path = f"boundary.{place}"
            figures = {
                "nvlink_bps": row.nvlink_bps,
                "pcie_bps": row.pcie_bps,
                "nic_bps": row.nic_bps,
                "leaf_uplink_bps": row.leaf_uplink_bps,
            }
            written = {key: self._figure(f"{path}.{key}", figure) for key, figure in figures.items()}
            missing = sorted({name for figure in figures.values() for name in figure.missing})
            if not row.smallest:
                self._lacks(f"{path}.smallest", missing)
            ratio = self._value(f"{path}.ratio", row.ratio, missing or ("there is no NVLink",))
            found.append(
                {
                    "server_type": row.server_type,
                    "servers": len(row.servers),
                    **written,
                    "smallest": row.smallest or None,
                    "ratio": ratio,
                    "nics_per_gpu": self._value(f"{path}.nics_per_gpu", row.nics_per_gpu, missing),
                }
            )
        return found

    def _power(self) -> Json | None:
        power = self._report.power
        if power is None:
            self._lacks("power", (LATER,))
            return None
        racks = {}
        for row in power.racks:
            name = row.rack or NO_RACK
            path = f"power.by_rack.{name}"
            racks[name] = {
                "max_w": self._figure(f"{path}.max_w", row.max_w),
                "typical_w": self._figure(f"{path}.typical_w", row.typical_w),
                "optics_w": self._figure(f"{path}.optics_w", row.optics_w),
                "limit_w": _number(row.limit_w),
            }
        return {
            "max_w": self._figure("power.max_w", power.max_w),
            "typical_w": self._figure("power.typical_w", power.typical_w),
            "optics_w": self._figure("power.optics_w", power.optics_w),
            "by_rack": racks,
        }

    def _cooling(self) -> Json | None:
        cooling = self._report.cooling
        if cooling is None:
            self._lacks("cooling", (LATER,))
            return None
        keys = ("air_w", "liquid_w", "air_m3_s", "liquid_l_min", "weight_kg")
        racks = {}
        for row in cooling.racks:
            name = row.rack or NO_RACK
            racks[name] = {
                key: self._figure(f"cooling.by_rack.{name}.{key}", getattr(row, key)) for key in keys
            }
        whole = {key: self._figure(f"cooling.{key}", getattr(cooling, key)) for key in keys}
        return {**whole, "by_rack": racks}

    # ---- the workload

    def _workload(self) -> Json | None:
        placement, step = self._report.placement, self._report.step
        if placement is None or step is None:
            return None
        missing = tuple(dict.fromkeys((*placement.missing, *step.missing)))
        for key in ("fits", "memory_bytes", "tokens_per_s", "mfu", "time_split_s", "elasticity"):
            self._lacks(f"workload.{key}", (LATER,))
        traffic = {
            "in_server": step.in_server_bytes,
            "in_domain": step.in_domain_bytes,
            "fabric": step.fabric_bytes,
        }
        return {
            "name": placement.workload,
            "job": placement.job,
            "sizes": dict(sorted(placement.sizes.items())),
            "gpus_used": placement.gpus_used,
            "gpus_idle": placement.gpus_idle,
            "fits": None,
            "memory_bytes": None,
            "step_time_s": self._figure("workload.step_time_s", step.time_s, LATER),
            "tokens_per_s": None,
            "mfu": None,
            "time_split_s": None,
            "compute_s": self._figure("workload.compute_s", step.compute_s),
            "boundary_time_s": {
                name: self._figure(f"workload.boundary_time_s.{name}", step.boundary_time_s[name])
                for name in sorted(step.boundary_time_s)
            },
            "traffic_bytes": {
                key: self._value(f"workload.traffic_bytes.{key}", value, missing)
                for key, value in traffic.items()
            },
            "elasticity": None,
            "bottleneck": self._bottleneck(missing),
        }

    def _bottleneck(self, missing: Missing) -> Json | None:
        found = self._report.bottleneck
        if found is None:
            self._lacks("workload.bottleneck", (LATER,))
            return None
        if not found.boundary:
            self._lacks("workload.bottleneck.class", found.missing or missing)
        return {
            "class": found.boundary or None,
            "sentence": found.text,
            "ids": sorted(found.ids, key=natural_key),
        }

    def _links(self, all_: bool) -> list[Json] | None:
        rows = link_rows(self._report)
        if rows is None:
            self._lacks("links", (LATER,))
            return None
        shown = rows if all_ else rows[:BUSIEST]
        loads = self._report.loads
        for key in ("load_bytes", "utilisation", "capacity_bps"):
            if any(row[key] is None for row in shown):
                self._lacks(f"links.{key}", self._missing_of_links(key, loads.missing if loads else ()))
        return shown

    def _missing_of_links(self, key: str, missing: Missing) -> Missing:
        if key == "capacity_bps":
            return ("rate_bps of a port at one end",)
        return missing or ("a workload",)


def link_rows(report: Report) -> list[Json] | None:
    """All parallel links of two devices in a row; the busiest first, else by name."""
    if report.loads is not None:
        return [
            {
                "a": row.a,
                "b": row.b,
                "fabric": row.fabric or None,
                "count": row.count,
                "class": row.scope,
                "capacity_bps": _number(row.capacity_bps),
                "load_bytes": _number(row.load_bytes),
                "utilisation": _number(row.utilisation),
            }
            for row in report.loads.links
        ]
    if report.compiled is None:
        return None
    groups = sorted(report.compiled.links, key=lambda g: (natural_key(g.a), natural_key(g.b), g.fabric))
    return [
        {
            "a": group.a,
            "b": group.b,
            "fabric": group.fabric or None,
            "count": group.count,
            "class": group.scope,
            "capacity_bps": _number(group.capacity_bps),
            "load_bytes": None,
            "utilisation": None,
        }
        for group in groups
    ]


def _keyed(counts: Mapping[int, int]) -> Json:
    return {str(number): counts[number] for number in sorted(counts)}


def _number(value: float | None) -> float | None:
    """Twelve digits, which hides what adding in floating point leaves; whole numbers without a decimal point."""
    if value is None or isinstance(value, int):
        return value
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def _write_json(design: Design, graphs: Graphs, report: Report) -> bytes:
    data = report_json(design, graphs, report, links=True)
    return (json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _write_text(design: Design, graphs: Graphs, report: Report) -> bytes:
    return report_text(design, graphs, report).encode()


JSON = Export("json", ".json", "Analysis, JSON", _write_json)
TEXT = Export("report", ".md", "Report, Markdown", _write_text)
