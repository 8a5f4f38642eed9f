"""The judges' desk: which judge checks, with its models and connections, and the questions asked before it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.decisions import SESSION_SUBJECT, DecisionKind
from noteeval_desktop.domain.evaluation import BUILTIN, JUDGES, LOCAL, REMOTE, Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import thresholds_of
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import Progress
from noteeval_desktop.judges.llm.cache import AnswerCache, LayeredCache
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.privacy import consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import STOPPED_CHECKED_BEFORE, STOPPED_FIRST, CaseSession
from noteeval_desktop.ui.case.engaged import CHECK, SCORE_RESPONSES, Engaged, Marks, Testing
from noteeval_desktop.ui.case.notices import doubts_session, without_doubt
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.widgets.jobs import Lane, told, while_alive
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.words import SETTINGS

if TYPE_CHECKING:
    from noteeval_desktop.engines.embedder import Embedder
    from noteeval_desktop.engines.remote.chat import Price
    from noteeval_desktop.judges.llm.remote import RemoteJudge
    from noteeval_desktop.ui.judging.comparison_window import ComparisonWindow
    from noteeval_desktop.ui.judging.permission import Permission
    from noteeval_desktop.ui.judging.settings_dialog import JudgeSettings


def admit(settings: Settings, keys: Keys, kind: str, cancel: threading.Event, tell: Callable[[object], None]) -> None:
    """The model, the local one or one that a server on this computer offers, takes its entrance test, where it has not
    yet. Raises ModelError for one that guesses, Cancelled, InputError."""
    from noteeval_desktop.judges import making

    def progress(done: int, total: int) -> None:
        tell(Testing(done, total))

    if kind == LOCAL:
        model, layers = Path(settings.local_model), making.ALL_LAYERS if settings.local_gpu else 0
        name, found = model.name, making.admit(model, gpu_layers=layers, cancel=cancel, progress=progress)
    else:
        name, address = settings.remote_model, settings.base_url
        found = making.admit_served(address, name, keys.read(address), cancel=cancel, progress=progress)
    making.check_admitted(found, name)


def _encoder(builtin: Engaged, closing: ExitStack) -> Embedder:
    """The built-in judge's, which has read what is open: a full check need not read it again. Raises ModelError."""
    from noteeval_desktop.judges import making
    from noteeval_desktop.judges.builtin.judge import BuiltinJudge

    judge = builtin.judge()
    return judge.embedder.hold(closing) if isinstance(judge, BuiltinJudge) else making.encoder(closing)


def price_of(settings: Settings) -> Price | None:
    """The prices that the user entered; None where they are not known. Raises InputError."""
    from noteeval_desktop.engines.remote.chat import Price

    if not (settings.price_input and settings.price_output):
        return None
    try:
        cached = float(settings.price_cached) if settings.price_cached else None
        return Price(float(settings.price_input), float(settings.price_output), cached)
    except ValueError:
        raise InputError(tr("The prices"), tr("are not numbers"), tr("Correct them in the judge's settings.")) from None


# Imported where they are needed: the other judges' engines take longer to load than the window to show.

RIGHT_SESSION = tr("It is the right session")
Actions = list[tuple[str, Callable[[], object]]]


