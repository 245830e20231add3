"""YAML as nodes that know their line. Nothing is ever built but plain values, and only a bounded number of them."""

from collections.abc import Callable, Iterator
from math import isfinite, nan
from pathlib import Path

import yaml
from pydantic import JsonValue

from rackbuilder.errors import Problem

MAX_FILE_BYTES = 2_000_000
MAX_VALUES = 200_000
"""Values of one file with every alias expanded; the largest shipped file has some 3,000."""
MAX_DEPTH = 40

# libyaml gives the same nodes about ten times faster; a Python without it still opens the window.
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_PLAIN = yaml.constructor.SafeConstructor()
_READERS: dict[str, Callable[[yaml.ScalarNode], bool | int | float]] = {
    "bool": _PLAIN.construct_yaml_bool,
    "int": _PLAIN.construct_yaml_int,
    "float": _PLAIN.construct_yaml_float,
}


class Fault(Exception):
    """One thing wrong in a file, at a line (from 1)."""

    def __init__(self, line: int, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.line, self.what, self.fix = line, what, fix

    def problem(self, path: Path) -> Problem:
        return Problem(self.what, f"{path}, line {self.line}", self.fix, rule="catalog.file")


def line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def read_nodes(path: Path) -> yaml.Node | None:
    """The root node of a file, None for an empty one. Raises Fault."""
    text = _text(path)
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.context, error.problem) if part)
        raise Fault(mark.line + 1 if mark else 1, f"This is no YAML: {what}", "Repair the line.") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise Fault(line, f"This is no YAML: {error.reason}", "Remove the character.") from None
    except RecursionError:
        raise Fault(1, "The values are nested too deeply", "Write it flatter.") from None
    return root


def _text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            what = f"The file has {size / 1e6:.1f} MB; a catalog file has at most {MAX_FILE_BYTES / 1e6:g} MB"
            raise Fault(1, what, "Split it.")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Fault(1, "The file is not UTF-8", "Save it as UTF-8.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Fault(
            1, f"The file cannot be read: {reason}", "Check that it is there and may be read."
        ) from None


def pairs(node: yaml.Node, what: str) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """(key, key node, value node) of a mapping. Raises Fault for anything else, and for a key that comes twice."""
    if not isinstance(node, yaml.MappingNode):
        raise Fault(
            line_of(node), f"{what} is written as “key: value” lines", "See a file of the shipped catalog."
        )
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag not in (f"{_TAG}str", f"{_TAG}int"):
            raise Fault(line_of(key), "A key is a plain word", "Quote it, or write it without a tag.")
        if key.value in seen:
            raise Fault(line_of(key), f"“{key.value}” is there twice", "Keep one.")
        seen.add(key.value)
        yield key.value, key, value


class Plain:
    """Turns nodes of one file into plain values, counting them, so that aliases cannot blow up."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def value(self, node: yaml.Node, depth: int = 0) -> JsonValue:
        """None, bool, int, float, str, list or dict. Raises Fault for a tag, a cycle or too many values."""
        self.count(node, depth)
        if isinstance(node, yaml.SequenceNode):
            self._tagged(node, "seq")
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.MappingNode):
            self._tagged(node, "map")
            return {key: self.value(item, depth + 1) for key, _, item in pairs(node, "This")}
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node)

    def count(self, node: yaml.Node, depth: int = 0) -> None:
        """Counts one value. Raises Fault when it is one too many, or too deep."""
        self._left -= 1
        if depth > MAX_DEPTH:
            raise Fault(
                line_of(node), "The values are nested too deeply, or contain themselves", "Write it flatter."
            )
        if self._left < 0:
            fix = "Write the values out; aliases (*name) that name aliases multiply."
            raise Fault(line_of(node), f"The file expands to more than {MAX_VALUES:,} values", fix)

    def _tagged(self, node: yaml.Node, kind: str) -> None:
        if node.tag != _TAG + kind:
            tag = node.tag.replace(_TAG, "!!")
            raise Fault(line_of(node), f"The tag {tag} is not allowed", "Write plain values, without tags.")

    def _scalar(self, node: yaml.ScalarNode) -> JsonValue:
        """Dates stay text, as they are written."""
        kind = node.tag.removeprefix(_TAG)
        if kind in ("str", "timestamp"):
            return str(node.value)
        if kind == "null":
            return None
        if kind not in _READERS:
            self._tagged(node, "str")
        try:
            value = _READERS[kind](node)
        except (ValueError, KeyError):
            value = nan
        if isfinite(value):
            return value
        raise Fault(line_of(node), f"“{node.value}” is no number", "Write a number, or null for unknown.")
