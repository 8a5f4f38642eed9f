"""Pairs of opposites, and words that stand for the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def _rows(table: str) -> Iterator[list[str]]:
    """The cells of each line, which bars part."""
    for line in table.strip().splitlines():
        yield [cell.strip() for cell in line.split("|")]


# Pairs of opposites: an axis and the end of it.
_AXES = """
going | 1 | keep keeps keeping kept continue continues continued continuing
going | -1 | quit quitting stop stopping cease abstain abstaining abstinence abstinent sobriety cessation
better | 1 | better improve improves improved improving improvement
better | -1 | worse worsen worsens worsened worsening deteriorated deteriorates deteriorating
amount | 1 | increase increases increased increasing rise rises risen rising rose grew grown growing
amount | -1 | decrease decreases decreased decreasing reduce reduces reduced reducing reduction lessened lessening
amount | -1 | declining dropped fell fallen
good | 1 | good okay ok well great fine positive positively excellent easy easier easily normal solid
good | -1 | bad badly poor poorly terrible terribly awful horrible rotten lousy rough negative negatively harder
good | -1 | difficult difficulty difficulties tough tougher challenging trouble troubles problem problems struggle
good | -1 | struggles struggled struggling
often | 1 | often frequently regularly constantly
often | -1 | rarely seldom hardly barely scarcely infrequently
high | 1 | high higher
high | -1 | low lower
safe | 1 | safe safely
safe | -1 | unsafe dangerous endangered
happy | 1 | happy happier glad pleased satisfied content
happy | -1 | unhappy dissatisfied miserable displeased
gain | 1 | gain gains gained gaining
gain | -1 | lose loses lost losing
succeed | 1 | succeed succeeded succeeds successful successfully
succeed | -1 | unsuccessful unsuccessfully
calm | 1 | calm calmer relaxed
calm | -1 | agitated restless
help | 1 | help helps helped helping helpful effective beneficial useful
help | -1 | unhelpful useless ineffective pointless
employed | 1 | employed
employed | -1 | unemployed jobless
married | 1 | married
married | -1 | divorced unmarried
comfortable | 1 | comfortable
comfortable | -1 | uncomfortable
confident | 1 | confident
confident | -1 | unconfident insecure
motivated | 1 | motivated
motivated | -1 | unmotivated
supportive | 1 | supportive supported supports
supportive | -1 | unsupportive unsupported
together | 1 | together
together | -1 | apart separated
alone | 1 | alone
alone | -1 | together
healthy | 1 | healthy
healthy | -1 | unhealthy
stable | 1 | stable
stable | -1 | unstable
energy | 1 | energetic energized energised rested
energy | -1 | exhausted drained tired fatigued
same | 1 | same unchanged
same | -1 | different changed change changes changing
hopeful | 1 | hopeful optimistic
hopeful | -1 | hopeless pessimistic
fled | 1 | stayed stay stays staying
fled | -1 | fled flee left leave leaves leaving
full | 1 | full
full | -1 | empty
open | 1 | open opened
open | -1 | closed shut
strong | 1 | strong stronger
strong | -1 | weak weaker
alive | 1 | alive living
alive | -1 | dead died deceased
clean | 1 | sober clean abstinent
clean | -1 | drunk intoxicated relapsed relapse relapses
near | 1 | close closer
near | -1 | distant
trust | 1 | trust trusts trusted
trust | -1 | distrust distrusts mistrust mistrusts
approve | 1 | approve approves approved
approve | -1 | disapprove disapproves disapproved
honest | 1 | honest
honest | -1 | dishonest
compliant | 1 | compliant adherent
compliant | -1 | noncompliant nonadherent non-compliant non-adherent
fast | 1 | fast faster quickly
fast | -1 | slow slower slowly
"""
AXES: Mapping[str, tuple[str, int]] = {
    word: (axis, int(end)) for axis, end, words in _rows(_AXES) for word in words.split()
}
# Of these pairs only one end can hold: what is not the one is the other.
EITHER_OR = frozenset(("alive", "married", "employed", "safe", "clean", "fled", "open"))
# To carry on, or not to, with what is meant.
GOING = frozenset(word for word, (axis, _) in AXES.items() if axis == "going")
# Irregular forms, each with the word that stands for all.
_LEMMAS = """
plan | plan plans
fear | fear fears feared afraid scared frightened frighten frightens scary
tell | tell told telling tells inform informed informs disclose disclosed discloses
take | take took taken
go | go went gone
eat | eat ate eaten
drink | drink drank drunk
make | make made
come | come came
give | give gave given
keep | keep kept
leave | leave left
lose | lose lost
meet | meet met
pay | pay paid
run | run ran
send | send sent
talk | talk talks talked talking mention mentions mentioned mentioning
talk | discuss discusses discussed discussing discussion speak speaks spoke spoken speaking
spend | spend spent
stand | stand stood
teach | teach taught
think | think thought
wake | wake woke woken
wear | wear wore worn
write | write wrote written
buy | buy bought
bring | bring brought
break | break broke broken
catch | catch caught
choose | choose chose chosen
drive | drive drove driven driving
fall | fall fell fallen
fight | fight fights fought fighting argue argues argued arguing argument arguments quarrel quarrels dispute disputes
find | find found
get | get got
grow | grow grew grown
hide | hide hid hidden
hold | hold held
know | know knew known
lie | lie lied lying
ride | ride rode ridden
ring | ring rang rung call calls called calling phone phoned contact contacts contacted contacting
rise | rise rose
say | say said
see | see saw seen
sell | sell sold
shake | shake shook shaken
sing | sing sang
sit | sit sat
sleep | sleep slept asleep sleeping
steal | steal stole
swim | swim swam
throw | throw threw thrown
build | build built
feel | feel felt
hear | hear heard
show | show showed
understand | understand understood
begin | begin began
feed | feed fed
hit | hit hits hitting strike strikes struck striking violent violence
hurt | hurt hurts hurting harm harms harmed harming
seek | seek sought
shoot | shoot shot
sink | sink sank
light | light lit
firearm | firearm firearms gun guns rifle rifles pistol pistols handgun handguns shotgun shotguns weapon weapons
homework | homework worksheet worksheets assignment assignments
cry | cry cried cries crying
prescribe | prescribe prescribed prescription
refer | refer referral referred
live | live lives lived living
move | move moved moving
vomit | vomit vomiting purge purging purged
binge | binge binged bingeing binges
self-harm | self-harm self-harming cut cutting
panic | panic panicked panicky
apply | apply applied applying application
try | try tried trying
study | study studied studying
worry | worry worried worries worrying concerned
nag | nag nags nagging nagged
car | car truck van
bed | bed bedroom
drug | drug drugs substance substances
police | police cops
flat | flat apartment house home
baby | baby infant newborn
buddy | buddy mate pal friend friends
apologize | apologize apologise apologized apologised apologizes apologises apology sorry
quit | quit quits quitting stop stops stopped stopping cease ceased abstain abstains abstinence abstinent sobriety
quit | sober
coworkers | coworkers coworker colleagues colleague lads
"""
LEMMAS: Mapping[str, str] = {word: lemma for lemma, words in _rows(_LEMMAS) for word in words.split()}
