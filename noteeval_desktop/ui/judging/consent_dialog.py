"""Asks before anything is sent: who receives it, what exactly, which words are hidden; Send or Cancel."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.privacy.consent import Agreement, Consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging import consent_words, words
from noteeval_desktop.ui.judging.sending import Body, Prepared, Word
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, UNIT, open_at, sized
from noteeval_desktop.ui.widgets.words import CANCEL

_AGREEMENTS = (
    (consent_words.CHOOSE_AN_ANSWER, None),
    (consent_words.YES, Agreement.YES),
    (consent_words.NO, Agreement.NO),
    (consent_words.I_DO_NOT_KNOW, Agreement.UNKNOWN),
)


class ConsentDialog(QDialog):
    """``words_decided(dict)``: words to True (hide) or False (send as they are). Until ``show_prepared`` answers,
    nothing can be sent: what is sent is what is shown."""

    words_decided = Signal(object)

    def __init__(self, settings: Settings, prepared: Prepared, agreed: Consent | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(consent_words.BEFORE_ANYTHING_IS_SENT)
        self.prepared = prepared
        self._settings = settings
        self._showing = False
        self._ready = True
        self._summary = PlainLabel("", wrap=True)
        self._about_words = PlainLabel("", look="muted", wrap=True)
        self.word_list = self._word_list()
        self.request_chooser = QComboBox()
        name_choice(self.request_chooser, consent_words.WHICH_REQUEST_IS_SHOWN)
        self.request_chooser.setMinimumHeight(HIT)
        self.byte_for_byte = QCheckBox(consent_words.EXACT_REQUEST)
        self.byte_for_byte.setToolTip(consent_words.SHOW_THE_EXACT_REQUEST)
        self.request_view = self._preview()
        self.repair_hint = PlainLabel(
            (consent_words.SENT_ONLY_ONCE_AND_ONLY_IF),
            look="muted",
            wrap=True,
        )
        self.agreement_chooser = QComboBox()
        self.send_button = QPushButton(consent_words.SEND)
        self._build(agreed)
        self.show_prepared(prepared)
        open_at(self, 960, 700)

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.agreement_chooser.currentData())

    def _word_list(self) -> QListWidget:
        found = QListWidget()
        found.setAccessibleName(consent_words.CAPITALISED_WORDS_THAT_NO_RULE)
        found.itemChanged.connect(self._on_word)
        return found

    def _preview(self) -> QPlainTextEdit:
        view = QPlainTextEdit()
        view.setReadOnly(True)
        view.setAccessibleName(consent_words.WHAT_IS_SENT)
        view.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), SMALL_SIZE))
        view.setTabChangesFocus(True)
        return view

    def _build(self, agreed: Consent | None) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 2 * UNIT)
        layout.setSpacing(UNIT)
        who = PlainLabel(consent_words.goes_to(words.host(self._settings.base_url)), look="heading", wrap=True)
        who.setFont(sized(self.font(), 17, who.font().Weight.DemiBold))
        layout.addWidget(who)
        layout.addWidget(
            PlainLabel(
                consent_words.service_and_model(self._settings.base_url, self._settings.remote_model),
                look="muted",
                wrap=True,
            )
        )
        layout.addWidget(self._summary)
        middle = QHBoxLayout()
        middle.setSpacing(2 * UNIT)
        middle.addLayout(self._left(), 2)
        middle.addLayout(self._right(), 5)
        layout.addLayout(middle, 1)
        layout.addLayout(self._bottom(agreed))

    def _left(self) -> QVBoxLayout:
        left = QVBoxLayout()
        left.addWidget(PlainLabel(consent_words.WORDS_TO_DECIDE_ABOUT, look="heading"))
        left.addWidget(self._about_words)
        left.addWidget(self.word_list, 1)
        left.addStretch()
        rules = consent_words.READ_WHAT_IS_SENT
        left.addWidget(PlainLabel(rules, look="muted", wrap=True))
        return left

    def _right(self) -> QVBoxLayout:
        right = QVBoxLayout()
        row = QHBoxLayout()
        row.addWidget(PlainLabel(consent_words.WHAT_IS_SENT, look="heading"))
        row.addStretch(1)
        row.addWidget(self.byte_for_byte)
        row.addWidget(self.request_chooser)
        right.addLayout(row)
        right.addWidget(self.request_view, 1)
        right.addWidget(self.repair_hint)
        self.request_chooser.currentIndexChanged.connect(lambda _: self._show_body())
        self.byte_for_byte.toggled.connect(lambda _: self._show_body())
        return right

    def _bottom(self, agreed: Consent | None) -> QHBoxLayout:
        question = PlainLabel(consent_words.DO_YOU_HAVE_AN_AGREEMENT, wrap=True)
        question.setBuddy(self.agreement_chooser)
        self.agreement_chooser.setAccessibleName(question.text())
        self.agreement_chooser.setMinimumHeight(HIT)
        for text, value in _AGREEMENTS:
            self.agreement_chooser.addItem(text, value.value if value else None)
        if agreed is not None:
            self.agreement_chooser.setCurrentIndex(self.agreement_chooser.findData(agreed.agreement.value))
        self.agreement_chooser.currentIndexChanged.connect(lambda _: self._enable())
        cancel = QPushButton(CANCEL)
        cancel.setDefault(True)
        for button in (cancel, self.send_button):
            button.setMinimumHeight(HIT + 4)
        self.send_button.setAutoDefault(False)
        self.send_button.setProperty("look", "primary")
        cancel.clicked.connect(self.reject)
        self.send_button.clicked.connect(self._on_send)
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        row.addWidget(question, 1)
        row.addWidget(self.agreement_chooser)
        row.addSpacing(2 * UNIT)
        row.addWidget(cancel)
        row.addWidget(self.send_button)
        return row

    def show_prepared(self, prepared: Prepared) -> None:
        """What would be sent now; from here on it may be."""
        self.prepared, self._ready, self._showing = prepared, True, True
        if self.word_list.count() != len(prepared.words):
            self.word_list.clear()
            for word in prepared.words:
                item = QListWidgetItem(_named(word), self.word_list)
                item.setData(Qt.ItemDataRole.UserRole, word.text)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        for number, word in enumerate(prepared.words):
            state = Qt.CheckState.Checked if word.hidden else Qt.CheckState.Unchecked
            self.word_list.item(number).setCheckState(state)
        self.word_list.setVisible(bool(prepared.words))
        self._about_words.setText(
            consent_words.NOTEEVAL_DOES_NOT_KNOW_THESE if prepared.words else consent_words.NO_UNKNOWN_WORDS
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
        self.send_button.setToolTip("" if answered else consent_words.FIRST_ANSWER_THE_QUESTION_ABOUT)

    def _on_send(self) -> None:
        if self.send_button.isEnabled():
            self.accept()


def _names(prepared: Prepared) -> Iterator[tuple[Body, str]]:
    """What is sent, then what may be sent after it, each with its name for the list."""
    for some in (prepared.bodies, prepared.repairs):
        kinds = [body.question for body in some]
        for number, body in enumerate(some):
            kind = kinds[number]
            part = words.part_of(kinds[:number].count(kind) + 1, kinds.count(kind)) if kinds.count(kind) > 1 else ""
            yield (
                body,
                f"{consent_words.QUESTIONS.get(kind, kind)}{part}{consent_words.ASKED_AGAIN if body.again else ''}",
            )


def _named(word: Word) -> str:
    often = f"  ({word.count})" if word.count > 1 else ""
    return f"{word.text}{often}{consent_words.MAY_BE_A_NAME if word.suspected else ''}"


def _summary(prepared: Prepared, settings: Settings) -> str:
    if not prepared.bodies:
        return consent_words.NOTHING_NEW_TO_SEND
    price = settings.price_input if settings.price_output else ""
    cost = prepared.bytes // 4 * float(price) / 1e6 if price else None
    said = words.summary(len(prepared.bodies), prepared.bytes, prepared.masked, cost)
    unencrypted = consent_words.NOT_ENCRYPTED if settings.unencrypted_address == settings.base_url else ""
    return said + unencrypted + (f" {consent_words.MOSTLY_HIDDEN}" if prepared.mostly_hidden else "")
