"""Classes of things of which a session names one and a note, by mistake, another.

Each row of a class is one thing with its names; a row "all of it: one, other" names a kind, which is any of its things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.words import Word

_ROWS: Mapping[str, str] = {
    "place": """
        supermarket grocery groceries
        shop store shops stores mall
        cinema movies theater theatre
        pub bar bars pubs tavern saloon club nightclub
        casino
        restaurant cafe diner
        church mosque synagogue temple chapel
        hospital er ward
        clinic
        school
        college university campus
        kindergarten nursery daycare
        library
        gym pool
        park playground
        beach seaside
        airport
        prison jail
        cemetery grave graveyard
        office
        bakery
        bank
        salon
        laundry laundromat
        factory warehouse
        farm
        hotel motel
        museum
        garage
        kitchen
        bathroom
        bedroom
        garden yard
        attic
        basement cellar
        shelter
        court courtroom
        pharmacy
    """,
    "transport": """
        car truck van cab taxi lorry vehicle
        bus coach
        train subway tube metro tram
        plane airplane flight flying
        bike bicycle cycling
        motorcycle motorbike scooter
        boat ferry ship
        elevator lift
    """,
    "job": """
        nurse
        teacher
        bookkeeper accountant
        barber hairdresser
        lawyer attorney
        plumber
        electrician
        carpenter joiner
        mechanic
        chef cook
        waiter waitress server
        cashier
        engineer
        programmer developer
        architect
        journalist
        pharmacist
        dentist
        paramedic
        firefighter
        soldier
        farmer
        painter
        butcher
        baker
        librarian
        secretary receptionist
        salesman saleswoman salesperson
        cleaner janitor
        courier postman
        pilot
        welder
        roofer
        electrician
        photographer
        musician
        bartender barman
        driver
    """,
    "substance": """
        beer beers lager ale
        wine wines
        whisky whiskey bourbon scotch
        vodka
        gin
        rum
        tequila
        marijuana cannabis weed pot thc
        cocaine coke crack
        heroin
        meth methamphetamine
        ecstasy mdma
        ketamine
        lsd acid
        opioids opioid opiates fentanyl oxycodone
        alcohol drinking drink drinks drank booze liquor: beer wine whisky vodka gin rum tequila
        spirits: whisky vodka gin rum tequila
    """,
    "beverage": """
        coffee coffees espresso latte
        tea teas
        soda cola coke pop
        juice
        milk
        water
    """,
    "illness": """
        diabetes diabetic
        hypertension pressure
        cholesterol
        thyroid
        kidney kidneys renal
        asthma
        epilepsy
        cancer leukemia lymphoma tumor
        stroke
        dementia alzheimer
        hiv aids
        hepatitis cirrhosis
        copd emphysema
        arthritis
        migraine migraines
        pneumonia
        schizophrenia
        bipolar
        ptsd
        ocd
        adhd add
        anorexia
        bulimia
        autism autistic
        dyslexia
    """,
    "body": """
        back spine
        neck
        shoulder shoulders
        knee knees
        hip hips
        ankle ankles
        wrist wrists
        elbow elbows
        foot feet
        leg legs
        arm arms
        stomach belly abdomen abdominal
        chest
        lung lungs
        heart
        liver
        ear ears
        eye eyes
        tooth teeth
    """,
    "animal": """
        dog dogs puppy
        cat cats kitten
        horse horses
        bird birds parrot
        rabbit rabbits
    """,
    "meal": """
        breakfast breakfasts
        lunch lunches lunchtime
        dinner dinners supper
    """,
    "season": """
        spring
        summer summers
        autumn
        winter winters
    """,
    "holiday": """
        christmas xmas
        easter
        thanksgiving
        halloween
        ramadan
    """,
    "pursuit": """
        yoga
        swimming
        running jogging
        cycling
        painting
        knitting
        football soccer
        tennis
        golf
        basketball
        guitar
        piano
        violin
        choir
        chess
        hiking
        fishing
        boxing
        pilates
        crossword crosswords
        jigsaw jigsaws
    """,
    "relation": """
        single unmarried
        married
        divorced
        widowed widow widower
        engaged
    """,
}
# One medication a row: its substance, then its trade names.
_DRUGS = """
    sertraline zoloft lustral
    fluoxetine prozac
    escitalopram lexapro cipralex
    citalopram celexa
    paroxetine paxil seroxat
    fluvoxamine luvox
    venlafaxine effexor
    desvenlafaxine pristiq
    duloxetine cymbalta
    bupropion wellbutrin zyban
    mirtazapine remeron
    trazodone desyrel
    vortioxetine trintellix brintellix
    amitriptyline elavil
    nortriptyline pamelor
    clomipramine anafranil
    imipramine tofranil
    doxepin silenor
    lithium lithobid
    lamotrigine lamictal
    valproate depakote divalproex
    carbamazepine tegretol
    topiramate topamax
    gabapentin neurontin
    pregabalin lyrica
    levetiracetam keppra
    quetiapine seroquel
    olanzapine zyprexa
    risperidone risperdal
    aripiprazole abilify
    haloperidol haldol
    clozapine clozaril
    ziprasidone geodon
    lurasidone latuda
    paliperidone invega
    cariprazine vraylar
    alprazolam xanax
    lorazepam ativan
    clonazepam klonopin rivotril
    diazepam valium
    temazepam restoril
    oxazepam serax
    zolpidem ambien
    eszopiclone lunesta
    zopiclone imovane
    suvorexant belsomra
    melatonin
    buspirone buspar
    hydroxyzine vistaril atarax
    propranolol inderal
    prazosin minipress
    clonidine catapres kapvay
    guanfacine intuniv
    methylphenidate ritalin concerta
    amphetamine adderall
    lisdexamfetamine vyvanse elvanse
    atomoxetine strattera
    modafinil provigil
    naltrexone vivitrol revia
    acamprosate campral
    disulfiram antabuse
    methadone
    buprenorphine suboxone subutex
    varenicline chantix champix
    nicorette
    levothyroxine synthroid
    metformin glucophage
    insulin lantus
    semaglutide ozempic wegovy
    atorvastatin lipitor
    simvastatin zocor
    rosuvastatin crestor
    lisinopril
    amlodipine norvasc
    losartan cozaar
    metoprolol lopressor
    atenolol tenormin
    warfarin coumadin
    omeprazole prilosec
    pantoprazole protonix
    ibuprofen advil motrin
    naproxen aleve
    acetaminophen tylenol paracetamol
    aspirin
    oxycodone percocet oxycontin
    hydrocodone vicodin norco
    tramadol ultram
    codeine
    morphine
    prednisone
    albuterol ventolin salbutamol
    sumatriptan imitrex
    ketamine
