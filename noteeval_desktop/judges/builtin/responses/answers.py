"""Responses to a client scored on six attributes: the built-in judge's answer to ``respond``."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence

from noteeval_desktop.domain.exchanges import ASKED, HARM_SAID, HELPED, UNSAFE, missing_words
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, Evidence, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.responses.features import ResponseFeatures, features_of, is_backchannel
from noteeval_desktop.judges.builtin.responses.scores import scores_of
from noteeval_desktop.judges.builtin.text.language import is_english
from noteeval_desktop.judges.protocol import Exchange

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
