"""rackbuilder catalog, templates, formats: what there is."""

from typing import Annotated, Any

import typer

from rackbuilder.catalog.parts import Part
from rackbuilder.cli import common
from rackbuilder.formats import EXPORTS, IMPORTS
from rackbuilder.templates import TEMPLATES

_JSON = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def catalog(identity: Annotated[str, typer.Argument(metavar="[ID]")] = "", as_json: _JSON = False) -> None:
    """List the parts, or show one with the source of each figure."""
    with common.exit_codes():
        parts = common.catalog()
        if identity:
            part = parts.part(identity)
            if as_json:
                common.put_json({"schema": 1, "part": _plain(part)})
            else:
                _show(part)
        elif as_json:
            rows = [
                {"id": p.id, "kind": p.kind, "name": p.name, "evidence": p.evidence}
                for p in parts.parts.values()
            ]
            common.put_json({"schema": 1, "date": parts.date, "parts": rows})
        else:
            for part in parts.parts.values():
                common.put(f"{part.id:32} {part.kind:11} {part.evidence:4} {part.name}")


def _plain(part: Part) -> dict[str, Any]:
    return part.model_dump(mode="json", exclude_defaults=True) | {"kind": part.kind}


def _show(part: Part) -> None:
    common.put(f"{part.name} ({part.id}, {part.kind})")
    common.put(f"evidence {part.evidence}, of {part.revision}")
    skip = {
        "id",
        "name",
        "kind",
        "evidence",
        "revision",
        "sources",
        "conflicts",
        "notes",
        "unverified",
        "grades",
        "published",
    }
    for name, value in _plain(part).items():
        if name not in skip:
            grade = part.grade(name)
            mark = (
                ""
                if grade == part.evidence
                else f"   evidence {grade}{', unverified' if grade == 'U' else ''}"
            )
            printed = f"   published as {part.published[name]}" if name in part.published else ""
            common.put(f"  {name}: {value}{mark}{printed}")
    for conflict in part.conflicts:
        common.put(f"  conflict: {conflict.key} {conflict.value} ({conflict.origin})")
    for note in part.notes:
        common.put(f"  note: {note}")
    for source in part.sources:
        common.put(f"  source: {source}")


def templates(as_json: _JSON = False) -> None:
    """List the templates with their fields."""
    if as_json:
        rows = [
            {
                "name": t.verb,
                "title": t.title,
                "about": t.about,
                "fields": [f._asdict() for f in t.fields_info()],
            }
            for t in TEMPLATES
        ]
        common.put_json({"schema": 1, "templates": rows})
        return
    for kind in TEMPLATES:
        common.put(f"{kind.verb}: {kind.about}")
        for field in kind.fields_info():
            common.put(
                f"  --set {field.name}={field.default if field.default is not None else ''}  {field.text}"
            )


def formats(as_json: _JSON = False) -> None:
    """List the kinds of files that can be written, and read."""
    if as_json:
        rows = [{"kind": e.kind, "suffix": e.suffix, "title": e.title, "direction": "out"} for e in EXPORTS]
        rows += [{"kind": i.kind, "suffix": "", "title": i.title, "direction": "in"} for i in IMPORTS]
        common.put_json({"schema": 1, "formats": rows})
        return
    for item in EXPORTS:
        common.put(f"{item.kind:16} {item.suffix:8} out  {item.title}")
    for reader in IMPORTS:
        common.put(f"{reader.kind:16} {'':8} in   {reader.title}")
