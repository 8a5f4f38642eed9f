"""Who serves a model: what differs between hosts that speak the same protocol is a row here."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from noteeval_desktop.engines.remote.dialect import Dialect

API_VERSION = "api-version="
_STRICTEST = Dialect()


@dataclass(frozen=True, slots=True)
class Provider:
    """``hosts``: how its hosts' names end. ``header``: which one carries the key, behind ``scheme``. ``dialect``: how
    it is asked first; what it refuses is asked in a plainer one. ``versioned``: its addresses name an API version, by
    which it is known under any name."""

    hosts: tuple[str, ...] = ()
    header: str = "Authorization"
    scheme: str = "Bearer "
    dialect: Dialect = _STRICTEST
    versioned: bool = False

    def authorisation(self, key: str) -> list[tuple[str, str]]:
        """The headers that a request needs; none without a key."""
        return [(self.header, self.scheme + key)] if key else []


ANY = Provider()
AZURE = Provider(
    (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"), "api-key", "", versioned=True
)
PROVIDERS = (AZURE,)


def provider_of(address: str) -> Provider:
    parts = urlsplit(address)
    version, host = parts.query.startswith(API_VERSION), parts.hostname or ""
    return next((one for one in PROVIDERS if host.endswith(one.hosts) or (version and one.versioned)), ANY)
