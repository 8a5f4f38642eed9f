"""For notebooks and other programs: ``from noteeval_desktop import evaluate, open_judge, score_response``.

What comes back is what the commands write as JSON, as dicts and lists: `resources/schema` describes it. A text is given
as a string, a file as a ``Path``. Nothing here opens a connection.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from noteeval_desktop import checklists, documents
from noteeval_desktop.documents.response_sets import as_context
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.evaluate import evaluate as events
from noteeval_desktop.evaluate import final
from noteeval_desktop.evaluate import score_response as scored
from noteeval_desktop.judges import making
from noteeval_desktop.judges.notices import with_cuts, with_warnings
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.report.json_layout import evaluation_to_json, response_to_json


@contextmanager
def open_judge(model: Path | None = None, *, checklist: str | None = None) -> Iterator[Judge]:
    """The built-in judge, or a language model in a GGUF file; holds some 200 MB, or the model, until the block ends.

    ``checklist``: the name of a checklist, or its file; TN-Eval's by default. A model takes the entrance test first, if
    it has not yet: minutes. Raises ModelError where the encoder or the model is missing, damaged or not admitted, and
    InputError for a checklist that cannot be used.
    """
    rubric = checklists.shipped_rubric() if checklist is None else checklists.asked_for(checklist).rubric
    with ExitStack() as closing:
        if model is None:
            yield making.builtin_judge(rubric, closing)
        else:
            making.check_admitted(making.admit(model), model.name)
            yield making.local_judge(model, rubric, making.encoder(closing), closing)


def evaluate(transcript: Path | str, note: Path | str, *, judge: Judge | None = None) -> dict[str, Any]:
    """One note against its session, as ``noteeval evaluate --json`` writes it ("noteeval.evaluation/1").

    Shares and probabilities are 0..1, turns count from 0, offsets are half-open and count code points, what was not
    judged is None. Without ``judge`` the built-in one is opened for this call: open it once for many notes. A judge
    that fails on a question leaves ``complete`` False and says why in ``problems``. Raises InputError for a text that
    cannot be read, ModelError.
    """
    if judge is None:
        with open_judge() as judge:
            return evaluate(transcript, note, judge=judge)
    path, data = _given(transcript, tr("the session"))
    session = documents.read_transcript(path, data=data)
    path, data = _given(note, tr("the note"))
    written = documents.read_note(path, data=data)
    case = with_warnings(Case(session, written, background=Background(today=date.today())))
    return evaluation_to_json(with_cuts(final(events(case, judge)).evaluation))


def score_response(context: str, response: str, *, judge: Judge | None = None) -> dict[str, Any]:
    """What a therapist answered to a client, on the six attributes from 1 to 5, with ``css``, ``ars`` and ``gap``, as
    ``noteeval score-response --json`` writes it; None where an attribute was not judged.

    ``context``: the turns before, a line each, or the client's last. Raises ModelError, JudgeError.
    """
    if judge is None:
        with open_judge() as judge:
            return score_response(context, response, judge=judge)
    exchange = Exchange(as_context(normalise(context).strip()), normalise(response).strip())
    return response_to_json(scored(judge, exchange, threading.Event()))


def _given(text: Path | str, name: str) -> tuple[Path, bytes | None]:
    return (text, None) if isinstance(text, Path) else (Path(name), text.encode("utf-8", "surrogatepass"))
