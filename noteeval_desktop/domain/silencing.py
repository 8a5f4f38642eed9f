"""Stop flagging this: a kind of finding in one case or in all of them, or a phrase in one case; never a risk.

What is silenced in a case is a Decision among the case's others, so it is kept with it, encrypted. What is silenced
everywhere is a kind alone and holds no clinical text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import Finding, FindingKind, before_signing, open_findings, ranked_findings
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.verdicts import Omission

_KIND, _PHRASE, TEMPLATE = "silence:kind:", "silence:phrase:", "template"
# That a claim is wrong is decided one by one.
_KINDS = (FindingKind.MISSING, FindingKind.OMISSION, FindingKind.UNNEEDED, FindingKind.OBSERVED, FindingKind.REMARK)


def kind_of(finding: Finding) -> str:
    """What of its kind is silenced together: a checklist item, what is left out of one sort, remarks of one kind, or a
    kind of advice; empty for a risk and for a wrong claim."""
    if finding.harm is Harm.RISK or finding.kind not in _KINDS:
        return ""
    if finding.kind is FindingKind.MISSING:
        return finding.key
    if isinstance(finding.source, Remark):
        return f"remark:{finding.source.kind}"
    return f"omission:{finding.source.kind}" if isinstance(finding.source, Omission) else finding.kind.value


def kind_subject(kind: str) -> str:
    return f"{_KIND}{kind}"


def kind_in(subject: str) -> str:
    """The kind that ``kind_subject`` was given; empty for any other subject."""
    return subject.removeprefix(_KIND) if subject.startswith(_KIND) else ""


def phrase_subject(phrase: str) -> str:
    return f"{_PHRASE}{fingerprint(_plain(phrase))[:16]}"


def template(sentence: str) -> str:
    """What a sentence that is the practice's own, and in every note, is called among what is silenced everywhere: no
    words of it."""
    return f"{TEMPLATE}:{fingerprint(_plain(sentence))[:16]}"


def template_of(finding: Finding) -> str:
    """What its sentence is called where that may be the practice's own: it is copied; empty for other findings."""
    copied = isinstance(finding.source, Remark) and finding.source.kind is RemarkKind.COPIED
    return template(finding.sentence.text) if copied and finding.sentence is not None else ""


def silences(reasons: Mapping[str, str]) -> dict[str, str]:
    """Of a case's decisions (reasons by subject) those that silence; a phrase's reason is the phrase itself."""
    return {subject: reason for subject, reason in reasons.items() if subject.startswith((_KIND, _PHRASE))}


def silenced_keys(
    findings: Iterable[Finding], reasons: Mapping[str, str], everywhere: Collection[str] = ()
) -> frozenset[str]:
    """Keys of the ``findings`` that are not to be flagged; ``everywhere``: kinds that are silenced in every case."""
    kinds = {subject.removeprefix(_KIND) for subject in reasons if subject.startswith(_KIND)} | set(everywhere)
    phrases = [_plain(reason) for subject, reason in reasons.items() if subject.startswith(_PHRASE)]
    return frozenset(
        finding.key
        for finding in findings
        if finding.harm is not Harm.RISK
        and (
            kind_of(finding) in kinds
            or template_of(finding) in kinds
            or any(phrase in text for phrase in phrases for text in _texts(finding))
        )
    )


@dataclass(frozen=True, slots=True)
class Listed:
    """The one list, ``ranked``, as it stands with a person: what is ``open``, each danger in one entry, and of it what
    is shown ``first``. ``silenced``: keys of what is not to be flagged."""

    ranked: tuple[Finding, ...]
    open: tuple[Finding, ...]
    first: tuple[Finding, ...]
    silenced: frozenset[str]


def listed(evaluation: Evaluation, reasons: Mapping[str, str], everywhere: Collection[str] = ()) -> Listed:
    """``reasons``: why something was set aside, by subject; ``everywhere`` as ``silenced_keys`` has it."""
    ranked = ranked_findings(evaluation, reasons)
    silenced = silenced_keys(ranked, reasons, everywhere)
    left = open_findings(ranked, evaluation, reasons.keys() | silenced)
    return Listed(ranked, left, before_signing(left), silenced)


def _texts(finding: Finding) -> tuple[str, ...]:
    if finding.sentence is not None:
        return (_plain(finding.sentence.text),)
    return (_plain(finding.source.citation.quote),) if isinstance(finding.source, Omission) else ()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
