"""`noteeval models test`, and the same before a local model judges for the first time."""

from __future__ import annotations

import sys
from pathlib import Path

from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run, interrupted_at_once
from noteeval_desktop.domain.phrases import share_of, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm import estimate
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.known_models import KnownModels
from noteeval_desktop.report.terminal import ProgressBar, table


def models_test(run: Run) -> int:
    """What a model answered of the entrance test, anew; exit code 1 for one that is not asked about notes."""
    options = run.options
    served, model = options.base_url is not None, Path(options.model)
    if not served and not model.is_file():
        raise InputError(model.name, tr("there is no such model file"), tr("Check the path."))
    if served:
        run.say(
            tr(
                "{questions} questions about two invented sessions are sent: about 25,000 tokens. Nothing of yours is."
            ).format(questions=making.entrance().asked)
        )
    result = _served(run) if served else _tested(model, making.ALL_LAYERS if options.gpu else 0, anew=True)
    rows = [
        [name, share_of(right, asked)]
        for name, (right, asked) in zip(KINDS.values(), result.kinds.values(), strict=True)
        if asked
    ]
    print(table([[tr("Test questions on"), tr("As expected")], *rows]), file=run.out)
    print(f"\n{result.said}", file=run.out)
    speed = None if served else KnownModels.of_this_user().speed(model)
    if speed is not None and not result.refused:
        print(estimate.said(speed, measured=True), file=run.out)
    return JUDGE_FAILED if result.refused else DONE


def let_in(model: Path, gpu_layers: int) -> None:
    """The test where the model has not taken it; tells what there is to know of it. Raises ModelError where it is not
    to be believed."""
    result = _tested(model, gpu_layers, anew=False)
    making.check_admitted(result, model.name)


def _served(run: Run) -> Result:
    options, bar = run.options, ProgressBar(sys.stderr)
    try:
        return making.admit_served(
            options.base_url,
            options.model,
            run.key(options.base_url),
            unencrypted=options.allow_unencrypted,
            cancel=run.cancel,
            anew=True,
            progress=lambda done, all: bar.show(tr("Test questions"), done, all),
        )
    finally:
        bar.clear()


def _tested(model: Path, gpu_layers: int, *, anew: bool) -> Result:
    bar = ProgressBar(sys.stderr)
    try:
        with interrupted_at_once():
            return making.admit(
                model,
                gpu_layers=gpu_layers,
                anew=anew,
                progress=lambda done, all: bar.show(tr("Test questions"), done, all),
            )
    finally:
        bar.clear()
