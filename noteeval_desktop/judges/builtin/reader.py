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
    "reader": r"\b(?:evaluator|reviewer|grader|auditor|assessor|rater|checker|judges?|ai|llm|gpt|bot|assistant|system"
    r"|model|algorithm|software|automated|tool|reader|whoever)\b",
    "machine": r"\b(?:instructions?|prompt|output|json|respond|reply|return|print|override|mode|task|command"
    r"|guidelines)\b|[<>{}#\[\]]",
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
# Without one of these there is nothing that a grader could be told; most sentences of a note stop here.
_SUSPICIOUS = (
    *(_COMPILED[name] for name in ("grading", "document", "about-notes", "reader", "machine", "commands")),
    re.compile(
        r"\b(?:you|your|conclude|approve|author|pretend|final|missing|lacking|evidence|if asked|need no|answers?"
        r"|results?|expected|supported|stars|flawless|perfect|mistakes|errors?|criticis\w+|check(?:s|ed|ing)?|verification|validate|proofs?|exam"
        r"|graders|machine|robot|computer|quality)\b",
        re.IGNORECASE,
    ),
)
_OF_A_NOTE = re.compile(
    r"\b(?:(?<!self-)evaluat\w+|reviewer|graders?|auditor|rubric|checklist|documentation|transcript|prompt|ai"
    r"|llm|language model|unsupported|faithful\w*|completeness|conciseness|json|(?:this|the) (?:note|text|record"
    r"|summary))\b|system:|\b(?:scor|rat|grad|mark|giv|award|assign|return|output)\w* (?:\w+ ){0,3}?"
    r"(?:full|top|maximum|highest|perfect|best) (?:marks?|scores?|ratings?|credit|points|grades?)\b"
    r"|\b(?:score|rate|grade|mark)\b.{0,12}\d ?(?:/|out of) ?\d|\bfive stars\b|<!--|</?\w+>|\{\W*\w+\W*:"
    r"|\b(?:whoever|anyone) (?:\w+ )?(?:reads|grades|scores|rates|marks|checks|evaluates|reviews|(?:read|grad|scor|rat"
    r"|mark|check|evaluat|review)ing)\b"
    # What is written, who checks it, and what is handed out.
    r"|\b(?:this|each|every|my|the (?:above|previous|following|last|next)) (?:\w+ )?(?:documents?|documentation"
    r"|write-?up|sentences?|statements?|paragraphs?|entry|entries|paperwork|lines?|sections?|progress notes?)\b"
    r"|\b(?:checker|scorer|examiner|gpt|bot|algorithm|developer of)\b|\bjudge (?:reading|checking|of this)\b"
    r"|\bauto(?:mated|matic)?[- ]?(?:review|check|grad|scor|evaluat|judg|system)\w*|\blenient|\bscoring\b"
    r"|\b(?:quality|compliance) (?:check|control|assurance|review)\b|\bdeduct\w*|\bfull credit\b|\bomissions?\b"
    r"|\b(?:zero|no) (?:contradictions|hallucinations|unsupported)\b|\bhallucination (?:check|detect)\w*"
    r"|\b(?:begin|end|system|admin) (?:of )?(?:override|message|note|prompt)\b|^\W*(?:system|admin|ai|model)\b\W*[\],:]"
    r"|\[\[|###|[\u2605\u2b50]|\bpositive feedback\b|\byour (?:updated )?(?:instructions|guidelines|verdict|prompt)\b"
    r"|\b(?:mark|log|treat|count|accept|regard|consider|label|call|pass|rate)"
    r" (?:it|them|this|that|these|me|each|every|all|any|the)\b.{0,30}"
    r"\b(?:true(?! or)|supported|proven|necessary|needed|satisfied|flawless|covered|accurate|correct|present|highly)\b"
    r"|\bfully supported\b|\bcites? turns?\b|\bverdict (?:for|of|on)\b"
    r"|\b(?:correct|expected|right) (?:verdict|output)\b"
    r"|\b(?:top|highest|best|maximum|perfect) (?:possible )?(?:rating|score|mark|grade)\b|\brating (?:to|is|:)",
    re.IGNORECASE,
)
_VECTOR_WEIGHT = 3.0
WIDTH_BESIDE_VECTOR = len(_CUES)
FINGERPRINT = fingerprint(*_CUES, *_CUES.values())


def known(text: str) -> bool:
    """Is it one of the phrasings known by pattern?"""
    return bool(_KNOWN.search(text))


def known_passages(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each of those phrasings in a longer text."""
    return (match.span() for match in _KNOWN.finditer(text))


def suspicious(text: str) -> bool:
    """Could it speak to the reader at all? Where not, its vector need not be asked."""
    return any(pattern.search(text) for pattern in _SUSPICIOUS)


def addressed(text: str) -> bool:
    """Could a turn of a session speak to whoever grades the note? People speak of grades and rules, hardly of these."""
    return known(text) or bool(_OF_A_NOTE.search(text))


def of_the_client(text: str) -> bool:
    """Does it name the client, or somebody by a pronoun?"""
    return bool(_COMPILED["client"].search(text))


def inputs(texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """(texts, len(cues) + dim) for the head."""
    cues = [[float(bool(pattern.search(text))) for pattern in _COMPILED.values()] for text in texts]
    table = np.array(cues, dtype=float).reshape(len(texts), WIDTH_BESIDE_VECTOR)
    return np.hstack([table, vectors.astype(float) * _VECTOR_WEIGHT])
