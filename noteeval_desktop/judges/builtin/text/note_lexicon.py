"""Word patterns that tell what a sentence of a note does: reports, observes, plans, interprets, intervenes.

Ours, written for this product; each is counted per sentence. The heads are trained on these counts: a change here
needs a new training run (the heads remember ``FINGERPRINT`` and refuse another).
"""

from __future__ import annotations

import re

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.judges.builtin.text.shorthand import written_out

_ABBREVIATIONS = (
    (r"\bpts?\b\.?(?=[\s',:])", "patient"),
    (r"\bcl\b\.?(?=[\s',:])", "client"),
    (r"\bct\b(?=\s(?:is|was|reports?|states?|denies|appears?)\b)", "client"),
    (r"\btx\b\.?", "treatment"),
    (r"\bhx\b\.?", "history"),
    (r"\bsx\b\.?", "symptoms"),
    (r"\bdx\b\.?", "diagnosis"),
    (r"\bhw\b", "homework"),
    (r"\bf/u\b", "follow-up"),
    (r"\bsi\s*/\s*hi\b", "suicidal ideation and homicidal ideation"),
    (r"\bSI\b", "suicidal ideation"),
    (r"\bHI\b", "homicidal ideation"),
    (r"\bMI\b", "motivational interviewing"),
    (r"\bETOH\b", "alcohol"),
    (r"\bw/o\b", "without"),
    (r"\bw/(?=\s?\w)", "with "),
    (r"\bappt\b\.?", "appointment"),
    (r"\bmeds\b", "medication"),
    (r"\bSOC\b", "stage of change"),
    (r"\bTh\b\.?(?=\s)", "therapist"),
)
# Capitals matter where the lower-case word is another word (hi, si, mi).
_EXPANSIONS = tuple(
    (re.compile(pattern, 0 if pattern[2:-2].isupper() or pattern.startswith(r"\bTh") else re.I), words)
    for pattern, words in _ABBREVIATIONS
)

