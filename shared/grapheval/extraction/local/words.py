"""Closed word classes that the rules look at."""

from __future__ import annotations

import re


def word_set(words: str) -> frozenset[str]:
    """Words separated by white space."""
    return frozenset(words.split())


BE = word_set("be is are was were been being am 's 're 'm ’s ’re")
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
RELATIVE = word_set("who whom which that whose where when")

CONDITIONAL_MARKS = word_set("if unless provided providing assuming lest whether supposing")
"""What introduces a clause without which the main clause may be false."""
CAUSAL_MARKS = word_set("because since as")
FACTIVE_MARKS = word_set("because since although though while whereas as after")
"""What introduces a clause that is itself asserted."""
TIME_MARKS = word_set("when after before until till once while whenever since as")

COLLECTIVE = word_set(
    "meet meets met meeting marry marries married share shares shared combine combined combines merge"
    " merged merges differ differs differed agree agreed divorce divorced separate separated collaborate"
    " collaborated team teamed form formed constitute constitutes comprise comprises fight fought compete"
    " competed total totaled totalled unite united join joined intersect gather gathered coexist alternate"
    " resemble consist consists make made"
)
"""Predicates that may hold of a group without holding of each member."""
TOGETHER = word_set(
    "together respectively jointly collectively mutually each other another alike between among combined"
)
SYMMETRIC = word_set(
    "similar different equal identical equivalent same related married adjacent parallel separate"
    " synonymous interchangeable distinct"
)

NEGATIVE = word_set(
    "not n't n’t never no none nobody nothing neither nor hardly scarcely barely rarely seldom few little without"
)
RESTRICTIVE = word_set("only just merely solely exclusively except unless")
HEDGES = word_set(
    "probably possibly perhaps maybe reportedly allegedly supposedly apparently likely purportedly"
    " presumably approximately about around roughly nearly almost usually generally often sometimes"
    " typically mostly mainly primarily originally initially formerly previously currently still already"
    " also first finally eventually later now once soon recently never always ever not"
)
CONNECTIVES = word_set(
    "however additionally furthermore moreover therefore thus hence consequently overall meanwhile"
    " besides instead nevertheless nonetheless specifically similarly likewise finally so also then yes no"
    " well sure certainly indeed basically essentially accordingly notably importantly interestingly"
    " alternatively conversely ultimately firstly secondly thirdly lastly unfortunately fortunately yet"
)

CAUSATIVE = word_set(
    "help helps helped helping let lets letting make makes made making allow allows allowed allowing have has had"
    " enable enables enabled cause causes caused see saw hear heard watch watched"
)
"""Verbs that govern a clause without `that`: `helps patients sleep`."""
OBJECT_PRONOUNS = word_set("him her them me us")

SAY = word_set(
    "say says said state states stated mention mentions mentioned indicate indicates indicated note notes"
    " noted suggest suggests suggested report reports reported show shows showed explain explains"
    " explained describe describes described claim claims claimed argue argues argued confirm confirms"
    " confirmed reveal reveals revealed specify specifies specified imply implies implied tell tells told"
)
SPEECH = frozenset(
    {
        "in summary",
        "in conclusion",
        "in addition",
        "for example",
        "for instance",
        "in fact",
        "of course",
        "in short",
        "in general",
        "in other words",
        "on the other hand",
        "in particular",
        "as a result",
        "in contrast",
        "to summarize",
        "in essence",
        "as well",
        "at least",
        "as such",
        "after all",
        "in total",
        "as mentioned",
        "as mentioned above",
    }
) - {"at least", "in total", "as well"}
"""Phrases that join sentences and state nothing."""
META_NOUNS = word_set(
    "passage passages context contexts excerpt excerpts snippet snippets document documents text texts"
    " information results result paragraph paragraphs source sources reference references article table data"
)
"""What an answer calls the context that it was given."""
META_FILLER = word_set(
    "the provided given above this these those that your our search retrieved supplied available"
    " following of from in i've you gave me i have in which was were by context information text texts"
    " document documents passage passages results result a an and shared presented you've"
)

REGIONS = word_set(
    "province county state district voivodeship region prefecture oblast canton territory parish municipality"
)
MONTHS = word_set(
    "january february march april may june july august september october november december jan feb mar"
    " apr jun jul aug sep sept oct nov dec"
)
TIME_NOUNS = word_set(
    "year years century centuries decade decades month months week weeks day days hour hours minute"
    " minutes second seconds season seasons era period monday tuesday wednesday thursday friday saturday"
    " sunday spring summer autumn winter fall morning afternoon evening night today yesterday tomorrow"
    " time times age times moment ad bc ce bce eve date weekend semester quarter term"
)
YEAR = re.compile(r"(?:1\d|20)\d\d(?:s|[-–/]\d{2,4})?$|\d{3,4}s$")
TIME_PREPOSITIONS = word_set(
    "in on at from until till since during after before by for throughout through over within around"
    " circa between to of"
)

COMPLEX = word_set(
    "exchange addition charge favor favour honor honour memory search support response return place front"
    " terms case spite light lieu accordance relation part behalf means result terms view"
)
"""Nouns of complex prepositions: `in exchange for`."""

THAT_ADJECTIVES = word_set(
    "possible likely probable clear true important worth evident certain unlikely plausible noteworthy"
)

PERSON_PRONOUNS = word_set("he him his himself she her hers herself")
SURE_PAST = frozenset({"VBD"})

PLURAL = {"are": "is", "were": "was", "have": "has", "do": "does"}
MADE = word_set(
    "built released published founded established produced written created designed constructed launched held located"
)
"""Participles that have no subject who does it, where no object follows."""
STATES = word_set(
    "located situated known called named based considered used made composed found described defined intended designed"
)
"""Participles that describe a lasting state."""
