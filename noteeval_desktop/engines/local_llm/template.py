"""A model's chat template, rendered around placeholders so that our text never becomes control tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import ModelError

# Private-use characters: no template writes them, and trimming does not remove them.
_SYSTEM, _USER = "\ue0001\ue000", "\ue0002\ue000"
# How models begin to think aloud, and what says that they are done with it: Qwen, DeepSeek and their like; gpt-oss.
PAST_THINKING = {
    "<think>": "<think>\n\n</think>\n\n",
    "<|channel|>": "<|channel|>final<|message|>",
}
_PLAIN = (
    "{% for m in messages %}{{ '### ' + m['role'] | capitalize + ':\\n' + m['content'] + '\\n\\n' }}"
    "{% endfor %}{{ '### Assistant:\n' }}"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a prompt: the template's own (``control``) or text of ours, which is only ever text."""

    text: str
    control: bool


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """What stands around a system text and a user text. ``merged``: the system text opens the user's."""

    before: str
    between: str
    after: str
    merged: bool

    def shared(self, system: str, prefix: str) -> list[Part]:
        """Everything up to and including ``prefix``."""
        middle = Part("\n\n" if system else "", False) if self.merged else Part(self.between, True)
        return [Part(self.before, True), Part(system, False), middle, Part(prefix, False)]

    def own(self, prefix: str, question: str) -> list[Part]:
        """The rest: the question and the opening of the answer."""
        return [Part(f"\n\n{question}" if prefix else question, False), Part(self.after, True)]


def read_template(source: str | None, bos: str, eos: str) -> ChatTemplate:
    """Render ``source`` (a plain layout when None) once. ModelError when it cannot be rendered."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    try:
        template = environment.from_string(source or _PLAIN)
        render = _renderer(template, bos, eos)
        rendered = _with_system(render)
        if rendered is not None:
            return replace(rendered, after=_thought(rendered.after))
        head, found, tail = render([{"role": "user", "content": _USER}]).partition(_USER)
    except Exception as error:  # it is a program, of whoever made the file
        raise ModelError(
            tr("The model's chat template cannot be used ({name}). Choose another model.").format(
                name=type(error).__name__
            )
        ) from error
    if not found or _USER in tail:
        raise ModelError(tr("The model's chat template leaves out the question. Choose another model."))
    return ChatTemplate(head, "", _thought(tail), merged=True)


def _thought(tail: str) -> str:
    """With the thought ended that a template opens whatever it is told."""
    _, opened, inside = tail.rpartition("<think>")
    return f"{tail.rstrip()}\n\n</think>\n\n" if opened and "</think>" not in inside else tail


def _with_system(render: Callable[[Sequence[dict[str, str]]], str]) -> ChatTemplate | None:
    """None for templates without a system role (they refuse it, or leave it out)."""
    try:
        text = render([{"role": "system", "content": _SYSTEM}, {"role": "user", "content": _USER}])
    except jinja2.TemplateError:
        return None
    head, found, rest = text.partition(_SYSTEM)
    middle, found_user, tail = rest.partition(_USER)
    if not found or not found_user or _SYSTEM in rest or _USER in tail:
        return None
    return ChatTemplate(head, middle, tail, merged=False)


def _renderer(template: jinja2.Template, bos: str, eos: str) -> Callable[[Sequence[dict[str, str]]], str]:
    def raise_exception(message: str) -> None:
        raise jinja2.TemplateRuntimeError(message)

    values: dict[str, Any] = {
        "bos_token": bos,
        "eos_token": eos,
        "add_generation_prompt": True,
        # Each publisher has a name of its own for it.
        "enable_thinking": False,
        "thinking": False,
        "thinking_budget": 0,
        "reasoning_effort": "low",
        "raise_exception": raise_exception,
        "strftime_now": lambda _format: "",  # a date in the prompt would make answers differ by day
    }
    return lambda messages: template.render(messages=messages, **values)
