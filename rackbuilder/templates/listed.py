"""The templates there are, in the order a sheet shows them."""

from rackbuilder.errors import unknown_name
from rackbuilder.templates.base import Template
from rackbuilder.templates.basepod import Basepod
from rackbuilder.templates.blank import Blank
from rackbuilder.templates.fat_tree import FatTree
from rackbuilder.templates.nvlink_pod import NvlinkPod
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.templates.rail_optimised import RailOptimised
from rackbuilder.templates.roce_pod import RocePod
from rackbuilder.templates.superpod import Superpod

TEMPLATES: tuple[type[Template], ...] = (
    Superpod,
    RailOptimised,
    FatTree,
    NvlinkPod,
    NvlinkRack,
    RocePod,
    Basepod,
    Blank,
)


def template(name: str) -> type[Template]:
    """A template by its name. Raises InputError with a suggestion."""
    for kind in TEMPLATES:
        if kind.verb == name:
            return kind
    raise unknown_name("template", name, (kind.verb for kind in TEMPLATES))
