"""Quantities: what text means, what is refused as ambiguous, and what is known of a sum."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackbuilder.errors import ProblemError
from rackbuilder.units import (
    GRADES,
    Figure,
    bytes_text,
    parse_bidirectional_bytes_s,
    parse_rate_bps,
    parse_unit,
    power_text,
    rate_text,
    time_text,
    total,
    unknown,
    weakest,
)

# ---- parsing


@pytest.mark.parametrize(
    ("text", "rate_bps"),
    [
        ("400 Gb/s", 400e9),
        ("400Gb/s", 400e9),
        ("  400 Gb/s ", 400e9),
        ("400 Gb/s per direction", 400e9),
        ("50 GB/s", 400e9),
        ("50 Gbyte/s", 400e9),
        ("1 bit/s", 1.0),
        ("1.8 Tb/s", 1.8e12),
        ("1e3 Mb/s", 1e9),
        ("100\u202f000 kb/s", 1e8),
        ("100\u00a0000 kb/s", 1e8),
        ("100_000 kb/s", 1e8),
        ("51.2 Tb/s", 51.2e12),
    ],
)
def test_a_rate_is_in_bits_per_second_and_direction(text: str, rate_bps: float) -> None:
    assert parse_rate_bps(text) == pytest.approx(rate_bps, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "400G", "400", "400 G/s", "400 Gbps", "400 GbE", "400 gb/s", "fast", "", " ", "Gb/s", "4,00 Gb/s",
        "1.000.000 Mb/s", "100 000 kb/s",
        "400 Gb/s bidirectional", "400 Gb/s bidir", "900 GB/s both directions", "400 Gib/s", "1e999 Gb/s", "nan Gb/s",
        "inf Gb/s", "400 Gb/s/s", "400 400 Gb/s x", "--4 Gb/s", "0x10 Gb/s",
    ],
)  # fmt: skip
def test_a_rate_that_can_be_read_two_ways_is_refused_with_a_way_to_write_it(text: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parse_rate_bps(text)
    assert caught.value.problems[0].fix


def test_a_figure_of_both_directions_is_halved() -> None:
    """NVLink 4: “900 GB/s” is 18 links of 25 GB/s in each direction: 450 GB/s."""
    assert parse_bidirectional_bytes_s("900 GB/s") == 450e9


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("10.2 kW", "W", 10_200.0),
        ("700 W", "W", 700.0),
        ("1.2 MW", "W", 1.2e6),
        ("25 m", "m", 25.0),
        ("25 mm", "m", 0.025),
        ("3.5 µs", "s", 3.5e-6),
        ("3.5 us", "s", 3.5e-6),
        ("3.5 ns", "s", 3.5e-9),
        ("130 kg", "kg", 130.0),
        ("-40 m", "m", -40.0),
        ("80 GB", "B", 80e9),
        ("1,5 kW".replace(",", "."), "W", 1500.0),
    ],
)
def test_a_value_is_in_its_base_unit(text: str, unit: str, value: float) -> None:
    assert parse_unit(text, unit) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("10.2", "W"), ("10.2 kWh", "W"), ("10 A", "W"), ("10 KW", "W"), ("80 GiB", "B"), ("500 g", "kg"),
        ("5 kkg", "kg"),
        ("1,5 kW", "W"), ("1e999 W", "W"), ("ten W", "W"), ("", "W"), ("W", "W"), ("3 ft", "m"), ("10 W 5", "W"),
    ],
)  # fmt: skip
def test_a_value_in_another_unit_is_refused(text: str, unit: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parse_unit(text, unit)
    assert caught.value.problems[0].fix


@given(st.floats(1e-6, 1e12), st.sampled_from(["W", "m", "s", "B"]))
def test_what_is_written_in_a_base_unit_is_read_back(value: float, unit: str) -> None:
    assert parse_unit(f"{value!r} {unit}", unit) == value


@given(st.text(max_size=20))
def test_no_text_is_more_than_a_refusal(text: str) -> None:
    for parse in (parse_rate_bps, parse_bidirectional_bytes_s, lambda t: parse_unit(t, "W")):
        with contextlib.suppress(ProblemError):
            assert math.isfinite(parse(text))


# ---- display


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (400e9, "400 Gb/s"),
        (1.6e12, "1.6 Tb/s"),
        (0, "0 b/s"),
        (999.94e9, "999.9 Gb/s"),
        (999.99e9, "1 Tb/s"),  # and not 1000 Gb/s
        (201.6e12, "201.6 Tb/s"),
        (40_000e12, "40 Pb/s"),  # and not 4e+04 Tb/s
        (2e24, "2,000,000 Eb/s"),
        (-5e9, "-5 Gb/s"),
    ],
)
def test_rates(rate: float, text: str) -> None:
    assert rate_text(rate) == text


def test_bytes() -> None:
    assert [bytes_text(n) for n in (512, 350e9, 1.234e15)] == ["512 B", "350 GB", "1.234 PB"]


@pytest.mark.parametrize(
    ("power", "text"),
    [
        (0, "0 W"), (700, "700 W"), (999.4, "999 W"), (999.6, "1.0 kW"), (10_200, "10.2 kW"), (1_380_716, "1,380.7 kW"),
        (9_999_900, "9,999.9 kW"), (9_999_960, "10.00 MW"), (12_345_678, "12.35 MW"), (-40_800, "-40.8 kW"),
    ],
)  # fmt: skip
def test_power(power: float, text: str) -> None:
    assert power_text(power) == text


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "0 ns"), (5e-9, "5 ns"), (1.5e-6, "1.5 µs"), (0.0123, "12.3 ms"), (0.9999996, "1 s"), (1.234, "1.23 s"),
        (999.6, "1,000 s"), (86_400, "86,400 s"),
    ],
)  # fmt: skip
def test_time(time: float, text: str) -> None:
    assert time_text(time) == text


@given(st.floats(1e-3, 1e24))
def test_a_displayed_rate_says_what_it_is_to_a_part_in_a_thousand(rate: float) -> None:
    scale = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
    number, unit = rate_text(rate).split(" ")
    assert float(number.replace(",", "")) * scale[unit.removesuffix("b/s")] == pytest.approx(rate, rel=1e-3)
    assert "e+" not in number


# ---- figures

FIGURES = st.builds(
    Figure,
    st.none() | st.floats(0, 1e6),
    st.booleans(),
    st.sampled_from(GRADES),
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=2).map(tuple),
)


def test_a_sum_of_known_figures_is_exact() -> None:
    assert total([Figure(2.0), Figure(3.0)]) == Figure(5.0)
    assert total([]) == Figure(0.0)
    assert total([]).exact


def test_an_unknown_part_makes_the_sum_a_lower_bound_and_is_listed_once() -> None:
    made = total([Figure(2.0), unknown("a"), unknown("b"), unknown("a"), Figure(3.0, grade="C")])
    assert made == Figure(5.0, at_least=True, grade="C", missing=("a", "b"))
    assert not made.exact
    assert made.mark == "known"


def test_only_unknown_parts_make_an_unknown_sum_and_never_zero() -> None:
    made = total([unknown("a"), unknown("b")])
    assert made.value is None
    assert made.missing == ("a", "b")
    assert made.mark == "unknown"


def test_the_weakest_evidence_counts() -> None:
    assert weakest([]) == "A"
    assert weakest(["B", "U", "A"]) == "U"
    assert weakest(["D", "user", "C"]) == "user"
    assert total([Figure(1.0, grade="A"), Figure(1.0, grade="user")]).mark == "assumed"
    assert Figure(1.0, grade="A").assumed().mark == "assumed"


@given(st.lists(FIGURES, max_size=6))
def test_a_sum_forgets_nothing(figures: list[Figure]) -> None:
    made = total(figures)
    known = [f.value for f in figures if f.value is not None]
    assert made.value == (sum(known) if known or not figures else None)
    assert set(made.missing) == {name for f in figures for name in f.missing}
    if made.exact:
        assert all(f.exact for f in figures)


@given(FIGURES, st.floats(0, 100))
def test_scaling_keeps_what_is_known_of_it(figure: Figure, factor: float) -> None:
    made = figure.times(factor)
    assert (made.at_least, made.grade, made.missing) == (figure.at_least, figure.grade, figure.missing)
    assert made.value == (None if figure.value is None else figure.value * factor)
