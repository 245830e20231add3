"""What holds for each template, whatever it draws."""

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.commands import COMMAND_TABLE
from rackbuilder.commands.devices import Rename
from rackbuilder.commands.script import Script, read_script, write_script
from rackbuilder.design.design import Design
from rackbuilder.errors import InputError
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.session import Session
from rackbuilder.templates import TEMPLATES, Template, template
from tests.templates.published import unfit

KINDS = pytest.mark.parametrize("kind", TEMPLATES, ids=lambda kind: kind.verb)


@KINDS
def test_its_defaults_make_a_design_that_fits_and_is_undone_whole(kind: type[Template]) -> None:
    session = Session(shipped())
    empty = write_design(session.design.with_about(Design().about))
    session.do(kind())
    once = write_design(session.design)
    assert unfit(session.design) == []
    assert len(session.history.done) == (0 if kind.verb == "blank" else 1)
    session.undo()
    assert write_design(session.design.with_about(Design().about)) == empty
    session.redo()
    assert write_design(session.design) == once
    again = Session(shipped())
    again.do(kind())
    assert write_design(again.design) == once


@KINDS
def test_it_says_what_it_is_and_what_each_field_is(kind: type[Template]) -> None:
    assert kind.title
    assert kind.about.endswith(".")
    for field in kind.fields_info():
        assert field.text, field.name
        assert not field.required  # a first design is one press away
    assert template(kind.verb) is kind
    assert kind.verb not in COMMAND_TABLE


@KINDS
def test_as_a_line_of_a_script_it_is_the_same(kind: type[Template]) -> None:
    table = {k.verb: k for k in TEMPLATES}
    (command,) = read_script(write_script([kind()]), table)
    assert command == kind()


def test_in_a_script_it_may_stand_beside_other_edits() -> None:
    table = COMMAND_TABLE | {k.verb: k for k in TEMPLATES}
    commands = read_script("- nvlink_rack: {racks: 1}\n- rename: {ref: tray-01, name: first}\n", table)
    session = Session(shipped())
    session.do(Script(commands=commands))
    assert session.design.devices["tray-01"].name == "first"
    assert session.design.tables["originals"]  # the rename is a hand edit of what was generated
    other = Session(shipped())
    other.do(template("nvlink_rack")())
    other.do(Rename(ref="tray-01", name="first"))
    assert session.design.same(other.design)


def test_the_blank_design_is_empty() -> None:
    assert template("blank")().plan(Design(), shipped()).empty


def test_an_unknown_template_is_named_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="Did you mean “superpod”"):
        template("supperpod")
