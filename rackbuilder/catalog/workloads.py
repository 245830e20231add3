"""What can be run: shapes of published models, and presets that say how they are trained.

A preset is a starting point: a job of a design may set every one of its figures otherwise. Each entry names its source;
what its source does not print is listed under `assumed`, with the reason for our choice.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from rackbuilder import resources
from rackbuilder.catalog.parts import Frozen
from rackbuilder.errors import Problem, ProblemError, did_you_mean, refusal

PUBLISHED_TOLERANCE = 0.02
"""Papers round: Llama 2 “70B” has 68.98e9 parameters, and that is the farthest of the shipped ones."""


class Entry(Frozen):
    """What every entry of a workload file has."""

    id: str
    name: str
    source: str = Field(min_length=1)
    sources: dict[str, str] = Field(default_factory=dict)
    """Field -> source, where it differs from that of the entry."""
    assumed: dict[str, str] = Field(default_factory=dict)
    """Field -> why it has the value it has, where no source prints one."""

    @model_validator(mode="after")
    def _names_fields(self) -> "Entry":
        for key in (*self.sources, *self.assumed):
            if key not in type(self).model_fields:
                raise ValueError(
                    f"“{key}” is no field of this entry. {did_you_mean(key, type(self).model_fields)}"
                )
        return self


class Experts(Frozen):
    """The mixture-of-experts part of a model."""

    experts: int = Field(ge=2)
    top_k: int = Field(ge=1)
    expert_ffn: int = Field(ge=1)
    shared: int = Field(default=0, ge=0)
    """Experts that see every token."""
    first_dense: int = Field(default=0, ge=0)
    """Layers at the start that keep a dense FFN."""


class Latent(Frozen):
    """Multi-head latent attention (arXiv 2412.19437, section 2.1.1): low-rank queries, keys and values."""

    query_rank: int
    kv_rank: int
    nope_dim: int
    """Head size of queries and keys without position."""
    rope_dim: int
    """Head size of queries and keys with position; the key part is shared by all heads."""
    value_dim: int


class ModelShape(Entry):
    """The shape of one decoder-only transformer. Sizes are counts of elements."""

    layers: int = Field(ge=1)
    hidden: int = Field(ge=1)
    heads: int = Field(ge=1)
    kv_heads: int = Field(ge=1)
    head_dim: int = Field(ge=1)
    ffn: int = Field(ge=0)
    """Width of a dense layer's FFN; 0 when every layer has experts."""
    vocab: int = Field(ge=1)
    n_ff: Literal[2, 3]
    """Matrices of an FFN: 2 with GELU, 3 with SwiGLU."""
    moe: Experts | None = None
    latent: Latent | None = None
    tied: bool = False
    """The output head is the embedding."""
    biases: bool = False
    """Linear layers and norms have biases (GPT); otherwise RMSNorm without (Llama)."""
    positions: int = 0
    """Learned position embeddings."""
    published: float = Field(gt=0)
    """Parameters as the source states them."""

    @model_validator(mode="after")
    def _adds_up(self) -> "ModelShape":
        if self.moe and self.moe.first_dense > self.layers:
            raise ValueError("first_dense is more than layers")
        if not self.ffn and self.dense_layers:
            raise ValueError("ffn is 0, yet some layers are dense")
        counted = self.parameters()
        if abs(counted / self.published - 1) > PUBLISHED_TOLERANCE:
            text = f"the shape has {counted / 1e9:.2f}e9 parameters, its source states {self.published / 1e9:.2f}e9"
            raise ValueError(text)
        return self

    @property
    def moe_layers(self) -> int:
        return self.layers - self.moe.first_dense if self.moe else 0

    @property
    def dense_layers(self) -> int:
        return self.layers - self.moe_layers

    def attention_parameters(self) -> int:
        """Of one layer, biases included."""
        h, a, low = self.hidden, self.heads, self.latent
        if low:
            queries = low.query_rank * (h + a * (low.nope_dim + low.rope_dim) + 1)
            keys = h * (low.kv_rank + low.rope_dim) + low.kv_rank * (a * (low.nope_dim + low.value_dim) + 1)
            return queries + keys + a * low.value_dim * h
        width = (a + 2 * self.kv_heads) * self.head_dim
        return h * width + a * self.head_dim * h + (width + h if self.biases else 0)

    def norm_parameters(self) -> int:
        """Of the two norms of one layer."""
        return 2 * self.hidden * (2 if self.biases else 1)

    def ffn_parameters(self, width: int) -> int:
        """Of one FFN of a width: a dense layer's, or one expert's."""
        biases = (self.n_ff - 1) * width + self.hidden if self.biases else 0
        return self.n_ff * self.hidden * width + biases

    def expert_parameters(self) -> int:
        """Of one expert; 0 without experts."""
        return self.ffn_parameters(self.moe.expert_ffn) if self.moe else 0

    def shared_layer_parameters(self, moe: bool) -> int:
        """Of one layer, all but its routed experts: what every GPU of a data-parallel group holds alike."""
        base = self.attention_parameters() + self.norm_parameters()
        if not moe or self.moe is None:
            return base + self.ffn_parameters(self.ffn)
        return base + self.moe.shared * self.expert_parameters() + self.hidden * self.moe.experts

    def embedding_parameters(self) -> int:
        """Of the input side: tokens and learned positions."""
        return (self.vocab + self.positions) * self.hidden

    def head_parameters(self) -> int:
        """Of the output side, a tied head included (it stands on the last stage too)."""
        return self.vocab * self.hidden

    def parameters(self) -> int:
        """All of them, each once."""
        experts = self.moe.experts if self.moe else 0
        return self._total(experts)

    def active_parameters(self) -> int:
        """Those that one token passes."""
        return self._total(self.moe.top_k if self.moe else 0)

    def _total(self, experts: int) -> int:
        layers = self.dense_layers * self.shared_layer_parameters(False)
        layers += self.moe_layers * (self.shared_layer_parameters(True) + experts * self.expert_parameters())
        final_norm = self.norm_parameters() // 2
        head = 0 if self.tied else self.head_parameters()
        return layers + final_norm + self.embedding_parameters() + head


