"""Clinical shorthand written out: "RTC 2 wks., Lexapro 10 mg qhs prn" in words that the encoder knows.

Where lower-case letters make another word ("bid", "wed", "mon"), capitals or what stands beside them decide.
"""

from __future__ import annotations

import re

_DAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Thur": "Thursday", "Fri": "Friday",
    "Tues": "Tuesday", "Weds": "Wednesday", "Thurs": "Thursday",
}  # fmt: skip
_DOSE = r"(?<=\d )|(?<=mg )|(?<=mcg )|(?<=tab )|(?<=tabs )|(?<=caps )"
_ANY_CASE = (
    (r"\bf/up?\b|\bfu(?= (?:appt|w/|in\b|with))", "follow-up"),
    (r"\bwknds?\b|\bwkends?\b", "weekends"),
    (r"\bbi-?wkly\b", "every two weeks"),
    (r"\bwkly\b\.?", "weekly"),
    (r"\bq ?(\d+) ?(?:hrs?|h)\b", r"every \1 hours"),
    (r"(\d) ?x ?/ ?(?:wk|week)\b\.?", r"\1 times a week"),
    (r"(\d) ?x ?/ ?(day|month|mo)\b", r"\1 times a \2"),
    (r"/ ?wk\b", " a week"),
    (r"\bwks\b\.?(?=[\s,;:)]|\.?$)", "weeks"),
    (r"\bwk\b\.?(?=[\s,;:)]|\.?$)", "week"),
    (r"(?<=next )mo\b\.?|(?<=last )mo\b\.?|(?<=per )mo\b\.?|(?<=\b1 )mo\b\.?", "month"),
    (r"(?<=\d )mos?\b\.?", "months"),
    (r"\byrs\b\.?(?=[\s,;:)]|\.?$)", "years"),
    (r"\byr\b\.?(?=[\s,;:)]|\.?$)", "year"),
    (r"\bhrs\b\.?(?=[\s,;:)/]|\.?$)", "hours"),
    (r"\bmins\b\.?(?=[\s,;:)/]|\.?$)", "minutes"),
    (r"(?<=\d)[ -]?y/?o\b|(?<=\d)[ -]y\.o\.(?=\s|$)", " year old"),
    (r"\bappts\b\.?", "appointments"),
    (r"\bappt\b\.?", "appointment"),
    (r"\bcont['’]?d\b\.?", "continued"),
    (r"^\W*cont\b\.?(?=\s)|(?<=to )cont\b\.?|(?<=will )cont\b\.?", "Continue"),
    (r"\bd/c['’]?e?d\b", "stopped"),
    (r"\bd/c\b(?= (?:from|to|home|plan\w*|summary|tx|therapy|criteria)\b)", "discharge"),
    (r"\bd/c\b", "discontinue"),
    (r"\bprn\b", "as needed"),
    (r"\bq\.?h\.?s\b\.?", "at bedtime"),
    (r"\bq\.?a\.?m\b\.?", "every morning"),
    (r"\bq\.?p\.?m\b\.?", "every evening"),
    (r"\bq\.?o\.?d\b\.?", "every other day"),
    (r"\bq\.?d(?:ay)?\b", "daily"),
    (r"\bq ?wk\b|\bqweek(?:ly)?\b", "weekly"),
    (r"\bb\.i\.d\b\.?", "twice a day"),
    (r"\bt\.i\.d\b\.?", "three times a day"),
    (r"\bpo bid\b", "by mouth twice a day"),
    (rf"(?:{_DOSE})bid\b", "twice a day"),
    (rf"(?:{_DOSE})tid\b", "three times a day"),
    (rf"(?:{_DOSE})(?:po|p\.o\.)(?=\s)", "by mouth"),
    (r"\bc/o\b", "complains of"),
    (r"\br/o\b", "rule out"),
    (r"\bh/o\b", "history of"),
    (r"\bfh?x\b|\bfam\.? hx\b", "family history"),
    (r"\bs/p\b", "after"),
    (r"\bb/c\b", "because"),
    (r"\bd/t\b", "due to"),
    (r"\bn/v\b", "nausea and vomiting"),
    (r"\bs/sx\b|\bs/s\b", "signs and symptoms"),
    (r"\brx['’]?d\b", "prescribed"),
    (r"\brx\b\.?", "prescription"),
    (r"\bsess\b\.?", "session"),
    (r"\bpsychoed\b\.?", "psychoeducation"),
    (r"\bgrp\b\.?", "group"),
    (r"\banx\b\.?", "anxiety"),
    (r"\bapprox\b\.?", "approximately"),
    (r"\bmtgs?\b\.?", "meetings"),
    (r"\bdecr\b\.?|↓", "decreased"),
    (r"\bincr\b\.?|↑", "increased"),
    (r"\betoh\b", "alcohol"),
    (r"\bmj\b|\bthc\b", "marijuana"),
    (r"\bhusb\b\.?", "husband"),
    (r"\bdtr\b\.?", "daughter"),
    (r"(?<=fam )dep\b|(?<=w/ )dep\b|(?<=of )dep\b\.?|\bdep(?=/anx)", "depression"),
)
_LAST = (
    (r"\bx ?(\d+) (?=(?:hour|day|week|month|year)s?\b)", r"for \1 "),
    (r"(?<![\d/])(\d+) ?x\b(?! ?\d)", r"\1 times"),
)
# Capitals alone tell these from words; "RTC" is followed by when.
_AS_WRITTEN = (
    (r"\bRTC\b(?=\W*(?:\d|in\b|on\b|next\b|as\b|PRN|prn|q|one\b|two\b|[MTWF][a-z]|$))", "Return to clinic"),
    (r"\bBID\b", "twice a day"),
    (r"\bTID\b", "three times a day"),
    (r"\bQID\b", "four times a day"),
    (r"\bAVH\b|\bA/VH\b", "auditory or visual hallucinations"),
    (r"\bNSSI\b", "self-injury"),
    (r"\bIPV\b", "partner violence"),
    (r"\bADLs\b", "daily activities"),
    (r"\bWNL\b", "within normal limits"),
    (r"\bHAs?\b(?=[.,;]|$| (?:daily|x|for|since|and|most))", "headaches"),
    (r"\bHW\b|\bhw\b", "homework"),
    (r"\b(?:BF|bf)\b", "boyfriend"),
    (r"\b(?:GF|gf)\b", "girlfriend"),
    (r"\bMD\b(?= (?:to|will|wants|said|recommend\w*|prescrib\w*|started|stopped)\b)", "doctor"),
    (r"(?<=\d )F\b(?=[.,;]|$| (?:who|with|w/|presents|reports))|(?<=old )F\b", "woman"),
    (r"(?<=old )M\b", "man"),
    *((rf"\b{short}\b\.?(?! [a-z]+ed\b)", day) for short, day in _DAYS.items()),
)
_PATTERNS = (
    *((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _ANY_CASE),
    *((re.compile(pattern), put) for pattern, put in _AS_WRITTEN),
    *((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _LAST),
)
# What nearly every shorthand has in it: most sentences need no pattern tried.
_HINT = re.compile(
    r"/|\d ?x\b|[↑↓]|\b(?:[A-Z]{2,4}s?|wk\w*|mos?|yrs?|hrs|mins|appts?|cont\w*|prn|q\w{1,5}|bid|tid|sess|rx\w*|fh?x"
    r"|psychoed|grp|anx|approx|mtgs?|decr|incr|etoh|mj|thc|husb|dtr|dep|hw|bf|gf|bi-?wkly|[bt]\.i\.d|q\.\w|fu|po|p\.o"
    rf"|y\.?o|[FM]|{'|'.join(_DAYS)})\b",
    re.IGNORECASE,
)


def written_out(text: str) -> str:
    """``text`` with its shorthand in words; spans of the result are its own."""
    if not _HINT.search(text):
        return text
    ends = text.rstrip().endswith(".")
    for pattern, put in _PATTERNS:
        text = pattern.sub(put, text)
    return f"{text.rstrip()}." if ends and not text.rstrip().endswith(".") else text
