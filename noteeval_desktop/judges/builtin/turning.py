"""Which words of a clause turn it round, and which leave open whether it is so."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.judges.builtin import opposed_words as lists

_WANTING = (["wanting"], ["want"], ["wanted"])
_ALIVE = ("to be alive", "to live", "to be here", "to wake", "to exist", "to be around", "to go on")
_GIVING = frozenset(("give", "gives", "gave", "given", "giving"))
_TAKEN_UP = frozenset(("it", "them", "that"))
_SOME = lists.NUMBER_WORDS | {"one", "a", "an", "some", "few", "couple", "once", "twice"}
MEANT = frozenset(
    word for word, stance in lists.STANCES.items() if stance in ("will", "want", "ready", "interest", "need")
)


def turns(here: Sequence[str], place: int) -> bool:
    """Whether the word at ``place`` turns round what its clause says."""
    word, both = here[place], pair(here, place)
    before = here[place - 1] if place else ""
    if _tired_of_life(here, place) or _turned_before(here, place):
        return False
    if ceases(here, place) and (
        (before == "to" and not word.endswith("ing"))
        or (word.endswith("ing") and word in lists.CEASED)
        or any(other in MEANT for other in here[:place])
    ):
        return False
    if word in ("stop", "stops", "stopped", "stopping", "quit") and both[1] in lists.HALT:
        return False
    if both == ("used", "to"):
        return before not in ("be", "get", "getting", "got", "am", "i'm", "is", "it's", "not")
    if before in ("gone", "goes", "went") and word == "away":
        return False
    if word == "abstinent" and both[1] not in lists.PREPOSITIONS | {"", "from", "since"}:  # "abstinent nights"
        return False
    if word == "gone" and before in lists.HAVING and both[1] not in ("away", ""):
        return False
    return (
        word in lists.TURNING
        or word.endswith("n't")
        or ceases(here, place)
        or both in lists.OMITTED_PAIRS
        or both in lists.REFUSED_PAIRS
    )


def _turned_before(here: Sequence[str], place: int) -> bool:
    """The "nor" of "neither ... nor", the "no" of "said no": they turn nothing once more."""
    if here[place] == "nor":
        return any(other in lists.NOT or other.endswith("n't") for other in here[:place])
    return here[place] == "no" and place > 0 and (here[place - 1], "no") in lists.REFUSED_PAIRS


def ceases(here: Sequence[str], place: int) -> bool:
    """Whether a clause says at ``place`` that something is over: "quit", "went away", "gave it up"."""
    word, both = here[place], pair(here, place)
    if word in _GIVING and both[1] in _TAKEN_UP and here[place + 2 : place + 3] == ["up"]:
        return True
    if both[1] == "over" and word in lists.BEING and place + 2 == len(here):
        return True
    return word in lists.CEASED or both in lists.CEASED_PAIRS or (both == ("used", "to"))


def _tired_of_life(here: Sequence[str], place: int) -> bool:
    """ "Not wanting to be alive" is what is thought, not what is denied."""
    return here[place + 1 : place + 2] in _WANTING and " ".join(here[place + 2 : place + 5]).startswith(_ALIVE)


def unclear(here: Sequence[str], cues: Sequence[int]) -> bool:
    """Whether a clause whose words at ``cues`` turn it leaves open if it is so."""
    found, pairs = set(here), {pair(here, place) for place in range(len(here))}
    hedges = {word for place, word in enumerate(here) if word in lists.HEDGES and not _wishes(here, place)}
    if hedges or pairs & lists.HEDGE_PAIRS:
        return True
    if cues and (
        found & lists.SOFT
        or pairs & lists.SOFT_PAIRS
        or {second for first, second in pairs if first == "as"} & lists.COMPARED
    ):
        return True
    if cues and any(here[at] in lists.AUX and here[at - 1] != "to" for at in range(cues[0] + 2, len(here))):
        return True
    if cues and "times" in here[cues[0] :]:  # "not three times a day anymore"
        return True
    return lapsed(here, cues) or any(_no_plain_no(here, place) for place in cues)


def _wishes(here: Sequence[str], place: int) -> bool:
    """ "Would like", "would rather": plainly wanted."""
    wished = ("like", "love", "prefer", "rather")
    return (here[place] == "would" and pair(here, place)[1] in wished) or (
        here[place] == "rather" and place > 0 and here[place - 1] in ("would", "i'd", "he'd", "she'd")
    )


def _no_plain_no(here: Sequence[str], place: int) -> bool:
    both = pair(here, place)
    if place and here[place - 1] in ("to", "of", "about"):  # "thoughts of not waking up"
        return True
    negation = here[place] in lists.NOT or here[place].endswith("n't")
    if both in lists.IDIOMS or (place and (here[place - 1], here[place]) in lists.IDIOMS):
        return True
    return negation and both[1] in lists.DEGREE - lists.DEGREE_HARMLESS


def lapsed(here: Sequence[str], cues: Sequence[int]) -> bool:
    """ "Missed two of them": now and then it was left out."""
    return not kept(here, cues) and any(
        here[place] in lists.OMITTED and bool(set(here[place + 1 : place + 4]) & _SOME) for place in cues
    )


def kept(here: Sequence[str], cues: Sequence[int]) -> bool:
    """ "Didn't miss one": it was never left out."""
    return len(cues) > 1 and here[cues[1]] in lists.OMITTED and cues[1] - cues[0] < len(cues) + 1


def pair(here: Sequence[str], place: int) -> tuple[str, str]:
    """The word at ``place`` and the one behind it, or an empty one."""
    return here[place], here[place + 1] if place + 1 < len(here) else ""
