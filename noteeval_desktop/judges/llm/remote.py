"""The judge at an address: sees a case without identifiers, and can show beforehand what it would send."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping

from noteeval_desktop.domain.case import Case
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.preview import PreviewChat, Shown
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.likert import Rating
from noteeval_desktop.judges.llm.private import PrivateJudge
from noteeval_desktop.judges.protocol import Judge, exchanges_of
from noteeval_desktop.privacy.identifiers import IdentifierFinder


class RemoteJudge(PrivateJudge):
    """A PrivateJudge over an LlmJudge over ``chat``."""

    def __init__(self, llm: LlmJudge, chat: RemoteChat, finder: IdentifierFinder) -> None:
        super().__init__(llm, finder)
        self._llm, self._chat = llm, chat

    def preview(self, case: Case) -> Mapping[str, tuple[bytes, ...]]:
        """By question (checklist, sentences, claims, omissions, responses): the bodies, JSON in UTF-8, that
        judging ``case`` would send first, byte for byte. Nothing is sent.

        What was answered before is not asked again and so not shown. Later bodies repeat questions whose
        answer could not be used, with a line on why (``previews``), or put them in a form that the server understands.
        """
        return self.previews(case)[0]

    def previews(self, case: Case) -> tuple[Mapping[str, tuple[bytes, ...]], Mapping[str, tuple[bytes, ...]]]:
        """As ``preview`` has it; and what would be asked once more if no answer were JSON. The line on why and the
        numbers asked about differ with what is wrong; nothing else does."""
        self.prepared(case)
        cancel, exchanges = threading.Event(), exchanges_of(case.transcript)
        shown = {
            "checklist": self._shown(lambda judge: judge.cover(case, cancel)),
            "sentences": self._shown(lambda judge: judge.need(case, cancel)),
            "claims": self._shown(lambda judge: judge.support(case, cancel)),
            "omissions": self._shown(lambda judge: judge.omit(case, (), cancel)),
            "responses": self._shown(lambda judge: judge.respond(exchanges, cancel)),
        }
        first = {question: tuple(chat.bodies) for question, chat in shown.items()}
        return first, {question: tuple(chat.again) for question, chat in shown.items()}

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        """As LlmJudge has it, over the case without identifiers."""
        yield from self._llm.likert(self.prepared(case).case, cancel)

    def _shown(self, ask: Callable[[Judge], Iterator[object]]) -> PreviewChat:
        chat = PreviewChat(self._chat)
        with contextlib.suppress(Shown):
            for _ in ask(self.over(self._llm.over(chat))):
                continue
        return chat
