"""What stays on this computer: the loopback address, and a server there that passes nothing on."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

# Ollama's names for models that it passes on to its own online service.
_PASSED_ON = ("-cloud", ":cloud")


def is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def on_this_computer(base_url: str, model: str = "") -> bool:
    """Does what ``model`` at this address is sent stay here? Then nobody is asked for leave, and no word is hidden."""
    return is_this_machine(urlsplit(base_url).hostname or "") and not model.endswith(_PASSED_ON)
