"""Whether a model suits this computer, in words."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.local_llm.speed import guessed
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest
from noteeval_desktop.engines.own_models import OwnModel
from noteeval_desktop.judges.llm import estimate

# A session's closest turns, a section and the question: with less than this, questions are left out as too long.
_ENOUGH_CONTEXT = 4096
_PATIENCE_SECONDS = 11 * 60


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def fit(model: OwnModel, free: int | None) -> str:
    """Whether a model that can be read fits this computer's memory, and what its context allows."""
    assert model.header is not None
    name, trained = model.header.name, model.header.context
    said = [tr("{name}: needs about {memory} of memory").format(name=name, memory=gigabytes(model.memory))]
    if free is not None:
        said[0] += tr("; {free} are free. It fits").format(free=gigabytes(free))
    own = model.template == "own"
    said.append(tr("It has its own chat template") if own else tr("It has no chat template, so a plain one is used"))
    if trained < _ENOUGH_CONTEXT:
        short = tr(
            "It was trained for {trained:,} tokens at a time: longer questions, as on a whole session, will not be "
            "judged"
        )
        said.append(short.format(trained=trained))
    else:
        reads = tr("It reads up to {context:,} tokens at a time (trained for {trained:,})")
        said.append(reads.format(context=model.context, trained=trained))
    return ". ".join(said) + "."


def cells(model: OwnModel, free: int | None) -> list[str]:
    """A row of the list: name, size, quantisation, trained context, memory, state."""
    header = model.header
    if header is None:
        return [model.path.name, "", "", "", "", tr("cannot be used")]
    if free is not None and model.memory > free:
        state = tr("too large for the free memory")
    elif model.problem:
        state = tr("cannot answer questions")
    else:
        state = tr("short context") if header.context < _ENOUGH_CONTEXT else tr("fits")
    context = f"{header.context:,}"
    return [header.name, gigabytes(header.bytes), header.quantisation, context, gigabytes(model.memory), state]


def suited(free: int | None, gpu: bool = False, cores: int | None = None) -> ChatEntry:
    """The best of the suggested models that this computer can hold and that, without a graphics processor, takes no
    more than five minutes for the full check of a 50-minute session; otherwise the smallest."""

    def patient(entry: ChatEntry) -> bool:
        return estimate.seconds(estimate.FIFTY_MINUTES, guessed(entry.bytes, cores)) <= _PATIENCE_SECONDS

    suggested = read_manifest().chat
    fitting = [entry for entry in suggested if free is None or entry.memory_gb * 1e9 <= free]
    quick = [entry for entry in fitting if gpu or patient(entry)]
    return (quick or fitting[:1] or suggested[:1])[-1]


def advice(free: int | None, some: bool) -> str:
    """What to do while no model is chosen."""
    if some:
        return tr("Choose a model.")
    entry = suited(free)
    memory = tr("{free} of memory is free now. ").format(free=gigabytes(free)) if free is not None else ""
    return tr(
        "No model in this folder yet. {memory}One that suits: {name} ({size}, {licence}). “Get a model…” fetches it."
    ).format(memory=memory, name=entry.name, size=gigabytes(entry.bytes), licence=entry.licence)


def details(entry: ChatEntry, free: int | None) -> str:
    """What is expected of a suggested model, its size and needs."""
    fits = ""
    if free is not None and entry.memory_gb * 1e9 <= free:
        fits = tr(", which fits")
    elif free is not None:
        fits = tr(", more than the {free} that are free").format(free=gigabytes(free))
    return tr(
        "By its size, it {expected}. {time} One download of {size}; it needs about {memory:g} GB of memory{fits}. "
        "License: {licence}. Not validated on clinical notes."
    ).format(
        expected=entry.expected,
        time=estimate.said(guessed(entry.bytes), measured=False),
        size=gigabytes(entry.bytes),
        memory=entry.memory_gb,
        fits=fits,
        licence=entry.licence,
    )
