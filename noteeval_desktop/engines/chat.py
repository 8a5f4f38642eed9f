"""The port to chat models: local (llama.cpp) and remote (OpenAI-compatible)."""

from __future__ import annotations

import bisect
import itertools
import math
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.domain.phrases import tr

_NO_YES_NO = tr("the answer was neither Yes nor No")
AROUND_A_WORD = "\"'`*.[]() \n"


@dataclass(frozen=True, slots=True)
class Request:
    """One question. ``system`` and ``prefix`` come first and are the same for many questions, so that
    an engine computes them once (llama.cpp) or a provider caches them; ``question`` is what differs.

    ``schema``: JSON schema of the answer, kept to what engines honour (enum, const, required,
    maxLength, maxItems; no minimum or maximum). ``max_tokens`` bounds the answer. ``answer`` is one
    that is given, where only its likelihood is asked. ``yes_no``: the answer is Yes or No, so how likely
    each is would tell more. ``weighed``: so would it of the values that this field of the answer's objects has.
    """

    system: str
    prefix: str
    question: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 512
    answer: str = ""
    yes_no: bool = False
    weighed: str = ""


Words = tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


@dataclass(frozen=True, slots=True)
class TextLikelihood:
    """``tokens``: of how many bytes of the text (in UTF-8) each is, and its log-probability in nats."""

    tokens: tuple[tuple[int, float], ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """``finished`` is False when the answer was cut off; ``problem`` is set, and ``text`` empty, when there is none.
    ``words``: each token that was written with the likeliest in its place and their log-probabilities, where the engine
    tells them; a model on this computer does where the request's ``weighed`` field has its value.
    """

    text: str = ""
    finished: bool = True
    problem: str = ""
    words: Words = ()

    @property
    def silent(self) -> bool:
        """Cut off before a word of the answer was written: all of it was thought."""
        unended = self.text.lstrip().startswith("<think>") and "</think>" not in self.text
        return not self.problem and not self.finished and (unended or not without_thought(self.text).strip())


@dataclass(frozen=True, slots=True)
class YesNo:
    """``probability`` of yes among yes and no, None where the engine cannot tell; ``mass`` is the
    probability of any yes or no form at all (low: the model evades). ``yes`` is None when there is no answer.
    """

    yes: bool | None
    probability: float | None = None
    mass: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """``kind`` is local, remote or scripted; ``fingerprint`` pins the weights or names endpoint and model;
    ``context`` is in tokens, None where unknown.
    """

    kind: str
    name: str
    fingerprint: str
    context: int | None = None


class ChatModel(Protocol):
    """Raises ModelError when the model as a whole cannot go on, Cancelled soon after ``cancel`` is set.

    A single question that failed comes back as a Reply or YesNo with ``problem``: it never stops the others.
    """

    @property
    def info(self) -> ModelInfo: ...

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        """Yield (index of the request, reply), each exactly once, in any order."""
        ...

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        """Like ``ask`` for questions that are answered Yes or No; ``schema`` and ``max_tokens`` are not used."""
        ...

    def usage(self) -> Usage:
        """Each answer is counted once; ``seconds`` are not."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class ReadsText(Protocol):
    """A chat model that tells how likely it finds a text; remote ones do not."""

    def log_likelihoods(
        self, requests: Sequence[Request], cancel: threading.Event
    ) -> Iterator[tuple[int, TextLikelihood]]:
        """Like ``ChatModel.ask``: of each request's ``answer`` as what the model would have said."""
        ...


def without_thought(text: str) -> str:
    """What stands behind the thoughts of a model that thinks aloud, where servers do not tell them apart (LM Studio,
    vLLM without a parser for them); the opening may have been the prompt's."""
    begins = text.lstrip()[:1]
    _, ended, rest = text.partition("</think>")
    return rest if ended and begins not in ("{", "`") else text


def _odds(reply: Reply) -> tuple[float, float] | None:
    """How likely yes and no are where the answer begins; None where the server does not tell."""
    written = [word for word, _ in reply.words]
    ended = max((n for n, word in enumerate(written) if "</think>" in word), default=-1)
    for word, likeliest in reply.words[ended + 1 :]:
        if not word.strip().strip(AROUND_A_WORD):
            continue
        found = {"yes": 0.0, "no": 0.0}
        for form, log in likeliest:
            plain = form.strip().strip(AROUND_A_WORD).lower()
            if plain in found:
                found[plain] += math.exp(min(log, 0.0))
        return found["yes"], found["no"]
    return None


def read_yes_no(reply: Reply) -> YesNo:
    """Read an answer that was to be Yes or No and nothing else; anything else is no answer."""
    if reply.problem:
        return YesNo(None, problem=reply.problem)
    odds = _odds(reply)
    if odds is not None:
        yes, no = odds
        if yes + no <= 0:
            return YesNo(None, mass=0.0, problem=_NO_YES_NO)
        return YesNo(yes >= no, yes / (yes + no), min(1.0, yes + no))
    word = without_thought(reply.text).strip().strip(AROUND_A_WORD).lower()
    if word in ("yes", "no"):
        return YesNo(word == "yes")
    return YesNo(None, problem=_NO_YES_NO)


# How likely a model finds each value that a field of its answer may have, from the tokens in whose place it stands.
@dataclass(frozen=True, slots=True)
class Odds:
    """``shares``: of each value among them all, together 1; ``mass``: of all of them among whatever the model might
    have written there. Without any mass there are no shares."""

    shares: Mapping[str, float]
    mass: float


def value_follows(text: str, field: str) -> bool:
    """Whether the next token of an answer that so far is ``text`` begins the field's value, or leads to it."""
    return re.search(rf"{_key(field)}$", text) is not None


def weighed(words: Words, field: str, values: Sequence[str]) -> list[Odds | None]:
    """Of each time that an answer has the field, in order; None where the engine tells nothing.

    A token counts for the value that it begins, or that it is longer than; one that begins two of them for none.
    """
    starts = [0, *itertools.accumulate(len(word) for word, _ in words)]
    text = "".join(word for word, _ in words)
    thought = text.rfind("</think>") + 1
    found = []
    for match in re.finditer(_key(field), text):
        place = match.end()
        if thought <= place < len(text):
            at = bisect.bisect_right(starts, place) - 1
            found.append(_shares(words[at][1], text[starts[at] : place], values))
    return found


def _key(field: str) -> str:
    """Within a text of JSON a quotation mark has a backslash before it, so that no text can look like the field."""
    return rf'(?<!\\)"{re.escape(field)}"\s*:\s*"?'


def _shares(likeliest: Sequence[tuple[str, float]], lead: str, values: Sequence[str]) -> Odds | None:
    """``lead``: what the token holds before the value."""
    if not likeliest:
        return None
    found = dict.fromkeys(values, 0.0)
    for form, log in likeliest:
        rest = form[len(lead) :].strip().strip(AROUND_A_WORD).lower() if form.startswith(lead) else ""
        own = [value for value in values if rest and (value.startswith(rest) or rest.startswith(value))]
        if len(own) == 1:
            found[own[0]] += math.exp(min(log, 0.0))
    mass = sum(found.values())
    return Odds({value: share / mass for value, share in found.items()} if mass > 0 else {}, min(1.0, mass))
