"""Ranks of a job and the groups of its parallel dimensions, as arithmetic.

Ranks form a grid, the first dimension of the order fastest: with the usual order rank = t + T·(c + C·(d + D·p)).
Expert layers factor the tp × cp × dp block of each stage anew, as ep × copies with ep the faster, so that a GPU holds
whole experts. The place of ep in the order says where the data ranks of one expert group go; dp says where the others
go. Layout as in Megatron-Core (Narayanan et al., SC21, arXiv 2104.04473).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod

import numpy as np

from rackbuilder.analysis.fabric.wires import IntArray

DIMENSIONS = ("tp", "cp", "ep", "dp", "pp")
WORDS = {"tp": "tensor", "cp": "context", "ep": "expert", "dp": "data", "pp": "pipeline"}


def experts_of_data(sizes: Mapping[str, int]) -> int:
    """How many data ranks an expert group takes, beside the tensor and context ranks that it takes first."""
    return sizes["ep"] // gcd(sizes["ep"], sizes["tp"] * sizes["cp"])


@dataclass(frozen=True)
class Ranks:
    """The sizes of all dimensions, and their order, fastest first."""

    sizes: Mapping[str, int]
    order: tuple[str, ...] = DIMENSIONS

    @property
    def count(self) -> int:
        return prod(self.sizes[name] for name in ("tp", "cp", "dp", "pp"))

    @cached_property
    def _axes(self) -> dict[str, int]:
        """Size of each axis, the slowest first; “ep” and “dp” are the two parts of the data ranks."""
        names = [*dict.fromkeys(name for name in (*self.order, *DIMENSIONS) if name in DIMENSIONS)]
        inner = experts_of_data(self.sizes)
        sizes = {**self.sizes, "ep": inner, "dp": self.sizes["dp"] // inner}
        return {name: sizes[name] for name in reversed(names)}

    def groups(self, *names: str) -> IntArray:
        """(group, member): the groups that run over some dimensions; dp stands for all data ranks."""
        wanted = {*names, "ep"} if "dp" in names else {*names}
        axes = list(self._axes)
        inner = [n for n, name in enumerate(axes) if name in wanted]
        grid = np.arange(self.count).reshape(list(self._axes.values()))
        moved = np.moveaxis(grid, inner, range(len(axes) - len(inner), len(axes)))
        return moved.reshape(-1, prod(grid.shape[axis] for axis in inner))

    @cached_property
    def stage(self) -> IntArray:
        """By rank: its pipeline stage."""
        axes = list(self._axes)
        faster = axes[axes.index("pp") + 1 :]
        return np.arange(self.count) // prod(self._axes[name] for name in faster) % self.sizes["pp"]

    def expert_groups(self) -> IntArray:
        """(group, member): who shares the experts of a layer."""
        return self.groups("tp", "cp", "dp").reshape(-1, self.sizes["ep"])

    def expert_copies(self) -> IntArray:
        """(group, member): who holds the same experts, and so reduces their gradients."""
        blocks = self.groups("tp", "cp", "dp")
        stages, ep = len(blocks), self.sizes["ep"]
        return blocks.reshape(stages, -1, ep).swapaxes(1, 2).reshape(stages * ep, -1)
