"""Whether a text is English, well enough to keep an English model from judging other languages badly.

Two signs: the share of letters outside the Latin script, and function words of English against those of other
languages in Latin script. A short text without either sign (a name, a number, a heading) counts as English.
"""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_ENGLISH = frozenset(
    """the of and to am is was were are be been being has have had that this these those with by for from at which who
    whose it its he she his her him they their them we our you your not but or as on an will would could should can
    may might must did does do than then there where when what how after before between into about over under also
    because while if said says more most other some such only its it's isn't wasn't didn't doesn't don't i'm than
    against during through since until both each any all no one two first new in a""".split()
)

_OTHERS = {
    "de": """in an der die das und ist nicht ein eine einer eines einem einen mit für auf dem den des im zu von sich
    auch wird wurde werden sind hat haben war bei nach aus als über nur noch aber oder wie durch wenn kann am vom zum
    zur dass sie er es ich wir ihr sein seine ihre seit zwischen gegen ohne""",
    "fr": """le la les des une un et est dans pour par sur avec que qui du au aux ce cette ces son sa ses leur leurs
    ne pas plus elle il ils elles nous vous je mais ou où été était sont ont avait être fait comme sans sous entre
    depuis selon après avant dont aussi très""",
    "es": """el la los las una un unos unas y es en por para con del al que se su sus no pero como más fue fueron era
    está están son ha han había ser este esta estos estas sobre entre desde hasta cuando también muy sin según donde
    porque lo le les""",
    "it": """il lo la gli le una un uno è e di da in con su tra fra del della dello dei degli delle al alla nel
    nella che non si sono ha hanno era stato stata anche come più ma ed questo questa suo sua dal dalla sul sulla""",
    "pt": """o a os as um uma de do da dos das em no na nos nas por para com que não se é foi são mais como mas ao à
    seu sua ele ela foram está também pelo pela entre quando muito já""",
    "nl": """de het een en van is niet met voor op in te dat die zijn was werd worden heeft hebben aan ook er maar om
    bij als naar uit door over nog tot wordt deze dit hij zij""",
    "sv": """och att det är som en ett på av för med den till inte har om var men hade från han hon de sig""",
    "da": """og at det er som en et på af for med den til ikke har om var men havde fra han hun de sig blev efter""",
    "no": """og at det er som en et på av for med den til ikke har om var men hadde fra han hun de seg ble etter""",
    "pl": """i w na z do się nie jest że to od po przez dla oraz był była który która są jak przy przed""",
    "cs": """a v na se je že z do to s byl byla který která jsou jako pro při ve od po není""",
    "tr": """ve bir bu için ile olarak da de olan daha çok gibi en ancak değil kadar sonra""",
    "ro": """și în de la cu pe un o este a fost din pentru nu mai sunt prin""",
    "fi": """ja on ei se että oli hän mutta joka ovat kun myös sen ole""",
    "hu": """a az és hogy nem egy is volt meg csak mint már még van""",
    "id": """yang dan di ini itu dengan untuk dari dalam pada adalah tidak ke oleh akan telah""",
    "vi": """và của là có trong được cho không một các với người này đã""",
}
_FOREIGN: dict[str, list[str]] = {}
"""Function word -> the languages that have it."""
for _code, _words in _OTHERS.items():
    for _word in _words.split():
        _FOREIGN.setdefault(_word, []).append(_code)

_PARTICLES = frozenset(
    "de la las le les los el al van der den von di da do dos du des del della ten ter bin ibn ben y e i o a in no on "
    "an man me as at is was so to for en er over die under one met war hat door men till plus son sans come per dan "
    "meg ha pour nos mas sen van des".split()
)
"""Words that are English now and then, or that stand in names and titles: no sign of another language on their own."""

_BORROWED = frozenset("facto jure novo rigueur route masse dente qaeda carte mode bloc garde vogue".split())
"""What follows a particle in phrases that English has taken over."""

_MOST_WORDS = 400
"""As many words as are looked at: a language shows early."""


def is_english(text: str) -> bool:
    """Whether a text may be judged by an English model.

    Args:
        text: A claim, a sentence or a passage.

    Returns:
        False for text mostly outside the Latin script, or with more function words of another language than of
        English. True when in doubt.
    """
    head = text[:6000]
    if not head.isascii() and _foreign_script(head):
        return False
    written = [match.group().replace("’", "'") for match in _WORD.finditer(head)][:_MOST_WORDS]
    if not written:
        return True
    words = [word.lower() for word in written]
    # A particle before a lower-case word is an article or a preposition, not part of a name: "le chien", "La Paz".
    cased = any(word[0].isupper() for word in written)
    inner = _BORROWED | _PARTICLES
    article = [cased and after[:1].islower() and after not in inner for after in [*written[1:], ""]]
    best, code = _lead(words, article)
    # What both languages have says nothing: "in" beside "wurde" is German.
    english = sum(word in _ENGLISH and code not in _FOREIGN.get(word, ()) for word in words)
    if english * 5 >= len(words):
        return best <= 2 * english + 2  # "was", "an" are shared with others: only a clear lead counts
    return not ((best >= 2 and best > english) or (best >= 1 and english == 0 and best * 6 >= len(words)))


def _lead(words: Sequence[str], article: Sequence[bool]) -> tuple[float, str]:
    """Function words of the language that has most of them here, and its code ("" where there is none).

    The ambiguous ones and single letters count little, and only beside clear ones.
    """
    clear: dict[str, int] = {}
    shared: dict[str, int] = {}
    for word, is_article in zip(words, article, strict=True):
        codes = _FOREIGN.get(word)
        if codes:
            sure = len(word) > 1 and word not in _ENGLISH and (word not in _PARTICLES or is_article)
            count = clear if sure else shared
            for code in dict.fromkeys(codes):
                count[code] = count.get(code, 0) + 1
    return max(((number + 0.3 * shared.get(code, 0), code) for code, number in clear.items()), default=(0.0, ""))


def _foreign_script(text: str) -> bool:
    """Whether most letters are outside the Latin script."""
    latin = other = 0
    for character in text:
        if character.isalpha():
            if character < "\u0250" or "LATIN" in unicodedata.name(character, ""):
                latin += 1
            else:
                # A character of a script that writes a word or a syllable with it weighs like several letters.
                other += 3 if character > "\u2e7f" else 1
    return other > latin


def can_judge(text: str, languages: Sequence[str]) -> bool:
    """Whether a model that knows `languages` can judge a text.

    Args:
        text: The text.
        languages: ISO 639-1 codes; empty = any language.
    """
    return not languages or "en" not in languages or is_english(text)
