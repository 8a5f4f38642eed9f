"""Words that turn a statement round, that tell how it is meant, and that say nothing of what it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _pairs(words: str) -> frozenset[tuple[str, str]]:
    """The pairs of words that commas part."""
    return frozenset((first, second) for first, second in (pair.split() for pair in words.split(",")))


def _rows(table: str) -> Iterator[list[str]]:
    """The cells of each line, which bars part."""
    for line in table.strip().splitlines():
        yield [cell.strip() for cell in line.split("|")]


NOT = _set(
    """
    not no never none nothing nobody neither nor without cannot nope nah zero denies denied deny denying dont doesnt
    didnt isnt wasnt cant wont aint lacks lacked lacking lack unable absent absence
    """
)
# What was, is no more.
CEASED = _set(
    """
    quit quits quitting stop stopped stopping stops cease ceased ceases ceasing gone resolved resolves subsided
    subsides disappeared vanished ended discontinued discontinues abstains abstained abstinent abstaining abandoned
    remitted faded dissipated eliminated halted halts halting terminated overcame overcome outgrew
    removed removes remove removing deleted uninstalled
    """
)
CEASED_PAIRS = _pairs(
    """
    gave up, give up, given up, giving up, gives up, went away, gone away, goes away, cleared up, cut out, came off,
    come off, weaned off, weaning off, got over, pulled out, all gone, rid of, threw away, threw out,
    took off, take off, takes off, taking off, taken off, let up, lets up
    """
)
MEETINGS = _set("visit session appointment meeting")
BEING = _set("is are was that's it's they're")
HAVING = _set("have has i've had haven't hasn't never")
# Behind these, "stop" is a halt on the way.
HALT = _set("at by in off over")
# What was to be done was not.
OMITTED = _set(
    """
    forgot forget forgets forgotten skip skips skipped skipping miss missed misses missing neglected neglects
    neglect refrain refrains refrained refraining failed fails fail avoided avoids avoid avoiding incomplete
    unfinished ignored ignores omitted omits omit overlooked postponed postpones postpone cancelled canceled cancels
    """
)
OMITTED_PAIRS = _pairs("put off, puts off, putting off, backed out, bailed on, dropped out, held off, never got")
REFUSED_PAIRS = _pairs("turned down, turns down, turning down, turn down, said no, says no, opted out, opts out")
REFUSED = _set("declined declines decline declining refused refuses refuse refusing rejected rejects reject rejecting")
LOATHED = _set(
    """
    hate hates hated dislike dislikes disliked uninterested disinterested unwilling unready unaware opposed objection
    objections objects objected
    """
)
TURNING = NOT | CEASED | OMITTED | REFUSED | LOATHED
# "Not much", "not always", "not really": no plain no.
DEGREE = _set(
    """
    much always every everyone everything everybody all enough too so very as exactly quite necessarily really just
    only fully entirely completely totally often particularly super more less better worse until even usually
    especially that perfect great again longer
    """
)
DEGREE_HARMLESS = _set("longer again")
IDIOMS = _pairs(
    """
    no problem, no doubt, no matter, no wonder, no idea, don't know, not sure, don't remember, can't remember, don't
    mind, can't wait, can't believe, don't worry, why not, no offense, not certain, didn't know, doesn't know,
    didn't realize, not saying, didn't think, not bad, don't understand, didn't mean, don't mean, doesn't mean,
    wouldn't say, not to, if not, or not, no thanks, no worries, whether not, not that, no one's, can't help,
    couldn't help, don't wanna, didn't expect, never mind, not gonna
    """
)
# They soften what is so, and leave open what is not.
SOFT = _set("probably somewhat kinda sorta mostly usually typically generally")
SOFT_PAIRS = _pairs("kind of, sort of, a little, a bit, or so, more or")
HEDGES = _set(
    """
    maybe perhaps rather possibly sometimes occasionally guess almost nearly
    partly partially depends supposed supposedly unsure uncertain might may should would could wouldn't
    shouldn't if unless whether wonder wondering tempted ambivalent hesitant hesitates reluctant reluctantly
    potentially potential likely unlikely suggests suggest suggesting appears seems appear seem apparently tends
    tend must ought imagine pretend
    """
)
HEDGE_PAIRS = _pairs(
    """
    not really, up to, some days, try to, tried to, trying to,
    some of
    """
)
COMPARED = _set("much many often well far good bad hard long quickly easily badly strong intense severe")
# They answer "yes" with how much, or how often.
AMOUNTS = _set(
    """
    every daily nightly weekly always constantly loads lots plenty tons often twice thrice once several many most
    religiously regularly just only mainly
    """
)
# How an offer is turned down.
NO_THANKS = _pairs("rather not, no thanks, no thank, not interested, not now, not yet, not ready, not today, not keen")
# Stances: what is wanted, planned, or held ready is not what is done.
_STANCES = """
will | will won't willing unwilling willingness agree agrees agreed agreeing accept accepts accepted accepting planned
will | planning intend intends intended intending intention commit
will | commits committed consent consents consented decline declines
will | declined declining refuse refuses refused refusing reject rejects rejected promise promised gonna wont opted
will | opposed objection objections objects objected open decide decides decided deciding decision
want | want wants wanted wanting wish wishes wished desire desires desired hoping hoped rather prefer prefers preferred
want | keen eager wanna
ready | ready unready readiness prepared
interest | interested uninterested interest disinterested
like | like likes liked enjoy enjoys enjoyed love loves loved hate hates hated dislike dislikes disliked
need | need needs needed require requires required
know | know knows knew aware unaware understand understands understood realize realizes realise realises
remember | remember remembers remembered recall recalls recalled
"""
STANCES: Mapping[str, str] = {word: stance for stance, words in _rows(_STANCES) for word in words.split()}
# They carry an action or a state, not what it is about.
LIGHT = _set(
    """
    do does did doing done don't doesn't didn't complete completes completed completing completion finish finishes
    finished finishing perform performs performed fill fills filled filling carried carry continue continues
    continued continuing persist persists persisted persisting persistent remain remains remained remaining keep
    keeps kept keeping current currently still ongoing present active exist exists existing start starts started
    starting begin begins began begun get gets got gotten getting go goes going went come comes came coming have has
    had having be been being is are was were am take takes took taken taking make makes made making use uses used
    using try tries tried trying manage manages managed able can put puts let experience experiences experienced
    experiencing suffer suffers suffered suffering resume resumes resumed resuming symptom symptoms show shows
    showed showing sign signs endorse endorses endorsed admit admits admitted deny claim claims claimed affirm
    affirms affirmed confirm confirms confirmed explain explains explained clarify clarifies clarified recognize
    recognizes recognized find finds found issue issues concern also recently now again today yet already actually
    ever since ago anymore longer even just quite really pretty totally completely at all either though however
    instead right here there then first last next other another same something anything everything nothing someone
    anyone thing things stuff way lot bit little much many some any few several time times day days week weeks month
    months year years hour hours minute minutes night nights morning mornings evening evenings daily weekly monthly
    nightly past per pack packs cup cups glass glasses bottle bottles dose mg milligram milligrams about around
    approximately roughly least most half once twice thrice every each whole entire couple number amount previous
    previously prior former formerly history regular hello client patient she's he's they're one ones well honestly
    basically literally god oh um uh hmm mm yeah yes no okay ok sure maybe um-hum uh-huh mm-hmm know mean guess see
    look say said tell-me exactly part multiple ct cl pt always sometimes altogether chance herself himself myself
    yourself themselves ourselves two three four five six seven eight nine ten eleven twelve fifteen twenty thirty
    forty fifty hundred until til till whether overall general generally specifically person people man woman
    individual feeling feelings sense level levels
    buy buys bought buying purchase purchased placed second third fourth fifth sixth seventh eighth ninth tenth single
    use used recent frequently lately else elses
    due despite seriously aim aims aimed major typically typical possible possibly probably usual usually mostly further
    particularly associated various certain short-term long-term mainly primarily primary average us multiple obvious
    obviously entire journey process benefit benefits
    technique techniques skill skills strategy strategies client's patient's
    attend attends attended attending seeing seen sees ahead through fleeting related regarding
    proposed suggested recommended
    end ends ending kind nothing active passive current thoughts ideation ideations episode episodes
    """
)
TIMES = _set(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays yesterday tomorrow tonight weekend weekends january february march april june july august september october
    november december once first then initially earlier beginning holiday holidays christmas birthday
    after before except besides during until apart
    """
)
PAST_ONLY = _set("ago former formerly previously prior history past initially originally once before childhood earlier")
PAST_AUX = _set("was were did didn't wasn't weren't had hadn't used")
PRESENT = _set(
    """
    is are am isn't aren't do does don't doesn't has have hasn't haven't currently still now remains continues
    persists keeps today
    """
)
PERFECT = _set("has have hasn't haven't i've we've she's he's been")
ANAPHORA = _set(
    """
    it that this them those these one any none there her him he she they it's that's he's she's they're either
    neither both so such
    """
)
SELF = _set("i we i'm i've i'd i'll we're we've we'd we'll im ive")
OTHERS = _set("he she they he's she's they're they've he'd she'd they'd he'll she'll they'll everybody everyone people")
HE_OR_SHE = _set("he she he's she's he'd she'd he'll she'll")
THINGS = _set("it that this there it's that's these those there's which what")
AUX = _set(
    """
    is are am was were isn't aren't wasn't weren't do does did don't doesn't didn't have has had haven't hasn't
    hadn't can can't cannot could couldn't will won't would wouldn't should shouldn't may might must
    """
)
SPLITS = _set(
    """
    but because although though while when whenever which who until except how should whereas despite however
    then if unless
    """
)
JOINS = _set("and or nor since as plus then so")
YES = _set(
    """
    yes yeah yep yup sure definitely absolutely correct totally certainly uh-huh mm-hmm mhm mm okay ok alright
    exactly right
    """
)
NO = _set("no nope nah never")
QUESTION_WORDS = _set("how what why who when where which whose")
PAST_FORMS = _set(
    """
    told took went ate drank made came gave kept left lost met paid ran sent spoke spent stood taught thought woke
    wore won wrote bought brought broke caught chose drove fell fought found got grew hid held knew lied rode rang
    rose said saw sold shook sang sat slept stole swam threw built felt heard understood began fed shot lit informed
    """
)
KIN = _set(
    """
    mother mom mum mommy mama father dad daddy wife husband hubby partner spouse girlfriend boyfriend fiance fiancee
    sister sisters brother brothers son daughter child children kid kids aunt uncle cousin cousins grandmother
    grandfather grandma grandpa boss manager roommate neighbor neighbour friend friends teacher doctor coworker
    coworkers colleague colleagues supervisor mother-in-law father-in-law stepfather stepmother parents parent
    nephew niece landlord probation psychiatrist sponsor ex grandparents grandson granddaughter
    """
)
# What was tried or has a history tells nothing of now.
TRIED = _set("history attempt attempts attempted tried previous previously prior past tries try trying")
NUMBER_WORDS = _set(
    """
    two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred
    """
)
PARTICIPLES = _set(
    """
    been done gone taken given seen spoken eaten drunk driven written chosen broken fallen forgotten gotten grown
    hidden known shown woken worn begun come become run put cut hit hurt let quit read set shut
    """
)
PRONOUNS = _set("him her them")
PREPOSITIONS = _set("around with near to at by for from toward towards behind without on against of")
