"""A chat model in llama.cpp, in the child process: one prefix evaluated once, many questions on top of it."""

from __future__ import annotations

import codecs
import ctypes
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
import numpy.typing as npt
from llama_cpp.llama_grammar import json_schema_to_gbnf

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines import native
from noteeval_desktop.engines.chat import Words, value_follows
from noteeval_desktop.engines.local_llm.chat_template import PAST_THINKING, Part, read_template
from noteeval_desktop.engines.local_llm.header import writes_nothing
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.platform.native_flag import NativeFlag

# The converter lets line breaks and other control characters into strings, which JSON forbids.
_ANY_CHARACTER, _JSON_CHARACTER = r'char ::= [^"\\]', r'char ::= [^"\\\x00-\x1F\x7F]'


# What a model may write: a JSON schema as one of llama.cpp's grammars.
def grammar_of(vocab: Any, schema: Mapping[str, Any] | None) -> Any:
    """A sampler, to be freed; from our own schemas only: llama.cpp aborts the process on a bad grammar."""
    if schema is None:
        return None
    try:
        text = json_schema_to_gbnf(json.dumps(schema)).replace(_ANY_CHARACTER, _JSON_CHARACTER)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(tr("The format of the answer cannot be written as a grammar. Please report this.")) from error
    with native.native_errors() as lines:
        grammar = llama_cpp.llama_sampler_init_grammar(vocab, text.encode(), b"root")
    if not grammar:
        raise ModelError(
            tr("The model cannot be held to the answer's format ({names}). Please report this.").format(
                names="; ".join(lines)[:120]
            )
        )
    return grammar


