"""Which claims may go to no language model: `python -m tests.benchmarks.bench_vouching`.

By hand; takes about two minutes of a core. Of the composed sessions whose authors the judge never met, where of every
claim it is known whether it is true: how many true and how many false ones each rule would vouch for. A rule: the
claim is called supported with at least this confidence, is on nothing grave, denies nothing (or may), and a window of
the session holds at least this share of its words and all of its numbers.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product

from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.judges import making
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.builtin.support.retrieval import READ, best_windows, window_scores
from noteeval_desktop.judges.builtin.support.vouching import grave
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.polarity import negated
from noteeval_desktop.measures.composed import ComposedSession, Truth, load_composed
from noteeval_desktop.paths import resources
from noteeval_desktop.report.terminal import table

NEVER = threading.Event()
FILES = ("held_out.json", "held_out_twins.json")
SHARES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.0)


@dataclass(frozen=True)
class Claim:
    """``share`` of its words in the window that holds most of them, with all of its numbers."""

    truth: Truth
    passed: bool
    confidence: Confidence | None
    grave: bool
    denies: bool
    share: float


def claims(judge: BuiltinJudge, session: ComposedSession) -> Iterator[Claim]:
    lexicon, index = judge._lexicon, judge._index(session.case.transcript, NEVER)
    verdicts = {claim.sentence: claim for claim in judge.support(session.case, NEVER)}
    for one in session.claims:
        verdict, text = verdicts[one.sentence.id], expand(one.sentence.text)
        words = lexicon.words(text)
        told = {word.stem for word in words if word.content}
        numbers = {word.stem for word in words if word.folded[:1].isdigit()}
        [vector] = judge._embedder.embed([text], NEVER)
        scores, _ = window_scores(vector, lexicon.content_stems(text), index)
        shares = [0.0]
        for window in best_windows(scores)[:READ]:
            passages = [index.passages[at] for at in window.passages]
            heard = {w.stem for p in passages for n, w in enumerate(p.words) if w.content and n not in p.negated}
            shares += [len(told & heard) / len(told)] if told and numbers <= heard else []
        passed = verdict.verdict is Verdict.SUPPORTED and not verdict.set_aside
        yield Claim(
            one.truth, passed, verdict.confidence, grave(one.sentence, lexicon), bool(negated(words)), max(shares)
        )


def main() -> None:
    with ExitStack() as closing:
        judge = making.builtin_judge(load_rubric(), closing, threads=1)
        assert isinstance(judge, BuiltinJudge)
        sessions = [one for file in FILES for one in load_composed(resources() / "composed" / file)]
        found = [claim for session in sessions for claim in claims(judge, session)]
    rows = [["share of words", "confidence", "denials", *(f"{truth} vouched for" for truth in Truth)]]
    for sure, denials, share in product((False, True), (False, True), SHARES):
        row = [f"{share:.1f}", "high" if sure else "high, medium", "may" if denials else "none"]
        for truth in Truth:
            own = [claim for claim in found if claim.truth is truth]
            vouched = [
                claim
                for claim in own
                if claim.passed and not claim.grave and (denials or not claim.denies) and claim.share >= share
                if (claim.confidence is Confidence.SURE if sure else claim.confidence is not Confidence.UNSURE)
            ]
            row.append(f"{len(vouched)} of {len(own)}")
        rows.append(row)
    print(table(rows))


if __name__ == "__main__":
    sys.exit(main())
