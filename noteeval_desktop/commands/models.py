"""`noteeval models`."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run
from noteeval_desktop.engines import models
from noteeval_desktop.report.terminal import ProgressBar, table


def models_list(run: Run) -> int:
    """What is on this computer, and what can be had."""
    print(table(_model_rows(models.list_models())), file=run.out)
    return DONE


def models_check(run: Run) -> int:
    """Compare what is here with the manifest; exit code 1 where the encoder is missing or damaged."""
    found = models.check_models()
    print(table(_model_rows(found)), file=run.out)
    damaged = [model for model in found if model.remedy and model.state in (models.State.MISSING, models.State.DAMAGED)]
    for model in damaged:
        run.say(f"{model.name}: {model.state}. {model.remedy}")
    return JUDGE_FAILED if damaged else DONE


def models_build(run: Run) -> int:
    """Fetch and convert the sentence encoder."""
    bar = ProgressBar(run.err)
    path = models.build_encoder(lambda what, share: bar.show(what, round(100 * share), 100), run.cancel)
    bar.clear()
    print(f"The encoder is ready: {path.name}", file=run.out)
    return DONE


def _model_rows(found: Sequence[models.ModelStatus]) -> list[list[str]]:
    rows = [["Model", "Kind", "State", "Size", "Licence"]]
    for model in found:
        size = f"{model.bytes / 1e6:.0f} MB" if model.bytes else "–"
        rows.append([model.name, model.kind, model.state.value, size, model.licence or "–"])
    return rows