class JudgeDesk(QObject):
    """Owned by the GUI thread. ``place_asked(Span)``: a difference between two judges was chosen. ``sending(address, of
    the case)``: something begins to be sent, with the user's leave; False for responses outside the case."""

    judge_changed = Signal(str)
    place_asked = Signal(object)
    sending = Signal(str, bool)

    def __init__(
        self,
        window: Shell,
        session: CaseSession,
        keys: Keys,
        rubric: Rubric,
        checklist: Callable[[], Rubric],
        choose_session: Callable[[], bool],
    ) -> None:
        """``rubric`` ships, ``checklist`` reads from the disk what is in use. ``choose_session`` asks for another
        transcript and says whether one was chosen."""
        super().__init__(window)
        self._window, self._session, self._keys = window, session, keys
        self._rubric, self._checklist, self._ask_session = rubric, checklist, choose_session
        self._builtin = session.engaged
        self._closing = ExitStack()
        self.kind, self._before = BUILTIN, BUILTIN
        self.permission: Permission | None = None
        self._pairs: Permission | None = None
        self._looks: dict[tuple[str, str], Evaluation] = {}
        self._warning, self._warned, self._outcome = "", "", ""
        self._progress: Progress | None = None
        self._marks = ""
        self._seconds: float | None = None
        self._library: Access | None = None
        self._answers = LayeredCache(self._kept_answers)
        session.evaluation_finished.connect(self._on_evaluation)
        session.progress_made.connect(self._on_progress)
        session.engine_advanced.connect(self._on_engine)
        session.check_started.connect(self._on_started)
        session.check_due.connect(self._on_due)
        session.marks_given.connect(self._on_marks)
        session.warned.connect(self._on_warned)
        session.transcript_opened.connect(self._on_opened)
        session.check_stopped.connect(
            lambda evaluation: window.status.show_checked(
                status.checked(evaluation, stopped=True, here=self._answers_here)
            )
        )
        session.failed.connect(self._on_failed)
        session.check_failed.connect(self._on_check_failed)

    # What was answered before

    def keep_answers_in(self, library: Access) -> None:
        """Language models' answers last in the library while it is unlocked; locking it empties memory too."""
        self._library = library
        library.locked.connect(self._answers.forget)

    def forget(self) -> None:
        """Nothing of any case stays in memory: answers, earlier checks, and what the judges' engines hold."""
        self._answers.forget()
        self._looks.clear()
        self._warning, self._warned, self._outcome, self._marks, self._progress = "", "", "", "", None
        self._session.forget_texts()
        if self.kind != BUILTIN:
            # Its engine ends after its last work; the built-in one may have checked before.
            self._engage(self.kind)
            self._window.jobs.call(Lane.LOCAL, "forget", self._builtin.forget, _ignore, _ignore)

    def _kept_answers(self) -> AnswerCache | None:
        """Called in the judges' lanes."""
        return library.verdicts if self._library and (library := self._library.library) else None

    def _forget_answers(self, dialog: JudgeSettings) -> None:
        self._answers.forget()
        gone = tr("Earlier answers are deleted. The next check asks everything again.")
        if self._library is None or self._library.library is None:
            dialog.said.setText(gone)
            return
        kept = tr("They could not be removed ({reason}). Try again.")
        self._library.run(
            lambda library: library.verdicts.clear(),
            while_alive(dialog, lambda _: dialog.said.setText(gone)),
            while_alive(dialog, lambda error: dialog.said.setText(told(error, kept))),
        )

    # Choosing

    @property
    def name(self) -> str:
        """For the button: short."""
        settings = self._window.settings
        named = {LOCAL: Path(settings.local_model).stem, REMOTE: settings.remote_model}.get(self.kind, "")
        named = shortened(named, 24) if named else JUDGES[self.kind]
        return f"{named} · {shortened(settings.checklist, 24)}" if settings.checklist else named

    def restore(self) -> None:
        """Take up the judge of the last time; nothing is loaded or asked before the first check."""
        settings = self._window.settings
        if settings.judge != BUILTIN and self._is_set_up(settings.judge):
            self._engage(settings.judge)

    def choose(self, kind: str) -> None:
        """Let this judge check from now on, and check at once what is open."""
        if not self._is_set_up(kind):
            self.open_settings(kind)
            return
        if kind == REMOTE and consent.load().locked:
            self._say_locked()
            return
        if kind != self.kind:
            self._before = self.kind
            self._engage(kind)
        self._window.keep_settings(replace(self._window.settings, judge=kind))
        self._session.check()

    def choose_server(self, address: str, model: str) -> None:
        """A model that a server on this computer offers: no key, no price, and nothing leaves."""
        settings = self._window.settings
        known = (settings.base_url, settings.remote_model) == (address, model)
        chosen = replace(settings, base_url=address, remote_model=model)
        free = replace(chosen, price_input="", price_output="", price_cached="")
        self._window.keep_settings(chosen if known else free)
        if self.kind == REMOTE and not known:
            self._engage(REMOTE)
        self.choose(REMOTE)

    def load_again(self) -> None:
        """What a language model is to be asked has changed; the next check asks it."""
        if self.kind != BUILTIN:
            self._engage(self.kind)

    def tuned(self) -> None:
        """The built-in judge has other thresholds, or all have another checklist: it is loaded anew, and what is open
        checked again by whoever did."""
        check = self._session.check
        self._session.first_look = None  # changes are counted anew: what is counted differs
        self.load_again()
        self.judge_changed.emit(self.name)
        self._window.jobs.call(Lane.LOCAL, "tune", self._builtin.forget, lambda _: check(), _ignore)

    @property
    def _answers_here(self) -> bool:
        """Does whoever is asked answer on this computer?"""
        return self.kind != REMOTE or status.answers_here(self._window.settings)

    def _is_set_up(self, kind: str) -> bool:
        settings = self._window.settings
        if kind == LOCAL:
            return bool(settings.local_model)
        return kind == BUILTIN or bool(settings.base_url and settings.remote_model)

    def _engage(self, kind: str) -> None:
        """The judge before ends in its own lane, after its last work."""
        session, leaving, lane = self._session, self._closing, self._session.engaged.lane
        self._closing = ExitStack()
        self.kind = kind
        for permission in (self.permission, self._pairs):
            if permission is not None:
                permission.forget()
        self.permission = self._pairs = None
        if self._outcome and self._window.banner.text == self._outcome:
            self._window.banner.hide()
        session.engage({LOCAL: self._local, REMOTE: self._remote}.get(kind, lambda: self._builtin)())
        self._window.jobs.call(lane, "close_judge", leaving.close, _ignore, _ignore)
        self.judge_changed.emit(self.name)

    def _local(self) -> Engaged:
        settings, closing, model = self._window.settings, self._closing, Path(self._window.settings.local_model)

        def load(tell: Callable[[object], None]) -> Judge:
            """``tell`` gets the seconds that the questions in hand will still take. Raises ModelError."""
            # Here, not above: a window that starts with the built-in judge needs neither.
            from noteeval_desktop.judges import making

            rubric, embedder = self._checklist(), _encoder(self._builtin, closing)
            local = making.local_judge(
                model,
                rubric,
                embedder,
                closing,
                cache=self._answers,
                progress=lambda progress: tell(progress.seconds_left),
                gpu_layers=making.ALL_LAYERS if settings.local_gpu else 0,
            )
            local.asks_private, tuned = settings.asks_private, thresholds_of(settings.thresholds)
            if settings.ask_everything:
                return local
            return making.full_check(local, model, rubric, embedder, tuned, settings.full_check_minutes or None)

        admits = partial(admit, settings, self._keys, LOCAL)
        return Engaged(load, Lane.LOCAL, live=False, marks=settings.marks, admit=admits)

    def _remote(self) -> Engaged:
        from noteeval_desktop.engines.remote.pace import Pace
        from noteeval_desktop.ui.judging.permission import PairsPermission, Permission

        window, session, keys = self._window, self._session, self._keys
        settings, closing, pace = window.settings, self._closing, Pace()

        def load(about_case: bool = True) -> RemoteJudge:
            """``about_case``: not about responses outside a session, on which the built-in judge is not asked first.
            Raises InputError, ModelError and SecretsError."""
            from noteeval_desktop.judges import making

            rubric, embedder = self._checklist(), _encoder(self._builtin, closing)
            judge = making.remote_judge(
                settings.base_url,
                settings.remote_model,
                keys.read(settings.base_url),
                rubric,
                embedder,
                closing,
                cache=self._answers,
                price=price_of(settings),
                jobs=settings.remote_jobs,
                pace=pace,
                unencrypted=settings.unencrypted_address == settings.base_url,
            )
            if about_case and not settings.ask_everything:
                judge = making.remote_full_check(judge, rubric, embedder, thresholds_of(settings.thresholds))
            judge.marks, judge.llm.asks_private = settings.marks, settings.asks_private
            return judge

        if status.answers_here(settings):
            admits = partial(admit, settings, keys, REMOTE)
            return Engaged(lambda _tell: load(), Lane.REMOTE, live=False, marks=settings.marks, admit=admits)
        self.permission = permission = Permission(window, session, window.jobs, keys, settings, window.banner.say)
        permission.refused.connect(self._step_back)
        permission.locked.connect(self._say_locked)
        permission.preparing.connect(
            lambda begun: (
                window.status.show_working(tr("Preparing what would be sent…")) if begun else window.status.show_idle()
            )
        )
        permission.sending.connect(lambda address: self.sending.emit(address, True))
        pairs_of = partial(load, about_case=False)
        self._pairs = pairs = PairsPermission(window, session, window.jobs, keys, settings, pairs_of)
        pairs.sending.connect(lambda address: self.sending.emit(address, False))
        return Engaged(
            lambda _tell: load(),
            Lane.REMOTE,
            live=False,
            marks=settings.marks,
            gate=permission.ask,
            clear=permission.check,
            pairs=pairs.gate,
        )

    def _step_back(self) -> None:
        """Cancel at the question whether to send: the judge before goes on, if nothing was judged by this one."""
        shown = self._session.evaluation
        if shown is None or shown.judge.kind != REMOTE:
            self._engage(self._before if self._before != REMOTE else BUILTIN)
            self._window.keep_settings(replace(self._window.settings, judge=self.kind))
        self._window.banner.say(tr("Nothing was sent. Judge: {name}.").format(name=self.name))

    def stop_preparing(self) -> None:
        if self.permission is not None:
            self.permission.stop()

    def _say_locked(self) -> None:
        said = tr("The online AI service is switched off in the settings.")
        self._window.banner.say(said, [(SETTINGS, partial(self.open_settings, REMOTE))])

    def open_settings(self, kind: str = "") -> JudgeSettings:
        from noteeval_desktop.ui.judging.settings_dialog import JudgeSettings

        dialog = JudgeSettings(self._window.settings, self._window.jobs, self._keys, self._window)
        dialog.show_page(kind or self.kind)
        dialog.settings_chosen.connect(partial(self._take_settings, kind))
        dialog.forget_asked.connect(partial(self._forget_answers, dialog))
        dialog.open()
        return dialog

    def _take_settings(self, wanted: str, settings: Settings) -> None:
        """``wanted``: the judge for whose sake the settings were opened; it runs once it is set up."""
        before = self._window.settings
        self._window.keep_settings(settings)
        if consent.load().locked:
            for job in (CHECK, SCORE_RESPONSES):
                self._window.jobs.cancel(job)
        changed = replace(before, judge=settings.judge) != settings
        if wanted and wanted != self.kind and self._is_set_up(wanted):
            self.choose(wanted)
        elif changed and self.kind != BUILTIN:
            self._engage(self.kind if self._is_set_up(self.kind) else BUILTIN)

    # Running

    def _on_started(self) -> None:
        """What the last check ended with holds no longer; questions in the banner stay."""
        self._progress, self._seconds, self._marks = None, None, ""
        if self._outcome and self._window.banner.text == self._outcome:
            self._window.banner.hide()
            self._warned = ""

    def _on_failed(self, said: str) -> None:
        if self.kind != BUILTIN or said in (STOPPED_CHECKED_BEFORE, STOPPED_FIRST):
            self._outcome = said

    def _on_check_failed(self, said: str) -> None:
        """A model or an address that does not work must not be the end of it."""
        if self.kind != BUILTIN:
            self._window.banner.say(said, self._ways_on())

    def _ways_on(self) -> Actions:
        settings = (SETTINGS, partial(self.open_settings, self.kind))
        return [settings, (tr("Use the built-in judge"), partial(self.choose, BUILTIN))]

    def _on_marks(self, marks: Marks) -> None:
        self._marks = status.marks(marks)

    def _on_warned(self, warning: str) -> None:
        self._warning = warning

    def _on_opened(self) -> None:
        """What was said of the last case, and is shown no more, is said anew of this one."""
        if self._window.banner.text != self._warned:
            self._warned = ""

    def _on_progress(self, progress: Progress) -> None:
        if self._progress is not None and progress.question is not self._progress.question:
            self._seconds = None
        self._progress = progress
        self._say_working()

    def _on_engine(self, seconds: object) -> None:
        if isinstance(seconds, Testing):
            self._window.status.show_working(status.testing(seconds.done, seconds.total))
            return
        self._seconds = seconds if isinstance(seconds, float) else None
        self._say_working()

    def _say_working(self) -> None:
        if self.kind != BUILTIN and self._progress is not None:
            self._window.status.show_working(status.working(self._progress, self._seconds))

    def _on_due(self) -> None:
        session, banner = self._session, self._window.banner
        if session.evaluation is not None:
            self._window.status.show_checked(
                tr("The note has changed since {name} checked it. Choose “Check again”.").format(name=self.name)
            )
        elif not banner.text:
            banner.say(
                tr("Not checked yet. {name} checks when you ask.").format(name=self.name),
                [(tr("Check now"), session.check)],
            )

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        self._looks[evaluation.judge.kind, evaluation.judge.model] = evaluation
        warning, known = self._unanswered(), self._warned
        self._warned = warning
        ways_on: Actions = []
        if self.kind != BUILTIN:
            self._window.status.show_checked(status.checked(evaluation, here=self._answers_here))
            outcome = status.outcome(evaluation)
            ways_on = self._ways_on() if outcome else []
            said = " ".join(part for part in (self._marks, outcome, warning) if part)
        else:
            # It checks at every pause in typing: what was said once is not said again.
            said = warning if warning != known else ""
            if known and not warning and self._window.banner.text == known:
                self._window.banner.hide()
        if said:
            self._outcome = said if self.kind != BUILTIN else ""
            self._say(said, ways_on)
        else:
            self._tell_once()

    def _tell_once(self) -> None:
        """After the first check, what other judges there are; never again."""
        settings, banner = self._window.settings, self._window.banner
        if settings.told_of_judges or banner.text:
            return
        self._window.keep_settings(replace(settings, told_of_judges=True))
        if self.kind == BUILTIN:
            banner.say(
                tr(
                    "This was the quick check: it finds about 4 of 10 mistakes. A language model, on "
                    "this computer or online, finds more and takes longer."
                ),
                [(tr("See the choices…"), self._window.commands["choose_judge"].trigger)],
                passing=True,
            )

    # The doubt whether the session is the note's

    def _say(self, said: str, answers: Actions | None = None) -> None:
        answers = answers or []
        if self._warning and doubts_session(said):
            answers = [
                (tr("Choose another session…"), partial(self._choose_session, said)),
                (RIGHT_SESSION, self._keep_session),
            ]
        self._window.banner.say(said, answers)

    def _unanswered(self) -> str:
        """The warning, without the doubt once the clinician has said that this is the right session."""
        kept = SESSION_SUBJECT in self._session.decisions
        return without_doubt(self._warning) if kept else self._warning

    def _choose_session(self, said: str) -> None:
        if not self._ask_session():
            self._say(said)

    def _keep_session(self) -> None:
        self._session.decide(DecisionKind.DISMISS, SESSION_SUBJECT, f"{RIGHT_SESSION}.")
        self._warned = self._unanswered()
        if self._warned:
            self._say(self._warned)

    # Comparing

    def comparable(self) -> tuple[Evaluation, Evaluation] | None:
        """The check that is shown and the last one by another judge of the same note and session."""
        shown = self._session.judged
        if shown is None:
            return None
        who = shown.judge.kind, shown.judge.model
        note, session = shown.case.note, shown.case.transcript.content_fingerprint
        others = [
            look
            for key, look in self._looks.items()
            if key != who and (look.case.note, look.case.transcript.content_fingerprint) == (note, session)
        ]
        return (others[-1], shown) if others else None

    def compare(self) -> ComparisonWindow | None:
        pair = self.comparable()
        if pair is None:
            self._window.banner.say(
                tr("You can compare two judges once both have checked this note. Choose another judge.")
            )
            return None
        from noteeval_desktop.ui.judging.comparison_window import ComparisonWindow

        window = ComparisonWindow(*pair, self._rubric, self._window)
        window.place_asked.connect(self.place_asked)
        window.show()
        return window

    def close(self) -> None:
        """End models and connections; after the jobs have ended."""
        self._closing.close()


def _ignore(_: object) -> None:
    """Nothing to show: the judge that ended is not the one in use."""
