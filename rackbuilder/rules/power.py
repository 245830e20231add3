"""Power of racks against their limits."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.analysis.results import Power, RackPower
from rackbuilder.rules.finding import Finding, finding, topic
from rackbuilder.units import power_text


def rack_limit(inputs: Inputs) -> Iterator[Finding]:
    """The maximum draw of a rack is above its limit. No limit known, or no draw known: nothing to say."""
    power: Power = inputs.result("power")
    for row in power.racks:
        value = row.max_w.value
        if row.rack in inputs.racks and row.limit_w is not None and value is not None and value > row.limit_w:
            yield _over(inputs, row, value, row.limit_w)


def _over(inputs: Inputs, row: RackPower, value_w: float, limit_w: float) -> Finding:
    label = inputs.racks[row.rack].label
    least = "at least " if row.max_w.at_least else ""
    assumed = " by assumed figures" if row.max_w.mark == "assumed" else ""
    over = power_text(value_w - limit_w)
    return finding(
        "error",
        "power.rack-limit",
        f"{label} draws {least}{power_text(value_w)}{assumed}; its limit is {power_text(limit_w)}",
        f"rack {label}",
        f"Move {over} of devices to another rack, or raise the limit if the feed allows.",
        (row.rack,),
    )


POWER = topic("power", "racks", "power", rack_limit)
