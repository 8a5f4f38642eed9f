from __future__ import annotations

import json
import math
import threading
from pathlib import Path

import pytest

from noteeval_desktop.engines.chat import Request, Words, value_follows, weighed
from noteeval_desktop.engines.local_llm.chat import LocalChat
from noteeval_desktop.engines.remote.chat import RemoteChat
from tests.gguf_factory import make_biased_model
from tests.openai_server import Behaviour, serve

LABELS = ("supported", "contradicted", "unsupported", "observed")
SCHEMA = {
    "type": "object",
    "properties": {"label": {"enum": list(LABELS)}, "reason": {"type": "string", "maxLength": 8}},
    "required": ["label", "reason"],
    "additionalProperties": False,
}


def written(*words: str, at: int, **odds: float) -> Words:
    """Words of an answer; in place of the one ``at`` stood these, so likely."""
    told = tuple((form, math.log(share)) for form, share in odds.items())
    return tuple((word, told if n == at else (("x", -1.0),)) for n, word in enumerate(words))


@pytest.mark.parametrize(
    "words",
    [
        ('{"label', '": "', "supported", '"}'),
        ('{"label": "', "sup", "ported", '"}'),
        ('{ "label" :\n', ' "', "supported", '"}'),
        ('{"reason": "of \\"label\\": \\"x\\"", "label":"', "supported", '"}'),
        ('<think>{"label": "unsupported"}</think>{"label": "', "supported", '"}'),
    ],
)
def test_the_label_is_found_where_its_value_begins(words: tuple[str, ...]) -> None:
    at = next(n for n, word in enumerate(words) if word.startswith("sup"))
    [odds] = weighed(written(*words, at=at, supported=0.6, uns=0.2, Contradicted=0.1, maybe=0.1), "label", LABELS)
    assert odds is not None
    assert odds.mass == pytest.approx(0.9)
    assert odds.shares == pytest.approx(
        {"supported": 6 / 9, "contradicted": 1 / 9, "unsupported": 2 / 9, "observed": 0}
    )


def test_a_token_that_holds_more_than_the_value_counts_for_it() -> None:
    words = (
        ('{"label":', ()),
        (' "supported', ((' "supported', math.log(0.5)), (' "un', math.log(0.25)), ("{", -2.0))),
    )
    [odds] = weighed(words, "label", LABELS)
    assert odds is not None
    assert (odds.shares["supported"], odds.mass) == (pytest.approx(2 / 3), pytest.approx(0.75))


def test_where_nothing_is_told_nothing_is_known() -> None:
    assert weighed((), "label", LABELS) == []
    assert weighed((('{"label": "', ()), ("supported", ())), "label", LABELS) == [None]
    [odds] = weighed(written('{"label": "', "supported", at=1, perhaps=0.9), "label", LABELS)
    assert odds is not None
    assert (odds.mass, odds.shares) == (0.0, {})


def test_a_value_follows_its_field_only() -> None:
    assert value_follows('{"n": 1, "label": "', "label")
    assert value_follows('{"n": 1, "label":', "label")
    assert not value_follows('{"n": 1, "label": "s', "label")
    assert not value_follows('{"reason": "a \\"label\\": ', "label")


def test_a_model_on_this_computer_tells_how_likely_each_label_is(tmp_path: Path) -> None:
    """Whatever the grammar allows: half of what the model would have written is no label."""
    path = make_biased_model(tmp_path / "known.gguf", {"s": 3.0, "c": 1.0, "u": 0.5, "o": 0.5, "Yes": 5.0})
    chat = LocalChat(path, threads=1)
    [(_, reply)] = chat.ask([Request("", "Text.", "Judge.", SCHEMA, 80, weighed="label")], threading.Event())
    [(_, plain)] = chat.ask([Request("", "Text.", "Judge.", SCHEMA, 80)], threading.Event())
    chat.close()
    assert json.loads(reply.text)["label"] == "supported"
    assert (plain.text, plain.words) == (reply.text, ())
    [odds] = weighed(reply.words, "label", LABELS)
    assert odds is not None
    assert odds.mass == pytest.approx(0.5, abs=1e-3)
    assert odds.shares["supported"] == pytest.approx(0.6, abs=1e-3)


def test_an_online_model_tells_it_where_its_server_does() -> None:
    told = (('{"label": "', {}), ("supported", {"supported": math.log(0.5), "uns": math.log(0.25)}), ('"}', {}))
    with serve(lambda body, _: Behaviour('{"label": "supported"}', likeliest=told)) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=1)
        [(_, reply)] = chat.ask([Request("s", "", "q", SCHEMA, weighed="label")], threading.Event())
        chat.close()
    assert (endpoint.requests[0]["logprobs"], endpoint.requests[0]["top_logprobs"]) == (True, 5)
    [odds] = weighed(reply.words, "label", LABELS)
    assert odds is not None
    assert odds.shares["supported"] == pytest.approx(2 / 3)
