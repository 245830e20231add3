"""Software that hardware needs to run at all. Servers are judged only where their configuration names a driver."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.commands.devices import SetProperty
from rackbuilder.design.records import Device
from rackbuilder.rules.finding import Finding, finding, topic

_SYMPTOM = "CUDA then starts with error 802, “system not yet initialized”, while nvidia-smi lists every GPU."
_NONE = ("", "none", "no", "absent", "missing")


def fabric_manager(inputs: Inputs) -> Iterator[Finding]:
    """A server with NVSwitch chips needs the fabric manager in the version of its driver.

    NVIDIA Fabric Manager User Guide: the service and the driver must be of the same version.
    """
    wrong: dict[tuple[str, str], list[Device]] = {}
    for device in inputs.devices.values():
        part = inputs.type_of(device)
        if not part.gpu_count or not part.nvswitch_chips:
            continue
        config = _config(inputs, device)
        driver, manager = config.get("driver", ""), config.get("fabric_manager", "")
        if driver.lower() not in _NONE and not _same_version(driver, manager):
            wrong.setdefault((driver, manager), []).append(device)
    for (driver, manager), devices in wrong.items():
        yield _finding(driver, manager, devices)


def _config(inputs: Inputs, device: Device) -> dict[str, str]:
    """Settings of a device, over those of its groups."""
    config: dict[str, str] = {}
    for group in device.groups:
        config |= inputs.groups[group].config if group in inputs.groups else {}
    return config | device.config


def _same_version(driver: str, manager: str) -> bool:
    """Equal as far as both are given: 550 and 550.90.07 agree, 535 and 550 do not."""
    if manager.lower() in _NONE:
        return False
    return all(a == b for a, b in zip(driver.split("."), manager.split("."), strict=False))


def _finding(driver: str, manager: str, devices: list[Device]) -> Finding:
    names = devices[0].label if len(devices) == 1 else f"{len(devices)} servers"
    refs = tuple(d.id for d in devices)
    missing = manager.lower() in _NONE
    state = "no fabric manager" if missing else f"fabric manager {manager}"
    verb = "has" if len(devices) == 1 else "have"
    return finding(
        "error",
        "software.fabric-manager" if missing else "software.fabric-manager-version",
        f"{names} {verb} driver {driver} and {state}. {_SYMPTOM}",
        devices[0].label if len(devices) == 1 else "software",
        f"Install nvidia-fabricmanager {driver} and start its service.",
        refs,
        SetProperty(refs=refs, field="config.fabric_manager", value=driver),
    )


SOFTWARE = topic("software", "parts devices groups", "", fabric_manager)
