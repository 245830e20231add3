"""A form made from the fields of a pydantic model: templates and commands are asked for the same way."""

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.ui.theme import FIELD, SECONDARY, font
from rackbuilder.ui.widgets.label import Elided

Choices = Mapping[str, Sequence[tuple[str, str]]]
_UNITS = {"w": "W", "m": "m", "kg": "kg", "bps": "bit/s"}


class Form(QWidget):
    """Label left above its field, what follows from the value right above it; `changed` is called on each keystroke.

    `choices` gives the values a text field offers, as (value, text).
    """

    def __init__(self, model: type[BaseModel], choices: Choices, changed: Callable[[], None]) -> None:
        super().__init__()
        self._read: dict[str, Callable[[], Any]] = {}
        self._infos = dict(model.model_fields)
        self.consequences: dict[str, Elided] = {}
        self.fields: dict[str, QWidget] = {}
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        for name, info in model.model_fields.items():
            widget = self._field(name, info, choices.get(name, ()), changed)
            widget.setFixedHeight(FIELD)
            widget.setAccessibleName(label_of(name))
            widget.setToolTip(info.description or "")
            self.fields[name] = widget
            rows.addLayout(self._row(name, widget))

    def _row(self, name: str, widget: QWidget) -> QVBoxLayout:
        hint = Elided("", SECONDARY, "text2", right=True)
        self.consequences[name] = hint
        head = QHBoxLayout()
        head.setSpacing(8)
        if isinstance(widget, QCheckBox):
            head.addWidget(widget)
        else:
            label = QLabel(label_of(name))
            label.setFont(font(SECONDARY))
            label.setBuddy(widget)
            head.addWidget(label)
        head.addWidget(hint, 1)
        row = QVBoxLayout()
        row.setSpacing(3)
        row.addLayout(head)
        if not isinstance(widget, QCheckBox):
            row.addWidget(widget)
        return row

    def values(self) -> dict[str, Any]:
        """What is typed; an empty optional field is left out."""
        found = {name: read() for name, read in self._read.items()}
        return {name: value for name, value in found.items() if value not in (None, "")}

    def show_consequences(self, words: Mapping[str, str]) -> None:
        """What follows from each field; where nothing does, what the field is."""
        for name, hint in self.consequences.items():
            hint.setText(words.get(name) or (self._infos[name].description or "").partition(";")[0])

    def _field(
        self, name: str, info: FieldInfo, choices: Sequence[tuple[str, str]], changed: Callable[[], None]
    ) -> QWidget:
        kind, default = _plain_type(info.annotation), info.default
        if choices:
            return self._combo(name, choices, default, changed)
        if kind is bool:
            box = QCheckBox(label_of(name))
            box.setChecked(bool(default))
            box.toggled.connect(lambda _on: changed())
            self._read[name] = box.isChecked
            return box
        if kind is int:
            return self._spin(name, info, changed)
        if kind is float and isinstance(default, int | float):
            return self._double(name, float(default), changed)
        edit = QLineEdit("" if default is None else str(default))
        edit.setPlaceholderText("none" if default is None else "")
        edit.textChanged.connect(lambda _text: changed())
        self._read[name] = lambda: edit.text().strip()
        return edit

    def _combo(
        self, name: str, choices: Sequence[tuple[str, str]], default: object, changed: Callable[[], None]
    ) -> QComboBox:
        combo = QComboBox()
        if isinstance(default, str) and default and default not in dict(choices):
            combo.addItem(default, default)
        for value, text in choices:
            combo.addItem(text, value)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setCurrentIndex(max(combo.findData(default), 0))
        combo.currentIndexChanged.connect(lambda _i: changed())
        self._read[name] = combo.currentData
        return combo

    def _spin(self, name: str, info: FieldInfo, changed: Callable[[], None]) -> QSpinBox:
        spin = QSpinBox()
        low = next((m.ge for m in info.metadata if getattr(m, "ge", None) is not None), 0)
        high = next((m.le for m in info.metadata if getattr(m, "le", None) is not None), 1_000_000)
        spin.setRange(int(low), int(high))
        spin.setGroupSeparatorShown(True)
        spin.setValue(info.default if isinstance(info.default, int) else int(low))
        spin.valueChanged.connect(lambda _v: changed())
        self._read[name] = spin.value
        return spin

    def _double(self, name: str, default: float, changed: Callable[[], None]) -> QDoubleSpinBox:
        spin = QDoubleSpinBox()
        spin.setRange(0, 1e9)
        spin.setValue(default)
        if name == "oversubscription":
            spin.setSuffix(" : 1   down : up")
        spin.valueChanged.connect(lambda _v: changed())
        self._read[name] = spin.value
        return spin


def label_of(name: str) -> str:
    """“rack_limit_w” -> “Rack limit (W)”."""
    words = name.split("_")
    unit = _UNITS.get(words[-1]) if len(words) > 1 else None
    text = " ".join(words[:-1] if unit else words).capitalize()
    return f"{text} ({unit})" if unit else text


def _plain_type(annotation: object) -> object:
    """The type behind Optional; Literal counts as text."""
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = [a for a in get_args(annotation) if a is not type(None)]
        return kinds[0] if kinds else str
    return str if get_origin(annotation) is Literal else annotation
