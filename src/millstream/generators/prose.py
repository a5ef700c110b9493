"""Made-up words, sentences and names."""

from __future__ import annotations

from random import Random

_FIRST = (
    "bar", "bel", "bri", "cal", "cor", "dan", "del", "dor", "el", "fal", "fen", "gar", "gil",
    "har", "hol", "in", "jor", "kar", "kes", "lam", "len", "lor", "mar", "mel", "mir", "nar",
    "nel", "or", "pal", "per", "pol", "quin", "ral", "ren", "rol", "sal", "sel", "sor", "tal",
    "ter", "tol", "ul", "val", "ven", "vor", "wal", "wen", "wor", "yar", "zel",
)  # fmt: skip
_SECOND = (
    "a", "ance", "and", "ard", "ate", "ber", "bly", "cent", "court", "dale", "den", "der",
    "dle", "done", "ence", "end", "est", "fast", "ford", "ful", "gant", "ger", "gle", "hand",
    "hold", "ible", "ing", "ish", "ist", "ive", "ken", "land", "less", "ley", "ling", "lock",
    "man", "mark", "ment", "mine", "ness", "ning", "nor", "our", "out", "pen", "ple", "port",
    "quist", "red", "ring", "rous", "sake", "seth", "ship", "some", "son", "stead", "stone",
    "sure", "ten", "ther", "tide", "tion", "ton", "ture", "vance", "ver", "vine", "ward",
    "well", "wick", "win", "wise", "with", "worth", "yard",
)  # fmt: skip
WORDS = tuple(first + second for first in _FIRST for second in _SECOND)

RARE_WORD = "gold"
"""A word to search for: it stands in few texts."""
_RARE_SHARE = 0.025

GIVEN_NAMES = (
    "Ada", "Bela", "Carla", "Dmitri", "Elena", "Farid", "Grete", "Hideo", "Ines", "Jonas",
    "Kamala", "Lars", "Mona", "Nils", "Olga", "Pedro", "Qing", "Rosa", "Sven", "Tala",
    "Umar", "Vera", "Walid", "Xenia", "Yusuf", "Zita",
)  # fmt: skip
CITIES = (
    "Accra", "Bergen", "Cusco", "Dakar", "Essen", "Fez", "Ghent", "Hanoi", "Izmir", "Jaipur",
    "Kyoto", "Lyon", "Malmo", "Nantes", "Oslo", "Porto", "Quito", "Riga", "Sofia", "Turin",
)  # fmt: skip
COUNTRIES = (
    "United States", "Argentina", "Belgium", "Canada", "Denmark", "Egypt", "Fiji", "Ghana",
    "Hungary", "India", "Japan", "Kenya", "Latvia", "Mexico", "Norway", "Oman", "Peru",
    "Senegal", "Tunisia", "Vietnam",
)  # fmt: skip
PROVINCES = ("Arizona", "Iowa", "Maine", "Nevada", "Ohio", "Oregon", "Texas", "Utah", "Vermont")
DOMAINS = ("acm.org", "auth.gr", "cwi.nl", "labs.com", "savera.com", "uta.edu", "verity.com")

_INLINE = ("bold", "keyword", "emph")


def words(random: Random, mean: float) -> list[str]:
    """Some words, at least one; the rare one may be among them."""
    chosen = random.choices(WORDS, k=1 + int(random.expovariate(1 / mean)))
    if random.random() < _RARE_SHARE:
        chosen[random.randrange(len(chosen))] = RARE_WORD
    return chosen


def surname(random: Random) -> str:
    """A family name."""
    return random.choice(WORDS).capitalize()


def full_name(random: Random) -> str:
    """A given name and a family name."""
    return f"{random.choice(GIVEN_NAMES)} {surname(random)}"


def mostly_first(random: Random, choices: tuple[str, ...], share: float = 0.75) -> str:
    """The first of some choices so often, else any other."""
    return choices[0] if random.random() < share else random.choice(choices[1:])


def subset(random: Random, choices: tuple[str, ...]) -> str:
    """Some of the choices, or none, with commas between."""
    return ", ".join(choice for choice in choices if random.random() < 0.5)


def marked_text(random: Random, mean: float) -> str:
    """Words with some of them marked as bold, keyword or emph, one inside another at most."""
    pieces: list[str] = []
    rest = words(random, mean)
    while rest:
        run = 1 + int(random.expovariate(1 / 30))
        pieces += rest[:run]
        rest = rest[run:]
        if rest and len(pieces) < 4 * mean:
            inside = 1 + int(random.expovariate(1 / 6))
            pieces.append(_marked(random, rest[:inside], _INLINE))
            rest = rest[inside:]
    return " ".join(pieces) + " "


def _marked(random: Random, inside: list[str], names: tuple[str, ...]) -> str:
    name = random.choice(names)
    text = " ".join(inside)
    if len(names) == len(_INLINE) and random.random() < 0.13:
        others = tuple(each for each in names if each != name)
        half = len(inside) // 2
        text = " ".join((*inside[:half], _marked(random, inside[half:], others)))
    return f"<{name}> {text} </{name}>"