def allowed(grammar: Any, tokens: npt.NDArray[np.int64], logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The tokens' logits, minus infinity where the grammar forbids."""
    data = (llama_cpp.llama_token_data * len(tokens))()
    view = np.ctypeslib.as_array(data)
    view["id"], view["logit"], view["p"] = tokens, logits[tokens], 0
    candidates = llama_cpp.llama_token_data_array(data, len(tokens), -1, False)
    llama_cpp.llama_sampler_apply(grammar, ctypes.byref(candidates))
    return np.array(view["logit"], dtype=np.float32)


class Abort(NativeFlag):
    """Stops llama.cpp at the next node of its graph, from any thread."""

    def callback(self) -> object:
        return ctypes.cast(self.function, llama_cpp.ggml_abort_callback)

    def raise_if_set(self) -> None:
        if self.is_set():
            raise Cancelled


NO_NUMBERS = tr("the model gives no usable result; its file may be damaged")
_BATCH, _MICRO_BATCH = 2048, 512
_ROOM = 512  # cells beyond the context, for what stands in for a model's thoughts
_LIKELIEST = 24  # tokens told in place of one; of all the others together little is ever a value's
_SCORED = 32  # tokens at once whose logits are kept: of a vocabulary of 150,000, 20 MB
_ABORTED = 2
_MEASURED_TOKENS, _MEASURED_STEPS = 192, 12
_SOME_WORDS = " She says that she slept six hours and woke once."


@dataclass(frozen=True, slots=True)
class Odds:
    """``yes``: P(yes) among yes and no; ``mass``: of both forms together."""

    yes: float
    mass: float


class Session:
    """One model, one context, one thread that evaluates. ``evaluated`` is called with numbers of tokens."""

    def __init__(
        self,
        path: Path,
        context: int,
        threads: int,
        gpu_layers: int,
        abort: Abort,
        evaluated: Callable[[int], None] = lambda _count: None,
    ) -> None:
        self._name, self._abort, self._evaluated = path.name, abort, evaluated
        self._model = native.load_model(path, gpu_layers=gpu_layers)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._size = llama_cpp.llama_vocab_n_tokens(self._vocab)
        if self._size == 0 or not self._writes():
            raise ModelError(writes_nothing(self._name))
        self.context = min(context, llama_cpp.llama_model_n_ctx_train(self._model))
        self._ctx = self._new_context(threads)
        if llama_cpp.llama_pooling_type(self._ctx) != llama_cpp.LLAMA_POOLING_TYPE_NONE:
            raise ModelError(writes_nothing(self._name))
        self._memory = llama_cpp.llama_get_memory(self._ctx)
        self._batch = native.Batch(_BATCH)
        self._template = self._read_template()
        self._yes, self._no = self._answer_tokens()
        self._past = dict(self._openings())
        self._prefix: list[int] = []

    def tokens(self, parts: Sequence[Part]) -> list[int]:
        """Our text without control tokens; the template's with them."""
        pieces = (native.tokenize(self._vocab, part.text, parse_special=part.control) for part in parts if part.text)
        return list(itertools.chain.from_iterable(pieces))

    def shared(self, system: str, prefix: str) -> list[int]:
        ids = self.tokens(self._template.shared(system, prefix))
        first = llama_cpp.llama_vocab_bos(self._vocab)
        if llama_cpp.llama_vocab_get_add_bos(self._vocab) and first >= 0 and ids[:1] != [first]:
            ids.insert(0, first)
        return ids

    def own(self, prefix: str, question: str) -> list[int]:
        return self.tokens(self._template.own(prefix, question))

    def set_prefix(self, tokens: list[int]) -> int:
        """Evaluate ``tokens`` as what all further questions start with. Returns how many of them were there already:
        what the prefix before began with, too, as a task before another stretch of the session."""
        if tokens == self._prefix:
            return len(tokens)
        kept = min(_alike(tokens, self._prefix), len(tokens) - 1)
        self._prefix = []
        # A model with a recurrent state cannot go back to a place within it.
        if kept <= 0 or not llama_cpp.llama_memory_seq_rm(self._memory, 0, kept, -1):
            llama_cpp.llama_memory_clear(self._memory, True)
            kept = 0
        self._decode(tokens[kept:], 0, kept)
        self._prefix = tokens
        return kept

    def _writes(self) -> bool:
        """What the header may not say: whether llama.cpp would read its logits as those of the next token."""
        return (
            llama_cpp.llama_model_has_decoder(self._model)
            and not llama_cpp.llama_model_has_encoder(self._model)
            and not llama_cpp.llama_model_is_diffusion(self._model)
        )

    def measure(self) -> tuple[float, float]:
        """Tokens a second, read and written: of a text as long as a question with what it is about, and a short answer.

        The first pass warms up and is not counted: it reads the weights from the disk.
        """
        tokens = (native.tokenize(self._vocab, _SOME_WORDS) * _MEASURED_TOKENS)[
            : min(_MEASURED_TOKENS, self.context // 2)
        ]
        self._prefix = []
        for _ in range(2):
            llama_cpp.llama_memory_clear(self._memory, True)
            began = time.perf_counter()
            self._decode(tokens, 0, 0)
            read = time.perf_counter() - began
        began = time.perf_counter()
        for step in range(_MEASURED_STEPS):
            self._decode(tokens[:1], 0, len(tokens) + step)
        written = time.perf_counter() - began
        llama_cpp.llama_memory_clear(self._memory, True)
        return len(tokens) / read, _MEASURED_STEPS / written

    def odds(self, question: list[int]) -> Odds | None:
        """None where the model computed nothing that could be a probability."""
        return self._odds(self.logits(question))

    def logits(self, question: list[int]) -> npt.NDArray[np.float32]:
        """Next-token logits (vocabulary,) after prefix and question: the same, bit by bit, as with the full prompt.

        Several questions a call would not be, the order of sums in attention being another, which rounding to 8
        bits makes more of: on a random 0.5B model in Q8_0, P(yes) differed by 2e-3 at most, and 32 at a time were
        hardly faster on a processor (21.7 times full prompts, against 20.8).
        """
        with _fork(self._memory):
            return self._beginning(question)[0]

    def _beginning(self, question: Sequence[int]) -> tuple[npt.NDArray[np.float32], int]:
        """Logits of the answer's first token, and the position that it will take; for sequence 1.

        A model that would think first is told that it has: its template did not let us say so.
        """
        end = len(self._prefix) + len(question)
        logits = self._logits(self._decode(question, 1, len(self._prefix)))
        thought = self._past.get(int(np.argmax(logits)), []) if _usable(logits) else []
        if thought:
            logits = self._logits(self._decode(thought, 1, end))
        return logits, end + len(thought)

    def generate(
        self, question: list[int], schema: Mapping[str, Any] | None, limit: int, weighed: str = ""
    ) -> tuple[Words, int, bool]:
        """The likeliest answer (under ``schema``): its words, its number of tokens, and whether it came to its end.

        Where the value of the ``weighed`` field stands a word has the likeliest in its place, whatever the schema.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        grammar = grammar_of(self._vocab, schema)
        text, count = "", 0
        written: list[tuple[str, tuple[tuple[str, float], ...]]] = []
        try:
            with _fork(self._memory):
                logits, position = self._beginning(question)
                for count in range(limit + 1):
                    token = self._next(logits, grammar)
                    if llama_cpp.llama_vocab_is_eog(self._vocab, token):
                        return tuple(written), count, True
                    if count == limit or position >= self.context:
                        break
                    word = decoder.decode(native.piece(self._vocab, token))
                    written.append((word, self._likeliest(logits) if weighed and value_follows(text, weighed) else ()))
                    text += word
                    logits = self._logits(self._decode([token], 1, position))
                    position += 1
        finally:
            if grammar is not None:
                llama_cpp.llama_sampler_free(grammar)
        return tuple(written), count, False

    def _likeliest(self, logits: npt.NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        most = np.argsort(logits)[: -_LIKELIEST - 1 : -1]
        shares = _log_shares(logits)
        return tuple(
            (native.piece(self._vocab, token).decode("utf-8", "replace"), float(shares[token]))
            for token in map(int, most)
            if np.isfinite(shares[token])
        )

    def log_likelihoods(self, question: list[int], answer: list[int]) -> list[tuple[int, float]] | None:
        """(bytes, log-probability in nats) of each of ``answer``'s tokens after prefix, question and those before it.

        None where the model computed nothing that could be a probability.
        """
        scored: list[tuple[int, float]] = []
        position = len(self._prefix) + len(question)
        with _fork(self._memory):
            before = self._logits(self._decode(question, 1, len(self._prefix)))
            for offset in range(0, len(answer), _SCORED):
                chunk = answer[offset : offset + _SCORED]
                places = range(len(chunk))
                self._run(chunk, range(position, position + len(chunk)), [1] * len(chunk), places)
                for place, token in enumerate(chunk):
                    if not _usable(before) or not np.isfinite(before[token]):
                        return None
                    scored.append((len(native.piece(self._vocab, token)), float(_log_shares(before)[token])))
                    before = self._logits(place)
                position += len(chunk)
        return scored

    def _next(self, logits: npt.NDArray[np.float32], grammar: Any) -> int:
        """The likeliest token that the grammar allows; the grammar looks at all of them only when it must."""
        if not _usable(logits):
            raise ModelError(NO_NUMBERS)
        token = int(np.argmax(logits))
        if grammar is None:
            return token
        if not np.isfinite(allowed(grammar, np.array([token]), logits)[0]):
            candidates = allowed(grammar, np.arange(self._size), logits)
            token = int(np.argmax(candidates))
            if not np.isfinite(candidates[token]):
                raise ModelError(tr("The model cannot write an answer in the format asked for. Choose another model."))
        llama_cpp.llama_sampler_accept(grammar, token)
        return token

    def _decode(self, tokens: Sequence[int], sequence: int, start: int) -> int:
        """Evaluate and return the index of the last token's logits."""
        chunk: Sequence[int] = ()
        for offset in range(0, len(tokens), _MICRO_BATCH):
            chunk = tokens[offset : offset + _MICRO_BATCH]
            first = start + offset
            self._run(chunk, range(first, first + len(chunk)), [sequence] * len(chunk), [len(chunk) - 1])
        return len(chunk) - 1

    def _run(
        self, tokens: Sequence[int], positions: Sequence[int], sequences: Sequence[int], outputs: Sequence[int]
    ) -> None:
        self._abort.raise_if_set()
        with native.native_errors() as lines:
            code = llama_cpp.llama_decode(self._ctx, self._batch.fill(tokens, positions, sequences, outputs))
        if code != 0:
            self._prefix = []  # what was being evaluated may be there in part
        if code == _ABORTED:
            raise Cancelled
        if code != 0:
            raise ModelError(
                tr("{name}: the model failed ({code}; {names}). Try again.").format(
                    name=self._name, code=code, names="; ".join(lines)[:120]
                )
            )
        self._evaluated(len(tokens))

    def _logits(self, index: int) -> npt.NDArray[np.float32]:
        return native.copy_floats(llama_cpp.llama_get_logits_ith(self._ctx, index), self._size)

    def _odds(self, logits: npt.NDArray[np.float32]) -> Odds | None:
        """None where the model computed nothing that could be a probability."""
        if not _usable(logits):
            return None
        weights = np.exp(logits.astype(np.float64) - logits.max())
        weights /= weights.sum()
        yes, no = float(weights[self._yes].sum()), float(weights[self._no].sum())
        return Odds(yes / (yes + no) if yes + no > 0 else 0.5, yes + no)

    def _answer_tokens(self) -> tuple[list[int], list[int]]:
        """Every token that says yes or no, whatever its case and spaces; else the bytes that they begin with."""
        forms: dict[str, list[int]] = {"yes": [], "no": []}
        for token in range(self._size):
            word = native.piece(self._vocab, token).strip().lower()
            if word in (b"yes", b"no"):
                forms[word.decode()].append(token)
        for answer, found in forms.items():
            if not found:
                spellings = (answer, answer.capitalize(), answer.upper())
                tokens = [native.tokenize(self._vocab, spelling) for spelling in spellings]
                found.extend(sorted({ids[0] for ids in tokens if ids}))
        if not all(forms.values()) or set(forms["yes"]) & set(forms["no"]):
            raise ModelError(tr("{name}: it cannot tell yes from no. Choose another model.").format(name=self._name))
        return forms["yes"], forms["no"]

    def _openings(self) -> Iterator[tuple[int, list[int]]]:
        """Tokens with which a model begins to think aloud, and what stands in for all that it would think."""
        for opening, thought in PAST_THINKING.items():
            first = native.tokenize(self._vocab, opening, parse_special=True)
            if len(first) == 1:
                yield first[0], native.tokenize(self._vocab, thought, parse_special=True)

    def _read_template(self) -> Any:
        source = llama_cpp.llama_model_chat_template(self._model, None)
        first, last = (
            (llama_cpp.llama_vocab_get_text(self._vocab, token) or b"").decode("utf-8", "replace") if token >= 0 else ""
            for token in (llama_cpp.llama_vocab_bos(self._vocab), llama_cpp.llama_vocab_eos(self._vocab))
        )
        return read_template(source.decode("utf-8", "replace") if source else None, first, last)

    def _new_context(self, threads: int) -> Any:
        """Without flash attention, which makes results depend on the size of the batch."""
        return native.new_context(
            self._model,
            self._name,
            n_ctx=self.context + _ROOM,
            n_batch=_BATCH,
            n_ubatch=_MICRO_BATCH,
            n_seq_max=2,  # the prefix and one question's fork of it
            kv_unified=True,
            flash_attn_type=0,
            n_threads=threads,
            n_threads_batch=threads,
            abort_callback=self._abort.callback(),
            abort_callback_data=self._abort.address,
            no_perf=True,
        )


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _log_shares(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    rest = logits.astype(np.float64) - float(logits.max())
    return np.asarray(rest - np.log(np.exp(rest).sum()))


def _usable(logits: npt.NDArray[np.float32]) -> bool:
    """Single tokens may be ruled out (minus infinity); a NaN anywhere spoils all."""
    return bool(np.isfinite(logits.max()))  # NaN where there is one


@contextmanager
def _fork(memory: Any) -> Iterator[None]:
    """Sequence 1 as a continuation of the prefix, which stays as it is. Copies nothing: cells are shared."""
    llama_cpp.llama_memory_seq_cp(memory, 0, 1, -1, -1)
    try:
        yield
    finally:
        llama_cpp.llama_memory_seq_rm(memory, 1, -1, -1)
