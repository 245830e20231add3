"""The records of a design: one frozen dataclass a table, told apart by id.

Everything else (who is cabled to whom, what sits where, which cable is in which fabric) is derived. A record may
carry `extra`: fields of a later version or another program, kept verbatim and written back.
"""

import json
from dataclasses import Field, field, fields
from typing import Any, Literal, NamedTuple, TypeVar, cast

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic.dataclasses import dataclass

from rackbuilder.catalog.parts import PART, Part

State = Literal["existing", "planned", "spare"]
Face = Literal["front", "rear"]
_CONFIG = ConfigDict(extra="forbid")


class End(NamedTuple):
    """Where a cable ends: a device and the name of its port (“osfp3/2”)."""

    device: str
    port: str


class MadeBy(NamedTuple):
    """The template run that made a record, and its key within the run (“su3.srv07”)."""

    run: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Base:
    id: str
    name: str = ""
    made_by: MadeBy | None = None
    extra: dict[str, JsonValue] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What people read: the name, else the id."""
        return self.name or self.id


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Space(Base):
    """A hall, row, aisle, cable path or obstacle on the floor; outline in metres."""

    kind: Literal["hall", "row", "aisle", "path", "obstacle"] = "hall"
    parent: str = ""
    outline_m: tuple[tuple[float, float], ...] = ()
    height_m: float | None = None
    power_limit_w: float | None = None
    air_limit_w: float | None = None
    supply_air_c: float | None = None
    supply_liquid_c: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Rack(Base):
    """A rack; x, y is its front left corner on the floor, None when it has no place yet."""

    type: str
    space: str = ""
    x_m: float | None = None
    y_m: float | None = None
    facing: Literal["north", "east", "south", "west"] = "south"
    numbered_from: Literal["bottom", "top"] = "bottom"
    power_limit_w: float | None = None
    """Overrides the limit of the type."""
    weight_limit_kg: float | None = None
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Device(Base):
    """Anything with ports, supplies or a place: server, tray, switch, PDU, panel, shelf, CDU.

    u        lowest rack unit it fills, in half steps; None when not in a rack
    slot     left or right half of a half-width position, or a side for 0U
    modes    how cages are split: cage -> ways
    """

    type: str
    rack: str = ""
    u: float | None = None
    slot: Literal["", "left", "right", "side-left", "side-right"] = ""
    face: Face = "front"
    parent: str = ""
    fabric: str = ""
    role: Literal["", "leaf", "spine", "core", "server", "fabric-manager"] = ""
    rail: int | None = None
    modes: dict[str, int] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    config: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    state: State = "planned"


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Cable(Base):
    """One link between two ports. `part`, `length_m` and `fabric` are set only where the user pinned them."""

    a: End
    b: End
    assembly: str = ""
    part: str = ""
    length_m: float | None = None
    fabric: str = ""
    groups: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    state: State = "planned"


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Cord(Base):
    """A power cord or a coolant hose."""

    kind: Literal["power", "coolant"] = "power"
    a: End
    b: End
    part: str = ""
    length_m: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Plug(Base):
    """An optic that the user pinned; its id is `device:cage`."""

    part: str


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class CableAssembly(Base):
    """One bought thing that carries several links: a splitter, a trunk."""

    part: str = ""
    length_m: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Fabric(Base):
    """A network of its own: compute, storage, in-band, out-of-band."""

    technology: str
    roles: tuple[Literal["compute", "storage", "in-band", "out-of-band"], ...] = ()
    rate_cap_bps: float | None = None
    routing: str = ""
    lossless: bool | None = None
    rdma: bool = True
    hop_latency_s: float | None = None
    nic_latency_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Group(Base):
    """A named set; members name their groups, so adding one is one small change."""

    kind: Literal["unit", "pod", "plane", "phase", "user"] = "user"
    parent: str = ""
    config: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Job(Base):
    """A workload and how it is mapped; a named strategy is a job.

    sizes    of the parallel dimensions: tp, cp, ep, pp, dp (dp 0 or absent: what the GPUs allow)
    order    of the dimensions, the fastest first
    where    refs of groups, devices or GPUs; empty: every GPU of the design
    """

    workload: str
    sizes: dict[str, int] = field(default_factory=dict)
    order: tuple[str, ...] = ("tp", "cp", "ep", "dp", "pp")
    where: tuple[str, ...] = ()
    options: dict[str, JsonValue] = field(default_factory=dict)
    transport: dict[str, str] = field(default_factory=dict)
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Fault(Base):
    """Something lost, degraded or seen otherwise than drawn; `ref` may name a derived link."""

    ref: str
    kind: Literal["failed", "degraded", "observed", "maintenance"] = "failed"
    links: int | None = None
    rate_bps: float | None = None
    origin: str = ""
    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Override(Base):
    """A figure the user sets; id `part/<id>/<field>` or `ref/<ref>/<field>`, the ref winning."""

    value: JsonValue
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Policy(Base):
    """One setting of the project, keyed by its name: spares, slack, derating, energy price, currency."""

    value: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Price(Base):
    """Purchase price of a part; its id is the part's."""

    amount: float
    currency: str = "USD"
    date: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Run(Base):
    """A template that was run, with its fields."""

    template: str
    fields: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Original(Base):
    """A generated record as it was before its first hand edit or deletion; id `table/id`."""

    record: dict[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Drawing(Base):
    """Where something was drawn by hand; id `view/ref`. Never metres of cable."""

    x: float = 0.0
    y: float = 0.0
    pinned: bool = False
    collapsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Waiver(Base):
    """A finding accepted with a reason."""

    rule: str
    refs: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class Note(Base):
    """A remark or decision; `ref` empty: about the whole design."""

    ref: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class About:
    """One a design. `next` is the next number of each id prefix: a high-water mark that undo leaves."""

    title: str = ""
    customer: str = ""
    revision: str = ""
    variant_of: str = ""
    next: dict[str, int] = field(default_factory=dict)
    extra: dict[str, JsonValue] = field(default_factory=dict)


Record = (
    Space
    | Rack
    | Device
    | Cable
    | Cord
    | Plug
    | CableAssembly
    | Fabric
    | Group
    | Job
    | Fault
    | Override
    | Policy
    | Price
    | Run
    | Original
    | Drawing
    | Waiver
    | Note
    | Part
)

TABLES: dict[str, type[Base]] = {
    "spaces": Space,
    "fabrics": Fabric,
    "groups": Group,
    "racks": Rack,
    "devices": Device,
    "cables": Cable,
    "cords": Cord,
    "plugs": Plug,
    "assemblies": CableAssembly,
    "jobs": Job,
    "faults": Fault,
    "overrides": Override,
    "policies": Policy,
    "prices": Price,
    "runs": Run,
    "originals": Original,
    "drawing": Drawing,
    "waivers": Waiver,
    "notes": Note,
}
"""Every table but `parts`, whose records are catalog models."""

TABLE_NAMES: tuple[str, ...] = ("parts", *TABLES)


_SPECS: dict[type, tuple[Field[Any], ...]] = {
    kind: tuple(spec for spec in fields(kind) if spec.name != "extra") for kind in (*TABLES.values(), About)
}
"""The fields of each kind of record but for `extra`."""
_NAMES = {kind: frozenset(spec.name for spec in specs) for kind, specs in _SPECS.items()}


def plain(record: Record | About) -> dict[str, Any]:
    """A record as JSON values, defaults left out, unknown fields of `extra` at their old place."""
    if isinstance(record, BaseModel):
        data: dict[str, Any] = record.model_dump(mode="json", exclude_defaults=True)
        return {"kind": record.kind, **data}
    data = {}
    for spec in _SPECS[type(record)]:
        value = getattr(record, spec.name)
        if not _is_default(value, spec):
            data[spec.name] = value
    return {**data, **record.extra} if record.extra else data


def json_values(record: Record | About) -> dict[str, Any]:
    """The same with lists for tuples, as a text read back gives it: what a record may hold of another."""
    values: dict[str, Any] = json.loads(json.dumps(plain(record)))
    return values


def _is_default(value: object, spec: Field[object]) -> bool:
    if value is None or value == () or value == {}:
        return spec.default is None or spec.default == () or spec.default_factory is dict
    # True == 1 and 0.0 == False in Python: the type is part of the value here.
    return bool(value == spec.default and type(value) is type(spec.default))


T = TypeVar("T", bound="Base | About")


def from_plain(kind: type[T], data: dict[str, Any]) -> T:
    """A record from JSON values; fields it does not know go to `extra`. Raises pydantic.ValidationError."""
    known = _NAMES[kind]
    if known.issuperset(data):
        return kind(**data)
    extra = {key: value for key, value in data.items() if key not in known}
    body = {key: value for key, value in data.items() if key in known}
    return kind(**body, extra=extra)


def record_from(table: str, data: Any) -> Record:  # noqa: ANN401 whatever a file holds
    """A record of a table from JSON values. Raises pydantic.ValidationError, or TypeError for no object."""
    if table == "parts":
        return PART.validate_python(data)
    if not isinstance(data, dict):
        raise TypeError("a record is an object in braces")
    return cast("Record", from_plain(TABLES[table], data))
