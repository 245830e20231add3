"""Contradictions inside a part are found, in words; what is unknown is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rackbuilder.catalog.load import load_user, shipped
from rackbuilder.catalog.parts import Part, part_from
from rackbuilder.catalog.selfcheck import self_check
from rackbuilder.errors import Problem


def changed(identity: str, **fields: Any) -> Part:
    """A copy of a shipped part with some fields otherwise; a dotted one is inside."""
    data = shipped().part(identity).model_dump()
    for name, value in fields.items():
        *outer, last = name.split("__")
        inner: Any = data
        for step in outer:
            inner = inner[int(step) if step.isdigit() else step]
        inner[last] = value
    return part_from(data | {"id": "t-changed"})


def check(part: Part) -> tuple[Problem, ...]:
    return self_check(shipped().with_parts([part]))


# What is wrong: a shipped part, the fields that make it so, and what is said of it.
CASES = {
    "62 of 64 ports": ("qm9700", {"cages__0__count": 31}, "62 ports of 400 Gb/s in its cages, its maker states 64"),
    "capacity": ("sn5600", {"switching_bps": 102.4e12, "stated_ports": {}}, "its ports carry 51.2 Tb/s per direction"),
    "one port a cage": ("dgx-h100", {"cages__0__ports": 1}, "8 ports of 400 Gb/s in its cages, its maker states 12"),
    "a rate in no unit": ("qm9700", {"stated_ports": {"400G": 64}}, "does not say bits or bytes"),
    "cage named twice": ("dgx-h100", {"cages__3__name": "inband"}, "two cages are named inband1"),
    "ports beyond the GPUs": ("dgx-h100", {"gpus__count": 4}, "serve GPUs up to 8, it has 4"),
    "typical above maximum": ("qm9700", {"power_typical_w": 1800}, "(1.8 kW) is above its maximum power (1.7 kW)"),
    "supplies too weak": ("dgx-h100", {"supplies__needed": 3}, "3 supplies give 9.9 kW, it draws up to 10.2 kW"),
    "more needed than there": ("ufm-enterprise-ndr", {"supplies__needed": 3}, "it needs 3 of 2 supplies"),
    "a GPU that is none": ("dgx-h100", {"gpus__part": "sn2201"}, "its gpus names sn2201, which is a device"),
    "a technology that is none": ("qm9700", {"technology": "h100-sxm"}, "which is a gpu"),
    "a tray that is none": ("gb200-nvl72", {"assembly__compute_tray": "h100-sxm"}, "h100-sxm is no device"),
    "height": ("sn2201", {"u_height": 1.3}, "its height is 1.3U"),
    "liquid share": ("dgx-h100", {"liquid_heat_fraction": 87}, "liquid heat fraction is 87"),
    "NVLink both directions": ("h100-sxm", {"scale_up_bytes_s": 900e9}, "18 links of 25 GB/s are not 900 GB/s"),
    "usable memory": ("b300-sxm", {"memory_usable_bytes": 300e9}, "more of its memory is usable"),
    "chip": ("nvswitch-4", {"ports": 36}, "its ports carry 3600 GB/s both ways, stated are 7200"),
    "trays": ("gb200-nvl72", {"assembly__compute_trays": 17}, "its trays hold 68 GPUs, stated are 72"),
    "links": ("gb200-nvl72", {"assembly__links_per_pair": 4}, "648 links join its trays, its 72 GPUs have 1,296"),
    "slots": ("gb200-nvl72", {"assembly__slots__4__takes": ("sn2201",)}, "17 of its slots take gb200-compute-tray"),
    "slot twice": ("gb200-nvl72", {"assembly__slots__4__u": 7}, "two of its slots have the same unit"),
    "slot outside": ("gb200-nvl72", {"u_height": 30}, "outside U1–U30"),
    "heat": ("gb200-nvl72", {"assembly__heat_air_w": 27_000}, "are not 132.0 kW"),
    "heat share": ("gb200-nvl72", {"assembly__liquid_heat_fraction": 0.5}, "no share of 0.5"),
    "splitter": ("mcp7y00-nxxx", {"b__count": 4}, "end b has 4 plugs of 1 links, the cable carries 2"),
    "order codes": ("mcp4y10-nxxx", {"lengths_m": (1.0,)}, "4 order codes for 1 lengths"),
    "optic": ("mma4z00-ns", {"power_typical_w": 20}, "typical power is above its maximum"),
}  # fmt: skip


@pytest.mark.parametrize(("identity", "fields", "what"), CASES.values(), ids=list(CASES))
def test_a_contradiction_is_named(identity: str, fields: dict[str, Any], what: str) -> None:
    problems = check(changed(identity, **fields))
    assert any(what in problem.what for problem in problems), problems
    assert all(problem.refs == ("t-changed",) and problem.fix for problem in problems)
    assert all(problem.where == "catalog part t-changed" for problem in problems)


UNKNOWN = {
    "dgx-h100": {
        "supplies__rating_w": None,
        "power_max_w": None,
        "cages__0__rate_bps": None,
        "stated_ports": {},
    },
    "qm9700": {"switching_bps": None, "power_max_w": None, "stated_ports": {}},
    "h100-sxm": {"nvlink_links": None},
    "mma4z00-ns": {"power_max_w": None},
    "mcp4y10-nxxx": {"part_numbers": ()},
}


@pytest.mark.parametrize("identity", UNKNOWN)
def test_what_is_unknown_is_no_contradiction(identity: str) -> None:
    assert check(changed(identity, **UNKNOWN[identity])) == ()


def test_a_62_port_qm9700_is_refused_with_file_and_line(tmp_path: Path) -> None:
    """Case I13 and trap T12: a public description of this switch has 62 of its 64 ports."""
    (tmp_path / "mine.yaml").write_text(
        """parts:
  - id: qm9700-62
    kind: device
    name: QM9700, as imported
    category: switch
    u_height: 1
    technology: infiniband-ndr
    switching: 25.6 Tb/s
    stated_ports: {400 Gb/s: 64}
    cages: [{name: osfp, count: 31, ports: 2, connector: OSFP, rate: 400 Gb/s, protocols: [infiniband]}]
""",
        encoding="utf-8",
    )
    catalog, problems = load_user([tmp_path])
    assert "qm9700-62" not in catalog.parts
    assert {problem.where for problem in problems} == {f"{tmp_path / 'mine.yaml'}, line 2"}
    assert problems[0].what == (
        "QM9700, as imported: it has 62 ports of 400 Gb/s in its cages, its maker states 64"
    )
    assert "its ports carry 24.8 Tb/s per direction, its stated capacity is 25.6 Tb/s" in problems[1].what
