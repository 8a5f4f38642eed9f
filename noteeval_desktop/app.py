"""The window's composition root: the only place where its objects are wired together."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFontDatabase, QFontMetrics, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from noteeval_desktop import exports, paths, settings
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import private_folder
from noteeval_desktop.platform.one_program import ACTIVATION
from noteeval_desktop.ui.shell.commands import MENUS
from noteeval_desktop.ui.shell.main_window import Arrivals, MainWindow
from noteeval_desktop.ui.widgets import theme as themes
from noteeval_desktop.ui.widgets.jobs import IdleCollection, JobRunner
from noteeval_desktop.ui.widgets.plain import Application, Tips
from noteeval_desktop.ui.widgets.theme import theme_of

# All that the first screen does without is imported where it is used.
if TYPE_CHECKING:
    from noteeval_desktop.domain.rubric import Rubric
    from noteeval_desktop.domain.trust import Trust
    from noteeval_desktop.judges.protocol import Judge
    from noteeval_desktop.ui.shell.one_window import OneWindow
    from noteeval_desktop.ui.shell.outside import Outside

_GRACE_MS = 400
_UNSEEN_MS = 500


def main(argv: list[str]) -> int:
    """``argv`` without the program's name; returns the exit code."""
    options = _options(argv)
    if options.screenshot:
        qInstallMessageHandler(_say_what_matters)
    activation = os.environ.get(ACTIVATION, "")  # before Qt uses it up
    application = QApplication.instance() or Application(["noteeval-desktop"])
    assert isinstance(application, Application)
    application.setApplicationName("NoteEval")
    one = None if _stands_alone(options) else _one_window(activation)
    if one is not None and not one.is_first(options.files):
        return 0
    speak_english()
    if not _has_letters(application):  # a system without a font; Qt would draw boxes
        for font in sorted((paths.resources() / "fonts").glob("*.ttf")):
            QFontDatabase.addApplicationFont(str(font))
    if application.style().name() != "fusion":
        application.setStyle("Fusion")
    window = _frame(application, _outside_alone, options.theme, keep=not options.screenshot)
    if options.screenshot:  # it need not flash up on the screen
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    if options.size:
        window.resize(*options.size)
    if shows_sample(options):
        window.built.connect(lambda: window.opening.open_sample())
    elif options.files:
        window.built.connect(lambda: window.take(options.files))
    else:
        window.built.connect(lambda: window.encoder.look())
    if options.screenshot:
        window.built.connect(lambda: _take_screenshot(application, window, options.screenshot))
    icon = str(paths.resources() / "icons" / "noteeval.svg")
    window.built.connect(lambda: application.setWindowIcon(QIcon(icon)))
    window.built.connect(lambda: IdleCollection(window.jobs, window))
    arrivals = Arrivals(window)
    if one is not None:
        one.asked.connect(arrivals.take)
        application.aboutToQuit.connect(one.stop)
    application.file_opened.connect(lambda path: arrivals.take([path]))
    window.painted.connect(window.build_soon)
    QTimer.singleShot(_UNSEEN_MS, window.painted.emit)  # one that is not on the screen paints nothing
    window.show()
    return application.exec()


def _stands_alone(options: argparse.Namespace) -> bool:
    """Whoever asks for a window with a look or content of its own gets one, whatever runs."""
    return bool(options.screenshot or options.sample or options.theme or options.size)


def _one_window(activation: str) -> OneWindow | None:
    """None where each start has a window of its own: there is no place for what it keeps, or the system lacks a library
    (libgssapi_krb5) that Qt's sockets are linked with, and that is no reason not to open."""
    try:
        from noteeval_desktop.ui.shell.one_window import OneWindow

        folder = paths.data_folder()
        private_folder(folder)
    except (OSError, InputError, ImportError):
        return None
    return OneWindow(folder, activation)


def shows_sample(options: argparse.Namespace) -> bool:
    """Whoever keeps cases comes for those: the first screen has the sample too."""
    kept = (paths.data_folder() / "library").is_dir()
    return bool(options.sample or options.screenshot or (options.first and not kept))


def speak_english() -> None:
    """As the words are: for the names of months, and for a screen reader, which Qt tells the language of. What people
    of the place are used to, as the first day of the week, stays."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.system().territory()))


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="noteeval-desktop", description="Check a note against its session.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a session transcript and a note")
    parser.add_argument("--sample", action="store_true", help="open the sample case")
    parser.add_argument("--first", action="store_true", help="open the sample case as long as no case is kept")
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="save a picture of the checked sample case")
    parser.add_argument("--theme", choices=("light", "dark"), help="use this theme instead of the saved one")
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window, for example 1280x800")
    return parser.parse_args(argv)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    try:
        return int(width), int(height)
    except ValueError:
        raise argparse.ArgumentTypeError("give it as 1280x800") from None


def load_judge(rubric: Rubric) -> Judge:
    """Called in the judges' lane, not on the GUI thread; raises EncoderMissing."""
    from noteeval_desktop.engines import models
    from noteeval_desktop.engines.embedder import LlamaEmbedder
    from noteeval_desktop.judges import builtin

    return builtin.load(LlamaEmbedder(models.encoder_path()), rubric)


