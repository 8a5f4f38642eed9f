"""What is asked about a case of the library: what it is called, which day, whether a blind review comes first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtGui import QIcon, QTextCharFormat
from PySide6.QtWidgets import QDateEdit, QMessageBox, QSpinBox, QToolButton, QWidget

from noteeval_desktop import documents
from noteeval_desktop.domain.phrases import moment, tr
from noteeval_desktop.store.records import Labels, Pending
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.parts import tick
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN


def labels_of(note_text: str, when: datetime) -> Labels:
    """For a case that is to be kept: what the note's own fields say. The label, which files carry, names nobody."""
    day_first = QLocale().dateFormat(QLocale.FormatType.ShortFormat).lower().startswith("d")
    client, day = documents.client_and_date(note_text, day_first)
    return Labels(tr("Case of {moment}").format(moment=moment(when)), client=client, session_date=day)


class LabelCase(Asking):
    """What a case is called in the list: the user's own words."""

    def __init__(self, parent: QWidget, button: str, shown: Labels) -> None:
        explained = tr("The list of cases shows these labels. You need not use real names.")
        super().__init__(parent, tr("Labels of the case"), explained, button)
        self.label = self.field(tr("Label"), shown=shown.label)
        self.clinician = self.field(CLINICIAN, shown=shown.clinician)
        self.client = self.field(CLIENT, shown=shown.client)
        self.tags = self.field(tr("Tags"), shown=", ".join(shown.tags))
        self.tags.setPlaceholderText(tr("intake, to discuss"))
        self.dated = tick(tr("Session date"), shown.session_date is not None)
        self.date = date_field(tr("Date of the session"), shown.session_date or date.today())
        self.date.setEnabled(self.dated.isChecked())
        self.dated.toggled.connect(self.date.setEnabled)
        self.form.addRow(self.dated, self.date)
        self.dated.setMinimumHeight(self.date.sizeHint().height())  # in the style of the dialog
        self.label.selectAll()

    def problem(self) -> str:
        return "" if self.label.text().strip() else tr("Give the case a label, so that you can find it.")

    @property
    def labels(self) -> Labels:
        label, clinician, client = (field.text().strip() for field in (self.label, self.clinician, self.client))
        tags = dict.fromkeys(tag.strip() for tag in self.tags.text().split(",") if tag.strip())
        return Labels(label, clinician, client, day_of(self.date) if self.dated.isChecked() else None, tuple(tags))


_SAID = {
    Pending.WAITING: tr("This note is waiting for your blind review."),
    Pending.UNDER_WAY: tr("A blind review of this note is under way."),
}
_EXPLAINED = tr(
    "If you open the case, you see the judge’s marks and whose note it is. Its review is "
    "then not blind: the scorecard says so, and the review is not used to compare raters."
)


class OpenOrReview(QMessageBox):
    """Reviewing first is what Enter does, and Escape does nothing; never waits, so that locking can close it."""

    def __init__(
        self, parent: QWidget, pending: Pending, review: Callable[[], object], open_all: Callable[[], object]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open the case"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(_SAID[pending])
        self.setInformativeText(_EXPLAINED)
        self.review = self.addButton(tr("Review it blind first"), QMessageBox.ButtonRole.AcceptRole)
        self.open_all = self.addButton(tr("Open with the judge’s marks"), QMessageBox.ButtonRole.ActionRole)
        self.setDefaultButton(self.review)
        self.setEscapeButton(self.addButton(QMessageBox.StandardButton.Cancel))
        acts = ((self.review, review), (self.open_all, open_all))

        def answer() -> None:
            self.deleteLater()
            for button, act in acts:
                if self.clickedButton() is button:
                    act()

        self.finished.connect(lambda _: answer())


def date_field(name: str, shown: date) -> QDateEdit:
    field = QDateEdit(QDate(shown.year, shown.month, shown.day))
    field.setCalendarPopup(True)
    field.setDisplayFormat(tr("d MMM yyyy"))
    field.setAccessibleName(name)
    field.setMinimumHeight(HIT)
    # Qt draws black arrows and red weekends, whatever is behind them.
    calendar = field.calendarWidget()
    for name, drawn, said in (("prevmonth", "‹", tr("Month before")), ("nextmonth", "›", tr("Next month"))):
        button = calendar.findChild(QToolButton, f"qt_calendar_{name}")
        if isinstance(button, QToolButton):
            button.setIcon(QIcon())
            button.setText(drawn)
            button.setAccessibleName(said)
    plain = QTextCharFormat()
    plain.setForeground(calendar.palette().text())
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, plain)
    return field


def day_of(field: QDateEdit) -> date:
    chosen = field.date()
    return date(chosen.year(), chosen.month(), chosen.day())


def number_field(name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setAccessibleName(name)
    spin.setMinimumHeight(HIT)
    # A style sheet that draws the buttons leaves no room before the text.
    spin.lineEdit().setTextMargins(UNIT - 2, 0, 0, 0)
    return spin
