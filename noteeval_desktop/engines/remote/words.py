"""What is said about a model at an address; problems go after "Not judged:"."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted, duration

FORMS = {
    "json_schema_strict": "Answers keep to the format asked for.",
    "json_schema": "Answers keep to the format asked for, as far as the server enforces it.",
    "json_object_schema": "Answers keep to the format asked for (by an older method).",
    "json_object": "Answers are JSON; NoteEval checks their format.",
    "text": "Answers are free text; NoteEval checks their format, and more of them may count as not judged.",
}
UNFORMED = "The answer was not in the format asked for: expect many that count as not judged."

UNTRUSTED = (
    "shows a certificate that this computer does not trust, so nothing was sent. Ask who runs the server for its "
    "authority's certificate and add it to the system's."
)
BAD_CERTIFICATE = "its certificate is not trusted"
UNREACHABLE = "it cannot be reached"
TOO_SLOW = "no answer in time"
BROKEN_OFF = "the connection broke off"
COMPRESSED = "the answer is compressed in a way that cannot be read"
NOT_A_KEY = "The key holds characters that no key has. Copy it again."
NO_ADDRESS = ("this is not an address", "Give one like https://host/v1")
NO_WEB_ADDRESS = ("this is not a web address", "Give one like https://host/v1")
TOO_MUCH_IN_ADDRESS = ("the address holds a password or parameters", "Give only https://host/path")
NOT_ENCRYPTED = ("the connection would not be encrypted", "Use an https address")
MAY_BE_UNENCRYPTED = (
    "the connection would not be encrypted: anyone on the network could read what is sent",
    "Use an https address, or allow it (on the command line with --allow-unencrypted).",
)

TOO_OFTEN = "it gets too many questions; wait a minute, or ask fewer at a time"
ALL_THOUGHT = "the model thought until its answer was full; switch its thinking off, or choose another model"
NO_COMPLETION = "the server's answer was not a chat completion"
DECLINED = "the model declined to answer"
GAVE_UP = "the server gave up on the question"
NO_TEXT = "the server's answer holds no text"
TOO_LONG = "too long for the model"
FILTERED = "the provider's content filter refused the question"
NOT_IN_BATCH = "the provider's batch brought no answer"


# After "Add credit with the provider, ".
OTHER_JUDGE, RUN_AGAIN = "or choose another judge", "then run this again"

# Programs that serve models on this computer, and where each usually listens.
SERVERS = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("Jan", 1337),
    ("vLLM", 8000),
    ("GPT4All", 4891),
    ("KoboldCpp", 5001),
)


def status(code: int) -> str:
    return f"status {code}"


def answered_in(seconds: float) -> str:
    return f"A short answer took {seconds:.1f} s."


def extras(logprobs: bool, embeddings: bool) -> str:
    given, had = "gives" if logprobs else "gives no", "has" if embeddings else "has no"
    return f"It {given} probabilities and {had} embeddings; neither is needed."


def knows_neither(host: str, model: str) -> str:
    return f"{host} knows neither the model {model} nor a list. Check both."


def no_answer(host: str, model: str, problem: str) -> str:
    return f"{host}: {model} gave no answer ({problem}). Try another model."


def failed(tries: int, problem: str) -> str:
    return f"the server failed {tries} times: {problem}"


def too_many_failures(questions: int, problem: str) -> str:
    return f"{questions} questions in a row got no answer ({problem}). Try again later, or choose another judge."


def untrusted(host: str) -> str:
    return f"{host} {UNTRUSTED}"


def no_credit(host: str, then: str = OTHER_JUDGE) -> str:
    return f"{host}: your account has no credit left. Add credit with the provider, {then}."


def key_refused(host: str) -> str:
    return f"{host} does not accept the key. Check the key in the judge's settings."


def key_needed(host: str, given: str) -> str:
    said = "does not accept the key. Check it" if given else "asks for a key. Enter the one from your account"
    return f"{host} {said} and try again."


def unknown_model(host: str, model: str) -> str:
    return f"{host} does not know the model {model}. Check its name."


def no_chat_models(host: str, model: str) -> str:
    return (
        f"{host} has no chat models there, or does not know the model {model}. Check the address (most end in /v1) "
        "and the model's name."
    )


def redirected(host: str) -> str:
    return f"{host} redirects to another address; nothing was sent there. Enter that one."


def refused(code: int) -> str:
    return f"the server refused the question with {status(code)}"


def asks_to_wait(host: str, seconds: float) -> str:
    return f"{host} asks you to wait {duration(seconds)}. Try again later."


def no_list(host: str, problem: object) -> str:
    return f"{host} gave no list of its models: {problem}. Check the address."


def not_a_list(host: str) -> str:
    return f"{host} answered, but not with a list of models. Check the address."


def unreachable(host: str) -> str:
    return f"{host} cannot be reached. Check the address and the network."


def answered(host: str, code: int) -> str:
    return f"{host} answered with {status(code)}. Check the address."


def takes_longer(seconds: float) -> str:
    return f"the answer takes longer than {counted(round(seconds / 60), 'minute')}"


def longer_than(most: int) -> str:
    return f"the answer is longer than {most // 1024 // 1024} MB"


def batch_unusable(host: str) -> str:
    return f"{host} gave an unusable answer about the batch. Run the same command again later."


def batch_impossible(host: str, problem: object) -> str:
    return f"{host} cannot be used for a batch: {problem}. Leave out --provider-batch."


def batch_unreachable(host: str) -> str:
    return f"{host} cannot be reached. Run the same command again later; nothing is paid twice."


def batch_busy(host: str, code: int) -> str:
    return f"{host} is busy ({status(code)}). Run the same command again later; nothing is paid twice."


def no_batches(host: str) -> str:
    return f"{host} has no batch API. Leave out --provider-batch."


def batch_refused(host: str, code: int) -> str:
    return f"{host} refused the batch ({status(code)}). Leave out --provider-batch."
