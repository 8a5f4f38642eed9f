"""`noteeval batch --provider-batch`: the first questions about all notes through the provider's batch API.

What was sent is written down beside the results before it is sent, without any text: a run that was stopped, at
any point, fetches what it has paid for instead of sending it again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from noteeval_desktop import batch as many
from noteeval_desktop.commands.provider_state import STATE_FILE, State
from noteeval_desktop.commands.run import Run
from noteeval_desktop.commands.sending import as_remote
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote import provider_batch as provider
from noteeval_desktop.engines.remote.abilities import check_ready
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.errors import Cancelled, InputError, JudgeError
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.platform.locks import PassingLock
from noteeval_desktop.report.terminal import ProgressBar

POLL_SECONDS = 20.0
LOCK_FILE = "provider-batch.lock"
_PATIENCE = 30  # asking in vain, one after the other


def judges_after_fetching(run: Run, pairs: Collection[many.Pair], plan: many.Plan) -> Callable[[], Judge]:
    """Send what is not answered yet, wait, fetch; then makes judges that know the answers.

    Raises InputError, JudgeError, and Cancelled: the provider goes on meanwhile.
    """
    _hold(run, plan.folder)
    judge, state = _begun(run, plan.folder)
    answers, asked = sent_and_fetched(run, judge.chat, state, _questions(run, judge, pairs, plan))

    def make() -> Judge:
        own = _remote(run)
        return own.answered_by(provider.FetchedChat(own.chat, answers, asked))

    return make


def sent_and_fetched(
    run: Run, chat: RemoteChat, state: State, questions: Iterable[Request]
) -> tuple[dict[str, bytes], frozenset[str]]:
    """The answers to what was sent before and to ``questions``, each sent once, packed as ``provider.FetchedChat``
    takes them; and the keys of all that was sent. Raises JudgeError, Cancelled."""
    batches = provider.ProviderBatches(chat)
    _find_lost(batches, state)
    _send(run, chat, batches, state, questions)
    asked = frozenset(state.known)
    return _fetch(run, batches, state), asked


def lines(run: Run, pairs: Collection[many.Pair], plan: many.Plan) -> Iterator[bytes]:
    """Of the files of questions that would be uploaded now; nothing is sent. Raises InputError."""
    judge, state = _begun(run, plan.folder)
    for _, question in _missing(state, _questions(run, judge, pairs, plan)):
        yield provider.line(judge.chat, question)


def _begun(run: Run, folder: Path) -> tuple[RemoteJudge, State]:
    """What was sent before, and a judge that asks in the same words. Raises InputError where they do not fit."""
    known = State.read(folder)
    run.options.fence = known.fence if known is not None else secrets.token_hex(6)
    judge = _remote(run)
    identity = judge.identity
    asker = fingerprint(judge.chat.base_url, identity.model, identity.version, identity.rubric, identity.prompts)
    if known is not None and known.asker != asker:
        raise InputError(
            STATE_FILE,
            tr("has questions for another model, or with other wording, that are still with a provider"),
            tr("Use another --out-dir, or delete it."),
        )
    return judge, known or State(folder, asker, run.options.fence)


def _hold(run: Run, folder: Path) -> None:
    """Until the run ends: two at once would send, and pay for, all twice. Raises InputError."""
    try:
        run.closing.callback(PassingLock(folder / LOCK_FILE).release)
    except BlockingIOError as error:
        raise InputError(
            folder.name,
            tr("is in use: another run sends its questions to the provider"),
            tr("Wait for it, or use another --out-dir."),
        ) from error


def _remote(run: Run) -> RemoteJudge:
    judge = as_remote(run.judge(), "--provider-batch")
    judge.llm.places = 1  # nobody waits for a batch: few calls, and the same ones whatever ``--concurrency``
    return judge


def forget(folder: Path) -> None:
    """Once every case is done."""
    (folder / STATE_FILE).unlink(missing_ok=True)


def _questions(run: Run, judge: RemoteJudge, pairs: Collection[many.Pair], plan: many.Plan) -> Iterator[Request]:
    """The first questions about all cases that are still to be judged. Bad rows are reported later, with the others."""
    bar = ProgressBar(run.err)
    for number, (pair, case) in enumerate(many.readable(pairs, run.cancel)):
        bar.show(tr("Preparing"), number, len(pairs))
        if many.finished_before(plan, pair, case, judge) is not None:
            continue
        try:
            yield from judge.questions(case)
        except (Cancelled, JudgeError):
            raise
        except Exception:  # told with its row, when that is judged
            continue
    bar.clear()


def _find_lost(batches: provider.ProviderBatches, state: State) -> None:
    """Batches that were being started when the run ended: they may have been paid for or never begun."""
    lost = [sent for sent in state.batches if not sent.id]
    found = batches.find({sent.mark for sent in lost}) if lost else {}
    for sent in lost:
        if sent.mark in found:
            state.started(sent, found[sent.mark])
        else:
            state.lost(sent)


def _missing(state: State, questions: Iterable[Request]) -> Iterator[tuple[str, Request]]:
    """With its key each question that is not with the provider yet, once."""
    known = state.known
    for question in questions:
        key = provider.key_of(question)
        if key not in known:
            known.add(key)
            yield key, question


def _send(
    run: Run, chat: RemoteChat, batches: provider.ProviderBatches, state: State, questions: Iterable[Request]
) -> None:
    """In batches as large as a provider takes; one of them is held at a time."""
    keys, body = list[str](), bytearray()

    def submit() -> None:
        if run.cancel.is_set():
            raise Cancelled
        sent = state.begin(keys)
        state.started(sent, batches.submit(bytes(body), sent.mark))
        keys.clear()
        body.clear()

    for number, (key, question) in enumerate(_missing(state, questions)):
        if number == 0:
            check_ready(chat, run.cancel)  # also finds out in which form its answers can be asked for
        line = provider.line(chat, question) + b"\n"
        if keys and (len(keys) == provider.LARGEST or len(body) + len(line) > provider.LARGEST_BYTES):
            submit()
        keys.append(key)
        body += line
    if keys:
        submit()


def _fetch(run: Run, batches: provider.ProviderBatches, state: State) -> dict[str, bytes]:
    """Wait for every batch; what one did not answer is forgotten, so that another run sends it again."""
    answers: dict[str, bytes] = {}
    total = sum(len(sent.questions) for sent in state.batches)
    if total:
        run.say(
            tr(
                "{questions} handed to the provider's batch API; answers may take a day. Ctrl+C leaves them "
                "there, and the same command fetches them later."
            ).format(questions=counted(total, "question"))
        )
    bar, vain, waiting, ended = ProgressBar(run.err), 0, list(state.batches), 0
    while waiting:
        done = 0
        for sent in list(waiting):
            try:
                status = batches.status(sent.id)
                found = batches.answers(sent.id) if status.ended else {}
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
                run.say(tr("a batch ended early ({reason}); what it answered is used.").format(reason=status.reason))
            answers |= found
            waiting.remove(sent)
            ended += len(sent.questions)
            state.unanswered(sent, [key for key in sent.questions if key not in found])
        bar.show(tr("Provider"), ended + done, total)
        if waiting and run.cancel.wait(POLL_SECONDS):
            raise Cancelled
    bar.clear()
    return answers
