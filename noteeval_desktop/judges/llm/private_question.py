"""The question what of a note does not belong in the record: one request over its sentences, without the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.remarks import Private, PrivateSentence
from noteeval_desktop.engines.chat import Reply, Request
from noteeval_desktop.judges.llm import schemas
from noteeval_desktop.judges.llm.answers import AnswerError, Number, Strict, read_answer
from noteeval_desktop.judges.llm.asking import Unit
from noteeval_desktop.judges.llm.questions import Answers, NotePart, Wording

PRIVATE = "private"
# mypy reads no computed literals.
if TYPE_CHECKING:
    _Why = str
else:
    _Why = Literal[tuple(why.value for why in Private)]


class _SentenceAnswer(Strict):
    n: Number
    why: _Why


class _PrivateAnswers(Strict):
    sentences: list[_SentenceAnswer]


def build_private(wording: Wording) -> Callable[[Sequence[Unit[Note]]], Request]:
    def build(units: Sequence[Unit[Note]]) -> Request:
        sentences = units[0].subject.sentences
        prefix = wording.note_prefix(NotePart("The whole note", (), sentences))
        return wording.request(PRIVATE, prefix, schemas.private(len(sentences)), 60 + 20 * len(sentences))

    return build


def read_private(reply: Reply, units: Sequence[Unit[Note]]) -> Answers:
    """Every number must be one that was shown, or the reply is of no use."""
    answer = read_answer(_PrivateAnswers, reply.text, reply.finished)
    if any(not 1 <= entry.n <= len(units[0].subject.sentences) for entry in answer.sentences):
        raise AnswerError("a sentence number does not exist")
    return {units[0].number: answer.model_dump()}, {}


def private_of(note: Note, answer: Mapping[str, Any]) -> Iterator[PrivateSentence]:
    """In the order of the note, each sentence once. One on danger stays in the record, whatever a model says."""
    for n, why in sorted({entry["n"]: entry["why"] for entry in answer["sentences"]}.items()):
        sentence = note.sentences[n - 1]
        if harm_of_sentence(sentence) is not Harm.RISK:
            yield PrivateSentence(sentence.id, Private(why))
