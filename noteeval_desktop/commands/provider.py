"""`noteeval batch --provider-batch`: the first questions about all notes through the provider's batch API.

What was sent is written down beside the results before it is sent, without any text: a run that was stopped, at
any point, fetches what it has paid for instead of sending it again.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from noteeval_desktop import batch as many
from noteeval_desktop.commands.run import Run
from noteeval_desktop.commands.sending import as_remote
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote import provider_batch as provider
from noteeval_desktop.engines.remote.abilities import check_ready
from noteeval_desktop.errors import Cancelled, InputError, JudgeError
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.terminal import ProgressBar

STATE_FILE = "provider-batch.json"
SCHEMA = "noteeval.provider-batch/1"
POLL_SECONDS = 20.0
_PATIENCE = 30  # asking in vain, one after the other


@dataclass
class Sent:
    """One batch: ``mark`` names it before the provider does; ``questions`` are keys of what it asks."""

    mark: str
    questions: list[str]
    id: str = ""


@dataclass
class State:
    """``asker``: endpoint, model, rubric and prompts as one hash; ``fence``: what the questions are marked off with,
    so that a later run asks the very same."""

    asker: str
    fence: str
    batches: list[Sent] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        write_json(folder / STATE_FILE, {"schema": SCHEMA, **asdict(self)})


def judges_after_fetching(run: Run, pairs: Sequence[many.Pair], plan: many.Plan) -> Callable[[], Judge]:
    """Send what is not answered yet, wait, fetch; then makes judges that know the answers.

    Raises InputError, JudgeError, and Cancelled: the provider goes on meanwhile.
    """
    judge, state = _begun(run, plan.folder)
    batches = provider.ProviderBatches(judge.chat)
    _find_lost(batches, state, plan.folder)
    _send(run, judge, batches, state, _questions(run, judge, pairs, plan), plan.folder)
    asked = frozenset(key for sent in state.batches for key in sent.questions)
    answers = _fetch(run, batches, state, plan.folder)

    def make() -> Judge:
        own = _remote(run)
        return own.answered_by(provider.FetchedChat(own.chat, answers, asked))

    return make


def lines(run: Run, pairs: Sequence[many.Pair], plan: many.Plan) -> list[bytes]:
    """Of the files of questions that would be uploaded now; nothing is sent. Raises InputError."""
    judge, state = _begun(run, plan.folder)
    questions = _questions(run, judge, pairs, plan)
    return [provider.line(judge.chat, questions[key]) for key in _missing(state, questions)]


def _begun(run: Run, folder: Path) -> tuple[RemoteJudge, State]:
    """What was sent before, and a judge that asks in the same words. Raises InputError where they do not fit."""
    known = _read(folder)
    run.options.fence = known.fence if known is not None else secrets.token_hex(6)
    judge = _remote(run)
    identity = judge.identity
    asker = fingerprint(judge.chat.base_url, identity.model, identity.version, identity.rubric, identity.prompts)
    if known is not None and known.asker != asker:
        raise InputError(
            STATE_FILE,
            "tells of questions to another model, or in other words, that are still with a provider",
            "Use another --out-dir, or delete it.",
        )
    return judge, known or State(asker, run.options.fence)


def _remote(run: Run) -> RemoteJudge:
    return as_remote(run.judge(), "--provider-batch")


def forget(folder: Path) -> None:
    """Once every case is done."""
    (folder / STATE_FILE).unlink(missing_ok=True)


def _read(folder: Path) -> State | None:
    try:
        data = json.loads((folder / STATE_FILE).read_bytes())
        batches = [Sent(str(b["mark"]), [str(key) for key in b["questions"]], str(b["id"])) for b in data["batches"]]
        return State(str(data["asker"]), str(data["fence"]), batches) if data["schema"] == SCHEMA else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        # Not simply set aside: it says what has been paid for.
        raise InputError(
            STATE_FILE, "cannot be read", "Restore it, or delete it to send all questions anew."
        ) from error


def _questions(run: Run, judge: RemoteJudge, pairs: Sequence[many.Pair], plan: many.Plan) -> dict[str, Request]:
    """The first questions about all cases that are still to be judged. Bad rows are reported later, with the others."""
    found: dict[str, Request] = {}
    bar = ProgressBar(run.err)
    for number, (pair, case) in enumerate(many.readable(pairs, run.cancel)):
        bar.show("Preparing", number, len(pairs))
        if many.finished_before(plan, pair, case, judge) is not None:
            continue
        try:
            found |= {provider.key_of(request): request for request in judge.questions(case)}
        except (Cancelled, JudgeError):
            raise
        except Exception:  # told with its row, when that is judged
            continue
    bar.clear()
    return found


def _find_lost(batches: provider.ProviderBatches, state: State, folder: Path) -> None:
    """Batches that were being started when the run ended: they may have been paid for or never begun."""
    for sent in [sent for sent in state.batches if not sent.id]:
        sent.id = batches.find(sent.mark) or ""
        if not sent.id:
            state.batches.remove(sent)
    state.save(folder)


def _missing(state: State, questions: dict[str, Request]) -> list[str]:
    known = {key for sent in state.batches for key in sent.questions}
    return [key for key in questions if key not in known]


def _send(
    run: Run,
    judge: RemoteJudge,
    batches: provider.ProviderBatches,
    state: State,
    questions: dict[str, Request],
    folder: Path,
) -> None:
    missing = _missing(state, questions)
    if missing:
        check_ready(judge.chat, run.cancel)  # also finds out in which form its answers can be asked for
    for start in range(0, len(missing), provider.LARGEST):
        if run.cancel.is_set():
            raise Cancelled
        sent = Sent(secrets.token_hex(8), missing[start : start + provider.LARGEST])
        state.batches.append(sent)
        state.save(folder)
        sent.id = batches.submit([questions[key] for key in sent.questions], sent.mark)
        state.save(folder)


def _fetch(run: Run, batches: provider.ProviderBatches, state: State, folder: Path) -> dict[str, provider.Completion]:
    """Wait for every batch; what one did not answer is forgotten, so that another run sends it again."""
    answers: dict[str, provider.Completion] = {}
    total = sum(len(sent.questions) for sent in state.batches)
    if total:
        run.say(
            f"{total} questions are with the provider's batch API; answers may take a day. Ctrl+C leaves them there, "
            "and the same command fetches them later."
        )
    bar, vain, waiting, ended = ProgressBar(run.err), 0, list(state.batches), 0
    while waiting:
        done = 0
        for sent in list(waiting):
            try:
                status = batches.status(sent.id)
                vain = 0
            except provider.Unreachable:
                vain += 1
                if vain > _PATIENCE:
                    raise
                continue
            if not status.ended:
                done += status.done
                continue
            if status.reason:
                run.say(f"a batch ended early ({status.reason}); what it answered is used.")
            answers |= batches.answers(sent.id)
            waiting.remove(sent)
            ended += len(sent.questions)
        bar.show("Provider", ended + done, total)
        if waiting and run.cancel.wait(POLL_SECONDS):
            raise Cancelled
    bar.clear()
    for sent in state.batches:
        sent.questions = [key for key in sent.questions if key in answers]
    state.save(folder)
    return answers
