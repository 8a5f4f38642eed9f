"""The three kinds of judge, put together from what they need; models and connections end with ``closing``."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.two_witnesses import Records
from noteeval_desktop.engines import loopback, models
from noteeval_desktop.engines.chat import ChatModel
from noteeval_desktop.engines.embedder import MAX_TOKENS, Embedder, LlamaEmbedder
from noteeval_desktop.engines.local_llm import LocalChat, LocalProgress
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.engines.manifest import REMEDY
from noteeval_desktop.errors import EncoderMissing, ModelError
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.cache import AnswerCache, NoCache
from noteeval_desktop.judges.llm.entrance import Entrance, Progress, Result, load_entrance
from noteeval_desktop.judges.llm.judge import VERSION, LlmJudge, Manner
from noteeval_desktop.judges.llm.known_models import KnownModels, Served
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever, WholeSession
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.privacy import consent
from noteeval_desktop.privacy.identifiers import Decisions, IdentifierFinder
from noteeval_desktop.privacy.lexicon import load_lexicon

# The client of endpoints is imported with the first remote judge: loading it holds up the window for a tenth of a
# second, also from another thread, and a local judge has no use for it.
if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.chat import Price
    from noteeval_desktop.engines.remote.pace import Pace
    from noteeval_desktop.judges.llm.remote import RemoteFullCheck, RemoteJudge

AT_ONCE = 8  # requests to a server
ALL_LAYERS = 999  # more than any model has
_TEST_FENCE = "0123456789ab"  # the same questions for everybody, to the letter


def encoder(closing: ExitStack, max_tokens: int = MAX_TOKENS, threads: int | None = None) -> Embedder:
    """``threads``: as LlamaEmbedder has it. Raises ModelError, which says how to get it, when the encoder is not on
    this computer."""
    path = models.encoder_path()
    if not path.is_file():
        raise EncoderMissing(f"The sentence encoder is not on this computer yet. {REMEDY}")
    embedder = LlamaEmbedder(path, threads, max_tokens)
    closing.callback(embedder.close)
    return embedder


def builtin_judge(rubric: Rubric, closing: ExitStack, threads: int | None = None) -> Judge:
    """Raises ModelError."""
    return builtin.load(encoder(closing, threads=threads), rubric)


def _quick(embedder: Embedder, rubric: Rubric, tuned: Thresholds) -> Judge:
    judge = builtin.load(embedder, rubric)
    judge.tune(tuned)
    return judge


def full_check(
    judge: LlmJudge,
    model: Path,
    rubric: Rubric,
    embedder: Embedder,
    tuned: Thresholds = SHIPPED,
    minutes: float | None = None,
) -> FullCheck:
    """The built-in judge first, then ``judge`` (of the file ``model``) about everything, for so long at most; both may
    have one ``embedder``. Raises ModelError."""
    return FullCheck(_quick(embedder, rubric, tuned), judge, _records(model), tuned, judge.doubt, minutes)


def remote_full_check(
    judge: RemoteJudge, rubric: Rubric, embedder: Embedder, tuned: Thresholds = SHIPPED
) -> RemoteFullCheck:
    """Like ``full_check``, at an address."""
    from noteeval_desktop.judges.llm.remote import RemoteFullCheck

    records = _records(Served(judge.chat.base_url, judge.chat.info.name))
    return RemoteFullCheck(_quick(embedder, rubric, tuned), judge, records, tuned)


def _records(model: Path | Served) -> Records:
    """What it has shown; none where it took no test."""
    found = KnownModels.of_this_user().result(model, entrance_version())
    return found.records if found else {}


def local_judge(
    model: Path,
    rubric: Rubric,
    embedder: Embedder,
    closing: ExitStack,
    *,
    cache: AnswerCache | None = None,
    progress: Callable[[LocalProgress], None] = lambda _progress: None,
    gpu_layers: int = 0,
) -> LlmJudge:
    """A chat model of the user's own, in a child process. Raises ModelError.

    Items and sentences are asked about one at a time, yes or no, behind a shared prefix: that costs a local
    model nothing and gives a probability. An answer does not depend on what else was asked, as the cache requires.
    """
    chat = LocalChat(model, progress=progress, gpu_layers=gpu_layers)
    judge = _llm(chat, embedder, rubric, closing, Manner.PUBLISHED, cache)
    found = KnownModels.of_this_user().result(model, entrance_version())
    if found is not None and found.doubtful:
        judge.doubt = found.said
    return judge


def entrance() -> Entrance:
    return load_entrance(paths.resources() / "entrance.json")


def entrance_version() -> str:
    """Changes with the questions, and with how they are put and read."""
    prompts = load_prompts(paths.resources() / "prompts")
    return fingerprint(entrance().version, prompts.fingerprint, VERSION)


def admit(
    model: Path,
    *,
    gpu_layers: int = 0,
    cancel: threading.Event | None = None,
    progress: Progress = lambda done, total: None,
    known: KnownModels | None = None,
    anew: bool = False,
) -> Result:
    """How the model in this file did in the entrance test, which it takes where it has not yet (or ``anew``); its speed
    is measured on the way. Raises ModelError where it cannot be asked, or where a test of another day was not kept;
    Cancelled.
    """
    known, cancel, version = known or KnownModels.of_this_user(), cancel or threading.Event(), entrance_version()
    found = None if anew else known.result(model, version)
    if found is not None:
        return found
    with contextlib.closing(LocalChat(model, gpu_layers=gpu_layers)) as chat:
        speed = chat.measure(cancel)
        found = _tested(chat, Manner.PUBLISHED, cancel, progress)
    with _kept(model.name):
        known.sha256(model, cancel)
        known.keep_speed(model, speed)
        known.keep_result(model, version, found)
    return found


def admit_served(
    base_url: str,
    model: str,
    key: str,
    *,
    unencrypted: bool = False,
    cancel: threading.Event | None = None,
    progress: Progress = lambda done, total: None,
    known: KnownModels | None = None,
    anew: bool = False,
) -> Result:
    """Like ``admit`` for a model at an address: invented sessions are sent, and no case. Raises as it does, and
    InputError as ``remote_judge`` does."""
    from noteeval_desktop.engines.remote.chat import RemoteChat

    known, cancel, version = known or KnownModels.of_this_user(), cancel or threading.Event(), entrance_version()
    served = Served(base_url, model)
    found = None if anew else known.result(served, version)
    if found is not None:
        return found
    consent.load().check_unlocked()
    with contextlib.closing(RemoteChat(base_url, model, key, unencrypted=unencrypted)) as chat:
        found = _tested(chat, Manner.GROUPED, cancel, progress)
    with _kept(model):
        known.keep_result(served, version, found)
    return found


def _tested(chat: ChatModel, manner: Manner, cancel: threading.Event, progress: Progress) -> Result:
    test, prompts = entrance(), load_prompts(paths.resources() / "prompts")
    judge = LlmJudge(chat, test.rubric, prompts, WholeSession(), manner, NoCache(), fence=_TEST_FENCE)
    return test.run(judge, cancel, progress)


def measure(model: Path, *, gpu_layers: int = 0, cancel: threading.Event | None = None) -> Speed:
    """How fast this computer reads and writes with the model, in seconds and without a test; it is remembered.

    Raises ModelError and Cancelled.
    """
    known, cancel = KnownModels.of_this_user(), cancel or threading.Event()
    with contextlib.closing(LocalChat(model, gpu_layers=gpu_layers)) as chat:
        speed = chat.measure(cancel)
    with _kept(model.name):
        known.sha256(model, cancel)
        known.keep_speed(model, speed)
    return speed


@contextlib.contextmanager
def _kept(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"{name}: what was found out about it cannot be saved ({error.strerror}). Free some space."
        ) from error


def check_admitted(result: Result, name: str) -> None:
    """Raises ModelError for a model that guesses."""
    if result.refused:
        raise ModelError(f"{name}: {result.said}")


def remote_judge(
    base_url: str,
    model: str,
    key: str,
    rubric: Rubric,
    embedder: Embedder,
    closing: ExitStack,
    *,
    cache: AnswerCache | None = None,
    price: Price | None = None,
    decisions: Decisions | None = None,
    jobs: int = AT_ONCE,
    fence: str | None = None,
    pace: Pace | None = None,
    unencrypted: bool = False,
) -> RemoteJudge:
    """A chat model at an address; it sees cases without the identifiers that are found, and as they are where it is on
    this computer.

    The caller has asked the user (``privacy.consent``). ``fence``: of an earlier run whose very questions are to be
    asked. ``pace``: shared by all judges of a process that ask this address. ``unencrypted``: the user has agreed to
    an http address in the own network. Raises ModelError, and InputError for an address that is not safe and while the
    network lock is on.
    """
    from noteeval_desktop.engines.remote.chat import RemoteChat
    from noteeval_desktop.judges.llm.remote import RemoteJudge

    consent.load().check_unlocked()
    chat = RemoteChat(base_url, model, key, jobs, price, pace, unencrypted)
    here = loopback.on_this_computer(base_url, model)
    llm = _llm(chat, embedder, rubric, closing, Manner.GROUPED, cache, fence, 1 if here else jobs)
    judge = RemoteJudge(llm, chat, None if here else identifier_finder(embedder))
    if decisions is not None:
        judge.decide(decisions)
    return judge


def identifier_finder(embedder: Embedder) -> IdentifierFinder:
    """What hides names. Raises ModelError."""
    from noteeval_desktop.judges.tagger import WordTagger, shipped_head
    from noteeval_desktop.privacy.word_features import WordFeatures

    lexicon = load_lexicon(paths.resources() / "lexicons")
    return IdentifierFinder(lexicon, WordTagger(shipped_head(), embedder, WordFeatures(lexicon)))


def _llm(
    chat: ChatModel,
    embedder: Embedder,
    rubric: Rubric,
    closing: ExitStack,
    manner: Manner,
    cache: AnswerCache | None,
    fence: str | None = None,
    places: int = 1,
) -> LlmJudge:
    closing.callback(chat.close)
    prompts, retriever = load_prompts(paths.resources() / "prompts"), EmbeddingRetriever(embedder)
    return LlmJudge(chat, rubric, prompts, retriever, manner, cache, LocalReading(embedder), fence, places=places)
