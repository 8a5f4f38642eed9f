"""`noteeval models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from noteeval_desktop import paths
from noteeval_desktop.commands import words
from noteeval_desktop.commands.run import BAD_INPUT, DONE, JUDGE_FAILED, Run
from noteeval_desktop.domain.phrases import size
from noteeval_desktop.engines import download as fetching
from noteeval_desktop.engines import models
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest, sha256_of
from noteeval_desktop.engines.own_models import describe
from noteeval_desktop.engines.route import said_of
from noteeval_desktop.errors import Cancelled, InputError, ModelError
from noteeval_desktop.report.terminal import ProgressBar, table


def models_list(run: Run) -> int:
    """What is on this computer, and what can be had."""
    print(table(_model_rows(models.list_models())), file=run.out)
    print(words.HOW_TO_GET, file=run.out)
    return DONE


def models_check(run: Run) -> int:
    """Compare what is here with the manifest; exit code 1 where something is missing or damaged."""
    found = models.check_models()
    print(table(_model_rows(found)), file=run.out)
    for model in found:
        if model.state is models.State.UNLISTED and model.file:
            digest = sha256_of(paths.model_folder() / model.file, cancel=run.cancel)
            print(words.sha256_of(model.file, digest), file=run.out)
    damaged = [model for model in found if model.remedy and model.state in (models.State.MISSING, models.State.DAMAGED)]
    for model in damaged:
        run.say(f"{model.name}: {model.state}. {model.remedy}")
    return JUDGE_FAILED if damaged else DONE


def models_build(run: Run) -> int:
    """Fetch and convert the sentence encoder."""
    bar = ProgressBar(run.err)
    path = models.build_encoder(lambda what, share: bar.show(what, round(100 * share), 100), run.cancel)
    bar.clear()
    print(words.encoder_ready(path.name), file=run.out)
    return DONE


def models_download(run: Run) -> int:
    """Fetch a chat model: one of the list, or a file at an address of the user's with its SHA-256."""
    options = run.options
    if not (options.name or options.url):
        raise InputError(words.DOWNLOAD, *words.NEEDS_MODEL)
    entry = _entry(options.name) if options.name else None
    bar, left, folder = ProgressBar(run.err), fetching.TimeLeft(), options.folder or paths.model_folder()

    def show(done: int, total: int) -> None:
        bar.show("MB", done // 1_000_000, total // 1_000_000 or None, left(done, total))

    try:
        wanted = _wanted(entry, options.url, options.sha256)
    except ModelError as refused:
        run.say(str(refused))
        return BAD_INPUT
    run.say(words.address_sent(said_of(wanted.url)))
    try:
        path = fetching.download(wanted, folder, show, run.cancel)
    except ModelError as failed:
        run.say(str(failed))
        return JUDGE_FAILED
    except Cancelled:
        run.say(words.THE_REST_LATER)
        raise
    finally:
        bar.clear()
    model = describe(path)
    print(words.downloaded(path), file=run.out)
    if model.problem:
        run.say(model.problem)
    return DONE


def _wanted(entry: ChatEntry | None, url: str, sha256: str) -> fetching.Source:
    """The list's file, from another address where one is given; or a file of the user's own. Raises ModelError."""
    if entry is None:
        return fetching.source(url, sha256)
    if not url:
        return fetching.listed(entry)
    own = fetching.source(url, sha256 or entry.sha256)
    size = entry.bytes if own.sha256 == entry.sha256 else 0
    return replace(fetching.listed(entry), url=own.url, sha256=own.sha256, bytes=size)


def _entry(name: str) -> ChatEntry:
    known = {entry.name.lower(): entry for entry in read_manifest().chat}
    try:
        return known[name.lower()]
    except KeyError:
        names = ", ".join(entry.name for entry in known.values())
        raise InputError(name, *words.unlisted(names)) from None


def _model_rows(found: Sequence[models.ModelStatus]) -> list[list[str]]:
    rows = [[words.MODEL, words.KIND, words.STATE, words.SIZE, words.MEMORY, words.LICENCE]]
    for model in found:
        rows.append([model.name, model.kind, model.state.value, _size(model), _memory(model), model.licence or "–"])
    return rows


def _size(model: models.ModelStatus) -> str:
    if model.entry is not None:
        return size(model.entry.bytes)
    return size(model.bytes) if model.bytes else "–"


def _memory(model: models.ModelStatus) -> str:
    """Of a chat model with a context of 8,192 tokens."""
    if model.entry is not None:
        return words.about(f"{model.entry.memory_gb:g}")
    if model.kind == "chat" and model.file:
        memory = describe(paths.model_folder() / model.file).memory
        return words.about(f"{memory / 1e9:.1f}") if memory else "–"
    return "–"
