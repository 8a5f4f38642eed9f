"""What the chat model on this computer says to a user."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import size

REMEDY = "Run NoteEval's set-up again on this computer: it builds one that fits."
SETUP_AGAIN = "Run NoteEval's set-up again."
NOT_STARTED = f"llama.cpp did not start. Try again, or run {SETUP_AGAIN.removeprefix('Run ')}"
NO_BUILD = f"llama.cpp gave an unusable answer. {SETUP_AGAIN}"
DOES_NOT_FIT = f"the installed llama.cpp does not fit this processor. {REMEDY}"
PROCESSOR_ONLY = "The installed llama.cpp uses the processor only. Switch the graphics processor off."

WRITES_NOTHING = "this model does not write answers; it serves to search or to compare texts. Choose a chat model."
DOWNLOAD_AGAIN = "Download it again, or choose another model."
NOT_GGUF = ("not a GGUF model file", "Choose a file that ends in .gguf.")
DAMAGED = "it is damaged"
DAMAGED_OR_NEWER = "it is damaged, or of a version that NoteEval does not know"
CUT_OFF = "it was cut off near its start"
NO_WEIGHTS = "it holds a vocabulary but no model"
NAMELESS = "it does not say what model it is"
UNKNOWN_QUANTISATION = "it is compressed in a way that NoteEval does not know"

THE_MODEL = "The model"
NOT_LOADED = "No model is loaded. Choose one."
NO_ANSWER = "the model gave no answer"
NO_NUMBERS = "the model computes nothing usable; its file may be damaged"
WRONG_FORM = "The model cannot write an answer in the format asked for. Choose another model."
NO_GRAMMAR = "The format of the answer cannot be put as a grammar. Please report this."
NO_QUESTION = "The model's chat template leaves out the question. Choose another model."


def needs_processor(features: Sequence[str]) -> str:
    return f"The installed llama.cpp needs a processor with {', '.join(features)}, which this one lacks. {REMEDY}"


def exit_code(code: int | None) -> str:
    return "" if code is None else f" (exit code {code})"


def not_started(code: int | None) -> str:
    return f"llama.cpp did not start{exit_code(code)}. {SETUP_AGAIN}"


def stopped(file: str, code: int | None) -> str:
    return (
        f"{file}: the model stopped{exit_code(code)}; its file may be damaged, or memory ran short. "
        "It starts again with the next question; if it stops again, choose another model."
    )


def writes_nothing(file: str) -> str:
    return f"{file}: {WRITES_NOTHING}"


def missing(file: str) -> str:
    return f"{file}: there is no such model file. Choose another."


def unreadable(file: str, reason: str | None) -> str:
    return f"{file}: cannot be read ({reason}). Check its permissions."


def no_folder(folder: str) -> str:
    return f"{folder}: there is no such folder. Choose another."


def unreadable_folder(folder: str, reason: str | None) -> str:
    return f"{folder}: cannot be read ({reason}). Choose another."


def cut_off(here: int, needed: int) -> str:
    return f"{here:,} of at least {needed:,} bytes are there: it was cut off"


def bad_file(file: str, problem: str, remedy: str) -> str:
    return f"{file}: {problem}. {remedy}"


def unusable(file: str, kind: str) -> str:
    return bad_file(file, f"it cannot be used ({kind})", DOWNLOAD_AGAIN)


def unusable_answer(file: str) -> str:
    return f"{file}: the model gave an unusable answer. Try again."


def never_loaded(file: str) -> str:
    return f"{file}: it took too long to load. Choose a smaller model."


def context_too_large(file: str, asked: int, most: int) -> str:
    return f"{file}: you asked for a context of {asked:,} tokens; the model takes {most:,}. Choose at most that."


def needs_memory(file: str, needed: int, available: int) -> str:
    return f"{file}: needs about {size(needed)} of memory; {size(available)} are free."


def too_little_memory(file: str, needed: int, available: int) -> str:
    return f"{needs_memory(file, needed, available)} Close other programs, or choose a smaller model or context."


def no_grammar(lines: Sequence[str]) -> str:
    return f"The model cannot be held to the answer's format ({'; '.join(lines)[:120]}). Please report this."


def no_template(kind: str) -> str:
    return f"The model's chat template cannot be used ({kind}). Choose another model."


def failed(file: str, code: int, lines: Sequence[str]) -> str:
    return f"{file}: the model failed ({code}; {'; '.join(lines)[:120]}). Try again."


def no_yes_no(file: str) -> str:
    return f"{file}: it cannot tell yes from no. Choose another model."


def too_long(needed: int, context: int) -> str:
    return f"too long for the model ({needed:,} tokens, its context is {context:,})"
