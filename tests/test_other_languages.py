"""A session and a note in another language: the quick check says that it cannot judge, a model judges."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from noteeval_desktop import cli
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, serve

SPANISH = (
    "Therapist: ¿Cómo has dormido estas semanas?\nClient: Muy poco, tres o cuatro horas cada noche desde el entierro.\n"
    "Therapist: ¿Y las pastillas de tu madre?\nClient: Siguen en casa. A veces pienso en tomármelas todas.\n"
    "Therapist: Gracias por decírmelo. ¿Lo has pensado hoy?\nClient: Hoy no, pero ayer por la noche sí lo pensé.\n",
    "Subjective\nLa paciente duerme tres o cuatro horas cada noche desde el entierro.\n"
    "Plan\nLa próxima cita es el martes por la tarde.\n",
    ("A veces pienso en tomármelas todas", 4),
)
GERMAN = (
    "Therapist: Wie haben Sie zuletzt geschlafen?\nClient: Kaum, drei oder vier Stunden seit der Beerdigung.\n"
    "Therapist: Und die Tabletten?\nClient: Die liegen noch im Schrank. Manchmal will ich sie alle nehmen.\n"
    "Therapist: Danke. Heute auch?\nClient: Heute nicht, aber gestern Abend dachte ich daran.\n",
    "Subjective\nDie Klientin schläft seit der Beerdigung nur drei oder vier Stunden in der Nacht.\n"
    "Plan\nDer nächste Termin ist am Dienstag am Nachmittag.\n",
    ("Manchmal will ich sie alle nehmen", 4),
)


@pytest.mark.parametrize(("session", "note", "danger"), [SPANISH, GERMAN], ids=["Spanish", "German"])
def test_a_model_judges_what_the_quick_check_cannot(
    session: str, note: str, danger: tuple[str, int], lent_encoder: None, tmp_path: Path
) -> None:
    def behave(body: dict[str, object], _number: int) -> Behaviour:
        request = as_request(body)
        if '"dangers"' in request.question:
            found = {"turn": danger[1], "quote": danger[0], "kind": "overdose", "meant": "current", "told_in": []}
            return Behaviour(json.dumps({"dangers": [found], "omissions": []}))
        return Behaviour(sound_for_any(request))

    (tmp_path / "s.txt").write_text(session, "utf-8")
    (tmp_path / "n.txt").write_text(note, "utf-8")
    case = ["evaluate", "--transcript", str(tmp_path / "s.txt"), "--note", str(tmp_path / "n.txt")]
    quick, full = tmp_path / "quick.json", tmp_path / "full.json"
    assert cli.main([*case, "--json", str(quick)]) == 1
    alone = json.loads(quick.read_text("utf-8"))
    assert not alone["complete"]
    assert [one["verdict"] for one in alone["sentences"]] == [None, None]
    with serve(behave) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent", "--quick-first"]
        assert cli.main([*case, *remote, "--json", str(full)]) == 0
    both = json.loads(full.read_text("utf-8"))
    assert both["complete"], both["problems"]
    assert [one["verdict"] for one in both["sentences"]] == ["supported", "supported"]
    (risk,) = [one for one in both["risks"] if one["kind"] == "overdose"]
    assert (risk["stance"], [one["says"] for one in risk["opinions"]]) == ("current", ["not heard", "heard"])
    assert re.search("otherwise|English", " ".join(alone["case"]["warnings"] + alone["problems"]))
