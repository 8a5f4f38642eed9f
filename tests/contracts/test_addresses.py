"""Which addresses a case may be sent to."""

from __future__ import annotations

import pytest

from noteeval_desktop.engines.remote.transport import checked_address
from noteeval_desktop.errors import InputError

OWN_NETWORK = (
    "http://192.168.1.20:8000/v1",
    "http://10.0.0.5/v1",
    "http://ai-server:11434/v1",
    "http://llm.clinic.lan/v1",
)


@pytest.mark.parametrize("address", OWN_NETWORK)
def test_http_in_the_own_network_takes_the_user_s_leave(address: str) -> None:
    with pytest.raises(InputError, match=r"anyone on the network could read.*--allow-unencrypted"):
        checked_address(address)
    assert checked_address(address, unencrypted=True) == address


@pytest.mark.parametrize("address", ["http://8.8.8.8/v1", "http://example.org/v1", "http://ai.clinic.com/v1"])
def test_http_beyond_the_own_network_is_refused_whatever_is_agreed(address: str) -> None:
    with pytest.raises(InputError, match="Use an https address"):
        checked_address(address, unencrypted=True)