Precision = Literal["fp16", "bf16", "fp8", "fp4"]


class Preset(Entry):
    """How a model is trained: batch, precision and the default sizes of its parallel dimensions."""

    kind: Literal["training"] = "training"
    model: str
    global_batch: int = Field(ge=1)
    """Sequences a step."""
    micro_batch: int = Field(default=1, ge=1)
    sequence: int = Field(ge=1)
    """Tokens a sequence."""
    precision: Precision = "bf16"
    tp: int = Field(default=1, ge=1)
    cp: int = Field(default=1, ge=1)
    ep: int = Field(default=1, ge=1)
    pp: int = Field(default=1, ge=1)
    virtual: int = Field(default=1, ge=1)
    """Stages a pipeline rank holds, interleaved."""
    scatter: bool = True
    """A rank of a tensor group passes only its part of an activation to the next stage (scatter-gather, or sequence
    parallel); otherwise each passes all of it."""
    zero: Literal[0, 1, 2, 3] = 1
    gradient_bytes: Literal[2, 4] = 4
    """Of one gradient element as it is reduced."""
    dispatch_bytes: Literal[1, 2] = 2
    """Of one element sent to an expert."""
    combine_bytes: Literal[1, 2] = 2
    """Of one element sent back."""

    @property
    def tokens(self) -> int:
        return self.global_batch * self.sequence


@dataclass(frozen=True)
class Workload:
    """A preset with the shape of its model: what an analysis works on."""

    preset: Preset
    model: ModelShape

    @property
    def id(self) -> str:
        return self.preset.id


@dataclass(frozen=True)
class Workloads:
    """All that is known: presets and models by id, in the order of their ids."""

    models: Mapping[str, ModelShape] = field(default_factory=dict)
    presets: Mapping[str, Preset] = field(default_factory=dict)

    def get(self, identity: str) -> Workload | None:
        preset = self.presets.get(identity)
        return None if preset is None else Workload(preset, self.models[preset.model])

    def need(self, identity: str) -> Workload:
        """The workload of a preset. Raises ProblemError with a suggestion."""
        found = self.get(identity)
        if found is None:
            raise refusal(f"There is no workload “{identity}”", fix=did_you_mean(identity, self.presets))
        return found


# ---- reading ---------------------------------------------------------------------------------------------------

_TABLES: tuple[tuple[str, type[Entry]], ...] = (("models", ModelShape), ("presets", Preset))


