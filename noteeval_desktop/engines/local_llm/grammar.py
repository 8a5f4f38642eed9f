"""What a model may write: a JSON schema as one of llama.cpp's grammars."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from typing import Any

import llama_cpp
import numpy as np
import numpy.typing as npt
from llama_cpp.llama_grammar import json_schema_to_gbnf

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines import native
from noteeval_desktop.errors import ModelError

# The converter lets line breaks and other control characters into strings, which JSON forbids.
_ANY_CHARACTER, _JSON_CHARACTER = r'char ::= [^"\\]', r'char ::= [^"\\\x00-\x1F\x7F]'


def grammar_of(vocab: Any, schema: Mapping[str, Any] | None) -> Any:
    """A sampler, to be freed; from our own schemas only: llama.cpp aborts the process on a bad grammar."""
    if schema is None:
        return None
    try:
        text = json_schema_to_gbnf(json.dumps(schema)).replace(_ANY_CHARACTER, _JSON_CHARACTER)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(tr("The format of the answer cannot be put as a grammar. Please report this.")) from error
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
