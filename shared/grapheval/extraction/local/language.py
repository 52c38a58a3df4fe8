"""Is it English? By script, then by function words against those of other languages that use Latin letters."""

from __future__ import annotations

import re
import unicodedata

from grapheval.extraction.local.words import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SAMPLE = 4000
"""Characters that are looked at: the language does not change from one page to the next."""
_FEW_WORDS = 5

_ENGLISH = word_set(
    "the and of is are were been has have that which who this these those from with by for not it its"
    " they their there his she but or if because when where what how why than then can could will"
    " would should may might must does did into about after before between during through while also"
    " only other some any each both very such you your our them him being until against without within"
    " however although"
)
"""Without the words that other languages spell alike (`in`, `an`, `was`, `die`, `on`, `a`, `as`, `me`, `over`, …)."""

_SHARED = word_set("a an in on to no as at do me he is of so men come per son ha over uma am do")
_OTHERS = tuple(
    frozenset(words.split()) - _SHARED
    for words in (
        # German, Dutch
        (
            "der die das und ist nicht ein eine einen dem den des mit von zu auf für sich auch als "
            "bei nach wird wurde sind war hat ich wir sie er es oder aber wie aus dass zum zur im"
        ),
        (
            "de het een en van is niet met op te voor zijn dat die aan er ook als bij naar wordt "
            "werd heeft ik wij zij hij maar hoe uit om door deze dit"
        ),
        # French, Spanish, Italian, Portuguese, Catalan, Romanian
        (
            "le la les un une des et est pas de du dans que qui pour sur avec ce cette il elle ils "
            "au aux sont été par plus ne se son sa ses nous vous je mais où l'est c'est d'un d'une"
        ),
        (
            "el la los las un una y es no de del en que por para con se su sus al lo como más pero "
            "fue son está era ha muy mi yo él ella este esta"
        ),
        (
            "il la lo gli le un una e è non di del della in che per con si su al come più ma fu sono "
            "nel nella dal dei delle ha era anche questo questa sul"
        ),
        (
            "o a os as um uma e é não de do da dos das em que por para com se seu sua no na ao como "
            "mais mas foi são está era tem muito eu ele ela pelo pela"
        ),
        "el la els les un una i és no de del en que per amb es seu seva al com més però va són ha era aquest aquesta",
        "și este nu de la în cu pe un o care din pentru sunt fost mai al ale lui ei ce sau dar",
        # Swedish, Danish, Norwegian, Finnish
        "och är inte en ett det som på av för med till den har var att om från jag vi de han hon men eller i sin",
        "og er ikke en et det som på af for med til den har var at om fra jeg vi de han hun men eller i sig der blev",
        "og er ikke en et det som på av for med til den har var å om fra jeg vi de han hun men eller i seg ble",
        "ja on ei se että joka oli ovat mutta tai kun kuin myös hän me he minä sen ole",
        # Polish, Czech, Croatian, Hungarian, Turkish, Indonesian, Vietnamese
        "i jest nie w na z że się do to jak ale dla od przez po był była są oraz który która",
        "a je ne není v na z že se do to jak ale pro od po byl byla jsou který která jako",
        "i je nije u na s da se za od po bio bila su koji koja kao ali ili",
        "a az és nem egy is hogy van volt ez meg de ki mint csak már",
        "ve bir bu da de için ile olan olarak çok ne mi değil daha gibi ise",
        "dan yang di ke dari ini itu adalah untuk dengan tidak pada dalam akan oleh atau juga",
        "và là của có không một các cho trong được với người này đã những",
    )
)


def latin_share(text: str) -> float:
    """Share of the letters that are Latin; 1.0 where there are none."""
    letters = [char for char in text[:_SAMPLE] if char.isalpha()]
    if not letters:
        return 1.0
    latin = sum(1 for char in letters if char < "\u0250" or unicodedata.name(char, "").startswith("LATIN"))
    return latin / len(letters)


def is_english(text: str) -> bool:
    """Whether an English pipeline can read a text.

    Names and short answers pass: with fewer than five words only the script counts.

    Args:
        text: Plain text; its first 4,000 characters decide.
    """
    if not text.isascii() and latin_share(text) < 0.5:
        return False
    found = [word.lower() for word in _WORD.findall(text[:_SAMPLE])]
    if len(found) < _FEW_WORDS or sum(word in _ENGLISH for word in found) / len(found) >= 0.25:
        return True
    distinct = set(found)
    ours = len(distinct & _ENGLISH)
    theirs = max(len(distinct & words) for words in _OTHERS)
    accents = any(char.isalpha() and char > "\x7f" for char in text[:_SAMPLE])
    few = theirs < (2 if accents or ours == 0 else 3)
    return theirs <= ours or few or theirs / len(distinct) < 0.1
