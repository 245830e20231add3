"""Setting fields of records from what people type: which ones may be set, and how text becomes a value."""

import math
from dataclasses import fields as dataclass_fields
from typing import Any

from pydantic import JsonValue, ValidationError

from rackbuilder.commands.names import checked_name
from rackbuilder.design.draft import Draft
from rackbuilder.errors import ProblemError, did_you_mean, refusal
from rackbuilder.units import parse_rate_bps, parse_unit

EDITABLE: dict[str, tuple[str, ...]] = {
    "devices": ("name", "u", "slot", "face", "rail", "role", "fabric", "state", "config", "tags", "modes"),
    "racks": ("name", "space", "x_m", "y_m", "facing", "numbered_from", "power_limit_w", "weight_limit_kg"),
    "cables": ("name", "part", "length_m", "fabric", "state", "tags"),
    "fabrics": (
        "name", "technology", "roles", "rate_cap_bps", "routing", "lossless", "rdma", "hop_latency_s", "nic_latency_s",
    ),
    "groups": ("name", "kind", "parent", "config"),
    "spaces": (
        "name", "parent", "height_m", "power_limit_w", "air_limit_w", "supply_air_c", "supply_liquid_c",
    ),
    "jobs": ("name", "workload", "active", "options", "transport"),
    "faults": ("kind", "links", "rate_bps", "origin", "on"),
    "notes": ("text",),
}  # fmt: skip
"""What a property field or a script may set, a table each. `config.driver` sets one key of a mapping."""

_UNITS = {"w": "W", "m": "m", "kg": "kg", "s": "s"}
_SIGNED = ("x_m", "y_m", "u", "supply_air_c", "supply_liquid_c")


def check_field(table: str, field: str) -> tuple[str, str]:
    """A field's name and its key (“config.driver” -> config, driver). Raises ProblemError when it cannot be set."""
    name, _, key = field.partition(".")
    allowed = EDITABLE.get(table, ())
    if name not in allowed:
        raise refusal(f"“{field}” of {table} cannot be set", fix=did_you_mean(name, allowed))
    mapping = name in ("config", "tags", "modes", "options", "transport")
    if mapping != bool(key):
        fix = f"Write {name}.KEY." if mapping else f"Write {name} alone."
        raise refusal(f"“{field}” is no field of {table}", fix=fix)
    return name, key


def value_from(name: str, value: JsonValue, where: str) -> JsonValue:
    """A value as the record keeps it: text with a unit becomes a number in the base unit; empty means none.

    Raises ProblemError for text that is no quantity, and for a number that cannot be (negative, endless).
    """
    if name == "name":
        return checked_name("" if value is None else str(value))
    suffix = name.rpartition("_")[2]
    if isinstance(value, str) and (suffix in _UNITS or suffix == "bps" or name in ("u", "rail", "links")):
        value = _number(value.strip(), suffix)
    if isinstance(value, float) and not math.isfinite(value):
        raise refusal(f"{name} cannot be {value}", where, "Give a finite number.")
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0 and name not in _SIGNED:
        raise refusal(
            f"{name} cannot be negative ({value:g})", where, "Give zero or more, or leave it empty."
        )
    return value


def _number(text: str, suffix: str) -> JsonValue:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        pass
    return parse_rate_bps(text) if suffix == "bps" else parse_unit(text, _UNITS.get(suffix, "U"))


def set_fields(draft: Draft, table: str, identity: str, **values: object) -> None:
    """Sets fields of a record; what its model refuses becomes a Problem in plain words."""
    try:
        draft.change(table, identity, **values)
    except ValidationError as error:
        raise _refused(table, identity, error) from None


def _refused(table: str, identity: str, error: ValidationError) -> ProblemError:
    row = error.errors()[0]
    name = str(row["loc"][0]) if row["loc"] else "value"
    return refusal(
        f"{name} cannot be {row['input']!r}: {row['msg']}", f"{table} {identity}", "Give another value."
    )


def set_key(draft: Draft, table: str, identity: str, name: str, key: str, value: JsonValue) -> None:
    """Sets one key of a mapping field, or takes it away when the value is empty."""
    mapping: dict[str, Any] = dict(getattr(draft.need(table, identity), name))
    if value is None or value == "":
        mapping.pop(key, None)
    elif name == "modes":
        mapping[key] = _ways(value, f"{identity}:{key}")
        if mapping[key] == 1:
            del mapping[key]
    else:
        mapping[key] = value if name == "options" else checked_name(_text(value))
    set_fields(draft, table, identity, **{name: dict(sorted(mapping.items()))})


def _text(value: JsonValue) -> str:
    """Text as typed: YAML reads 550 as a number and yes as a truth."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | dict):
        raise refusal("A list cannot be the value of one key", fix="Give text.")
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)


def _ways(value: JsonValue, where: str) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise refusal(f"“{value}” is no number of ways to split a cage", where, "Give 1, 2 or 4.") from None


def default_of(draft: Draft, table: str, identity: str, name: str) -> object:
    """The value a field has when nothing is said: what an emptied property goes back to."""
    for spec in dataclass_fields(draft.need(table, identity)):
        if spec.name == name:
            return spec.default
    raise KeyError(name)
