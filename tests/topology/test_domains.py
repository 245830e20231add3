"""NVLink domains: inside a server by its type, across trays by the backplane, cut by faults and empty seats."""

import pytest

from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fault, Override
from rackbuilder.topology.domains import NvlinkDomain
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.topology.samples import Site, nvl72

G = 1e9


def domains(type_: str, **fields: object) -> tuple[NvlinkDomain, ...]:
    site = Site()
    site.device("srv-0001", type_, **fields)
    return build_graphs(site.done()).domains


def rack(trays: int = 18, switches: int = 9, *faults: Fault) -> Graphs:
    site = Site()
    nvl72(site, trays=trays, switches=switches)
    for fault in faults:
        site.draft.put("faults", fault)
    return build_graphs(site.done())


@pytest.mark.parametrize(
    ("type_", "sizes", "gbytes_s", "scale_up"),
    [
        # NVLink 4: 900 GB/s in both directions; an 8-GPU Blackwell server has 8, never 72.
        ("dgx-h100", [8], 450, "nvlink"),
        ("dgx-b200", [8], 900, "nvlink"),
        ("mi300x-8", [8], 448, "infinity-fabric"),
        ("pcie8-l40s", [1] * 8, 0, "none"),
        ("pcie8-h100-nvl", [1] * 8, 0, "none"),
        ("mystery-server", [1] * 8, None, "unknown"),
    ],
)
def test_inside_a_server(type_: str, sizes: list[int], gbytes_s: float | None, scale_up: str) -> None:
    found = domains(type_)
    assert [d.size for d in found] == sizes
    assert {d.scale_up for d in found} == {scale_up}
    assert {d.bytes_s.value for d in found} == {None if gbytes_s is None else gbytes_s * G}
    assert found[0].gpus[0] == "srv-0001.gpu0"


def test_a_gpu_of_which_nothing_is_known_says_what_is_missing() -> None:
    assert domains("mystery-server")[0].bytes_s.missing == ("scale_up_bytes_s of mystery-gpu",)


def test_a_board_that_does_not_count_its_switch_chips_is_taken_for_granted() -> None:
    (domain,) = domains("hgx-b200-unsaid")
    assert (domain.size, domain.bytes_s.value, domain.bytes_s.mark) == (8, 900 * G, "assumed")


def test_bridges_join_pairs() -> None:
    found = domains("pcie8-h100-nvl", config={"nvlink_bridge": "2"})
    assert [d.gpus for d in found] == [(f"srv-0001.gpu{n}", f"srv-0001.gpu{n + 1}") for n in (0, 2, 4, 6)]
    assert {d.bytes_s.value for d in found} == {300 * G}


def test_a_full_rack_is_one_domain_of_72_with_1296_links() -> None:
    graphs = rack()
    (domain,) = graphs.domains
    assert (domain.size, len(domain.devices), domain.kind, domain.id) == (72, 18, "in-rack", "rack-01")
    assert domain.bytes_s.value == 900 * G
    # 72 GPUs x 18 links = 18 trays x 9 switch trays x 8.
    (backplane,) = graphs.backplanes
    assert backplane.count == 1296
    assert len(backplane.links) == 18 * 9
    assert backplane.links[0].ref == "rack-01-nvsw-01~rack-01-tray-01"


def test_eleven_of_eighteen_trays_are_a_domain_of_44_at_full_rate() -> None:
    (domain,) = rack(trays=11).domains
    assert domain.size == 44
    assert domain.bytes_s.value == 900 * G


def test_a_switch_tray_out_takes_a_ninth_from_every_gpu() -> None:
    (domain,) = rack(switches=8).domains
    assert domain.size == 72
    assert {domain.gpu_bytes_s(ref).value for ref in domain.gpus} == {800 * G}


def test_without_switch_trays_the_rack_falls_apart_into_single_gpus() -> None:
    """All 18 links of a GPU go to switch trays: there is no NVLink inside a tray."""
    found = rack(switches=0).domains
    assert len(found) == 72
    assert {d.size for d in found} == {1}
    assert {d.bytes_s.value for d in found} == {0.0}


def moved(design: Design, device: str, **fields: object) -> tuple[Graphs, Graphs]:
    draft = Draft(design)
    draft.change("devices", device, **fields)
    patch = draft.patch("move")
    before = build_graphs(design)
    return before, before.apply(patch, design.apply(patch))


