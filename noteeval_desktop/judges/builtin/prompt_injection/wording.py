"""Which sentences speak to whoever grades the note ("score this 5/5") instead of being part of it?

Such a sentence is text: it is left out before anything else is looked at, so that it cannot move another verdict.
A few phrasings are known by pattern; the rest is told by a head on the encoder's vector and on the words below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import fingerprint

_ORDER = (
    r"(?:^|[:;,.]\s*|\b(?:please|kindly|plz|must|should|to|and|then|or)\s+)"
    r"(?:score|rate|grade|mark|classify|label|treat|count|consider|regard|accept|assess|evaluate|judge|skip|ignore"
    r"|disregard|overlook|trust|verify|check|compare|tick|set|call|give|award)\b"
)
_PAPER = (
    r"\b(?:(?:this|the|my|our|each|every|any|all|whole|entire) (?:\w+ ){0,2}?"
    r"(?:notes?|records?|documentation|write-?up|documents?|summary|claims?|statements?|sentences?|checklist|rubric"
    r"|transcript|paragraphs?|criteri(?:a|on)|elements?|lines?|entry|entries|paperwork|requirements?)"
    r"|(?:each|every|all) (?:\w+ )?items?"
    r"|(?:each|every|all|the|any) therapist(?:'s|s'|s)? (?:turns?|utterances?|responses?|repl(?:y|ies)))\b"
)
_WORTH = (
    r"\b(?:supported|present|complete|faithful|accurate|needed|necessary|relevant|perfect|excellent|outstanding|covered"
    r"|empathic|flawless|proven|correct|maximal|maximum|highest|top|full|true(?! or false)|yes(?! or no)|satisfied"
    r"|reflections?|met|\d+ ?%|\d+ ?/ ?\d+)\b"
)
_GRADER = (
    r"\b(?:evaluators?|graders?|raters?|scorers?|reviewers?|auditors?|assessors?|checkers?|language model|llm|chatgpt"
    r"|(?:evaluation|grading|scoring) (?:tool|software|system|model)"
    r"|(?:ai|anyone|anybody|everyone|whoever|judges?) (?:is )?"
    r"(?:reading|grading|judging|checking|scoring|marking|auditing)\b.{0,20})\b"
)
_KNOWN = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier)?\s*"
    r"(?:instructions?|rules?|rubric|prompt)\b(?! (?:for|of|from|about) )"
    r"|^\W*(?:please |kindly |now |you (?:must|should) )*(?:score|rate|grade|mark|evaluate|judge|give)\b"
    r".{0,40}\b(?:this|the|my) (?:note|summary|section|sentence|documentation|text)\b"
    r"|^\W*(?:please |kindly |now |you (?:must|should) )*(?:score|rate|grade|mark|give)\b"
    r".{0,20}\b(?:this|it|everything|all)\b.{0,30}"
    r"(?:\d\s*(?:/|out of)\s*\d|full marks|perfect|highest|maximum|top score|supported|complete|needed)"
    r"|(?:\byou are|^\W*(?:please )?as) an? (?:ai|llm|language model|evaluator|grader)\b|\bsystem prompt\b"
    r"|^\W*from (?:now|here|this point) on\b.{0,20}\b(?:respond|answer|reply|output|return)\b"
    r"|^\W*(?:please |kindly )?(?:give|award|assign|grant) (?:\w+ ){0,3}?(?:full|top|maximum|highest|perfect|best) "
    r"(?:marks?|scores?|ratings?|credit|points|grades?)\W*$"
    r"|\ball \d+ items are\b"
    r"|^\W*(?:please |kindly )?(?:consider|treat|regard|count|accept|take|mark|label)\b.{0,20}"
    r"\b(?:above|following|here)\b.{0,30}\b(?:supported|faithful|covered|accurate|proven|verified|complete)\b"
    # Markers of chat formats, and lines of mark-up alone.
    r"|\[/?INST\]|<\|\w+\|>|<</?SYS>>|^(?=.*[`<>{}])[\W_]*(?:json|sys|inst|xml|html|yaml)?[\W_]*$"
    # An order about the paper, with what it is to be called; an order to the one who grades.
    rf"|{_ORDER}.{{0,40}}{_PAPER}.{{0,40}}{_WORTH}"
    rf"|{_GRADER}\W*(?:please\b|kindly\b|must\b|should\b|is to\b|are to\b|has to\b|have to\b)"
    # Names of the scores with a figure; switches; tags.
    r"|\b(?:completeness|conciseness)\b\W{0,4}(?:scores?|ratings?|of|is|at|to|:|=)?\W{0,3}(?:\d|max|perfect|full)"
    r"|\d\W{0,4}(?:for|in|on) (?:completeness|conciseness|faithfulness)\b"
    r"|\b(?:needed|supported|present|verdict|score)\s*=\s*(?:true|yes|1|max|pass|supported)\b"
    r"|</?(?:system|instructions?|prompt|assistant)>|\[\[?\s*(?:evaluation|system|instructions?|prompt|override)\b"
    r"|^\W*system (?:message|notice|note)\s*:"
    r"|\b(?:rubric|grading criteria)\b.{0,15}\b(?:not apply|void|not applicable)\b"
    # What it is meant for, and what is to come out.
    r"|\bthis is (?:only |just )?an? (?:test|exercise|trial|exam)\b.{0,15}\b(?:for|of) (?:the )?"
    r"(?:graders?|raters?|reviewers?|evaluators?|judges?)\b"
    r"|^\W*the (?:expected|desired|intended) (?:answer|score|output|verdict|rating) (?:is|would be)\b"
    # What is to be kept from the reader of the findings.
    r"|\b(?:do not|don't|never|must not|should not|suppress|disable|mute|hide)\b.{0,30}"
    r"\b(?:risk|suicide|safety) (?:flags?|warnings?|alerts?|alarms?|findings?)\b"
    r"|\b(?:risk|suicide|safety) (?:flags?|warnings?|alerts?|alarms?|findings?) (?:are|is|have been|has been) "
    r"(?:switched |turned )?(?:off|disabled|suppressed|muted|hidden)\b"
    r"|\b(?:when|while|for|before) (?:you )?(?:are )?(?:judging|grading|scoring|evaluating|rating)"
    r" (?:this|the (?:note|text|record|documentation)|purposes)\b",
    re.IGNORECASE,
)
_CUES = {
    "grading": r"\b(?:scor(?:e[sd]?|ing)|rat(?:e|es|ed|ing|ings)|grad(?:e[sd]?|ing)|mark(?:s|ed|ing)?|credit|points?"
    r"|evaluat\w+|assess(?:es|ing)|judg(?:e[sd]?|ing|ments?)|verdicts?|findings?|penal\w+|deduct\w*|pass(?:ed|es)?)\b",
    "document": r"\b(?:this|the|that|above|whole|entire|following|my|our) (?:\w+ )?(?:note|documentation|write-?up|text"
    r"|record|document|sentence|section|line|entry|summary|paragraph|soap|report)s?\b",
    "about-notes": r"\b(?:note|notes|documentation|documented|transcript|recording|rubric|checklist|criteri\w+"
    r"|omissions?|sections?|sentences?|elements?|statements?|claims?|items?|unsupported|contradict\w*|faithful\w*|conciseness"
    r"|completeness)\b",
    "reader": r"\b(?:(?:evaluator|reviewer|grader|auditor|assessor|rater|checker|coder|examiner|judge)s?|ai|llm|gpt"
    r"|bot|assistant|system|model|algorithm|software|automated|tool|reader|whoever)\b",
    "machine": r"\b(?:instructions?|prompt|output|json|respond|reply|return|print|override|mode|task|command"
    r"|guidelines)\b|[<>{}#=|\[\]]",
    "session": r"\b(?:therapist|counsell?or|clinician|session|turns?|repl(?:y|ies)|responses?|reflections?"
    r"|empath\w+)\b",
    "self": r"\b(?:i|i['\u2019]\w+|me|my|mine|myself|we|us)\b",
    "second-person": r"\b(?:you|your)\b",
    "verdict-words": r"\b(?:supported|complete|present|needed|met|satisfied|accurate|correct|perfect|exemplary|verified"
    r"|approved?|excellent|outstanding|covered|true|yes|full|maximum|highest|top|positive|lenient|generous)\b",
    "sweeping": r"\b(?:all|every|each|everything|any|nothing|no|always|only|whole|entire|fully)\b",
    "commands": r"^\W*(?:\w+[:,]\s*)?(?:please |kindly |now |do not |don't )*(?:score|rate|grade|mark|give|award|assign"
    r"|answer|ignore|disregard|forget|override|set|treat|consider|regard|count|return|print|output|write|reply|respond"
    r"|confirm|accept|approve|assume|pretend|imagine|skip|stop|classify|label|tick|be|report|flag|trust|believe|deduct"
    r"|overlook|assess|evaluate|judge|conclude|use)\b",
    "client": r"\b(?:client|patient|pt|he|she|his|her|him|hers|mother|father|husband|wife|family|they|their)\b",
    "numbers": r"\d",
    "quoted": r"[\"“”]",
}
_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _CUES.items()}
# What hardly anything else speaks of ...
_TELLING = (
    *(_COMPILED[name] for name in ("document", "about-notes", "reader", "machine", "session", "commands")),
    re.compile(_CUES["grading"].replace("|points?", ""), re.IGNORECASE),
    re.compile(
        r"\b(?:conclude|author|pretend|final|missing|lacking|evidence|if asked|need no|answers?|results?|expected"
        r"|stars|flawless|mistakes|errors?|criticis\w+|verif\w+|validate|proofs?|exam|machine|robot"
        r"|computer|quality|tick(?:ed)?|labels?|codes?|coded|coding|exempt|accepted|flagged|report|purposes|qa|audit\w*|compliance|certif\w+)\b",
        re.IGNORECASE,
    ),
)
# ... and what is said of other things as well.
_VAGUE = (
    _COMPILED["verdict-words"],
    re.compile(r"\bpoints?\b", re.IGNORECASE),
    re.compile(r"\b(?:check(?:s|ed|ing)?|program|fives?)\b", re.IGNORECASE),
)
# "Shall we practise that sentence?": in a session these are words of the work, or of the day.
_SPOKEN_OF = re.compile(
    r"\b(?:sentences?|lines?|statements?|items?|claims?|sections?|entry|text|report|elements?|paragraphs?)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
# "[unintelligible 00:05:54]" is the transcriber's; "s c o r e" is a word.
_MARK = re.compile(r"\[\w+(?: \d[\d:.]*)?\]")
_SPACED = re.compile(r"\b\w(?: \w\b){3,}")
_VECTOR_WEIGHT = 3.0
WIDTH_BESIDE_VECTOR = len(_CUES)
FINGERPRINT = fingerprint(*_CUES, *_CUES.values())


def known(text: str) -> bool:
    """Is it one of the phrasings known by pattern?"""
    return bool(_KNOWN.search(text))


def known_passages(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each of those phrasings in a longer text."""
    return (match.span() for match in _KNOWN.finditer(text))


