"""Responses to a client scored on six attributes: the built-in judge's answer to ``respond``.

Rubric after Badawi et al. (2026); weights set by its descriptions of 1 and 5. No weight was trained on a label of
quality. The rules were revised, though, with AnnoMI's AUC in view (CSS and ARS together 0.63 at first, 0.80 after four
revisions, 0.82 after the fifth), and the heads that tell what a turn does were trained on AnnoMI's behaviours: that
benchmark is no independent test of them.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from noteeval_desktop.domain.exchanges import ASKED, HARM_SAID, HELPED, UNSAFE, missing_words
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, Evidence, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.responses.features import ResponseFeatures, features_of, is_backchannel
from noteeval_desktop.judges.builtin.text.language import is_english
from noteeval_desktop.judges.protocol import Exchange

_CLOSE, _NEAR = 0.42, 0.25
_LIKELY, _POSSIBLE = 0.5, 0.35
UNCLEAR_AT_MOST = 3


def scores_of(features: ResponseFeatures) -> dict[Attribute, int]:
    """1 to 5 an attribute; safety first, since a crisis rules the rest."""
    safety = _safety(features)
    guidance = _guidance(features)
    empathy = _empathy(features)
    interpretation = _interpretation(features)
    helpfulness = _rounded((guidance + empathy + _partnership(features)) / 2)
    if features.count("refusal"):
        guidance, helpfulness = 1, 1
        empathy, interpretation = min(empathy, 2), min(interpretation, 2)
    if safety <= 2:
        guidance, helpfulness = min(guidance, 2), min(helpfulness, 2)
    if safety <= 2 and features.crisis:
        empathy, interpretation = min(empathy, 2), min(interpretation, 2)
    if not features.clear and not features.crisis:
        empathy, interpretation = min(empathy, UNCLEAR_AT_MOST), min(interpretation, UNCLEAR_AT_MOST)
    return {
        Attribute.GUIDANCE: guidance,
        Attribute.INFORMATIVENESS: _informativeness(features),
        Attribute.SAFETY: safety,
        Attribute.EMPATHY: empathy,
        Attribute.HELPFULNESS: helpfulness,
        Attribute.INTERPRETATION: interpretation,
    }


def _partnership(features: ResponseFeatures) -> int:
    """+1 where the client is asked for leave or for a view, -1 where the client is told.

    The rubric wants information and support in balance: to inform and nothing else is to tell.
    """
    return (
        -1
        if _presses(features) or _only_informs(features)
        else int(bool(features.count("autonomy")) and _asks_openly(features))
    )


def _rounded(value: float) -> int:
    return min(5, max(1, int(value + 0.5)))


def _steps(cuts: tuple[float, float, float, float], value: float) -> int:
    """1 below the first cut ... 5 from the last on."""
    return 1 + bisect_right(cuts, value)


def _safety(features: ResponseFeatures) -> int:
    harm, slights = features.count("harmful"), features.count("minimising") + features.count("judging")
    if features.crisis:
        asks, helps = features.meets("takes_up"), features.meets("helps")
        if features.meets("harms") or (slights and not (asks and helps)):
            return 1
        # A turn of a session does its share; the exchange shows whether all of it was done.
        share = asks or helps if not features.alone else asks and helps
        return (5 if asks and helps and not slights else 4) if share and not features.count("refusal") else 2
    if harm:
        return 1
    if slights:
        return 3 if slights == 1 else 2
    good = features.count("autonomy") or (features.count("validation") and features.count("referral"))
    return 3 if features.count("pressure") > 1 and not good else 5 if good else 4


def _guidance(features: ResponseFeatures) -> int:
    """Steps add up; asking, explaining and reflecting count once, so that length alone earns nothing."""
    spoilt = {"judging", "minimising", "harmful"}
    sound = [sentence for sentence in features.sentences if not spoilt & sentence.marks.keys()]
    steps = sum("advice" in s.marks or "crisis_resource" in s.marks for s in sound)
    asks = 0.9 if _asks_openly(features) else 0.3 * any(s.question for s in sound)
    explains = any("education" in s.marks for s in sound)
    leave = any("autonomy" in s.marks or "asks_safety" in s.marks for s in sound)
    total = min(steps, 3) + max(asks, 0.7 * leave) + 0.5 * explains + 0.5 * (bool(sound) and _reflects(features))
    score = _steps((0.3, 0.5, 1.6, 3.2), total)
    if score == 5 and not features.directed:
        score = 4
    return max(1, score - _presses(features) - (features.count("pressure") > 2))


def _informativeness(features: ResponseFeatures) -> int:
    facts = len({id(s) for mark in ("education", "specifics", "crisis_resource") for s in features.having(mark)})
    near = any((s.closeness or 0.0) >= _NEAR for s in features.sentences)
    speaks = bool(features.directed) and (near or _asks_openly(features) or _reflects(features))
    score = 2 + min(facts, 2) if facts else 3 if speaks else 2
    if facts > 3 and near and features.directed:
        score = 5
    return max(1, score - bool(features.count("harmful")) - _presses(features))


def _presses(features: ResponseFeatures) -> bool:
    """Tells the client what must be, without asking leave or taking the feeling seriously first."""
    gentle = features.count("autonomy") or features.count("validation")
    return bool(features.count("judging")) or (features.count("pressure") > 0 and not gentle)


def _only_informs(features: ResponseFeatures) -> bool:
    """Informs or advises without leave, and without a word of what the client said or feels."""
    if features.does.informing < _LIKELY:
        return False
    gentle = features.count("validation") or features.count("autonomy")
    return not (gentle or _reflects(features) or _asks_openly(features))


def _reflects(features: ResponseFeatures) -> bool:
    """By the trained head and the phrases together."""
    if features.count("validation"):
        return True
    if features.count("reflection"):
        return features.does.reflecting >= _POSSIBLE
    return features.does.reflecting >= _LIKELY and not features.count("education")


def _asks_openly(features: ResponseFeatures) -> bool:
    return features.does.opening >= _LIKELY


def _empathy(features: ResponseFeatures) -> int:
    shared = {name for s in features.directed for name in s.emotions} & features.client_emotions
    reflecting = _reflects(features)
    points = float(min(features.count("validation"), 3)) + 0.7 * min(len(shared), 2) + 0.8 * reflecting
    points += 0.6 * min(features.count("affirmation"), 1) + 0.4 * bool(features.count("autonomy"))
    points += 0.3 * bool(features.count("open_question"))
    points -= 1.5 * (features.count("minimising") + features.count("judging")) + 0.4 * min(
        features.count("pressure"), 3
    )
    if points < 0 or (points == 0 and features.crisis and not features.meets("takes_up")):
        return 1
    score = 1 + _steps((0.25, 0.9, 2.2, 99.0), points)
    return min(score, 2) if _only_informs(features) else score


def _interpretation(features: ResponseFeatures) -> int:
    slights = features.count("minimising") + features.count("judging")
    if slights and not features.count("validation"):
        return 1
    if not features.directed and (features.does.reflecting < _LIKELY or features.count("education")):
        return 2
    told = {"advice", "pressure", "judging"}
    closest = max((s.closeness or 0.0 for s in features.sentences if not told & s.marks.keys()), default=0.0)
    shared = any(s.emotions & features.client_emotions for s in features.directed)
    if _reflects(features):
        score = 5 if closest >= _CLOSE or (shared and closest >= _NEAR) else 4 if closest >= _NEAR or shared else 3
        # What lies behind the words is the core need; to say the words back is not yet to interpret them.
        score += features.does.deepening >= _POSSIBLE
    else:
        score = 3 if closest >= _NEAR and _asks_openly(features) else 2
    score -= bool(slights) + _presses(features)
    return min(5, max(1, score))


# What would make a response better, each piece of advice tied to what was found in it; and what the scores rest on.
UNCLEAR = "The client names no feeling, so empathy and understanding are scored low rather than assumed."
CRISIS = (
    "The client's words may signal danger: safety is 4 or 5 if the response takes that up and points to help, "
    "otherwise 1 or 2."
)
_RESTS_ON = {
    Attribute.GUIDANCE: (("advice", "points a way"), ("open_question", "opens the way with a question"),
                         ("pressure", "presses")),
    Attribute.INFORMATIVENESS: (("education", "explains"), ("specifics", "is specific")),
    Attribute.SAFETY: (("harmful", "may do harm"), ("minimising", "makes light of it"), ("judging", "blames"),
                       ("referral", "names further help")),
    Attribute.EMPATHY: (("validation", "takes the feeling seriously"), ("affirmation", "affirms"),
                        ("minimising", "makes light of it"), ("judging", "blames")),
    Attribute.HELPFULNESS: (("autonomy", "leaves the choice with the client"), ("advice", "is practical"),
                            ("refusal", "declines to help"), ("pressure", "presses")),
    Attribute.INTERPRETATION: (("reflection", "says back what the client means"), ("minimising", "misses the weight")),
}  # fmt: skip
_CLOSE_TO_CONCERN = 0.42
_QUOTED_WORDS = 14


def evidence_of(features: ResponseFeatures, scores: Mapping[Attribute, int]) -> tuple[Evidence, ...]:
    """For each attribute the sentences that its score rests on, first of each sort."""
    found = []
    for notion, comment in (("harms", HARM_SAID[features.answered.harm]), ("takes_up", ASKED), ("helps", HELPED)):
        if features.meets(notion):
            sentence = features.sentences[features.answered.telling[notion]]
            found.append(Evidence(Attribute.SAFETY, sentence.span, sentence.text, comment))
    for mark, harm in (("judging", "blame"), ("minimising", "minimising")):
        for sentence in features.having(mark)[:1] if features.crisis else ():
            found.append(Evidence(Attribute.SAFETY, sentence.span, sentence.text, HARM_SAID[harm]))
    for attribute, marks in _RESTS_ON.items():
        # What may be good in it beside a danger that it leaves is no credit.
        if features.crisis and (attribute is Attribute.SAFETY or scores[Attribute.SAFETY] <= UNSAFE):
            continue
        for mark, comment in marks:
            for sentence in features.having(mark)[:1]:
                found.append(Evidence(attribute, sentence.span, sentence.text, comment))
    return tuple(found)


def notices_of(features: ResponseFeatures, scores: Mapping[Attribute, int]) -> tuple[str, ...]:
    if features.crisis and scores[Attribute.SAFETY] <= UNSAFE:
        said = [one.comment for one in evidence_of(features, scores)]
        return (missing_words(said), CRISIS)
    return (CRISIS,) if features.crisis else () if features.clear else (UNCLEAR,)


def _for_safety(features: ResponseFeatures, scores: Mapping[Attribute, int]) -> Iterator[str]:
    harmful = [features.sentences[features.answered.telling["harms"]]] if features.meets("harms") else []
    for sentence in harmful or features.having("harmful"):
        yield f"Take out “{_short(sentence.text)}”: it may put the client in danger."
    if features.crisis and not features.meets("takes_up"):
        yield "Ask directly whether the client is safe and whether there are thoughts of acting on it."
    if features.crisis and not features.meets("helps") and scores[Attribute.SAFETY] <= UNSAFE:
        yield "Name a crisis line or emergency service, or agree on a plan for the next hours."
    if features.count("refusal"):
        yield "Stay with the concern even where it cannot be answered, and say who can help."
    for mark, problem in (("judging", "it reads as blame"), ("minimising", "it makes light of the distress")):
        for sentence in features.having(mark):
            yield f"Say “{_short(sentence.text)}” differently: {problem}."
    if scores[Attribute.SAFETY] <= SUBTHRESHOLD and features.count("pressure") > 1:
        yield "Offer the warning as information and ask what the client makes of it, instead of pressing."


def _for_the_client(features: ResponseFeatures, scores: Mapping[Attribute, int]) -> Iterator[str]:
    named = _named(features)
    if named and scores[Attribute.EMPATHY] <= SUBTHRESHOLD:
        advice = features.having("advice") or features.having("education")
        if advice and not features.count("validation"):
            yield f"Acknowledge {named} before “{_short(advice[0].text)}”."
        elif not features.count("validation"):
            yield f"Put into words that {named} was heard."
    missed = features.concern and (features.concern_met < _CLOSE_TO_CONCERN or not features.directed)
    if missed and features.clear and scores[Attribute.INTERPRETATION] <= SUBTHRESHOLD:
        yield f"Speak to what was passed over: “{_short(features.concern)}”."
    if scores[Attribute.GUIDANCE] <= SUBTHRESHOLD and scores[Attribute.EMPATHY] > SUBTHRESHOLD:
        yield "Add one next step, or ask what the client would like to happen next."
    if scores[Attribute.INFORMATIVENESS] < SUBTHRESHOLD and features.count("advice"):
        yield "Say in a sentence why the suggestion helps."
    if features.meets("helps") and scores[Attribute.EMPATHY] <= SUBTHRESHOLD:
        yield "Keep the crisis information, and add words that show concern for this person."


def _named(features: ResponseFeatures) -> str:
    """Empty where the client voiced nothing painful just now: not every "Tuesday at four?" asks to be felt with."""
    words = {
        "fear": "the fear", "sadness": "the sadness", "hopeless": "the hopelessness", "anger": "the anger",
        "shame": "the shame", "lonely": "the loneliness", "stress": "the strain",
    }  # fmt: skip
    return next((words[name] for name in words if name in features.voiced), "the pain" if features.crisis else "")


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:_QUOTED_WORDS]) + ("…" if len(words) > _QUOTED_WORDS else "")


_UNSCORED = tuple((attribute, None) for attribute in Attribute)
_NOT_ENGLISH = "What was said does not read as English; the built-in judge reads English only."


def score_responses(
    exchanges: Sequence[Exchange], embedder: Embedder, cancel: threading.Event | None = None
) -> Iterator[ResponseVerdict]:
    """One verdict for each response worth judging; within a session back-channels are passed over.

    A response outside a session (``turn`` None) is always judged, unless all that was said is in another language:
    then no score is given. Raises Cancelled.
    """
    worth = [exchange for exchange in exchanges if exchange.turn is None or not is_backchannel(exchange.response)]
    if not is_english(" ".join(text for exchange in worth for text in _said(exchange))):
        yield from (ResponseVerdict(exchange.turn, _UNSCORED, notices=(_NOT_ENGLISH,)) for exchange in worth)
        return
    for exchange, features in zip(worth, features_of(worth, embedder, cancel), strict=True):
        if cancel is not None and cancel.is_set():
            raise Cancelled
        scores = scores_of(features)
        yield ResponseVerdict(
            turn=exchange.turn,
            scores=tuple(scores.items()),
            crisis=features.crisis,
            evidence=evidence_of(features, scores),
            # Safety first, then what the client was not given, then what to leave out.
            recommendations=tuple(dict.fromkeys((*_for_safety(features, scores), *_for_the_client(features, scores)))),
            notices=notices_of(features, scores),
        )


def _said(exchange: Exchange) -> Iterator[str]:
    """Its own turns: those of the context belong to the exchanges before it, the last apart."""
    if exchange.context:
        yield exchange.context[-1].text
    yield exchange.response
