"""How a job is named in little room: its preset and its mapping."""

from collections.abc import Mapping

from rackbuilder.catalog.workloads import Workloads
from rackbuilder.design.records import Job

_LETTERS = (("tp", "T"), ("cp", "C"), ("ep", "E"), ("pp", "P"), ("dp", "D"))


def mapping_text(sizes: Mapping[str, int]) -> str:
    """“T16 P2 D31”: what is more than one."""
    return " ".join(f"{letter}{sizes[key]}" for key, letter in _LETTERS if sizes.get(key, 1) > 1)


def workload_name(job: Job, workloads: Workloads) -> str:
    """The name of the job's preset, without its particulars; its id where no such preset is shipped."""
    preset = workloads.presets.get(job.workload)
    return preset.name.partition(",")[0] if preset else job.workload


def job_text(job: Job, workloads: Workloads) -> str:
    """“Llama 3.1 405B · T16 P2 D31”; a name the user gave comes first."""
    words = (job.name, "" if job.name else workload_name(job, workloads), mapping_text(job.sizes))
    return " · ".join(word for word in words if word)
