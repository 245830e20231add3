"""How catalog YAML writes figures, and what they become: base units, one direction.

The convenient unit is in the name of the key (memory_gb, airflow_cfm); a rate is text with its unit (“400 Gb/s”). A
figure that adds both directions has a key that says so, and is halved: its print is kept under `published`.
"""

from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue

from rackbuilder.errors import refusal
from rackbuilder.units import parse_bidirectional_bytes_s, parse_rate_bps

CFM_IN_M3_S = 1.699 / 3600
"""1 CFM is 1.699 m³/h (the factor of the fact base's cooling formulas)."""
LB_IN_KG = 0.45359237

_SCALED: dict[str, tuple[str, float]] = {
    "memory_gb": ("memory_bytes", 1e9),
    "memory_usable_gb": ("memory_usable_bytes", 1e9),
    "memory_bandwidth_gbytes_s": ("memory_bandwidth_bytes_s", 1e9),
    "bf16_tflops": ("bf16_flops", 1e12),
    "fp8_tflops": ("fp8_flops", 1e12),
    "fp4_tflops": ("fp4_flops", 1e12),
    "airflow_cfm": ("airflow_m3_s", CFM_IN_M3_S),
    "weight_lb": ("weight_kg", LB_IN_KG),
    "hop_latency_ns": ("hop_latency_s", 1e-9),
    "power_max_kw": ("power_max_w", 1e3),
    "power_typical_kw": ("power_typical_w", 1e3),
    "power_planning_kw": ("power_planning_w", 1e3),
    "power_peak_kw": ("power_peak_w", 1e3),
    "heat_liquid_kw": ("heat_liquid_w", 1e3),
    "heat_air_kw": ("heat_air_w", 1e3),
    "capacity_kw": ("capacity_w", 1e3),
    "usable_kva": ("usable_va", 1e3),
    "shelf_output_kw": ("shelf_output_w", 1e3),
    "read_gbytes_s": ("read_bytes_s", 1e9),
    "write_gbytes_s": ("write_bytes_s", 1e9),
}
_RATES = {"rate": "rate_bps", "switching": "switching_bps", "port_rates": "port_rates_bps"}
_BOTH_WAYS = {
    "nvlink_bidirectional": "scale_up_bytes_s",
    "scale_up_bidirectional": "scale_up_bytes_s",
    "peer_bidirectional": "scale_up_peer_bytes_s",
    "cpu_link_bidirectional": "cpu_link_bytes_s",
    "port_bidirectional": "port_bytes_s",
    "link_bidirectional": "port_rates_bps",
}
BOTH_WAYS_TEXT = "{}, both directions together"

FIELD_OF: dict[str, str] = {
    **{key: field for key, (field, _) in _SCALED.items()}, **_RATES, **_BOTH_WAYS, "source": "sources"
}  # fmt: skip
"""Key in YAML -> field of the model, where they differ."""


class Entry(NamedTuple):
    """A value under its field; `published` is the vendor's print, where it has another form."""

    field: str
    value: JsonValue
    published: str = ""


def entry(key: str, value: JsonValue) -> Entry:
    """A key of YAML as a field in base units. Raises ProblemError when a rate cannot be read."""
    if value is None:
        return Entry(FIELD_OF.get(key, key), None)
    if key in _SCALED:
        field, factor = _SCALED[key]
        return Entry(field, _times(value, factor))
    if key in _RATES:
        return Entry(_RATES[key], _each(value, parse_rate_bps))
    if key in _BOTH_WAYS:
        return _halved(key, value)
    return Entry(FIELD_OF.get(key, key), value)


def _halved(key: str, value: JsonValue) -> Entry:
    """Bytes per second and direction; for a link technology the bit/s of its one port rate."""
    field, published = _BOTH_WAYS[key], BOTH_WAYS_TEXT.format(value)
    half = _each(value, parse_bidirectional_bytes_s)
    if field == "port_rates_bps" and isinstance(half, float):
        return Entry(field, [half * 8], published)
    return Entry(field, half, published)


def _each(value: JsonValue, parse: Callable[[str], float]) -> JsonValue:
    if isinstance(value, list):
        return [_each(item, parse) for item in value]
    if not isinstance(value, str):
        raise refusal(f"“{value}” has no unit", fix="Write it with its unit, such as 400 Gb/s.")
    return float(parse(value))


def _times(value: JsonValue, factor: float) -> JsonValue:
    """A number scaled, to 12 digits: 3.35e12, not 3350000000000.0005. Anything else is left to the model."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return float(f"{value * factor:.12g}")


def field_name(name: str) -> str:
    """The field that a name in `unverified`, `grades` or `conflicts` means, step by step of a dotted one.

    What stands under `facts` is verbatim, and so is its name.
    """
    if _verbatim(name):
        return name
    return ".".join(FIELD_OF.get(step, step) for step in name.split("."))


def conflict_value(key: str, value: JsonValue) -> JsonValue:
    """A disagreeing number in the unit of its field; text stays as printed."""
    scaled = None if _verbatim(key) else _SCALED.get(key.rpartition(".")[2])
    return _times(value, scaled[1]) if scaled else value


def _verbatim(name: str) -> bool:
    return name.startswith("facts.")
