"""Starts the window."""

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize, QTimer
from PySide6.QtWidgets import QApplication

from rackbuilder import __version__
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.session.log import LOGGER, start_log
from rackbuilder.session.settings import load_settings
from rackbuilder.ui import theme
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.window import MainWindow


def main(arguments: list[str]) -> int:
    """Opens the window on a file, or on the start page; with --screenshot OUT.png draws it once and leaves."""
    start_log()
    shot, file = _parse(arguments)
    if shot is not None and not shot.name:
        sys.stderr.write("error: --screenshot needs a file name, such as window.png\n")
        return 2
    QCoreApplication.setApplicationName("rackbuilder")
    QCoreApplication.setApplicationVersion(__version__)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    # The worker is pure Python: short turns keep the window answering while it runs.
    sys.setswitchinterval(0.001)
    sys.excepthook = _log_fault
    loaded = load_settings()
    theme.apply(app, loaded.settings.theme)
    document = Document(shipped(), shipped_workloads())
    window = MainWindow(document, loaded.settings)
    try:
        return _run(app, window, document, file, shot, loaded.problems)
    finally:
        document.shut()


def _run(
    app: QApplication,
    window: MainWindow,
    document: Document,
    file: Path | None,
    shot: Path | None,
    problems: tuple[Problem, ...],
) -> int:
    if file is not None and shot is not None:
        try:
            document.open(file)
        except ProblemError as error:
            sys.stderr.write("".join(f"error: {p.text()}\n" for p in error.problems))
            return 2
    elif file is not None:
        window.files.open(file)
    if shot is not None:
        return _screenshot(app, window, document, shot)
    window.show()
    if problems:
        window.tell(problems)
    QTimer.singleShot(0, window.offer_recovery)
    return app.exec()


def _screenshot(app: QApplication, window: MainWindow, document: Document, shot: Path) -> int:
    """Draws the window at 1920 x 1080 once its results are there. Leaves no recovery copy."""
    window.resize(QSize(1920, 1080))
    window.show()
    for _ in range(3):
        app.processEvents()
        document.wait()
    window.settle()
    app.processEvents()
    saved = window.grab().save(str(shot))
    document.session.close()
    window.close_quietly()
    app.processEvents()
    if not saved:
        sys.stderr.write(f"error: {shot} cannot be written\n")
        return 1
    return 0


def _parse(arguments: list[str]) -> tuple[Path | None, Path | None]:
    shot: Path | None = None
    file: Path | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--screenshot":
            shot = Path(rest.pop(0)) if rest else Path()
        else:
            file = Path(word)
    return shot, file


def _log_fault(kind: type[BaseException], fault: BaseException, trace: object) -> None:
    """A bug in a slot: logged with its traceback; the document is safe in its journal and the window goes on."""
    LOGGER.error("unexpected fault", exc_info=(kind, fault, trace))  # type: ignore[arg-type]
    if sys.stderr is not None:
        sys.stderr.write(f"internal error: {fault!r}; the log has the details\n")
    app = QApplication.instance()
    for widget in app.topLevelWidgets() if isinstance(app, QApplication) else []:
        if isinstance(widget, MainWindow):
            widget.tell_fault(fault)
