"""Makes the judges that take their time; called in their lanes, not on the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import thresholds_of
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.llm.cache import AnswerCache
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.engaged import Testing
from noteeval_desktop.ui.judging.keys import Keys

if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.chat import Price
    from noteeval_desktop.engines.remote.pace import Pace
    from noteeval_desktop.judges.llm.remote import RemoteJudge


def admit_local(settings: Settings, cancel: threading.Event, tell: Callable[[object], None]) -> None:
    """The model takes its entrance test, where it has not yet. Raises ModelError for one that guesses, Cancelled."""
    from noteeval_desktop.judges import making

    model, layers = Path(settings.local_model), making.ALL_LAYERS if settings.local_gpu else 0
    found = making.admit(model, gpu_layers=layers, cancel=cancel, progress=lambda done, all: tell(Testing(done, all)))
    making.check_admitted(found, model.name)


def admit_served(settings: Settings, keys: Keys, cancel: threading.Event, tell: Callable[[object], None]) -> None:
    """Like ``admit_local`` for a model that a server on this computer offers. Raises as it does, and InputError."""
    from noteeval_desktop.judges import making

    found = making.admit_served(
        settings.base_url,
        settings.remote_model,
        keys.read(settings.base_url),
        cancel=cancel,
        progress=lambda done, all: tell(Testing(done, all)),
    )
    making.check_admitted(found, settings.remote_model)


def load_local(
    settings: Settings, rubric: Rubric, closing: ExitStack, cache: AnswerCache, tell: Callable[[object], None]
) -> Judge:
    """``tell`` gets the seconds that the questions in hand will still take. Raises ModelError."""
    # Here, not above: a window that starts with the built-in judge needs neither.
    from noteeval_desktop.judges import making

    local = making.local_judge(
        Path(settings.local_model),
        rubric,
        closing,
        cache=cache,
        progress=lambda progress: tell(progress.seconds_left),
        gpu_layers=making.ALL_LAYERS if settings.local_gpu else 0,
    )
    local.asks_private, tuned = settings.asks_private, thresholds_of(settings.thresholds)
    if settings.ask_everything:
        return local
    minutes = settings.full_check_minutes or None
    return making.full_check(local, Path(settings.local_model), rubric, closing, tuned, minutes)


def load_remote(
    settings: Settings,
    keys: Keys,
    rubric: Rubric,
    closing: ExitStack,
    cache: AnswerCache,
    pace: Pace | None = None,
    *,
    about_case: bool = True,
) -> RemoteJudge:
    """``pace``: shared by all that ask the address. ``about_case``: not about responses outside a session, on which the
    built-in judge is not asked first.

    Raises InputError, ModelError and SecretsError.
    """
    from noteeval_desktop.judges import making

    judge = making.remote_judge(
        settings.base_url,
        settings.remote_model,
        keys.read(settings.base_url),
        rubric,
        closing,
        cache=cache,
        price=price_of(settings),
        jobs=settings.remote_jobs,
        pace=pace,
        unencrypted=settings.unencrypted_address == settings.base_url,
    )
    if about_case and not settings.ask_everything:
        judge = making.remote_full_check(judge, rubric, closing, thresholds_of(settings.thresholds))
    judge.marks, judge.llm.asks_private = settings.marks, settings.asks_private
    return judge


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
