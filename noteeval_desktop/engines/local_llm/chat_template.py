"""A model's chat template: what its publisher puts around a system text and a question, rendered once."""

from __future__ import annotations

import re
from dataclasses import dataclass

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import ModelError

# A chat template is rendered around placeholders, so that our text never becomes control tokens.
# Private-use characters: no template writes them, and trimming does not remove them.
_TEXTS = {"system": "\ue0001\ue000", "user": "\ue0002\ue000"}
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

    def raise_exception(message: str) -> None:
        raise jinja2.TemplateRuntimeError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals.update(
        bos_token=bos,
        eos_token=eos,
        add_generation_prompt=True,
        # Each publisher has a name of its own for it.
        enable_thinking=False,
        thinking=False,
        thinking_budget=0,
        reasoning_effort="low",
        raise_exception=raise_exception,
        strftime_now=lambda _format: "",  # a date in the prompt would make answers differ by day
    )
    try:
        template = environment.from_string(source or _PLAIN)
        if with_system := _with_system(template):
            before, between, after = with_system
            return ChatTemplate(before, between, _thought(after), merged=False)
        alone = _around(template, "user")
    except Exception as error:  # it is a program, of whoever made the file
        raise ModelError(
            tr("The model's chat template cannot be used ({name}). Choose another model.").format(
                name=type(error).__name__
            )
        ) from error
    if alone is None:
        raise ModelError(tr("The model's chat template leaves out the question. Choose another model."))
    return ChatTemplate(alone[0], "", _thought(alone[1]), merged=True)


def _with_system(template: jinja2.Template) -> list[str] | None:
    """None for templates without a system role (they refuse it, or leave it out)."""
    try:
        return _around(template, "system", "user")
    except jinja2.TemplateError:
        return None


def _around(template: jinja2.Template, *roles: str) -> list[str] | None:
    """What it writes before, between and after one text of each role; None where it does not write each once."""
    text = template.render(messages=[{"role": role, "content": _TEXTS[role]} for role in roles])
    pieces = re.split(f"({'|'.join(_TEXTS.values())})", text)
    return pieces[::2] if pieces[1::2] == [_TEXTS[role] for role in roles] else None


def _thought(tail: str) -> str:
    """With the thought ended that a template opens whatever it is told."""
    _, opened, inside = tail.rpartition("<think>")
    return f"{tail.rstrip()}\n\n</think>\n\n" if opened and "</think>" not in inside else tail
