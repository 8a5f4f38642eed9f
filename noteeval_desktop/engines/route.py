"""The way to a server for what is fetched and holds nothing of a case: by the system's proxy, by its certificates."""

from __future__ import annotations

import urllib.request
from urllib.parse import urlsplit

import httpx2

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.remote.transport import untrusted
from noteeval_desktop.errors import ModelError

_TIMEOUT = httpx2.Timeout(30.0, connect=10.0)


def system_proxy(url: str) -> str | None:
    """The address of the proxy that this computer is set to use for ``url``; None for the direct way.

    From the environment or, on Windows and macOS, the system's settings, exceptions included. A script that finds
    proxies (PAC) is not read.
    """
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    return found if "://" in found else f"http://{found}"


def said_of(url: str) -> str:
    """In a sentence, by which way ``url`` is asked; without the proxy's password. May look up the server's name."""
    proxy = system_proxy(url)
    return (
        tr("It is fetched directly, and the server must show a certificate that this computer trusts.")
        if proxy is None
        else tr(
            "It goes through the proxy that this computer is set to use ({place}), and the "
            "server must show a certificate that this computer trusts."
        ).format(place=place(proxy))
    )


def place(proxy: str) -> str:
    parts = urlsplit(proxy)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


class SystemWay(httpx2.BaseTransport):
    """Chooses the proxy anew for each host, so that a redirect keeps to the system's exceptions, too."""

    def __init__(self) -> None:
        try:
            self._certificates = httpx2.create_ssl_context()
        except OSError as error:
            raise ModelError(
                tr(
                    "The certificates that this computer's settings name (SSL_CERT_FILE or SSL_CERT_DIR) cannot be "
                    "read. Correct that setting, or ask whoever maintains this computer."
                )
            ) from error
        self._ways: dict[str | None, httpx2.HTTPTransport] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        proxy = system_proxy(str(request.url))
        if proxy not in self._ways:
            self._ways[proxy] = self._way(proxy)
        return self._ways[proxy].handle_request(request)

    def _way(self, proxy: str | None) -> httpx2.HTTPTransport:
        try:
            return httpx2.HTTPTransport(verify=self._certificates, proxy=proxy)
        except (ImportError, ValueError) as error:
            raise ModelError(
                tr(
                    "The proxy that this computer is set to use ({place}) is of a kind that cannot be "
                    "used here. Fetch the file in a browser, and choose it as the model."
                ).format(place=place(proxy or ""))
            ) from error

    def close(self) -> None:
        for way in self._ways.values():
            way.close()


def client() -> httpx2.Client:
    """Follows redirects: the caller checks each request."""
    return httpx2.Client(transport=SystemWay(), timeout=_TIMEOUT, follow_redirects=True, trust_env=False)


def why_unreachable(error: httpx2.TransportError) -> str:
    """What kept a server from being reached, and what to do, in words that end a sentence."""
    host, proxy = error.request.url.host, system_proxy(str(error.request.url))
    if untrusted(error):
        return tr(
            "{host} shows a certificate that this computer does not trust. On a clinic's network there may be a filter "
            "in between: ask whoever runs it to add its certificate to the system's"
        ).format(host=host)
    if isinstance(error, httpx2.ProxyError):
        said = tr("asks for a name and a password") if "407" in str(error) else tr("does not let it through")
        told = tr("the proxy that this computer is set to use {said}. Ask whoever runs your network")
        return told.format(said=said)
    if proxy is not None and isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        return tr(
            "the proxy that this computer is set to use ({place}) cannot be reached. Connect to "
            "the network that it belongs to, or ask whoever runs it"
        ).format(place=place(proxy))
    return tr("no connection to {host}. Connect to the network and try again").format(host=host)