def test_a_tray_moved_out_is_out() -> None:
    site = Site()
    nvl72(site, trays=2)
    before, after = moved(site.done(), "rack-01-tray-02", rack="", u=None)
    assert [d.size for d in before.domains] == [8]
    assert [d.size for d in after.domains] == [4, 1, 1, 1, 1]
    assert after.backplanes[0].count == 9 * 8


def test_two_gpus_of_two_trays_are_in_one_domain() -> None:
    graphs = rack(trays=2)
    first, second = "rack-01-tray-01.gpu0", "rack-01-tray-02.gpu3"
    assert graphs.domain_by_gpu[first] is graphs.domain_by_gpu[second]
    assert graphs.domains_of("rack-01-tray-02") == graphs.domains


def test_a_cut_backplane_link_lowers_its_tray_only() -> None:
    cut = Fault(id="f", ref="rack-01-tray-01~rack-01-nvsw-03")
    (domain,) = rack(3, 9, cut).domains
    assert domain.gpu_bytes_s("rack-01-tray-01.gpu2").value == 800 * G
    assert domain.gpu_bytes_s("rack-01-tray-02.gpu2").value == 900 * G
    assert domain.bytes_s.value == 800 * G
    # Four of the eight links of the pair: half of a ninth.
    (domain,) = rack(3, 9, Fault(id="f", ref="rack-01-nvsw-03~rack-01-tray-01", links=4)).domains
    assert domain.gpu_bytes_s("rack-01-tray-01.gpu2").value == pytest.approx(850 * G)


def test_a_tray_cut_from_every_switch_tray_leaves_the_domain() -> None:
    cuts = [Fault(id=f"f{n}", ref=f"rack-01-tray-01~rack-01-nvsw-0{n}") for n in (1, 2)]
    found = rack(3, 2, *cuts).domains
    assert sorted(d.size for d in found) == [1, 1, 1, 1, 8]


def test_trays_that_share_no_switch_tray_are_two_domains() -> None:
    cuts = [
        Fault(id="f1", ref="rack-01-tray-01~rack-01-nvsw-02"),
        Fault(id="f2", ref="rack-01-tray-02~rack-01-nvsw-01"),
    ]
    found = rack(2, 2, *cuts).domains
    assert [(d.id, d.size) for d in found] == [("rack-01-tray-01", 4), ("rack-01-tray-02", 4)]


def test_a_failed_switch_tray_is_as_one_out() -> None:
    (domain,) = rack(18, 9, Fault(id="f", ref="rack-01-nvsw-05")).domains
    assert domain.bytes_s.value == 800 * G


def test_links_lost_by_one_gpu_lower_that_gpu() -> None:
    """Two of its eighteen links are gone: 16/18 of 450 GB/s."""
    site = Site()
    site.device("srv-0001", "dgx-h100")
    site.draft.put("faults", Fault(id="f", ref="srv-0001.gpu3", links=2))
    (domain,) = build_graphs(site.done()).domains
    assert domain.gpu_bytes_s("srv-0001.gpu3").value == 400 * G
    assert domain.gpu_bytes_s("srv-0001.gpu2").value == 450 * G
    assert domain.figures().total() == 8


def test_a_failed_gpu_is_out_of_its_domain() -> None:
    site = Site()
    site.device("srv-0001", "dgx-h100")
    site.draft.put("faults", Fault(id="f", ref="srv-0001.gpu3"))
    assert sorted(d.size for d in build_graphs(site.done()).domains) == [1, 7]


def test_an_override_of_the_users_wins() -> None:
    site = Site()
    site.device("srv-0001", "dgx-h100")
    site.draft.put("overrides", Override(id="part/h100-sxm/scale_up_bytes_s", value=2e11))
    (domain,) = build_graphs(site.done()).domains
    assert (domain.bytes_s.value, domain.bytes_s.grade) == (2e11, "user")


def test_two_racks_are_two_domains_in_natural_order() -> None:
    site = Site()
    for name in ("rack-10", "rack-2"):
        nvl72(site, name)
    assert [(d.id, d.size) for d in build_graphs(site.done()).domains] == [("rack-2", 72), ("rack-10", 72)]
