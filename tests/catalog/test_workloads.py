"""Shapes and presets of published models, and faults named by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackbuilder.catalog.workloads import Workloads, load_workloads, shipped_workloads
from rackbuilder.errors import ProblemError


@pytest.fixture(scope="module")
def shipped() -> Workloads:
    return shipped_workloads()


# Counts shown with the published weights (Hugging Face model pages), and those that the SC21 paper prints.
@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        ("llama-2-70b", 68_976_648_192),
        ("llama-3-8b", 8_030_261_248),
        ("llama-3-70b", 70_553_706_496),
        ("mixtral-8x7b", 46_702_792_704),
    ],
)
def test_parameters_are_those_of_the_published_weights(
    shipped: Workloads, model: str, parameters: int
) -> None:
    assert shipped.models[model].parameters() == parameters


@pytest.mark.parametrize(
    ("model", "billions"),
    [("gpt-3-175b", 174.6), ("gpt-530b", 529.6), ("gpt-1t", 1008.0), ("deepseek-v3", 671.0)],
)
def test_parameters_are_those_the_papers_print(shipped: Workloads, model: str, billions: float) -> None:
    assert round(shipped.models[model].parameters() / 1e9, 1) == billions


def test_active_parameters_of_expert_models(shipped: Workloads) -> None:
    # Mixtral: 12.9B, arXiv 2401.04088; DeepSeek-V3: 37B, arXiv 2412.19437.
    assert round(shipped.models["mixtral-8x7b"].active_parameters() / 1e9, 1) == 12.9
    assert int(shipped.models["deepseek-v3"].active_parameters() / 1e9) == 37


def test_deepseek_has_three_dense_layers(shipped: Workloads) -> None:
    model = shipped.models["deepseek-v3"]
    assert (model.dense_layers, model.moe_layers) == (3, 58)


def test_every_preset_has_a_model_a_source_and_reasons(shipped: Workloads) -> None:
    assert len(shipped.presets) >= 9
    for identity in shipped.presets:
        workload = shipped.need(identity)
        assert workload.preset.source
        assert workload.model.source
        assert all(reason for reason in workload.preset.assumed.values())


def test_llama_405b_trains_on_sixteen_million_tokens_a_step(shipped: Workloads) -> None:
    # arXiv 2407.21783, Table 4: 16M tokens a batch, 8,192 GPUs as tensor 8, pipeline 16, data 64.
    preset = shipped.presets["llama-3.1-405b"]
    assert preset.tokens == 16 * 2**20
    assert preset.tp * preset.pp * 64 == 8192


def test_unknown_preset_has_a_suggestion(shipped: Workloads) -> None:
    with pytest.raises(ProblemError, match="llama-3-70b"):
        shipped.need("llama-3-70")
    assert shipped.get("nothing") is None


# ---- files

MODEL = """models:
- id: tiny
  name: Tiny
  layers: 2
  hidden: 8
  heads: 2
  kv_heads: 2
  head_dim: 4
  ffn: 32
  vocab: 10
  n_ff: 2
  published: 1736
  source: by hand
"""
PRESET = """presets:
- id: run
  name: Run
  model: tiny
  global_batch: 4
  sequence: 16
  source: by hand
"""


def load(folder: Path, **files: str) -> Workloads:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load_workloads(folder)


def test_a_file_by_hand(tmp_path: Path) -> None:
    # A layer: attention 4·8·8 = 256, FFN 2·8·32 = 512, norms 2·8 = 16; embedding and head 2·80; last norm 8.
    workloads = load(tmp_path, a=MODEL, b=PRESET)
    assert workloads.models["tiny"].parameters() == 2 * 784 + 160 + 8 == 1736
    assert workloads.need("run").preset.tokens == 64


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("  layers: 2", "  layrs: 2", 4, "Did you mean “layers”"),
        ("  heads: 2", "  heads: two", 6, "heads"),
        ("  published: 1736", "  published: 2000", 2, "parameters"),
        ("  source: by hand", "  source: by hand\n  assumed: {colour: nice}", 2, "colour"),
        ("  vocab: 10", "  vocab: 10\n  vocab: 11", 11, "twice"),
        ("models:", "modells:", 1, "not known"),
        ("  ffn: 32", "  ffn: [32", 10, "YAML"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, before: str, after: str, line: int, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load(tmp_path, tiny=MODEL.replace(before, after, 1))
    found = [p for p in caught.value.problems if p.where == f"{tmp_path / 'tiny.yaml'}, line {line}"]
    assert found, caught.value.problems
    assert any(words in p.text() for p in found)


def test_every_fault_is_listed(tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as caught:
        load(tmp_path, a=MODEL.replace("n_ff: 2", "n_ff: 5"), b=PRESET.replace("tiny", "tinny"), c="- 1\n")
    assert {p.where for p in caught.value.problems} == {
        f"{tmp_path / name}, line {line}" for name, line in (("a.yaml", 11), ("b.yaml", 2), ("c.yaml", 1))
    }


def test_an_id_may_be_there_once(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="tiny is there twice"):
        load(tmp_path, a=MODEL, b=MODEL)


def test_a_broken_encoding_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"models: \xff\n")
    with pytest.raises(ProblemError, match="UTF-8"):
        load_workloads(tmp_path)
