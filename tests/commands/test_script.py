"""Edit scripts: read with file and line of every fault, written back the same, run as one step."""

from textwrap import dedent

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.commands import COMMAND_TABLE, COMMANDS
from rackbuilder.commands.base import Command
from rackbuilder.commands.clipboard import Paste, copy
from rackbuilder.commands.devices import PlaceDevice, Rename
from rackbuilder.commands.racks import AddRack
from rackbuilder.commands.script import Script, plan_script, read_script, write_script
from rackbuilder.design.design import Design
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.templates.superpod import Superpod
from tests.samples import CATALOG, built, edited, plan

TEXT = dedent("""\
    # four servers on two leaves
    - add-rack: {type: t-rack-52, name: A01}
    - place: {type: t-server, rack: A01, count: 4}
    - place:
        type: t-qm9700
        count: 2
        role: leaf
    - connect-bundle:
        sources: [srv-0001, srv-0002, srv-0003, srv-0004]
        targets: [leaf-01, leaf-02]
    - rename: {ref: srv-0001, name: "first: Σ"}
    """)


def read(text: str) -> tuple[Command, ...]:
    return read_script(text, COMMAND_TABLE, "edits.yaml")


def test_a_script_is_one_step() -> None:
    patch, design = plan(Design(), Script(commands=read(TEXT)))
    assert patch.label == "Script of 5 edits"
    assert (len(design.devices), len(design.cables)) == (6, 32)
    assert design.devices["srv-0001"].name == "first: Σ"
    assert design.apply(patch.inverted()).same(Design())
    assert plan_script(Design(), CATALOG, read(TEXT)) == patch


def test_one_by_one_gives_the_same() -> None:
    assert built(*read(TEXT)).same(built(Script(commands=read(TEXT))))


def test_what_was_read_is_written_and_read_again() -> None:
    commands = read(TEXT)
    assert read(write_script(commands)) == commands
    assert read(write_script(())) == read("") == read("# nothing\n") == ()
    assert read(write_script([Script(commands=commands)])) == commands


def test_a_clip_survives_a_script() -> None:
    design = built(*read(TEXT))
    paste = Paste(clip=copy(design, ("srv-0001", "leaf-01")), count=2)
    assert read(write_script([paste])) == (paste,)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "- place: {type: t-server}\n- plce: {}",
            "edits.yaml line 2: There is no edit “plce”[\\s\\S]*“place”",
        ),
        ("- place: {typ: t-server}", "line 1 place: “typ” is no field of place[\\s\\S]*“type”"),
        ("- place: {}", "needs “type”"),
        ("- place: {type: t-server, count: many}", "“count”[\\s\\S]*'many'"),
        ("- place: {type: t-server, u: .inf}", "“u”[\\s\\S]*finite"),
        ("- place: {type: t-server}\n  move: {}", "one verb with its fields"),
        ("- 5", "one verb with its fields"),
        ("place: {type: t-server}", "A script is a list"),
        ("just words", "A script is a list"),
        ("- place: {type: [t-server", "no plain YAML"),
        ("- place: !!python/object/apply:os.system ['true']", "line 1: This is no plain YAML"),
        ("- a: &x [1]\n- b: *x", "line 1: Aliases"),
        ("- \x00", "no YAML"),
    ],
)
def test_faults_name_file_line_and_remedy(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read(text)


def test_every_fault_of_a_script_is_listed() -> None:
    with pytest.raises(InputError) as caught:
        read("- plce: {}\n- place: {}\n- place: {type: t-server, rack: 5}\n")
    assert [p.where.split()[2] for p in caught.value.problems] == ["1", "2", "3"]


def test_aliases_that_stand_for_billions_of_values_end_at_once() -> None:
    levels = ["- a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"- a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(InputError, match="Aliases"):
        read("\n".join(levels))


def test_a_pit_of_brackets_is_refused() -> None:
    for depth in (2_000, 100_000):
        with pytest.raises(InputError, match="YAML"):
            read("- a: " + "[" * depth)


def test_a_failing_edit_names_its_number_and_nothing_is_kept() -> None:
    design = built(AddRack(type="t-rack-1"))
    script = Script(
        commands=(PlaceDevice(type="t-one-u", rack="rack-01"), PlaceDevice(type="t-one-u", rack="rack-01"))
    )
    with pytest.raises(ProblemError, match=r"edit 2 \(place\), rack rack-01"):
        edited(design, script)
    assert not design.devices


def test_edits_see_the_ones_before_them() -> None:
    script = Script(
        commands=(PlaceDevice(type="t-server"), Rename(ref="srv-0001", name="a"), Rename(ref="a", name="b"))
    )
    assert built(script).devices["srv-0001"].name == "b"


def test_a_template_is_an_edit_too_and_what_is_changed_by_hand_is_kept_as_it_was() -> None:
    table = {**COMMAND_TABLE, Superpod.verb: Superpod}
    text = "- superpod: {units: 1}\n- rename: {ref: srv-0001, name: mine}"
    patch, design = plan(Design(), Script(commands=read_script(text, table)), shipped())
    assert len([d for d in design.devices if d.startswith("srv")]) == 31
    assert [o.record["name"] for o in design.tables["originals"].values()] == ["srv-001"]
    assert design.apply(patch.inverted()).same(Design())


def test_a_verb_stands_for_one_command() -> None:
    assert len(COMMAND_TABLE) == len(COMMANDS)
