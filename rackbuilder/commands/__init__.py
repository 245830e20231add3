"""Every edit there is: a frozen Command each, told apart by its verb."""

from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect, Reconnect, SetPlug
from rackbuilder.commands.clipboard import Paste
from rackbuilder.commands.devices import (
    ChangeType,
    DeleteItems,
    DuplicateDevices,
    MoveDevice,
    PlaceDevice,
    Rename,
    SetProperty,
    UnplaceDevice,
)
from rackbuilder.commands.drawing import Collapse, Pin, Unpin
from rackbuilder.commands.edit import AddNote, SetPolicy, Unwaive, Waive
from rackbuilder.commands.fabrics import AddFabric
from rackbuilder.commands.groups import AddToGroup, Group, Ungroup
from rackbuilder.commands.jobs import ActivateJob, RemoveJob, SetJob, SwapMapping
from rackbuilder.commands.marks import AddFault, ClearOverride, RemoveFault, SetOverride
from rackbuilder.commands.optics import ApplyMedia, SetMedium
from rackbuilder.commands.parts import CopyPart, SetPartField, UpdatePart
from rackbuilder.commands.racks import AddRack, FillRack, MoveRack, PlaceRackSystem, RackLimits

COMMANDS: tuple[type[Command], ...] = (
    PlaceDevice,
    MoveDevice,
    UnplaceDevice,
    DeleteItems,
    DuplicateDevices,
    Rename,
    SetProperty,
    ChangeType,
    AddFault,
    RemoveFault,
    SetOverride,
    ClearOverride,
    AddRack,
    PlaceRackSystem,
    MoveRack,
    RackLimits,
    FillRack,
    AddFabric,
    Connect,
    ConnectBundle,
    Reconnect,
    Disconnect,
    SetPlug,
    SetMedium,
    ApplyMedia,
    Group,
    AddToGroup,
    Ungroup,
    SetJob,
    RemoveJob,
    ActivateJob,
    SwapMapping,
    CopyPart,
    SetPartField,
    UpdatePart,
    Paste,
    Waive,
    Unwaive,
    AddNote,
    SetPolicy,
    Pin,
    Unpin,
    Collapse,
)

COMMAND_TABLE: dict[str, type[Command]] = {kind.verb: kind for kind in COMMANDS}

__all__ = [
    "COMMANDS",
    "COMMAND_TABLE",
    "ActivateJob",
    "AddFabric",
    "AddFault",
    "AddNote",
    "AddRack",
    "AddToGroup",
    "ApplyMedia",
    "ChangeType",
    "ClearOverride",
    "Collapse",
    "Command",
    "Connect",
    "ConnectBundle",
    "CopyPart",
    "DeleteItems",
    "Disconnect",
    "DuplicateDevices",
    "FillRack",
    "Group",
    "MoveDevice",
    "MoveRack",
    "Paste",
    "Pin",
    "PlaceDevice",
    "PlaceRackSystem",
    "RackLimits",
    "Reconnect",
    "RemoveFault",
    "RemoveJob",
    "Rename",
    "SetJob",
    "SetMedium",
    "SetOverride",
    "SetPartField",
    "SetPlug",
    "SetPolicy",
    "SetProperty",
    "SwapMapping",
    "Ungroup",
    "Unpin",
    "UnplaceDevice",
    "Unwaive",
    "UpdatePart",
    "Waive",
]
