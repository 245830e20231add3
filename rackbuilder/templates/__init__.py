"""Whole designs from a few numbers: each template is a Command that plans one big patch.

`EDITS` are commands on a design that a template made.
"""

from rackbuilder.commands.base import Command
from rackbuilder.templates.base import FieldInfo, Template
from rackbuilder.templates.listed import TEMPLATES, template
from rackbuilder.templates.regenerate import Outcome, Regenerate
from rackbuilder.templates.swap import SwapFabric

__all__ = ["EDITS", "TEMPLATES", "FieldInfo", "Outcome", "Regenerate", "SwapFabric", "Template", "template"]

EDITS: tuple[type[Command], ...] = (Regenerate, SwapFabric)