"""
# Kinds of medication, each by what its substances' names end in or by name.
_KINDS: Mapping[str, str] = {
    r"antidepressants?|ssris?|snris?": (
        r".*(?:oxetine|pramine?|ipramine|triptyline|faxine)|.*pram|sertraline|fluvoxamine|bupropion|mirtazapine|trazodone"
    ),
    r"benzodiazepines?|benzos?|tranquill?i[sz]ers?|sedatives?": r".*(?:azepam|azolam)",
    r"antipsychotics?|neuroleptics?": r".*(?:apine|idone|piprazole|prazine|peridol)",
    r"stimulants?": r".*phenidate|.*amfetamine|amphetamine|modafinil|atomoxetine",
    r"statins?": r".*statin",
    r"opioids?|opiates?|painkillers?": r".*codone|tramadol|codeine|morphine|.*profen|naproxen|acetaminophen|aspirin",
}
_DRUG_ENDING = re.compile(
    r"\w{2,}(?:oxetine|azepam|azolam|pramine|triptyline|faxine|oxacin|apine|idone|piprazole|statin|sartan|olol|"
    r"prazole|thyroxine|cillin|mycin|codone|gliptin|gliflozin|triptan|setron|barbital|lukast|dipine|zosin|zodone|"
    r"italopram|afinil|orexant|clone)"
)
# Words that end like a medication.
_NO_DRUG = frozenset({"cyclone", "alpine", "turpentine"})


def _classes() -> dict[str, list[tuple[str, frozenset[str]]]]:
    """For each word its families, each with what it may be there."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for family, rows in _ROWS.items():
        names: dict[str, frozenset[str]] = {}
        for row in filter(None, map(str.strip, rows.splitlines())):
            own, _, kinds = row.partition(":")
            keys = frozenset(kinds.split()) or frozenset({own.split()[0]})
            names |= {name: keys | names.get(name, frozenset()) for name in own.split()}
        for name, keys in names.items():
            found.setdefault(name, []).append((family, keys))
    return found


CLASSES: Mapping[str, Sequence[tuple[str, frozenset[str]]]] = _classes()
_SUBSTANCES: Mapping[str, str] = {
    name: row.split()[0] for row in filter(None, map(str.strip, _DRUGS.splitlines())) for name in row.split()
}


def _kinds() -> dict[re.Pattern[str], frozenset[str]]:
    substances = set(_SUBSTANCES.values())
    return {
        re.compile(names): frozenset(one for one in substances if re.fullmatch(members, one))
        for names, members in _KINDS.items()
    }


_MEMBERS = _kinds()


def drugs_in(words: Sequence[Word]) -> Iterator[tuple[Span, frozenset[str]]]:
    """Medications by either name, unknown ones by how their names end; a kind of medication is any of its own."""
    for word in words:
        name = word.folded
        if name in _SUBSTANCES:
            yield word.span, frozenset({_SUBSTANCES[name]})
        elif name not in _NO_DRUG and _DRUG_ENDING.fullmatch(name):
            yield word.span, frozenset({name})
        else:
            for names, members in _MEMBERS.items():
                if names.fullmatch(name):
                    yield word.span, members
