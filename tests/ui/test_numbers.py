"""How the window writes numbers. Expected texts follow the design's rules and its pictures."""

import math
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from rackbuilder.ui import numbers
from rackbuilder.units import Figure


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


def test_unknown_is_a_word() -> None:
    words = (numbers.rate, numbers.byte_rate, numbers.size, numbers.memory, numbers.power, numbers.time)
    assert {f(None) for f in (*words, numbers.percent, numbers.count, numbers.money)} == {"unknown"}
    assert numbers.quantity(None, "m") == numbers.ratio(None, 1) == numbers.per_second(None, "x") == "unknown"
    assert numbers.power_of(None, 44_000) == "unknown of 44.0 kW"


def test_groups_follow_the_locale() -> None:
    assert numbers.count(1016) == "1,016"
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    assert numbers.count(1016) == "1.016"
    assert numbers.time(4.42) == "4,42 s"
    QLocale.setDefault(QLocale(QLocale.Language.French, QLocale.Country.France))
    assert numbers.count(1016) == "1\u202f016", "a thin space"
    QLocale.setDefault(QLocale.c())
    assert numbers.count(1016) == "1,016", "no locale is English"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.4201, "4.42"),
        (61.24, "61.2"),
        (652.4, "652"),
        (1426.3, "1,426"),
        (9.996, "10.0"),
        (0.11, "0.110"),
        (0.0, "0"),
        (99.96, "100"),
        (-0.5, "-0.500"),
        (123456.0, "123,456"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert numbers.significant(value) == text


def test_nothing_is_minus_zero() -> None:
    assert numbers.fixed(-0.04, 1) == "0.0"


@pytest.mark.parametrize(
    ("rate_bps", "text"),
    [
        (400e9, "400 Gb/s per direction"),
        (800e9, "800 Gb/s per direction"),
        (1.6e12, "1.6 Tb/s per direction"),
        (1024 * 400e9, "409.6 Tb/s per direction"),
        (254 * 400e9, "101.6 Tb/s per direction"),
        (32 * 400e9, "12.8 Tb/s per direction"),
        (1e9, "1 Gb/s per direction"),
        (0.0, "0 b/s per direction"),
    ],
)
def test_rates(rate_bps: float, text: str) -> None:
    assert numbers.rate(rate_bps) == text
    assert numbers.rate(rate_bps, direction=False) == text.removesuffix(" per direction")


def test_bytes() -> None:
    assert numbers.byte_rate(450e9) == "450 GB/s per direction"
    assert numbers.size(652e12) == "652 TB"
    assert numbers.size(61.2e12) == "61.2 TB"
    assert numbers.size(0) == "0 B"
    assert numbers.memory(80 * 2**30) == "80 GiB"
    assert numbers.memory(1.5 * 2**40) == "1.5 TiB"


@pytest.mark.parametrize(
    ("power_w", "text"),
    [
        (40_800, "40.8 kW"),
        (376_000, "376.0 kW"),
        (1_426_000, "1,426.0 kW"),
        (9_999_900, "9,999.9 kW"),
        (9_999_990, "10.0 MW"),
        (10_000_000, "10.0 MW"),
        (12_340_000, "12.3 MW"),
        (1_720, "1.7 kW"),
        (999.9, "1.0 kW"),
        (48, "48 W"),
        (0, "0.0 kW"),
    ],
)
def test_power(power_w: float, text: str) -> None:
    assert numbers.power(power_w) == text


def test_power_against_its_limit() -> None:
    assert numbers.power_of(40_800, 44_000) == "40.8 of 44.0 kW"
    assert numbers.power_of(230_000, 250_000) == "230.0 of 250.0 kW"
    assert numbers.power_of(40_800, None) == "40.8 kW"
    assert numbers.power_of(400, 10_000) == "0.4 of 10.0 kW"


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (4.42, "4.42 s"),
        (0.11, "110 ms"),
        (0.9997, "1.00 s"),
        (3.4e-6, "3.40 µs"),
        (1.3e-6, "1.30 µs"),
        (2e-8, "20.0 ns"),
        (0.0, "0 s"),
        (75.3, "75.3 s"),
        (0.0123, "12.3 ms"),
    ],
)
def test_times(time_s: float, text: str) -> None:
    assert numbers.time(time_s) == text


def test_parts_of_a_time_align_with_the_whole() -> None:
    assert [numbers.time(t, like_s=4.42) for t in (1.75, 2.37, 0.11, 0.15)] == [
        "1.75 s",
        "2.37 s",
        "0.11 s",
        "0.15 s",
    ]
    assert numbers.time(0.004, like_s=0.0425) == "4.0 ms"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.858, "85.8 %"),
        (0.003, "0.3 %"),
        (0.0, "none"),
        (0.0002, "< 0.1 %"),
        (1.16, "116.0 %"),
        (0.0005, "0.1 %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert numbers.percent(share) == text


def test_percent_without_decimals() -> None:
    assert numbers.percent(0.927, 0) == "93 %"
    assert numbers.percent(0.0, 0, zero="0 %") == "0 %"
    assert numbers.percent(0.002, 0) == "< 1 %"


@pytest.mark.parametrize(
    ("down", "up", "text"),
    [
        (32, 32, "1:1"),
        (48, 16, "3:1"),
        (32, 24, "4:3"),
        (31, 32, "31:32"),
        (16, 32, "1:2"),
        (1, 0, "no uplinks"),
    ],
)
def test_ratios_are_down_to_up(down: float, up: float, text: str) -> None:
    if text == "31:32":  # no small whole numbers: said as a decimal
        text = "0.969:1"
    assert numbers.ratio(down, up) == text


def test_others() -> None:
    assert numbers.per_second(919_000, "tokens") == "919 k tokens/s"
    assert numbers.per_second(812, "tokens") == "812 tokens/s"
    assert numbers.money(46.2e6) == "$ 46.2 M"
    assert numbers.money(1.27e9, "€") == "€ 1.27 G"
    assert numbers.money(38_100) == "$ 38,100"
    assert numbers.quantity(21.0, "m") == "21 m"
    assert numbers.quantity(130.5, "kg", 4) == "130.5 kg"
    assert numbers.quantity(1360, "kg") == "1,360 kg"


def test_figures_say_what_is_known() -> None:
    assert numbers.figure(Figure(None), numbers.power) == numbers.Shown("unknown", known=False)
    assert numbers.figure(Figure(1_426_000.0, at_least=True), numbers.power).text == "at least 1,426.0 kW"
    assert numbers.figure(Figure(4.42), numbers.time) == numbers.Shown("4.42 s", known=True)


def test_no_size_is_written_as_a_power_of_ten() -> None:
    for exponent in range(-9, 16):
        for write in (numbers.rate, numbers.size, numbers.time, numbers.power, numbers.money):
            assert "e" not in write(math.pi * 10.0**exponent).split(" per ")[0]
