"""What was seen on the fabric and differs from what it was built for."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.records import Cable, End, Fault
from rackbuilder.rules.finding import GRAPH_TABLES, Finding, finding, topic
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import rate_text

_LOST = 0.98
"""Rates that differ by less are the same one, rounded."""


def trained_below(inputs: Inputs) -> Iterator[Finding]:
    """Links seen at a lower rate than both ends and their fabric allow: negotiation keeps a damaged link alive."""
    faults: list[Fault] = sorted(inputs.tables["faults"].values(), key=lambda f: natural_key(f.ref))
    for fault in faults:
        cable = inputs.cables.get(fault.ref)
        if fault.kind != "observed" or not fault.on or fault.rate_bps is None or cable is None:
            continue
        built = _built_bps(inputs, cable)
        if built is not None and fault.rate_bps < _LOST * built:
            ends = f"{_end(inputs, cable.a)} to {_end(inputs, cable.b)}"
            yield finding(
                "warning",
                "fabric.trained-below",
                f"{cable.label} runs at {rate_text(fault.rate_bps)} where both ends can do {rate_text(built)}"
                f"{f' ({fault.origin})' if fault.origin else ''}",
                ends,
                "Reseat or replace the cable and its plugs, and reset the counters of both ports.",
                (cable.id, cable.a.device, cable.b.device),
            )


def _built_bps(inputs: Inputs, cable: Cable) -> float | None:
    """The slower of both ports; None: unknown."""
    rates = []
    for device, port in (cable.a, cable.b):
        record = inputs.devices[device]
        found = ports_of(inputs.type_of(record), record.modes).get(port)
        if found is None or found.rate_bps is None:
            return None
        rates.append(found.rate_bps)
    return min(rates)


def _end(inputs: Inputs, end: End) -> str:
    return f"{inputs.devices[end.device].label} {end.port}"


OBSERVED = topic("observed", GRAPH_TABLES, "", trained_below)
