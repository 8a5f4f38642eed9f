"""What is said about models on this computer and models that can be had: pure functions."""

from __future__ import annotations

from noteeval_desktop.engines.local_llm.build import Build
from noteeval_desktop.engines.local_llm.speed import guessed
from noteeval_desktop.engines.local_llm.words import REMEDY
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest
from noteeval_desktop.engines.own_models import OwnModel
from noteeval_desktop.judges.llm import estimate

# A session's closest turns, a section and the question: with less than this, questions are left out as too long.
ENOUGH_CONTEXT = 4096
_PATIENCE_SECONDS = 11 * 60


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def fit(model: OwnModel, free: int | None) -> str:
    """Whether a model that can be read fits this computer's memory, and what its context allows."""
    assert model.header is not None
    said = [f"{model.header.name}: needs about {gigabytes(model.memory)} of memory"]
    if free is not None:
        said[0] += f"; {gigabytes(free)} are free. It fits"
    template = "its own chat template" if model.template == "own" else "no chat template, so a plain one is used"
    said.append(f"It has {template}")
    if model.header.context < ENOUGH_CONTEXT:
        said.append(
            f"It was trained for {model.header.context:,} tokens at a time: longer questions, as on a whole session, "
            "will not be judged"
        )
    else:
        said.append(f"It reads up to {model.context:,} tokens at a time (trained for {model.header.context:,})")
    return ". ".join(said) + "."


def cells(model: OwnModel, free: int | None) -> list[str]:
    """A row of the list: name, size, quantisation, trained context, memory, state."""
    header = model.header
    if header is None:
        return [model.path.name, "", "", "", "", "cannot be used"]
    large = free is not None and model.memory > free
    short = header.context < ENOUGH_CONTEXT
    state = (
        "too large for the free memory"
        if large
        else "cannot answer questions"
        if model.problem
        else "short context"
        if short
        else "fits"
    )
    context = f"{header.context:,}"
    return [header.name, gigabytes(header.bytes), header.quantisation, context, gigabytes(model.memory), state]


def suited(free: int | None, gpu: bool = False, cores: int | None = None) -> ChatEntry:
    """The best of the suggested models that this computer can hold and that, without a graphics processor, takes no
    more than five minutes for the full check of a 50-minute session; otherwise the smallest."""
    suggested = read_manifest().chat
    fitting = [entry for entry in suggested if free is None or entry.memory_gb * 1e9 <= free]
    quick = [entry for entry in fitting if gpu or _seconds(entry, cores) <= _PATIENCE_SECONDS]
    return (quick or fitting[:1] or suggested[:1])[-1]


def _seconds(entry: ChatEntry, cores: int | None) -> float:
    return estimate.seconds(estimate.FIFTY_MINUTES, guessed(entry.bytes, cores))


def advice(free: int | None, some: bool) -> str:
    """What to do while no model is chosen."""
    if some:
        return "Choose a model."
    entry = suited(free)
    memory = f"{gigabytes(free)} of memory is free now. " if free is not None else ""
    return (
        f"No model in this folder yet. {memory}One that suits: {entry.name} ({gigabytes(entry.bytes)}, "
        f"{entry.licence}). “Get a model…” fetches it."
    )


def details(entry: ChatEntry, free: int | None) -> str:
    """What is expected of a suggested model, its size and needs."""
    fits = ""
    if free is not None:
        fits = ", which fits" if entry.memory_gb * 1e9 <= free else f", more than the {gigabytes(free)} that are free"
    return (
        f"By its size, it {entry.expected}. {estimate.said(guessed(entry.bytes), measured=False)} One download of "
        f"{gigabytes(entry.bytes)}; it needs about {entry.memory_gb:g} GB of memory{fits}. Licence {entry.licence}. "
        "Not validated on clinical notes."
    )


def build_line(build: Build, flags: frozenset[str] | None) -> str:
    """Whether this processor can run the installed llama.cpp, and with which processor it computes."""
    missing = build.missing(flags)
    if missing:
        return f"Models cannot run: llama.cpp here needs a processor with {', '.join(missing)}. {REMEDY}"
    return "" if build.gpu else "This installation cannot use the graphics processor."
