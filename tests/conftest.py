"""What every test gets: no network, no screen, a home folder of its own, the encoder, the shared data if there."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 2 << 30
ROOT = Path(__file__).resolve().parent.parent
NO_NETWORK = Path(__file__).resolve().parent / "no_network"

# Where the shell forbids to keep bytecode, each worker would compile every test, and each command the whole program.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["NOTEEVAL_NO_NETWORK"] = "1"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(NO_NETWORK), os.environ.get("PYTHONPATH")]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A name of its own: a system's sitecustomize may have been imported already, and PYTHONPATH came too late for us.
# Not ours again, though: a worker of pytest-xdist starts with it, and its hook counts in the module that came first.
if str(NO_NETWORK) not in str(getattr(sys.modules.get("sitecustomize"), "__file__", "")):
    sys.modules.pop("sitecustomize", None)
sys.path.insert(0, str(NO_NETWORK))
import sitecustomize  # noqa: E402

sys.path.remove(str(NO_NETWORK))


def _in_memory() -> bool:
    """Libraries are written through to the disk, thousands of times: there each waits for 8 ms, in memory for none."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    runs_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return runs_programs and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY


if _in_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

from noteeval_desktop.domain.rubric import Rubric  # noqa: E402
from noteeval_desktop.engines import models  # noqa: E402
from noteeval_desktop.engines.embedder import MAX_TOKENS, LlamaEmbedder  # noqa: E402
from noteeval_desktop.judges import builtin, making  # noqa: E402
from noteeval_desktop.judges.builtin.judge import BuiltinJudge  # noqa: E402
from noteeval_desktop.measures.tn_eval import LabelledNote  # noqa: E402
from noteeval_desktop.privacy.identifiers import IdentifierFinder  # noqa: E402
from noteeval_desktop.research.published import load_notes  # noqa: E402
from tests.sample_evaluation import sample_rubric  # noqa: E402


def pytest_collection_finish() -> None:
    """What thousands of tests consist of stays, and need not be gone through for garbage again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _built_encoder() -> Path:
    """Where this user's encoder is, or would be; looked up before the home folder changes."""
    return models.encoder_path()


@pytest.fixture(scope="session", autouse=True)
def noteeval_home(_built_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home folder for the session (the user's library and settings stay out of reach), with the encoder."""
    home = tmp_path_factory.mktemp("home")
    (home / "models").mkdir()
    if _built_encoder.is_file():
        _lend(_built_encoder, home / "models" / _built_encoder.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTEEVAL_HOME", str(home))
        yield home


def _lend(source: Path, target: Path) -> None:
    try:
        target.symlink_to(source)
    except OSError:  # Windows asks for a privilege
        shutil.copyfile(source, target)


@pytest.fixture(scope="session")
def encoder_path(noteeval_home: Path, _built_encoder: Path) -> Path:
    """The sentence encoder's GGUF. ``installers/bootstrap.py test`` builds it before the tests run."""
    path = noteeval_home / "models" / _built_encoder.name
    if not path.is_file():
        pytest.skip("the sentence encoder is not built; run `noteeval models build` (bootstrap.py test does)")
    return path


class Lent(LlamaEmbedder):
    """Whoever closes it gives it back: it is there for the next test."""

    def hold(self, closing: ExitStack) -> LlamaEmbedder:
        return self

    def close(self) -> None:
        pass


@pytest.fixture(scope="session")
def encoder(encoder_path: Path) -> Iterator[Lent]:
    """For tests of what is made of its vectors: what it has read for one test it need not read for the next."""
    lent = Lent(encoder_path, threads=1)
    yield lent
    LlamaEmbedder.close(lent)


@pytest.fixture(scope="session")
def rubric() -> Rubric:
    return sample_rubric()


@pytest.fixture(scope="session")
def judge(encoder: Lent, rubric: Rubric) -> BuiltinJudge:
    """The built-in one, as it ships: what it has read of a case for one test it need not read for the next."""
    return builtin.load(encoder, rubric)


@pytest.fixture(scope="session")
def finder(encoder: Lent) -> IdentifierFinder:
    """What hides names in the program that ships."""
    return making.identifier_finder(encoder)


@pytest.fixture
def lent_encoder(encoder: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every judge that this process makes gets ``encoder`` in place of one of its own."""

    def lend(path: Path, threads: int | None = None, max_tokens: int = MAX_TOKENS) -> LlamaEmbedder:
        return encoder if max_tokens == MAX_TOKENS else LlamaEmbedder(path, threads, max_tokens)

    monkeypatch.setattr("noteeval_desktop.judges.making.LlamaEmbedder", lend)


@pytest.fixture
def another_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server on loopback stands for one elsewhere: what is sent has no names."""
    monkeypatch.setattr("noteeval_desktop.engines.loopback.on_this_computer", lambda address, model="": False)


@pytest.fixture
def parsed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are parsed in this process. For tests of what is read: the child that a parser otherwise runs in takes a
    quarter of a second, and has tests of its own (test_isolation, test_bad_inputs, test_hostile_case_file)."""
    for module in ("documents.files", "store.case_file", "report.verifying"):
        monkeypatch.setattr(f"noteeval_desktop.{module}.run_isolated", lambda function, *args, **_: function(*args))


@pytest.fixture(scope="session")
def dev_data() -> Path:
    """The TN-Eval development data, which is never part of the project: NOTEEVAL_DEV_DATA, or beside the checkout."""
    path = Path(os.environ.get("NOTEEVAL_DEV_DATA") or ROOT.parent / "shared" / "data" / "tn_eval_dev.json")
    if not path.is_file():
        pytest.skip("tn_eval_dev.json is not here; set NOTEEVAL_DEV_DATA to its path to run this test")
    return path


@pytest.fixture(scope="session")
def published_notes(dev_data: Path) -> tuple[LabelledNote, ...]:
    """Its notes, whose sentences take seconds to find."""
    return tuple(load_notes(dev_data))


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fail a test that tried to leave this machine, even when the code under test hid the refusal."""
    sitecustomize.ATTEMPTS.clear()
    yield
    attempts = list(sitecustomize.ATTEMPTS)
    sitecustomize.ATTEMPTS.clear()
    assert not attempts, f"tried to reach {attempts}; tests stay on this machine"
