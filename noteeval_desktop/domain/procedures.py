"""Codes of what was done (CPT, American Medical Association) that notes in mental health name."""

from __future__ import annotations

# Of psychotherapy by its time: minutes with the client, from and to; None: no end.
CODES: dict[str, tuple[int, int | None]] = {
    "90832": (16, 37),
    "90834": (38, 52),
    "90837": (53, None),
    "90833": (16, 37),
    "90836": (38, 52),
    "90838": (53, None),
    "90839": (30, None),
    "90840": (75, None),
    "90846": (26, None),
    "90847": (26, None),
}
# Psychotherapy beside an evaluation and management service: start and stop are of both.
ADD_ONS = ("90833", "90836", "90838")
VISITS = r"99(?:20[2-5]|21[1-5]|22[1-3]|23[1-9]|30[4-9]|310|34[1-9]|350)"
# Diagnostic evaluation, group, family, medication and crisis services; testing, screening and behavioural health.
_OTHERS = r"90(?:785|79[12]|845|849|853|863|87[05]|882|887|889)|96(?:116|121|127|13[0-9]|146|15[6-9]|16[0-9]|17[01])"
PROCEDURE = rf"(?:{'|'.join(CODES)}|{VISITS}|{_OTHERS})"
