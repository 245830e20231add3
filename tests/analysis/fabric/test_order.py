"""ANALYSES can be run from first to last, by an engine that skips what an edit left alone."""

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.engine import Engine
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import TABLE_NAMES, Note
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.fabric.helpers import FABRIC
from tests.topology.samples import superpod


def test_each_comes_after_what_it_needs_and_reads_tables_there_are() -> None:
    seen: set[str] = set()
    for item in ANALYSES:
        assert item.needs <= seen, item.name
        assert item.reads <= set(TABLE_NAMES), item.name
        seen.add(item.name)
    assert len(seen) == len(ANALYSES)
    assert {"compiled", "capacity", "boundary"} <= seen


def test_an_edit_elsewhere_runs_none_of_them_and_an_equal_result_keeps_its_object() -> None:
    design = superpod(1)
    graphs, engine = build_graphs(design), Engine(FABRIC)
    first = engine.run(design, graphs)
    for table, change in (("notes", Note(id="n", text="x")), ("devices", None)):
        draft = Draft(design)
        if change is not None:
            draft.put(table, change)
        else:
            draft.change("devices", "srv-0001", name="Anna")
        patch = draft.patch("edit")
        after = design.apply(patch)
        ran = list(engine.steps(after, graphs.apply(patch, after)))
        assert ran == ([] if table == "notes" else ["compiled", "capacity", "boundary"])
        assert all(engine.results[name] is first[name] for name in first)
