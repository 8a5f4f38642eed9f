"""The words in which a note, a client and a therapist's question speak of one danger each.

Finer than the kinds of the risk ledger: a gun at home, a plan, an attempt and a thought are four things, and a client
may have the one and deny the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache

SENTENCE = re.compile(r"[^.?!;]+[.?!;]*")


class Danger(StrEnum):
    SUICIDE = "thoughts of suicide"
    DEATH_WISH = "wish to be dead"
    HARM_THOUGHT = "thoughts of self-harm"
    PLAN = "plan"
    INTENT = "intent"
    ATTEMPT = "attempt"
    SELF_HARM = "self-harm"
    HARM_OTHERS = "thoughts of harming others"
    UNSAFE = "not safe"
    UNATTENDED = "children left alone"
    OVERDOSE = "overdose"
    WITHDRAWAL = "withdrawal seizure"
    DRUNK_DRIVING = "driving drunk"
    DROWSY_DRIVING = "drowsy at the wheel"
    COMMANDS = "commanding voices"
    GUN = "a gun within reach"
    LOCK = "the key to the gun"
    STASH = "pills or a rope put by"
    LOCKED = "a gun or pills locked away"
    THREAT = "threats"


class Voice(StrEnum):
    NOTE = "note"
    CLIENT = "client"
    THERAPIST = "therapist"


_SELF = r"(?:him|her|them|my|your|one)sel(?:f|ves)"
_LIFE = r"(?:his|her|their|my|your|one's) (?:own )?life"
_OWN_LIFE = rf"(?:{_LIFE}|it all|things)"
_DO_IT = rf"(?:kill(?:ing|ed)? {_SELF}|end(?:ing)? (?:{_OWN_LIFE}|it)|tak(?:e|ing) {_LIFE}|suicide)"
_IN_A_WAY = (
    r"(?:driv(?:e|ing)|walk(?:ing)?|jump(?:ing)?|crash(?:ing)?|swerv(?:e|ing)|step(?:ping)?) (?:\w+ ){0,2}?(?:into|off"
    r"|in front of|under|onto) (?!(?:the|a) (?:room|shop|store|gym|party|meeting|shower))"
    rf"|hang(?:ing)? {_SELF}|drown(?:ing)? {_SELF}|follow(?:ing)? (?:him|(?:her|his|my) (?:brother|sister|husband|wife"
    r"|mother|father|son|daughter))\b"
)
_THINKS = (
    r"(?:thoughts?|ideas?|images?|urges?|impulses?|visions?|think(?:s|ing)?|thought|pictur(?:ed?|ing)|imagin(?:e[ds]?"
    r"|ing)|contemplat\w+|consider(?:ed|ing|s)?|flash(?:es)?|intrusion)"
)
_DEAD = (
    r"(?:not (?:to )?wak(?:e|ing) up|(?:won't|wouldn't|didn't|don't|would not|did not|never"
    r"|failing to) (?:\w+ )?wak(?:e|ing)? ?up|(?:be|were|was|being) (?:better off )?dead\b|better off (?:dead|without)"
    r"|(?:rather|want\w*) not (?:to )?be(?:ing)? alive|not (?:want\w* |wish\w* )?(?:to )?(?:be alive|live|go on"
    r"|be here any ?more)|life(?:'s| is| was)? (?:isn't|wasn't|not) worth|no (?:point|reason) (?:in|to) (?:going on"
    r"|liv\w+)|see (?:the|any|no) point (?:of|in) going on|(?:wish\w*|want\w*|wanna) (?:to )?(?:die|be dead)|(?:death"
    r"|dying) wish|wish(?:es)? (?:for death|to die|to be dead)|not wanting to (?:live|be alive|be here)"
    r"|tired of (?:life|living)|sleep(?:ing)? forever|not (?:be|being) (?:here|around) any ?more|rather be dead"
    r"|life (?:is |was )?(?:not|isn't) worth|thoughts? of (?:death|dying|not being here)|disappear for good)"
)
_HURT_SELF = (
    rf"(?:(?:hurt|harm|injur|cut|burn)(?:e|s|ing|ed|ting)? {_SELF}|do(?:ing"
    rf"|ne)? (?:anything to )?{_SELF}(?: any)? harm)"
)
_SKIN = r"(?:arms?|wrists?|legs?|thighs?|forearms?|skin|stomach|hips?)"
_CUTS = (
    rf"\b(?:cut|burn|scratch|carv)(?:s|es|ed|t|ing|ting)? (?:at )?(?:(?:my|his|her|their|your) (?:\w+ )?{_SKIN}"
    rf"|(?:my|him|her|your)self(?! (?:off|some|a|out|down|shaving)\b))"
)
_SOMEONE = (
    r"(?:others|anyone|anybody|someone|somebody|people|(?:his|her|my|your) (?:\w+ )?(?:boss|ex|neighbou?r|husband|wife"
    r"|partner|father|mother|manager|brother|coworker|colleague|landlord))"
)
_CHILD = r"(?:kids?|child(?:ren)?|sons?|daughters?|baby|toddler|boys?|girls?|little ones?)"
_ALONE = r"(?:home )?alone|unattended|unsupervised|by (?:them|him|her)sel(?:f|ves)|on (?:their|his|her) own"
_DRINK = (
    r"(?:drunk|drink(?:s|ing)?|drank|beers?|pints?|wine|intoxicat\w+|the influence|alcohol|high|stoned"
    r"|a few|buzzed|tipsy)"
)
_DRIVES = r"(?:driv(?:e|es|en|ing)|drove|behind the wheel|at the wheel)"

# Each row one way of saying it.
_SAID: dict[Danger, tuple[str, ...]] = {
    Danger.SUICIDE: (
        r"\bsuicidal (?!gesture|behaviou?r)",
        r"\bsuicidal(?=\W|$)",
        rf"\b{_THINKS} (?:of|about|to) (?:\w+ )?{_DO_IT}",
        rf"\b{_THINKS}(?:,? (?:of|about|if i|that i|to))+ (?:could |would |just )?(?:{_IN_A_WAY})",
        rf"\bkill(?:ing)? {_SELF}",
        rf"\b{_THINKS} (?:of|about) (?:death|dying|pills|the (?:bridge|train|tracks|river|rope|gun))\b",
    ),
    Danger.DEATH_WISH: (
        rf"\b{_DEAD}",
        (
            r"\b(?:others|family|they|they'd|everyone|everybody|people|kids|children|wife|husband|him|her"
            r"|them)\b(?: being| would be| were| are| is| be|'d be)? better(?: without| off(?! (?:in|at|with|on"
            r"|financially|staying|living)\b))"
        ),
    ),
    Danger.HARM_THOUGHT: (
        rf"\b{_THINKS} (?:of|about|to) (?:\w+ )?{_HURT_SELF}",
        r"\bself-?\s?harm(?:ing)? (?:thoughts|urges)",
        r"\burges? to (?:self-?harm|cut|hurt|harm|burn)",
    ),
    Danger.SELF_HARM: (
        rf"{_CUTS}",
        r"\b(?:bang|hit|punch)(?:ed|s|ing|ting)? (?:my|her|his|their) (?:own )?(?:head|face)\b(?! on the)",
        rf"\b(?:hurt|harm|injur)(?:e|s|ed|ing)? {_SELF} (?:on purpose|deliberately|intentionally)",
        r"\b(?:relaps\w+|return\w*|back) (?:in)?to (?:cutting|self-harm)",
        r"\bself[- ]?(?:harm|injur|mutilat)\w*(?! (?:thoughts|ideation|urges|or suic))",
        r"\bnssi\b",
    ),
    Danger.HARM_OTHERS: (
        r"\bhomicid\w+",
        rf"\b(?:hurt|harm|kill)(?:ing)? {_SOMEONE}\b",
        (
            rf"\b{_THINKS}(?: of| about)? (?:hitting|hurting|harming|injuring|killing|stabbing|shooting|running over"
            rf"|punching|strangling|attacking|waiting for) (?:him\b|her\b|them\b|the baby|{_SOMEONE}|(?:his|her|their"
            r"|my) (?:former|ex)[- ]\w+)"
        ),
    ),
    Danger.UNATTENDED: (
        rf"\b(?:leav(?:e|es|ing)|left) (?:the|her|his|their|my|our|your) (?:\w+ )?{_CHILD}(?: \w+)? (?:{_ALONE})",
        rf"\b{_CHILD}\b(?: ever| are| is| were| was| being| been| have| left)* (?:left )?(?:{_ALONE})",
    ),
    Danger.UNSAFE: (
        (
            r"\b(?:un)?safe (?:at home|with (?:him|her|you|your|the|paul|his)|in (?:the|her|his|their|this) (?:home"
            r"|house|relationship|marriage)|where (?:you|she|he) liv\w+)"
        ),
        r"\bphysically (?:threatened|intimidated|afraid)",
    ),
    Danger.THREAT: (
        r"\bthreat(?:en(?:s|ed|ing)? (?:me|you|her|him|them|us|to (?:kill|hurt|hit|harm|beat|burn))|s (?:of|to))\b",
    ),
    Danger.OVERDOSE: (
        r"\boverdos\w+",
        r"\bod'?(?:d|ed)\b",
        r"\bnarcan\b",
        r"\bnaloxone\b(?! (?:kit|train|provid|given|prescri))",
    ),
    Danger.WITHDRAWAL: (
        r"\bseizures?\b",
        r"\b(?:dts|delirium tremens)\b",
        r"\bwithdrawal (?:fits?|tremors?)",
    ),
    Danger.DRUNK_DRIVING: (
        rf"\b{_DRIVES}\b[^.;?!]{{0,40}}\b(?:after|while|when|under|been|with|on)\b[^.;?!]{{0,20}}\b{_DRINK}\b",
        rf"\b{_DRIVES} (?:home )?(?:drunk|intoxicated|impaired|high|tipsy|buzzed)",
        r"\b(?:drunk|impaired)[- ]driving",
    ),
    Danger.DROWSY_DRIVING: (
        rf"\b(?:nod\w*|doz\w*|drows\w+|f[ae]ll\w* asleep|sleep\w*|micro-?sleeps?)\b[^.;!]{{0,60}}\b{_DRIVES}\b",
        rf"\b{_DRIVES}\b[^.;?!]{{0,30}}\b(?:nod\w*|doz\w*|drows\w+|asleep)\b",
    ),
    Danger.COMMANDS: (
        r"\b(?:voices?|they)\b[^.;?!]{0,12}\b(?:tell(?:s|ing)?|told|command\w*|order\w*)\b (?:\w+ )?to\b",
        r"\bcommand(?:ing)? (?:hallucinations|voices)",
        r"\bvoices\b[^.;?!]{0,20}\bcommands\b",
    ),
}
# What only notes say, what only clients say, and what only a question says.
_MORE: dict[Voice, dict[Danger, tuple[str, ...]]] = {
    Voice.NOTE: {
        Danger.SUICIDE: (
            r"\bSI\b",
            rf"\b{_THINKS} of ({_IN_A_WAY})",
            r"\bcontemplated suicide",
        ),
        Danger.DEATH_WISH: (r"\bpassive(?:ly)? (?:si|suicid\w+|death|thoughts)",),
        Danger.HARM_THOUGHT: (
            r"\b(?:thoughts?|urges?) of self-?harm",
            r"\bself-?harm (?:ideation|thoughts)",
        ),
        Danger.PLAN: (
            r"\b(?:considered|chosen|thought of|identified) (?:any |a )?(?:method|means)\b",
            r"\b(?:suicide|suicidal|specific|concrete|detailed) plan\b",
            r"\bplan (?:for suicide|to (?:end|kill|take))",
            r"\bmethod (?:of|for) (?:ending|suicide|killing)",
            r"\ba method\b(?=.*\blife\b)",
        ),
        Danger.INTENT: (
            r"\b(?:suicidal )?inten(?:t|ds|tion) to (?:act|die|end|kill|carry)",
            r"\bsuicidal intent",
        ),
        Danger.ATTEMPT: (
            r"\bsuicide attempts?",
            r"\battempt(?:ed|s)? (?:suicide|at suicide|to (?:kill|end|take|hang|overdose|die))",
            r"\battempts? on (?:his|her|their) (?:own )?life",
            r"\btried to (?:take|drown|hang|overdose|kill|end)",
            r"\btook an overdose",
            r"\bsuicid\w+ (?:attempt|gesture|behaviou?r)s?",
            r"\b(?:prior|previous|past) attempts?\b",
            r"\bSA\b",
        ),
        Danger.SELF_HARM: (
            r"\b(?:has|had) (?:again )?cut (?:again|last|on)\b",
            (
                r"\b(?:endorse[sd]?|ongoing|continued|active|continues|resumed|denie[sd]|deny|current|recent"
                r"|history of|hx of|via|by|engag\w+ in) (?:\w+ )?cutting\b(?! (?:down|back|off|out|class))"
            ),
        ),
        Danger.HARM_OTHERS: (r"\bHI\b",),
        Danger.UNSAFE: (
            (
                r"\b(?:afraid|frightened|scared|fearful) of (?:her|his|their) (?:\w+ )?(?:husband|wife|partner|spouse"
                r"|boyfriend|girlfriend|father|mother|stepfather|son|daughter|brother|ex)\b"
            ),
            r"\bfears? (?:for (?:her|his) safety|being (?:hit|beaten|hurt|attacked|struck))",
        ),
        Danger.OVERDOSE: (r"\bOD\b",),
        Danger.DRUNK_DRIVING: (r"\bDUI (?:since|behaviou?r)",),
    },
    Voice.CLIENT: {
        Danger.SUICIDE: (r"\bi thought about it when\b",),
        Danger.DEATH_WISH: (
            r"\bnot (?:have )?wak(?:e|ing) up\b",
            r"\bwish(?:ed)? i (?:was|were|wasn't|weren't|could just die)\b",
        ),
        Danger.PLAN: (
            r"\bplan\b(?=[.,;!]|$| (?:to (?:do it|end|kill|die)|for (?:it|how)))",
            r"\bas far as how",
        ),
        Danger.ATTEMPT: (
            r"\btried to (?:kill|end|hang|drown|die)",
            (
                r"\b(?:take|took|swallow(?:ed)?) (?:an overdose|all (?:of )?(?:my|her|his|the|those)|the whole|(?:a "
                r"|the |half a )?(?:whole )?(?:bottle|handful|packet|box)(?: of)?|(?:the|some|my|her|his|forty|thirty"
                r"|twenty|sixty) (?:\w+ )?(?:pills|tablets|tylenol|paracetamol))"
            ),
            r"\bstomach pumped",
            r"\bslit my",
            r"\btried it\b",
            r"\bhang(?:ed)? myself",
            r"\bpills\b(?=[^.;]{0,30}\b(?:to die|end it|not wake))",
        ),
        Danger.SELF_HARM: (
            r"\bused (?:a|the|my) (?:\w+ )?(?:blade|razor|knife)\b",
            r"\bi(?:'ve| have| had)? (?:\w+ )?cut(?= (?:again|on|last|yesterday|when)\b|[.,;!]|$)",
            r"\bi (?:was|used to|am|'m) cut(?:ting)?\b(?! (?:down|back|off|out))",
        ),
        Danger.OVERDOSE: (
            r"\bwent (?:out|over) (?:in|on)\b",
            r"\bbrought me (?:back|round)",
            r"\bfell out\b",
        ),
        Danger.WITHDRAWAL: (r"\b(?:a fit|fits)\b(?= (?:when|after|in))",),
    },
    Voice.THERAPIST: {
        Danger.SUICIDE: (
            r"\bsuicide\b",
            rf"\b{_DO_IT}",
            r"\bending (?:it|things)\b",
            rf"\b(?:{_IN_A_WAY})",
        ),
        Danger.PLAN: (
            r"\b(?:a|any|no|the) (?:\w+ )?(?:plan|method)\b",
            r"\bhow you(?:'d| would| might) (?:do|end|kill|go about)",
        ),
        Danger.INTENT: (
            r"\binten(?:d|t|tion)\b",
            r"\bact(?:ing)? on (?:it|them|that|those)",
        ),
        Danger.ATTEMPT: (
            (
                r"\b(?:ever|actually) (?:\w+ )?(?:tried|attempted|made an attempt)\b(?=(?:,| to (?:end|kill|die|take)"
                r"|[^a-z]*$|\?| it| anything| in the past| before| even| suicide))"
            ),
            r"\btried to (?:end|kill|die|take your)",
            r"\battempts?\b(?=[^.]*\?)",
            r"\btry to (?:end|kill)",
        ),
        Danger.HARM_OTHERS: (
            (
                r"\b(?:wish|want|urges?|thoughts?|feel like)(?: to| of| about)? (?:hurt|harm|kill)(?:ing)? (?:him|her"
                r"|them)\b"
            ),
            r"\b(?:any|some)(?:one|body)(?: else)?\b[^.?!]{0,25}\b(?:hurt|harm|kill)(?:ing)?\b",
        ),
        Danger.DRUNK_DRIVING: (r"\bdriving (?:after|afterwards|on it)\?",),
        Danger.SELF_HARM: (
            r"\b(?:are you|been|any|and the|the|still) cutting\b",
            r"\b(?:hurt|harm|injure|cut)(?:ing|ed|ting)? yourself\b",
        ),
        Danger.UNSAFE: (
            (
                r"\b(?:afraid|scared|frightened) of (?:him|her|each other|the other|your (?:husband|wife|partner"
                r"|boyfriend|girlfriend|father|mother|son|daughter|brother|ex))\b"
            ),
            r"\b(?:are|do|is|did) (?:you|things|it)\b[^.?!]{0,20}\b(?:un)?safe\b(?! to\b)",
        ),
        Danger.COMMANDS: (r"\b(?:they|voices?|it)\b[^.?!]{0,10}\btell (?:you )?(?:to )?\b",),
    },
}


@cache
def _patterns(voice: Voice) -> tuple[tuple[Danger, re.Pattern[str]], ...]:
    joined = dict(_SAID)
    for danger, words in _MORE[voice].items():
        joined[danger] = joined.get(danger, ()) + words
    # Abbreviations count in capitals alone: "si" and "od" are no words of danger.
    return tuple(
        (
            danger,
            re.compile(
                "|".join(re.sub(r"\\b(SI|HI|SA|OD)\\b", r"\\b(?-i:\1)\\b", one) for one in words), re.IGNORECASE
            ),
        )
        for danger, words in joined.items()
    )


@cache
def _any_of(voice: Voice) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern in _patterns(voice)), re.IGNORECASE)


def straight(text: str) -> str:
    """The same text, as long, with straight apostrophes."""
    return text.replace("’", "'").replace("‘", "'")


def named(text: str, voice: Voice) -> Iterator[tuple[Danger, re.Match[str]]]:
    """Every danger that ``text`` (with straight apostrophes) names, with the first place of each."""
    if not _any_of(voice).search(text):
        return
    for danger, pattern in _patterns(voice):
        found = pattern.search(text)
        if found is not None and not (danger is Danger.SELF_HARM and _is_thought(found, text, voice)):
            yield danger, found


def _is_thought(found: re.Match[str], text: str, voice: Voice) -> bool:
    """ "Thoughts of self-harm" are none of the deed."""
    thought = dict(_patterns(voice))[Danger.HARM_THOUGHT].search(text)
    return thought is not None and thought.start() < found.end() and found.start() < thought.end()
