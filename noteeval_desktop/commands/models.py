"""`noteeval models`, and the test of a local model before it judges for the first time."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.commands.run import BAD_INPUT, DONE, JUDGE_FAILED, Run, check_outputs, finish, interrupted_at_once
from noteeval_desktop.domain.phrases import did_you_mean, share_of, size, tr
from noteeval_desktop.engines import download as fetching
from noteeval_desktop.engines import models
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest, sha256_of
from noteeval_desktop.engines.own_models import describe
from noteeval_desktop.engines.route import said_of
from noteeval_desktop.errors import Cancelled, InputError, ModelError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm import estimate
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.known_models import KnownModels
from noteeval_desktop.report.terminal import ProgressBar, table


def models_list(run: Run) -> int:
    """What is on this computer, and what can be had."""
    check_outputs({"--json": run.options.json}, ())
    found = models.list_models()
    how = tr("To get a suggested one: `noteeval models download NAME`.")
    result = {"schema": "noteeval.models/1", "models": [_to_json(model) for model in found]}
    return finish(run, result, f"{table(_model_rows(found))}\n\n{how}")


def models_check(run: Run) -> int:
    """Compare what is here with the manifest; exit code 1 where something is missing or damaged."""
    found = models.check_models()
    run.show(table(_model_rows(found)))
    for model in found:
        if model.state is models.State.UNLISTED and model.file:
            digest = sha256_of(paths.model_folder() / model.file, cancel=run.cancel)
            run.show(tr("{name}: SHA-256 {digest}").format(name=model.file, digest=digest))
    damaged = [model for model in found if model.remedy and model.state in (models.State.MISSING, models.State.DAMAGED)]
    for model in damaged:
        run.say(f"{model.name}: {model.state}. {model.remedy}")
    return JUDGE_FAILED if damaged else DONE


def models_build(run: Run) -> int:
    """Fetch and convert the sentence encoder."""
    bar = ProgressBar(run.err)
    path = models.build_encoder(lambda what, share: bar.show(what, round(100 * share), 100), run.cancel)
    bar.clear()
    run.show(tr("The encoder is ready: {name}").format(name=path.name))
    return DONE


def models_download(run: Run) -> int:
    """Fetch a chat model: one of the list, or a file at an address of the user's with its SHA-256."""
    options = run.options
    if not (options.name or options.url):
        raise InputError(
            tr("models download"), tr("needs a model"), tr("Name one of `noteeval models list`, or give --url.")
        )
    entry = _entry(options.name) if options.name else None
    bar, left, folder = ProgressBar(run.err), fetching.TimeLeft(), options.folder or paths.model_folder()

    def show(done: int, total: int) -> None:
        bar.show("MB", done // 1_000_000, total // 1_000_000 or None, left(done, total))

    try:
        wanted = _wanted(entry, options.url or "", options.sha256 or "")
    except ModelError as refused:
        run.say(str(refused))
        return BAD_INPUT
    run.note(tr("only the file's address is sent. {whose}").format(whose=said_of(wanted.url)))
    try:
        path = fetching.download(wanted, folder, show, run.cancel)
    except ModelError as failed:
        run.say(str(failed))
        return JUDGE_FAILED
    except Cancelled:
        run.say(tr("what has been downloaded is kept; run the same command for the rest."))
        raise
    finally:
        bar.clear()
    model = describe(path)
    run.show(tr("{name} is downloaded, and its SHA-256 is correct: {path}").format(name=path.name, path=path))
    if model.problem:
        run.say(model.problem)
    return DONE


def models_test(run: Run) -> int:
    """What a model answered of the entrance test, anew; exit code 1 for one that is not asked about notes."""
    options = run.options
    served, model = options.base_url is not None, Path(options.model)
    if not served and not model.is_file():
        raise InputError(model.name, tr("there is no such model file"), tr("Check the path."))
    if served:
        run.say(
            tr(
                "{questions} questions about two invented sessions are sent: about 25,000 tokens. Nothing of yours is "
                "sent."
            ).format(questions=making.entrance().asked)
        )
    result = _served(run) if served else _tested(model, making.ALL_LAYERS if options.gpu else 0, anew=True)
    rows = [
        [name, share_of(right, asked)]
        for name, (right, asked) in zip(KINDS.values(), result.kinds.values(), strict=True)
        if asked
    ]
    run.show(table([[tr("Test questions on"), tr("As expected")], *rows]))
    run.show(f"\n{result.said}")
    speed = None if served else KnownModels.of_this_user().speed(model)
    if speed is not None and not result.refused:
        run.show(estimate.said(speed, measured=True))
    return JUDGE_FAILED if result.refused else DONE


def let_in(model: Path, gpu_layers: int) -> None:
    """The test where the model has not taken it; tells what there is to know of it. Raises ModelError where it is not
    to be believed."""
    result = _tested(model, gpu_layers, anew=False)
    making.check_admitted(result, model.name)


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
        raise InputError(
            name,
            tr("is not in the list of models{near}").format(near=did_you_mean(name, known)),
            tr("The list has {names}.").format(names=names),
        ) from None


def _to_json(model: models.ModelStatus) -> dict[str, Any]:
    """``bytes``: of the file, here or to be downloaded; ``memory_gb``: with a context of 8,192 tokens."""
    entry = model.entry
    told = {name: getattr(model, name) for name in ("name", "kind", "state", "file", "licence", "source", "remedy")}
    return told | {"bytes": entry.bytes if entry else model.bytes, "memory_gb": entry and entry.memory_gb}


def _model_rows(found: Sequence[models.ModelStatus]) -> list[list[str]]:
    rows = [[tr("Model"), tr("Kind"), tr("State"), tr("Size"), tr("Memory"), tr("License")]]
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
        return tr("about {gigabytes} GB").format(gigabytes=f"{model.entry.memory_gb:g}")
    if model.kind == "chat" and model.file:
        memory = describe(paths.model_folder() / model.file).memory
        return tr("about {gigabytes} GB").format(gigabytes=f"{memory / 1e9:.1f}") if memory else "–"
    return "–"


def _served(run: Run) -> Result:
    options, bar = run.options, ProgressBar(sys.stderr)
    try:
        return making.admit_served(
            options.base_url,
            options.model,
            run.key(options.base_url),
            unencrypted=options.allow_unencrypted,
            cancel=run.cancel,
            anew=True,
            progress=lambda done, all: bar.show(tr("Test questions"), done, all),
        )
    finally:
        bar.clear()


def _tested(model: Path, gpu_layers: int, *, anew: bool) -> Result:
    bar = ProgressBar(sys.stderr)
    try:
        with interrupted_at_once():
            return making.admit(
                model,
                gpu_layers=gpu_layers,
                anew=anew,
                progress=lambda done, all: bar.show(tr("Test questions"), done, all),
            )
    finally:
        bar.clear()
