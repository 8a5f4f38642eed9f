"""Facts that nobody told, for training alone; none of them is among those that are measured.

Few and plain ones: heads that learned from a grammar of some hundred, and from made-up clauses behind true ones, found
no more of what others made up, and notes' scores agreed less with therapists (r 0.73 for 0.75).
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from noteeval_desktop.measures.wording import Way

FACTS = (
    "He mentioned that his apartment was flooded last month.",
    "Patient has a history of seizures since childhood.",
    "They also shared that a colleague at the factory was recently fired.",
    "She stated that her landlord is raising the rent.",
    "The client recalled being bullied at boarding school.",
    "He noted that he recently won a small lottery prize.",
    "She is worried about her upcoming hip surgery.",
    "They described a conflict with a stepson over inheritance.",
    "Patient disclosed a past arrest for vandalism in Nevada.",
    "The client expressed interest in fostering a teenager.",
    "He takes melatonin to fall asleep.",
    "She reported that her cat passed away in March.",
    "They are saving money for a trip to Portugal.",
    "He attends church every Sunday with his uncle.",
    "Client reported frequent migraines triggered by bright light.",
    "The patient explained that he dropped out of law school.",
    "She volunteers at a food bank on weekends.",
    "They mentioned being in recovery from an eating disorder.",
    "His brother is serving a prison sentence.",
    "The client said that she is allergic to penicillin.",
    "She recently broke her ankle while hiking.",
    "He hears his name called when no one is there.",
    "They reported sleeping only three hours because of a newborn.",
    "The client is going through a bankruptcy.",
    "Sleep has been poor since a night shift began in May.",
    "Client completed a trauma questionnaire before the session and scored in the severe range.",
    "Therapist called the client's school counselor during the session.",
    "A safety plan was signed because of threats by a neighbor.",
    "Client arrived by ambulance after fainting at work.",
    "Client brought a letter from an employer about sick leave.",
    "Refer to a dermatologist because of the rash.",
    "Client will bring a dream diary to the next session.",
    "Client will start sertraline at fifty milligrams on Monday.",
    "The therapist taught a breathing exercise with counting to four.",
    "The session was held by telephone because of a snowstorm.",
    "Client's symptoms are consistent with obsessive-compulsive disorder.",
)


def _made_up(text: str, rng: random.Random, note: str) -> str | None:
    return rng.choice(FACTS)


FACT_WAYS: Mapping[str, Way] = {"made up": _made_up}
