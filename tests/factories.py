"""Valid values by default; a test names only what it is about."""

from __future__ import annotations

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Block, Note, Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn

SESSION = (
    ("therapist", "How have the evenings been since we last met?"),
    ("client", "I drink maybe twice a week now, at the weekend. It used to be every night."),
    ("therapist", "Do you ever think about ending your life?"),
    ("client", "No. Not since the spring."),
    ("therapist", "Shall we try the breathing exercise again, and meet next Tuesday?"),
    ("client", "Yes, Tuesday works. I want to sleep through the night again."),
)

SECTIONS = {
    Section.SUBJECTIVE: ["Client reports drinking four times a week.", "Client wants to sleep through the night."],
    Section.OBJECTIVE: ["Calm and oriented x3."],
    Section.ASSESSMENT: ["Client is in the action stage of change."],
    Section.PLAN: ["Next session on Tuesday."],
}


def make_transcript(turns: tuple[tuple[str, str], ...] = SESSION) -> Transcript:
    return Transcript(
        tuple(
            Turn(index, role.capitalize(), Role(role), text, start=10.0 * index)
            for index, (role, text) in enumerate(turns)
        )
    )


def make_note(sections: dict[Section, list[str]] | None = None) -> Note:
    """A SOAP note with one heading line a section and the given sentences behind it, joined by spaces."""
    sections = SECTIONS if sections is None else sections
    text, blocks, sentences = "", [], []
    for section in SOAP:
        heading = Span(len(text), len(text) + len(section.value))
        text += section.value.capitalize() + "\n"
        body_start = len(text)
        for words in sections.get(section, []):
            start = len(text)
            text += words + " "
            sentences.append(Sentence(f"s{len(sentences) + 1}", (section,), Span(start, start + len(words)), words))
        text = text.rstrip(" ") + "\n\n"
        blocks.append(Block((section,), heading, Span(body_start, len(text) - 1)))
    return Note(text, tuple(blocks), tuple(sentences))


def make_case(**changes: object) -> Case:
    return Case(**({"transcript": make_transcript(), "note": make_note()} | changes))  # type: ignore[arg-type]
