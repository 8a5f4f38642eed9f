"""Numbers in words."""

from __future__ import annotations

_BELOW_TWENTY = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
NAMES = {name: float(value) for value, name in enumerate(_BELOW_TWENTY.split(), 1)} | {"zero": 0.0, "nought": 0.0}
ONES = tuple(NAMES)[:9]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
TENS = {name: 10.0 * value for value, name in enumerate(_TENS, 2)}
