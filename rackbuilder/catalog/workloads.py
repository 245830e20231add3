"""What can be run: shapes of published models, and presets that say how they are trained.

A preset is a starting point: a job of a design may set every one of its figures otherwise. Each entry names its source;
what its source does not print is listed under `assumed`, with the reason for our choice.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import yaml
from pydantic import Field, ValidationError, model_validator

from rackbuilder import resources
from rackbuilder.catalog.parts import Frozen
from rackbuilder.catalog.yaml_nodes import Fault, Plain, line_of, pairs, read_nodes
from rackbuilder.errors import Problem, ProblemError, did_you_mean, unknown_name

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
        """The workload of a preset. Raises InputError with a suggestion."""
        found = self.get(identity)
        if found is None:
            raise unknown_name("workload", identity, self.presets)
        return found


# ---- reading ---------------------------------------------------------------------------------------------------

_TABLES: dict[str, type[Entry]] = {"models": ModelShape, "presets": Preset}


@lru_cache(maxsize=1)
def shipped_workloads() -> Workloads:
    """The workloads that ship with rackbuilder. Raises ProblemError when a file is broken."""
    return load_workloads(resources.path("workloads"))


def load_workloads(folder: Path) -> Workloads:
    """Every *.yaml of a folder, in the order of their names. Raises ProblemError with every fault, each at its line."""
    problems: list[Problem] = []
    models: dict[str, _Found] = {}
    presets: dict[str, _Found] = {}
    for path in sorted(folder.glob("*.yaml")):
        for found in _entries(path, problems):
            table = models if isinstance(found.entry, ModelShape) else presets
            if found.entry.id in table:
                problems.append(found.fault(f"{found.entry.id} is there twice", "Give it another id."))
            table[found.entry.id] = found
    known = {key: x.entry for key in sorted(models) if isinstance((x := models[key]).entry, ModelShape)}
    runs = {key: x.entry for key in sorted(presets) if isinstance((x := presets[key]).entry, Preset)}
    for key, run in runs.items():
        if run.model not in known:
            what = f"{key} names the model “{run.model}”, which is not there"
            problems.append(presets[key].fault(what, did_you_mean(run.model, known)))
    if problems:
        raise ProblemError(*problems)
    return Workloads(known, runs)


class _Found(NamedTuple):
    entry: Entry
    path: Path
    line: int

    def fault(self, what: str, fix: str) -> Problem:
        return Fault(self.line, what, fix).problem(self.path)


def _entries(path: Path, problems: list[Problem]) -> Iterator[_Found]:
    """The sound entries of one file; what is wrong with the others goes to `problems`."""
    plain = Plain()
    try:
        root = read_nodes(path)
        if root is None:
            raise Fault(1, "The file is empty", "Write “models:” or “presets:” and a list, or delete it.")
        for key, node, value in pairs(root, "A workload file"):
            if key not in _TABLES or not isinstance(value, yaml.SequenceNode):
                fix = "A workload file has the lists " + " and ".join(_TABLES) + "."
                problems.append(Fault(line_of(node), f"“{key}” is not known here", fix).problem(path))
                continue
            for item in value.value:
                entry = _entry(_TABLES[key], item, plain, path, problems)
                if entry is not None:
                    yield _Found(entry, path, line_of(item))
    except Fault as fault:
        problems.append(fault.problem(path))


def _entry(
    kind: type[Entry], node: yaml.Node, plain: Plain, path: Path, problems: list[Problem]
) -> Entry | None:
    try:
        data = {key: plain.value(value) for key, _, value in pairs(node, "An entry")}
    except Fault as fault:
        problems.append(fault.problem(path))
        return None
    try:
        # Strict, so that “two” is no count; by way of JSON, where a list may become a tuple.
        return kind.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        for row in error.errors(include_url=False):
            name = ".".join(str(step) for step in row["loc"])
            what = f"{data.get('id', 'entry')}: {name + ': ' if name else ''}{row['msg']}"
            known = kind.model_fields if row["type"] == "extra_forbidden" and len(row["loc"]) == 1 else ()
            fix = did_you_mean(name, known) if known else "Compare it with the shipped workloads."
            problems.append(Fault(_line(node, row["loc"]), what, fix).problem(path))
    return None


def _line(node: yaml.Node, place: Sequence[int | str]) -> int:
    """The line of a field of an entry, or of the nearest thing around it that is there."""
    line = line_of(node)
    for step in place:
        found = (
            [row for row in node.value if row[0].value == step] if isinstance(node, yaml.MappingNode) else []
        )
        if not found:
            break
        line, node = line_of(found[0][0]), found[0][1]
    return line