def shipped_workloads() -> Workloads:
    """The workloads that ship with rackbuilder. Raises ProblemError when a file is broken."""
    return load_workloads(resources.path("workloads"))


def load_workloads(folder: Path) -> Workloads:
    """Every *.yaml of a folder, in the order of their names. Raises ProblemError with every fault, each at its line."""
    problems: list[Problem] = []
    found: dict[str, dict[str, Any]] = {"models": {}, "presets": {}}
    for path in sorted(folder.glob("*.yaml")):
        for table, entry, line in _entries(path, problems):
            if entry.id in found[table]:
                problems.append(_fault(path, line, f"{entry.id} is there twice", "Give it another id."))
            found[table][entry.id] = (entry, path, line)
    models = {key: found["models"][key][0] for key in sorted(found["models"])}
    for preset, path, line in found["presets"].values():
        if preset.model not in models:
            what = f"{preset.id} names the model “{preset.model}”, which is not there"
            problems.append(_fault(path, line, what, did_you_mean(preset.model, models)))
    if problems:
        raise ProblemError(*problems)
    return Workloads(models, {key: found["presets"][key][0] for key in sorted(found["presets"])})


def _fault(path: Path, line: int, what: str, fix: str) -> Problem:
    return Problem(what, f"{path.name}, line {line}", fix)


def _entries(path: Path, problems: list[Problem]) -> Iterator[tuple[str, Entry, int]]:
    """The sound entries of one file as (table, entry, line); faults go to `problems`."""
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problems.append(_fault(path, line, f"this is no YAML: {error.problem}", "Repair the line."))
        return
    except UnicodeDecodeError:
        problems.append(_fault(path, 1, "the file is not UTF-8", "Save it as UTF-8."))
        return
    kinds = dict(_TABLES)
    for key, value in _pairs(root, path, problems):
        if key.value not in kinds or not isinstance(value, yaml.SequenceNode):
            fix = "A workload file has the lists " + " and ".join(kinds) + "."
            problems.append(_fault(path, key.start_mark.line + 1, f"“{key.value}” is not known here", fix))
            continue
        for node in value.value:
            entry = _entry(kinds[key.value], node, path, problems)
            if entry is not None:
                yield key.value, entry, node.start_mark.line + 1


def _pairs(
    node: yaml.Node | None, path: Path, problems: list[Problem]
) -> Iterable[tuple[yaml.Node, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        pairs: list[tuple[yaml.Node, yaml.Node]] = node.value
        return pairs
    line = node.start_mark.line + 1 if node else 1
    problems.append(_fault(path, line, "there are no entries", "Write “models:” or “presets:” and a list."))
    return ()


def _entry(kind: type[Entry], node: yaml.Node, path: Path, problems: list[Problem]) -> Entry | None:
    twice = list(_repeated(node))
    problems.extend(
        _fault(path, n.start_mark.line + 1, f"“{n.value}” is there twice", "Keep one.") for n in twice
    )
    data: Any = yaml.SafeLoader("").construct_document(node)
    if not isinstance(data, dict):
        problems.append(
            _fault(path, node.start_mark.line + 1, "an entry is a mapping", "Write “id: …” and its fields.")
        )
        return None
    try:
        return kind(**data)
    except ValidationError as error:
        for row in error.errors():
            name = ".".join(str(part) for part in row["loc"]) or str(data.get("id", "entry"))
            known = kind.model_fields if row["type"] == "extra_forbidden" else ()
            fix = did_you_mean(name, known) if known else f"See the other entries of {path.name}."
            problems.append(_fault(path, _line(node, row["loc"]), f"{name}: {row['msg']}", fix))
    return None


def _repeated(node: yaml.Node) -> Iterator[yaml.Node]:
    """Keys that a mapping holds twice, at any depth: YAML would keep the last one in silence."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key
            seen.add(key.value)
            yield from _repeated(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _repeated(item)


def _line(node: yaml.Node, loc: tuple[int | str, ...]) -> int:
    """The line of the field that a validation error names, or of the mapping that should hold it."""
    line = node.start_mark.line + 1
    for step in loc:
        if not isinstance(node, yaml.MappingNode):
            break
        found = [(key, value) for key, value in node.value if key.value == step]
        if not found:
            break
        line, node = found[0][0].start_mark.line + 1, found[0][1]
    return line
