"""What would be sent, shown before anything is, and the user's yes to every byte of it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.present.vocabulary import HARM_NAMES, REMARK_NAMES
from noteeval_desktop.privacy.consent import Agreement, Consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.judging.prepared import Body, Prepared
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, row, tick, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, sized
from noteeval_desktop.ui.widgets.words import CANCEL, CHECKLIST, CLAIMS, LEFT_OUT, RESPONSES, SENTENCES

_WHAT_IS_SENT = tr("What is sent")
_QUESTIONS = {
    "risks": HARM_NAMES[Harm.RISK],
    "checklist": CHECKLIST,
    "sentences": SENTENCES,
    "claims": CLAIMS,
    "omissions": LEFT_OUT,
    "goals": tr("Treatment plan"),
    "private": REMARK_NAMES[RemarkKind.PROCESS],
    "responses": RESPONSES,
    "marks": tr("Ratings"),
}
_AGREEMENTS = (
    (tr("Choose an answer"), None),
    (tr("Yes"), Agreement.YES.value),
    (tr("No"), Agreement.NO.value),
    (tr("I do not know"), Agreement.UNKNOWN.value),
)


class ConsentDialog(Window):
    """``words_decided(dict)``: words to True (hide) or False (send as they are). Until ``show_prepared`` answers,
    nothing can be sent: what is sent is what is shown."""

    words_decided = Signal(object)

    def __init__(self, settings: Settings, prepared: Prepared, agreed: Consent | None, parent: QWidget | None) -> None:
        super().__init__(parent, tr("Before anything is sent"), (960, 700))
        self.prepared = prepared
        self._settings = settings
        self._showing = False
        self._ready = True
        self._summary = PlainLabel("", wrap=True)
        self._about_words = PlainLabel("", look="muted", wrap=True)
        found = QListWidget()
        found.setAccessibleName(tr("Capitalized words that NoteEval does not know; ticked words are hidden"))
        found.itemChanged.connect(self._on_word)
        self.word_list = found
        self.request_chooser = choice(tr("Which request is shown"))
        exact = tr("Show the exact request that is sent, not only its text")
        self.byte_for_byte = tick(tr("Exact request"), hint=exact)
        self.request_view = view = writing(_WHAT_IS_SENT, read_only=True)
        view.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), SMALL_SIZE))
        self.repair_hint = PlainLabel(
            tr(
                "Sent only once, and only if an answer cannot be used. The last lines say what was "
                "wrong with the answer and what is asked again."
            ),
            look="muted",
            wrap=True,
        )
        asked = tr("Do you have an agreement with this service (such as a BAA)?")
        given = agreed.agreement.value if agreed is not None else None
        self.agreement_chooser = choice(asked, _AGREEMENTS, given)
        self.send_button = button(tr("Send"), self.accept, "primary")
        who = PlainLabel(
            tr("This case goes to {host}").format(host=status.host(self._settings.base_url)), look="heading", wrap=True
        )
        who.setFont(sized(self.font(), 17, who.font().Weight.DemiBold))
        where = tr("{address} · model {model}").format(
            address=self._settings.base_url, model=self._settings.remote_model
        )
        about = PlainLabel(where, look="muted", wrap=True)
        middle = row((self._left(), 2), (self._right(), 5), spacing=2)
        question = PlainLabel(asked, wrap=True)
        question.setBuddy(self.agreement_chooser)
        self.agreement_chooser.currentIndexChanged.connect(lambda _: self._enable())
        cancel = button(CANCEL, self.reject)
        cancel.setDefault(True)
        bottom = row((question, 1), self.agreement_chooser, cancel, self.send_button, spacing=1)
        column(who, about, self._summary, (middle, 1), bottom, on=self, margins=(3, 3, 3, 2), spacing=1)
        self.show_prepared(prepared)

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.agreement_chooser.currentData())

    def _left(self) -> QVBoxLayout:
        rules = tr(
            "Dates are shifted by a secret number of weeks, and shifted back in the answers. The rules find many "
            "identifiers, never all of them. Read what is sent."
        )
        heading, foot = PlainLabel(tr("Words to decide about"), look="heading"), PlainLabel(rules, "muted", True)
        return column(heading, self._about_words, (self.word_list, 1), None, foot)

    def _right(self) -> QVBoxLayout:
        self.request_chooser.currentIndexChanged.connect(lambda _: self._show_body())
        self.byte_for_byte.toggled.connect(lambda _: self._show_body())
        head = row(PlainLabel(_WHAT_IS_SENT, look="heading"), None, self.byte_for_byte, self.request_chooser)
        return column(head, (self.request_view, 1), self.repair_hint)

    def show_prepared(self, prepared: Prepared) -> None:
        """What would be sent now; from here on it may be."""
        self.prepared, self._ready, self._showing = prepared, True, True
        if self.word_list.count() != len(prepared.words):
            self.word_list.clear()
            for word in prepared.words:
                often = f"  ({word.count})" if word.count > 1 else ""
                named = f"{word.text}{often}{tr('  · may be a name') if word.suspected else ''}"
                item = QListWidgetItem(named, self.word_list)
                item.setData(Qt.ItemDataRole.UserRole, word.text)
        for number, word in enumerate(prepared.words):
            state = Qt.CheckState.Checked if word.hidden else Qt.CheckState.Unchecked
            self.word_list.item(number).setCheckState(state)
        self.word_list.setVisible(bool(prepared.words))
        self._about_words.setText(
            tr(
                "NoteEval is not sure about these words. Ticked words are hidden; untick those that "
                "identify nobody. “May be a name” marks likely names."
            )
            if prepared.words
            else tr("None: NoteEval is sure about every word of this case.")
        )
        at = max(0, self.request_chooser.currentIndex())
        self.request_chooser.clear()
        for body, name in _names(prepared):
            self.request_chooser.addItem(name, body)
        self.request_chooser.setCurrentIndex(min(at, self.request_chooser.count() - 1))
        self._showing = False
        self._summary.setText(_summary(prepared, self._settings))
        self._show_body()
        self._enable()

    def _show_body(self) -> None:
        body = self.request_chooser.currentData()
        if self._showing or not isinstance(body, Body):
            return
        self.repair_hint.setVisible(body.again)
        self.request_view.setPlainText(body.exact if self.byte_for_byte.isChecked() else body.readable)

    def _on_word(self, item: QListWidgetItem) -> None:
        if not self._showing:
            self._ready = False
            self._enable()
            hidden = item.checkState() == Qt.CheckState.Checked
            self.words_decided.emit({item.data(Qt.ItemDataRole.UserRole): hidden})

    def _enable(self) -> None:
        answered = self.agreement_chooser.currentData() is not None
        self.send_button.setEnabled(self._ready and answered)
        self.send_button.setToolTip("" if answered else tr("First answer the question about an agreement"))


def _names(prepared: Prepared) -> Iterator[tuple[Body, str]]:
    """What is sent, then what may be sent after it, each with its name for the list."""
    for some in (prepared.bodies, prepared.repairs):
        kinds = [body.question for body in some]
        for number, body in enumerate(some):
            kind = kinds[number]
            part = (
                tr(" {number} of {total}").format(number=kinds[:number].count(kind) + 1, total=kinds.count(kind))
                if kinds.count(kind) > 1
                else ""
            )
            yield (
                body,
                f"{_QUESTIONS.get(kind, kind)}{part}{tr(', asked again') if body.again else ''}",
            )


def _summary(prepared: Prepared, settings: Settings) -> str:
    if not prepared.bodies:
        return tr("All answers are known already: this check sends nothing.")
    price = settings.price_input if settings.price_output else ""
    cost = tr("cost unknown")
    if price:
        reading = status.money(prepared.bytes // 4 * float(price) / 1e6)
        cost = tr("about {cost} for reading, answers on top").format(cost=reading)
    said = tr(
        "{requests}, {size:,.1f} kB of text ({cost}). Identifiers are replaced in {places}. An answer that cannot be "
        "used is requested again, as the list shows. Nothing else is sent."
    ).format(
        requests=counted(len(prepared.bodies), "request"),
        size=prepared.bytes / 1000,
        cost=cost,
        places=counted(prepared.masked, "place"),
    )
    if settings.unencrypted_address == settings.base_url:
        said += tr(" The connection is not encrypted: everyone on your network could read it.")
    if prepared.mostly_hidden:
        said += tr(
            " Most words of this case are hidden before sending, as happens when a session is not in English. Little "
            "is left to judge."
        )
    return said
