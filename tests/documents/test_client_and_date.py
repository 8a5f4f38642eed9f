"""Whose a note is and of which day, from the fields above it."""

from __future__ import annotations

from datetime import date

import pytest

from noteeval_desktop.documents import client_and_date


@pytest.mark.parametrize(
    ("head", "client", "day"),
    [
        ("Progress Note\nClient: W.K.   Date: 11/17/2026   Session #: 6", "W.K.", date(2026, 11, 17)),
        ("Client: Renée Ç.\nDate of service: 2026-03-04", "Renée Ç.", date(2026, 3, 4)),
        ("**Patient name:** Bo 李\n**DOS:** 3/4/2026", "Bo 李", date(2026, 3, 4)),
        ("Date: 17.11.2026 | Client: A. B.", "A. B.", date(2026, 11, 17)),
        ("Session Note\nClient: B. K.\nDate: 20 November 2026", "B. K.", date(2026, 11, 20)),
        ("Session date: Friday, Sept. 4th, 2026", "", date(2026, 9, 4)),
        ("DOB: 03/14/1991\nDate: 99/99/2026", "", None),
        ("He is fine.", "", None),
    ],
)
def test_the_head_tells_client_and_date(head, client, day) -> None:
    assert client_and_date(f"{head}\n\nS: Client: said he drove on Date: 01/01/2020 home, and was sad.", False) == (
        client,
        day,
    )


def test_where_the_day_comes_first_it_is_read_so() -> None:
    assert client_and_date("Date: 03/04/2026", True) == ("", date(2026, 4, 3))