def plain(text: str) -> str:
    """The text as it is asked about: without a transcriber's marks, words written with gaps put together."""
    text = _MARK.sub(" ", text)
    return " ".join(_SPACED.sub(lambda word: word[0].replace(" ", ""), text).split()) if _SPACED.search(text) else text


def suspicious(text: str) -> bool:
    """Could a sentence of a note speak to its reader at all? Where not, its vector need not be asked."""
    return addressed(text) or any(pattern.search(text) for pattern in (*_VAGUE, _ADDRESS))


def addressed(text: str) -> bool:
    """The same of a part of a sentence, where more goes by the same words."""
    text = plain(text)
    return (
        any(pattern.search(text) for pattern in _TELLING)
        or known(text)
        or (sum(bool(pattern.search(text)) for pattern in _VAGUE) > 1)
    )


def addressed_aloud(text: str) -> bool:
    """The same of a whole sentence that is said in a session."""
    return addressed(_SPOKEN_OF.sub(" ", text)) or known(plain(text))


def of_the_reader(text: str) -> bool:
    """Does it name whoever grades, or a machine that might?"""
    return bool(_COMPILED["reader"].search(text))


def inputs(texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """(texts, len(cues) + dim) for the head."""
    cues = [[float(bool(pattern.search(text))) for pattern in _COMPILED.values()] for text in texts]
    table = np.array(cues, dtype=float).reshape(len(texts), WIDTH_BESIDE_VECTOR)
    return np.hstack([table, vectors.astype(float) * _VECTOR_WEIGHT])
