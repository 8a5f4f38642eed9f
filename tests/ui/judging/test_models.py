"""Getting a model in the settings, checking it, and what the installed llama.cpp can do."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.engines.download import download
from noteeval_desktop.engines.local_llm.build import Build
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.engines.own_models import describe
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm import estimate
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.known_models import KnownModels
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging import chooser, download_dialog, model_fit
from noteeval_desktop.ui.judging.download_dialog import DownloadDialog
from noteeval_desktop.ui.judging.local_page import LocalPage
from noteeval_desktop.ui.widgets.jobs import JobRunner
from tests.engines.test_download import FileServer, serving
from tests.gguf_factory import make_chat_model

PLAIN = Build(frozenset(), gpu=False)


@pytest.fixture
def jobs(qtbot):
    runner = JobRunner()
    yield runner
    runner.shut_down()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_chat_model(tmp_path / "made.gguf", context=8192)


@pytest.fixture
def dialog(jobs, tmp_path: Path, qtbot) -> DownloadDialog:
    made = DownloadDialog(tmp_path / "models", 12_000_000_000, jobs)
    qtbot.addWidget(made)
    made.show()
    return made


def page_with(build: Build | Exception, jobs, qtbot, settings: Settings | None = None) -> LocalPage:
    def find(cancel: threading.Event) -> Build:
        if isinstance(build, Exception):
            raise build
        return build

    page = LocalPage(settings or Settings(), jobs, find)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: not jobs.busy)
    return page


def enter(dialog: DownloadDialog, server: FileServer, digest: str = "") -> None:
    dialog.which.setCurrentIndex(dialog.which.count() - 1)
    dialog.url.setText(server.url)
    dialog.sha256.setText(digest or hashlib.sha256(server.content).hexdigest())


def test_a_file_is_fetched_with_progress_and_becomes_the_model(jobs, model: Path, tmp_path: Path, qtbot) -> None:
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), model_folder=str(tmp_path / "models")))
    page.get.click()
    dialog = page.findChild(DownloadDialog)
    with serving(FileServer(content=model.read_bytes())) as server:
        enter(dialog, server)
        with qtbot.waitSignal(dialog.arrived):
            dialog.go.click()
            assert dialog.stop.text() == "Pause"
    assert "its SHA-256 is correct" in dialog.said.text()
    assert dialog.bar.value() == dialog.bar.maximum()
    qtbot.waitUntil(lambda: "It fits" in page._said.text())
    qtbot.waitUntil(lambda: page._said.text().endswith(" on this computer (measured on it)."), timeout=60_000)
    assert page.applied(Settings()).local_model == str(tmp_path / "models" / "model.gguf")
    assert page.list.topLevelItemCount() == 1
    dialog.reject()


def test_pausing_keeps_what_is_here_and_goes_on_from_there(dialog, monkeypatch, qtbot) -> None:
    held = threading.Event()

    def slow(wanted, folder, progress, cancel):
        def tell(done: int, total: int) -> None:
            progress(done, total)
            held.set()
            cancel.wait(10)

        return download(wanted, folder, tell, cancel)

    with serving(FileServer()) as server:
        enter(dialog, server)
        monkeypatch.setattr(download_dialog, "download", slow)
        dialog.go.click()
        qtbot.waitUntil(held.is_set)
        qtbot.waitUntil(lambda: " of 3.1 MB" in dialog.said.text())
        dialog.stop.click()
        qtbot.waitUntil(lambda: "Paused" in dialog.said.text())
        assert dialog.go.isEnabled()
        assert dialog.go.text() == "Resume"
        monkeypatch.setattr(download_dialog, "download", download)
        with qtbot.waitSignal(dialog.arrived):
            dialog.go.click()
    assert server.asked[1].startswith("bytes=")


@pytest.mark.parametrize(
    ("server", "digest", "said"),
    [
        (FileServer(status=404), "", "status 404"),
        (FileServer(), "0" * 64, "SHA-256 differs"),
        (FileServer(), "12", "has 64 digits"),
    ],
)
def test_what_goes_wrong_is_said(server: FileServer, digest: str, said: str, dialog, qtbot) -> None:
    with serving(server):
        enter(dialog, server, digest)
        dialog.go.click()
        qtbot.waitUntil(lambda: said in dialog.said.text())
    assert dialog.go.isEnabled()
    assert dialog.stop.text() == "Close"


def test_the_one_that_suits_is_one_button_away(dialog) -> None:
    entry = model_fit.suited(12_000_000_000)
    assert dialog.entry == entry
    assert dialog.which.currentText().endswith(" GB), suits this computer")
    names = [dialog.which.itemText(row) for row in range(dialog.which.count())]
    assert sum("suits" in name for name in names) == 1
    assert entry.expected in dialog._details.text()
    assert entry.licence in dialog._details.text()
    assert entry.home in dialog._way.text()
    assert "nothing from your cases" in dialog._way.text()
    assert not dialog.url.isVisible()
    dialog.which.setCurrentIndex(dialog.which.count() - 1)
    assert dialog.url.isVisible()


def test_a_download_that_was_paused_can_be_resumed_another_day(jobs, tmp_path: Path, qtbot) -> None:
    entry = model_fit.suited(12_000_000_000)
    (tmp_path / f"{entry.file}.part").write_bytes(b"x" * 2_000_000)
    again = DownloadDialog(tmp_path, 12_000_000_000, jobs)
    qtbot.addWidget(again)
    assert again.go.text() == "Resume"
    assert again.said.text() == f"2.0 MB of {entry.bytes / 1e9:.1f} GB are already downloaded."


@pytest.mark.parametrize(
    ("free", "cores", "gpu", "name"),
    [
        (12e9, 2, True, "Qwen3-14B"),
        (None, 2, True, "Qwen3-14B"),
        (8e9, 2, True, "Qwen3.5-9B"),
        (12e9, 2, False, "Qwen3-4B-Instruct-2507"),
        (12e9, 8, False, "Qwen3.5-9B"),
        (5e9, 8, False, "Qwen3-4B-Instruct-2507"),
        (1e9, 8, True, "Qwen2.5"),
    ],
)
def test_the_suggestion_goes_by_memory_cores_and_graphics(free: float | None, cores: int, gpu: bool, name: str) -> None:
    assert model_fit.suited(None if free is None else int(free), gpu, cores).name.startswith(name)


def test_the_time_is_said_in_minutes_and_whether_it_was_measured() -> None:
    assert estimate.said(Speed(60.0, 12.0), measured=True).startswith("About 10 minutes for a 50-minute session")
    assert estimate.said(Speed(1e6, 1e6), measured=True).startswith("About 1 minute for")
    assert "61 minutes" in estimate.said(Speed(10.0, 2.0), measured=False)
    with_responses = estimate.seconds(estimate.FIFTY_MINUTES, Speed(60.0, 12.0), responses=True)
    assert with_responses > 2 * estimate.seconds(estimate.FIFTY_MINUTES, Speed(60.0, 12.0))
    assert "estimated from its cores" in model_fit.details(read_manifest().chat[0], None)


def test_a_chosen_model_can_be_tested_from_its_page(jobs, model: Path, monkeypatch, qtbot) -> None:
    monkeypatch.setattr(making, "admit", lambda *_, **__: Result(dict.fromkeys(KINDS, (11, 12))))
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), local_model=str(model), model_folder=str(model.parent)))
    page.test.click()
    qtbot.waitUntil(lambda: "This model answered 66 of 72 test questions as expected." in page._said.text())
    assert page.test.text() == "Test the model"


def test_of_a_model_that_guesses_no_time_is_said(jobs, model: Path, home: Path, monkeypatch, qtbot) -> None:
    KnownModels.of_this_user().keep_speed(model, Speed(60.0, 11.0))
    monkeypatch.setattr(making, "admit", lambda *_, **__: Result(dict.fromkeys(KINDS, (6, 12))))
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), local_model=str(model), model_folder=str(model.parent)))
    page.test.click()
    qtbot.waitUntil(lambda: page._said.text().endswith("Choose another model."))


def test_a_model_whose_speed_cannot_be_measured_is_kept_and_the_reason_said(jobs, tmp_path: Path, qtbot) -> None:
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), model_folder=str(tmp_path)))
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(40))
    page._on_arrived(tmp_path / "broken.gguf")
    qtbot.waitUntil(lambda: not jobs.busy, timeout=60_000)
    assert page._said.text().startswith("broken.gguf")
    assert "measured" not in page._said.text()


def test_what_the_built_in_judge_is_made_of_is_not_offered_as_a_model(jobs, model: Path, qtbot) -> None:
    for name in (read_manifest().encoder.file, "reader-0123456789abcdef.gguf", "listener-0123456789abcdef.gguf"):
        (model.parent / name).write_bytes(model.read_bytes())
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), model_folder=str(model.parent)))
    assert [page.list.topLevelItem(row).text(0) for row in range(page.list.topLevelItemCount())] == ["tiny"]


def test_every_suggestion_states_licence_size_and_needs() -> None:
    for entry in read_manifest().chat:
        said = model_fit.details(entry, 1_000_000_000)
        assert entry.licence in said
        assert f"{entry.memory_gb:g} GB of memory, more than the 1.0 GB that are free" in said
        assert f"{entry.bytes / 1e9:.1f} GB" in said


def test_the_checksum_of_the_chosen_file_is_shown(jobs, model: Path, qtbot) -> None:
    page = page_with(PLAIN, jobs, qtbot, replace(Settings(), local_model=str(model), model_folder=str(model.parent)))
    page.checksum.click()
    qtbot.waitUntil(lambda: hashlib.sha256(model.read_bytes()).hexdigest() in page._said.text())


@pytest.mark.parametrize(
    ("build", "switch", "said"),
    [
        (PLAIN, False, "This installation cannot use the graphics processor."),
        (Build(frozenset(), gpu=True), True, ""),
        (Build(frozenset({"AMX_INT8", "SME"}), gpu=False), False, "llama.cpp here needs a processor with"),
        (ModelError("This processor lacks an instruction."), False, "This processor lacks an instruction."),
        (RuntimeError("clinical"), False, "llama.cpp does not answer (RuntimeError)."),
    ],
)
def test_the_page_says_what_llama_cpp_here_can_do(build, switch: bool, said: str, jobs, qtbot) -> None:
    page = page_with(build, jobs, qtbot, replace(Settings(), local_gpu=True))
    assert page.gpu.isVisible() is switch
    assert said in page._build_said.text()
    assert page._build_said.isVisible() is bool(said)
    if isinstance(build, Build):
        assert page.applied(Settings()).local_gpu is switch


def test_the_graphics_processor_is_shown_where_the_judge_is_chosen(model: Path) -> None:
    chosen = Settings(local_model=str(model), local_gpu=True)
    assert "With the graphics processor" in chooser.choice_line("local", chosen, locked=False)
    assert "graphics" not in chooser.choice_line("local", replace(chosen, local_gpu=False), locked=False)


@pytest.mark.parametrize(("context", "said"), [(2048, "trained for 2,048 tokens"), (32_768, "up to 8,192 tokens")])
def test_the_context_is_compared_with_what_is_needed(tmp_path: Path, context: int, said: str) -> None:
    model = describe(make_chat_model(tmp_path / "m.gguf", context=context), 8_000_000_000)
    assert said in model_fit.fit(model, 8_000_000_000)
    assert model_fit.cells(model, None)[5] == ("short context" if context < 4096 else "fits")
