"""What several readers say: a problem with its remedy, as InputError takes them, and warnings in whole sentences."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import are, counted, tr

SPEAKER = tr("Speaker")
# The app looks for these three, to ask before it goes on, or to offer another way.
CP1252_WARNING = tr("The file's encoding was guessed (Windows-1252). Please check letters with accents.")
MIXED_UP_WARNING = tr("Were the two files swapped?")
NOT_A_NOTE = tr("it is a transcript, not a note")


def removed(hidden: int, where: str) -> str:
    said = tr("{characters} {were} removed from the {where}.")
    characters, were = counted(hidden, tr("hidden character")), are(hidden, "was", "were")
    return said.format(characters=characters, were=were, where=where)


def too_many(most: int, of: str, remedy: str) -> tuple[str, str]:
    return tr("it has more than {most:,} {of}").format(most=most, of=of), remedy


def no_time(bad: int, total: int, kind: str) -> tuple[str, ...]:
    """Nothing where there are none, as below."""
    said = tr("{bad} of {total} had no time that could be read.")
    return (said.format(bad=bad, total=counted(total, kind)),) if bad else ()


def without_words(empty: int, total: int, kind: str) -> tuple[str, ...]:
    said = tr("{empty} of {total} had no words and {were} left out.")
    return (said.format(empty=empty, total=counted(total, kind), were=are(empty, "was", "were")),) if empty else ()
