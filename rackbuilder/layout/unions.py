"""Which things hang together: disjoint sets with a fixed order."""

from collections.abc import Iterable


class Unions:
    """Sets that grow together; reported in the order in which their members were first given."""

    def __init__(self, members: Iterable[str]) -> None:
        self._parent = {m: m for m in members}

    def find(self, member: str) -> str:
        root = member
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[member] != root:
            self._parent[member], member = root, self._parent[member]
        return root

    def join(self, a: str, b: str) -> None:
        self._parent[self.find(b)] = self.find(a)

    def sets(self) -> list[list[str]]:
        found: dict[str, list[str]] = {}
        for member in self._parent:
            found.setdefault(self.find(member), []).append(member)
        return list(found.values())
