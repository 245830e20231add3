"""What an analysis is given: the tables and results it declared, and nothing else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rackbuilder.design.indexes import Indexes
from rackbuilder.design.records import About
from rackbuilder.design.view import View
from rackbuilder.topology.graphs import Graphs


class _Declared(Mapping[str, Mapping[str, Any]]):
    def __init__(self, tables: Mapping[str, Mapping[str, Any]], reads: frozenset[str], user: str) -> None:
        self._tables, self._reads, self._user = tables, reads, user

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        if name not in self._reads:
            raise LookupError(f"{self._user} reads the table {name} but does not declare it")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reads)

    def __len__(self) -> int:
        return len(self._reads)


class Inputs(View):
    """A read-only view of a design for one analysis or rule topic. An undeclared table or result raises LookupError."""

    def __init__(
        self,
        view: View,
        graphs: Graphs,
        results: Mapping[str, Any],
        user: str,
        reads: frozenset[str],
        needs: frozenset[str],
    ) -> None:
        self._view, self._graphs, self._results = view, graphs, results
        self._declared = _Declared(view.tables, reads, user)
        self._user, self._needs = user, needs

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        return self._declared

    @property
    def indexes(self) -> Indexes:
        return self._view.indexes

    @property
    def about(self) -> About:
        return self._view.about

    @property
    def graphs(self) -> Graphs:
        """Fabric graphs and NVLink domains; they follow from parts, devices, racks, cables, fabrics and faults."""
        return self._graphs

    def result(self, name: str) -> Any:  # noqa: ANN401 each result has a model of its own
        """The result of another analysis. Raises LookupError when it is not declared as needed."""
        if name not in self._needs:
            raise LookupError(f"{self._user} uses the result {name} but does not declare it")
        return self._results[name]


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value the tool chose because nobody gave one: shown, named, editable."""

    name: str
    text: str
    refs: tuple[str, ...] = ()


class Analysis(NamedTuple):
    """One named answer about a design: pure, from declared tables and results to a frozen result."""

    name: str
    reads: frozenset[str]
    needs: frozenset[str]
    run: Callable[[Inputs], Any]


def analysis(name: str, reads: str, needs: str, run: Callable[[Inputs], Any]) -> Analysis:
    """An Analysis from blank-separated names of tables and results."""
    return Analysis(name, frozenset(reads.split()), frozenset(needs.split()), run)