def make_window(
    application: Application,
    rubric: Rubric,
    load: Callable[[], Judge],
    theme: str | None = None,
    keep: bool = True,
) -> MainWindow:
    """With its rooms. ``theme`` overrides the settings' for this run; without ``keep`` no setting is written."""
    return _frame(application, lambda: _outside(rubric, load), theme, keep).build()


def _frame(application: Application, outside: Callable[[], Outside], theme: str | None, keep: bool) -> MainWindow:
    chosen, warning = settings.load()
    # Without it a style sheet keeps larger text from the parts of what is enlarged.
    application.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)

    def apply_theme(window: QWidget, choice: str) -> None:
        made = theme_of(application, theme or choice)
        application.setPalette(themes.palette(made))
        application.setFont(themes.sized(application.font(), themes.UI_SIZE))
        # On the window, not the application, where Qt would style what is built anew at each step into the next box:
        # seven times a widget, half of what a window takes. Whatever is opened has the window for a parent.
        window.setStyleSheet(themes.stylesheet(made))
        themes.THEME.show(made)

    jobs = JobRunner()
    save = settings.save if keep else lambda _: None
    window = MainWindow(jobs, chosen, apply_theme, save, MENUS, _load_rooms, outside)
    jobs.setParent(window)
    Tips(application, window)
    if theme is None:
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(lambda _: window.retheme())
        hints.accessibility().contrastPreferenceChanged.connect(lambda _: window.retheme())
    if warning:
        window.banner.say(warning)
    return window


def _load_rooms() -> Callable[[MainWindow], Iterator[None]]:
    # Their code takes longer to load than the frame to show.
    from noteeval_desktop.ui.shell.rooms import build

    return build


def _outside_alone() -> Outside:
    from noteeval_desktop.domain.rubric import rubric_from_json

    rubric = rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))
    return _outside(rubric, lambda: load_judge(rubric))


def _outside(rubric: Rubric, load: Callable[[], Judge]) -> Outside:
    from noteeval_desktop.store.drafts import DraftStore
    from noteeval_desktop.store.keyed_file import FileKeys
    from noteeval_desktop.ui.judging.keys import Keys, system_keychain
    from noteeval_desktop.ui.library.access import Place
    from noteeval_desktop.ui.many.run_store import RunStore
    from noteeval_desktop.ui.shell.outside import Outside

    packed = paths.resources() / "inside" / "licences.txt"  # by the installers, of everything that is in them
    resources, drafts, sets = paths.resources(), paths.data_folder() / "drafts", paths.data_folder() / "sets"
    return Outside(
        rubric=rubric,
        load_judge=load,
        sample=(resources / "sample" / "transcript.vtt", resources / "sample" / "note.md"),
        help_text=resources / "help" / "help.md",
        model_cards=tuple(resources / f"model-card{part}.md" for part in ("", "-faithfulness", "-risk", "-responses")),
        licences=packed if packed.is_file() else resources / "help" / "licences.md",
        exports=exports.by_ending(rubric),
        scorecard=partial(exports.scorecard_bytes, rubric),
        write_note=exports.write_note,
        looks_like_note=exports.looks_like_note,
        reviewed_pdf=partial(exports.write_reviewed, rubric),
        drafts=DraftStore(drafts, FileKeys(drafts, system_keychain)),
        keys=Keys(paths.data_folder() / "keys.json"),
        sets=RunStore(sets, FileKeys(sets, system_keychain)),
        trust=_trust,
        library=Place(paths.data_folder() / "library", find_keychain=system_keychain),
    )


def _trust() -> tuple[Trust, ...]:
    from noteeval_desktop.report.trust import load_trust

    return load_trust(paths.resources() / "trust")


def _say_what_matters(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Without a screen Qt complains, at every window, of hints that only a screen could take."""
    if "propagateSizeHints" not in message:
        print(message, file=sys.stderr)


def _has_letters(application: QApplication) -> bool:
    return QFontMetrics(application.font()).inFont("a")


def _take_screenshot(application: QApplication, window: MainWindow, path: Path) -> None:
    def grab() -> None:
        if not _has_letters(application):
            failed("There is no font to write with. Install one, such as DejaVu Sans (fonts-dejavu-core).")
            return
        saved = window.grab().save(str(path))
        if not saved:
            print(f"{path.name} could not be written. Choose another folder.", file=sys.stderr)
        window.close()
        application.exit(0 if saved else 2)

    def checked(_: object) -> None:
        window.workspace.step(1)
        QTimer.singleShot(_GRACE_MS, grab)

    def failed(message: str) -> None:
        print(message, file=sys.stderr)
        window.close()
        application.exit(1)

    window.session.evaluation_finished.connect(checked, Qt.ConnectionType.SingleShotConnection)
    window.session.failed.connect(failed)
