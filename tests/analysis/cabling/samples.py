"""Small designs of shipped parts on a floor, as the tests of lengths, media and their rules build them."""

from __future__ import annotations

from pydantic import JsonValue

from rackbuilder.analysis.cabling.models import Lengths, Media
from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import BomLine
from rackbuilder.catalog.load import shipped
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, SetPlug
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.edit import SetPolicy
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from tests.analysis.facility.samples import report_of
from tests.samples import edited

RACK = "52u-700x1200"
U_M = 0.04445
"""EIA-310."""


def made(*commands: Command, base: Design | None = None) -> Design:
    return edited(base or Design(), *commands, catalog=shipped())


def rack(name: str = "A01", x_m: float | None = 0.0, y_m: float | None = 0.0) -> AddRack:
    return AddRack(type=RACK, name=name, x_m=x_m, y_m=y_m)


def switch(name: str, u: float, in_: str = "A01", type_: str = "qm9700") -> PlaceDevice:
    return PlaceDevice(type=type_, name=name, rack=in_, u=u)


def link(a: str, b: str, part: str = "", length_m: float | None = None) -> Connect:
    return Connect(a=a, b=b, part=part, length_m=length_m)


def plug(cage: str, part: str) -> SetPlug:
    return SetPlug(cage=cage, part=part)


def policy(key: str, value: JsonValue) -> SetPolicy:
    return SetPolicy(key=key, value=value)


def lengths_of(design: Design) -> Lengths:
    found = report_of(design).get("lengths")
    assert isinstance(found, Lengths)
    return found


def media_of(design: Design) -> Media:
    found = report_of(design).get("media")
    assert isinstance(found, Media)
    return found


def lines_of(report: Report, section: str) -> list[BomLine]:
    assert report.bom is not None
    return [line for line in report.bom.lines if line.section == section]
