"""What a user reads: what, where, how to fix; and the spelling that was meant."""

import pytest

from rackbuilder.errors import InputError, Problem, ProblemError, did_you_mean, refusal, unknown_name


def test_a_problem_in_words() -> None:
    problem = Problem("Cable cbl-0412 is 42 m; a DAC reaches 3 m", "leaf-03 port 17", "Use AOC")
    assert problem.text() == "leaf-03 port 17: Cable cbl-0412 is 42 m; a DAC reaches 3 m\n  Fix: Use AOC"
    assert Problem("Only what").text() == "Only what"
    assert problem.severity == "error"


def test_an_error_carries_every_reason() -> None:
    error = ProblemError(Problem("one"), Problem("two", fix="mend it"))
    assert [p.what for p in error.problems] == ["one", "two"]
    assert str(error) == "one\ntwo\n  Fix: mend it"


def test_a_refusal_names_the_culprits() -> None:
    error = refusal("no", refs=iter(["a", "b"]))
    assert error.problems[0].refs == ("a", "b")
    assert not isinstance(error, InputError)


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("supperpod", ["superpod", "blank"], "Did you mean “superpod”?"),
        ("dgx-h1000", ["dgx-b200", "dgx-h100"], "Did you mean “dgx-h100”?"),
        ("zzz", ["b", "a"], "Known: a, b."),
        (
            "zzz",
            [f"n{n:02d}" for n in range(11)],
            "Known: n00, n01, n02, n03, n04, n05, n06, n07, n08, n09, ….",
        ),
        ("zzz", [], "None is known."),
        ("", ["a"], "Known: a."),
    ],
)
def test_the_spelling_that_was_meant(word: str, known: list[str], said: str) -> None:
    assert did_you_mean(word, known) == said
    assert did_you_mean(word, reversed(known)) == said  # in whatever order they are known


def test_an_unknown_name_is_wrong_input() -> None:
    error = unknown_name("template", "supperpod", ["superpod"], "new")
    assert isinstance(error, InputError)
    assert str(error) == "new: There is no template “supperpod”\n  Fix: Did you mean “superpod”?"
