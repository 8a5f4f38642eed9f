"""From which probability on the built-in judge says yes, where a practice has tuned it to its own reviews."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from noteeval_desktop.domain.verdicts import (
    ERRORS,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Severity,
    Verdict,
)

_SHIPPED_FOR_CLAIMS = 0.5
_MARK = "+tuned"
_DOUBTED = "In your reviews such statements were often wrong. Please check."


@dataclass(frozen=True, slots=True)
class Thresholds:
    """None: as shipped. The general items and whatever is on danger are not tuned."""

    completeness: float | None = None
    conciseness: float | None = None
    faithfulness: float | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    @property
    def version(self) -> str:
        """What goes behind the version of a judge that is tuned so, and into its scorecards; empty as shipped."""
        return _MARK + "".join(f":{_told(getattr(self, field.name))}" for field in fields(self)) if self else ""

    def plain(self) -> dict[str, str]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: _told(value) for name, value in values.items() if value is not None}

    def item(self, verdict: ItemVerdict) -> ItemVerdict:
        limit, chance = self.completeness, verdict.probability
        if limit is None or chance is None or verdict.section is None or verdict.present is None:
            return verdict
        present = chance >= limit
        if present is verdict.present:
            return verdict
        return replace(verdict, present=present, confidence=Confidence.LIKELY, sentences=(), rationale="")

    def need(self, verdict: NeedVerdict) -> NeedVerdict:
        """What is needed by rule, whatever its probability, stays so: it has items of the note as a whole."""
        limit, chance = self.conciseness, verdict.probability
        if limit is None or chance is None or verdict.needed is None or verdict.set_aside or by_rule(verdict):
            return verdict
        needed = chance >= limit
        if needed is verdict.needed:
            return verdict
        return replace(verdict, needed=needed, confidence=Confidence.LIKELY, items=(), rationale="")

    def claim(self, verdict: ClaimVerdict) -> ClaimVerdict:
        """A claim's verdict and its probability never disagree, so that the probability moves with the threshold."""
        limit, chance = self.faithfulness, verdict.probability
        if limit is None or chance is None or not tunable(verdict):
            return verdict
        moved = _moved(chance, limit, _SHIPPED_FOR_CLAIMS)
        if (moved >= _SHIPPED_FOR_CLAIMS) is (verdict.verdict is Verdict.SUPPORTED):
            return replace(verdict, probability=moved)
        if verdict.verdict is Verdict.SUPPORTED:
            said, how_bad, why = Verdict.UNSUPPORTED, Severity.MEDIUM, _DOUBTED
        else:
            said, how_bad, why = Verdict.SUPPORTED, Severity.NONE, ""
        return replace(
            verdict, verdict=said, probability=moved, confidence=Confidence.UNSURE, severity=how_bad, rationale=why
        )

    @staticmethod
    def prior(chance: float | None, limit: float | None) -> float | None:
        """A probability as the practice's ``limit`` has it: one half where it is the limit."""
        return chance if chance is None or limit is None else _moved(chance, limit, 0.5)

    def untuned(self, verdict: ClaimVerdict) -> float | None:
        """The probability of a claim as the judge has it when it is not tuned."""
        limit, chance = self.faithfulness, verdict.probability
        if limit is None or chance is None or not tunable(verdict):
            return chance
        return _moved(chance, _SHIPPED_FOR_CLAIMS, limit)


SHIPPED = Thresholds()


def tunable(verdict: ClaimVerdict) -> bool:
    """Not what could do much harm, nor what only the room shows."""
    return verdict.verdict in (*ERRORS, Verdict.SUPPORTED) and verdict.severity is not Severity.HIGH


def by_rule(verdict: NeedVerdict) -> bool:
    return any(item.startswith("general-") for item in verdict.items)


def thresholds_of(plain: Mapping[str, str]) -> Thresholds:
    """From ``plain``; what is no probability counts as shipped."""
    return Thresholds(**{field.name: _read(plain.get(field.name, "")) for field in fields(Thresholds)})


def tuned_as(version: str) -> Thresholds:
    """Of the judge of this version."""
    _, mark, told = version.partition(_MARK)
    names = (field.name for field in fields(Thresholds))
    return thresholds_of(dict(zip(names, told.split(":")[1:], strict=False))) if mark else SHIPPED


def _told(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _read(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.01 <= value <= 0.99 else None


def _moved(chance: float, limit: float, to: float) -> float:
    """The probability whose log-odds lie as far from those of ``to`` as those of ``chance`` from ``limit``."""
    inside = min(chance, 1 - 1e-6)
    odds = inside / (1 - inside) * (1 - limit) / limit * to / (1 - to)
    return odds / (1 + odds)
