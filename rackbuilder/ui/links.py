"""What a link of a panel selects: a pair of devices stands for the cables that join them."""

from collections.abc import Iterable

from rackbuilder.design.design import Design
from rackbuilder.design.refs import parse


def spread(design: Design, refs: Iterable[str]) -> list[str]:
    """Refs as the canvas knows them, each once: “a~b” becomes the cables between a and b, or both where none runs."""
    found: dict[str, None] = {}
    for ref in refs:
        found |= dict.fromkeys(_pair(design, ref) if "~" in ref else (ref,))
    return list(found)


def _pair(design: Design, ref: str) -> tuple[str, ...]:
    name = parse(ref)
    ends = design.indexes.ends
    there = {cable for cables in ends.get(name.other, {}).values() for cable in cables}
    here = (cable for cables in ends.get(name.record, {}).values() for cable in cables)
    shared = dict.fromkeys(cable for cable in here if cable in there)
    return tuple(shared) or (name.record, name.other)
