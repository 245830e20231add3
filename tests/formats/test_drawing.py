"""Drawings as SVG and PDF: every kind of object is there, the same bytes each time, readable by others."""

import os
import re
import subprocess
import sys
import zlib
from collections import Counter

import pytest
from defusedxml import ElementTree

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.formats.drawing import DRAWINGS
from rackbuilder.layout.colours import PRINT
from rackbuilder.topology.graphs import build_graphs
from tests.layout import samples

SVG = "{http://www.w3.org/2000/svg}"


def written(kind: str, design: Design) -> bytes:
    export = next(e for e in DRAWINGS if e.kind == kind)
    return export.write(design, build_graphs(design), Report())


def texts(kind: str, design: Design) -> Counter[str]:
    root = ElementTree.fromstring(written(kind, design))
    return Counter("".join(node.itertext()).strip() for node in root.iter(f"{SVG}text"))


def percents(ink: str) -> str:
    """An ink as an SVG of reportlab says it: on whole percents."""
    value = PRINT[ink]
    return "rgb(" + ",".join(f"{round(int(value[at : at + 2], 16) / 255 * 100)}%" for at in (1, 3, 5)) + ")"


def fills(kind: str, design: Design) -> Counter[str]:
    root = ElementTree.fromstring(written(kind, design))
    styles = (node.get("style", "") for node in root.iter(f"{SVG}rect"))
    return Counter(match[1] for style in styles if (match := re.search(r"fill: (rgb\([^)]*\))", style)))


def test_every_device_stands_in_the_rack_drawing() -> None:
    design = samples.mixed_row()
    found = texts("racks-svg", design)
    for device in design.devices.values():
        if design.type_of(device).u_height:
            assert found[device.label] >= 2, device.label  # front and rear
    assert found["A"] == found["B"] == 1  # the two strips, by their feed


def test_every_kind_has_its_mark_in_the_rack_drawing() -> None:
    design = samples.mixed_row()
    found = fills("racks-svg", design)
    # 7 servers of 8 GPUs; 36 trays of 4, whose rear shows none.
    assert found[percents("gpu_cell")] == 7 * 8 + 36 * 4
    for ink in ("server-leaf", "leaf-spine", "storage", "in-band", "out-of-band", "in-domain", "rack_blank"):
        assert found[percents(ink)], ink


def test_every_device_of_the_fabric_is_drawn_or_counted() -> None:
    design = samples.superpod()
    found = texts("fabric-svg", design)
    assert fills("fabric-svg", design)[percents("gpu_cell")] == 127 * 8
    for name in ("S01", "L32", "ufm-4", "mgmt-5", "eth-8", "oob-8", "T08", "stg-06", "A01", "SU 4"):
        assert found[name] == 1, name
    assert found["64 × PDU 60 A"] == 1
    assert found["1,024 cables · 32 leaf × 16 spine × 2 · 409.6 Tb/s per direction"] == 1
    assert found["Storage · 254 cables · 101.6 Tb/s per direction"] == 1
    assert {"server–leaf", "leaf–spine", "storage"} <= set(found)


def test_every_layer_has_its_runs() -> None:
    found = fills("fabric-svg", samples.superpod())
    assert found[percents("storage")] > 4
    assert found[percents("server-leaf")] > 32 * 2


def test_the_floor_has_halls_rows_and_racks() -> None:
    design = samples.superpod(units=1, spines=4)
    found = texts("floor-svg", design)
    assert {"Hall 1", "Row A", "A01", "A08"} <= set(found)


def test_racks_and_devices_without_a_place_are_there() -> None:
    found = texts("floor-svg", samples.small(racked=True))
    assert found["No place on the floor yet: 1"] == 1
    assert texts("racks-svg", samples.small())["Not in a rack: 6"] == 1


@pytest.mark.parametrize("kind", [e.kind for e in DRAWINGS])
def test_a_blank_design_can_be_drawn(kind: str) -> None:
    assert written(kind, Design())


def pdf_text(data: bytes) -> bytes:
    """The page's instructions; reportlab writes them in base 85, then deflated."""
    import base64

    found = b""
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        body = match[1].strip()
        try:
            found += zlib.decompress(base64.a85decode(body.removesuffix(b"~>")))
        except (ValueError, zlib.error):
            found += body
    return found


def test_the_pdf_is_a_pdf_with_the_same_words() -> None:
    design = samples.superpod(units=1, spines=4)
    data = written("fabric-pdf", design)
    assert data.startswith(b"%PDF-")
    page = pdf_text(data)
    for word in (b"(S04)", b"(L08)", b"(SU 1)", b"(stg-01)"):
        assert word in page


def test_names_of_any_script_do_not_stop_a_drawing() -> None:
    design = samples.small()
    server = design.devices["srv-0001"]
    from dataclasses import replace

    named = design.apply(
        Patch("", (Change("devices", server.id, server, replace(server, name="λ-服务器 <&> 1")),))
    )
    assert texts("fabric-svg", named)["λ-服务器 <&> 1"] == 1
    assert written("fabric-pdf", named).startswith(b"%PDF-")


_MADE_TWICE = """
import hashlib
from rackbuilder.analysis.report import Report
from rackbuilder.formats.drawing import DRAWINGS
from rackbuilder.topology.graphs import build_graphs
from tests.layout import samples
for design in (samples.superpod(units=1, spines=4), samples.mixed_row()):
    graphs = build_graphs(design)
    for export in DRAWINGS:
        print(export.kind, hashlib.sha256(export.write(design, graphs, Report())).hexdigest())
"""


@pytest.mark.slow
def test_the_same_bytes_under_any_hash_seed() -> None:
    made = []
    for seed in ("1", "4242"):
        ran = subprocess.run(
            [sys.executable, "-c", _MADE_TWICE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        made.append(ran.stdout)
    assert made[0] == made[1]
    assert len(made[0].splitlines()) == 2 * len(DRAWINGS)