_PATTERNS = {
    "reports": r"\b(report|state|stated|states|says|said|express|denie|deny|describ|mention|acknowledg|admit|indicat"
    r"|shar(es|ed)|disclos|claim|complain|endors|note[sd]|verbaliz|identif)\w*",
    "feelings": r"\b(feel|felt|feeling|emotion|anxi|depress|sad|stress|frustrat|anger|angry|guilt|worr|fear|overwhelm"
    r"|lonel|isolat|hopeless|ashamed|shame|upset|distress|ambival|tired|fatigue)\w*",
    "client-first": r"^\W*(the |this )?(client|patient|father|mother)\b",
    "pronoun-first": r"^\W*(he|she|they|his|her|their)\b",
    "therapist-first": r"^\W*(the |this )?(therapist|clinician|counselor|provider|writer|doctor|pharmacist|physician"
    r"|we|i)\b",
    "therapist": r"\b(therapist|clinician|counselor|provider|writer|interviewer)\b",
    "intervened": r"\b(explained|provided|discussed|explored|educated|encouraged|utilized|used|offered|presented"
    r"|validated|reflected|assisted|helped|reviewed|allowed|asked|suggested|normalized|affirmed|empathized|conducted"
    r"|processed|informed|taught|engaged client)\b",
    "intervened-first": r"^\W*(explained|provided|discussed|explored|educated|encouraged|utilized|used|offered"
    r"|validated|reflected|assisted|helped|reviewed|allowed|asked|suggested|normalized|affirmed|conducted|processed"
    r"|informed)\b",
    "to-do-first": r"^\W*(continue|encourage|explore|provide|monitor|schedule|follow|assist|develop|refer|discuss"
    r"|educate|address|help|work|assess|consider|identify|introduce|implement|support|utilize|use|begin|review|offer"
    r"|aim|set|practice|increase|reduce)\b",
    "appears": r"\b(appear|seem|presents?|presented|presenting|demonstrat|display|exhibit|observ|showed|shows|remained"
    r"|maintain)\w*",
    "mental-status": r"\b(affect|mood|speech|eye contact|orient|thought process|thoughts|coherent|logical|linear|tone"
    r"|rate|body language|posture|groom|appearance|cooperat|alert|engaged|insight|judg?ment|cognit|memory|attention"
    r"|well-groomed|dressed|congruent|articulat\w*|fidget)\w*",
    "seen-and-heard": r"\b(chuckl|laugh|smil|tear|cry|cried|fidget|pause|sigh|nod|eye contact|body language"
    r"|within normal limits|mental status|signs of|no indication|oriented|congruent|guarded|calm|restless|nervous"
    r"|pleasant|open about|tone)\w*",
    "stages": r"\b(stage|precontemplat|pre-contemplat|contemplat|preparation|action|maintenance|ambivalen|readiness"
    r"|ready)\w*",
    "motivation": r"\b(motivat|willing|open to|resist|relucta|defensiv|receptive|engag|cooperat|hesita|guarded"
    r"|agree)\w*",
    "diagnosis": r"\b(disorder|diagnos|criteria|dsm|dependence|addict|symptoms of|consistent with|depression|anxiety"
    r"|ptsd|adhd|use disorder|misuse)\w*",
    "triggers": r"\b(trigger|stressor|due to|because|caused|exacerbat|contribut|lead|led to|result|when)\w*",
    "progress": r"\b(progress|improv|success|achiev|decreas|increas|better|worse|reduced|step)\w*",
    "future": r"\b(will|plan|plans|next|upcoming|future|continue|schedule|weekly|follow[- ]?up|session|return|refer"
    r"|appointment|week|month)\w*",
    "next-session": r"\b(session|appointment|follow[- ]?up|weekly|bi-?weekly|next week|return|refer\w*|schedule\w*"
    r"|meet)\b",
    "wants": r"\b(goal|aim|want|would like|hope|wish|desire|plan to|intend)\w*",
    "aims": r"\b(goals?|would like|wants?|hopes?|interested in|open to|willing|desires?|wish(es)?|plans? to"
    r"|focused on)\b",
    "short-term": r"\bshort[- ]?term\b",
    "long-term": r"\blong[- ]?term\b",
    "includes": r"\b(include|includes|including|involve)\w*",
    "homework": r"\b(homework|assign|practice|journal|log|track|between sessions|exercise|worksheet|try|attempt)\w*",
    "hedges": r"\b(may|might|possibl|potential|likely|suggest|indicat|could|perhaps|probabl|seem)\w*",
    "scales": r"\b(scale|score|scor|phq|gad|audit|crafft|assessment tool|screen|questionnaire|out of|rate[sd]?|rating"
    r"|inventory|survey|form)\w*",
    "completed": r"\b(complet|administer|scored|took)\w*",
    "methods": r"\b(motivational interview|cbt|cognitive|dbt|psychoeducat|reflective listening|open[- ]ended"
    r"|intervention|technique|skill|strateg|coping)\w*",
    "background": r"\b(history|previous|past|ago|since|years?|months?|used to|prior|formerly|started|began|childhood"
    r"|diagnosed|moved|divorc|married|lives|works|employed|job|school|wife|husband|children|son|daughter|family|mother"
    r"|father)\b",
    "negation": r"\b(no|not|n't|never|without|denies|denied|none|nothing|unable|declined)\b",
    "quotes": r"[\"“”]",
    "numbers": r"\d",
    "needs": r"\b(need|needs|further|should|would benefit|benefit from|recommend)\w*",
    "nothing": r"^\W*(n/?a|none|nothing)\W*$",
    "substances": r"\b(alcohol|drink|smok|marijuana|cannabis|cigarett|substance|gambl|drug|medication|weight|diet"
    r"|exercise)\w*",
    "awareness": r"\b(aware|understand|insight|recogni|acknowledg|realiz|know)\w*",
    "impact": r"\b(impact|affect(s|ed|ing)|consequence|risk|negative|concern|problem|struggl|difficult)\w*",
    "information": r"\b(inform|educat|psychoeducat|resource|risk|guideline|pamphlet|handout)\w*",
    "moods": r"\b(excited|happy|relie|confident|uncertain|surpris|concern|motivat|confus|embarrass|bored|lack of|sleep"
    r"|energy|mood)\w*",
    "paperwork": r"\b(sign(s|ed)?|forms?|sheet|paperwork|consent|insurance|court|probation|mandat\w*|legal|visits?"
    r"|attendance)\b",
    "referral": r"\b(refer|psychiatr|group|medical|doctor|pcp|physician|pharmacist)\w*",
    "frequency": r"\b(weekly|biweekly|monthly|daily|week|weeks|month|months|day|days|times)\b",
}
NAMES = tuple(_PATTERNS)
_COMPILED = tuple(re.compile(pattern, re.I) for pattern in _PATTERNS.values())
_MOST = 3
FINGERPRINT = fingerprint(*NAMES, *_PATTERNS.values(), *(a + b for a, b in _ABBREVIATIONS))


def expand(text: str) -> str:
    """Write clinical abbreviations out (``Pt denies SI/HI`` becomes words that the encoder knows).

    The fingerprint leaves ``shorthand`` aside: of the 1,301 sentences that the heads learnt from it changes few.
    """
    text = written_out(text)
    for pattern, words in _EXPANSIONS:
        text = pattern.sub(words, text)
    return text


def counts(text: str) -> tuple[float, ...]:
    """How often each pattern of ``NAMES`` occurs in an expanded sentence, three at most."""
    return tuple(
        float(min(sum(1 for _ in zip(pattern.finditer(text), range(_MOST), strict=False)), _MOST))
        for pattern in _COMPILED
    )
