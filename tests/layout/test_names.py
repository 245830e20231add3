"""Order and short forms of names."""

from rackbuilder.layout.names import counted, model, natural, short, within


def test_numbers_sort_by_value() -> None:
    assert sorted(["leaf-10", "leaf-9", "A2", "A10"], key=natural) == ["A2", "A10", "leaf-9", "leaf-10"]


def test_short_forms() -> None:
    assert short("leaf-03") == "L03"
    assert short("spine-12") == "S12"
    assert short("core-02") == "X02"
    assert short("srv-0007") == "0007"
    assert short("L03") == "L03"
    assert short("my own name") == "my own name"


def test_a_name_inside_its_rack_drops_the_rack() -> None:
    assert within("A01 C07", "A01") == "C07"
    assert within("A01", "A01") == "A01"
    assert within("srv-001", "A01") == "srv-001"


def test_a_model_drops_its_vendor() -> None:
    assert model("NVIDIA DGX H100", "NVIDIA") == "DGX H100"
    assert model("QM9700", "") == "QM9700"


def test_counts_in_words() -> None:
    assert counted(1, "leaf") == "1 leaf"
    assert counted(32, "leaf") == "32 leaves"
    assert counted(1016, "GPU") == "1,016 GPUs"
