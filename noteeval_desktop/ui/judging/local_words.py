"""What is said of models on this computer and of fetching one."""

from __future__ import annotations

from noteeval_desktop.ui.widgets.words import wrong_inside

PAUSED = "Paused. The part downloaded so far is kept, even if you close this window."
CHECKING_THE_SHA_256 = "Checking the SHA-256…"
ANY_CHAT_MODEL_IN_GGUF_FORMAT = "Any chat model in GGUF format. The publisher's page gives its address and SHA-256."
ANOTHER_FILE = "Another file"
GET_A_MODEL = "Get a model"
THE_FOLDER_CANNOT_BE_READ = "The folder cannot be read. Choose another."
CHOOSE_A_FOLDER_WITH_MODELS = "Choose a folder with models"
GGUF_MODELS = "GGUF models (*.gguf)"
CHOOSE_A_MODEL = "Choose a model"
TEST_THE_MODEL = "Test the model"
A_LANGUAGE_MODEL = (
    "A language model on this computer reads the note and gives reasons. Nothing is sent, and a damaged "
    "model file cannot harm your note."
)
MODELS_IN_THIS_FOLDER = "Models in this folder"
USE_THE_GRAPHICS_PROCESSOR = "Use the graphics processor"
SHOW_SHA_256 = "Show SHA-256"
GET_A_MODEL_FROM_LIST = "Get a model…"
A_CHAT_MODEL_IN_GGUF_FORMAT = "A chat model in GGUF format, usually 3 to 8 GB"
MODEL_FILE = "Model file"
DOWNLOAD_SENDS = (
    "Only the file's address is sent, nothing from your cases. Only for this download does NoteEval use the proxy and "
    "certificates of this computer."
)
ADDRESS_OF_THE_FILE = "Address of the file"
SHA_DIGITS = "64 digits, from the publisher's page"
RESUME = "Resume"
PAUSE = "Pause"
SIZE = "Size"
QUANTISATION = "Quantisation"
SPEED_IS_MEASURED = "How fast it works on this computer is measured…"
CONTEXT = "Context"
NEEDS = "Needs"
CHOOSE_FOLDER = "Choose folder…"


def download_failed(name: str) -> str:
    return f"{wrong_inside(name)} Try again."


def downloaded(name: str) -> str:
    return f"{name} is here, and its SHA-256 is right."


def sends_the_address(said: str) -> str:
    return f"Only the file's address is sent, nothing from your cases. {said}"


def suits(name: str) -> str:
    return f"{name}, suits this computer"


def here_already(here: str, whole: str) -> str:
    return f"{here} of {whole} are here already."


def from_publisher(home: str, sent: str) -> str:
    return f"From {home}. {sent} A file whose SHA-256 differs from the list's is deleted."


def loading_for_the_test(name: str) -> str:
    return f"{name} is loaded for the test. It takes some minutes."


def answering(name: str, number: int, total: int) -> str:
    return f"{name}: answering test question {number} of {total}…"


def no_llama_cpp(name: str) -> str:
    return f"llama.cpp cannot be asked ({name})."


def of_size(size: str) -> str:
    return f" of {size}"


def time_left(duration: str) -> str:
    return f", about {duration} left"


def reading(name: str, percent: object) -> str:
    return f"{name}: reading, {percent} %…"


def with_digest(said: str, digest: str) -> str:
    return f"{said}\nSHA-256 {digest}"
