"""Where a run keeps what a language model answered: in memory, or with --library in the encrypted library."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack

from noteeval_desktop import paths
from noteeval_desktop.commands.run import interrupted_at_once
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError, NoteEvalError
from noteeval_desktop.judges.llm.cache import AnswerCache, LayeredCache, MemoryCache, NoCache
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.store.audit import Event, host_of
from noteeval_desktop.store.keys import SecretStore, WrappedKeys, open_with_keychain, open_with_passphrase
from noteeval_desktop.store.library import Library

PASSPHRASE_VARIABLE = "NOTEEVAL_PASSPHRASE"


def answers_of_run(
    options: argparse.Namespace, closing: ExitStack, find_keychain: Callable[[], SecretStore]
) -> AnswerCache:
    """One cache for all judges of a run, made with the first. Raises InputError and StoreError for --library."""
    if not hasattr(options, "answers"):
        options.answers = _answers(options, closing, find_keychain)
    answers: AnswerCache = options.answers
    return answers


def log_sending(options: argparse.Namespace, closing: ExitStack, judge: Judge) -> None:
    """When the run ends, however it ends, the open library's audit log says where something was sent."""
    library: Library | None = getattr(options, "opened", None)

    def record() -> None:
        if library is not None and judge.usage().bytes_sent:
            library.record(Event.SENT, detail=host_of(options.base_url))

    closing.callback(record)


def _answers(options: argparse.Namespace, closing: ExitStack, find_keychain: Callable[[], SecretStore]) -> AnswerCache:
    if options.no_cache:
        if options.library:
            raise InputError("--library", tr("does not go with --no-cache"), tr("Leave one of them out."))
        return NoCache()
    if not options.library:
        return MemoryCache()
    folder = paths.data_folder() / "library"
    if not Library.exists(folder):
        raise InputError(
            "--library", tr("there is none on this computer"), tr("Make one in the app with “Keep this case…” first.")
        )
    library = Library.open(folder, lambda wrapped: _unlocked(wrapped, find_keychain))
    closing.callback(library.lock)
    options.opened = library
    return LayeredCache(lambda: library.verdicts)


def _unlocked(wrapped: WrappedKeys, find_keychain: Callable[[], SecretStore]) -> bytes:
    """By the environment's passphrase, the keychain, or a passphrase typed in a terminal, in this order."""
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given:
        return open_with_passphrase(wrapped, given)
    if wrapped.keychain is not None:
        try:
            return open_with_keychain(wrapped, find_keychain())
        except NoteEvalError as problem:
            print(f"noteeval: {problem}", file=sys.stderr)
    if not sys.stdin.isatty():
        raise InputError(
            "--library",
            tr("is locked"),
            tr("Set {variable}, or run it in a terminal, where you are asked for it.").format(
                variable=PASSPHRASE_VARIABLE
            ),
        )
    with interrupted_at_once():
        typed = getpass.getpass(tr("Passphrase of {what}: ").format(what=tr("the library")))
    return open_with_passphrase(wrapped, typed)
